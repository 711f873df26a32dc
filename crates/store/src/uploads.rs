//! Staged uploads: files in S3 before their analysis, for at most two days.
//!
//! The table has no row for them: owner and id are the object's key, the size is signed, and the name is signed
//! metadata.

mod cleanup;
mod credentials;
mod object;
mod ticket;

pub use object::StagedFile;
pub use ticket::{Announced, TICKET_LIFETIME, Ticket};

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use aws_sdk_s3::presigning::PresigningConfig;
use aws_sdk_s3::{Client, Config};
use tokio::sync::OnceCell;
use tokio::time::timeout;
use url::Url;

use self::credentials::Credentials;
use crate::error::{Cause, Error};
use crate::ids::{UploadId, UserId};

/// The bucket of staged uploads.
#[derive(Clone, Debug)]
pub struct Uploads {
    config: Config,
    credentials: Credentials,
    /// Built by the first request that needs it.
    client: Arc<OnceLock<Client>>,
    origin: Arc<OnceCell<String>>,
    bucket: String,
    address: UploadAddress,
}

/// The address of tickets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum UploadAddress {
    /// The bucket's own address.
    #[default]
    Bucket,
    /// The service's origin, which forwards uploads to a local bucket: the configured origin, otherwise the request's.
    Service {
        /// The configured one, such as `https://pdf.example.com`.
        origin: Option<String>,
    },
}

/// The path on the service's origin below which uploads are forwarded; also the prefix of the bucket's keys.
pub const UPLOAD_PATH: &str = "/uploads/";

/// Time limit of the deletion.
const DELETE_TIMEOUT: Duration = Duration::from_secs(1);
/// Name of the metadata entry with the percent-encoded file name.
const FILENAME: &str = "filename";

impl Uploads {
    /// The bucket called `bucket`, accessed with `config`.
    pub fn new(config: &Config, bucket: impl Into<String>) -> Self {
        let credentials = Credentials::of(config);
        let config = config.to_builder().identity_cache(credentials.clone()).build();
        Self {
            config,
            credentials,
            client: Arc::default(),
            origin: Arc::default(),
            bucket: bucket.into(),
            address: UploadAddress::Bucket,
        }
    }

    /// The same, with tickets on `address`.
    #[must_use]
    pub fn reached_at(self, address: UploadAddress) -> Self {
        Self { address, ..self }
    }

    /// The origin of tickets for a request to the origin `called`; `None` if tickets address the bucket itself.
    ///
    /// # Errors
    /// [`Error::BadRequest`] when neither the configuration nor the request names an origin.
    pub fn service_origin(&self, called: impl FnOnce() -> Option<String>) -> Result<Option<String>, Error> {
        match &self.address {
            UploadAddress::Bucket => Ok(None),
            UploadAddress::Service { origin: Some(origin) } => Ok(Some(origin.clone())),
            UploadAddress::Service { origin: None } => {
                called().map(Some).ok_or(Error::BadRequest("Send a Host header."))
            }
        }
    }

    fn client(&self) -> &Client {
        self.client.get_or_init(|| Client::from_conf(self.config.clone()))
    }

    /// The bucket's origin, for the page's content security policy; `None` if the script uploads to the page's own
    /// origin. It is constant, so it is determined once.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when there are no credentials to sign with.
    pub async fn bucket_origin(&self) -> Result<Option<&str>, Error> {
        if self.address != UploadAddress::Bucket {
            return Ok(None);
        }
        let origin = self.origin.get_or_try_init(|| self.signed_origin()).await?;
        Ok(Some(origin))
    }

    /// The address depends on endpoint, region and bucket, which only the SDK combines: it is extracted from a
    /// presigned request.
    async fn signed_origin(&self) -> Result<String, Error> {
        let config = PresigningConfig::expires_in(Duration::from_secs(1)).map_err(Error::internal)?;
        let request = self.client().put_object().bucket(&self.bucket).key("uploads/");
        let presigned = request.presigned(config).await.map_err(|error| Error::Unavailable(Cause::of(&error)))?;
        let address = Url::parse(presigned.uri()).map_err(Error::internal)?;
        Ok(address.origin().ascii_serialization())
    }

    /// Deletes the upload. Best effort: the bucket's lifecycle removes it within two days.
    pub async fn delete(&self, user: UserId, upload: UploadId) {
        let request = self.client().delete_object().bucket(&self.bucket).key(key(user, upload));
        match timeout(DELETE_TIMEOUT, request.send()).await {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => tracing::warn!(cause = %Cause::of(&error), "a staged upload was not deleted"),
            Err(_) => tracing::warn!("a staged upload was not deleted in time"),
        }
    }
}

/// The key of an upload, built from the caller's id, so that requests reach only the caller's own.
fn key(user: UserId, upload: UploadId) -> String {
    format!("uploads/{user}/{upload}")
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use aws_sdk_s3::config::{Credentials, Region};
    use aws_smithy_runtime_api::client::http::http_client_fn;
    use chrono::Utc;

    use super::{Announced, UploadAddress, Uploads};
    use crate::aws;
    use crate::ids::{UploadId, UserId};

    const FILE: Announced<'_> = Announced { name: "a.pdf", size: 1, hash: None };

    #[tokio::test]
    async fn a_ticket_ends_with_the_credentials_that_signed_it() {
        let now = Utc::now();
        for (minutes, lasts) in [(None, 15), (Some(60), 15), (Some(7), 7)] {
            let end = minutes.map(|minutes| SystemTime::from(now) + Duration::from_secs(minutes * 60));
            let nobody = http_client_fn(|_, _| panic!("who signs asks nobody"));
            let credentials = Credentials::new("key", "key", None, end, "tests");
            let aws = aws::exactly(Some(Region::new("eu-central-1")), credentials, nobody);
            let uploads = Uploads::new(&aws_sdk_s3::Config::new(&aws), "staged");
            let ticket = uploads.ticket(UserId::random(), UploadId::new(now), &FILE, None, now).await.unwrap();
            let ticket = serde_json::to_value(&ticket).unwrap();
            let expected = crate::quota::timestamp(now + Duration::from_secs(lasts * 60));
            assert_eq!(ticket["expires_at"], expected, "{minutes:?}");
        }
    }

    #[tokio::test]
    async fn tickets_lead_to_the_origin() {
        let nobody = http_client_fn(|_, _| panic!("who signs asks nobody"));
        let credentials = Credentials::new("key", "key", None, None, "tests");
        let aws = aws::exactly(Some(Region::new("eu-central-1")), credentials, nobody);
        let here = aws.to_builder().endpoint_url("http://127.0.0.1:9000").build();
        let here = aws_sdk_s3::config::Builder::from(&here).force_path_style(true).build();
        for (config, origin) in [
            (aws_sdk_s3::Config::new(&aws), "https://staged.s3.eu-central-1.amazonaws.com"),
            (here, "http://127.0.0.1:9000"),
        ] {
            let uploads = Uploads::new(&config, "staged");
            let upload = UploadId::new(Utc::now());
            let ticket = uploads.ticket(UserId::random(), upload, &FILE, None, Utc::now()).await.unwrap();
            assert_eq!(uploads.bucket_origin().await.unwrap(), Some(origin));
            assert!(ticket.url.starts_with(&format!("{origin}/")), "{}", ticket.url);

            // the same signature, which does not cover the service's own origin
            let user = UserId::random();
            let own = uploads.reached_at(UploadAddress::Service { origin: None });
            assert_eq!(own.bucket_origin().await.unwrap(), None);
            let ticket = own.ticket(user, upload, &FILE, Some("https://pdf.example.com"), Utc::now()).await.unwrap();
            let start = format!("https://pdf.example.com/uploads/{user}/{upload}?x-id=PutObject&X-Amz-");
            assert!(ticket.url.starts_with(&start), "{}", ticket.url);
        }
    }
}
