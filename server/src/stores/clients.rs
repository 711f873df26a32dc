//! SDK clients of the stores.

use aws_sdk_dynamodb as dynamodb;
use aws_sdk_s3 as s3;

/// How a client for each store is built.
#[derive(Clone)]
pub(crate) struct Builders {
    pub(crate) dynamodb: dynamodb::config::Builder,
    pub(crate) s3: s3::config::Builder,
}

/// A client for each store.
pub(crate) struct Clients {
    pub(crate) dynamodb: dynamodb::Client,
    pub(crate) s3: s3::Client,
}

impl Builders {
    /// The clients.
    pub(crate) fn build(self) -> Clients {
        Clients {
            dynamodb: dynamodb::Client::from_conf(self.dynamodb.build()),
            s3: s3::Client::from_conf(self.s3.build()),
        }
    }
}
