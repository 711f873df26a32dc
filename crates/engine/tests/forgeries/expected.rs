//! What may be answered about a forgery. A clean answer is right only where a row of one table says why.

use engine::Verdict;
use samples::builds::{Kind, Permits};

use crate::deeds::Forgery;
use crate::subject::{Subject, find};

/// What may be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expected {
    /// Anything: nothing is changed that anybody sees or the standard counts, for this reason.
    Anything(&'static str),
    /// Anything but that nothing was changed.
    Told,
    /// Neither that nothing was changed nor that what was is permitted.
    Refused,
}

impl Expected {
    pub(crate) fn allows(self, verdict: Option<Verdict>) -> bool {
        let is_clean = matches!(verdict, Some(Verdict::UnchangedSinceSigning | Verdict::NoSigns));
        let is_permitted = verdict == Some(Verdict::PermittedChangesSinceSigning);
        match self {
            Self::Anything(_) => true,
            Self::Told => !is_clean,
            Self::Refused => !is_clean && !is_permitted,
        }
    }
}

/// What may be changed in objects of a kind, by the keys that lead to it (nothing: by whatever is done to them), and why
/// that is no change.
const HARMLESS: &[(Kind, &[&str], &str)] = &[
    (Kind::Unreached, &[], "nothing leads to the object, so nobody shows or uses it (7.5.4 does not forbid it)"),
    (Kind::Validation, &[], "what validates signatures may always come and go: nothing of it is shown (-2, 12.8.4.3)"),
    (Kind::Info, &["ModDate", "Producer"], "every program that saves writes both anew (14.3.3); neither is drawn"),
    (Kind::Catalog, &["DSS"], "where validation data are; see above"),
    (Kind::Catalog, &["Version", "Extensions"], "what readers have to know, said by whoever saves (7.2.2, 7.12)"),
    (Kind::Page, &["LastModified", "PieceInfo"], "kept by a program for itself, and not drawn (14.5)"),
    (Kind::Private, &[], "what /PieceInfo leads to; see above"),
    (Kind::Packet, &["Length"], "a length that takes in the line end behind the packet: it says the same (7.3.8.1)"),
];

/// Why a `/Size` may be too small for what is there.
pub(crate) const COUNTED: &str =
    "PDFBox counts the numbers of its own save alone; MuPDF, Poppler, PDFium and pdf.js show all the same";

/// What filling in a field changes (12.7.3.3 and 12.5.5), beside marks on it that other validators let pass.
const FILLING: &[&str] = &["V", "AS", "AP", "I", "M", "Ff", "F", "DA", "Q"];

/// Resources of a page or node that content calls by another name only.
const UNCALLED: &str = "resources have a name that no content calls, so that nothing is drawn with it (7.8.3)";

fn is_harmless(kind: Option<Kind>, path: Option<&str>) -> Option<&'static str> {
    let names: Vec<&str> = path.into_iter().flat_map(|path| path.split('/')).collect();
    if matches!(names[..], ["Resources", _, "Foreign"]) {
        return Some(UNCALLED);
    }
    let fits = |keys: &[&str]| {
        keys.is_empty() || path.is_some_and(|path| keys.iter().any(|key| path.split('/').next() == Some(*key)))
    };
    let row = HARMLESS.iter().find(|(of, keys, _)| Some(*of) == kind && fits(keys));
    row.map(|(.., reason)| *reason)
}

/// What the signatures' level lets a person do to an object, by the keys that lead to what is changed.
fn is_permitted(subject: &Subject, number: u32, path: Option<&str>) -> bool {
    let permits = subject.build.permits;
    let key = path.and_then(|path| path.split('/').next()).unwrap_or_default();
    match subject.kind(number) {
        Some(Kind::Field) => {
            permits >= Permits::Filling && !subject.build.locked.contains(&number) && FILLING.contains(&key)
        }
        Some(Kind::Note) => permits >= Permits::Notes,
        Some(Kind::Page) if key == "Annots" => permits >= Permits::Notes,
        Some(Kind::Page) if key == "StructParents" => permits >= Permits::Filling,
        // where readers are told to make the looks from the values (12.7.2), or what is drawn still is the value
        Some(Kind::Look) => {
            permits >= Permits::Filling && (path.is_some() || subject.having("/NeedAppearances true").is_some())
        }
        // what values may be shown with: a name that is new to the form
        Some(Kind::Seen | Kind::Catalog) if number == subject.build.form => {
            permits >= Permits::Filling && is_addition(subject, path)
        }
        // nothing of it is drawn, and whoever fills in or signs a tagged document has to write it
        Some(Kind::Tagging) => permits >= Permits::Filling,
        // archives write it, and nothing of it is drawn: told, and no change of what was signed
        Some(Kind::Info | Kind::Packet) => permits >= Permits::Filling,
        _ => false,
    }
}

/// Whether the form has a further resource, or a default where it had none.
fn is_addition(subject: &Subject, path: Option<&str>) -> bool {
    let text = subject.text(subject.build.form);
    let is_new = |key: &str| find(text, format!("/{key}").as_bytes()).is_none();
    let mut keys = path.into_iter().flat_map(|path| path.split('/')).filter(|key| *key != "AcroForm");
    let first = keys.next();
    let last = keys.next_back().or(first);
    matches!(first, Some("DR" | "DA" | "Q")) && last.is_some_and(is_new)
}

/// Whether it removes or adds what values are shown with where all fields have appearances of their own, which readers
/// draw.
fn is_unneeded(subject: &Subject, forgery: &Forgery) -> bool {
    let mut keys = forgery.path.iter().flat_map(|path| path.split('/')).filter(|key| *key != "AcroForm");
    let is_default = matches!(keys.next(), Some("DR" | "DA" | "Q"));
    let is_drawn = |(_, text): &(Kind, Vec<u8>)| {
        let has = |words: &str| find(text, words.as_bytes()).is_some();
        !has("/Subtype /Widget") || has("/FT /Sig") || has("/AP")
    };
    is_default
        && [" removed", " added"].iter().any(|deed| forgery.what.ends_with(deed))
        && forgery.touched == [subject.build.form]
        && subject.having("/NeedAppearances true").is_none()
        && subject.objects.values().all(is_drawn)
}

/// Why an entry of a field that goes says nothing that others do not say.
fn is_repeated(subject: &Subject, forgery: &Forgery) -> Option<&'static str> {
    let [number] = forgery.touched[..] else { return None };
    let path = forgery.path.as_deref().filter(|_| forgery.what.ends_with(" removed"))?;
    match path {
        "I" => Some("the indices of the options that the value names (12.7.4.4)"),
        "AS" if find(subject.text(number), b"/AS /Off").is_some() => {
            Some("a button without a state is off (12.7.4.2.3)")
        }
        _ => None,
    }
}

/// Whether it adds what values of fields are shown with to a form that has none but signatures.
fn is_of_no_value(subject: &Subject, forgery: &Forgery) -> bool {
    let has_values = ["/FT /Tx", "/FT /Ch", "/FT /Btn"].iter().any(|kind| subject.having(kind).is_some());
    forgery.touched == [subject.build.form] && is_addition(subject, forgery.path.as_deref()) && !has_values
}

/// Whether it adds a box to a node that had none, so that its pages have their own, which go before (7.7.3.4).
fn is_overridden(subject: &Subject, forgery: &Forgery) -> bool {
    let is_node = |number: &u32| {
        let has = |wanted: &[u8]| find(subject.text(*number), wanted).is_some();
        has(b"/Type /Pages ") && !has(b"/MediaBox")
    };
    forgery.path.as_deref() == Some("MediaBox") && forgery.touched.iter().all(is_node)
}

pub(crate) fn expected(subject: &Subject, forgery: &Forgery) -> Expected {
    let path = forgery.path.as_deref();
    if is_overridden(subject, forgery) {
        return Expected::Anything("every page has a box of its own, which goes before that of a node (7.7.3.4)");
    }
    if is_of_no_value(subject, forgery) {
        return Expected::Anything("signatures are shown by their looks, never by the form's defaults (12.7.3.3)");
    }
    if let Some(reason) = is_repeated(subject, forgery) {
        return Expected::Anything(reason);
    }
    if is_unneeded(subject, forgery) {
        return Expected::Told;
    }
    let reasons: Vec<_> = forgery.touched.iter().map(|number| is_harmless(subject.kind(*number), path)).collect();
    if let [Some(reason), ..] = reasons[..]
        && reasons.iter().all(Option::is_some)
    {
        return Expected::Anything(reason);
    }
    let is_permitted = forgery.touched.iter().all(|number| is_permitted(subject, *number, path));
    if is_permitted { Expected::Told } else { Expected::Refused }
}
