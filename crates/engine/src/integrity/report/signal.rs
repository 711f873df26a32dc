//! A signal as reported, with the evidence for it and which of its texts are public.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::integrity::signal::{Basis, SignalId, Strength};
use pdf_content::Rectangle;

/// A finding about whether the file was changed.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Signal {
    /// Its id; ids are never renamed or reused.
    pub id: SignalId,
    /// Its strength.
    pub strength: Strength,
    /// Its basis.
    pub basis: Basis,
    /// Its meaning in one sentence.
    pub summary: String,
    /// Its evidence; at most 10 places.
    pub evidence: Vec<Evidence>,
    /// The number of all places.
    pub evidence_total: u32,
}

/// A place that shows a signal. A key that does not apply is null. Texts have at most 200 characters.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize, ToSchema)]
#[serde(default)]
pub struct Evidence {
    /// Number of the revision.
    pub revision: Option<u32>,
    /// Number of the object.
    pub object: Option<u32>,
    /// Number of the page, from 1.
    pub page: Option<u32>,
    /// What it is: a key, a field's name, a kind of annotation.
    pub place: Option<String>,
    /// The previous text, or the text of one place.
    pub before: Option<String>,
    /// The current text, or the text of the other place.
    pub after: Option<String>,
    /// Its place on the page: left, bottom, right and top in points before rotation, from the corner of the crop box
    /// (14.11.2).
    #[schema(value_type = Option<[f64; 4]>)]
    pub r#box: Option<Rectangle>,
    /// Which of its texts readers other than the owner see; the others are null for them.
    #[serde(default = "PublicTexts::legacy_default")]
    pub public: PublicTexts,
}

/// Which texts of a piece of evidence are public.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PublicTexts {
    /// Neither.
    #[default]
    None,
    /// The current text, which the newest pages show, or its absence.
    Now,
    /// Also the text that it replaced; and metadata.
    Both,
}

impl PublicTexts {
    /// The value of evidence that was stored without this field: complete.
    fn legacy_default() -> Self {
        Self::Both
    }
}

impl Evidence {
    /// Evidence of a place with two texts.
    pub(crate) fn of(place: impl Into<String>, before: Option<&str>, after: Option<&str>) -> Self {
        let (before, after) = (before.map(str::to_owned), after.map(str::to_owned));
        Self { place: Some(place.into()), before, after, ..Self::default() }
    }

    /// Whether the previous text was withheld, or may have been.
    #[must_use]
    pub fn lacks_before(&self) -> bool {
        let is_left_out = match self.public {
            PublicTexts::Both => false,
            PublicTexts::Now => true,
            PublicTexts::None => self.after.is_none(),
        };
        self.before.is_none() && is_left_out
    }

    /// Whether the current text was withheld.
    #[must_use]
    pub fn lacks_after(&self) -> bool {
        self.after.is_none() && self.public == PublicTexts::None
    }
}
