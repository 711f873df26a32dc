//! Queries of the list of analyses: a page, or a walk from one analysis to older ones.

mod filters;
mod kind;
mod parameter;
mod walk;

use url::form_urlencoded::Serializer;

use crate::error::{Error, FieldErrors};
use crate::file_hash::FileHash;
use crate::ids::AnalysisId;
use crate::page::{PageRequest, single};
use crate::reference::Reference;
use filters::search_text;
pub use filters::{Filters, VerdictSet};
pub use kind::EntryKind;
use kind::KindParameter;
pub(crate) use parameter::not_yours;
use parameter::{NO_HASH, NO_KIND, NO_OUTCOME, NO_REFERENCE, NO_SEARCH, NO_VERDICT, NOT_YOURS, read};
pub use walk::{ListWalk, Within};

/// The requested part of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listing {
    /// A page, counted from the newest entry.
    Page(ListPage),
    /// The analyses that follow another one.
    Walk(ListWalk),
}

/// A page of entries of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListPage {
    asked: KindParameter,
    page: PageRequest,
}

impl ListPage {
    /// The kind of its entries.
    #[must_use]
    pub fn kind(&self) -> EntryKind {
        self.asked.kind
    }

    /// The page's number and size.
    #[must_use]
    pub fn page(&self) -> PageRequest {
        self.page
    }

    /// The `Link` header: first, prev, next and last of the list at `path`.
    #[must_use]
    pub fn links(&self, path: &str, total: u64) -> String {
        let kind = self.asked.pair().map(|(name, kind)| format!("&{name}={kind}")).unwrap_or_default();
        self.page.links(path, &kind, total)
    }
}

impl Listing {
    /// Reads `page`, `per_page`, `before`, `kind` and the filters from a raw query string; other keys are ignored. An
    /// empty text filter, as forms send it, is ignored. Without `kind` it is the `usual` one.
    ///
    /// # Errors
    /// [`Error::Invalid`] for invalid or repeated values, and for parameters that exclude each other.
    pub fn parse(query: &str, usual: EntryKind) -> Result<Self, Error> {
        let mut errors = FieldErrors::default();
        let page = PageRequest::read(query, &mut errors);
        let kind = read(query, ("kind", NO_KIND), EntryKind::parse, &mut errors).unwrap_or(usual);
        let asked = KindParameter { kind, usual };
        let before = read(query, ("before", NOT_YOURS), AnalysisId::parse, &mut errors);
        let verdict = read(query, ("verdict", &NO_VERDICT), VerdictSet::parse, &mut errors);
        let outcome = read(query, ("outcome", NO_OUTCOME), |text| text.parse().ok(), &mut errors);
        let search = read(query, ("search", NO_SEARCH), search_text, &mut errors).filter(|text| !text.is_empty());
        let or_none = |text: &str| if text.trim().is_empty() { Some(None) } else { Reference::parse(text).map(Some) };
        let reference = read(query, ("reference", NO_REFERENCE), or_none, &mut errors).flatten();
        let sha256 = read(query, ("sha256", NO_HASH), FileHash::parse, &mut errors);
        let by_answer = verdict.is_some() || outcome.is_some();
        let is_filtered = by_answer || search.is_some() || reference.is_some() || sha256.is_some();
        if before.is_some() && single(query, "page", |_| Some(())) != Ok(None) {
            errors.add("page", "must be left out with before: the analyses after that one are asked for, not a page");
        } else if is_filtered && !page.is_first() {
            errors.add("page", "must be 1 or left out with a filter: go on with the next address of the Link header");
        }
        let walks = before.is_some() || is_filtered;
        let walk = ListWalk { asked, before, verdict, outcome, search, reference, sha256, page };
        errors.or(if walks { Self::Walk(walk) } else { Self::Page(ListPage { asked, page }) })
    }

    /// The analysis before which a walk starts.
    #[must_use]
    pub fn before(&self) -> Option<AnalysisId> {
        match self {
            Self::Page(_) => None,
            Self::Walk(walk) => walk.before,
        }
    }
}

impl ListWalk {
    /// A walk of `per_page` (1 to 100) entries of both kinds with these parameters, named as in a query; by default
    /// from the newest one.
    ///
    /// # Errors
    /// Those of [`Listing::parse`].
    pub fn of<'a>(named: impl IntoIterator<Item = (&'a str, &'a str)>, per_page: u64) -> Result<Self, Error> {
        let mut query = Serializer::new(String::new());
        let query = query.extend_pairs(named).append_pair("per_page", &per_page.to_string()).finish();
        Ok(match Listing::parse(&query, EntryKind::All)? {
            Listing::Walk(walk) => walk,
            Listing::Page(ListPage { asked, page }) => Self {
                asked,
                before: None,
                verdict: None,
                outcome: None,
                search: None,
                reference: None,
                sha256: None,
                page,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{EntryKind, Listing};

    const ID: &str = "00000000-0007-8614-bd98-f44607e6fa02";
    const HASH: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn a_walk_stands_alone() {
        for (query, wrong) in [
            (format!("before={ID}&page=1"), "page"),
            (format!("before={ID}&page="), "page"),
            (format!("before={ID}&verdict=changed&page=1"), "page"),
            ("verdict=changed&page=2".to_owned(), "page"),
            (format!("before={ID}&before={ID}"), "before"),
            ("before=".to_owned(), "before"),
            ("before=7".to_owned(), "before"),
            (format!("before={}", ID.to_uppercase()), "before"),
            ("verdict=".to_owned(), "verdict"),
            ("verdict=Changed".to_owned(), "verdict"),
            ("verdict=changed&verdict=changed".to_owned(), "verdict"),
            ("verdict=changed&per_page=0".to_owned(), "per_page"),
            ("sha256=".to_owned(), "sha256"),
            (format!("sha256={}", &HASH[1..]), "sha256"),
            (format!("sha256={HASH}&sha256={HASH}"), "sha256"),
            (format!("sha256={HASH}&page=2"), "page"),
            ("kind=".to_owned(), "kind"),
            ("kind=comparisons".to_owned(), "kind"),
            ("kind=all&kind=all".to_owned(), "kind"),
            (format!("reference={}", "x".repeat(65)), "reference"),
            ("reference=7&reference=8".to_owned(), "reference"),
            ("reference=7&page=2".to_owned(), "page"),
            (format!("search={}", "x".repeat(65)), "search"),
            ("verdict=changed,eaten".to_owned(), "verdict"),
            ("outcome=".to_owned(), "outcome"),
            ("outcome=changed".to_owned(), "outcome"),
            ("outcome=inconclusive&outcome=inconclusive".to_owned(), "outcome"),
            ("outcome=inconclusive&page=2".to_owned(), "page"),
        ] {
            let error = Listing::parse(&query, EntryKind::Analysis).unwrap_err().to_string();
            assert!(error.contains(&format!(" {wrong} must")), "{query}: {error}");
        }
        let shouted = format!("sha256={}", HASH.to_uppercase());
        for good in [format!("before={ID}&per_page=3"), "verdict=no_signs&page=1".to_owned(), shouted] {
            assert!(matches!(Listing::parse(&good, EntryKind::Analysis), Ok(Listing::Walk(_))), "{good}");
        }
    }
}
