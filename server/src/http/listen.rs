//! Addresses to listen on, taken before anything is written.

use std::net::SocketAddr;

use tokio::net::TcpListener;

use crate::options::{Containers, Listen, Options};

/// An address is not to be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ListenError {
    #[error("{address} is in use by another program; stop it, or choose another address with {option}")]
    InUse { address: SocketAddr, option: &'static str },
    #[error("cannot listen on {address} ({error}); choose another address with {option}")]
    Other { address: SocketAddr, option: &'static str, error: std::io::Error },
    #[error(
        "{address} is not a loopback address, and the embedded stores accept well-known credentials; choose one like 127.0.0.1:0 with {option}"
    )]
    NotLoopback { address: SocketAddr, option: &'static str },
}

/// Where the embedded stores listen.
pub(crate) struct StoreListeners {
    pub(crate) dynamodb: Doors,
    pub(crate) s3: Doors,
}

/// Where one store listens.
pub(crate) struct Doors {
    /// On a loopback address.
    pub(crate) local: TcpListener,
    /// With the same port on the bridge of this machine's containers.
    pub(crate) bridge: Option<TcpListener>,
}

impl Doors {
    /// On a loopback address only.
    pub(crate) fn local(local: TcpListener) -> Self {
        Self { local, bridge: None }
    }
}

impl StoreListeners {
    pub(crate) async fn bind(options: &Options) -> Result<Self, ListenError> {
        Ok(Self {
            dynamodb: bind_store(options.dynamodb_listen, "--dynamodb-listen", options.containers).await?,
            s3: bind_store(options.s3_listen, "--s3-listen", options.containers).await?,
        })
    }
}

/// How many ports are tried after one that is taken, before any free one is.
const NEXT: u16 = 20;

/// Listens where `option` says.
pub(crate) async fn bind(listen: Listen, option: &'static str) -> Result<TcpListener, ListenError> {
    let wanted = listen.address();
    let mut result = TcpListener::bind(wanted).await;
    if let Listen::From(_) = listen {
        let next = (1..=NEXT).filter_map(|further| wanted.port().checked_add(further)).chain([0]);
        for port in next {
            if !result.as_ref().is_err_and(is_taken) {
                break;
            }
            result = TcpListener::bind((wanted.ip(), port)).await;
        }
    }
    result.map_err(|error| match is_taken(&error) {
        true => ListenError::InUse { address: wanted, option },
        false => ListenError::Other { address: wanted, option, error },
    })
}

fn is_taken(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::AddrInUse
}

async fn bind_store(
    listen: Listen,
    option: &'static str,
    containers: Option<Containers>,
) -> Result<Doors, ListenError> {
    let address = listen.address();
    if !address.ip().is_loopback() {
        return Err(ListenError::NotLoopback { address, option });
    }
    let local = bind(listen, option).await?;
    let Some(bridge) = containers.and_then(|containers| containers.bridge) else {
        return Ok(Doors::local(local));
    };
    let port = local.local_addr().map_or(address.port(), |address| address.port());
    let bridge = bind(Listen::At((bridge, port).into()), "--for-containers=ADDR").await?;
    Ok(Doors { local, bridge: Some(bridge) })
}
