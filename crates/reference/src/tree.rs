//! JSON whose objects keep their order, which `serde_json::Value` does not.

use yaml_serde::Mapping;

/// A JSON value.
pub(crate) type Tree = yaml_serde::Value;

/// Reads a JSON text.
pub(crate) fn read(json: &str) -> Tree {
    serde_json::from_str(json).expect("the text is JSON")
}

/// The value as a JSON text for people, with a line feed at its end.
pub(crate) fn write(tree: &Tree) -> String {
    let mut text = serde_json::to_string_pretty(tree).expect("every key is a text");
    text.push('\n');
    text
}

/// An object of these entries.
pub(crate) fn object<const N: usize>(entries: [(&str, Tree); N]) -> Tree {
    Tree::Mapping(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
}

/// A reference to a component.
pub(crate) fn component(kind: &str, name: &str) -> Tree {
    object([("$ref", format!("#/components/{kind}/{name}").into())])
}

/// Methods of the tree beside indexing.
pub(crate) trait Branch {
    /// The only element of a list.
    fn listed(self) -> Tree;
    /// The entries of an object.
    fn entries(&mut self) -> &mut Mapping;
    /// Sorts the entries of an object by their keys.
    fn sort(&mut self);
    /// The keys of an object.
    fn names(&self) -> Vec<String>;
    /// The text that this is.
    fn text(&self) -> &str;
}

impl Branch for Tree {
    fn listed(self) -> Tree {
        Tree::Sequence(vec![self])
    }

    fn entries(&mut self) -> &mut Mapping {
        if self.is_null() {
            *self = Tree::Mapping(Mapping::new());
        }
        self.as_mapping_mut().expect("an object")
    }

    fn sort(&mut self) {
        let mut entries: Vec<(Tree, Tree)> = std::mem::take(self.entries()).into_iter().collect();
        entries.sort_by(|(one, _), (other, _)| one.text().cmp(other.text()));
        self.entries().extend(entries);
    }

    fn names(&self) -> Vec<String> {
        let keys = self.as_mapping().into_iter().flat_map(Mapping::keys);
        keys.map(|key| key.text().to_owned()).collect()
    }

    fn text(&self) -> &str {
        self.as_str().unwrap_or_default()
    }
}
