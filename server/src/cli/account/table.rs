//! The table of accounts: in a server's data folder, or in AWS.

use std::error::Error;
use std::path::PathBuf;

use clap::Args;
use shared::disk_space::DiskSpace;
use shared::store::Store;
use shared::uploads::Uploads;

use crate::Options;
use crate::cli::serve::option_or_variable;
use crate::stores::aws;
use crate::stores::embedded::access;
use crate::stores::embedded::data::{Data, DataError};
use crate::stores::embedded::dynamodb::Dynamodb;
use crate::stores::embedded::host::HostNames;
use crate::stores::embedded::s3::S3;
use crate::stores::listen::StoreListeners;
use crate::template::{self, Template};

/// Where the accounts are.
#[derive(Debug, Args)]
pub(super) struct TableArgs {
    /// The data folder of the server
    #[arg(long, value_name = "DIR", default_value = "data", global = true)]
    data: PathBuf,

    /// Use the deployed table in AWS, with the credentials and the region that the AWS tools would use
    #[arg(long, global = true, conflicts_with = "data")]
    aws: bool,

    /// The deployed table [default: TABLE_NAME of the environment]
    #[arg(long, value_name = "NAME", global = true, requires = "aws")]
    table: Option<String>,

    /// The deployed bucket of uploads, of which `delete` takes the account's along [default: UPLOAD_BUCKET of the environment]
    #[arg(long, value_name = "NAME", global = true, requires = "aws")]
    bucket: Option<String>,
}

/// The table, open, and the bucket that belongs to it.
pub(super) struct TextTable {
    store: Store,
    uploads: Option<Uploads>,
    /// If no server uses the data, stores are started for the duration of the command.
    own: Option<(Dynamodb, S3, Data)>,
}

impl TableArgs {
    /// Opens it; `new` creates a missing data folder.
    pub(super) async fn open(self, new: bool) -> Result<TextTable, Box<dyn Error>> {
        if self.aws {
            let table = option_or_variable(self.table, "--table", "TABLE_NAME")?;
            let builders = aws::connect(&table).await?;
            let bucket = self.bucket.or_else(|| std::env::var("UPLOAD_BUCKET").ok()).filter(|name| !name.is_empty());
            let uploads = bucket.map(|bucket| Uploads::new(&builders.s3.clone().build(), bucket));
            return Ok(TextTable { store: Store::new(builders.build().dynamodb, table), uploads, own: None });
        }
        let Template { table, bucket, .. } = Template::parse(template::TEXT)?;
        let opened = if new { Data::open(Some(&self.data)) } else { Data::open_existing(&self.data) };
        let (address, s3_address, own) = match opened {
            Ok(data) => {
                let listeners = StoreListeners::bind(&Options::default()).await?;
                let names = HostNames(None);
                let dynamodb = Dynamodb::start(
                    listeners.dynamodb,
                    data.database().as_deref(),
                    &table,
                    names,
                    DiskSpace::default(),
                )?;
                let key = data.ticket_key()?;
                let s3 = S3::start(listeners.s3, &data.s3(), &bucket, &key, names, DiskSpace::default())?;
                (dynamodb.address, Some(s3.address), Some((dynamodb, s3, data)))
            }
            Err(DataError::InUse { path }) => {
                let busy = || format!("a server on {} is just starting or stopping; try again", path.display());
                (Data::announced(&path).ok_or_else(busy)?, Data::announced_s3(&path), None)
            }
            Err(error) => return Err(error.into()),
        };
        let client = aws_sdk_dynamodb::Client::new(&access::over_http(address));
        let uploads = s3_address.map(|address| Uploads::new(&(&access::over_http(address)).into(), &bucket.name));
        Ok(TextTable { store: Store::new(client, table.name), uploads, own })
    }
}

impl TextTable {
    pub(super) fn store(&self) -> Store {
        self.store.clone()
    }

    pub(super) fn uploads(&self) -> Option<Uploads> {
        self.uploads.clone()
    }

    /// Closes the stores and releases the data folder.
    pub(super) async fn close(self) {
        if let Some((dynamodb, s3, data)) = self.own {
            s3.stop().await;
            dynamodb.stop().await;
            drop(data);
        }
    }
}
