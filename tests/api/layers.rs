//! Dependencies within the crates: no cycles among the parts of a folder, and modules of `store` and `shared` and rooms of
//! the engine's crates depend only on their own layer or on lower ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use tests::events::root;

/// The layers of `store` and `shared`, as named in comments of their `lib.rs`; each may use those before it.
const LAYERS: [&str; 4] = ["// pure", "// outside", "// platform", "// front"];

/// The path of a module or an item in its crate: `["store", "commit"]`.
type Place = Vec<String>;

/// The dependencies of a file.
struct Source {
    /// What it uses.
    used: Vec<Place>,
    /// Paths that it re-exports by `pub use`.
    handed_on: Vec<Place>,
}

/// The files of a crate except tests, by module.
struct Crate(BTreeMap<Place, Source>);

impl Crate {
    fn read(source: &Path) -> Self {
        let mut texts = BTreeMap::new();
        collect(source, &mut Vec::new(), &mut texts);
        if let Some(lib) = texts.remove(["lib".to_owned()].as_slice()) {
            texts.insert(Vec::new(), lib);
        }
        let places: BTreeSet<Place> = texts.keys().cloned().collect();
        Self(texts.into_iter().map(|(module, text)| (module.clone(), Source::read(&module, &text, &places))).collect())
    }

    /// The module that defines `place`, which may be re-exported by others.
    fn home(&self, place: &[String]) -> Place {
        let module = (0..=place.len()).rev().map(|length| &place[..length]).find(|module| self.0.contains_key(*module));
        let module = module.unwrap_or_default();
        let name = place.get(module.len());
        let handed_on = self.0.get(module).into_iter().flat_map(|source| &source.handed_on);
        match handed_on.into_iter().find(|other| name.is_some() && other.last() == name && *other != place) {
            Some(other) => self.home(other),
            None => module.to_vec(),
        }
    }

    /// The dependencies, file by file.
    fn arrows(&self) -> impl Iterator<Item = (&Place, Place)> {
        self.0.iter().flat_map(move |(module, source)| source.used.iter().map(move |place| (module, self.home(place))))
    }

    /// The cycles among the parts of each folder: files, and folders with their content. A part may use what its
    /// folder's own file declares.
    fn circles(&self) -> Vec<(Place, BTreeSet<String>)> {
        let mut folders: BTreeMap<Place, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
        for (from, to) in self.arrows() {
            let depth = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
            if let (Some(user), Some(used)) = (from.get(depth), to.get(depth)) {
                let folder = folders.entry(from[..depth].to_vec()).or_default();
                folder.entry(user.clone()).or_default().insert(used.clone());
            }
        }
        let of_folder = |(folder, uses): (Place, BTreeMap<_, _>)| {
            let circles: BTreeSet<_> = uses.keys().filter_map(|part| circle(part, &uses)).collect();
            circles.into_iter().map(move |parts| (folder.clone(), parts))
        };
        folders.into_iter().flat_map(of_folder).collect()
    }
}

impl Source {
    fn read(module: &[String], text: &str, places: &BTreeSet<Place>) -> Self {
        let (imports, mut code) = (text.split_inclusive(';'), String::new());
        let (mut used, mut handed_on) = (Vec::new(), Vec::new());
        for statement in imports {
            let start = statement.rfind("use ").filter(|at| is_import(&statement[..*at]));
            let Some(at) = start else {
                code.push_str(statement);
                continue;
            };
            let (before, tree) = (&statement[..at], statement[at + 4..].trim_end_matches(';'));
            code.push_str(before);
            let public = before.lines().next_back().is_some_and(|line| line.trim_start().starts_with("pub"));
            if public { &mut handed_on } else { &mut used }.extend(spread(tree));
        }
        used.extend(code.split(|sign: char| !sign.is_alphanumeric() && !"_:".contains(sign)).map(segments));
        let placed = |names: Vec<Place>| names.iter().filter_map(|name| place(module, name, places)).collect();
        Self { used: placed(used), handed_on: placed(handed_on) }
    }
}

/// Whether `use` after this text begins an import.
fn is_import(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default().trim();
    line.is_empty() || line.starts_with("pub") && !line.contains(' ')
}

/// The code of every file below `folder` except tests, by module.
fn collect(folder: &Path, module: &mut Place, texts: &mut BTreeMap<Place, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if ["tests", "main", "bin"].contains(&name.as_str()) {
            continue;
        }
        module.push(name);
        if path.is_dir() {
            collect(&path, module, texts);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            texts.insert(module.clone(), lines.flat_map(|line| [line, "\n"]).collect());
        }
        module.pop();
    }
}

/// `a::b::C` as `[a, b, C]`.
fn segments(path: &str) -> Place {
    path.split("::").map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
}

/// The paths of an import: `a::{b::C, d}` as `a::b::C` and `a::d`.
fn spread(tree: &str) -> Vec<Place> {
    let Some((before, rest)) = tree.split_once('{') else {
        let path = segments(tree.split(" as ").next().unwrap());
        return vec![path.into_iter().filter(|name| name != "self").collect()];
    };
    let inside = rest.rsplit_once('}').map_or(rest, |(inside, _)| inside);
    let mut depth = 0_i32;
    let branches = inside.split(|sign| {
        depth += i32::from(sign == '{') - i32::from(sign == '}');
        sign == ',' && depth == 0
    });
    let branches = branches.filter(|branch| !branch.trim().is_empty()).flat_map(spread);
    branches.map(|branch| segments(before).into_iter().chain(branch).collect()).collect()
}

/// Resolves a name in `module` within its crate; `None` for other crates' names and the module's own.
fn place(module: &[String], name: &[String], places: &BTreeSet<Place>) -> Option<Place> {
    if name.len() < 2 {
        return None;
    }
    let ups = name.iter().take_while(|name| *name == "super").count();
    let child = || module.iter().chain(name.first()).cloned().collect::<Place>();
    let (base, rest) = match name.first()?.as_str() {
        "crate" => (&module[..0], &name[1..]),
        "super" => (&module[..module.len() - ups.min(module.len())], &name[ups..]),
        _ if places.contains(&child()) => (module, name),
        _ => return None,
    };
    Some(base.iter().chain(rest).cloned().collect())
}

/// The cycle that contains `part`.
fn circle(part: &String, uses: &BTreeMap<String, BTreeSet<String>>) -> Option<BTreeSet<String>> {
    let reached = |from: &String| {
        let (mut found, mut open) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(next) = open.pop() {
            open.extend(uses.get(&next).into_iter().flatten().filter(|used| found.insert((*used).clone())).cloned());
        }
        found
    };
    let own = reached(part);
    own.contains(part).then(|| own.into_iter().filter(|other| reached(other).contains(part)).collect())
}

/// The folders with the sources of the workspace's crates.
fn sources() -> Vec<String> {
    let within = |folder: &str| fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let sources = within(".")
        .chain(within("crates"))
        .chain(within("functions"))
        .map(|path| path.join("src"))
        .filter(|path| path.is_dir());
    let mut names: Vec<_> = sources
        .map(|path| path.strip_prefix(root()).unwrap().to_str().unwrap().trim_start_matches("./").to_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn no_parts_of_a_folder_use_each_other_in_a_circle() {
    let mut found = Vec::new();
    for source in sources() {
        let circles = Crate::read(&root().join(&source)).circles();
        found.extend(circles.into_iter().map(|(folder, parts)| {
            let parts = parts.into_iter().collect::<Vec<_>>().join(", ");
            let folder = [source.clone()].into_iter().chain(folder).collect::<Vec<_>>().join("/");
            format!("{folder}: {parts}")
        }));
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn no_module_of_store_or_shared_uses_what_is_above_it() {
    for source in ["crates/store/src", "shared/src"].map(|source| root().join(source)) {
        let lib = fs::read_to_string(source.join("lib.rs")).unwrap();
        let layers = layers(&lib);
        let parts = Crate::read(&source);
        let inside = parts.arrows().filter_map(|(from, to)| Some((from, from.first()?.clone(), to.first()?.clone())));
        // what a crate re-exports is of another, below it
        let layer = |name: &str| layers.get(name).copied().unwrap_or_default();
        let leaks = inside.filter(|(_, from, to)| layer(to) > layer(from));
        let leaks: Vec<_> = leaks.map(|(from, _, to)| format!("{} uses {to}", from.join("/"))).collect();
        assert!(layers.len() > 10 && leaks.is_empty(), "{}: {leaks:#?}", source.display());
    }
}

/// Cargo keeps the order of crates; within one, the table of the page does.
#[test]
fn no_room_of_the_engine_uses_one_above_it() {
    let page = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let (_, engine) = page.split_once("## The PDF engine").unwrap();
    let rows = engine.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | `"));
    let rooms: Vec<_> = rows.map(|(name, rest)| (name, rest.split('`').next().unwrap())).collect();
    for name in ["pdf-syntax", "pdf-content", "engine"] {
        let rooms: Vec<_> = rooms.iter().filter(|(owner, _)| *owner == name).map(|(_, room)| *room).collect();
        let floor = |place: &Place| rooms.iter().position(|room| Some(*room) == place.first().map(String::as_str));
        let parts = Crate::read(&root().join("crates").join(name).join("src"));
        let unnamed = parts.0.keys().filter(|module| module.len() > 1 && floor(module).is_none());
        let unnamed: Vec<_> = unnamed.map(|module| module.join("/")).collect();
        let up = |from: &Place, to: &Place| floor(from).zip(floor(to)).is_some_and(|(from, to)| to < from);
        let leaks = parts.arrows().filter(|(from, to)| up(from, to));
        let leaks: Vec<_> = leaks.map(|(from, to)| format!("{} uses {}", from.join("/"), to.join("/"))).collect();
        assert!(!rooms.is_empty() && leaks.is_empty(), "{name}: {leaks:#?}");
        assert!(unnamed.is_empty(), "{name}, in no room of the page: {unnamed:#?}");
    }
}

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

#[test]
fn a_circle_is_found() {
    let uses = |pairs: &[(&str, &str)]| {
        let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (user, used) in pairs {
            uses.entry((*user).to_owned()).or_default().insert((*used).to_owned());
        }
        uses
    };
    let part = "a".to_owned();
    let round = uses(&[("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]);
    assert_eq!(circle(&part, &round), Some(["a", "b", "c"].map(str::to_owned).into()));
    assert_eq!(circle(&part, &uses(&[("a", "b"), ("b", "c"), ("a", "c")])), None);
    let places = [vec![], vec!["store".to_owned()], vec!["store".to_owned(), "key".to_owned()]].into();
    let source = Source::read(
        &["store".to_owned()],
        "pub(crate) use key::{Row, Key as K};\nuse std::fmt;\nuse crate::{clock::{Clock, now}, error::Error};\nkey::all()",
        &places,
    );
    assert_eq!(source.handed_on, [["store", "key", "Row"], ["store", "key", "Key"]]);
    let used: Vec<_> = source.used.iter().map(|place| place.join("/")).collect();
    assert_eq!(used, ["clock/Clock", "clock/now", "error/Error", "store/key/all"]);
}
