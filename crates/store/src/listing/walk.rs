//! A walk from one entry of the list to older ones: where it starts, what it meets, and how it goes on.

use engine::{Outcome, Verdict};
use url::form_urlencoded::Serializer;
use utoipa::IntoParams;

use super::filters::{Filters, VerdictSet};
use super::kind::{EntryKind, KindParameter};
use crate::file_hash::FileHash;
use crate::ids::AnalysisId;
use crate::page::{Meta, PageRequest};
use crate::reference::{Reference, ReferenceKey};

/// The range of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// All entries.
    All,
    /// Entries of this file.
    File(FileHash),
    /// Entries with this reference.
    Reference(ReferenceKey),
}

/// A walk through the list, from newer to older entries. Each entry is returned once, even if others are added meanwhile.
#[derive(Clone, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListWalk {
    /// The kind of entries: only analyses, unless it is `comparison` or `all`. A comparison has no `metadata`.
    #[param(value_type = EntryKind, rename = "kind", required = false, default = "analysis")]
    pub(super) asked: KindParameter,
    /// Only analyses older than the one with this id, newest first, unaffected by later additions. Not together with
    /// `page`. The id of a deleted analysis of your own still works.
    #[param(
        value_type = String,
        format = "uuid",
        required = false,
        example = "00000000-0001-8614-bd98-f44607e6fa02"
    )]
    pub(super) before: Option<AnalysisId>,
    /// Only analyses with one of these verdicts (`metadata.integrity.verdict`), separated by commas. One answer
    /// examines at most 10,000 analyses, so it may have fewer entries than `per_page`, or none: follow `next` of `Link`
    /// while there is one. Not together with a `page` other than 1. Analyses stored before verdicts existed have none.
    #[param(value_type = Vec<Verdict>, style = Form, explode = false, required = false)]
    pub(super) verdict: Option<VerdictSet>,
    /// Only analyses with this outcome (`metadata.integrity.outcome`). The limits of `verdict` apply.
    #[param(value_type = Outcome, required = false)]
    pub(super) outcome: Option<Outcome>,
    /// Only analyses with this text in their file name or reference, ignoring case; at most 64 characters. The limits
    /// of `verdict` apply.
    #[param(value_type = String, required = false, max_length = 64, example = "invoice")]
    pub(super) search: Option<String>,
    /// Only analyses with this reference, ignoring case. Filters combine: entries match all of them. Not together with
    /// a `page` other than 1: follow `next` of `Link`.
    #[param(value_type = Reference, required = false, example = "CLM-2026-114")]
    pub(super) reference: Option<Reference>,
    /// Only analyses of the file with this SHA-256 (`metadata.file.sha256`): 64 hexadecimal digits. The limits of
    /// `reference` apply.
    #[param(
        value_type = String,
        required = false,
        min_length = 64,
        max_length = 64,
        pattern = "^[0-9A-Fa-f]{64}$",
        example = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )]
    pub(super) sha256: Option<FileHash>,
    #[param(ignore)]
    pub(super) page: PageRequest,
}

impl ListWalk {
    /// The analysis before which it starts.
    #[must_use]
    pub fn before(&self) -> Option<AnalysisId> {
        self.before
    }

    /// The newest number of the walk if `given` numbers exist; 0 if there is none.
    #[must_use]
    pub fn newest(&self, given: u64) -> u64 {
        self.before.map_or(given, |id| id.number().saturating_sub(1).min(given))
    }

    /// The smallest range of entries that can be selected by key.
    #[must_use]
    pub fn within(&self) -> Within {
        match (self.sha256, &self.reference) {
            (Some(file), _) => Within::File(file),
            (None, Some(reference)) => Within::Reference(reference.key()),
            (None, None) => Within::All,
        }
    }

    /// Its filters.
    #[must_use]
    pub fn picked(&self) -> Filters {
        Filters {
            kind: self.asked.kind,
            verdicts: self.verdict,
            outcome: self.outcome,
            search: self.search.clone(),
            reference: self.reference.as_ref().map(Reference::key),
        }
    }

    /// The requested verdicts.
    #[must_use]
    pub fn verdicts(&self) -> Option<VerdictSet> {
        self.verdict
    }

    /// The requested outcome.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The search text as entered.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.search.as_deref().or(self.reference.as_ref().map(Reference::as_str))
    }

    /// The query of the same walk from the start.
    #[must_use]
    pub fn query(&self) -> String {
        let mut query = Serializer::new(String::new());
        query.extend_pairs(self.asked.pair());
        query.extend_pairs(self.verdict.map(|verdicts| ("verdict", verdicts.to_string())));
        query.extend_pairs(self.outcome.map(|outcome| ("outcome", outcome.to_string())));
        query.extend_pairs(self.search.iter().map(|text| ("search", text)));
        query.extend_pairs(self.reference.iter().map(|reference| ("reference", reference.as_str())));
        query.extend_pairs(self.sha256.map(|file| ("sha256", file.to_string())));
        query.append_pair("per_page", &self.per_page().to_string()).finish()
    }

    /// Rows of an answer.
    #[must_use]
    pub fn per_page(&self) -> u64 {
        self.page.per_page()
    }

    /// The position of the walk in the complete list, after `passed` newer analyses: the page of the newest analysis
    /// read.
    #[must_use]
    pub fn meta(&self, passed: u64, total: u64) -> Meta {
        Meta { current_page: passed / self.per_page() + 1, ..self.page.meta(total) }
    }

    /// The `Link` header: the start of the walk through the list at `path`, and its continuation after `last`.
    #[must_use]
    pub fn links(&self, path: &str, last: Option<AnalysisId>) -> String {
        let rest = self.query();
        let first = format!("<{path}?{rest}>; rel=\"first\"");
        match last {
            Some(id) => format!("{first}, <{path}?before={id}&{rest}>; rel=\"next\""),
            None => first,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::ids::AnalysisId;
    use crate::listing::{EntryKind, Listing};

    const ID: &str = "00000000-0007-8614-bd98-f44607e6fa02";
    const HASH: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn links_lead_on_and_back_to_the_start() {
        let Ok(Listing::Walk(walk)) =
            Listing::parse(&format!("before={ID}&verdict=changed&per_page=3"), EntryKind::Analysis)
        else {
            panic!("a walk")
        };
        assert_eq!(walk.links("/pdf", None), "</pdf?verdict=changed&per_page=3>; rel=\"first\"");
        assert_eq!(
            walk.links("/pdf", AnalysisId::parse(ID)),
            format!(
                "</pdf?verdict=changed&per_page=3>; rel=\"first\", \
                 </pdf?before={ID}&verdict=changed&per_page=3>; rel=\"next\""
            )
        );
        let Ok(Listing::Walk(of_file)) =
            Listing::parse(&format!("sha256={HASH}&kind=all&per_page=3"), EntryKind::Analysis)
        else {
            panic!("a walk")
        };
        assert_eq!(of_file.links("/pdf", None), format!("</pdf?kind=all&sha256={HASH}&per_page=3>; rel=\"first\""));
        let meta = walk.meta(7, 13);
        assert_eq!((meta.current_page, meta.last_page, meta.total), (3, 5, 13));
    }

    proptest! {
        #[test]
        fn a_walk_starts_within_the_list(number in 0u64..1 << 48, given: u64, per_page in 1u64..=100) {
            let query = format!("before={}&per_page={per_page}", AnalysisId::new(number));
            let Ok(Listing::Walk(walk)) = Listing::parse(&query, EntryKind::All) else { panic!("a walk") };
            prop_assert!(walk.newest(given) <= given && walk.newest(given) <= number);
            prop_assert!(walk.meta(given, given).current_page >= 1);
        }
    }
}
