//! `serve`, the default command: options, start, shutdown.

use std::error::Error;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use shared::mail::MailUrl;
use shared::registration::Policy;
use url::Url;

use super::anchors::Trusted;
use super::bridge::{self, bridge};
use super::{demo, log, start_text};
use crate::{AwsStores, Embedded, Listen, MailOptions, Options, Service};

/// Default ports of the service and its stores.
const PORT: u16 = 3000;
const DYNAMODB_PORT: u16 = 8000;
const S3_PORT: u16 = 9000;

/// How to serve.
#[derive(Debug, clap::Args)]
pub(super) struct Serve {
    /// Where to serve the API and the console [default: 127.0.0.1:3000, or the next free port]
    #[arg(long, value_name = "ADDR:PORT")]
    listen: Option<SocketAddr>,

    /// Analyses a day of a new account [default: what template.yaml says]
    #[arg(long, value_name = "N", value_parser = whole_number)]
    daily_limit: Option<u64>,

    /// Who may open an account: everybody (open), whoever answers a mail (confirmed), or nobody but the operator (closed)
    /// [default: what template.yaml says]
    #[arg(long, value_name = "POLICY")]
    registration: Option<Policy>,

    /// Accounts that may be opened in an hour [default: what template.yaml says]
    #[arg(long, value_name = "N", value_parser = whole_number)]
    registrations_per_hour: Option<u64>,

    /// Accounts that may be opened in an hour from one network, and four times as many in a day [default: what
    /// template.yaml says]
    #[arg(long, value_name = "N", value_parser = whole_number)]
    registrations_per_network: Option<u64>,

    /// Apply the size and time limits of API Gateway and Lambda
    #[arg(long)]
    cloud_limits: bool,

    /// Believe the X-Forwarded headers of the one reverse proxy or load balancer before this server
    #[arg(long)]
    behind_proxy: bool,

    /// Where to serve /metrics for Prometheus to whoever asks [default: nowhere]
    #[arg(long, value_name = "ADDR:PORT")]
    metrics_listen: Option<SocketAddr>,

    /// Log format: one short line per request for people (text), or a JSON object (json) [default: text where
    /// standard output is a terminal, else json]
    #[arg(long, value_name = "FORM")]
    log: Option<log::LogFormat>,

    #[command(flatten)]
    trusted: Trusted,

    #[command(flatten)]
    mail: MailArgs,

    #[command(flatten)]
    embedded: EmbeddedStores,

    #[command(flatten)]
    aws: InAws,
}

/// How mail is sent.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Mail")]
struct MailArgs {
    /// The mail server: smtps://USER:PASSWORD@HOST, or smtp://USER:PASSWORD@HOST with STARTTLS (on this machine without)
    /// [default: MAIL_URL of the environment, where other users of the machine cannot read it; without either, mails are
    /// written to the data folder's `mail` and their links to the terminal]
    #[arg(long, value_name = "URL")]
    mail_url: Option<MailUrl>,

    /// Sender of e-mails, such as 'PDF Analysis <pdf@example.com>' [default: MAIL_FROM of the environment]
    #[arg(long, value_name = "FROM")]
    mail_from: Option<String>,

    /// The service's origin as its users know it, such as https://pdf.example.com: links in mails, links to reports and
    /// addresses of staged uploads begin with it [default: where this server listens; behind a proxy or on 0.0.0.0, and for
    /// uploads, the host that is asked]
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    origin: Option<String>,
}

impl MailArgs {
    /// The mail options; `local` if only this machine reaches the server.
    fn options(&self, local: bool) -> Result<MailOptions, String> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let Some(url) = self.mail_url.clone().or_else(|| variable("MAIL_URL").map(MailUrl::from)) else {
            return Ok(MailOptions::Folder);
        };
        // the value is not printed: it may contain a password
        if !is_mail_server(url.reveal()) {
            return Err(
                "--mail-url must be smtps://HOST or smtp://HOST, with USER:PASSWORD@ before HOST if need be".to_owned()
            );
        }
        let from = self.mail_from.clone().or_else(|| variable("MAIL_FROM"));
        let from = from.ok_or("mail needs --mail-from, or MAIL_FROM in the environment")?;
        if self.origin.is_none() && !local {
            return Err("mail needs --origin: what a request says of it cannot be believed".to_owned());
        }
        Ok(MailOptions::Server { url, from })
    }
}

/// Parses a positive number.
pub(super) fn whole_number(text: &str) -> Result<u64, &'static str> {
    text.parse().ok().filter(|number| *number > 0).ok_or("must be a whole number from 1")
}

/// Whether this is a mail server's address.
fn is_mail_server(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "smtp" | "smtps") && url.has_host())
}

/// Reads an origin (RFC 6454).
pub(super) fn origin(text: &str) -> Result<String, &'static str> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let origin = url.map(|url| url.origin().ascii_serialization());
    origin.filter(|origin| origin == text.trim_end_matches('/')).ok_or("is no origin, such as https://pdf.example.com")
}

/// The stores inside this process.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Embedded stores")]
struct EmbeddedStores {
    /// The folder to keep the data in
    #[arg(long, value_name = "DIR", default_value = "data")]
    data: PathBuf,

    /// Start empty and keep nothing
    #[arg(long, conflicts_with = "data")]
    fresh: bool,

    /// Where the embedded DynamoDB listens; port 0 takes any free one [default: 127.0.0.1:8000, or the next free port]
    #[arg(long, value_name = "ADDR:PORT")]
    dynamodb_listen: Option<SocketAddr>,

    /// Where the embedded S3 listens; port 0 takes any free one [default: 127.0.0.1:9000, or the next free port]
    #[arg(long, value_name = "ADDR:PORT")]
    s3_listen: Option<SocketAddr>,

    /// Answer this machine's containers too: under the name host.docker.internal, and at this address of Docker's bridge,
    /// without one at 172.17.0.1 if the machine has that
    #[arg(long, value_name = "ADDR", value_parser = bridge, num_args = 0..=1, require_equals = true, default_missing_value = bridge::DOCKER_BRIDGE)]
    for_containers: Option<IpAddr>,
}

/// The stores in AWS.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "AWS's stores")]
struct InAws {
    /// Use DynamoDB and S3 in AWS, with the credentials and the region that the AWS tools would use
    #[arg(long, conflicts_with_all = ["data", "fresh", "dynamodb_listen", "s3_listen", "for_containers"])]
    aws: bool,

    /// The deployed table [default: TABLE_NAME of the environment]
    #[arg(long, value_name = "NAME", requires = "aws")]
    table: Option<String>,

    /// The deployed bucket of uploads [default: UPLOAD_BUCKET of the environment]
    #[arg(long, value_name = "NAME", requires = "aws")]
    bucket: Option<String>,
}

impl InAws {
    fn stores(self) -> Result<Option<AwsStores>, String> {
        if !self.aws {
            return Ok(None);
        }
        let table = option_or_variable(self.table, "--table", "TABLE_NAME")?;
        Ok(Some(AwsStores { table, bucket: option_or_variable(self.bucket, "--bucket", "UPLOAD_BUCKET")? }))
    }
}

/// The option's value, otherwise the value of the environment variable, which the functions on Lambda use.
pub(super) fn option_or_variable(given: Option<String>, option: &str, variable: &str) -> Result<String, String> {
    let found = given.or_else(|| std::env::var(variable).ok()).filter(|name| !name.is_empty());
    found.ok_or_else(|| format!("--aws needs {option} NAME, or {variable} in the environment"))
}

/// The metrics' CloudWatch namespace: the functions', if it is in the environment.
fn namespace() -> String {
    std::env::var("METRICS_NAMESPACE").unwrap_or_else(|_| "pdf-analysis".to_owned())
}

/// The option's address, otherwise the default port or one of the next.
fn listen(given: Option<SocketAddr>, default: u16) -> Listen {
    given.map_or_else(|| Listen::From((Ipv4Addr::LOCALHOST, default).into()), Listen::At)
}

impl Serve {
    fn options(self) -> Result<Options, String> {
        let embedded = self.embedded;
        let listen_at = listen(self.listen, PORT);
        let mail = self.mail.options(listen_at.address().ip().is_loopback() && !self.behind_proxy)?;
        Ok(Options {
            listen: listen_at,
            metrics_listen: self.metrics_listen,
            aws: self.aws.stores()?,
            data: (!embedded.fresh).then_some(embedded.data),
            dynamodb_listen: listen(embedded.dynamodb_listen, DYNAMODB_PORT),
            s3_listen: listen(embedded.s3_listen, S3_PORT),
            containers: embedded.for_containers.map(bridge::containers),
            cloud_limits: self.cloud_limits,
            behind_proxy: self.behind_proxy,
            daily_limit: self.daily_limit,
            registration: self.registration,
            registrations_per_hour: self.registrations_per_hour,
            registrations_per_network: self.registrations_per_network,
            trust: self.trusted.anchors()?.into(),
            mail,
            origin: self.mail.origin,
            ..Options::default()
        })
    }

    /// Serves until Ctrl-C or SIGTERM.
    #[tokio::main]
    pub(super) async fn run(self) -> Result<(), Box<dyn Error>> {
        let form = self.log.unwrap_or_else(log::LogFormat::of_output);
        let journal = log::start(form, self.aws.aws.then(namespace));
        let options = Options { journal, ..self.options()? };
        let (wanted, behind_proxy) = (options.listen, options.behind_proxy);
        let service = Service::start(options).await?;
        let first_start = service.embedded().is_some_and(Embedded::first_start);
        // no demo account in a service that others reach
        let token = if first_start && service.address().ip().is_loopback() && !behind_proxy {
            Some(demo::create(&service).await?)
        } else {
            None
        };
        start_text::print(&service, wanted, token.as_deref());
        stopped().await?;
        tracing::info!("stopping; once more to stop at once");
        tokio::select! {
            () = service.shutdown() => Ok(()),
            stopped = stopped() => Ok(stopped?),
        }
    }
}

/// Waits for Ctrl-C or SIGTERM.
async fn stopped() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminated = signal(SignalKind::terminate())?;
        tokio::select! {
            interrupted = tokio::signal::ctrl_c() => interrupted,
            _ = terminated.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use clap::Parser;

    use crate::cli::Cli;
    use crate::stores::embedded::access::{KEY, endpoint};
    use crate::stores::embedded::host::FOR_CONTAINERS;
    use crate::template::{REGION, TEXT, Template};

    /// The environment of `sam local --env-vars` for every function.
    fn local_env() -> BTreeMap<String, String> {
        let file: BTreeMap<String, BTreeMap<String, String>> =
            serde_json::from_str(include_str!("../../../events/local-env.json")).unwrap();
        file["Parameters"].clone()
    }

    /// The complete environment of a function: `sam local` ignores variables that the template does not declare, and
    /// `cargo lambda` does not read the template.
    #[test]
    fn the_local_environment_is_the_template_s_with_the_stores_that_are_served_by_default() {
        let options = Cli::parse_from(["pdf-analysis", "--for-containers"]).serve.options().unwrap();
        assert!(options.containers.is_some());
        let stores =
            [("AWS_ENDPOINT_URL_DYNAMODB", options.dynamodb_listen), ("AWS_ENDPOINT_URL_S3", options.s3_listen)];
        let stores =
            stores.map(|(name, listen)| (name, format!("http://{FOR_CONTAINERS}:{}", listen.address().port())));
        let mut declared = BTreeSet::new();
        for function in Template::parse(TEXT).unwrap().functions {
            let mut expected = function.environment;
            for (name, url) in &stores {
                let declared = expected.insert((*name).to_owned(), url.clone());
                assert!(declared.is_some_and(|url| url.starts_with("https://")), "{name}");
            }
            // SAM ignores a variable of one function for the others
            let mut given = local_env();
            given.retain(|name, _| expected.contains_key(name));
            assert_eq!(given, expected, "{}", function.logical_id);
            declared.extend(expected.into_keys());
        }
        assert_eq!(local_env().into_keys().collect::<BTreeSet<_>>(), declared);
    }

    /// `cargo lambda watch` reads no template and forwards no credentials: its file contains everything.
    #[test]
    fn cargo_lambda_is_given_the_same_and_the_stores_credentials() {
        let lines = include_str!("../../../events/local.env").lines();
        let pairs = lines.map(|line| line.split_once('=').unwrap());
        let given: BTreeMap<_, _> = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let mut expected = local_env();
        let options = Cli::parse_from(["pdf-analysis"]).serve.options().unwrap();
        // no container: the stores are on the same machine
        expected.insert("AWS_ENDPOINT_URL_DYNAMODB".to_owned(), endpoint(options.dynamodb_listen.address()));
        expected.insert("AWS_ENDPOINT_URL_S3".to_owned(), endpoint(options.s3_listen.address()));
        for (name, value) in [("AWS_REGION", REGION), ("AWS_ACCESS_KEY_ID", KEY), ("AWS_SECRET_ACCESS_KEY", KEY)] {
            expected.insert(name.to_owned(), value.to_owned());
        }
        assert_eq!(given, expected);
    }
}
