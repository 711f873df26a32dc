//! Addresses to listen on, taken before anything is written.

use std::net::SocketAddr;

use tokio::net::TcpListener;

use crate::options::Options;

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
    pub(crate) dynamodb: TcpListener,
    pub(crate) s3: TcpListener,
}

impl StoreListeners {
    pub(crate) async fn bind(options: &Options) -> Result<Self, ListenError> {
        Ok(Self {
            dynamodb: bind_store(options.dynamodb_listen, "--dynamodb-listen").await?,
            s3: bind_store(options.s3_listen, "--s3-listen").await?,
        })
    }
}

/// Listens on `address`, which `option` has chosen.
pub(crate) async fn bind(address: SocketAddr, option: &'static str) -> Result<TcpListener, ListenError> {
    TcpListener::bind(address).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => ListenError::InUse { address, option },
        _ => ListenError::Other { address, option, error },
    })
}

async fn bind_store(address: SocketAddr, option: &'static str) -> Result<TcpListener, ListenError> {
    if address.ip().is_loopback() {
        bind(address, option).await
    } else {
        Err(ListenError::NotLoopback { address, option })
    }
}
