//! `pdf-analysis evidence`: a package that anyone can verify without this program.

use std::fs::{read, read_to_string, write};
use std::process::Command;

use samples::histories;
use serde_json::Value;
use tempfile::tempdir;

use crate::{output, refusal};

#[test]
fn a_package_has_the_file_its_versions_and_the_report_and_its_hashes_fit() {
    let folder = tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let history = histories::all().into_iter().find(|history| history.verdict == "changed").unwrap();
    let name = "R\u{e9}sum\u{e9} 1.PDF";
    write(at(name), &history.file).unwrap();
    let (file, zip) = (at(name).to_str().unwrap().to_owned(), at("e.zip").to_str().unwrap().to_owned());
    output(&["evidence", &file, "-o", &zip]);
    let unpacked = at("unpacked");
    let extracted = Command::new("python3").args(["-m", "zipfile", "-e", &zip]).arg(&unpacked).status().unwrap();
    assert!(extracted.success());
    let checked = Command::new("sha256sum").args(["--check", "--strict", "SHA256SUMS"]).current_dir(&unpacked).output();
    assert!(checked.unwrap().status.success());
    assert_eq!(read(unpacked.join(name)).unwrap(), history.file);
    let report: Value = serde_json::from_slice(&read(unpacked.join("report.json")).unwrap()).unwrap();
    let versions = report["evidence"]["versions"].as_array().unwrap();
    assert_eq!(versions.len(), 3);
    let sums = read_to_string(unpacked.join("SHA256SUMS")).unwrap();
    for (number, version) in (1..).zip(&versions[..2]) {
        let member = format!("R\u{e9}sum\u{e9} 1 (version {number}).pdf");
        let end = version["bytes"].as_u64().unwrap() as usize;
        assert_eq!(read(unpacked.join(&member)).unwrap(), history.file[..end], "{member}");
        assert!(sums.contains(&format!("{}  {member}\n", version["sha256"].as_str().unwrap())), "{sums}");
    }
    assert_eq!(versions[2]["sha256"], report["metadata"]["file"]["sha256"]);
    assert!(report["evidence"]["program"].as_str().unwrap().starts_with("pdf-analysis "));
    let page = read_to_string(unpacked.join("report.html")).unwrap();
    assert!(page.contains("Total due: ") && page.contains("<style>"), "{page}");
    for other in ["<form", "<script", "<input", "<link", "your time"] {
        assert!(!page.contains(other), "{other}");
    }
    assert!(read_to_string(unpacked.join("README.txt")).unwrap().contains(name));
    assert!(refusal(&["evidence", &file, "-o", &zip]).contains("already exists"));
    assert!(refusal(&["evidence", "nowhere.pdf"]).contains("error: "));
}

#[test]
fn inspect_says_the_hashes_of_all_versions_and_by_what_they_were_made() {
    let folder = tempdir().unwrap();
    let history = histories::all().into_iter().find(|history| history.verdict == "changed").unwrap();
    let path = folder.path().join("a.pdf");
    write(&path, &history.file).unwrap();
    let told: Value = serde_json::from_str(&output(&["inspect", "--sha256", path.to_str().unwrap()])).unwrap();
    let evidence = &told["evidence"];
    assert_eq!(evidence["versions"].as_array().unwrap().len(), 3, "{evidence}");
    assert!(evidence["inspected_at"].as_str().unwrap().ends_with('Z'));
    let plain: Value = serde_json::from_str(&output(&["inspect", path.to_str().unwrap()])).unwrap();
    assert!(plain.get("evidence").is_none());
}
