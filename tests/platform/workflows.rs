//! What runs where production's binaries are built, and where its role is held, is said exactly: actions by commit, tools by
//! version and hash.

use tests::events::root;

/// The lines of all workflows, each with its file's name.
fn lines() -> Vec<(String, String)> {
    let folder = root().join(".github/workflows");
    let mut lines = Vec::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        lines.extend(text.lines().map(|line| (name.clone(), line.trim().to_owned())));
    }
    lines
}

#[test]
fn actions_are_named_by_commit() {
    let mut actions = 0;
    for (file, line) in lines() {
        let Some((_, action)) = line.split_once("uses: ").filter(|(_, action)| !action.starts_with("./")) else {
            continue;
        };
        let commit = action.split_once('@').map_or("", |(_, rest)| rest.split(' ').next().unwrap_or_default());
        let is_commit = commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
        assert!(is_commit && action.contains(" # v"), "{file}: {line}");
        actions += 1;
    }
    assert!(actions > 10);
}

#[test]
fn tools_are_installed_by_hash() {
    let installs: Vec<_> = lines().into_iter().filter(|(_, line)| line.contains("pip install")).collect();
    assert_eq!(installs.len(), 3, "{installs:?}");
    for (file, line) in installs {
        let (_, list) = line.split_once("--require-hashes --requirement ").unwrap_or_else(|| panic!("{file}: {line}"));
        let list = std::fs::read_to_string(root().join(list)).unwrap();
        for package in list.lines().filter(|line| line.contains("==")) {
            assert!(package.ends_with('\\'), "{package} has no hash");
        }
        assert!(list.contains("aws-sam-cli=="), "{file}");
    }
}
