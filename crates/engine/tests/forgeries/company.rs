//! In what company a forgery comes: what else is appended, so that it is looked at less closely.

use samples::builds::signed_again;
use samples::pdf::Form;
use samples::section::Section;

use crate::deeds::Forgery;
use crate::subject::Subject;
use crate::values::replaced;

/// What else is appended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Company {
    /// Nothing.
    Alone,
    /// Whatever refers to the object is written again as it was.
    Owners,
    /// Fifty updates that change nothing.
    Updates,
    /// A further signature, by the forger.
    Signature,
    /// Fifty updates and a further signature.
    All,
}

impl Company {
    pub(crate) const ALL: [Self; 5] = [Self::Alone, Self::Owners, Self::Updates, Self::Signature, Self::All];
}

/// The file with what is appended, and the company that it has: alone, where there is no other.
pub(crate) fn forged(subject: &Subject, forgery: &Forgery, form: Form, company: Company) -> (Vec<u8>, Company) {
    let mut file = subject.build.file.clone();
    for section in &forgery.sections {
        let with_owners = (company == Company::Owners).then(|| owners(subject, forgery, section));
        file = with_owners.as_ref().unwrap_or(section).write(file, form);
    }
    if matches!(company, Company::Updates | Company::All) {
        file = (0..50).fold(file, |file, _| subject.section().write(file, Form::Table));
    }
    if matches!(company, Company::Signature | Company::All) {
        return match signature(subject, forgery) {
            Some((section, value)) => (signed_again(file, section, value, "/Reason (Mine)"), company),
            None if company == Company::All => (file, Company::Updates),
            None => (file, Company::Alone),
        };
    }
    (file, company)
}

fn says(section: &Section, number: u32) -> bool {
    section.bodies.iter().any(|body| body.0 == number) || section.rows.iter().any(|row| row.0 == number)
}

fn owners(subject: &Subject, forgery: &Forgery, section: &Section) -> Section {
    let mut section = section.clone();
    for owner in forgery.touched.iter().flat_map(|number| subject.owners(*number)) {
        if !says(&section, *owner) {
            section = section.with(*owner, subject.text(*owner));
        }
    }
    section
}

/// An update with a field of the forger's, and the number of its value, if the form can still take one.
fn signature(subject: &Subject, forgery: &Forgery) -> Option<(Section, u32)> {
    let form = subject.build.form;
    let last = forgery.sections.iter().rfind(|section| says(section, form));
    let written = last.map(|section| section.bodies.iter().find(|body| body.0 == form && body.1 == 0));
    let text = match written {
        Some(body) => &body?.2,
        None => subject.text(form),
    };
    let field = subject.build.unused() + 20;
    let list = b"/Fields [";
    let at = crate::subject::find(text, list)? + list.len();
    let form_text = replaced(text, &(at..at), format!("{field} 0 R ").as_bytes());
    let widget =
        format!("<< /Type /Annot /Subtype /Widget /FT /Sig /T (Forger) /V {} 0 R /Rect [0 0 0 0] /F 132 >>", field + 1);
    Some((subject.section().with(form, form_text).with(field, widget), field + 1))
}
