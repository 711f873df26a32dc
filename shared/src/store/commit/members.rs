//! The analyses of a commit: its own, and those that it takes along.

use super::member::Member;
use super::queues::Companion;

/// They have numbers one after the other, its own the first.
pub(super) struct Members {
    /// That of the request that commits.
    pub(super) own: Member,
    /// They part when the table refuses: what it has refused is for each to find out.
    pub(super) others: Vec<Companion>,
}

impl Members {
    pub(super) fn count(&self) -> u64 {
        1 + self.others.len() as u64
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Member> {
        std::iter::once(&self.own).chain(self.others.iter().map(|other| &other.member))
    }

    /// Makes them the analyses after the first `analyses` of the account.
    pub(super) fn number(&mut self, analyses: u64) {
        let members = std::iter::once(&mut self.own).chain(self.others.iter_mut().map(|other| &mut other.member));
        for (member, number) in members.zip(analyses + 1..) {
            member.id = member.id.renumbered(number);
        }
    }
}
