//! Forgeries of signed files, thousands of them, none of which may be called clean; and harmless updates, none of which
//! may be called a change. What the engine looks at decides nothing here: files are made by rules, and verdicts read.

mod analysis;
mod cases;
mod company;
mod deeds;
mod edits;
mod entries;
mod expected;
mod fields;
mod harmless;
mod pages;
#[path = "../common/remote.rs"]
mod remote;
mod report;
mod streams;
mod structural;
mod subject;
mod trailers;
mod values;

use engine::Verdict;
use samples::pdf::Form;

use harmless::HARMLESS;
use report::{Export, Report};

/// Forgeries of each deed that are judged on each change; all of them are every night.
const OFTEN: usize = 50;

#[test]
fn builds_are_unchanged_since_signing() {
    for subject in subject::all() {
        for is_remote in [false, true] {
            let verdict = analysis::verdict(&subject.build.file, is_remote);
            assert_eq!(verdict, Some(Verdict::UnchangedSinceSigning), "{}", subject.build.name);
        }
    }
}

fn judge(most: usize, folder: &str) {
    let mut report = Report::new(folder);
    cases::each(&subject::all(), most, |case| report.take(&case));
    report.finish();
}

#[test]
fn no_forgery_is_called_clean() {
    judge(OFTEN, "forgeries");
}

#[test]
#[ignore = "takes minutes"]
fn no_forgery_of_all_is_called_clean() {
    judge(usize::MAX, "all-forgeries");
}

/// `FORGERIES=folder` says where to, `FORGERIES_OF_A_DEED=number` how many of each, if not all.
#[test]
#[ignore = "writes files for tests/forgeries/run"]
fn export() {
    let Some(folder) = std::env::var_os("FORGERIES") else { return };
    let most = std::env::var("FORGERIES_OF_A_DEED").map_or(usize::MAX, |number| number.parse().expect("a number"));
    let (subjects, mut export) = (subject::all(), Export::new(folder.into()));
    for subject in &subjects {
        export.build(&subject.build);
    }
    cases::each(&subjects, most, |case| export.take(&case));
    export.finish();
}

#[test]
fn no_harmless_update_is_called_a_change() {
    let mut wrong = Vec::new();
    for subject in subject::all() {
        for update in HARMLESS.iter().filter(|update| subject.build.permits >= update.least) {
            for form in Form::ALL {
                for file in (update.make)(&subject, form) {
                    let verdict = analysis::verdict(&file, false);
                    if !update.wanted.allows(verdict) {
                        let name = subject.build.name;
                        wrong.push(format!("{name}: {} [{form:?}]: {}", update.name, report::word(verdict)));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong answers:\n{}", wrong.len(), wrong.join("\n"));
}
