//! What is asked of the list of analyses: a page of it, or a walk from one analysis on to older ones.

use std::fmt::{self, Display, Formatter};
use std::sync::LazyLock;

use engine::Verdict;
use url::form_urlencoded::Serializer;
use utoipa::IntoParams;

use crate::analysis::Summary;
use crate::error::{Error, FieldErrors};
use crate::file_hash::FileHash;
use crate::ids::AnalysisId;
use crate::page::{Meta, PageRequest, single};
use crate::reference::{Reference, ReferenceKey};

/// A part of the list, as asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listing {
    /// A page, counted from the newest analysis.
    Page(PageRequest),
    /// The analyses that follow another one.
    Walk(ListWalk),
}

/// Which analyses a walk picks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filter {
    /// All of them.
    All,
    /// Those that are found by looking at each.
    Picked(Picked),
    /// Those of this file.
    File(FileHash),
    /// Those with this reference.
    Reference(ReferenceKey),
}

/// What is looked for among analyses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picked {
    /// One of these verdicts; any, if it says none.
    pub verdicts: Option<VerdictSet>,
    /// A text that is a part of the name or of the reference, in small letters.
    pub search: Option<String>,
}

impl Picked {
    /// Whether it picks an analysis.
    #[must_use]
    pub fn takes(&self, row: &Summary) -> bool {
        let is_named = |search: &String| {
            let reference = row.reference.as_ref().map(Reference::as_str).unwrap_or_default();
            [&row.filename, reference].iter().any(|text| text.to_lowercase().contains(search))
        };
        self.verdicts.is_none_or(|verdicts| row.verdict.is_some_and(|verdict| verdicts.contains(verdict)))
            && self.search.as_ref().is_none_or(is_named)
    }
}

/// Some of the verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictSet([bool; Verdict::ALL.len()]);

impl VerdictSet {
    /// Those whose names stand here, with commas between them; `None` if one of them is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.split(',').map(|name| name.parse().ok()).collect()
    }

    /// Whether it has this one.
    #[must_use]
    pub fn contains(self, verdict: Verdict) -> bool {
        self.iter().any(|known| known == verdict)
    }

    /// Those that it has, the worst first.
    pub fn iter(self) -> impl Iterator<Item = Verdict> {
        Verdict::ALL.into_iter().zip(self.0).filter_map(|(verdict, is_in)| is_in.then_some(verdict))
    }
}

impl FromIterator<Verdict> for VerdictSet {
    fn from_iter<I: IntoIterator<Item = Verdict>>(verdicts: I) -> Self {
        let verdicts: Vec<Verdict> = verdicts.into_iter().collect();
        Self(Verdict::ALL.map(|verdict| verdicts.contains(&verdict)))
    }
}

impl Display for VerdictSet {
    /// The names with commas between them.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.iter().map(|verdict| verdict.to_string()).collect();
        f.write_str(&names.join(","))
    }
}

/// A walk through the list, from newer to older analyses. Whatever is added meanwhile, it meets each one once.
#[derive(Clone, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListWalk {
    /// Only analyses older than the one with this id, newest first, whatever was added meanwhile. Not together with
    /// `page`. One of your own ids that has been deleted still marks its place.
    #[param(
        value_type = String,
        format = "uuid",
        required = false,
        example = "00000000-0001-8614-bd98-f44607e6fa02"
    )]
    before: Option<AnalysisId>,
    /// Only analyses with one of these verdicts (`metadata.integrity.verdict`), with commas between them. At most 10,000
    /// analyses are looked at for one answer, so it may hold fewer than `per_page`, or none: go on with `next` of `Link` for
    /// as long as there is one. Not together with a `page` other than 1. Analyses stored before verdicts were have none.
    #[param(value_type = Vec<Verdict>, style = Form, explode = false, required = false)]
    verdict: Option<VerdictSet>,
    /// Only analyses with this text in their file's name or in their reference, whether its letters are capital or small; at
    /// most 64 characters. Also together with `verdict`, and under the same rules.
    #[param(value_type = String, required = false, max_length = 64, example = "invoice")]
    search: Option<String>,
    /// Only analyses with this reference, whether its letters are capital or small. Not together with another filter, nor with
    /// a `page` other than 1: go on with `next` of `Link`.
    #[param(value_type = Reference, required = false, example = "CLM-2026-114")]
    reference: Option<Reference>,
    /// Only analyses of the file with this SHA-256 (`metadata.file.sha256`): 64 hexadecimal digits. Under the same rules as
    /// `reference`.
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
    /// Reads `page`, `per_page`, `before` and the filters from a raw query string; other keys are ignored. A filter that is
    /// empty, as a form sends it, counts as none where any text may stand.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a value that cannot be read or is given twice, and for what does not go together.
    pub fn parse(query: &str) -> Result<Self, Error> {
        let mut errors = FieldErrors::default();
        let page = PageRequest::read(query, &mut errors);
        let before = read(query, ("before", NOT_YOURS), AnalysisId::parse, &mut errors);
        let verdict = read(query, ("verdict", &NO_VERDICT), VerdictSet::parse, &mut errors);
        let search = read(query, ("search", NO_SEARCH), search_text, &mut errors).filter(|text| !text.is_empty());
        let or_none = |text: &str| if text.trim().is_empty() { Some(None) } else { Reference::parse(text).map(Some) };
        let reference = read(query, ("reference", NO_REFERENCE), or_none, &mut errors).flatten();
        let sha256 = read(query, ("sha256", NO_HASH), FileHash::parse, &mut errors);
        let looks = verdict.is_some() || search.is_some();
        let filters = usize::from(looks) + usize::from(reference.is_some()) + usize::from(sha256.is_some());
        if filters > 1 {
            let name = if sha256.is_some() { "sha256" } else { "reference" };
            errors.add(name, "must stand alone: the analyses of one file, or with one reference, are few");
        }
        if before.is_some() && single(query, "page", |_| Some(())) != Ok(None) {
            errors.add("page", "must be left out with before: the analyses after that one are asked for, not a page");
        } else if filters > 0 && !page.is_first() {
            errors.add("page", "must be 1 or left out with a filter: go on with the next address of the Link header");
        }
        let walks = before.is_some() || filters > 0;
        let walk = ListWalk { before, verdict, search, reference, sha256, page };
        errors.or(if walks { Self::Walk(walk) } else { Self::Page(page) })
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

/// A parameter that may be given once; what is wrong with it is added to `errors`.
fn read<T>(
    query: &str,
    (key, wrong): (&'static str, &'static str),
    parse: impl FnOnce(&str) -> Option<T>,
    errors: &mut FieldErrors,
) -> Option<T> {
    single(query, key, parse).unwrap_or_else(|()| {
        errors.add(key, wrong);
        None
    })
}

/// A text to look for, in small letters.
fn search_text(text: &str) -> Option<String> {
    (text.chars().count() <= LONGEST_SEARCH).then(|| text.trim().to_lowercase())
}

const LONGEST_SEARCH: usize = 64;
const NO_SEARCH: &str = "must be one text of at most 64 characters";
const NO_REFERENCE: &str = "must be one reference of at most 64 characters, as it was given";
const NO_HASH: &str = "must be the SHA-256 of a file, once: 64 hexadecimal digits, as sha256sum prints them";
const NOT_YOURS: &str = "must be the id of one of your analyses, once, as the list shows it";
static NO_VERDICT: LazyLock<String> = LazyLock::new(|| {
    format!("must be some of {}, with commas between them", Verdict::ALL.map(|verdict| verdict.to_string()).join(", "))
});

impl ListWalk {
    /// A walk of `per_page` (1 to 100) analyses: those older than `before`, or all; with one verdict, or with any.
    ///
    /// # Errors
    /// [`Error::Invalid`] for what is no id or no verdict.
    pub fn of(before: Option<&str>, verdict: Option<&str>, per_page: u64) -> Result<Self, Error> {
        let mut errors = FieldErrors::default();
        let (place, wanted) = (before.and_then(AnalysisId::parse), verdict.and_then(VerdictSet::parse));
        if before.is_some() && place.is_none() {
            errors.add("before", NOT_YOURS);
        }
        if verdict.is_some() && wanted.is_none() {
            errors.add("verdict", &NO_VERDICT);
        }
        let page = PageRequest::first(per_page);
        errors.or(Self { before: place, verdict: wanted, search: None, reference: None, sha256: None, page })
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
        match (&self.reference, self.sha256) {
            (Some(reference), _) => Filter::Reference(reference.key()),
            (None, Some(file)) => Filter::File(file),
            (None, None) if self.verdict.is_none() && self.search.is_none() => Filter::All,
            (None, None) => Filter::Picked(Picked { verdicts: self.verdict, search: self.search.clone() }),
        }
    }

    /// The verdicts that are asked for.
    #[must_use]
    pub fn verdicts(&self) -> Option<VerdictSet> {
        self.verdict
    }

    /// The text that is looked for in names and references: what a person has typed.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.search.as_deref().or(self.reference.as_ref().map(Reference::as_str))
    }

    /// The query that asks for the same from the start.
    #[must_use]
    pub fn query(&self) -> String {
        let mut query = Serializer::new(String::new());
        query.extend_pairs(self.verdict.map(|verdicts| ("verdict", verdicts.to_string())));
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

    use super::Listing;
    use crate::ids::AnalysisId;

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
            (format!("sha256={HASH}&verdict=changed"), "sha256"),
            (format!("sha256={HASH}&reference=7"), "sha256"),
            ("reference=7&search=a".to_owned(), "reference"),
            (format!("reference={}", "x".repeat(65)), "reference"),
            ("reference=7&reference=8".to_owned(), "reference"),
            ("reference=7&page=2".to_owned(), "page"),
            (format!("search={}", "x".repeat(65)), "search"),
            ("verdict=changed,eaten".to_owned(), "verdict"),
        ] {
            let error = Listing::parse(&query).unwrap_err().to_string();
            assert!(error.contains(&format!(" {wrong} must")), "{query}: {error}");
        }
        let shouted = format!("sha256={}", HASH.to_uppercase());
        for good in [format!("before={ID}&per_page=3"), "verdict=no_signs&page=1".to_owned(), shouted] {
            assert!(matches!(Listing::parse(&good), Ok(Listing::Walk(_))), "{good}");
        }
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
