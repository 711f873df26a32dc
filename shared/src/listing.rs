//! What is asked of the list of analyses: a page of it, or a walk from one analysis on to older ones.

use engine::Verdict;
use utoipa::IntoParams;

use crate::error::{Error, FieldErrors};
use crate::file_hash::FileHash;
use crate::ids::AnalysisId;
use crate::page::{Meta, PageRequest, single};
use crate::verdict;

/// A part of the list, as asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listing {
    /// A page, counted from the newest analysis.
    Page(PageRequest),
    /// The analyses that follow another one.
    Walk(Walk),
}

/// Which analyses a walk picks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// All of them.
    All,
    /// Those with this verdict.
    Verdict(Verdict),
    /// Those of this file.
    File(FileHash),
}

/// A walk through the list, from newer to older analyses. Whatever is added meanwhile, it meets each one once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Walk {
    /// Only analyses older than the one with this id, newest first, whatever was added meanwhile. Not together with
    /// `page`. One of your own ids that has been deleted still marks its place.
    #[param(
        value_type = String,
        format = "uuid",
        required = false,
        example = "00000000-0001-8614-bd98-f44607e6fa02"
    )]
    before: Option<AnalysisId>,
    /// Only analyses with this verdict (`metadata.integrity.verdict`). At most 1,000 analyses are looked at for one
    /// answer, so it may hold fewer than `per_page`, or none: go on with `next` of `Link` for as long as there is one.
    /// Not together with a `page` other than 1. Analyses stored before verdicts were have none.
    #[param(value_type = Verdict, required = false)]
    verdict: Option<Verdict>,
    /// Only analyses of the file with this SHA-256 (`metadata.file.sha256`): 64 hexadecimal digits. Not together with
    /// `verdict`, nor with a `page` other than 1: go on with `next` of `Link`.
    #[param(
        value_type = String,
        required = false,
        min_length = 64,
        max_length = 64,
        pattern = "^[0-9A-Fa-f]{64}$",
        example = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )]
    sha256: Option<FileHash>,
    #[param(ignore)]
    page: PageRequest,
}

impl Listing {
    /// Reads `page`, `per_page`, `before`, `verdict` and `sha256` from a raw query string; other keys are ignored.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a value that cannot be read or is given twice, and for what does not go together.
    pub fn parse(query: &str) -> Result<Self, Error> {
        let mut errors = FieldErrors::default();
        let page = PageRequest::read(query, &mut errors);
        let before = single(query, "before", AnalysisId::parse).unwrap_or_else(|()| {
            errors.add("before", NOT_YOURS);
            None
        });
        let verdict = single(query, "verdict", verdict::parse).unwrap_or_else(|()| {
            errors.add("verdict", NO_VERDICT);
            None
        });
        let sha256 = single(query, "sha256", FileHash::parse).unwrap_or_else(|()| {
            errors
                .add("sha256", "must be the SHA-256 of a file, once: 64 hexadecimal digits, as sha256sum prints them");
            None
        });
        if verdict.is_some() && sha256.is_some() {
            errors.add("verdict", "must be left out with sha256: the analyses of one file are few");
        }
        if before.is_some() && single(query, "page", |_| Some(())) != Ok(None) {
            errors.add("page", "must be left out with before: the analyses after that one are asked for, not a page");
        } else if (verdict.is_some() || sha256.is_some()) && !page.is_first() {
            let reason = "must be 1 or left out with verdict or sha256: go on with the next address of the Link header";
            errors.add("page", reason);
        }
        let walks = before.is_some() || verdict.is_some() || sha256.is_some();
        errors.or(if walks { Self::Walk(Walk { before, verdict, sha256, page }) } else { Self::Page(page) })
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

const NOT_YOURS: &str = "must be the id of one of your analyses, once, as the list shows it";
const NO_VERDICT: &str = "must be one of changed, signs_of_change, no_signs, unchanged_since_signing, \
    permitted_changes_since_signing, changed_since_signing, undetermined";

impl Walk {
    /// A walk of `per_page` (1 to 100) analyses: those older than `before`, or all; with one verdict, or with any.
    ///
    /// # Errors
    /// [`Error::Invalid`] for what is no id or no verdict.
    pub fn of(before: Option<&str>, verdict: Option<&str>, per_page: u64) -> Result<Self, Error> {
        let mut errors = FieldErrors::default();
        let (place, wanted) = (before.and_then(AnalysisId::parse), verdict.and_then(verdict::parse));
        if before.is_some() && place.is_none() {
            errors.add("before", NOT_YOURS);
        }
        if verdict.is_some() && wanted.is_none() {
            errors.add("verdict", NO_VERDICT);
        }
        errors.or(Self { before: place, verdict: wanted, sha256: None, page: PageRequest::first(per_page) })
    }

    /// The analysis before which it starts.
    #[must_use]
    pub fn before(&self) -> Option<AnalysisId> {
        self.before
    }

    /// The running number to look down from, of those that were `given`; 0 if none is left.
    #[must_use]
    pub fn newest(&self, given: u64) -> u64 {
        self.before.map_or(given, |id| id.number().saturating_sub(1).min(given))
    }

    /// What is asked for.
    #[must_use]
    pub fn filter(&self) -> Filter {
        match (self.verdict, self.sha256) {
            (Some(verdict), _) => Filter::Verdict(verdict),
            (None, Some(file)) => Filter::File(file),
            (None, None) => Filter::All,
        }
    }

    /// The query that asks for the same from the start.
    #[must_use]
    pub fn query(&self) -> String {
        let filter = match self.filter() {
            Filter::All => String::new(),
            Filter::Verdict(verdict) => format!("verdict={}&", verdict::name(verdict)),
            Filter::File(file) => format!("sha256={file}&"),
        };
        format!("{filter}per_page={}", self.per_page())
    }

    /// Rows of an answer.
    #[must_use]
    pub fn per_page(&self) -> u64 {
        self.page.per_page()
    }

    /// Where in the whole list the walk is, that has `passed` so many newer analyses: on the page of the newest
    /// analysis looked at.
    #[must_use]
    pub fn meta(&self, passed: u64, total: u64) -> Meta {
        Meta { current_page: passed / self.per_page() + 1, ..self.page.meta(total) }
    }

    /// The `Link` header: the start of the walk through the list at `path`, and how it goes on after `last`.
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

/// What is wrong with an id that marks no place in the caller's list.
pub(crate) fn not_yours() -> Error {
    Error::Invalid(FieldErrors::one("before", NOT_YOURS))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Listing, NO_VERDICT};
    use crate::ids::AnalysisId;
    use crate::verdict::{VERDICTS, name};

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
            (format!("sha256={HASH}&verdict=changed"), "verdict"),
        ] {
            let error = Listing::parse(&query).unwrap_err().to_string();
            assert!(error.contains(&format!(" {wrong} must")), "{query}: {error}");
        }
        let shouted = format!("sha256={}", HASH.to_uppercase());
        for good in [format!("before={ID}&per_page=3"), "verdict=no_signs&page=1".to_owned(), shouted] {
            assert!(matches!(Listing::parse(&good), Ok(Listing::Walk(_))), "{good}");
        }
        assert!(VERDICTS.iter().all(|verdict| NO_VERDICT.contains(name(*verdict))));
    }

    #[test]
    fn links_lead_on_and_back_to_the_start() {
        let Ok(Listing::Walk(walk)) = Listing::parse(&format!("before={ID}&verdict=changed&per_page=3")) else {
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
        let Ok(Listing::Walk(of_file)) = Listing::parse(&format!("sha256={HASH}&per_page=3")) else { panic!("a walk") };
        assert_eq!(of_file.links("/pdf", None), format!("</pdf?sha256={HASH}&per_page=3>; rel=\"first\""));
        let meta = walk.meta(7, 13);
        assert_eq!((meta.current_page, meta.last_page, meta.total), (3, 5, 13));
    }

    proptest! {
        #[test]
        fn a_walk_starts_within_the_list(number in 0u64..1 << 48, given: u64, per_page in 1u64..=100) {
            let query = format!("before={}&per_page={per_page}", AnalysisId::new(number));
            let Ok(Listing::Walk(walk)) = Listing::parse(&query) else { panic!("a walk") };
            prop_assert!(walk.newest(given) <= given && walk.newest(given) <= number);
            prop_assert!(walk.meta(given, given).current_page >= 1);
        }
    }
}
