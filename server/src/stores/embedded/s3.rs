//! The embedded S3: s3s-fs on a folder, completed by checks of the real S3.

mod cors;
mod direct;
mod files;
mod front;
mod locks;
mod passage;
mod refusal;
mod sweep;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use aws_smithy_runtime_api::client::http::SharedHttpConnector;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use shared::disk_space::DiskSpace;
use tokio::net::TcpListener;

use super::access::KEY;
use super::host::HostNames;
use super::ticket_key::{TICKET_KEY_ID, TicketKey};
use crate::connection_limits::ConnectionLimits;
use crate::http::HttpServer;
use crate::stores::listen::StorePorts;
use crate::template::Bucket;
use direct::{Access, S3Direct};
use files::Files;
use front::S3Front;

pub(crate) use passage::Passage;
pub(crate) use sweep::sweep;

/// The embedded S3 did not start.
#[derive(Debug, thiserror::Error)]
pub(crate) enum S3Error {
    #[error("its folder could not be used: {0}")]
    Folder(#[from] std::io::Error),
    #[error("its folder could not be opened: {0:?}")]
    Open(s3s_fs::Error),
}

/// The running store; dropping it stops it.
#[derive(Debug)]
pub(crate) struct S3 {
    pub(crate) address: SocketAddr,
    /// The address for containers and the programs of this machine, for which requests are presigned.
    pub(crate) shared: SocketAddr,
    direct: S3Direct,
    passage: Arc<Passage>,
    servers: Vec<HttpServer>,
}

impl S3 {
    /// Serves `folder` with the one bucket on `at` under `names`; tickets are signed with `key`.
    pub(crate) fn start(
        at: StorePorts,
        folder: &Path,
        bucket: &Bucket,
        key: &TicketKey,
        names: HostNames,
        disk_space: DiskSpace,
    ) -> Result<Self, S3Error> {
        std::fs::create_dir_all(folder.join(&bucket.name))?;
        let address = at.local.local_addr()?;
        let shared = at.bridge.as_ref().map_or(Ok(address), TcpListener::local_addr)?;
        let files = Files::open(folder, &bucket.name, disk_space)?;
        let mut service = S3ServiceBuilder::new(files);
        let mut auth = SimpleAuth::from_single(KEY, KEY);
        auth.register(TICKET_KEY_ID.into(), key.reveal().into());
        service.set_auth(auth);
        service.set_access(Access);
        let service = service.build();
        let direct = S3Direct::new(service.clone());
        let front = Arc::new(S3Front::new(service, bucket.cors.clone(), names));
        let passage = Arc::new(Passage::new(Arc::clone(&front), &bucket.name, shared));
        let listeners = [at.local].into_iter().chain(at.bridge);
        let servers = listeners
            .map(|listener| HttpServer::start(listener, ConnectionLimits::UNLIMITED, Arc::clone(&front)))
            .collect();
        Ok(Self { address, shared, direct, passage, servers })
    }

    /// The in-process transport for clients.
    pub(crate) fn connector(&self) -> SharedHttpConnector {
        SharedHttpConnector::new(self.direct.clone())
    }

    /// The forwarder of uploads from the service's origin.
    pub(crate) fn passage(&self) -> Arc<Passage> {
        Arc::clone(&self.passage)
    }

    /// Lets running requests finish.
    pub(crate) async fn stop(self) {
        for server in self.servers {
            server.stop().await;
        }
    }
}
