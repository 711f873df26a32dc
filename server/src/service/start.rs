//! The start of a service: stores with table and bucket, then functions, then the gateway.

use std::sync::Arc;

use shared::platform::{Platform, Process};
use shared::store::Store;

use super::Service;
use crate::functions::{self, FunctionError};
use crate::gateway::{Gateway, Settings};
use crate::http::Server;
use crate::http::listen::{ListenError, StoreListeners, bind};
use crate::options::Options;
use crate::stores::aws::{self, AwsError};
use crate::stores::clients::{Builders, Clients};
use crate::stores::embedded::data::Data;
use crate::stores::embedded::{Embedded, EmbeddedError};
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
    Listen(#[from] ListenError),
    #[error(transparent)]
    Embedded(#[from] EmbeddedError),
    #[error(transparent)]
    Aws(#[from] AwsError),
    #[error(transparent)]
    Function(#[from] FunctionError),
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
        let mut template = Template::parse(template::TEXT)?;
        let listener = bind(options.listen, "--listen").await?;
        let address = listener.local_addr().unwrap_or(options.listen.address());
        let (clients, builders, embedded) = stores(&options, &mut template).await?;
        let process = Process::default();
        let platforms = functions::platforms(&template, |function, mut config| {
            let dynamodb = (options.customize_dynamodb)(function, builders.dynamodb.clone()).build();
            let s3 = (options.customize_s3)(function, builders.s3.clone()).build();
            config.table.clone_from(&template.table.name);
            config.upload_bucket.clone_from(&template.bucket.name);
            options.change(&mut config);
            Platform {
                dynamodb: aws_sdk_dynamodb::Client::from_conf(dynamodb),
                s3,
                config,
                clock: options.clock.clone(),
                journal: options.journal.clone(),
                process: process.clone(),
            }
        })?;
        let (gateway, ended) = Gateway::new(Settings {
            template: &template,
            functions: functions::build(&template, &platforms)?,
            cloud_limits: options.cloud_limits,
            behind_proxy: options.behind_proxy,
            store: Store::new(clients.dynamodb.clone(), template.table.name.as_str()),
            clock: options.clock,
            local: address,
        });
        let gateway = Server::start(listener, Arc::new(gateway));
        Ok(Self { address, platforms, clients, gateway, ended, embedded, template })
    }
}

/// The stores that the options ask for: clients of them, builders of the functions' clients. AWS's table and bucket have
/// names of their own, which replace the template's.
async fn stores(options: &Options, template: &mut Template) -> Result<(Clients, Builders, Option<Embedded>), Cause> {
    if let Some(aws) = &options.aws {
        template.table.name.clone_from(&aws.table);
        template.bucket.name.clone_from(&aws.bucket);
        let builders = aws::connect_both(aws).await?;
        return Ok((builders.clone().build(), builders, None));
    }
    let listeners = StoreListeners::bind(options).await?;
    let data = Data::open(options.data.as_deref()).map_err(EmbeddedError::from)?;
    let embedded = Embedded::start(listeners, options.containers, data, template, options.clock.clone())?;
    Ok((embedded.builders(|direct| direct).build(), embedded.builders(&options.wire), Some(embedded)))
}
