//! Queries of the list of analyses: a page, or a walk from one analysis to older ones.

use std::fmt::{self, Display, Formatter};
use std::sync::LazyLock;

use engine::{Outcome, Verdict};
use unicode_normalization::UnicodeNormalization;
use url::form_urlencoded::Serializer;
use utoipa::{IntoParams, ToSchema};

use crate::analysis::Summary;
use crate::error::{Error, FieldErrors};
use crate::file_hash::FileHash;
use crate::ids::AnalysisId;
use crate::page::{Meta, PageRequest, single};
use crate::reference::{Reference, ReferenceKey};

/// The requested part of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listing {
    /// A page, counted from the newest entry.
    Page(ListPage),
    /// The analyses that follow another one.
    Walk(ListWalk),
}

/// The kinds of entries that a list holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "snake_case")]
pub enum EntryKind {
    /// Analyses of one file: what the specification knows.
    #[default]
    Analysis,
    /// Comparisons of two files.
    Comparison,
    /// Both.
    All,
}

impl EntryKind {
    const ALL: [Self; 3] = [Self::Analysis, Self::Comparison, Self::All];

    fn name(self) -> &'static str {
        match self {
            Self::Analysis => "analysis",
            Self::Comparison => "comparison",
            Self::All => "all",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == text)
    }

    /// The kind in a raw query string; analyses by default.
    ///
    /// # Errors
    /// [`Error::Invalid`] for any other word, and for two.
    pub fn of(query: &str) -> Result<Self, Error> {
        let mut errors = FieldErrors::default();
        let kind = read(query, ("kind", NO_KIND), Self::parse, &mut errors);
        errors.or(kind.unwrap_or_default())
    }

    /// Whether it includes comparisons or analyses.
    #[must_use]
    pub fn takes(self, is_comparison: bool) -> bool {
        match self {
            Self::Analysis => !is_comparison,
            Self::Comparison => is_comparison,
            Self::All => true,
        }
    }
}

/// A kind, and the default kind of the address, which needs no parameter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct KindParameter {
    kind: EntryKind,
    usual: EntryKind,
}

impl KindParameter {
    /// As part of a query.
    fn pair(self) -> Option<(&'static str, &'static str)> {
        (self.kind != self.usual).then(|| ("kind", self.kind.name()))
    }
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

/// The filters of a walk: an entry must match all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    /// Entries of this kind.
    pub kind: EntryKind,
    /// One of these verdicts; any verdict if it is empty.
    pub verdicts: Option<VerdictSet>,
    /// This outcome.
    pub outcome: Option<Outcome>,
    /// A substring of the name or the reference, composed and in lower case.
    pub search: Option<String>,
    /// This reference.
    pub reference: Option<ReferenceKey>,
}

impl Filters {
    /// Whether an entry matches.
    #[must_use]
    pub fn takes(&self, row: &Summary) -> bool {
        let is_of_case = |key: &ReferenceKey| row.reference.as_ref().is_some_and(|reference| reference.key() == *key);
        let is_named = |search: &String| {
            let reference = row.reference.as_ref().map(Reference::as_str).unwrap_or_default();
            [&row.filename, reference].iter().any(|text| folded(text).contains(search))
        };
        self.kind.takes(row.compared_with.is_some())
            && self.reference.as_ref().is_none_or(is_of_case)
            && self.verdicts.is_none_or(|verdicts| row.verdict.is_some_and(|verdict| verdicts.contains(verdict)))
            && self.outcome.is_none_or(|outcome| row.outcome == Some(outcome))
            && self.search.as_ref().is_none_or(is_named)
    }
}

impl Filters {
    /// The verdicts that match, and whether pages must or must not be images.
    pub(crate) fn wanted(&self) -> Vec<(Verdict, Option<bool>)> {
        let asked =
            Verdict::ALL.into_iter().filter(|verdict| self.verdicts.is_none_or(|asked| asked.contains(*verdict)));
        let has = |verdict, is_image| self.outcome.is_none_or(|outcome| Outcome::of(verdict, is_image) == outcome);
        let wanted = asked.filter_map(|verdict| match (has(verdict, true), has(verdict, false)) {
            (true, true) => Some((verdict, None)),
            (false, false) => None,
            (is_image, _) => Some((verdict, Some(is_image))),
        });
        wanted.collect()
    }
}

/// Some of the verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictSet([bool; Verdict::ALL.len()]);

impl VerdictSet {
    /// Parses names separated by commas; `None` if one is unknown.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.split(',').map(|name| name.parse().ok()).collect()
    }

    /// Whether it contains the verdict.
    #[must_use]
    pub fn contains(self, verdict: Verdict) -> bool {
        self.iter().any(|known| known == verdict)
    }

    /// Its verdicts, the worst first.
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
    /// The names, separated by commas.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.iter().map(|verdict| verdict.to_string()).collect();
        f.write_str(&names.join(","))
    }
}

/// A walk through the list, from newer to older entries. Each entry is met once, even if others are added meanwhile.
#[derive(Clone, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListWalk {
    /// The kinds of entries: only analyses, unless `comparison` or `all` is asked for. A comparison has no `metadata`.
    #[param(value_type = EntryKind, rename = "kind", required = false, default = "analysis")]
    asked: KindParameter,
    /// Only analyses older than the one with this id, newest first, unaffected by later additions. Not together with
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
    /// as long as there is one. Not together with a `page` other than 1. Analyses stored before verdicts existed have none.
    #[param(value_type = Vec<Verdict>, style = Form, explode = false, required = false)]
    verdict: Option<VerdictSet>,
    /// Only analyses with this outcome (`metadata.integrity.outcome`), under the same rules as `verdict`.
    #[param(value_type = Outcome, required = false)]
    outcome: Option<Outcome>,
    /// Only analyses with this text in their file's name or in their reference, ignoring case; at
    /// most 64 characters. Under the same rules as `verdict`.
    #[param(value_type = String, required = false, max_length = 64, example = "invoice")]
    search: Option<String>,
    /// Only analyses with this reference, ignoring case. Filters combine: what is listed meets all of
    /// them. Not together with a `page` other than 1: go on with `next` of `Link`.
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

/// Reads a parameter that may be given once; errors are added to `errors`.
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

/// A search text, [`folded`].
fn search_text(text: &str) -> Option<String> {
    (text.chars().count() <= MAX_SEARCH_CHARACTERS).then(|| folded(text.trim()))
}

/// The text in lower case and composed (NFC): file names from a Mac are decomposed.
fn folded(text: &str) -> String {
    text.nfc().collect::<String>().to_lowercase()
}

const MAX_SEARCH_CHARACTERS: usize = 64;
const NO_KIND: &str = "must be one of analysis, comparison, all";
const NO_SEARCH: &str = "must be one text of at most 64 characters";
const NO_REFERENCE: &str = "must be one reference of at most 64 characters, as it was given";
const NO_OUTCOME: &str = "must be needs_review, inconclusive or no_findings, once";
const NO_HASH: &str = "must be the SHA-256 of a file, once: 64 hexadecimal digits, as sha256sum prints them";
const NOT_YOURS: &str = "must be the id of one of your analyses, once, as the list shows it";
static NO_VERDICT: LazyLock<String> = LazyLock::new(|| {
    format!("must be some of {}, with commas between them", Verdict::ALL.map(|verdict| verdict.to_string()).join(", "))
});

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

/// The error for an id that is not in the caller's list.
pub(crate) fn not_yours() -> Error {
    Error::Invalid(FieldErrors::one("before", NOT_YOURS))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{EntryKind, Listing};
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

    #[test]
    fn an_outcome_picks_verdicts_and_says_of_some_whether_pages_are_images() {
        let wanted = |query: &str| {
            let Ok(Listing::Walk(walk)) = Listing::parse(query, EntryKind::Analysis) else { panic!("a walk") };
            let wanted = walk.picked().wanted().into_iter();
            wanted.map(|(verdict, is_image)| format!("{verdict} {is_image:?}")).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(wanted("outcome=needs_review"), "changed_since_signing None, changed None, signs_of_change None");
        assert_eq!(wanted("outcome=inconclusive"), "undetermined None, saved_again Some(true), no_signs Some(true)");
        assert_eq!(wanted("outcome=no_findings&verdict=no_signs,changed"), "no_signs Some(false)");
        assert_eq!(wanted("verdict=no_signs"), "no_signs None");
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
