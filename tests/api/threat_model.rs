//! The threat model names its proofs: each of them has to exist.

use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn every_test_that_the_threat_model_names_exists() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let page = std::fs::read_to_string(root.join("docs/threat-model.md")).unwrap();
    let quoted: Vec<&str> = page.split('`').skip(1).step_by(2).collect();
    let (mut file, mut proofs) = (None, 0);
    for word in quoted {
        if word.contains('/') || word.ends_with(".toml") {
            let path = root.join(word);
            assert!(path.exists(), "there is no {word}");
            file = word.ends_with(".rs").then(|| (word, std::fs::read_to_string(path).unwrap()));
        } else if let Some((path, text)) = &file
            && word.contains('_')
        {
            assert!(text.contains(&format!("fn {word}(")), "there is no {word} in {path}");
            proofs += 1;
        }
    }
    assert!(proofs >= 30, "{proofs} tests named");
}

#[test]
fn every_listed_attack_is_made_and_every_attack_is_listed() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    let page = read("crates/engine/tests/forgeries/README.md");
    let deeds = read("crates/engine/tests/forgeries/deeds.rs");
    let structures = read("crates/engine/tests/forgeries/structural.rs");
    let names = |text: &str, before: &str| -> BTreeSet<String> {
        let after = text.lines().filter_map(|line| line.trim().strip_prefix(before));
        after.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect()
    };
    let mut done = names(&deeds, "Deed { name: \"");
    done.extend(names(&structures, "\""));
    let named: BTreeSet<String> = page.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    let plain = ["number changed", "string changed", "word changed"].map(str::to_owned);
    assert!(done.len() > 50, "{done:?}");
    assert_eq!(named, &done - &BTreeSet::from(plain), "of one object's values there is no row");
}
