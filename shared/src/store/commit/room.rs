//! How many analyses one transaction takes.

use super::Member;
use crate::idempotency::RequestKey;
use crate::quota::{Day, Quota};

/// DynamoDB takes so many actions in one transaction
/// (<https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html>).
const ACTIONS: usize = 100;
/// It takes 4 MB of items; half of that leaves room for names and numbers.
const BYTES: usize = 2 * 1024 * 1024;
/// Account and day, which all share, and the day before, from which a ticket may go.
const SHARED: usize = 3;
/// What an analysis takes beside its name and its JSON: keys, names of attributes, small values of four rows.
const BESIDE: usize = 2 * 1024;

/// What a transaction has room for beside the analysis that it is made for.
#[derive(Clone, Debug)]
pub(super) struct Room {
    day: Day,
    limit: u64,
    analyses: u64,
    actions: usize,
    bytes: usize,
    keys: Vec<RequestKey>,
}

impl Room {
    /// The room beside `own`, if the counters are as in `quota`.
    pub(super) fn beside(own: &Member, quota: &Quota) -> Self {
        Self {
            day: quota.day(),
            limit: quota.limit,
            analyses: quota.remaining().saturating_sub(1),
            actions: ACTIONS.saturating_sub(SHARED + actions(own)),
            bytes: BYTES.saturating_sub(bytes(own)),
            keys: own.new.keys.clone(),
        }
    }

    /// Takes `member`, if there is room for it; whether there was. It has to count for the same day against the same
    /// limit, and may not be kept under the key of another one.
    pub(super) fn takes(&mut self, member: &Member) -> bool {
        let alike = member.quota.day() == self.day && member.quota.limit == self.limit;
        let fits = self.analyses > 0 && actions(member) <= self.actions && bytes(member) <= self.bytes;
        if !alike || !fits || member.new.keys.iter().any(|key| self.keys.contains(key)) {
            return false;
        }
        self.analyses -= 1;
        self.actions -= actions(member);
        self.bytes -= bytes(member);
        self.keys.extend(&member.new.keys);
        true
    }
}

/// Analysis and metadata, the answer under each key, and what leads there from file, document and reference.
fn actions(member: &Member) -> usize {
    let new = &member.new;
    let leads = [new.file.is_some(), new.document.is_some(), new.reference.is_some()];
    2 + new.keys.len() + leads.into_iter().filter(|leads| *leads).count()
}

fn bytes(member: &Member) -> usize {
    let new = &member.new;
    // the name stands in the rows of the file and of the reference, too
    new.metadata.get().len() + new.seen.get().len() + 3 * new.filename.len() + BESIDE
}
