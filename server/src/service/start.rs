//! The start of a service: stores with table and bucket, then functions, then the gateway.

use std::net::SocketAddr;
use std::sync::Arc;

use shared::platform::Platform;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use super::Service;
use crate::data::{Data, DataError};
use crate::embedded::clients::{self, Clients};
use crate::embedded::dynamodb::{Dynamodb, DynamodbError};
use crate::embedded::s3::{S3, S3Error};
use crate::functions::{self, FunctionError};
use crate::gateway::{Gateway, Settings};
use crate::options::Options;
use crate::serve::Server;
use crate::sweeper::Sweeper;
use crate::template::{self, Template, TemplateError};

/// A service that could not be started; the sentence says what to do.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct StartError(#[from] Cause);

#[derive(Debug, thiserror::Error)]
enum Cause {
    #[error(transparent)]
    Template(#[from] TemplateError),
    #[error(transparent)]
    Data(#[from] DataError),
    #[error("{address} is in use by another program; stop it, or choose another address with {option}")]
    InUse { address: SocketAddr, option: &'static str },
    #[error("cannot listen on {address} ({error}); choose another address with {option}")]
    Listen { address: SocketAddr, option: &'static str, error: std::io::Error },
    #[error(
        "{address} is not a loopback address, and the embedded stores accept well-known credentials; choose one like 127.0.0.1:0 with {option}"
    )]
    NotLoopback { address: SocketAddr, option: &'static str },
    #[error("the embedded DynamoDB did not start: {0}")]
    Dynamodb(#[from] DynamodbError),
    #[error("the embedded S3 did not start: {0}")]
    S3(#[from] S3Error),
    #[error(transparent)]
    Function(#[from] FunctionError),
}

/// The three listeners, which are taken before anything is written.
struct Listeners {
    gateway: TcpListener,
    dynamodb: TcpListener,
    s3: TcpListener,
}

impl Service {
    /// Starts the service that `template.yaml` describes. Needs a Tokio runtime.
    ///
    /// # Errors
    /// Says in one sentence what prevents it and what to do.
    pub async fn start(options: Options) -> Result<Self, StartError> {
        Ok(Self::start_with(options).await?)
    }

    async fn start_with(options: Options) -> Result<Self, Cause> {
        let template = Template::parse(template::TEXT)?;
        let listeners = Listeners::bind(&options).await?;
        let address = listeners.gateway.local_addr().unwrap_or(options.listen);
        let data = Data::open(options.data.as_deref())?;
        let file = data.database();
        let first_start = file.as_ref().is_none_or(|file| !file.exists());
        let dynamodb = Dynamodb::start(listeners.dynamodb, file.as_deref(), &template.table)?;
        let s3 = S3::start(listeners.s3, &data.s3(), &template.bucket)?;

        let clients = Clients::new(clients::dynamodb(dynamodb.address), clients::s3(s3.address));
        let sweeper = Sweeper {
            database: dynamodb.database(),
            s3: clients.s3.clone(),
            bucket: template.bucket.clone(),
            clock: options.clock.clone(),
        };
        // A set, because it takes its task along when it is dropped.
        let mut sweeping = JoinSet::new();
        sweeping.spawn(sweeper.clone().run());

        let platforms = functions::platforms(&template, |function, config| {
            let clients = Clients::new(
                (options.customize_dynamodb)(function, clients::dynamodb(dynamodb.address)),
                (options.customize_s3)(function, clients::s3(s3.address)),
            );
            Platform {
                dynamodb: clients.dynamodb,
                s3: clients.s3,
                config,
                clock: options.clock.clone(),
                journal: options.journal.clone(),
            }
        })?;
        let (gateway, ended) = Gateway::new(Settings {
            template: &template,
            functions: functions::build(&template, &platforms)?,
            cloud_limits: options.cloud_limits,
            clock: options.clock,
            local: address,
        });
        let gateway = Server::start(listeners.gateway, Arc::new(gateway));
        Ok(Self {
            address,
            first_start,
            platforms,
            clients,
            sweeping,
            sweeper,
            gateway,
            ended,
            s3,
            dynamodb,
            data,
            template,
        })
    }
}

impl Listeners {
    async fn bind(options: &Options) -> Result<Self, Cause> {
        Ok(Self {
            gateway: bind(options.listen, "--listen").await?,
            dynamodb: bind_store(options.dynamodb_listen, "--dynamodb-listen").await?,
            s3: bind_store(options.s3_listen, "--s3-listen").await?,
        })
    }
}

async fn bind_store(address: SocketAddr, option: &'static str) -> Result<TcpListener, Cause> {
    if address.ip().is_loopback() { bind(address, option).await } else { Err(Cause::NotLoopback { address, option }) }
}

async fn bind(address: SocketAddr, option: &'static str) -> Result<TcpListener, Cause> {
    TcpListener::bind(address).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => Cause::InUse { address, option },
        _ => Cause::Listen { address, option, error },
    })
}
