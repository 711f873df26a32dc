//! Deeds that write an object again with one value changed, removed or added.

use crate::deeds::Forgery;
use crate::subject::{Subject, find};
use crate::values::{Shape, Value, anatomy, replaced};

/// The object written again with this value in place of another.
fn edit(subject: &Subject, number: u32, value: &Value, new: &[u8]) -> Forgery {
    let text = subject.text(number);
    let old = String::from_utf8_lossy(&text[value.span.clone()]).chars().take(40).collect::<String>();
    let what =
        format!("/{}: {old} to {}", value.path, String::from_utf8_lossy(new).chars().take(40).collect::<String>());
    let section = subject.section().with(number, replaced(text, &value.span, new));
    Forgery { path: Some(value.path.clone()), ..Forgery::of(number, what, section) }
}

/// Every value of this shape as `change` makes it.
fn each(
    subject: &Subject,
    number: u32,
    shape: Shape,
    change: impl Fn(&Value, &[u8]) -> Option<Vec<u8>>,
) -> Vec<Forgery> {
    let text = subject.text(number);
    let values = anatomy(text).values;
    let changed = values.iter().filter(|value| value.shape == shape).filter_map(|value| {
        let new = change(value, &text[value.span.clone()])?;
        Some(edit(subject, number, value, &new))
    });
    changed.collect()
}

pub(crate) fn numbers(subject: &Subject, number: u32) -> Vec<Forgery> {
    each(subject, number, Shape::Number, |value, old| {
        let old = std::str::from_utf8(old).ok()?;
        // a page turns by right angles only
        let step = if value.path.ends_with("Rotate") { 90 } else { 1 };
        let new = match old.parse::<i64>() {
            Ok(whole) => (whole + step).to_string(),
            Err(_) => (old.parse::<f64>().ok()? * 2.0).to_string(),
        };
        Some(new.into_bytes())
    })
}

pub(crate) fn names(subject: &Subject, number: u32) -> Vec<Forgery> {
    each(subject, number, Shape::Name, |_, old| Some([old, b"x"].concat()))
}

pub(crate) fn strings(subject: &Subject, number: u32) -> Vec<Forgery> {
    let last = |old: &[u8], at: usize| {
        let mut new = old.to_vec();
        new[at] = if new[at] == b'1' { b'2' } else { b'1' };
        Some(new)
    };
    let mut ways =
        each(subject, number, Shape::Text, |_, old| if old.len() > 2 { last(old, old.len() - 2) } else { None });
    ways.extend(each(subject, number, Shape::Digits, |_, old| last(old, 1)));
    ways
}

pub(crate) fn words(subject: &Subject, number: u32) -> Vec<Forgery> {
    each(subject, number, Shape::Word, |_, old| match old {
        b"true" => Some(b"false".to_vec()),
        b"false" => Some(b"true".to_vec()),
        _ => None,
    })
}

pub(crate) fn references(subject: &Subject, number: u32) -> Vec<Forgery> {
    each(subject, number, Shape::Reference, |_, old| {
        let old = crate::subject::number_at(old);
        subject.objects.contains_key(&old).then(|| format!("{} 0 R", subject.other(old)).into_bytes())
    })
}

pub(crate) fn dangling(subject: &Subject, number: u32) -> Vec<Forgery> {
    let nothing = subject.build.unused();
    each(subject, number, Shape::Reference, |_, _| Some(format!("{nothing} 0 R").into_bytes()))
}

pub(crate) fn removed(subject: &Subject, number: u32) -> Vec<Forgery> {
    let text = subject.text(number);
    let remove = |(span, path): (std::ops::Range<usize>, String)| {
        let section = subject.section().with(number, replaced(text, &span, b""));
        Forgery { path: Some(path.clone()), ..Forgery::of(number, format!("/{path} removed"), section) }
    };
    // a reference to nothing says what no entry says
    let is_missing = |span: &std::ops::Range<usize>| {
        subject
            .build
            .missing
            .keys()
            .any(|number| find(&text[span.clone()], format!(" {number} 0 R").as_bytes()).is_some())
    };
    let entries = anatomy(text).entries.into_iter();
    entries.filter(|(span, _)| text[span.clone()].contains(&b'[') || !is_missing(span)).map(remove).collect()
}

/// An entry that no standard knows, in each dictionary.
pub(crate) fn added(subject: &Subject, number: u32) -> Vec<Forgery> {
    let text = subject.text(number);
    let add = |(at, path): (usize, String)| {
        let path = if path.is_empty() { "Foreign".to_owned() } else { format!("{path}/Foreign") };
        let section = subject.section().with(number, replaced(text, &(at..at), b"/Foreign 1 "));
        Forgery { path: Some(path.clone()), ..Forgery::of(number, format!("/{path} added"), section) }
    };
    anatomy(text).ends.into_iter().map(add).collect()
}

/// A second entry by the name of one that is there: some readers take the first, some the last.
pub(crate) fn doubled(subject: &Subject, number: u32) -> Vec<Forgery> {
    let text = subject.text(number);
    let anatomy = anatomy(text);
    let Some((end, _)) = anatomy.ends.last() else { return Vec::new() };
    let double = |path: &String| {
        let entry = format!("/{path} null ");
        let section = subject.section().with(number, replaced(text, &(*end..*end), entry.as_bytes()));
        Forgery { path: Some(path.clone()), ..Forgery::of(number, format!("{entry}too"), section) }
    };
    anatomy.entries.iter().filter(|(_, path)| !path.contains('/')).map(|(_, path)| double(path)).collect()
}

/// Entries that change what viewers do with an object that holds this.
const TELLING: &[(&str, &str)] = &[
    ("/Type /Page ", "/Rotate 180 "),
    ("/Type /Page ", "/CropBox [0 0 300 300] "),
    ("/Type /Page ", "/MediaBox [0 0 300 300] "),
    ("/Type /Pages ", "/Rotate 90 "),
    ("/Type /Pages ", "/MediaBox [0 0 200 200] "),
    ("/Type /Pages ", "/CropBox [0 0 200 200] "),
    ("/Type /Catalog ", "/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> "),
    ("/Type /Catalog ", "/PageMode /FullScreen "),
    ("/Fields [", "/NeedAppearances true "),
    ("/Fields [", "/DA (/Helv 30 Tf 1 0 0 rg) "),
    ("/Fields [", "/Q 2 "),
    ("/Subtype /Image ", "/Decode [1 0 1 0 1 0] "),
    ("/Subtype /Image ", "/Interpolate true "),
    ("/Subtype /Form ", "/Matrix [2 0 0 2 0 0] "),
    ("/Subtype /Form ", "/OC << /Type /OCG /Name (Off) >> "),
    ("/Type /Font ", "/Encoding << /Differences [65 /B /A] >> "),
    ("/Type /ExtGState ", "/ca 0.1 "),
    ("/Type /Pattern ", "/Matrix [3 0 0 3 0 0] "),
    ("/ShadingType ", "/Extend [true true] "),
    ("/Type /Annot ", "/F 2 "),
    ("/Type /Annot ", "/AP << >> "),
    ("/Type /Annot ", "/A << /S /URI /URI (https://example.org) >> "),
    ("/Type /OCG ", "/Usage << /View << /ViewState /OFF >> >> "),
    ("/Length ", "/F (other.bin) "),
    ("/FT /Tx ", "/Ff 1 "),
    ("/FT /Tx ", "/MK << /BG [1 0 0] >> "),
];

pub(crate) fn telling(subject: &Subject, number: u32) -> Vec<Forgery> {
    let text = subject.text(number);
    let Some((end, _)) = anatomy(text).ends.pop() else { return Vec::new() };
    let has = |wanted: &str| crate::subject::find(&text[..end], wanted.as_bytes()).is_some();
    let fits = |entry: &str| !has(entry.split_inclusive(' ').next().unwrap_or_default());
    let rows = TELLING.iter().filter(|(mark, entry)| has(mark) && fits(entry));
    rows.map(|(_, entry)| {
        let section = subject.section().with(number, replaced(text, &(end..end), entry.as_bytes()));
        let key = entry.trim_start_matches('/').split(' ').next().unwrap_or_default();
        Forgery { path: Some(key.to_owned()), ..Forgery::of(number, format!("{entry}added"), section) }
    })
    .collect()
}
