//! The verdict, the outcome that follows from it, and the deciding reason.

use std::fmt;
use std::str::FromStr;

use serde::de::{IntoDeserializer, value};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::integrity::signal::SignalId;

/// The deciding reason.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct DecidingReason {
    /// The signal, one of `because`.
    pub signal: SignalId,
    /// A short phrase that quotes nothing from the file.
    #[schema(max_length = 120)]
    pub phrase: String,
}

/// The result of the examination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Both the original and the changed state are in the file.
    Changed,
    /// What pages draw or hide, what is left of earlier states, or dates that contradict each other show a change.
    SignsOfChange,
    /// Another program wrote the file again, or it was saved again, after it was made; nothing shows that what it says was
    /// changed, which proves nothing.
    SavedAgain,
    /// Nothing was found, which proves nothing.
    NoSigns,
    /// The bytes are those that the holder of a key signed. The holder's identity is a claim.
    UnchangedSinceSigning,
    /// Only changes that the signature permits were made since signing.
    PermittedChangesSinceSigning,
    /// A signature does not match the file, or changes were made since that it does not permit.
    ChangedSinceSigning,
    /// The file could not be examined well enough to say.
    Undetermined,
}

impl Verdict {
    /// All of them, the worst first.
    pub const ALL: [Self; 8] = [
        Self::ChangedSinceSigning,
        Self::Changed,
        Self::SignsOfChange,
        Self::Undetermined,
        Self::PermittedChangesSinceSigning,
        Self::UnchangedSinceSigning,
        Self::SavedAgain,
        Self::NoSigns,
    ];
}

impl fmt::Display for Verdict {
    /// Its name as serialized.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl FromStr for Verdict {
    type Err = value::Error;

    fn from_str(name: &str) -> Result<Self, value::Error> {
        Self::deserialize(name.into_deserializer())
    }
}

/// The action that a verdict asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A person has to review the findings.
    NeedsReview,
    /// The file could not be examined well enough, or its pages are images.
    Inconclusive,
    /// Nothing was found against the file, which proves nothing.
    NoFindings,
}

impl Outcome {
    /// All of them, the most urgent first.
    pub const ALL: [Self; 3] = [Self::NeedsReview, Self::Inconclusive, Self::NoFindings];

    /// The outcome of a verdict. If pages are images, only a signature covers their content.
    #[must_use]
    pub fn of(verdict: Verdict, pages_are_images: bool) -> Self {
        match verdict {
            Verdict::ChangedSinceSigning | Verdict::Changed | Verdict::SignsOfChange => Self::NeedsReview,
            Verdict::Undetermined => Self::Inconclusive,
            Verdict::SavedAgain | Verdict::NoSigns if pages_are_images => Self::Inconclusive,
            Verdict::SavedAgain
            | Verdict::NoSigns
            | Verdict::UnchangedSinceSigning
            | Verdict::PermittedChangesSinceSigning => Self::NoFindings,
        }
    }

    /// The outcome of a verdict with this reason, as stored for lists.
    #[must_use]
    pub fn of_reason(verdict: Verdict, reason: Option<&DecidingReason>) -> Self {
        Self::of(verdict, reason.is_some_and(|reason| reason.signal == SignalId::PagesAreImages))
    }
}

impl fmt::Display for Outcome {
    /// Its name as serialized.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl FromStr for Outcome {
    type Err = value::Error;

    fn from_str(name: &str) -> Result<Self, value::Error> {
        Self::deserialize(name.into_deserializer())
    }
}
