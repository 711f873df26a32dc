//! Stored analyses: one, or a page of them.

use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::Select;
use engine::{DecidingReason, SignalId};
use futures_util::future::try_join_all;
use serde::Deserialize;
use serde::de::{IntoDeserializer, value};
use serde_json::value::RawValue;

use super::batch::found;
use super::item::{Item, text};
use super::key::{Row, partition};
use super::{Rows, Store, failure};
use crate::analysis::{Entry, StoredFinding, Summary, completed, format_size};
use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::{AnalysisId, UserId};
use crate::listing::{Filter, ListWalk, Picked, not_yours};
use crate::numbering::Numbering;
use crate::page::PageRequest;
use crate::quota::timestamp;
use crate::reference::Reference;

/// How many analyses are looked at for those that are picked: few first, in case that most are, then many.
const LOOKED_AT: [u64; 2] = [100, 900];
/// And then so many times a thousand at once, which makes 10,000 in all.
const AT_ONCE: usize = 9;

impl Rows {
    /// The entry, if its two rows were read, are there, and carry exactly this id.
    ///
    /// # Errors
    /// [`Error::Internal`] if a stored item is malformed.
    pub fn entry(&self, id: AnalysisId) -> Result<Option<Entry>, Error> {
        let entry = self.entry_numbered(id.number())?;
        Ok(entry.filter(|entry| entry.id() == id))
    }

    /// The entry of this number, whatever its id.
    pub(super) fn entry_numbered(&self, number: u64) -> Result<Option<Entry>, Error> {
        let (Some(row), Some(found)) = (self.get(Row::Analysis(number)), self.get(Row::Metadata(number))) else {
            return Ok(None);
        };
        let stored = |name| found.optional_text(name).map(|text| RawValue::from_string(text.to_owned())).transpose();
        let finding = match (stored("files"), stored("comparison")) {
            (Ok(Some(files)), Ok(Some(comparison))) => StoredFinding::Comparison { files, comparison },
            _ => StoredFinding::Analysis {
                metadata: completed(found.text("metadata")?).map_err(Error::internal)?,
                seen: stored("seen").map_err(Error::internal)?,
            },
        };
        Ok(Some(summary(row)?.with(finding)))
    }

    /// Whether an analysis with exactly this id is there, if its row was read.
    ///
    /// # Errors
    /// [`Error::Internal`] if the stored item is malformed.
    pub fn has_analysis(&self, id: AnalysisId) -> Result<bool, Error> {
        self.get(Row::Analysis(id.number())).map_or(Ok(false), |row| Ok(summary(row)?.id == id))
    }

    /// Checks that a walk starts within a list with this numbering, if the row of [`ListWalk::before`] was read: at an analysis
    /// of it, or at the number of one that is gone.
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

/// A part of the list, walked from newer to older analyses.
#[derive(Clone, Debug, Default)]
pub struct WalkedPart {
    /// The analyses, newest first.
    pub analyses: Vec<Summary>,
    /// The last one looked at; none if no older one is left.
    pub last: Option<AnalysisId>,
    /// Analyses of the list that are newer.
    pub passed: u64,
}

impl WalkedPart {
    /// Takes of what was `found` down to number `reached` what is picked, up to `most` analyses in all. No analysis is older
    /// than number `oldest`.
    fn take(&mut self, found: Vec<Summary>, (reached, oldest): (u64, u64), most: u64, picked: &Picked) {
        let edge = found.iter().find(|row| row.id.number() == reached).map(|row| row.id);
        // any id of a number that is gone marks its place
        let edge = edge.unwrap_or_else(|| AnalysisId::new(reached));
        self.last = (reached > oldest).then_some(edge);
        for row in found.into_iter().filter(|row| picked.takes(row)) {
            let id = row.id;
            self.analyses.push(row);
            if self.analyses.len() as u64 == most {
                self.last = (id.number() > oldest).then_some(id);
                return;
            }
        }
    }
}

impl Store {
    /// One page of `user`'s analyses, newest first. One Query of fewer than 256 + `per_page` small rows: page 500 costs
    /// what page 1 costs.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn analyses(
        &self,
        user: UserId,
        page: PageRequest,
        numbering: &Numbering,
        deadline: Deadline,
    ) -> Result<Vec<Summary>, Error> {
        let Some(start) = numbering.start(page.skipped()) else { return Ok(Vec::new()) };
        let query = self.down_from(user, start.newest, numbering.oldest());
        let rows = start.skipped + page.per_page();
        let found = summaries(query.limit(limit(rows)), deadline).await?;
        Ok(found.into_iter().skip(usize::try_from(start.skipped).unwrap_or_default()).collect())
    }

    /// `user`'s analyses on a walk down to older ones: as many as it asks for or, of those that are picked, as many as are
    /// among the first 10,000.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn walk(
        &self,
        user: UserId,
        walk: &ListWalk,
        numbering: &Numbering,
        deadline: Deadline,
    ) -> Result<WalkedPart, Error> {
        let (newest, per_page) = (walk.newest(numbering.given()), walk.per_page());
        let part = async {
            let oldest = numbering.oldest();
            if newest < oldest {
                return Ok(WalkedPart::default());
            }
            let rows = match walk.filter() {
                Filter::Picked(picked) => {
                    return self.look_for(user, numbering, newest, (per_page, &picked), deadline).await;
                }
                Filter::All => (Row::Analysis(newest), Row::Analysis(oldest)),
                Filter::File(file) => (Row::File(file, newest), Row::File(file, oldest)),
                Filter::Reference(key) => (Row::Reference(key, newest), Row::Reference(key, oldest)),
            };
            self.follow(user, rows, per_page, deadline).await
        };
        let (part, passed) = tokio::try_join!(part, self.newer(user, numbering, newest, deadline))?;
        Ok(WalkedPart { passed, ..part })
    }

    /// The analyses from the `newest` row down. One row more than asked for tells whether any are left.
    async fn follow(
        &self,
        user: UserId,
        (newest, oldest): (Row, Row),
        per_page: u64,
        deadline: Deadline,
    ) -> Result<WalkedPart, Error> {
        let query = self.down(user, newest, oldest);
        let mut analyses = summaries(query.limit(limit(per_page + 1)), deadline).await?;
        let goes_on = analyses.len() as u64 > per_page;
        analyses.truncate(usize::try_from(per_page).unwrap_or_default());
        let last = analyses.last().filter(|_| goes_on).map(|row| row.id);
        Ok(WalkedPart { analyses, last, passed: 0 })
    }

    /// The analyses that are picked, from number `newest` down.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn look_for(
        &self,
        user: UserId,
        numbering: &Numbering,
        mut newest: u64,
        (most, picked): (u64, &Picked),
        deadline: Deadline,
    ) -> Result<WalkedPart, Error> {
        let (mut part, oldest) = (WalkedPart::default(), numbering.oldest());
        let [few, many] = LOOKED_AT;
        for rounds in [vec![few], vec![many], vec![few + many; AT_ONCE]] {
            let mut ranges = Vec::new();
            for size in rounds {
                if newest < oldest {
                    break;
                }
                let reached = numbering.reach(newest, size);
                ranges.push((newest, reached));
                newest = reached - 1;
            }
            let queries = ranges.iter().map(|range| self.pick(user, *range, picked, deadline));
            for (found, (_, reached)) in try_join_all(queries).await?.into_iter().zip(&ranges) {
                part.take(found, (*reached, oldest), most, picked);
                if part.analyses.len() as u64 == most {
                    return Ok(part);
                }
            }
        }
        Ok(part)
    }

    /// The analyses numbered `newest` down to `reached` that have one of the verdicts asked for, and that with the last
    /// number. The others are left out by DynamoDB.
    async fn pick(
        &self,
        user: UserId,
        (newest, reached): (u64, u64),
        picked: &Picked,
        deadline: Deadline,
    ) -> Result<Vec<Summary>, Error> {
        let mut query = self.down_from(user, newest, reached);
        if let Some(verdicts) = picked.verdicts {
            let names: Vec<String> = (0..verdicts.iter().count()).map(|place| format!(":v{place}")).collect();
            // a key may not stand in a filter, but the id begins with the number too
            query = query
                .filter_expression(format!("verdict IN ({}) OR begins_with(id, :reached)", names.join(", ")))
                .expression_attribute_values(":reached", text(AnalysisId::prefix(reached)));
            for (name, verdict) in names.into_iter().zip(verdicts.iter()) {
                query = query.expression_attribute_values(name, text(verdict.to_string()));
            }
        }
        summaries(query, deadline).await
    }

    /// How many analyses have larger numbers than `number`. At most those of a block have to be counted.
    async fn newer(&self, user: UserId, numbering: &Numbering, number: u64, deadline: Deadline) -> Result<u64, Error> {
        let newer = numbering.newer_than(number);
        let Some(range) = newer.uncounted else { return Ok(newer.known) };
        let query = self.down_from(user, *range.end(), *range.start()).select(Select::Count);
        let answer = deadline.limit(query.send()).await?.map_err(|error| failure(&error))?;
        Ok(newer.known + u64::try_from(answer.count).unwrap_or_default())
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

/// The rows that a query finds: at most 900 of some 500 bytes, which is one page of DynamoDB's 1 MB.
async fn summaries(query: QueryFluentBuilder, deadline: Deadline) -> Result<Vec<Summary>, Error> {
    found(query, deadline).await?.iter().map(summary).collect()
}

/// A query's limit of so many rows, which are some hundred.
fn limit(rows: u64) -> i32 {
    i32::try_from(rows).unwrap_or(i32::MAX)
}

pub(super) fn summary(item: &Item) -> Result<Summary, Error> {
    let file_size = item.number("file_size")?;
    Ok(Summary {
        id: item.id("id", AnalysisId::parse)?,
        filename: item.text("filename")?.to_owned(),
        compared_with: item.optional_text("compared_with").and_then(|with| serde_json::from_str(with).ok()),
        reference: item.optional_text("reference").and_then(Reference::parse),
        file_size,
        file_size_formatted: format_size(file_size),
        verdict: item.optional_text("verdict").and_then(|verdict| verdict.parse().ok()),
        reason: reason(item),
        analyzed_at: timestamp(item.instant("analyzed_at")?),
    })
}

/// What decided, if the row says it and this version knows the signal.
fn reason(item: &Item) -> Option<DecidingReason> {
    let signal = item.optional_text("reason_signal")?;
    let signal = SignalId::deserialize(IntoDeserializer::<value::Error>::into_deserializer(signal)).ok()?;
    Some(DecidingReason { signal, phrase: item.optional_text("reason")?.to_owned() })
}
