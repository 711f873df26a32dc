//! The functions, each with its own configuration, for the gateway.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use lambda_http::{Body, Context, Request, Response};
use shared::function::Function as _;
use shared::platform::{Config, ConfigError, Platform};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::template::{FunctionResource, Template};

type Answering = Pin<Box<dyn Future<Output = Response<Body>> + Send>>;
type Handler = Box<dyn Fn(Request) -> Answering + Send + Sync>;

/// A function of the template cannot run here.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FunctionError {
    #[error(
        "template.yaml's {function} is built from the binary `{binary}`, which this server does not contain; add it in server/src/functions.rs"
    )]
    Unknown { function: String, binary: String },
    #[error("template.yaml's {function}: {error}")]
    Config { function: String, error: ConfigError },
}

/// A function inside this process.
pub(crate) struct Hosted {
    pub(crate) timeout: Duration,
    logical_id: String,
    handler: Handler,
}

impl Hosted {
    pub(crate) fn handle(&self, request: Request) -> Answering {
        (self.handler)(request)
    }

    /// Lambda's context of an invocation that begins now, with its deadline.
    pub(crate) fn context(&self, request_id: Uuid) -> Context {
        let deadline = SystemTime::now() + self.timeout;
        let since = deadline.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let mut context = Context::default();
        context.request_id = request_id.to_string();
        context.deadline = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        context.invoked_function_arn.clone_from(&self.logical_id);
        context
    }
}

#[cfg(test)]
impl Hosted {
    /// A function that is only its handler, for tests.
    pub(crate) fn fake<A>(timeout: Duration, answer: fn(Request) -> A) -> Self
    where
        A: Future<Output = Response<Body>> + Send + 'static,
    {
        Self { timeout, logical_id: "Fake".to_owned(), handler: Box::new(move |request| Box::pin(answer(request))) }
    }
}

/// The platform of every function of the template, by logical id; `platform` adds clients and clock.
pub(crate) fn platforms(
    template: &Template,
    platform: impl Fn(&FunctionResource, Config) -> Platform,
) -> Result<HashMap<String, Platform>, FunctionError> {
    let configured =
        |function: &FunctionResource| Ok((function.logical_id.clone(), platform(function, config(function)?)));
    template.functions.iter().map(configured).collect()
}

/// The configuration from a function's environment in the template.
pub(crate) fn config(function: &FunctionResource) -> Result<Config, FunctionError> {
    let get = |name: &str| function.environment.get(name).cloned();
    Config::read(get).map_err(|error| FunctionError::Config { function: function.logical_id.clone(), error })
}

/// Builds every function of the template on its platform.
pub(crate) fn build(
    template: &Template,
    platforms: &HashMap<String, Platform>,
) -> Result<HashMap<String, Arc<Hosted>>, FunctionError> {
    let mut hosted = HashMap::new();
    for function in &template.functions {
        if let Some(platform) = platforms.get(&function.logical_id) {
            let built = Hosted {
                timeout: function.timeout,
                logical_id: function.logical_id.clone(),
                handler: handler(function, platform.clone())?,
            };
            hosted.insert(function.logical_id.clone(), Arc::new(built));
        }
    }
    Ok(hosted)
}

/// Sends mails while the service runs, in place of the template's schedule.
pub(crate) fn mails(template: &Template, platforms: &HashMap<String, Platform>) -> JoinSet<()> {
    let web = template.functions.iter().filter(|function| function.binary == "web");
    let platforms = web.filter_map(|function| platforms.get(&function.logical_id)).cloned();
    platforms.map(|platform| async { web::App::new(platform).keep_sending_mails().await }).collect()
}

fn handler(function: &FunctionResource, platform: Platform) -> Result<Handler, FunctionError> {
    Ok(match function.binary.as_str() {
        "user" => hosted::<user::App>(platform),
        "pdf" => hosted::<pdf::App>(platform),
        "tokens" => hosted::<tokens::App>(platform),
        "web" => hosted::<web::App>(platform),
        "mcp" => hosted::<mcp::App>(platform),
        _ => {
            return Err(FunctionError::Unknown {
                function: function.logical_id.clone(),
                binary: function.binary.clone(),
            });
        }
    })
}

fn hosted<F: shared::function::Function>(platform: Platform) -> Handler {
    let function = Arc::new(F::new(platform));
    Box::new(move |request| {
        let function = Arc::clone(&function);
        Box::pin(async move { function.handle(request).await })
    })
}
