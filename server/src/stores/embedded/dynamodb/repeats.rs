//! Idempotency of transactions. An SDK client retries a transaction without an answer with the same
//! `ClientRequestToken`, and it must not be carried out twice. dynoxide implements that as well, but scans the tokens
//! of ten minutes for each new one.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use super::operations::StoreAnswer;

/// Retention of tokens: the SDK's time limit of an operation, retries included, is eight seconds.
const TOKEN_RETENTION: Duration = Duration::from_secs(30);

/// The answers to completed transactions, by token.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    answers: HashMap<String, StoreAnswer>,
    /// The tokens with their times, oldest first.
    tokens: VecDeque<(Instant, String)>,
}

impl Repeats {
    /// The answer of the transaction that was completed with this token, if it was less than the retention before `now`.
    pub(super) fn answer(&mut self, token: &str, now: Instant) -> Option<StoreAnswer> {
        while let Some((_, token)) = self.tokens.pop_front_if(|(came, _)| now.duration_since(*came) > TOKEN_RETENTION) {
            self.answers.remove(&token);
        }
        self.answers.get(token).cloned()
    }

    /// Keeps the answer of a transaction that was completed at the time `now`.
    pub(super) fn keep(&mut self, token: String, answer: &StoreAnswer, now: Instant) {
        self.answers.insert(token.clone(), answer.clone());
        self.tokens.push_back((now, token));
    }
}
