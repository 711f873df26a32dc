//! `docs/fields.md`: every field of the metadata, every signal and every error, by what the code says of them.

use engine::{SignalId, Strength};

use crate::field::{Field, HEAD, rows};
use crate::refusals;
use crate::schemas::LATER;
use crate::tree::{Branch, Tree};

const INTRODUCTION: &str = "\
# Every field, signal and error

<!-- Made of the code by `cargo run -p reference -- fields`: change what it says of its types. -->

First `data.metadata` of an analysis, part by part. Every key is always there; a value that the PDF does not have is `null`.
Numbers in brackets are sections of ISO 32000-1, unless another standard is named. Then the [signals](#signals) and the
[errors](#errors). How to read them: [metadata](metadata.md), [was it changed?](integrity.md), [errors](errors.md).
";

/// The page, of the API's document.
pub(crate) fn page(document: &Tree) -> String {
    let schemas = &document["components"]["schemas"];
    let metadata = &schemas["Metadata"];
    let (mut page, mut single) = (INTRODUCTION.to_owned(), String::new());
    for name in metadata["properties"].names() {
        let field = Field::new(schemas, &metadata["properties"][name.as_str()]);
        if field.content.get("properties").is_none() {
            single.push_str(&field.row(&name, ""));
            continue;
        }
        let meaning = field.content["description"].text();
        let later = if field.is_nullable { format!(" {LATER}") } else { String::new() };
        page.push_str(&format!("\n## {name}\n\n{meaning}{later}\n\n{HEAD}"));
        rows(schemas, field.content, (&format!("{name}."), false), &mut page);
    }
    let signals = signals(&schemas["SignalId"]);
    page + &format!("\n## Single values\n\n{HEAD}{single}\n## Signals\n\n{signals}\n## Errors\n\n{}", refusals::table())
}

/// What an answer says of each signal, which of some depends on how much it weighs.
fn signals(ids: &Tree) -> String {
    let mut table = "| `integrity.signals[].id` | what it says |\n|---|---|\n".to_owned();
    for id in ids["enum"].as_sequence().into_iter().flatten() {
        let signal: SignalId = yaml_serde::from_value(id.clone()).expect("a signal has this id");
        let strengths = [Strength::Conclusive, Strength::Strong, Strength::Weak, Strength::Neutral];
        let mut sentences = strengths.map(|strength| signal.sentence(strength)).to_vec();
        sentences.dedup();
        table.push_str(&format!("| `{}` | {} |\n", id.text(), sentences.join(" Or: ")));
    }
    table
}
