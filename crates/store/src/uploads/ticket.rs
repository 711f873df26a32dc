//! The ticket of one upload: a presigned PUT for one file of one size.

use std::collections::BTreeMap;
use std::time::Duration;

use aws_sdk_s3::presigning::{PresignedRequest, PresigningConfig};
use chrono::{DateTime, Utc};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use url::{Url, form_urlencoded};
use utoipa::ToSchema;

use super::{FILENAME, Uploads, key};
use crate::error::{Cause, Error};
use crate::file_hash::FileHash;
use crate::ids::{UploadId, UserId};
use crate::quota::timestamp;

/// Lifetime of a ticket.
pub const TICKET_LIFETIME: Duration = Duration::from_secs(15 * 60);

/// An announced file.
#[derive(Clone, Copy, Debug)]
pub struct Announced<'a> {
    /// Its cleaned name.
    pub name: &'a str,
    /// Bytes, 1 and up.
    pub size: u64,
    /// Its hash, if announced: S3 refuses other bytes.
    pub hash: Option<FileHash>,
}

/// A ticket for one upload. Its holder can upload: keep it secret.
// so it is not `Debug`
#[derive(Clone, Serialize, ToSchema)]
#[schema(as = UploadTicket)]
pub struct Ticket {
    /// The id to send to `POST /pdf/analyze` after the upload.
    #[schema(format = "uuid")]
    upload_id: String,
    /// The method to upload with: `PUT`.
    method: &'static str,
    /// Where to upload to; a secret until it expires.
    #[schema(format = "uri")]
    pub(super) url: String,
    /// The headers to upload with, all of them; most HTTP clients set `content-length` themselves.
    headers: BTreeMap<String, String>,
    /// When the ticket expires: ISO 8601, UTC, 15 minutes from now, or earlier if the service's own credentials expire.
    #[schema(format = DateTime)]
    expires_at: String,
}

impl Uploads {
    /// A ticket for `user` to upload `file`, as `upload`; its address is on `origin` if the service forwards uploads.
    ///
    /// The signature covers the size, the media type, `If-None-Match: *` (which prevents overwriting), the name and, if
    /// announced, the file's hash: S3 then refuses other bytes and reports the verified hash later.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when there are no credentials to sign with.
    pub async fn ticket(
        &self,
        user: UserId,
        upload: UploadId,
        file: &Announced<'_>,
        origin: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<Ticket, Error> {
        let length = i64::try_from(file.size).map_err(Error::internal)?;
        let config = PresigningConfig::builder().start_time(now.into()).expires_in(TICKET_LIFETIME).build();
        let presigned = self
            .client()
            .put_object()
            .bucket(&self.bucket)
            .key(key(user, upload))
            .content_length(length)
            .content_type("application/pdf")
            .if_none_match("*")
            // S3 keeps metadata as ASCII
            .metadata(FILENAME, utf8_percent_encode(file.name, NON_ALPHANUMERIC).to_string())
            .set_checksum_sha256(file.hash.map(|hash| hash.base64()))
            .presigned(config.map_err(Error::internal)?)
            .await
            .map_err(|error| Error::Unavailable(Cause::of(&error)))?;
        let end = now + TICKET_LIFETIME;
        Ok(Ticket {
            upload_id: upload.to_string(),
            method: "PUT",
            url: match origin {
                Some(origin) => self.passed_on_at(origin, presigned.uri())?,
                None => presigned.uri().to_owned(),
            },
            headers: signed_headers(&presigned),
            expires_at: timestamp(self.credentials.end().map_or(end, |credentials| end.min(credentials.into()))),
        })
    }
}

impl Uploads {
    /// The address on the service's origin that forwards to `signed`: the key, without the bucket.
    fn passed_on_at(&self, origin: &str, signed: &str) -> Result<String, Error> {
        let signed = Url::parse(signed).map_err(Error::internal)?;
        let bucket = format!("/{}", self.bucket);
        let key = signed.path().strip_prefix(&bucket).unwrap_or(signed.path());
        Ok(format!("{origin}{key}?{}", signed.query().unwrap_or_default()))
    }
}

/// The headers that the signature covers. On Lambda the SDK adds an unsigned one, the trace id, which is removed.
fn signed_headers(presigned: &PresignedRequest) -> BTreeMap<String, String> {
    let query = presigned.uri().split_once('?').map_or("", |(_, query)| query);
    let signed = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "X-Amz-SignedHeaders");
    let signed = signed.map_or_else(String::new, |(_, names)| names.into_owned());
    let headers = presigned.headers().filter(|(name, _)| signed.split(';').any(|signed| signed == *name));
    headers.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}
