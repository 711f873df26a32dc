//! Counts what was answered, by deed; keeps the files of wrong answers, or of all.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use engine::Verdict;
use samples::builds::Build;

use crate::cases::Case;
use crate::expected::Expected;

/// So many wrong answers are named; all are counted.
const NAMED: usize = 60;

/// What was answered so far.
pub(crate) struct Report {
    deeds: BTreeMap<&'static str, (usize, usize)>,
    missed: Vec<String>,
    refused: usize,
    folder: PathBuf,
}

impl Report {
    /// One that keeps files in this folder of `target`.
    pub(crate) fn new(folder: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("..").join(folder);
        let _ = fs::remove_dir_all(&folder);
        Self { deeds: BTreeMap::new(), missed: Vec::new(), refused: 0, folder }
    }

    pub(crate) fn take(&mut self, case: &Case) {
        let is_right = case.expected.allows(case.verdict);
        let (all, missed) = self.deeds.entry(case.deed).or_default();
        *all += 1;
        self.refused += usize::from(case.verdict.is_none());
        if !is_right {
            *missed += 1;
            let name = format!("{}-{}.pdf", self.missed.len(), case.deed.replace([' ', '/', '\'', ','], "_"));
            fs::create_dir_all(&self.folder).expect("a folder");
            fs::write(self.folder.join(&name), &case.file).expect("a file");
            let (verdict, expected) = (word(case.verdict), case.expected);
            self.missed.push(format!("{name}: {}: {} {}: {verdict}, {expected:?}", case.build, case.deed, case.what));
        }
    }

    /// # Panics
    /// When there were wrong answers.
    pub(crate) fn finish(self) {
        let mut table = String::new();
        for (deed, (all, missed)) in &self.deeds {
            let _ = writeln!(table, "{missed:6} of {all:6}  {deed}");
        }
        let all: usize = self.deeds.values().map(|(all, _)| all).sum();
        println!("{table}{:6} of {all:6}  in all; {} refused", self.missed.len(), self.refused);
        for missed in self.missed.iter().take(NAMED) {
            println!("{missed}");
        }
        let folder = self.folder.display();
        assert!(self.missed.is_empty(), "{} wrong answers; the files are in {folder}", self.missed.len());
    }
}

/// Writes files and a list of what was answered about each, for whoever wants to look at them.
pub(crate) struct Export {
    folder: PathBuf,
    cases: String,
    count: usize,
}

impl Export {
    /// Into this folder, which is made.
    pub(crate) fn new(folder: PathBuf) -> Self {
        fs::create_dir_all(&folder).expect("a folder");
        Self { folder, cases: String::new(), count: 0 }
    }

    /// Keeps a build as it was signed.
    pub(crate) fn build(&self, build: &Build) {
        fs::write(self.folder.join(format!("{}.pdf", build.name)), &build.file).expect("a file");
    }

    pub(crate) fn take(&mut self, case: &Case) {
        let file = format!("{:06}.pdf", self.count);
        self.count += 1;
        fs::write(self.folder.join(&file), &case.file).expect("a file");
        let line = serde_json::json!({
            "file": file, "build": case.build, "deed": case.deed, "what": case.what, "verdict": word(case.verdict),
            "may_be_clean": matches!(case.expected, Expected::Anything(_)),
        });
        self.cases.push_str(&format!("{line}\n"));
    }

    pub(crate) fn finish(self) {
        fs::write(self.folder.join("cases.jsonl"), self.cases).expect("a file");
    }
}

/// A verdict as answers spell it.
pub(crate) fn word(verdict: Option<Verdict>) -> String {
    verdict
        .map_or_else(|| "refused".to_owned(), |verdict| serde_json::to_string(&verdict).expect("JSON").replace('"', ""))
}
