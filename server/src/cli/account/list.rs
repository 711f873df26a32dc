//! `account list`: lists accounts page by page.

use std::error::Error;
use std::fmt::Write;

use clap::{Args, ValueEnum};
use shared::deadline::Deadline;
use shared::ids::UserId;
use shared::quota::timestamp;
use shared::store::operator::{AccountPlace, AccountState, ListedAccount};

use crate::cli::accounts::Accounts;

/// List the accounts, in no order
///
/// Reads the whole table, which costs as much as it holds.
#[derive(Debug, Args)]
pub(super) struct List {
    /// Only the accounts in this state
    #[arg(long, value_name = "STATE")]
    state: Option<StateFilter>,
    /// Accounts on a page
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    count: u16,
    /// Go on behind the account with this id, the last of the page before
    #[arg(long, value_name = "ID", value_parser = user)]
    after: Option<UserId>,
}

/// A filter by state.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum StateFilter {
    /// In use
    Open,
    /// Disabled by an operator
    Disabled,
    /// Being deleted
    Deleting,
}

impl StateFilter {
    fn is(self, state: AccountState) -> bool {
        matches!(
            (self, state),
            (Self::Open, AccountState::Open)
                | (Self::Disabled, AccountState::Disabled)
                | (Self::Deleting, AccountState::Deleting)
        )
    }
}

impl List {
    /// The page; returns the text to print.
    pub(super) async fn run(self, accounts: &Accounts) -> Result<String, Box<dyn Error>> {
        let most = usize::from(self.count);
        let mut place = self.after.map(AccountPlace::after);
        let mut page = Vec::new();
        loop {
            let (found, next) = accounts.store.list_accounts(place, Deadline::unhurried()).await?;
            page.extend(found.into_iter().filter(|listed| self.state.is_none_or(|state| state.is(listed.state()))));
            place = next;
            if page.len() > most || place.is_none() {
                break;
            }
        }
        Ok(self.text(&page, most))
    }

    fn text(&self, page: &[ListedAccount], most: usize) -> String {
        let mut text = String::new();
        for listed in page.iter().take(most) {
            let state = match listed.state() {
                AccountState::Open => "open    ",
                AccountState::Disabled => "disabled",
                AccountState::Deleting => "deleting",
            };
            let account = &listed.account;
            // writing to a String cannot fail
            let _ = writeln!(
                text,
                "{}  {state}  created {}, {} analyses, {} a day  {}",
                listed.user,
                timestamp(listed.created_at),
                account.numbering.total(),
                account.daily_limit,
                account.email
            );
        }
        match page.get(most.saturating_sub(1)).filter(|_| page.len() > most) {
            Some(last) => text.push_str(&format!("There are more: account list --after {}\n", last.user)),
            None if text.is_empty() => text.push_str("There are none.\n"),
            None => {}
        }
        text
    }
}

fn user(text: &str) -> Result<UserId, &'static str> {
    UserId::parse(text).ok_or("is no account's id")
}
