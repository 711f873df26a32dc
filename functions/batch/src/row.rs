//! The rows: one for each analyzed version of an object. `COLUMNS` defines the Parquet schema; tests compare the guide and the
//! stack's Glue table with it.

use chrono::{DateTime, Utc};
use engine::{Metadata, Signature};
use serde_json::{Value, json};
use shared::bucket::ListedObject;

/// The version of the columns, raised when one is removed or changes its meaning.
pub const SCHEMA: u32 = 1;

/// A row.
#[derive(Debug)]
pub struct Row {
    pub(crate) run: String,
    pub(crate) bucket: String,
    pub(crate) object: ListedObject,
    pub(crate) metadata: Box<Metadata>,
    pub(crate) at: DateTime<Utc>,
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// UTF-8 text.
    Text,
    /// A list of texts.
    Texts,
    /// A 64-bit integer.
    Number,
    /// True or false.
    Flag,
    /// An instant, in milliseconds of UTC.
    Instant,
}

/// A value of a row.
pub(crate) enum Cell {
    Text(Option<String>),
    Texts(Vec<String>),
    Number(Option<i64>),
    Flag(Option<bool>),
}

/// A column.
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
    /// Its description in the guide.
    pub about: &'static str,
    pub(crate) cell: fn(&Row) -> Cell,
}

impl Kind {
    /// The type in a message of a Parquet schema.
    pub(crate) fn parquet(self, name: &str) -> String {
        match self {
            Self::Text => format!("optional binary {name} (STRING);"),
            Self::Texts => {
                format!(
                    "required group {name} (LIST) {{ repeated group list {{ required binary element (STRING); }} }}"
                )
            }
            Self::Number => format!("optional int64 {name};"),
            Self::Flag => format!("optional boolean {name};"),
            Self::Instant => format!("optional int64 {name} (TIMESTAMP(MILLIS,true));"),
        }
    }

    /// The type in Athena and Glue.
    #[must_use]
    pub fn athena(self) -> &'static str {
        match self {
            Self::Text => "string",
            Self::Texts => "array<string>",
            Self::Number => "bigint",
            Self::Flag => "boolean",
            Self::Instant => "timestamp",
        }
    }
}

/// The columns, in their order.
pub const COLUMNS: &[Column] = &[
    column("run", Kind::Text, "The run that analyzed it, or `events`", |row| text(&row.run)),
    column("bucket", Kind::Text, "The object's bucket", |row| text(&row.bucket)),
    column("key", Kind::Text, "The object's key", |row| text(&row.object.key)),
    column("etag", Kind::Text, "The version that was analyzed: its ETag, with quotation marks", |row| {
        text(&row.object.etag)
    }),
    column("size", Kind::Number, "Bytes", |row| number(row.object.size)),
    column("last_modified", Kind::Instant, "When the object was written; null in rows of events", |row| {
        instant(row.object.modified.as_ref())
    }),
    column("analyzed_at", Kind::Instant, "When it was analyzed", |row| instant(Some(&row.at))),
    column("pages", Kind::Number, "`basic.pages`", |row| number(row.metadata.basic.pages)),
    column("pdf_version", Kind::Text, "`basic.pdf_version`", |row| Cell::Text(row.metadata.basic.pdf_version.clone())),
    column("title", Kind::Text, "`document.title`", |row| Cell::Text(row.metadata.document.title.clone())),
    column("author", Kind::Text, "`document.author`", |row| Cell::Text(row.metadata.document.author.clone())),
    column("creator", Kind::Text, "`document.creator`", |row| Cell::Text(row.metadata.document.creator.clone())),
    column("producer", Kind::Text, "`document.producer`", |row| Cell::Text(row.metadata.document.producer.clone())),
    column("created", Kind::Instant, "`dates.created.iso8601`", |row| {
        instant(row.metadata.dates.created.iso8601.as_ref())
    }),
    column("modified", Kind::Instant, "`dates.modified.iso8601`", |row| {
        instant(row.metadata.dates.modified.iso8601.as_ref())
    }),
    column("was_modified", Kind::Flag, "`dates.was_modified`", |row| Cell::Flag(Some(row.metadata.dates.was_modified))),
    column("encrypted", Kind::Flag, "`security.encrypted`", |row| Cell::Flag(Some(row.metadata.security.encrypted))),
    column("revisions", Kind::Number, "`structure.revisions`", |row| {
        number(u64::from(row.metadata.structure.revisions))
    }),
    column("outcome", Kind::Text, "`integrity.outcome`: `needs_review`, `inconclusive` or `no_findings`", |row| {
        text(&row.outcome())
    }),
    column("verdict", Kind::Text, "`integrity.verdict`", |row| text(&row.metadata.integrity.verdict.to_string())),
    column("reason", Kind::Text, "`integrity.reason.phrase`", |row| {
        Cell::Text(row.metadata.integrity.reason.as_ref().map(|reason| reason.phrase.clone()))
    }),
    column("summary", Kind::Text, "`integrity.summary`", |row| text(&row.metadata.integrity.summary)),
    column("signals", Kind::Texts, "The ids of `integrity.signals`, weightiest first", |row| {
        Cell::Texts(row.metadata.integrity.signals.iter().map(|signal| signal.id.to_string()).collect())
    }),
    column("signatures", Kind::Number, "How many signatures it has", |row| {
        number(row.metadata.integrity.signatures.len() as u64)
    }),
    column("signer", Kind::Text, "The name in the first signature's certificate", |row| {
        Cell::Text(row.first_signature().and_then(|signature| signature.signer.clone()))
    }),
    column("metadata", Kind::Text, "The whole answer as JSON, as `pdf-analysis inspect` prints it", |row| {
        Cell::Text(serde_json::to_string(&row.metadata).ok())
    }),
];

const fn column(name: &'static str, kind: Kind, about: &'static str, cell: fn(&Row) -> Cell) -> Column {
    Column { name, kind, about, cell }
}

fn text(text: &str) -> Cell {
    Cell::Text(Some(text.to_owned()))
}

fn number(number: u64) -> Cell {
    Cell::Number(i64::try_from(number).ok())
}

fn instant<Z: chrono::TimeZone>(instant: Option<&DateTime<Z>>) -> Cell {
    Cell::Number(instant.map(DateTime::timestamp_millis))
}

impl Row {
    fn first_signature(&self) -> Option<&Signature> {
        self.metadata.integrity.signatures.first()
    }

    pub(crate) fn outcome(&self) -> String {
        self.metadata.integrity.outcome.to_string()
    }

    /// The event about the object: the row without texts of the file.
    pub(crate) fn event(&self) -> Value {
        let integrity = &self.metadata.integrity;
        json!({
            "bucket": self.bucket,
            "key": self.object.key,
            "etag": self.object.etag,
            "outcome": self.outcome(),
            "verdict": integrity.verdict,
            "reason": integrity.reason,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::{COLUMNS, SCHEMA};

    /// The columns as `docs/bucket.md` has them.
    fn documented() -> String {
        let mut table = format!("The columns, version {SCHEMA} (`pdf-analysis.schema` in each file's metadata):\n\n");
        table += "| column | type | what it says |\n|---|---|---|\n";
        for column in COLUMNS {
            writeln!(table, "| `{}` | `{}` | {} |", column.name, column.kind.athena(), column.about).unwrap();
        }
        table
    }

    #[test]
    fn the_guide_lists_the_columns() {
        let table = documented();
        let guide = include_str!("../../../docs/bucket.md");
        assert!(guide.contains(&table), "put this into docs/bucket.md:\n\n{table}");
    }
}
