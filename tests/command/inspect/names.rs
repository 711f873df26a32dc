//! Names of files that a terminal would obey, and names that are no files.

use std::fs::{create_dir, read, symlink_metadata, write};
use std::os::unix::fs::symlink;

use samples::histories;
use samples::small::pdf;
use serde_json::Value;
use tempfile::tempdir;

use crate::{refusal, run};

#[test]
fn nothing_that_a_terminal_obeys_is_printed_of_a_file() {
    let folder = tempdir().unwrap();
    let name = "c\u{202e}fdp.exe\u{9b}31m\u{7f}.pdf";
    let path = folder.path().join(name);
    write(&path, pdf("\u{202e}title\u{9b}2J")).unwrap();
    for arguments in [&["inspect"][..], &["inspect", "--pretty"], &["inspect", "--integrity"]] {
        let said = run(&[arguments, &[path.to_str().unwrap()]].concat());
        let obeyed = |letter: char| letter != '\n' && (letter.is_control() || letter == '\u{202e}');
        assert!(!said.output.contains(obeyed), "{:?}", said.output);
        if !arguments.contains(&"--integrity") {
            // and says the same
            let read: Value = serde_json::from_str(&said.output).unwrap();
            assert_eq!(read["path"], path.to_str().unwrap());
        }
    }
}

#[test]
fn a_version_is_written_over_nothing_whatever_it_is() {
    let folder = tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let changed = histories::all().into_iter().find(|history| history.verdict == "changed").unwrap();
    write(at("a.pdf"), changed.file).unwrap();
    write(at("target"), "theirs").unwrap();
    symlink(at("target"), at("link")).unwrap();
    symlink(at("nowhere"), at("lost")).unwrap();
    create_dir(at("folder")).unwrap();
    for name in ["a.pdf", "target", "link", "lost", "folder"] {
        let (file, output) = (at("a.pdf"), at(name));
        let arguments = ["inspect", "--revision", "1", "-o", output.to_str().unwrap(), file.to_str().unwrap()];
        let said = refusal(&arguments);
        assert!(said.contains("already exists; name another file after -o"), "{name}: {said}");
    }
    assert!(symlink_metadata(at("link")).unwrap().is_symlink());
    assert_eq!(read(at("target")).unwrap(), b"theirs");
}
