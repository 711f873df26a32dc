//! Work that ends with one transaction, however many tries that takes: others change the same items, and answers are
//! lost on the way.

use aws_sdk_dynamodb::types::TransactWriteItem;

use super::Store;
use super::backoff::Backoff;
use super::transact::{Reasons, Tried};
use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::UserId;

/// A piece of work: what it believes the table to hold, and what it makes of it.
pub(super) trait Work {
    /// How it ends.
    type End;

    /// The transaction by what is known, and how it ends if that is stored.
    ///
    /// # Errors
    /// How it ends without one.
    fn attempt(&self, store: &Store) -> Result<(Vec<TransactWriteItem>, Self::End), Error>;

    /// Takes over what came with a refusal. `answer_lost` says whether an earlier try may have been stored.
    ///
    /// # Errors
    /// How it ends, if the refusal says so.
    fn learn(&mut self, reasons: &Reasons, answer_lost: bool) -> Result<Learnt<Self::End>, Error>;
}

/// What a refused transaction tells its work.
pub(super) enum Learnt<T> {
    /// This is how it ends.
    End(T),
    /// The table holds something else by now, which the next try goes by.
    News,
    /// Nothing.
    Nothing,
}

impl Store {
    /// Tries until `work` has ended. With a `user`, each try waits for that account's turn, whose commits it would meet.
    ///
    /// # Errors
    /// Those of `work`; [`Error::Internal`] if it was refused for what another try cannot mend; [`Error::Unavailable`]
    /// when the deadline comes first.
    pub(super) async fn carry_out<W: Work>(
        &self,
        user: Option<UserId>,
        mut work: W,
        deadline: Deadline,
    ) -> Result<W::End, Error> {
        let mut backoff = Backoff::until(deadline);
        let mut answer_lost = false;
        loop {
            let (items, end) = work.attempt(self)?;
            let cause = match self.try_in_turn(user, items, deadline).await? {
                Tried::Stored => return Ok(end),
                // the items change one by one: of an earlier try some may be there already, and others in the making
                Tried::Refused(reasons) if answer_lost && reasons.passing() => reasons.cause(),
                Tried::Refused(reasons) => match work.learn(&reasons, answer_lost)? {
                    Learnt::End(end) => return Ok(end),
                    Learnt::Nothing if !reasons.passing() => return Err(Error::Internal(reasons.cause())),
                    Learnt::News | Learnt::Nothing => reasons.cause(),
                },
                Tried::Unknown(cause) => {
                    answer_lost = true;
                    cause
                }
            };
            backoff.wait(|| cause).await?;
        }
    }

    async fn try_in_turn(
        &self,
        user: Option<UserId>,
        items: Vec<TransactWriteItem>,
        deadline: Deadline,
    ) -> Result<Tried, Error> {
        let _turn = match user {
            Some(user) => Some(self.queues.turn(user, deadline).await?),
            None => None,
        };
        self.transact(items, deadline).await
    }

    /// Carries out work whose `items` are the same at every try. Stored, it ends as `stored`; else `refusal` may know how
    /// from the failed conditions, and from whether an earlier try may have been stored without an answer.
    ///
    /// # Errors
    /// As [`Store::carry_out`].
    pub(super) async fn settle<T: Clone>(
        &self,
        items: Vec<TransactWriteItem>,
        deadline: Deadline,
        stored: T,
        refusal: impl Fn(&Reasons, bool) -> Option<Result<T, Error>>,
    ) -> Result<T, Error> {
        self.carry_out(None, Settled { items, stored, refusal }, deadline).await
    }
}

struct Settled<T, F> {
    items: Vec<TransactWriteItem>,
    stored: T,
    refusal: F,
}

impl<T: Clone, F: Fn(&Reasons, bool) -> Option<Result<T, Error>>> Work for Settled<T, F> {
    type End = T;

    fn attempt(&self, _: &Store) -> Result<(Vec<TransactWriteItem>, T), Error> {
        Ok((self.items.clone(), self.stored.clone()))
    }

    fn learn(&mut self, reasons: &Reasons, answer_lost: bool) -> Result<Learnt<T>, Error> {
        Ok((self.refusal)(reasons, answer_lost).transpose()?.map_or(Learnt::Nothing, Learnt::End))
    }
}
