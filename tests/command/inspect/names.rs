//! Names of files that a terminal would obey, and names that are no files.

use std::fs::{create_dir, read, symlink_metadata, write};
use std::os::unix::fs::symlink;

use samples::small::pdf;
use serde_json::Value;
use tempfile::tempdir;
use tests::command::Run;

use crate::PROGRAM;

#[test]
fn nothing_that_a_terminal_obeys_is_printed_of_a_file() {
    let folder = tempdir().unwrap();
    let name = "c\u{202e}fdp.exe\u{9b}31m\u{7f}.pdf";
    let path = folder.path().join(name);
    write(&path, pdf("\u{202e}title\u{9b}2J")).unwrap();
    for arguments in [&["inspect"][..], &["inspect", "--pretty"], &["inspect", "--integrity"]] {
        let run = Run::of(PROGRAM, &[arguments, &[path.to_str().unwrap()]].concat());
        let obeyed = |letter: char| letter != '\n' && (letter.is_control() || letter == '\u{202e}');
        assert!(!run.stdout.contains(obeyed), "{:?}", run.stdout);
        if !arguments.contains(&"--integrity") {
            // and says the same
            let read: Value = serde_json::from_str(&run.stdout).unwrap();
            assert_eq!(read["path"], path.to_str().unwrap());
        }
    }
}

#[test]
fn a_version_is_written_over_files_alone() {
    let folder = tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    write(at("a.pdf"), pdf("A")).unwrap();
    write(at("target"), "theirs").unwrap();
    symlink(at("target"), at("link")).unwrap();
    create_dir(at("folder")).unwrap();
    let write_to = |name: &str| {
        let (file, output) = (at("a.pdf"), at(name));
        let arguments = ["inspect", "--version-of", "1", "-o", output.to_str().unwrap(), file.to_str().unwrap()];
        Run::of(PROGRAM, &arguments)
    };
    for name in ["link", "folder"] {
        let run = write_to(name);
        assert!(!run.success && run.stderr.contains("there is something that is no file"), "{}", run.stderr);
    }
    assert!(symlink_metadata(at("link")).unwrap().is_symlink());
    for _ in 0..2 {
        assert!(write_to("new.pdf").success);
    }
    assert_eq!(read(at("new.pdf")).unwrap(), pdf("A"));
}
