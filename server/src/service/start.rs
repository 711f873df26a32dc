//! The start of a service: stores with table and bucket, then functions, then the gateway.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use shared::disk_space::DiskSpace;
use shared::mail::{Mail, MailTransport};
use shared::platform::{Platform, Process};
use shared::registration::Policy;
use shared::store::Store;
use tokio::net::TcpListener;

use super::Service;
use crate::connection_limits::ConnectionLimits;
use crate::functions::{self, FunctionError};
use crate::gateway::{Gateway, Settings};
use crate::http::HttpServer;
use crate::http::listen::{ListenError, bind};
use crate::metrics::{Exporter, Metrics};
use crate::options::{Listen, MailOptions, Options};
use crate::stores::aws::{self, AwsError};
use crate::stores::clients::{Builders, Clients};
use crate::stores::embedded::access::endpoint;
use crate::stores::embedded::data::Data;
use crate::stores::embedded::{Embedded, EmbeddedError};
use crate::stores::listen::StoreListeners;
use crate::template::{self, Template, TemplateError};

/// A service that could not be started; the sentence contains the remedy.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct StartError(#[from] StartFailure);

#[derive(Debug, thiserror::Error)]
enum StartFailure {
    #[error(transparent)]
    Template(#[from] TemplateError),
    #[error(transparent)]
    Listen(#[from] ListenError),
    #[error(transparent)]
    Embedded(#[from] EmbeddedError),
    #[error(transparent)]
    Aws(#[from] AwsError),
    #[error(transparent)]
    Function(#[from] FunctionError),
    #[error(transparent)]
    Metrics(#[from] prometheus::Error),
    #[error(transparent)]
    Mail(#[from] web::MailError),
    #[error("addresses can be confirmed only where mail is sent; say --mail-url, or another --registration")]
    NobodyConfirms,
}

impl Service {
    /// Starts the service that `template.yaml` describes. Needs a Tokio runtime.
    ///
    /// # Errors
    /// One sentence: the cause and what to do.
    pub async fn start(options: Options) -> Result<Self, StartError> {
        Ok(Self::start_with(options).await?)
    }

    async fn start_with(options: Options) -> Result<Self, StartFailure> {
        let mut template = Template::parse(template::TEXT)?;
        let listener = bind(options.listen, "--listen").await?;
        let address = listener.local_addr().unwrap_or(options.listen.address());
        let metrics_listener = metrics_listener(&options).await?;
        let metrics = Arc::new(Metrics::new()?);
        let (clients, builders, embedded, folder, disk_space) = stores(&options, &mut template).await?;
        let mail = mail(&options, folder, address);
        check(&options, &mail)?;
        let platforms = platforms(&options, &template, &builders, (&mail, &disk_space), &metrics)?;
        let store = Store::new(clients.dynamodb.clone(), template.table.name.as_str());
        let (gateway, ended) = Gateway::new(Settings {
            template: &template,
            functions: functions::build(&template, &platforms)?,
            passage: embedded.as_ref().map(Embedded::passage),
            cloud_limits: options.cloud_limits,
            behind_proxy: options.behind_proxy,
            store: store.clone(),
            clock: options.clock.clone(),
            local: address,
            metrics: Arc::clone(&metrics),
        });
        let limits = options.connections.unwrap_or_else(|| ConnectionLimits::of_process(options.behind_proxy));
        let gateway = HttpServer::start(listener, limits, Arc::new(gateway));
        let exporter =
            Exporter { metrics, connections: gateway.connections(), store, clock: options.clock, disk_space };
        let metrics = metrics_listener.map(|(address, listener)| {
            (address, HttpServer::start(listener, ConnectionLimits::UNLIMITED, Arc::new(exporter)))
        });
        let mails = functions::mails(&template, &platforms);
        Ok(Self { address, platforms, clients, gateway, metrics, ended, mails, embedded, template })
    }
}

/// The platforms of the functions.
fn platforms(
    options: &Options,
    template: &Template,
    builders: &Builders,
    (mail, disk_space): (&Mail, &DiskSpace),
    metrics: &Arc<Metrics>,
) -> Result<HashMap<String, Platform>, FunctionError> {
    let journal = metrics.counting(options.journal.clone());
    let mut process = Process::default();
    process.anchors = options.trust.clone();
    process.disk_space = disk_space.clone();
    functions::platforms(template, |function, mut config| {
        let dynamodb = (options.customize_dynamodb)(function, builders.dynamodb.clone()).build();
        let s3 = (options.customize_s3)(function, builders.s3.clone()).build();
        config.table.clone_from(&template.table.name);
        config.upload_bucket.clone_from(&template.bucket.name);
        options.change(&mut config);
        Platform {
            dynamodb: aws_sdk_dynamodb::Client::from_conf(dynamodb),
            s3,
            config,
            mail: mail.clone(),
            clock: options.clock.clone(),
            journal: journal.clone(),
            process: process.clone(),
        }
    })
}

/// The listener of the metrics, if configured.
async fn metrics_listener(options: &Options) -> Result<Option<(SocketAddr, TcpListener)>, ListenError> {
    let Some(wanted) = options.metrics_listen else { return Ok(None) };
    let listener = bind(Listen::At(wanted), "--metrics-listen").await?;
    Ok(Some((listener.local_addr().unwrap_or(wanted), listener)))
}

/// The mail settings of a service at `address`, with `folder` for mails that are not sent.
fn mail(options: &Options, folder: Option<PathBuf>, address: SocketAddr) -> Mail {
    let way = match (&options.mail, folder) {
        (MailOptions::Server { url, from }, _) => MailTransport::Server { url: url.clone(), from: from.clone() },
        (MailOptions::Folder, Some(folder)) => MailTransport::Folder(folder),
        (MailOptions::Folder | MailOptions::None, _) => MailTransport::None,
    };
    // behind a proxy or on all addresses, only a request's `Host` names the server
    let is_known = !options.behind_proxy && !address.ip().is_unspecified();
    Mail { way, origin: options.origin.clone().or_else(|| is_known.then(|| endpoint(address))) }
}

/// Refuses mail settings that would fail later.
fn check(options: &Options, mail: &Mail) -> Result<(), StartFailure> {
    web::Mailer::new(mail)?;
    match (options.registration, &mail.way) {
        (Some(Policy::Confirmed), MailTransport::None) => Err(StartFailure::NobodyConfirms),
        _ => Ok(()),
    }
}

/// The stores of the options: clients, builders of the functions' clients, and the folder of mails. AWS's table and
/// bucket have their own names, which replace the template's, and unlimited space.
async fn stores(
    options: &Options,
    template: &mut Template,
) -> Result<(Clients, Builders, Option<Embedded>, Option<PathBuf>, DiskSpace), StartFailure> {
    if let Some(aws) = &options.aws {
        template.table.name.clone_from(&aws.table);
        template.bucket.name.clone_from(&aws.bucket);
        let builders = aws::connect_both(aws).await?;
        return Ok((builders.clone().build(), builders, None, None, DiskSpace::default()));
    }
    let listeners = StoreListeners::bind(options).await?;
    let data = Data::open(options.data.as_deref()).map_err(EmbeddedError::from)?;
    let mail = data.mail();
    let disk_space = options.disk_space.clone().unwrap_or_else(|| data.disk_space());
    let embedded = Embedded::start(listeners, options.containers, data, template, options.clock.clone(), &disk_space)?;
    let clients = embedded.builders(|direct| direct).build();
    Ok((clients, embedded.builders(&options.wire), Some(embedded), Some(mail), disk_space))
}
