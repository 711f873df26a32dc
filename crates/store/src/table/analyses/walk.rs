//! A walk through the list to older entries, with filters.

use engine::SignalId;
use futures_util::future::try_join_all;

use super::query::{limit, summaries};
use crate::analysis::Summary;
use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::{AnalysisId, UserId};
use crate::listing::{EntryKind, Filters, ListWalk, Within};
use crate::numbering::Numbering;
use crate::page::PageRequest;
use crate::table::Store;
use crate::table::accounts::Account;
use crate::table::item::text;
use crate::table::key::Row;

/// Rows read per query of a filtered walk: few first, in case most match, then many.
const WALK_QUERY_ROWS: [u64; 2] = [100, 900];
/// Number of the following concurrent queries, of 1,000 rows each: 10,000 in total.
const CONCURRENT_QUERIES: usize = 9;

/// A part of the list, walked from newer to older entries.
#[derive(Clone, Debug, Default)]
pub struct WalkedPart {
    /// The entries, newest first.
    pub entries: Vec<Summary>,
    /// The last one read; `None` if there are no older ones.
    pub last: Option<AnalysisId>,
    /// Entries of the list that are newer.
    pub passed: u64,
    /// Entries of this kind in the complete list.
    pub total: u64,
}

impl WalkedPart {
    /// Adds the matching entries of `found`, down to number `reached`, up to a total of `most`. No entry has a number
    /// below `oldest`.
    fn take(&mut self, found: Vec<Summary>, (reached, oldest): (u64, u64), most: u64, picked: &Filters) {
        let edge = found.iter().find(|row| row.id.number() == reached).map(|row| row.id);
        // any id with a deleted number marks its position
        let edge = edge.unwrap_or_else(|| AnalysisId::new(reached));
        self.last = (reached > oldest).then_some(edge);
        for row in found.into_iter().filter(|row| picked.takes(row)) {
            let id = row.id;
            self.entries.push(row);
            if self.entries.len() as u64 == most {
                self.last = (id.number() > oldest).then_some(id);
                return;
            }
        }
    }
}

impl Store {
    /// `user`'s entries on a walk to older ones: as many as requested or, with filters, as many as match among the
    /// first 10,000.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn walk(
        &self,
        user: UserId,
        account: &Account,
        walk: &ListWalk,
        deadline: Deadline,
    ) -> Result<WalkedPart, Error> {
        let (newest, picked) = (walk.newest(account.numbering.given()), walk.picked());
        let part = self.find(user, account, newest, (walk.within(), &picked), walk.per_page(), deadline);
        let counted = async {
            let census = self.census(user, account, picked.kind, deadline).await?;
            Ok((census.total(), self.newer(user, &census, newest, deadline).await?))
        };
        let (part, (total, passed)) = tokio::try_join!(part, counted)?;
        Ok(WalkedPart { passed, total, ..part })
    }

    /// The matching entries `within` a range, from number `newest` down: at most `most`, among the first 10,000.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn find(
        &self,
        user: UserId,
        account: &Account,
        newest: u64,
        (within, picked): (Within, &Filters),
        most: u64,
        deadline: Deadline,
    ) -> Result<WalkedPart, Error> {
        let oldest = account.numbering.oldest();
        if newest < oldest {
            return Ok(WalkedPart::default());
        }
        let row = |number| match within {
            Within::All => Row::Analysis(number),
            Within::File(file) => Row::File(file, number),
            Within::Reference(key) => Row::Reference(key, number),
        };
        let takes_both =
            picked.kind == EntryKind::All || picked.kind == EntryKind::Analysis && account.counts.comparisons == 0;
        let takes_all = takes_both
            && picked.verdicts.is_none()
            && picked.outcome.is_none()
            && picked.search.is_none()
            && picked.reference.is_none_or(|key| within == Within::Reference(key));
        if takes_all && most <= PageRequest::MAX_PER_PAGE {
            return self.follow(user, (row(newest), row(oldest)), most, deadline).await;
        }
        let _turn = self.queues.search(user, deadline).await?;
        if within == Within::All {
            self.look_for(user, &account.numbering, newest, (most, picked), deadline).await
        } else {
            self.look_along(user, row, (newest, oldest), (most, picked), deadline).await
        }
    }

    /// The entries from the `newest` row down. One row more than requested shows whether there are older ones.
    async fn follow(
        &self,
        user: UserId,
        (newest, oldest): (Row, Row),
        per_page: u64,
        deadline: Deadline,
    ) -> Result<WalkedPart, Error> {
        let query = self.down(user, newest, oldest);
        let mut entries = summaries(query.limit(limit(per_page + 1)), deadline).await?;
        let goes_on = entries.len() as u64 > per_page;
        entries.truncate(usize::try_from(per_page).unwrap_or_default());
        let last = entries.last().filter(|_| goes_on).map(|row| row.id);
        Ok(WalkedPart { entries, last, ..WalkedPart::default() })
    }

    /// The matching entries among rows of one kind, which are few, from number `newest` down.
    async fn look_along(
        &self,
        user: UserId,
        row: impl Fn(u64) -> Row,
        (mut newest, oldest): (u64, u64),
        (most, picked): (u64, &Filters),
        deadline: Deadline,
    ) -> Result<WalkedPart, Error> {
        let (mut part, [few, many]) = (WalkedPart::default(), WALK_QUERY_ROWS);
        for _ in 0..=CONCURRENT_QUERIES {
            let rows = self.down(user, row(newest), row(oldest)).limit(limit(few + many));
            let rows = summaries(rows, deadline).await?;
            let Some(reached) = rows.last().map(|row| row.id.number()) else { break };
            let is_end = (rows.len() as u64) < few + many;
            part.take(rows, (reached, if is_end { reached } else { oldest }), most, picked);
            if is_end || part.entries.len() as u64 == most || reached <= oldest {
                break;
            }
            newest = reached - 1;
        }
        Ok(part)
    }

    /// The matching entries, from number `newest` down.
    async fn look_for(
        &self,
        user: UserId,
        numbering: &Numbering,
        mut newest: u64,
        (most, picked): (u64, &Filters),
        deadline: Deadline,
    ) -> Result<WalkedPart, Error> {
        let (mut part, oldest) = (WalkedPart::default(), numbering.oldest());
        let [few, many] = WALK_QUERY_ROWS;
        for rounds in [vec![few], vec![many], vec![few + many; CONCURRENT_QUERIES]] {
            let mut ranges = Vec::new();
            for size in rounds {
                if newest < oldest {
                    break;
                }
                let reached = numbering.range_start(newest, size);
                ranges.push((newest, reached));
                newest = reached - 1;
            }
            let queries = ranges.iter().map(|range| self.pick(user, *range, picked, deadline));
            for (found, (_, reached)) in try_join_all(queries).await?.into_iter().zip(&ranges) {
                part.take(found, (*reached, oldest), most, picked);
                if part.entries.len() as u64 == most {
                    return Ok(part);
                }
            }
        }
        Ok(part)
    }

    /// The analyses numbered `newest` down to `reached` that match, and the one with the last number. DynamoDB filters
    /// out the others.
    async fn pick(
        &self,
        user: UserId,
        (newest, reached): (u64, u64),
        picked: &Filters,
        deadline: Deadline,
    ) -> Result<Vec<Summary>, Error> {
        let mut query = self.down_from(user, newest, reached);
        let wanted = picked.wanted();
        if picked.verdicts.is_some() || picked.outcome.is_some() {
            // a filter cannot use the key, but the id begins with the number too
            let mut conditions = vec!["begins_with(id, :reached)".to_owned()];
            query = query.expression_attribute_values(":reached", text(AnalysisId::prefix(reached)));
            for (place, (verdict, is_image)) in wanted.iter().enumerate() {
                conditions.push(match is_image {
                    None => format!("verdict = :v{place}"),
                    Some(true) => format!("(verdict = :v{place} AND reason_signal = :images)"),
                    Some(false) => format!(
                        "(verdict = :v{place} AND (attribute_not_exists(reason_signal) OR reason_signal <> :images))"
                    ),
                });
                query = query.expression_attribute_values(format!(":v{place}"), text(verdict.to_string()));
            }
            if wanted.iter().any(|(_, is_image)| is_image.is_some()) {
                query = query.expression_attribute_values(":images", text(SignalId::PagesAreImages.to_string()));
            }
            query = query.filter_expression(conditions.join(" OR "));
        }
        summaries(query, deadline).await
    }
}
