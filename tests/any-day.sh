#!/usr/bin/env bash
# Runs the tests that depend on the clock as on other days: in 500 days, and from 23:59 UTC on the next 28 February
# that a 29th follows. `tests/any-day.sh WHEN…` runs them at other times, such as '+60 days'.
# Needs a Rust toolchain, Debian's faketime and jq.
set -euo pipefail
cd "$(dirname "$0")/.."

# package, target and parts of names
tests=(
  "tests/lib clock::"
  "tests/api bad_input::midnight:: user:: quota:: tokens:: idempotency:: uploads:: disabled:: round_trips::last_used_at"
  "tests/console sessions:: login:: tokens:: uploads::"
  "tests/command account:: aws:: event::"
  "tests/platform s3_presigned:: s3_objects:: dynamodb::expired"
  "pdf-syntax/lib date::"
  "engine/extract dates::"
  "store/lib quota:: ids:: secret::"
  "shared/lib journal::"
  "server/lib gateway::"
  "web/lib dates::"
)

# but not these: files have the kernel's times, which faketime does not move
left_out=(
  # compares an upload's time with now
  s3_objects::leftovers_expire
  # may take the half minute until a service's first sweep, which finds that the upload is 500 days old
  uploads::a_large_staged_file_is_read_by_its_ends
)

if [ $# -eq 0 ]; then
  year=$(date --utc +%Y)
  until date --utc --date="$year-02-29" > /dev/null 2>&1 && [[ $year-02-28 > $(date --utc +%F) ]]; do
    year=$((year + 1))
  done
  set -- "+500 days" "$year-02-28 23:59:00"
fi

# not under faketime, because cargo goes by the times of files
built=$(cargo test --workspace --locked --no-run --message-format=json | jq --raw-output '
  select(.reason == "compiler-artifact" and .profile.test and .executable) |
  (.manifest_path | rtrimstr("/Cargo.toml")) as $folder |
  ["\($folder | split("/") | last)/\(if .target.kind == ["lib"] then "lib" else .target.name end)", $folder, .executable] |
  @tsv')

# folder, binary and arguments of each run, a line each
runs=$(
  for line in "${tests[@]}"; do
    read -r target filters <<< "$line"
    IFS=$'\t' read -r _ folder binary < <(grep --fixed-strings "$target"$'\t' <<< "$built")
    for filter in $filters; do
      "$binary" --list "$filter" | grep ': test$' > /dev/null || { echo "$target has no test $filter" >&2; exit 1; }
    done
    printf '%s\t%s\t%s\n' "$folder" "$binary" "${left_out[*]/#/--skip=} $filters"
  done
)

run_all() {
  printf '\n-- %s: %s\n' "$1" "$(date)"
  while IFS=$'\t' read -r folder binary arguments; do
    cd "$folder"
    # shellcheck disable=SC2086
    "$binary" $arguments < /dev/null
  done
}
export -f run_all

# one clock for all of them, so that it goes on from one to the next; timers keep the true one
for when in "$@"; do
  TZ=UTC faketime -m --exclude-monotonic "$when" bash -euo pipefail -c 'run_all "$0"' "$when" <<< "$runs"
done
