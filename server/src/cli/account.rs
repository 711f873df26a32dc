//! `account`: what an operator does with accounts, on the embedded data or on a deployed table.

mod accounts;
mod create;
mod show;
mod table;

use std::error::Error;

use clap::{Args, Subcommand};

use accounts::Accounts;
use create::Create;
use table::TableArgs;

/// Create, limit, disable and look at accounts
///
/// Works on the data folder of a server, whether it runs or not, and with --aws on a deployed table.
#[derive(Debug, Args)]
pub(super) struct Account {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    table: TableArgs,
}

/// What is to be done.
#[derive(Debug, Subcommand)]
enum Action {
    Create(Create),
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
}

impl Account {
    /// Does it and says so.
    #[tokio::main]
    pub(super) async fn run(self) -> Result<(), Box<dyn Error>> {
        let table = self.table.open().await?;
        let accounts = Accounts::new(table.store());
        let done = self.action.run(&accounts).await;
        table.close().await;
        print!("{}", done?);
        Ok(())
    }
}

impl Action {
    /// Does it; gives what to print.
    async fn run(self, accounts: &Accounts) -> Result<String, Box<dyn Error>> {
        Ok(match self {
            Self::Create(create) => create.run(accounts).await?,
            Self::Limit { email, limit } => {
                accounts.set_limit(&email, limit).await?;
                format!("{email} may have {limit} PDFs analysed a day.\n")
            }
            Self::Disable { email } => {
                accounts.disable(&email).await?;
                format!("{email} is disabled: tokens, log-in and sessions are refused.\n")
            }
            Self::Enable { email } => {
                accounts.enable(&email).await?;
                format!("{email} is open again.\n")
            }
            Self::Show { email } => accounts.show(&email).await?,
        })
    }
}

/// Reads a daily limit: whoever is to have none at all is disabled.
fn analyses_a_day() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=1_000_000_000)
}
