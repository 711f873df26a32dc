//! What follows a refusal of the commit's transaction.

use crate::store::idempotency::StoredAnswer;

/// What is known of the numbers that a commit goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Freshness {
    /// Nobody was faster so far.
    Fresh,
    /// Somebody was: a crowd is at the account.
    Stale,
    /// A try with these very numbers may be stored, or be on its way to the table just now. Until that is known they
    /// stay: with other numbers, the same analysis could be stored and counted twice.
    InDoubt,
}

/// What a refusal says.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rejection {
    /// The commit's analysis is there: an earlier try was stored.
    pub(super) ours: bool,
    /// The answer to a request with the same key, which was first.
    pub(super) answer: Option<StoredAnswer>,
    /// Another analysis has the number: no try with it was stored.
    pub(super) taken: bool,
    /// Account or day are not as last seen.
    pub(super) stale: bool,
    /// It met other work, which will pass.
    pub(super) passing: bool,
}

/// What a commit does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NextStep {
    /// It is stored.
    Stored,
    /// This is its answer.
    Answered(StoredAnswer),
    /// It is tried again at once: what the table holds came with the refusal.
    AtOnce,
    /// The same is tried again after a pause: either the numbers are still free or the analysis there is its own.
    AfterPause,
    /// It is tried again after a pause, by what the table holds then.
    AfterReading,
    /// Nothing will help.
    Failed,
}

/// What is known after a refusal.
pub(super) fn known(grounds: &Rejection, before: Freshness) -> Freshness {
    match before {
        Freshness::InDoubt if !grounds.taken && grounds.answer.is_none() => Freshness::InDoubt,
        _ if grounds.stale => Freshness::Stale,
        Freshness::InDoubt => Freshness::Fresh,
        known => known,
    }
}

/// What follows a refusal of numbers of which this was known `before`.
pub(super) fn next(grounds: &Rejection, before: Freshness) -> NextStep {
    let Rejection { ours, answer, taken, stale, passing } = *grounds;
    match (answer, before) {
        _ if ours => NextStep::Stored,
        (Some(answer), _) => NextStep::Answered(answer),
        (_, Freshness::InDoubt) if !taken => NextStep::AfterReading,
        (_, Freshness::Fresh | Freshness::InDoubt) if stale => NextStep::AtOnce,
        // others go first
        _ if passing => NextStep::AfterReading,
        _ if stale => NextStep::AfterReading,
        _ => NextStep::Failed,
    }
}

#[cfg(test)]
mod tests {
    use super::{Freshness, NextStep, Rejection, StoredAnswer, known, next};
    use crate::file_hash::FileHash;
    use crate::idempotency::{Fingerprint, RequestKey};

    #[test]
    fn each_refusal_is_followed_by_what_it_says() {
        use Freshness::{Fresh, InDoubt, Stale};
        use NextStep::{AfterReading, AtOnce, Failed, Stored};
        let none = Rejection::default();
        let stale = Rejection { stale: true, ..none };
        let passing = Rejection { passing: true, ..none };
        let taken = Rejection { taken: true, stale: true, ..none };
        for (before, grounds, expected, after) in [
            // nothing that another try could mend
            (Fresh, none, Failed, Fresh),
            (Stale, none, Failed, Stale),
            // somebody was faster: once that costs no pause
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
            assert_eq!((next(&grounds, before), known(&grounds, before)), (expected, after), "{before:?}, {grounds:?}");
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
        let grounds = Rejection { answer: Some(answer), passing: true, ..Rejection::default() };
        for before in [Freshness::Fresh, Freshness::Stale, Freshness::InDoubt] {
            assert_eq!(next(&grounds, before), NextStep::Answered(answer));
            assert_ne!(known(&grounds, before), Freshness::InDoubt);
        }
    }
}
