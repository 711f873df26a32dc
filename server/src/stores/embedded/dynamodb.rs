//! The embedded DynamoDB: dynoxide on SQLite, on a separate thread because its operations block. SQLite runs in WAL
//! mode with full synchronization, so an acknowledged write survives a crash.

mod direct;
mod front;
mod operations;
mod repeats;
mod store;
mod usual;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use aws_smithy_runtime_api::client::http::SharedHttpConnector;
use dynoxide::actions;
use serde_json::json;
use shared::disk_space::DiskSpace;
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::host::HostNames;
use crate::connection_limits::ConnectionLimits;
use crate::http::HttpServer;
use crate::stores::listen::StorePorts;
use crate::template::TableResource;
use direct::{Direct, Jobs};
use front::Front;
use operations::{Engine, completed};
pub(crate) use store::Store;

/// The embedded DynamoDB did not start.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DynamodbError {
    #[error("the database could not be opened: {0}")]
    Open(dynoxide::DynoxideError),
    #[error("the table of template.yaml could not be created: {0}")]
    Table(String),
    #[error(
        "the table in the data folder has other keys than the one in template.yaml; start with another --data folder or delete this one"
    )]
    OtherKeys,
    #[error("its thread could not be started: {0}")]
    Thread(#[from] std::io::Error),
}

/// The running store; dropping it stops it.
pub(crate) struct Dynamodb {
    pub(crate) address: SocketAddr,
    store: Store,
    direct: Direct,
    stop: watch::Sender<bool>,
    thread: thread::JoinHandle<()>,
}

impl Dynamodb {
    /// Opens `file` or memory, creates the table and serves on `at` under `names`.
    pub(crate) fn start(
        at: StorePorts,
        file: Option<&Path>,
        table: &TableResource,
        names: HostNames,
        disk_space: DiskSpace,
    ) -> Result<Self, DynamodbError> {
        let engine = Engine::open(file).map_err(DynamodbError::Open)?;
        create_table(&engine, table)?;
        let store = Store::new(engine, &table.name);
        let address = at.local.local_addr()?;
        let listeners = [at.local].into_iter().chain(at.bridge).map(TcpListener::into_std);
        let listeners = listeners.collect::<Result<Vec<_>, _>>()?;
        let (stop, stopped) = watch::channel(false);
        let front = Front::new(store.clone(), names);
        let (direct, jobs) = Direct::new();
        let inside = store.clone();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let thread = thread::Builder::new()
            .name("dynamodb".to_owned())
            .spawn(move || runtime.block_on(serve(listeners, front, (inside, disk_space), jobs, stopped)))?;
        Ok(Self { address, store, direct, stop, thread })
    }

    /// The in-process transport for clients.
    pub(crate) fn connector(&self) -> SharedHttpConnector {
        SharedHttpConnector::new(self.direct.clone())
    }

    /// A handle for deleting expired items.
    pub(crate) fn store(&self) -> Store {
        self.store.clone()
    }

    /// Lets running requests finish and closes the database.
    pub(crate) async fn stop(self) {
        self.stop.send_replace(true);
        drop(self.store);
        let joined = tokio::task::spawn_blocking(|| self.thread.join()).await;
        if !matches!(joined, Ok(Ok(()))) {
            tracing::error!("the embedded DynamoDB ended badly");
        }
    }
}

async fn serve(
    listeners: Vec<std::net::TcpListener>,
    front: Front,
    (store, disk_space): (Store, DiskSpace),
    mut jobs: Jobs,
    mut stopped: watch::Receiver<bool>,
) {
    let front = Arc::new(front);
    let listeners = listeners.into_iter().map(TcpListener::from_std).collect::<Result<Vec<_>, _>>();
    match listeners {
        Ok(listeners) => {
            let servers = listeners
                .into_iter()
                .map(|listener| HttpServer::start(listener, ConnectionLimits::UNLIMITED, Arc::clone(&front)));
            let servers: Vec<_> = servers.collect();
            let direct = tokio::spawn(async move {
                while let Some(job) = jobs.recv().await {
                    job.run(&store, &disk_space);
                }
            });
            // An error means that the sender was dropped, which is a stop as well.
            let _ = stopped.wait_for(|stop| *stop).await;
            for server in servers {
                server.stop().await;
            }
            direct.abort();
        }
        Err(error) => tracing::error!(%error, "the embedded DynamoDB stopped"),
    }
}

/// Creates the table unless it exists, with the keys of the template, from an earlier start.
fn create_table(engine: &Engine, table: &TableResource) -> Result<(), DynamodbError> {
    let storage = &engine.storage;
    if storage.get_table_metadata(&table.name).map_err(failed)?.is_some() {
        let described = parsed(json!({"TableName": table.name}))?;
        let found = engine.describe(described).map_err(failed)?;
        let keys = serde_json::to_value(&found.table.key_schema).map_err(failed)?;
        if table.create.get("KeySchema") != Some(&keys) {
            return Err(DynamodbError::OtherKeys);
        }
    } else {
        completed(actions::create_table::execute(storage, parsed(table.create.clone())?)).map_err(failed)?;
    }
    enable_ttl(engine, table)
}

/// A separate call in DynamoDB, so an earlier start may have ended before it.
fn enable_ttl(engine: &Engine, table: &TableResource) -> Result<(), DynamodbError> {
    let (storage, described) = (&engine.storage, parsed(json!({"TableName": table.name}))?);
    let found = completed(actions::describe_time_to_live::execute(storage, described)).map_err(failed)?;
    if found.time_to_live_description.time_to_live_status == "ENABLED" {
        return Ok(());
    }
    let enable = json!({
        "TableName": table.name,
        "TimeToLiveSpecification": {"AttributeName": table.ttl_attribute, "Enabled": true},
    });
    completed(actions::update_time_to_live::execute(storage, parsed(enable)?)).map_err(failed)?;
    Ok(())
}

fn parsed<T: serde::de::DeserializeOwned>(request: serde_json::Value) -> Result<T, DynamodbError> {
    serde_json::from_value(request).map_err(failed)
}

fn failed(error: impl std::fmt::Display) -> DynamodbError {
    DynamodbError::Table(error.to_string())
}
