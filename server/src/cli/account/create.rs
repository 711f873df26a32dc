//! `account create`: an account, and if wanted its first token.

use std::error::Error;
use std::io::{self, BufRead, IsTerminal};

use clap::Args;
use shared::deadline::Deadline;
use shared::inputs::token::parse_name;
use shared::store::accounts::{Address, NewAccount};
use web::{Passwords, Registration};

use super::analyses_a_day;
use crate::cli::accounts::{AccountError, Accounts};
use crate::functions;
use crate::template::{self, Template};

/// Create an account
///
/// Asks for the password, or takes it from the first line of standard input.
#[derive(Debug, Args)]
pub(super) struct Create {
    /// The e-mail address, which is what the account is found and logged in by
    email: String,
    /// The owner's name
    #[arg(long)]
    name: String,
    /// Analyses a day [default: what template.yaml says]
    #[arg(long, value_name = "N", value_parser = analyses_a_day())]
    limit: Option<u64>,
    /// Create an API token of this name too, and print it this once
    #[arg(long, value_name = "NAME")]
    token: Option<String>,
    /// Set no password: nobody can log in to the console then
    #[arg(long)]
    no_password: bool,
}

impl Create {
    /// Creates it; returns the text to print.
    pub(super) async fn run(self, accounts: &Accounts) -> Result<String, Box<dyn Error>> {
        let token_name = self.token.as_deref().map(parse_name);
        let token_name =
            token_name.transpose().map_err(|error| AccountError::Invalid(format!("the token's {error}")))?;
        let daily_limit = self.limit.map_or_else(template_limit, Ok)?;
        let password = if self.no_password { None } else { Some(ask()?) };
        let new = Registration { name: self.name.trim(), email: self.email.trim(), password: password.as_deref() };
        let wrong = new.errors();
        if !wrong.is_empty() {
            return Err(wrong.to_string().into());
        }
        let hash = match new.password {
            Some(password) => {
                Some(Passwords::default().hash(password, Deadline::unhurried()).await.map_err(AccountError::from)?)
            }
            None => None,
        };
        let new = NewAccount {
            name: new.name,
            email: new.email,
            password_hash: hash.as_ref(),
            daily_limit,
            address: Address::Known,
        };
        let user = accounts.create(&new).await?;
        let mut text = format!("Account  {user}\n");
        if let Some(name) = token_name {
            let token = accounts.create_token(user, &name).await;
            let token = token.map_err(|error| format!("the account {user} is created, but no token: {error}"))?;
            text.push_str(&format!("Token    {token}\n\nThe token is shown this once.\n"));
        }
        Ok(text)
    }
}

/// The daily limit of a new account.
fn template_limit() -> Result<u64, Box<dyn Error>> {
    let template = Template::parse(template::TEXT)?;
    let function = template.functions.first().ok_or("template.yaml has no functions")?;
    Ok(functions::config(function)?.daily_limit)
}

/// The password, never an argument: arguments are visible to all users of the machine.
pub(super) fn ask() -> Result<String, Box<dyn Error>> {
    if io::stdin().is_terminal() {
        let password = rpassword::prompt_password("Password: ")?;
        if rpassword::prompt_password("Once more: ")? != password {
            return Err("the two passwords differ; nothing is created".into());
        }
        return Ok(password);
    }
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    let password = line.trim_end_matches(['\r', '\n']).to_owned();
    if password.is_empty() {
        return Err("no password came on standard input; give one there, or --no-password".into());
    }
    Ok(password)
}
