//! `account show`: the account's data without secrets.

use std::fmt::Write;

use shared::deadline::Deadline;
use shared::quota::{Day, Quota, timestamp};
use shared::store::Row;
use shared::store::tokens::{MAX_TOKENS, TokenRecord};

use crate::cli::accounts::{AccountError, Accounts};

impl Accounts {
    /// The account as text for people.
    pub(super) async fn show(&self, email: &str) -> Result<String, AccountError> {
        let user = self.find(email).await?;
        let day = Day::of(self.now);
        let rows = self.store.read(user, &[Row::Account, Row::Day(day)], Deadline::unhurried()).await?;
        let (Some(account), Some(dates)) = (rows.account()?, rows.account_dates()?) else {
            return Err(AccountError::Nobody(email.to_owned()));
        };
        let tokens = self.store.tokens(user, Deadline::unhurried()).await?.of(&account)?;
        let (used, failed) = rows.counts(day)?;
        let quota = Quota { limit: account.daily_limit, used, failed, now: self.now };
        let state = match dates.disabled_at {
            _ if account.deleting => "being deleted by its owner".to_owned(),
            Some(since) => format!("disabled since {}", timestamp(since)),
            None if account.waiting => "waiting for its e-mail to be confirmed".to_owned(),
            None if account.unconfirmed => "open; its e-mail is not confirmed".to_owned(),
            None => "open".to_owned(),
        };
        let log_in = if rows.password_hash().is_some() { "with a password" } else { "no password, so none" };
        let mut text = format!(
            "Account   {user}\nName      {}\nE-mail    {}\nState     {state}\nCreated   {}\nLog-in    {log_in}\n\
             Today     {used} of {} analyses, {} left, {failed} failed; starts anew at {}\n\
             Analyses  {} in all\nTokens    {} of {MAX_TOKENS}\n",
            account.name,
            account.email,
            timestamp(dates.created_at),
            quota.limit,
            quota.remaining(),
            timestamp(quota.resets_at()),
            account.numbering.total(),
            tokens.len(),
        );
        for token in &tokens {
            describe(token, &mut text);
        }
        Ok(text)
    }

    /// The account's tokens as text for people.
    pub(super) async fn tokens(&self, email: &str) -> Result<String, AccountError> {
        let user = self.find(email).await?;
        let rows = self.store.read(user, &[Row::Account], Deadline::unhurried()).await?;
        let account = rows.account()?.ok_or_else(|| AccountError::Nobody(email.to_owned()))?;
        let mut text = String::new();
        for token in self.store.tokens(user, Deadline::unhurried()).await?.of(&account)? {
            describe(&token, &mut text);
        }
        Ok(if text.is_empty() { format!("{email} has no tokens.\n") } else { text })
    }
}

fn describe(token: &TokenRecord, text: &mut String) {
    let used = token.last_used_at.as_deref().map_or_else(|| "never used".to_owned(), |at| format!("last used {at}"));
    let ends = token.expires_at.as_deref().map_or_else(String::new, |at| format!(", ends {at}"));
    // writing to a String cannot fail
    let _ =
        writeln!(text, "  {}  …{}  created {}, {used}{ends}  {}", token.id, token.hint, token.created_at, token.name);
}
