//! The threat model names its proofs: each of them has to exist.

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
            file = None;
        }
    }
    assert!(proofs >= 30, "{proofs} tests named");
}
