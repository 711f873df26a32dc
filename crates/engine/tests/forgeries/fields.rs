//! Fields and signatures that come later, and take more than they are given (ISO 32000-1, 12.7 and 12.8).

use samples::builds::{Permits, signed_again};
use samples::pdf::{CATALOG, FIRST_PAGE, Form, stream};
use samples::section::Section;

use crate::deeds::evil;
use crate::pages::{FORM, PAINT, annotated};
use crate::structural::Made;
use crate::subject::{Subject, find};
use crate::values::replaced;

/// An update with another field in the form.
fn with_field(subject: &Subject, number: u32, text: &str) -> Section {
    let form = subject.build.form;
    let list = b"/Fields [";
    let at = find(subject.text(form), list).expect("fields") + list.len();
    let listed = replaced(subject.text(form), &(at..at), format!("{number} 0 R ").as_bytes());
    subject.section().with(form, listed).with(number, text)
}

/// Where a field or a widget covers the page, with a look that is the object `look`.
fn place(look: u32) -> String {
    format!("/Type /Annot /Subtype /Widget /Rect [20 20 520 820] /F 4 /P {FIRST_PAGE} 0 R /AP << /N {look} 0 R >>")
}

pub(crate) fn cover(subject: &Subject) -> Made {
    let (field, widget, look) = (subject.build.unused(), subject.build.unused() + 1, subject.build.unused() + 2);
    let place = place(look);
    let shown = |section: Section, annotation: u32| {
        section.with(FIRST_PAGE, annotated(subject, annotation)).with(look, stream(FORM, PAINT))
    };
    let merged = |kind: &str| shown(with_field(subject, field, &format!("<< {kind} /T (Cover) {place} >>")), field);
    let apart = |kind: &str, parent: &str| {
        let text = format!("<< {kind} /T (Cover) /Kids [{widget} 0 R] >>");
        shown(with_field(subject, field, &text).with(widget, format!("<< {parent} {place} >>")), widget)
    };
    let parent = format!("/Parent {field} 0 R");
    // what Poppler makes an appearance from where there is none
    let characteristics =
        place.replace(&format!("/AP << /N {look} 0 R >>"), "/AP << /N << >> >> /MK << /BG [1 1 1] >>");
    let unmade = format!("<< /FT /Sig /T (Cover) {characteristics} >>");
    let value = "/FT /Sig /V << /Type /Sig /Filter /Adobe.PPKLite /Contents <00> /ByteRange [0 0 0 0] >>";
    let updates = [
        ("unsigned", merged("/FT /Sig")),
        ("unsigned, a widget of its own", apart("/FT /Sig", &parent)),
        ("unsigned, a widget without parent", apart("/FT /Sig", "")),
        ("with a value that is none", merged(value)),
        ("without an appearance", shown(with_field(subject, field, &unmade), field)),
        ("text", merged("/FT /Tx /V (Void)")),
        ("text, a widget of its own", apart("/FT /Tx /V (Void)", &parent)),
        ("button", merged("/FT /Btn /Ff 65536")),
        (
            "widget in no form",
            shown(subject.section().with(field, format!("<< /FT /Sig /T (Cover) {place} >>")), field),
        ),
    ];
    let made = updates
        .into_iter()
        .zip(Form::ALL.into_iter().cycle())
        .map(|((what, section), form)| (format!("{what} [{form:?}]"), section.write(subject.build.file.clone(), form)));
    made.collect()
}

pub(crate) fn signed_cover(subject: &Subject) -> Made {
    let (field, value, look) = (subject.build.unused(), subject.build.unused() + 1, subject.build.unused() + 2);
    let text = format!("<< /FT /Sig /T (Cover) /V {value} 0 R {} >>", place(look));
    let section =
        with_field(subject, field, &text).with(FIRST_PAGE, annotated(subject, field)).with(look, stream(FORM, PAINT));
    vec![("".to_owned(), signed_again(subject.build.file.clone(), section, value, "/Reason (Mine)"))]
}

/// A value that was signed is shown again elsewhere.
pub(crate) fn shown_again(subject: &Subject) -> Made {
    let value = subject.having("/ByteRange").expect("a signature");
    let (field, look) = (subject.build.unused(), subject.build.unused() + 1);
    let text = format!("<< /FT /Sig /T (Copy) /V {value} 0 R {} >>", place(look));
    let section =
        with_field(subject, field, &text).with(FIRST_PAGE, annotated(subject, field)).with(look, stream(FORM, PAINT));
    Form::ALL.map(|form| (format!("[{form:?}]"), section.write(subject.build.file.clone(), form))).into()
}

/// A field of the forger's without a look, and the number of its value.
fn forger(subject: &Subject, entries: &str) -> (Section, u32) {
    let (field, value) = (subject.build.unused(), subject.build.unused() + 1);
    let text = format!(
        "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Forger) /V {value} 0 R /Rect [0 0 0 0] /F 132 {entries} >>"
    );
    (with_field(subject, field, &text), value)
}

/// Notes, and other content, permitted by the forger's own certification.
pub(crate) fn certified_later(subject: &Subject) -> Made {
    if subject.build.permits == Permits::Notes {
        return Vec::new();
    }
    let reference = "/Reference [<< /Type /SigRef /TransformMethod /DocMDP \
                     /TransformParams << /Type /TransformParams /P 3 /V /1.2 >> >>]";
    let (mut section, value) = forger(subject, "");
    let permissions = format!("/Type /Catalog /Perms << /DocMDP {value} 0 R >>");
    let body = section.bodies.iter().position(|(number, ..)| *number == CATALOG);
    let text = body.map_or_else(|| subject.text(CATALOG).to_vec(), |at| section.bodies.remove(at).2);
    let text = String::from_utf8(text).expect("text");
    let old = subject.having("/DocMDP").map(|_| text.find("/Perms")).unwrap_or_default();
    let text =
        old.map_or_else(|| text.clone(), |at| [&text[..at], text[at..].split_once(">>").expect("ends").1].concat());
    let section = section.with(CATALOG, text.replacen("/Type /Catalog", &permissions, 1));
    let file = signed_again(subject.build.file.clone(), section, value, reference);
    let number = value + 10;
    let note = "<< /Type /Annot /Subtype /Text /Rect [500 800 520 820] /F 4 /Contents (Permitted) >>";
    let note = subject.section().with(number, note).with(FIRST_PAGE, annotated(subject, number));
    let page = subject.section().with(FIRST_PAGE, evil(subject, FIRST_PAGE));
    [("note", note), ("page", page)]
        .map(|(what, section)| (what.to_owned(), section.write(file.clone(), Form::Table)))
        .into()
}

/// A locked field filled in, after the forger has locked another one only.
pub(crate) fn locked_later(subject: &Subject) -> Made {
    let Some(field) = subject.build.locked.iter().find(|number| find(subject.text(**number), b"/V (1000)").is_some())
    else {
        return Vec::new();
    };
    let action = "/Action /Include /Fields [(Other)]";
    let (section, value) = forger(subject, &format!("/Lock << /Type /SigFieldLock {action} >>"));
    let reference = format!(
        "/Reference [<< /Type /SigRef /TransformMethod /FieldMDP /TransformParams << /Type /TransformParams /V /1.2 {action} >> >>]"
    );
    let file = signed_again(subject.build.file.clone(), section, value, &reference);
    let text = String::from_utf8_lossy(subject.text(*field)).replace("/V (1000)", "/V (9000)");
    let filled = subject.section().with(*field, text);
    vec![("".to_owned(), filled.write(file, Form::Table))]
}

/// So many that a list of fifty cannot hold what came before.
pub(crate) fn fifty_one(subject: &Subject) -> Made {
    // signing takes long: some will do
    if subject.build.form == CATALOG || subject.build.permits == Permits::Nothing {
        return Vec::new();
    }
    let form = subject.build.form;
    let mut text = String::from_utf8_lossy(subject.text(form)).into_owned();
    let section = subject.section().with(FIRST_PAGE, evil(subject, FIRST_PAGE));
    let mut file = section.write(subject.build.file.clone(), Form::Table);
    for turn in 0..51 {
        let field = subject.build.unused() + 2 * turn;
        text = text.replacen("/Fields [", &format!("/Fields [{field} 0 R "), 1);
        let widget = format!(
            "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Forger{turn}) /V {} 0 R /Rect [0 0 0 0] /F 132 >>",
            field + 1
        );
        let section = subject.section().with(form, &text).with(field, widget);
        file = signed_again(file, section, field + 1, "/Reason (Mine)");
    }
    vec![("".to_owned(), file)]
}
