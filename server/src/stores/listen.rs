//! Listeners of the embedded stores, on loopback addresses and for this machine's containers.

use tokio::net::TcpListener;

use crate::http::listen::{ListenError, bind};
use crate::options::{Containers, Listen, Options};

/// The listeners of both stores.
pub(crate) struct StoreListeners {
    pub(crate) dynamodb: StorePorts,
    pub(crate) s3: StorePorts,
}

/// The listeners of one store.
pub(crate) struct StorePorts {
    /// On a loopback address.
    pub(crate) local: TcpListener,
    /// With the same port on the bridge of this machine's containers.
    pub(crate) bridge: Option<TcpListener>,
}

impl StoreListeners {
    pub(crate) async fn bind(options: &Options) -> Result<Self, ListenError> {
        Ok(Self {
            dynamodb: StorePorts::bind(options.dynamodb_listen, "--dynamodb-listen", options.containers).await?,
            s3: StorePorts::bind(options.s3_listen, "--s3-listen", options.containers).await?,
        })
    }
}

impl StorePorts {
    async fn bind(listen: Listen, option: &'static str, containers: Option<Containers>) -> Result<Self, ListenError> {
        let address = listen.address();
        if !address.ip().is_loopback() {
            return Err(ListenError::NotLoopback { address, option });
        }
        let local = bind(listen, option).await?;
        let Some(bridge) = containers.and_then(|containers| containers.bridge) else {
            return Ok(Self { local, bridge: None });
        };
        let port = local.local_addr().map_or(address.port(), |address| address.port());
        let bridge = bind(Listen::At((bridge, port).into()), "--for-containers=ADDR").await?;
        Ok(Self { local, bridge: Some(bridge) })
    }
}
