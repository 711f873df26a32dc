//! Options of a service.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use aws_smithy_runtime_api::client::http::SharedHttpClient;
use engine::Anchor;
use shared::clock::Clock;
use shared::disk_space::DiskSpace;
use shared::journal::Journal;
use shared::mail::MailUrl;
use shared::platform::Config;
use shared::registration::Policy;
use shared::uploads::UploadAddress;

use crate::connection_limits::ConnectionLimits;
use crate::template::FunctionResource;

/// Customizes the configuration of a function's SDK client before it is built.
pub type Customize<Builder> = Box<dyn Fn(&FunctionResource, Builder) -> Builder + Send>;

/// Wraps the transport between the functions' SDK clients and the embedded stores.
pub type Wire = Box<dyn Fn(SharedHttpClient) -> SharedHttpClient + Send>;

/// A table and a bucket in AWS, with the process's credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AwsStores {
    /// The table's name.
    pub table: String,
    /// The bucket's name.
    pub bucket: String,
}

/// Containers on this machine, which use the embedded stores too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Containers {
    /// The machine's address on the containers' bridge, where the stores listen as well. `None` if containers reach the
    /// machine's loopback addresses, as in Docker Desktop.
    pub bridge: Option<IpAddr>,
}

/// Where to listen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listen {
    /// This address; an error if another program has the port. Port 0 takes any free one.
    At(SocketAddr),
    /// This address or, if another program has the port, one of the next free ports.
    From(SocketAddr),
}

impl Listen {
    /// The address that is tried first.
    #[must_use]
    pub fn address(self) -> SocketAddr {
        match self {
            Self::At(address) | Self::From(address) => address,
        }
    }
}

/// How mail is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailOptions {
    /// No mail is sent.
    None,
    /// Each mail is written to a file in the data folder's `mail`, its link to standard output; with AWS's stores mail
    /// is disabled.
    Folder,
    /// To a mail server.
    Server {
        /// Its address and credentials.
        url: MailUrl,
        /// The sender of mails.
        from: String,
    },
}

/// Options of a service. The default keeps nothing and takes free loopback ports.
pub struct Options {
    /// Where the API and the console are served.
    pub listen: Listen,
    /// The address of the metrics for Prometheus; `None` for none. It needs no authentication.
    pub metrics_listen: Option<SocketAddr>,
    /// AWS's table and bucket instead of the embedded stores. The following options up to `containers` are for the
    /// embedded ones only.
    pub aws: Option<AwsStores>,
    /// The folder for the data; `None` for one in memory and a temporary folder.
    pub data: Option<PathBuf>,
    /// Where the embedded DynamoDB listens; loopback only.
    pub dynamodb_listen: Listen,
    /// Free space of the embedded stores; `None` for the free space of the data's disk.
    pub disk_space: Option<DiskSpace>,
    /// Where the embedded S3 listens; loopback only.
    pub s3_listen: Listen,
    /// Wraps the transport between the functions and the embedded stores.
    pub wire: Wire,
    /// Containers that the embedded stores serve, beside the programs of this machine.
    pub containers: Option<Containers>,
    /// Whether API Gateway's and Lambda's limits apply.
    pub cloud_limits: bool,
    /// Whether the `X-Forwarded` headers of a reverse proxy before this server are trusted.
    pub behind_proxy: bool,
    /// Limits of connections; `None` derives them from the process's file descriptors.
    pub connections: Option<ConnectionLimits>,
    /// Analyses a day of a new account; `None` for the template's.
    pub daily_limit: Option<u64>,
    /// Who may open accounts; `None` for the template's value, as with the limits that follow.
    pub registration: Option<Policy>,
    /// Accounts that may be opened in an hour.
    pub registrations_per_hour: Option<u64>,
    /// Accounts that may be opened in an hour from one network.
    pub registrations_per_network: Option<u64>,
    /// The issuers that the operator trusts.
    pub trust: Arc<[Anchor]>,
    /// How mail is sent.
    pub mail: MailOptions,
    /// The console's origin, such as `https://pdf.example.com`, for links in mails and to reports. `None` for the
    /// listening address or, behind a proxy or on all addresses, the request's `Host`.
    pub origin: Option<String>,
    /// The functions' clock.
    pub clock: Clock,
    /// The journal of the functions.
    pub journal: Journal,
    /// Customizes a function's DynamoDB client, such as by interceptors.
    pub customize_dynamodb: Customize<aws_sdk_dynamodb::config::Builder>,
    /// Changes a function's S3 client.
    pub customize_s3: Customize<aws_sdk_s3::config::Builder>,
}

impl Default for Options {
    fn default() -> Self {
        let any = Listen::At((Ipv4Addr::LOCALHOST, 0).into());
        Self {
            listen: any,
            metrics_listen: None,
            aws: None,
            data: None,
            disk_space: None,
            dynamodb_listen: any,
            s3_listen: any,
            wire: Box::new(|direct| direct),
            containers: None,
            cloud_limits: false,
            behind_proxy: false,
            connections: None,
            daily_limit: None,
            registration: None,
            registrations_per_hour: None,
            registrations_per_network: None,
            trust: Arc::default(),
            mail: MailOptions::None,
            origin: None,
            clock: Clock::system(),
            journal: Journal::log(),
            customize_dynamodb: Box::new(|_, builder| builder),
            customize_s3: Box::new(|_, builder| builder),
        }
    }
}

impl Options {
    /// Overrides the values of a function's configuration that differ from the template.
    pub(crate) fn change(&self, config: &mut Config) {
        // the embedded bucket listens only for this machine; with the cloud's limits files are uploaded to it directly,
        // as there
        if self.aws.is_none() && !self.cloud_limits {
            config.upload_address = UploadAddress::Service { origin: self.origin.clone() };
        }
        let limits = &mut config.registration_limits;
        config.daily_limit = self.daily_limit.unwrap_or(config.daily_limit);
        config.registration = self.registration.unwrap_or(config.registration);
        limits.in_all = self.registrations_per_hour.unwrap_or(limits.in_all);
        limits.per_network = self.registrations_per_network.unwrap_or(limits.per_network);
    }
}
