//! The action that checks PDFs in other repositories, against a release of this machine.

use std::fs::{Permissions, create_dir_all, read, read_to_string, set_permissions, write};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use samples::histories;
use tempfile::{TempDir, tempdir};
use tests::events::root;

use crate::PROGRAM;

/// A release of this binary in a folder, as the workflow makes it, and a folder of PDFs.
struct Release(TempDir);

impl Release {
    fn new() -> Self {
        let release = Self(tempdir().unwrap());
        for folder in ["bin", "pdfs", "runner"] {
            create_dir_all(release.at(folder)).unwrap();
        }
        create_dir_all(release.assets()).unwrap();
        // asks whom the real one asks on the network; says what it was asked
        release.program("bin/gh", "echo \"$@\" > \"$RUNNER_TEMP/asked\"");
        let program = format!("exec '{PROGRAM}' \"$@\"");
        for target in ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "aarch64-apple-darwin"] {
            let name = format!("pdf-analysis-{target}");
            release.program(&format!("{name}/pdf-analysis"), &program);
            let archive = release.assets().join(format!("{name}.tar.gz"));
            let packed =
                Command::new("tar").arg("-czf").arg(archive).arg(name).current_dir(&release.0).status().unwrap();
            assert!(packed.success());
        }
        release.sum_up();
        release
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn assets(&self) -> PathBuf {
        let cargo = read_to_string(root().join("Cargo.toml")).unwrap();
        let (_, version) = cargo.split_once("\nversion = \"").unwrap();
        self.at("ada/pdf/releases/download").join(format!("v{}", version.split_once('"').unwrap().0))
    }

    fn program(&self, name: &str, script: &str) {
        create_dir_all(self.at(name).parent().unwrap()).unwrap();
        write(self.at(name), format!("#!/bin/sh\n{script}\n")).unwrap();
        set_permissions(self.at(name), Permissions::from_mode(0o755)).unwrap();
    }

    fn archives(&self) -> Vec<PathBuf> {
        let entries = self.assets().read_dir().unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "gz")).collect()
    }

    fn sum_up(&self) {
        let mut shell = Command::new("sh");
        shell.args(["-c", "shasum -a 256 *.tar.gz > SHA256SUMS"]).current_dir(self.assets());
        assert!(shell.status().unwrap().success());
    }

    fn pdf(&self, verdict: &str) {
        let history = histories::all().into_iter().find(|history| history.verdict == verdict).unwrap();
        write(self.at("pdfs/contract.pdf"), history.file).unwrap();
    }

    /// How the action ends, and what it says.
    fn check(&self) -> (Option<i32>, String) {
        let path = format!("{}:{}", self.at("bin").display(), std::env::var("PATH").unwrap());
        let mut action = Command::new(root().join(".github/actions/check/check"));
        action.env("PATH", path).env("RUNNER_TEMP", self.at("runner")).env("VERSION", "").env("REPOSITORY", "ada/pdf");
        action.env("GITHUB_SERVER_URL", format!("file://{}", self.0.path().display()));
        action.env("PATHS", "pdfs").env("FAIL_ON", "changed_since_signing,undetermined,analysis_failed");
        let ended = action.current_dir(&self.0).output().unwrap();
        (ended.status.code(), String::from_utf8([ended.stdout, ended.stderr].concat()).unwrap())
    }
}

#[test]
fn what_is_released_checks_and_whatever_prevents_it_fails() {
    let release = Release::new();
    release.pdf("changed");
    let (code, said) = release.check();
    assert_eq!(code, Some(0), "{said}");
    let asked = read_to_string(release.at("runner/asked")).unwrap();
    assert!(asked.starts_with("attestation verify ") && asked.contains("--repo ada/pdf --signer-workflow"), "{asked}");

    release.pdf("changed_since_signing");
    let (code, said) = release.check();
    assert!(code == Some(3) && said.contains("1 changed_since_signing"), "{said}");

    // neither what was built by another workflow, nor what was changed since, nor what no list names, nor what is not there
    release.pdf("changed");
    release.program("bin/gh", "exit 1");
    assert_eq!(release.check().0, Some(1));
    release.program("bin/gh", "exit 0");
    assert_eq!(release.check().0, Some(0));
    for archive in release.archives() {
        write(&archive, [read(&archive).unwrap(), vec![0]].concat()).unwrap();
    }
    let (code, said) = release.check();
    assert!(code == Some(1) && said.contains("FAILED"), "{said}");
    write(release.assets().join("SHA256SUMS"), "").unwrap();
    assert_eq!(release.check().0, Some(1));
    std::fs::remove_file(release.assets().join("SHA256SUMS")).unwrap();
    assert_ne!(release.check().0, Some(0));
}
