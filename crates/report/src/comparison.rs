//! The relation of two files, in sentences.

use engine::{Comparison, ExaminedContent, Relation, Side};

use crate::words::{Tone, count};

/// The relation as a heading.
#[must_use]
pub fn relation(relation: Option<Relation>) -> &'static str {
    match relation {
        Some(Relation::Identical) => "The same file",
        Some(Relation::Appended) => "One with something appended",
        Some(Relation::SameDocument) => "Versions of one document",
        Some(Relation::Other) => "Different documents",
        None => "Inconclusive",
    }
}

/// The meaning of the relation.
#[must_use]
pub fn meaning(compared: &Comparison) -> &'static str {
    match (compared.relation, compared.grown) {
        (Some(Relation::Identical), _) => "The files have the same bytes.",
        (Some(Relation::Appended), Some(Side::Before)) => "The earlier file is the later one with something appended.",
        (Some(Relation::Appended), _) => "The later file is the earlier one with something appended.",
        (Some(Relation::SameDocument), _) => "The files are versions of one document.",
        (Some(Relation::Other), _) => "The files are different documents.",
        (None, _) => "How the files are related is inconclusive: there is too little text to compare.",
    }
}

/// Its tone: never good, unless the bytes are the same.
#[must_use]
pub fn tone(compared: &Comparison) -> Tone {
    let pages = [&compared.pages_added, &compared.pages_removed];
    let differs = compared.words_total > 0
        || !compared.form.is_empty()
        || compared.too_different
        || pages.iter().any(|pages| !pages.is_empty());
    match compared.relation {
        Some(Relation::Identical) => Tone::Good,
        _ if differs || !compared.pages_moved.is_empty() => Tone::Warning,
        _ => Tone::Neutral,
    }
}

/// How far the words differ, and the weight of that.
#[must_use]
pub fn words(compared: &Comparison) -> String {
    if compared.too_different {
        return "They differ too much to be compared word by word.".to_owned();
    }
    let found = match compared.words_total {
        0 => "No words differ".to_owned(),
        places => format!("Words differ in {}", count(places, "place")),
    };
    match compared.examined {
        ExaminedContent::All => format!("{found}."),
        ExaminedContent::Part => format!("{found} of what could be compared; not all could."),
        ExaminedContent::None => "No words could be compared.".to_owned(),
    }
}

/// Added, removed, moved and uncompared pages.
#[must_use]
pub fn pages(compared: &Comparison) -> Vec<String> {
    let listed = |what: &str, pages: &[u32]| {
        let numbers: Vec<String> = pages.iter().map(u32::to_string).collect();
        (!pages.is_empty()).then(|| format!("{what}: {}.", numbers.join(", ")))
    };
    let [before, after] = &compared.without_text;
    let came = listed("Pages that came", &compared.pages_added);
    let went = listed("Pages that went", &compared.pages_removed);
    let moved = compared.pages_moved.iter().map(|[from, to]| format!("Page {from} is page {to} now."));
    let unread = [listed("Without text to compare, in the earlier file", before)]
        .into_iter()
        .chain([listed("Without text to compare, in the later file", after)]);
    came.into_iter().chain(went).chain(moved).chain(unread.flatten()).collect()
}
