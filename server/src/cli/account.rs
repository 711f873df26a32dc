//! `account`: administration of accounts, on the embedded data or on a deployed table.

mod create;
mod list;
mod show;
mod table;

use std::error::Error;
use std::io::{self, BufWriter};

use clap::{Args, Subcommand};

use create::Create;
use list::List;
use table::TableArgs;

use super::accounts::Accounts;
use super::serve::origin;

/// The default origin of the console.
const DEFAULT_ORIGIN: &str = "http://127.0.0.1:3000";

/// Create, list, limit, disable, delete and look at accounts
///
/// Works on the data folder of a server, whether it runs or not, and with --aws on a deployed table.
#[derive(Debug, Args)]
pub(super) struct AccountCommand {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    table: TableArgs,
}

/// What is to be done.
#[derive(Debug, Subcommand)]
enum Action {
    Create(Create),
    List(List),
    /// Change how many analyses a day an account is allowed
    Limit {
        /// The account's e-mail address
        email: String,
        /// Analyses a day
        #[arg(value_name = "N", value_parser = analyses_a_day())]
        limit: u64,
    },
    /// Refuse an account: its tokens, its log-in and its sessions
    Disable {
        /// The account's e-mail address
        email: String,
    },
    /// Open a disabled account again: its tokens are good as before, its sessions stay ended
    Enable {
        /// The account's e-mail address
        email: String,
    },
    /// Show an account: its state, today's usage, totals, tokens
    Show {
        /// The account's e-mail address
        email: String,
    },
    /// Set an account's password: asks for it, or takes it from the first line of standard input; ends its sessions
    Password {
        /// The account's e-mail address
        email: String,
        /// Set none, but print a link with which its owner sets one within an hour, once; ORIGIN is the console's
        #[arg(long, value_name = "ORIGIN", value_parser = origin, num_args = 0..=1, require_equals = true, default_missing_value = DEFAULT_ORIGIN)]
        link: Option<String>,
    },
    /// List an account's API tokens, without their secrets
    Tokens {
        /// The account's e-mail address
        email: String,
    },
    /// Revoke an API token of an account, with those that it has made
    Revoke {
        /// The account's e-mail address
        email: String,
        /// The token's id, as `tokens` and `show` list it
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        token: Option<String>,
        /// All tokens that there are
        #[arg(long)]
        all: bool,
    },
    /// Delete an account with all that is in it, for good; goes on with a deletion that was cut short
    Delete {
        /// The account's e-mail address
        email: String,
    },
    /// Print everything that is stored of an account, as JSON, but for secrets and their hashes
    Export {
        /// The account's e-mail address
        email: String,
    },
}

impl AccountCommand {
    /// Runs the command and prints the result.
    #[tokio::main]
    pub(super) async fn run(self) -> Result<(), Box<dyn Error>> {
        let table = self.table.open(matches!(self.action, Action::Create(_))).await?;
        let accounts = Accounts::new(table.store(), table.uploads());
        let done = self.action.run(&accounts).await;
        table.close().await;
        print!("{}", done?);
        Ok(())
    }
}

impl Action {
    /// Runs the command; returns the text to print.
    async fn run(self, accounts: &Accounts) -> Result<String, Box<dyn Error>> {
        let (store, now) = (&accounts.store, accounts.now);
        Ok(match self {
            Self::Create(create) => create.run(accounts).await?,
            Self::Limit { email, limit } => {
                accounts.change(&email, async |user, until| store.set_daily_limit(user, limit, until).await).await?;
                format!("{email} may have {limit} PDFs analyzed a day.\n")
            }
            Self::Disable { email } => {
                accounts.change(&email, async |user, until| store.disable_account(user, now, until).await).await?;
                format!("{email} is disabled: tokens, log-in and sessions are refused.\n")
            }
            Self::Enable { email } => {
                accounts.change(&email, async |user, until| store.enable_account(user, until).await).await?;
                format!("{email} is open again.\n")
            }
            Self::Show { email } => accounts.show(&email).await?,
            Self::List(list) => list.run(accounts).await?,
            Self::Password { email, link: Some(origin) } => {
                let secret = accounts.reset_secret(&email).await?;
                format!(
                    "{origin}/reset/{secret}\n\nGood for an hour, once. Whoever opens it sets the password of {email}.\n"
                )
            }
            Self::Password { email, link: None } => {
                accounts.find(&email).await?;
                accounts.set_password(&email, &create::ask()?).await?;
                format!("{email} has the new password. Sessions are ended, API tokens are as before.\n")
            }
            Self::Tokens { email } => accounts.tokens(&email).await?,
            Self::Revoke { email, token: Some(token), .. } => {
                accounts.revoke(&email, &token).await?;
                format!("The token {token} of {email} is revoked.\n")
            }
            Self::Revoke { email, token: None, .. } => {
                accounts.change(&email, async |user, until| store.end_all_tokens(user, until).await).await?;
                format!("All tokens of {email} are ended.\n")
            }
            Self::Delete { email } => match accounts.delete(&email).await? {
                true if accounts.uploads.is_none() => {
                    format!("{email} is deleted, with all that was in it; uploads that wait go within two days.\n")
                }
                true => format!("{email} is deleted, with all that was in it.\n"),
                false => format!("Nobody is registered as {email}: there is nothing to delete.\n"),
            },
            Self::Export { email } => {
                accounts.export(&email, BufWriter::new(io::stdout().lock())).await?;
                String::new()
            }
        })
    }
}

/// Parses a daily limit, at least 1: an account without analyses is disabled instead.
fn analyses_a_day() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=1_000_000_000)
}
