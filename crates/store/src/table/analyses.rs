//! Stored entries, analyses and comparisons: one, or a part of the list.

use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::Select;
use engine::{DecidingReason, Outcome, SignalId};
use futures_util::future::try_join_all;
use serde::Deserialize;
use serde::de::{IntoDeserializer, value};

use super::accounts::Account;
use super::batch::found;
use super::item::{Item, text};
use super::key::{Row, partition};
use super::{Rows, Store, failure};
use crate::analysis::{Entry, Summary, format_size};
use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::{AnalysisId, UserId};
use crate::listing::{EntryKind, Filters, ListPage, ListWalk, Within, not_yours};
use crate::numbering::Numbering;
use crate::page::PageRequest;
use crate::quota::timestamp;
use crate::reference::Reference;

/// Rows read per query of a filtered walk: few first, in case most match, then many.
const WALK_QUERY_ROWS: [u64; 2] = [100, 900];
/// Number of the following concurrent queries, of 1,000 rows each: 10,000 in total.
const CONCURRENT_QUERIES: usize = 9;

impl Rows {
    /// The entry, if its row and its finding's row were read, exist and have exactly this id.
    ///
    /// # Errors
    /// [`Error::Internal`] if a stored item is malformed.
    pub fn entry(&self, id: AnalysisId) -> Result<Option<Entry>, Error> {
        let entry = self.entry_numbered(id.number())?;
        Ok(entry.filter(|entry| entry.id() == id))
    }

    /// The entry with this number, regardless of its id.
    pub(super) fn entry_numbered(&self, number: u64) -> Result<Option<Entry>, Error> {
        let Some(row) = self.get(Row::Analysis(number)) else { return Ok(None) };
        let finding = match row.finding()? {
            None => self.get(Row::Metadata(number)).map(Item::finding).transpose()?.flatten(),
            inside => inside,
        };
        finding.map(|finding| Ok(summary(row)?.with(finding))).transpose()
    }

    /// Whether an analysis with exactly this id exists, if its row was read.
    ///
    /// # Errors
    /// [`Error::Internal`] if the stored item is malformed.
    pub fn has_analysis(&self, id: AnalysisId) -> Result<bool, Error> {
        self.get(Row::Analysis(id.number())).map_or(Ok(false), |row| Ok(summary(row)?.id == id))
    }

    /// Checks that a walk starts within a list with this numbering, if the row of [`ListWalk::before`] was read: at one
    /// of its analyses or at the number of a deleted one.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it does not; [`Error::Internal`] if a stored item is malformed.
    pub fn check_start(&self, walk: &ListWalk, numbering: &Numbering) -> Result<(), Error> {
        let Some(id) = walk.before() else { return Ok(()) };
        let is_within = match self.get(Row::Analysis(id.number())) {
            Some(row) => summary(row)?.id == id,
            None => (1..=numbering.given()).contains(&id.number()),
        };
        if is_within { Ok(()) } else { Err(not_yours()) }
    }
}

/// A page of the list.
#[derive(Clone, Debug, Default)]
pub struct ListedPage {
    /// Its entries, newest first.
    pub entries: Vec<Summary>,
    /// Entries of this kind in the complete list.
    pub total: u64,
}

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

/// The counts of a list of one kind. Analyses and comparisons share one series of numbers.
struct Census {
    kind: EntryKind,
    /// The account's numbering; comparisons count as deleted where only analyses are listed.
    numbering: Numbering,
    /// The numbers of comparisons, newest first, where they matter.
    comparisons: Vec<u64>,
}

impl Census {
    fn total(&self) -> u64 {
        if self.kind == EntryKind::Comparison { self.comparisons.len() as u64 } else { self.numbering.total() }
    }

    /// Comparisons among the `analyses` from number `newest` down, if none of these is deleted.
    fn comparisons_among(&self, newest: u64, analyses: u64) -> u64 {
        let mut passed = 0;
        for number in self.comparisons.iter().filter(|number| **number <= newest) {
            if newest - number - passed >= analyses {
                break;
            }
            passed += 1;
        }
        passed
    }
}

impl Store {
    /// A page of `user`'s list, newest first. One Query of fewer than 256 + `per_page` small rows: page 500 costs what
    /// page 1 costs. If the account has comparisons, another Query reads their numbers, and the first one reads those
    /// on the page too.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn page(
        &self,
        user: UserId,
        account: &Account,
        asked: ListPage,
        deadline: Deadline,
    ) -> Result<ListedPage, Error> {
        let census = self.census(user, account, asked.kind(), deadline).await?;
        let entries = if asked.kind() == EntryKind::Comparison {
            self.comparisons_on(user, &census, asked.page(), deadline).await?
        } else {
            self.entries_on(user, &census, asked.page(), deadline).await?
        };
        Ok(ListedPage { entries, total: census.total() })
    }

    async fn census(
        &self,
        user: UserId,
        account: &Account,
        kind: EntryKind,
        deadline: Deadline,
    ) -> Result<Census, Error> {
        let numbering = &account.numbering;
        let matter = account.counts.comparisons > 0 && kind != EntryKind::All;
        let comparisons = if matter { self.comparisons(user, numbering, deadline).await? } else { Vec::new() };
        let deleted = if kind == EntryKind::Analysis { comparisons.as_slice() } else { &[] };
        Ok(Census { kind, numbering: numbering.excluding(deleted), comparisons })
    }

    /// The numbers of `user`'s comparisons, newest first.
    async fn comparisons(&self, user: UserId, numbering: &Numbering, deadline: Deadline) -> Result<Vec<u64>, Error> {
        let query = self.down(user, Row::Comparison(numbering.given()), Row::Comparison(numbering.oldest()));
        let rows = found(query.projection_expression("sk"), deadline).await?;
        Ok(rows.iter().filter_map(|row| Row::compared(row.optional_text("sk")?)).collect())
    }

    async fn entries_on(
        &self,
        user: UserId,
        census: &Census,
        page: PageRequest,
        deadline: Deadline,
    ) -> Result<Vec<Summary>, Error> {
        let numbering = &census.numbering;
        let Some(start) = numbering.start(page.skipped()) else { return Ok(Vec::new()) };
        let left = numbering.total().saturating_sub(page.skipped());
        let wanted = start.skipped + page.per_page().min(left);
        let (mut found, mut newest) = (Vec::new(), start.newest);
        while let Some(missing) = wanted.checked_sub(found.len() as u64).filter(|missing| *missing > 0) {
            let most = missing + census.comparisons_among(newest, missing);
            let rows = self.down_from(user, newest, numbering.oldest()).limit(limit(most));
            let rows = summaries(rows, deadline).await?;
            let last = rows.last().map(|row| row.id.number());
            found.extend(rows.into_iter().filter(|row| census.kind.takes(row.compared_with.is_some())));
            // none are found if they are being deleted concurrently
            let Some(last) = last.filter(|last| *last > numbering.oldest()) else { break };
            newest = last - 1;
        }
        let skipped = usize::try_from(start.skipped).unwrap_or_default();
        let per_page = usize::try_from(page.per_page()).unwrap_or_default();
        Ok(found.into_iter().skip(skipped).take(per_page).collect())
    }

    async fn comparisons_on(
        &self,
        user: UserId,
        census: &Census,
        page: PageRequest,
        deadline: Deadline,
    ) -> Result<Vec<Summary>, Error> {
        let [skipped, most] = [page.skipped(), page.per_page()].map(|rows| usize::try_from(rows).unwrap_or(usize::MAX));
        let rows: Vec<Row> = census.comparisons.iter().skip(skipped).take(most).copied().map(Row::Analysis).collect();
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let found = self.read(user, &rows, deadline).await?;
        rows.iter().filter_map(|row| found.get(*row)).map(summary).collect()
    }

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

    /// The number of entries in a list with numbers above `number`. Only entries of one block are counted by a query.
    async fn newer(&self, user: UserId, census: &Census, number: u64, deadline: Deadline) -> Result<u64, Error> {
        if census.kind == EntryKind::Comparison {
            return Ok(census.comparisons.iter().filter(|of| **of > number).count() as u64);
        }
        let newer = census.numbering.newer_than(number);
        let Some(range) = newer.uncounted else { return Ok(newer.known) };
        let query = self.down_from(user, *range.end(), *range.start()).select(Select::Count);
        let answer = deadline.limit(query.send()).await?.map_err(|error| failure(&error))?;
        let others = census.comparisons.iter().filter(|of| range.contains(of)).count() as u64;
        Ok(newer.known + u64::try_from(answer.count).unwrap_or_default().saturating_sub(others))
    }

    /// The analyses numbered `newest` down to `oldest`.
    fn down_from(&self, user: UserId, newest: u64, oldest: u64) -> QueryFluentBuilder {
        self.down(user, Row::Analysis(newest), Row::Analysis(oldest))
    }

    /// The rows of a kind from `newest` down to `oldest`.
    pub(super) fn down(&self, user: UserId, newest: Row, oldest: Row) -> QueryFluentBuilder {
        self.client
            .query()
            .table_name(&self.table)
            .key_condition_expression("pk = :user AND sk BETWEEN :oldest AND :newest")
            .expression_attribute_values(":user", partition(user))
            .expression_attribute_values(":oldest", text(oldest.to_string()))
            .expression_attribute_values(":newest", text(newest.to_string()))
            .consistent_read(true)
            .scan_index_forward(false)
    }
}

/// The rows that a query finds, without their findings.
async fn summaries(query: QueryFluentBuilder, deadline: Deadline) -> Result<Vec<Summary>, Error> {
    // `reference` is a reserved word
    let query = query
        .projection_expression(LISTED_ATTRIBUTES.join(", ") + ", #reference")
        .expression_attribute_names("#reference", "reference");
    found(query, deadline).await?.iter().map(summary).collect()
}

/// The limit of a query as DynamoDB's type.
fn limit(rows: u64) -> i32 {
    i32::try_from(rows).unwrap_or(i32::MAX)
}

/// The attributes that [`summary`] reads, except the reference.
pub(super) const LISTED_ATTRIBUTES: [&str; 8] =
    ["id", "filename", "compared_with", "file_size", "verdict", "reason_signal", "reason", "analyzed_at"];

pub(super) fn summary(item: &Item) -> Result<Summary, Error> {
    let file_size = item.number("file_size")?;
    let verdict = item.optional_text("verdict").and_then(|verdict| verdict.parse().ok());
    let reason = reason(item);
    Ok(Summary {
        id: item.id("id", AnalysisId::parse)?,
        filename: item.text("filename")?.to_owned(),
        compared_with: item.optional_text("compared_with").and_then(|with| serde_json::from_str(with).ok()),
        reference: item.optional_text("reference").and_then(Reference::stored),
        file_size,
        file_size_formatted: format_size(file_size),
        verdict,
        outcome: verdict.map(|verdict| Outcome::of_reason(verdict, reason.as_ref())),
        reason,
        analyzed_at: timestamp(item.instant("analyzed_at")?),
    })
}

/// The deciding signal, if the row has it and this version knows it.
fn reason(item: &Item) -> Option<DecidingReason> {
    let signal = item.optional_text("reason_signal")?;
    let signal = SignalId::deserialize(IntoDeserializer::<value::Error>::into_deserializer(signal)).ok()?;
    Some(DecidingReason { signal, phrase: item.optional_text("reason")?.to_owned() })
}
