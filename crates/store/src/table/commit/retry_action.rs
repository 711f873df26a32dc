//! The next action after the commit's transaction was refused.

use crate::table::idempotency::StoredAnswer;

/// How current the counters are that a commit uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Freshness {
    /// No other commit was faster.
    Fresh,
    /// Another commit was faster: the account is contended.
    Stale,
    /// An attempt with these counters may be stored or in progress. They must not change until that is known: with
    /// others, the same analysis could be stored and counted twice.
    InDoubt,
}

/// The cancellation reasons of an attempt.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rejection {
    /// The commit's own analysis exists: an earlier attempt was stored.
    pub(super) ours: bool,
    /// The answer to a request with the same key, which was first.
    pub(super) answer: Option<StoredAnswer>,
    /// Another analysis has the number, so no attempt with it was stored.
    pub(super) taken: bool,
    /// The account or the day has changed since it was read.
    pub(super) stale: bool,
    /// It conflicted with another transaction or was throttled; a retry can succeed.
    pub(super) passing: bool,
}

/// The next action of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RetryAction {
    /// Return: it is stored.
    Stored,
    /// Return the answer to the first request with the same key.
    Answered(StoredAnswer),
    /// Retry immediately: the refusal contained the current items.
    AtOnce,
    /// Retry the same transaction after a pause: its number is either still free, or taken by its own analysis.
    AfterPause,
    /// Read again after a pause, then retry.
    AfterReading,
    /// Fail: no retry can succeed.
    Failed,
}

/// The freshness of the counters after a refusal.
pub(super) fn freshness_after(rejection: &Rejection, before: Freshness) -> Freshness {
    match before {
        Freshness::InDoubt if !rejection.taken && rejection.answer.is_none() => Freshness::InDoubt,
        _ if rejection.stale => Freshness::Stale,
        Freshness::InDoubt => Freshness::Fresh,
        known => known,
    }
}

/// The action after a refusal, given the freshness `before` it.
pub(super) fn action_after(rejection: &Rejection, before: Freshness) -> RetryAction {
    let Rejection { ours, answer, taken, stale, passing } = *rejection;
    match (answer, before) {
        _ if ours => RetryAction::Stored,
        (Some(answer), _) => RetryAction::Answered(answer),
        (_, Freshness::InDoubt) if !taken => RetryAction::AfterReading,
        (_, Freshness::Fresh | Freshness::InDoubt) if stale => RetryAction::AtOnce,
        // others go first
        _ if passing => RetryAction::AfterReading,
        _ if stale => RetryAction::AfterReading,
        _ => RetryAction::Failed,
    }
}

#[cfg(test)]
mod tests {
    use super::{Freshness, Rejection, RetryAction, StoredAnswer, action_after, freshness_after};
    use crate::file_hash::FileHash;
    use crate::idempotency::{Fingerprint, RequestKey};

    #[test]
    fn each_refusal_is_followed_by_what_it_says() {
        use Freshness::{Fresh, InDoubt, Stale};
        use RetryAction::{AfterReading, AtOnce, Failed, Stored};
        let none = Rejection::default();
        let stale = Rejection { stale: true, ..none };
        let passing = Rejection { passing: true, ..none };
        let taken = Rejection { taken: true, stale: true, ..none };
        for (before, rejection, expected, after) in [
            // nothing that another try could mend
            (Fresh, none, Failed, Fresh),
            (Stale, none, Failed, Stale),
            // another commit was faster: the first conflict costs no pause
            (Fresh, stale, AtOnce, Stale),
            (Stale, stale, AfterReading, Stale),
            (Fresh, Rejection { passing: true, ..stale }, AtOnce, Stale),
            (Stale, Rejection { passing: true, ..stale }, AfterReading, Stale),
            // others are at the same items just now
            (Fresh, passing, AfterReading, Fresh),
            // numbers may be stale because this very commit is being stored
            (InDoubt, none, AfterReading, InDoubt),
            (InDoubt, stale, AfterReading, InDoubt),
            (InDoubt, passing, AfterReading, InDoubt),
            // unless they are another's
            (InDoubt, taken, AtOnce, Stale),
            (Stale, taken, AfterReading, Stale),
            // an earlier try was stored, whatever else is
            (InDoubt, Rejection { ours: true, taken: true, ..stale }, Stored, Stale),
        ] {
            assert_eq!(
                (action_after(&rejection, before), freshness_after(&rejection, before)),
                (expected, after),
                "{before:?}, {rejection:?}"
            );
        }
    }

    #[test]
    fn an_answer_that_is_there_is_the_answer_and_leaves_no_doubt() {
        let key = RequestKey::from_header("key").unwrap();
        let answer = StoredAnswer {
            key,
            fingerprint: Fingerprint::of_file(FileHash::of(b"%PDF"), "a.pdf"),
            number: 7,
            remaining: 3,
        };
        let rejection = Rejection { answer: Some(answer), passing: true, ..Rejection::default() };
        for before in [Freshness::Fresh, Freshness::Stale, Freshness::InDoubt] {
            assert_eq!(action_after(&rejection, before), RetryAction::Answered(answer));
            assert_ne!(freshness_after(&rejection, before), Freshness::InDoubt);
        }
    }
}
