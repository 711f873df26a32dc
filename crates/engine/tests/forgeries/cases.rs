//! All forgeries, each in one form and company. Both go round, so that every deed comes in every pair of them.

use engine::Verdict;
use samples::pdf::Form;

use crate::analysis::verdict;
use crate::company::{Company, forged};
use crate::deeds::{DEEDS, Forgery};
use crate::expected::{Expected, expected};
use crate::structural::STRUCTURES;
use crate::subject::Subject;

/// A forgery that was made and examined.
pub(crate) struct Case {
    pub(crate) build: &'static str,
    pub(crate) deed: &'static str,
    /// Object, place, form and company, in words.
    pub(crate) what: String,
    pub(crate) expected: Expected,
    /// None if the file was refused.
    pub(crate) verdict: Option<Verdict>,
    pub(crate) file: Vec<u8>,
}

/// Calls this for at most so many forgeries of each deed, chosen evenly.
pub(crate) fn each(subjects: &[Subject], most: usize, mut take: impl FnMut(Case)) {
    for deed in DEEDS {
        let all: Vec<(&Subject, u32, Forgery)> = subjects
            .iter()
            .flat_map(|subject| subject.objects.keys().map(move |number| (subject, *number)))
            .flat_map(|(subject, number)| {
                (deed.ways)(subject, number).into_iter().map(move |way| (subject, number, way))
            })
            .collect();
        let count = all.len().min(most);
        for turn in 0..count {
            let (subject, number, forgery) = &all[turn * all.len() / count];
            let (form, company) = (Form::ALL[turn % 4], Company::ALL[turn % 5]);
            let (file, company) = forged(subject, forgery, form, company);
            let kind = subject.kind(*number).expect("it is there");
            let what = format!("{number} ({kind:?}) {} [{form:?}, {company:?}]", forgery.what);
            let expected = expected(subject, forgery);
            // every third file has to be asked for
            let verdict = verdict(&file, turn % 3 == 0);
            take(Case { build: subject.build.name, deed: deed.name, what, expected, verdict, file });
        }
    }
    for structure in STRUCTURES {
        let all: Vec<_> = subjects
            .iter()
            .flat_map(|subject| (structure.make)(subject).into_iter().map(move |(what, file)| (subject, what, file)))
            .collect();
        let count = all.len().min(most);
        for turn in 0..count {
            let (subject, what, file) = all[turn * all.len() / count].clone();
            let (expected, verdict) = ((structure.expected)(subject), verdict(&file, turn % 3 == 0));
            take(Case { build: subject.build.name, deed: structure.name, what, expected, verdict, file });
        }
    }
}
