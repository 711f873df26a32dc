//! The table that the accounts are in: in a server's data folder, or in AWS.

use std::error::Error;
use std::net::Ipv4Addr;
use std::path::PathBuf;

use clap::Args;
use shared::store::Store;
use tokio::net::TcpListener;

use crate::cli::serve::option_or_variable;
use crate::stores::aws;
use crate::stores::embedded::access;
use crate::stores::embedded::data::{Data, DataError};
use crate::stores::embedded::dynamodb::Dynamodb;
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
}

/// The table, open.
pub(super) struct Table {
    store: Store,
    /// Data that no server holds is served for as long as the command takes.
    own: Option<(Dynamodb, Data)>,
}

impl TableArgs {
    /// Opens it; `new` makes a data folder that is not there.
    pub(super) async fn open(self, new: bool) -> Result<Table, Box<dyn Error>> {
        if self.aws {
            let table = option_or_variable(self.table, "--table", "TABLE_NAME")?;
            let client = aws::connect(&table).await?.build().dynamodb;
            return Ok(Table { store: Store::new(client, table), own: None });
        }
        let table = Template::parse(template::TEXT)?.table;
        let opened = if new { Data::open(Some(&self.data)) } else { Data::open_existing(&self.data) };
        let (address, own) = match opened {
            Ok(data) => {
                let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
                let dynamodb = Dynamodb::start(listener, data.database().as_deref(), &table)?;
                (dynamodb.address, Some((dynamodb, data)))
            }
            Err(DataError::InUse { path }) => {
                let busy = || format!("a server on {} is just starting or stopping; try again", path.display());
                (Data::announced(&path).ok_or_else(busy)?, None)
            }
            Err(error) => return Err(error.into()),
        };
        let client = aws_sdk_dynamodb::Client::from_conf(access::dynamodb(address));
        Ok(Table { store: Store::new(client, table.name), own })
    }
}

impl Table {
    pub(super) fn store(&self) -> Store {
        self.store.clone()
    }

    /// Gives the data folder back.
    pub(super) async fn close(self) {
        if let Some((dynamodb, data)) = self.own {
            dynamodb.stop().await;
            drop(data);
        }
    }
}
