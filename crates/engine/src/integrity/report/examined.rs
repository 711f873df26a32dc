//! How much of the file was examined.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use pdf_content::hidden::report::ExaminedContent;

/// What was examined.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct Examined {
    /// How completely revisions were compared: `newest` if some changes could not be compared or understood, or reach a
    /// limit; `none` in a damaged file.
    pub revisions: ExaminedRevisions,
    /// Numbers of later revisions that are not canonical: written again from what was parsed, they have other bytes (7.5).
    #[serde(default)]
    #[schema(required = true)]
    pub saves: Vec<u32>,
    /// Which bytes were read.
    pub bytes: ExaminedBytes,
    /// How much of the page content was examined.
    #[serde(default)]
    pub content: ExaminedContent,
}

/// How completely revisions were compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExaminedRevisions {
    /// Every one.
    All,
    /// Some changes were not fully compared: a limit was reached, or a part cannot be read as the rules compare it.
    Newest,
    /// None: the file is damaged.
    #[default]
    None,
}

/// Which bytes were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExaminedBytes {
    /// All signed bytes.
    All,
    /// Only the byte ranges needed.
    Needed,
}
