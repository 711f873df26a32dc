//! Objects named as `s3://BUCKET/KEY`, and all PDFs under `s3://BUCKET/PREFIX`, with the credentials and the endpoint of the AWS
//! tools (`AWS_PROFILE`, `AWS_REGION`, `AWS_ENDPOINT_URL` and the like).

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use aws_sdk_s3::Client;
use shared::aws;
use shared::bucket::{Bucket, BucketError, ListedObject, RangedObject};
use shared::deadline::Deadline;
use tokio::runtime::Runtime;

use super::is_pdf;

/// Time limit of reading one object.
const OBJECT_TIMEOUT: Duration = Duration::from_secs(300);

/// An object of a bucket.
#[derive(Clone, Debug)]
pub(super) struct BucketObject {
    bucket: String,
    key: String,
    /// From a listing; a named object is looked up when it is opened.
    listed: Option<ListedObject>,
}

/// A client of S3 and the runtime of its requests.
struct Connection {
    runtime: Runtime,
    client: Client,
}

/// Bucket and key or prefix of an address.
fn parsed(path: &Path) -> Option<(&str, &str)> {
    let address = path.to_str()?.strip_prefix("s3://")?;
    Some(address.split_once('/').unwrap_or((address, "")))
}

/// The objects of an address; `None` if `path` is no address. An address that ends in .pdf is one object, any other a
/// prefix.
pub(super) fn found(path: &Path) -> Option<io::Result<Vec<BucketObject>>> {
    let (bucket, key) = parsed(path)?;
    let object = |key: &str, listed| BucketObject { bucket: bucket.to_owned(), key: key.to_owned(), listed };
    if is_pdf(Path::new(key)) {
        return Some(Ok(vec![object(key, None)]));
    }
    let listed = connection().and_then(|connection| connection.list(bucket, key).map_err(io::Error::other));
    Some(listed.map(|listed| listed.into_iter().map(|listed| object(&listed.key.clone(), Some(listed))).collect()))
}

impl BucketObject {
    /// Its address.
    pub(super) fn path(&self) -> PathBuf {
        format!("s3://{}/{}", self.bucket, self.key).into()
    }

    /// Opens it for reading by ranges.
    ///
    /// # Errors
    /// If the object does not exist, or S3 refuses.
    pub(super) fn open(&self) -> io::Result<RangedObject> {
        let Connection { runtime, client } = connection()?;
        let bucket = Bucket::new(client.clone(), self.bucket.as_str());
        let deadline = Deadline::after(OBJECT_TIMEOUT);
        let opening = async {
            let listed = match &self.listed {
                Some(listed) => listed.clone(),
                None => bucket.look_up(&self.key).await?,
            };
            bucket.open(&listed, deadline).await
        };
        runtime.block_on(opening).map_err(io::Error::other)
    }
}

impl Connection {
    fn new() -> io::Result<Self> {
        let runtime = Runtime::new()?;
        let config = runtime.block_on(aws::loader().load());
        let mut s3 = aws_sdk_s3::config::Builder::from(&config);
        // only AWS's endpoints have a host name per bucket
        let is_other = config.endpoint_url().is_some() || std::env::var_os("AWS_ENDPOINT_URL_S3").is_some();
        s3.set_force_path_style(Some(is_other));
        Ok(Self { runtime, client: Client::from_conf(s3.build()) })
    }

    /// All PDFs under a prefix, by their keys.
    fn list(&self, bucket: &str, prefix: &str) -> Result<Vec<ListedObject>, BucketError> {
        let bucket = Bucket::new(self.client.clone(), bucket);
        let is_wanted = |object: ListedObject| is_pdf(Path::new(&object.key)).then_some(object);
        self.runtime.block_on(bucket.list_all(prefix, is_wanted))
    }
}

/// The connection, created at the first use.
fn connection() -> io::Result<&'static Connection> {
    static CONNECTION: OnceLock<Result<Connection, String>> = OnceLock::new();
    let connected = CONNECTION.get_or_init(|| Connection::new().map_err(|error| error.to_string()));
    connected.as_ref().map_err(|error| io::Error::other(error.as_str()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::parsed;

    #[test]
    fn an_address_has_a_bucket_and_a_key_or_prefix() {
        assert_eq!(parsed(Path::new("s3://claims/2026/a.pdf")), Some(("claims", "2026/a.pdf")));
        assert_eq!(parsed(Path::new("s3://claims/")), Some(("claims", "")));
        assert_eq!(parsed(Path::new("s3://claims")), Some(("claims", "")));
        assert_eq!(parsed(Path::new("claims/a.pdf")), None);
    }
}
