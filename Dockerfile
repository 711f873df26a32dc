# The service as one process, for a container service or a machine of one's own: docs/deploying.md. The images it is built from
# are named by tag, so that every build has Debian's fixes; where the same bytes are needed again, name their digests.
FROM rust:1.95-bookworm AS build
WORKDIR /source
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/source/target \
    cargo build --release --locked --package server \
    && cp target/release/pdf-analysis /pdf-analysis \
    && mkdir /data

# glibc and libgcc of the same Debian; no shell, no package manager
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /pdf-analysis /usr/local/bin/pdf-analysis
# a volume that is mounted here belongs to the same user
COPY --from=build --chown=65532:65532 /data /data
USER 65532:65532
EXPOSE 3000
ENTRYPOINT ["/usr/local/bin/pdf-analysis"]
# table and bucket come from TABLE_NAME and UPLOAD_BUCKET
CMD ["--listen", "0.0.0.0:3000", "--behind-proxy", "--aws"]
