//! Many files: folders, what comes of each by the exit code, a line that sums all up, and a bar while it lasts.

use std::fs::{create_dir, create_dir_all, write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use samples::histories;
use samples::small::pdf;
use serde_json::Value;
use tempfile::tempdir;

use crate::{refusal, run};

/// A folder with a changed file, one that was signed and then changed, one without signs, one that is no PDF.
fn folder() -> tempfile::TempDir {
    let folder = tempdir().unwrap();
    let history = |verdict: &str| histories::all().into_iter().find(|it| it.verdict == verdict).unwrap().file;
    for (name, file) in [
        ("a.pdf", history("changed")),
        ("b/signed.PDF", history("changed_since_signing")),
        ("b/c/none.pdf", history("no_signs")),
        ("b/notes.pdf", b"no PDF".to_vec()),
    ] {
        create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
        write(folder.path().join(name), file).unwrap();
    }
    folder
}

/// The paths of the answers, below the folder.
fn paths(output: &str, folder: &Path) -> Vec<String> {
    let answers = output.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    answers.map(|answer| answer["path"].as_str().unwrap().replace(&format!("{}/", folder.display()), "")).collect()
}

#[test]
fn a_folder_is_walked_for_pdfs_but_not_through_links_nor_where_it_is_hidden() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    create_dir(at(".git")).unwrap();
    for name in [".hidden.pdf", ".git/packed.pdf", "notes.txt"] {
        write(at(name), pdf("A")).unwrap();
    }
    // in a circle, to a file that is met anyway, and to one that is not there
    symlink(folder.path(), at("b/circle")).unwrap();
    symlink(at("a.pdf"), at("again.pdf")).unwrap();
    symlink(at("gone.pdf"), at("lost.pdf")).unwrap();
    let run_on = |paths: &[&Path]| {
        let arguments = [&["inspect"], &*paths.iter().map(|path| path.to_str().unwrap()).collect::<Vec<_>>()].concat();
        let run = run(&arguments);
        (self::paths(&run.output, folder.path()), run.code)
    };
    let all = ["a.pdf", "b/c/none.pdf", "b/notes.pdf", "b/signed.PDF"];
    assert_eq!(run_on(&[folder.path()]), (all.map(str::to_owned).to_vec(), Some(0)));
    // what is named is looked at, whatever it is
    let named = [at(".hidden.pdf"), at("notes.txt"), at("again.pdf"), at("b/circle/b/c"), at("lost.pdf")];
    let (found, code) = run_on(&named.each_ref().map(PathBuf::as_path));
    assert_eq!(found, [".hidden.pdf", "notes.txt", "again.pdf", "b/circle/b/c/none.pdf", "lost.pdf"]);
    assert_eq!(code, Some(1));
}

#[test]
fn what_shall_fail_fails_and_all_is_summed_up_in_a_line() {
    let folder = folder();
    let below = folder.path().to_str().unwrap();
    let missing = folder.path().join("missing.pdf").to_str().unwrap().to_owned();
    let counted = "4 files: 1 changed, 1 no_signs, 1 analysis_failed, 1 changed_since_signing;";
    let of_five = "5 files: 1 changed, 1 no_signs, 1 analysis_failed, 1 changed_since_signing, 1 unreadable;";
    for (arguments, code, summary, shown) in [
        (&["--fail-on", "changed,changed_since_signing", below][..], 3, format!("{counted} 2 fail"), 4),
        (&["--fail-on", "changed", "--fail-on", "analysis_failed", "-q", below], 3, format!("{counted} 2 fail"), 2),
        (&["--fail-on", "undetermined", below], 0, format!("{counted} none fails"), 4),
        (&["--fail-on", "undetermined", "--quiet", below, &missing], 1, format!("{of_five} none fails"), 1),
        // what was found counts more than what was not
        (&["--fail-on", "changed", "--quiet", below, &missing], 3, format!("{of_five} 1 fails"), 2),
    ] {
        let run = run(&[&["inspect"], arguments].concat());
        assert_eq!(run.code, Some(code), "{arguments:?}: {}", run.errors);
        assert_eq!(run.errors, format!("inspect: {summary}\n"), "{arguments:?}");
        assert_eq!(run.output.lines().count(), shown, "{arguments:?}: {}", run.output);
    }
    let plain = run(&["inspect", below]);
    assert_eq!((plain.code, plain.errors.as_str()), (Some(0), ""));
    let text = run(&["inspect", "--integrity", "--quiet", "--fail-on", "changed", below]);
    assert!(text.output.contains("≠ Changed\n") && !text.output.contains("No signs"), "{}", text.output);
}

#[test]
fn what_cannot_be_asked_for_is_refused_with_what_can() {
    let said = refusal(&["inspect", "--fail-on", "chnaged", "a.pdf"]);
    assert!(
        said.contains("'chnaged'") && said.contains("choose from changed_since_signing, changed, signs_of_change"),
        "{said}"
    );
    assert_eq!(run(&["inspect", "--fail-on", "chnaged", "a.pdf"]).code, Some(2));
    assert!(refusal(&["inspect", "--quiet", "a.pdf"]).contains("--fail-on"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_bar_is_drawn_on_a_terminal_for_many_files_whose_answers_go_elsewhere() {
    let folder = tempdir().unwrap();
    for number in 0..12 {
        write(folder.path().join(format!("{number}.pdf")), pdf("A")).unwrap();
    }
    let shown = |arguments: &str| {
        let command = format!("{} inspect {arguments}", crate::PROGRAM);
        let script = std::process::Command::new("script").args(["-qec", &command, "/dev/null"]).output().unwrap();
        assert!(script.status.success(), "{script:?}");
        String::from_utf8(script.stdout).unwrap()
    };
    let (below, file) = (folder.path().display(), folder.path().join("0.pdf"));
    assert!(shown(&format!("{below} > {below}/answers")).contains("of 12 files"));
    assert_eq!(std::fs::read_to_string(folder.path().join("answers")).unwrap().lines().count(), 12);
    for without in [format!("{below}"), format!("{} > {below}/answers", file.display()), format!("{below} 2>&1 | cat")]
    {
        assert!(!shown(&without).contains("of 12 files"), "{without}");
    }
}
