//! Analyses and comparisons as the API shows them.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::ids::AnalysisId;
use crate::quota;
use crate::reference::Reference;
use crate::related_analyses::RelatedAnalyses;
use engine::{Comparison, DecidingReason, Metadata, Outcome, Relation, Verdict};

/// One row of the list of analyses.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = AnalysisSummary)]
pub struct Summary {
    /// The analysis id (share token).
    #[schema(value_type = String, format = "uuid")]
    pub id: AnalysisId,
    /// The uploaded file's cleaned name; of a comparison, that of the later file.
    pub filename: String,
    /// The earlier file; present only for a comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub compared_with: Option<ComparedWith>,
    /// The caller's name for the case that it belongs to.
    pub reference: Option<Reference>,
    /// Bytes.
    pub file_size: u64,
    /// `1.00 MB` (1 MB = 1,048,576 bytes).
    pub file_size_formatted: String,
    /// `metadata.integrity.verdict`; null in analyses stored before verdicts existed, and for a comparison.
    pub verdict: Option<Verdict>,
    /// `metadata.integrity.outcome`, the action that the verdict asks for; null where `verdict` is.
    pub outcome: Option<Outcome>,
    /// `metadata.integrity.reason`; null if nothing was found, and in analyses stored before reasons existed.
    pub reason: Option<DecidingReason>,
    /// ISO 8601, UTC, `Z`.
    #[schema(format = DateTime)]
    pub analyzed_at: String,
}

/// A stored analysis with its metadata.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Analysis {
    /// The analysis id (share token).
    #[schema(value_type = String, format = "uuid")]
    pub id: AnalysisId,
    /// The uploaded file's cleaned name.
    pub filename: String,
    /// The caller's name for the case that it belongs to: the `reference` sent with the file.
    pub reference: Option<Reference>,
    /// Bytes.
    pub file_size: u64,
    /// `1.00 MB` (1 MB = 1,048,576 bytes).
    pub file_size_formatted: String,
    /// The extracted metadata, as of the time of the analysis.
    #[schema(value_type = Metadata)]
    pub metadata: Box<RawValue>,
    /// The account's other analyses of the same file and document, as of the time of the analysis. Null in analyses stored
    /// before this key existed, and in downloads from a share link: it is for the owner only.
    #[schema(value_type = Option<RelatedAnalyses>)]
    pub seen: Option<Box<RawValue>>,
    /// ISO 8601, UTC, `Z`.
    #[schema(format = DateTime)]
    pub analyzed_at: String,
}

/// The comparison of an entry of the list.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct ComparedWith {
    /// The earlier file's cleaned name.
    pub filename: String,
    /// `comparison.relation`.
    pub relation: Option<Relation>,
}

/// A stored comparison of two files.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ComparedFiles {
    /// The id (share token), one of an analysis.
    #[schema(value_type = String, format = "uuid")]
    pub id: AnalysisId,
    /// The earlier file and the later one.
    #[schema(value_type = [ComparedFile; 2])]
    pub files: Box<RawValue>,
    /// The caller's name for the case that they belong to.
    pub reference: Option<Reference>,
    /// The comparison.
    #[schema(value_type = Comparison)]
    pub comparison: Box<RawValue>,
    /// ISO 8601, UTC, `Z`.
    #[schema(format = DateTime)]
    pub analyzed_at: String,
}

/// One of the two files.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct ComparedFile {
    /// Its cleaned name.
    pub filename: String,
    /// Bytes.
    pub file_size: u64,
    /// Its SHA-256 in hexadecimal digits; null if not known.
    pub sha256: Option<String>,
}

/// A row of the list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Entry {
    /// One file.
    Analysis(Analysis),
    /// Two files.
    Comparison(ComparedFiles),
}

/// The stored result.
#[derive(Clone, Debug)]
pub enum StoredFinding {
    /// Of one file.
    Analysis {
        /// Its metadata.
        metadata: Box<RawValue>,
        /// Other analyses of the file and the document.
        seen: Option<Box<RawValue>>,
    },
    /// Of two.
    Comparison {
        /// Which they are.
        files: Box<RawValue>,
        /// The comparison.
        comparison: Box<RawValue>,
    },
}

impl StoredFinding {
    /// Its cost in the day's quota.
    #[must_use]
    pub fn checks(&self) -> u64 {
        match self {
            Self::Analysis { .. } => quota::ANALYSIS,
            Self::Comparison { .. } => quota::COMPARISON,
        }
    }
}

impl Entry {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> AnalysisId {
        match self {
            Self::Analysis(analysis) => analysis.id,
            Self::Comparison(compared) => compared.id,
        }
    }

    /// Removes the account's private fields.
    #[must_use]
    pub fn for_others(self) -> Self {
        match self {
            Self::Analysis(analysis) => Self::Analysis(Analysis { reference: None, seen: None, ..analysis }),
            Self::Comparison(compared) => Self::Comparison(ComparedFiles { reference: None, ..compared }),
        }
    }
}

impl Summary {
    /// The complete entry, with its finding.
    #[must_use]
    pub fn with(self, finding: StoredFinding) -> Entry {
        let Self { id, filename, reference, file_size, file_size_formatted, analyzed_at, .. } = self;
        match finding {
            StoredFinding::Analysis { metadata, seen } => Entry::Analysis(Analysis {
                id,
                filename,
                reference,
                file_size,
                file_size_formatted,
                metadata,
                seen,
                analyzed_at,
            }),
            StoredFinding::Comparison { files, comparison } => {
                Entry::Comparison(ComparedFiles { id, files, reference, comparison, analyzed_at })
            }
        }
    }
}

/// Keys of the metadata that analyses stored by earlier versions lack.
pub const LATER_KEYS: [&str; 4] = ["file", "integrity", "hidden", "engine"];

/// Stored metadata for an answer: missing [`LATER_KEYS`] are null.
///
/// # Errors
/// When it is no JSON object.
pub fn completed(stored: &str) -> serde_json::Result<Box<RawValue>> {
    let keys: BTreeMap<String, IgnoredAny> = serde_json::from_str(stored)?;
    let missing: Vec<_> = LATER_KEYS.iter().filter(|key| !keys.contains_key(**key)).collect();
    let Some(open) = stored.trim_end().strip_suffix('}').filter(|_| !missing.is_empty()) else {
        return RawValue::from_string(stored.to_owned());
    };
    let nulls: Vec<_> = missing.iter().map(|key| format!("\"{key}\":null")).collect();
    let comma = if keys.is_empty() { "" } else { "," };
    RawValue::from_string(format!("{open}{comma}{}}}", nulls.join(",")))
}

/// A size for people: two decimals and a unit in steps of 1,024, never `1024.00`.
#[must_use]
pub fn format_size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["B", "KB", "MB", "GB"];
    let mut power = 0;
    // hundredths of the unit, rounded half up, so that the choice of unit sees the rounded value
    let mut hundredths = u128::from(bytes) * 100;
    while hundredths >= 1024 * 100 && power + 1 < UNITS.len() {
        power += 1;
        let step = 1u128 << (10 * power);
        hundredths = (u128::from(bytes) * 100 + step / 2) / step;
    }
    let unit = UNITS.get(power).unwrap_or(&"B");
    format!("{}.{:02} {unit}", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{completed, format_size};

    #[test]
    fn what_stored_metadata_lacks_is_null() {
        for (stored, answered) in [
            (r#"{}"#, r#"{"file":null,"integrity":null,"hidden":null,"engine":null}"#),
            (
                r#"{"xmp":{"engine":1}}"#,
                r#"{"xmp":{"engine":1},"file":null,"integrity":null,"hidden":null,"engine":null}"#,
            ),
            (r#"{"engine":2, "a":"}" } "#, r#"{"engine":2, "a":"}" ,"file":null,"integrity":null,"hidden":null}"#),
            (
                r#"{"integrity":null,"hidden":0,"engine":1,"file":{}}"#,
                r#"{"integrity":null,"hidden":0,"engine":1,"file":{}}"#,
            ),
        ] {
            assert_eq!(completed(stored).unwrap().get(), answered);
        }
        for malformed in ["", "[]", "null", "{", r#"{"a":1"#] {
            assert!(completed(malformed).is_err(), "{malformed}");
        }
    }

    #[test]
    fn sizes_read_as_the_specification_says() {
        for (bytes, text) in [
            (0, "0.00 B"),
            (1, "1.00 B"),
            (1023, "1023.00 B"),
            (1024, "1.00 KB"),
            (1536, "1.50 KB"),
            (1_048_570, "1023.99 KB"),
            (1_048_575, "1.00 MB"),
            (1_048_576, "1.00 MB"),
            (104_857_600, "100.00 MB"),
            (1_073_741_823, "1.00 GB"),
            (1_073_741_824, "1.00 GB"),
        ] {
            assert_eq!(format_size(bytes), text, "{bytes}");
        }
    }

    proptest! {
        #[test]
        fn no_size_below_a_terabyte_reads_1024(bytes in 0u64..1 << 40) {
            prop_assert!(!format_size(bytes).starts_with("1024."));
        }
    }
}
