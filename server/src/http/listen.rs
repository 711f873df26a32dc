//! Addresses to listen on, bound before anything is written.

use std::net::SocketAddr;

use tokio::net::TcpListener;

use crate::options::Listen;

/// An address cannot be bound.
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

/// Ports tried after an occupied one, before any free one is used.
const NEXT_PORTS: u16 = 20;

/// Binds the address of `option`.
pub(crate) async fn bind(listen: Listen, option: &'static str) -> Result<TcpListener, ListenError> {
    let wanted = listen.address();
    let mut result = TcpListener::bind(wanted).await;
    if let Listen::From(_) = listen {
        let next = (1..=NEXT_PORTS).filter_map(|further| wanted.port().checked_add(further)).chain([0]);
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
