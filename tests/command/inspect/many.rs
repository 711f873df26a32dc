//! Many files: folders, what comes of each by the exit code, a line that sums all up, and a bar while it lasts.

use std::fs::{create_dir, create_dir_all, write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use samples::histories;
use samples::pdf::{Cipher, Pdf, encrypted};
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
    // named files are inspected with any extension
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
    let counted = "4 files: 1 changed_since_signing, 1 changed, 1 analysis_failed (1 not_a_pdf), 1 no_signs;";
    let of_five =
        "5 files: 1 changed_since_signing, 1 changed, 1 analysis_failed (1 not_a_pdf), 1 unreadable, 1 no_signs;";
    for (arguments, code, summary, shown) in [
        (&["--fail-on", "changed,changed_since_signing", below][..], 3, format!("{counted} 2 fail"), 4),
        (&["--fail-on", "changed", "--fail-on", "analysis_failed", "-q", below], 3, format!("{counted} 2 fail"), 2),
        (&["--fail-on", "needs_review", "--quiet", below], 3, format!("{counted} 2 fail"), 2),
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
    assert_eq!((plain.code, plain.errors), (Some(0), format!("inspect: {}\n", counted.trim_end_matches(';'))));
    let quiet = run(&["inspect", "--quiet", below]);
    assert_eq!(paths(&quiet.output, folder.path()), ["a.pdf", "b/notes.pdf", "b/signed.PDF"]);
    let text = run(&["inspect", "--integrity", "--quiet", "--fail-on", "changed", below]);
    assert!(text.output.contains("≠ Changed\n") && !text.output.contains("No signs"), "{}", text.output);
}

#[test]
fn what_cannot_be_asked_for_is_refused_with_what_can() {
    let said = refusal(&["inspect", "--fail-on", "chnaged", "a.pdf"]);
    assert!(
        said.contains("'chnaged'")
            && said.contains("choose from needs_review, inconclusive, no_findings, changed_since_signing, changed"),
        "{said}"
    );
    assert_eq!(run(&["inspect", "--fail-on", "chnaged", "a.pdf"]).code, Some(2));
    for wrong in [&["--compare", "a.pdf"][..], &["--compare", "a.pdf", "b.pdf", "c.pdf"]] {
        assert_eq!(run(&[&["inspect"], wrong].concat()).code, Some(2), "{wrong:?}");
    }
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
    // a table comes at the end
    let table = shown(&format!("{below}"));
    assert!(table.contains("of 12 files") && table.contains("No findings  No signs of change"), "{table}");
    for without in [
        format!("--format json {below}"),
        format!("{} > {below}/answers", file.display()),
        format!("{below} 2>&1 | cat"),
    ] {
        assert!(!shown(&without).contains("of 12 files"), "{without}");
    }
}

#[test]
fn nothing_found_is_no_success() {
    let folder = tempdir().unwrap();
    write(folder.path().join("notes.txt"), "no PDF").unwrap();
    let below = folder.path().to_str().unwrap();
    for arguments in [&["inspect", below][..], &["inspect", "--fail-on", "changed", below]] {
        let run = run(arguments);
        assert_eq!((run.code, run.errors), (Some(1), format!("inspect: no PDF files found in {below}\n")));
    }
}

#[test]
fn a_table_for_people_and_one_for_spreadsheets_have_all_files_whatever_the_number_of_jobs() {
    let folder = folder();
    for number in 0..40 {
        write(folder.path().join(format!("z{number:02}.pdf")), pdf("A")).unwrap();
    }
    let below = folder.path().to_str().unwrap();
    let shown = |more: &[&str]| run(&[&["inspect"], more, &[below]].concat()).output;
    let table = shown(&["--format", "table"]);
    let firsts: Vec<&str> = table.lines().map(|line| line.split("  ").next().unwrap()).collect();
    assert_eq!(firsts[..4], ["Needs review", "Needs review", "Inconclusive", "No findings"], "{table}");
    assert!(table.lines().next().unwrap().contains("b/signed.PDF  ("), "{table}");
    let csv = shown(&["--format", "csv"]);
    assert_eq!(csv.lines().count(), 45, "{csv}");
    assert!(csv.starts_with("\"outcome\",\"verdict\",\"path\",\"reason\""), "{csv}");
    for format in ["json", "csv", "table"] {
        let of = |jobs: &str| shown(&["--format", format, "--jobs", jobs]);
        assert_eq!(of("1"), of("7"), "{format}");
    }
}

#[test]
fn a_run_that_was_cut_short_goes_on_where_it_was() {
    let folder = folder();
    let (below, kept) = (folder.path().to_str().unwrap(), tempdir().unwrap());
    let results = kept.path().join("results.jsonl");
    let run_on = || run(&["inspect", "--format", "csv", "--resume", results.to_str().unwrap(), below]);
    let first = run_on();
    assert_eq!((first.code, first.output.lines().count()), (Some(0), 5), "{}", first.errors);
    let whole = std::fs::read_to_string(&results).unwrap();
    // two lines and a piece of the third
    let cut = whole.match_indices('\n').nth(1).unwrap().0 + 20;
    write(&results, &whole[..cut]).unwrap();
    // files with results are not inspected again
    let known: Value = serde_json::from_str(whole.lines().next().unwrap()).unwrap();
    write(known["path"].as_str().unwrap(), "no PDF").unwrap();
    let second = run_on();
    assert_eq!(std::fs::read_to_string(&results).unwrap(), whole);
    assert_eq!((second.code, &second.errors), (Some(0), &first.errors));
    assert_eq!(second.output, first.output);
    write(&results, "{}\n").unwrap();
    assert!(run_on().errors.contains("has lines that are no results"));
}

#[test]
fn each_locked_file_is_opened_by_one_of_the_passwords() {
    let folder = tempdir().unwrap();
    for (name, password) in [("a.pdf", "sesame"), ("b.pdf", "barley"), ("c.pdf", "rye")] {
        let file = encrypted(&Pdf::new(1).classic(), Cipher::Aes256, password, "owner");
        write(folder.path().join(name), file).unwrap();
    }
    let list = folder.path().join("passwords");
    write(&list, "wheat\nbarley\n\nrye\n").unwrap();
    let below = folder.path().to_str().unwrap();
    let opened = |arguments: &[&str]| {
        let run = run(&[&["inspect"], arguments, &[below]].concat());
        let answers = run.output.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        answers.map(|answer| answer["ok"].as_bool().unwrap()).collect::<Vec<_>>()
    };
    let list = list.to_str().unwrap();
    assert_eq!(opened(&[]), [false, false, false]);
    assert_eq!(opened(&["--passwords", list]), [false, true, true]);
    assert_eq!(opened(&["--passwords", list, "--password", "sesame"]), [true, true, true]);
    let said = run(&["inspect", below]);
    assert!(said.output.contains("use --password") && said.errors.contains("3 analysis_failed (3 password_required)"));
}
