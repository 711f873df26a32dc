//! The layers of `shared` hold: what a module uses is in its own layer or in one below.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tests::events::root;

/// The layers, each of which may use those before it, as comments of `lib.rs` name them.
const LAYERS: [&str; 3] = ["// pure", "// outside", "// front"];

/// The layer of every module that `lib.rs` declares.
fn layers(lib: &str) -> BTreeMap<&str, usize> {
    let mut layer = None;
    let mut modules = BTreeMap::new();
    for line in lib.lines() {
        layer = LAYERS.iter().position(|head| *head == line).or(layer);
        if let Some(module) = line.trim_start_matches("pub ").strip_prefix("mod ") {
            modules.insert(module.trim_end_matches(';'), layer.expect("a module without a layer"));
        }
    }
    modules
}

/// The file of a module, and those of its folder.
fn files(path: PathBuf) -> Vec<PathBuf> {
    let folder = path.with_extension("");
    let below = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let below: Vec<_> = below.filter(|path| path.extension().is_some_and(|ending| ending == "rs")).collect();
    [path].into_iter().chain(below.into_iter().flat_map(files)).collect()
}

/// The modules that a file names, in code.
fn used(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let names = code.split("crate::").skip(1);
    names
        .filter_map(|rest| rest.split(|sign: char| !sign.is_alphanumeric() && sign != '_').next().map(str::to_owned))
        .collect()
}

#[test]
fn no_module_uses_what_is_above_it() {
    let source = root().join("shared/src");
    let lib = fs::read_to_string(source.join("lib.rs")).unwrap();
    let layers = layers(&lib);
    let mut leaks = Vec::new();
    for (module, layer) in &layers {
        for file in files(source.join(module).with_extension("rs")) {
            let above = used(&file).into_iter().filter(|name| layers[name.as_str()] > *layer);
            leaks.extend(above.map(|name| format!("{} uses {name}", file.strip_prefix(&source).unwrap().display())));
        }
    }
    assert!(leaks.is_empty(), "{leaks:#?}");
}
