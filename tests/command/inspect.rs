//! `pdf-analysis inspect`: whether files were changed, as text for people (`--integrity`), and which files they were (`--sha256`).

mod action;
mod bucket;
mod hook;
mod many;
mod names;

use std::fs::{read, remove_file, write};

use samples::histories;
use samples::small::pdf_of_size;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::tempdir;

use crate::{output, refusal, run};

#[test]
fn each_file_has_its_verdict_and_what_shows_it() {
    let folder = tempdir().unwrap();
    for history in histories::all() {
        let path = folder.path().join(format!("{}.pdf", history.name));
        write(&path, &history.file).unwrap();
        let text = output(&["inspect", "--integrity", path.to_str().unwrap()]);
        let verdict = match history.verdict {
            "changed" => "≠ Changed",
            "signs_of_change" => "≈ Signs of change",
            "saved_again" => "↻ Saved again",
            "no_signs" => "– No signs of change",
            "unchanged_since_signing" => "✓ Unchanged since signing",
            "permitted_changes_since_signing" => "✓+ Permitted changes since signing",
            "changed_since_signing" => "✗ Changed since signing",
            _ => "? Inconclusive",
        };
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines[0], lines[1]), (path.to_str().unwrap(), format!("  {verdict}").as_str()), "{text}");
        // no file moves the cursor or ends a line of its own
        assert!(text.chars().all(|letter| letter == '\n' || !letter.is_control()), "{text:?}");
        assert_eq!(text.contains("\n  Signatures\n"), history.verdict.ends_with("since_signing"), "{text}");
    }
}

#[test]
fn before_and_now_stand_side_by_side_and_an_unreadable_file_is_said_to_be_one() {
    let folder = tempdir().unwrap();
    let history = histories::all().into_iter().find(|history| history.verdict == "changed").unwrap();
    let (good, bad) = (folder.path().join("good.pdf"), folder.path().join("bad.pdf"));
    write(&good, history.file).unwrap();
    write(&bad, "no PDF").unwrap();
    let text = output(&["inspect", "--integrity", bad.to_str().unwrap(), good.to_str().unwrap()]);
    for line in [
        "  The file is not a PDF: no %PDF- header found.",
        "  On page 1, 'Total due: 1,200.00' became 'Total due: 21,200.00' in the second of three saves, on 17 January 2025, \
         with “Pocket Editor 3.1”.",
        "          Before: Total due: 1,200.00",
        "          Now: Total due: 21,200.00",
        "                          ^",
        "      - Note (Text) · page 1 · save 3 · object 501",
        "          Before: nothing",
        "          Now: Text at [300 700 320 720], /Contents: As agreed by phone",
        "     2  17 Jan 2025, 15:42 UTC · Pocket Editor 3.1",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}: {text}");
    }
    write(&bad, "").unwrap();
    assert!(output(&["inspect", bad.to_str().unwrap()]).contains("The file is empty (0 bytes)."));
    let missing = run(&["inspect", "--integrity", "nowhere.pdf"]);
    assert!(!missing.success && missing.output.starts_with("nowhere.pdf\n  "), "{missing:?}");
    assert!(refusal(&["inspect", "--integrity", "--pretty", "a.pdf"]).contains("cannot be used with"));
}

#[test]
fn the_hash_is_computed_when_it_is_asked_for_and_nothing_more_is_read_otherwise() {
    let folder = tempdir().unwrap();
    let (path, bad) = (folder.path().join("a.pdf"), folder.path().join("bad.pdf"));
    let file = pdf_of_size("A", 5_000_001);
    let sha256: String = Sha256::digest(&file).iter().map(|byte| format!("{byte:02x}")).collect();
    write(&path, file).unwrap();
    write(&bad, "no PDF").unwrap();
    let path = path.to_str().unwrap();
    let inspected = |arguments: &[&str]| -> Value { serde_json::from_str(&output(arguments)).unwrap() };
    let plain = inspected(&["inspect", "--stats", path]);
    assert_eq!(plain["metadata"]["file"], json!({ "sha256": null, "source": null }));
    assert!(plain["stats"]["bytes_read"].as_u64().unwrap() < 200_000, "{plain}");
    let hashed = inspected(&["inspect", "--sha256", path]);
    assert_eq!(hashed["metadata"]["file"], json!({ "sha256": sha256, "source": "computed" }));
    assert!(output(&["inspect", "--sha256", "--integrity", path]).contains(&format!("\n  SHA-256 {sha256}\n")));
    assert_eq!(inspected(&["inspect", "--sha256", bad.to_str().unwrap()])["error"]["code"], "analysis_failed");
}

#[test]
fn each_earlier_version_can_be_written_and_is_that_file() {
    let folder = tempdir().unwrap();
    let history = histories::all().into_iter().find(|history| history.verdict == "changed").unwrap();
    let (input, output_file) = (folder.path().join("file.pdf"), folder.path().join("version.pdf"));
    write(&input, &history.file).unwrap();
    let (input, version) = (input.to_str().unwrap(), output_file.to_str().unwrap());
    let told: serde_json::Value = serde_json::from_str(&output(&["inspect", input])).unwrap();
    let revisions = told["metadata"]["integrity"]["revisions"].as_array().unwrap();
    assert_eq!(revisions.len(), 3);
    for (number, revision) in (1..).zip(&revisions[..2]) {
        output(&["inspect", "--revision", &number.to_string(), "-o", version, input]);
        let end = revision["end"].as_u64().unwrap() as usize;
        assert_eq!(read(version).unwrap(), history.file[..end], "version {number}");
        let text = output(&["inspect", "--integrity", version]);
        assert_eq!(text.contains("≠ Changed"), number > 1, "{text}");
        remove_file(version).unwrap();
    }
}

#[test]
fn what_cannot_be_written_is_said_and_nothing_is_ever_replaced() {
    let folder = tempdir().unwrap();
    let named = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let history = |verdict: &str| histories::all().into_iter().find(|history| history.verdict == verdict).unwrap().file;
    let (changed, whole, cut, other) = (named("changed.pdf"), named("whole.pdf"), named("cut.pdf"), named("other.pdf"));
    write(&changed, history("changed")).unwrap();
    write(&whole, history("no_signs")).unwrap();
    write(&cut, history("undetermined")).unwrap();
    let refused =
        |number: &str, output: &str, input: &str| refusal(&["inspect", "--revision", number, "-o", output, input]);
    for (said, why) in [
        (refused("4", &other, &changed), "inspect: there is no revision 4: the file has 1 to 3"),
        (refused("2", &other, &whole), "inspect: there is no revision 2: the file has only revision 1"),
        (refused("1", &other, &cut), "inspect: there is no revision 1: the file is too damaged"),
        (refused("3", &other, &changed), "inspect: version 3 is the file itself: nothing was saved after it"),
        (refused("1", &other, &whole), "inspect: version 1 is the file itself: nothing was saved after it"),
        (refused("1", &changed, &changed), "changed.pdf already exists; name another file after -o"),
        (refused("1", &cut, &changed), "cut.pdf already exists"),
        (refused("1", &named("none/v.pdf"), &changed), "v.pdf cannot be written: "),
        (refused("1", &other, &named("nowhere.pdf")), "inspect: "),
        (refusal(&["inspect", "--revision", "1", "-o", &other, &changed, &whole]), "--revision takes one file"),
        (refusal(&["inspect", "--revision", "1", &changed]), "--output <FILE>"),
    ] {
        assert!(said.contains(why), "{why}: {said}");
    }
    assert!(read(&other).is_err());
    assert_eq!(read(&changed).unwrap(), history("changed"));
    assert_eq!(read(&cut).unwrap(), history("undetermined"));
}
