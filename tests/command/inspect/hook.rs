//! The documentation's Git hook, in a repository.

use std::fs::{Permissions, create_dir, read_to_string, set_permissions, write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

use samples::histories;
use tempfile::tempdir;
use tests::events::root;

use crate::PROGRAM;

/// The block of the page on scripts that begins with this line.
fn block(first: &str) -> String {
    let page = read_to_string(root().join("docs/command-line.md")).unwrap();
    let (_, rest) = page.split_once(&format!("```{first}\n")).unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

/// A repository beside a folder with the binary, called `pdf-analysis`.
struct Repository(tempfile::TempDir);

impl Repository {
    fn new() -> Self {
        let folder = tempdir().unwrap();
        for inside in ["bin", "repository"] {
            create_dir(folder.path().join(inside)).unwrap();
        }
        symlink(PROGRAM, folder.path().join("bin/pdf-analysis")).unwrap();
        let repository = Self(folder);
        assert!(repository.run("git init --quiet").status.success());
        repository
    }

    fn file(&self, name: &str, verdict: &str) {
        let history = histories::all().into_iter().find(|history| history.verdict == verdict).unwrap();
        write(self.at().join(name), history.file).unwrap();
    }

    fn at(&self) -> std::path::PathBuf {
        self.0.path().join("repository")
    }

    fn run(&self, command: &str) -> Output {
        let path = format!("{}:{}", self.0.path().join("bin").display(), std::env::var("PATH").unwrap());
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(self.at()).env("PATH", path).env("HOME", self.0.path());
        shell.output().unwrap()
    }

    /// Whether everything can be committed, and what is said.
    fn commit(&self) -> (bool, String) {
        assert!(self.run("git add --all").status.success());
        let commit = self.run("git -c user.name=Ada -c user.email=ada@example.com commit --quiet --message=.");
        let said = [commit.stdout, commit.stderr].concat();
        (commit.status.success(), String::from_utf8(said).unwrap())
    }
}

#[test]
fn the_hook_lets_pass_what_it_should_and_stops_what_was_changed_after_signing() {
    let hook = block("sh\n#!/bin/sh");
    assert!(hook.lines().count() <= 10, "{hook}");
    let repository = Repository::new();
    let path = repository.at().join(".git/hooks/pre-commit");
    write(&path, format!("#!/bin/sh\n{hook}")).unwrap();
    set_permissions(&path, Permissions::from_mode(0o755)).unwrap();

    repository.file("a lease.pdf", "unchanged_since_signing");
    write(repository.at().join("notes.txt"), "no PDF").unwrap();
    let (is_done, said) = repository.commit();
    assert!(is_done && said.contains("1 file: 1 unchanged_since_signing; none fails"), "{said}");

    repository.file(".hidden contract.PDF", "changed_since_signing");
    let (is_done, said) = repository.commit();
    assert!(!is_done && said.contains("./.hidden contract.PDF\n  ✗ Changed since signing"), "{said}");
    // it is what is staged that counts
    repository.file(".hidden contract.PDF", "no_signs");
    assert!(!repository.run("git -c user.name=A -c user.email=a@b.c commit --quiet --message=.").status.success());
    let (is_done, said) = repository.commit();
    assert!(is_done, "{said}");
    // an unreadable file is refused
    write(repository.at().join("damaged.pdf"), "%PDF-1.7\nnothing else").unwrap();
    let (is_done, said) = repository.commit();
    assert!(!is_done && said.contains("1 analysis_failed"), "{said}");
    assert!(repository.run("git rm --cached --quiet damaged.pdf && rm damaged.pdf").status.success());
    assert!(repository.run("git rm --quiet 'a lease.pdf'").status.success() && repository.commit().0);
}

#[test]
fn the_workflow_uses_the_action_that_is_here() {
    let workflow = block("yaml");
    assert!(workflow.lines().count() <= 10, "{workflow}");
    let is_checked_out = workflow.contains(&checkout(&root().join(".github/workflows/ci.yml")));
    assert!(is_checked_out, "another actions/checkout than ours: {workflow}");
    let (_, action) = workflow.rsplit_once("- uses: OWNER/REPOSITORY/").unwrap();
    let (folder, _) = action.split_once('@').unwrap();
    assert!(root().join(folder).join("action.yml").exists(), "{folder}");
}

/// The line of a workflow that checks the repository out.
fn checkout(workflow: &Path) -> String {
    let text = read_to_string(workflow).unwrap();
    text.lines().find(|line| line.contains("uses: actions/checkout@")).unwrap().trim().to_owned()
}
