//! `docs/fields.md`: every field of the metadata, every signal and every error, from their doc comments.

use engine::{SignalId, Strength};

use crate::field::{Field, HEAD, rows};
use crate::refusals;
use crate::schemas::LATER;
use crate::tree::{Branch, Tree};

const INTRODUCTION: &str = "\
# Every field, signal and error

<!-- Made of the code by `cargo run -p reference -- fields`: change what it says of its types. -->

`data.metadata` of an analysis, part by part, then the [signals](#signals) and the [errors](#errors). Numbers in brackets are sections
of ISO 32000-1, unless another standard is named. [Verdicts](integrity.md) and [errors](api.md#errors) have guides of their own.

- **Every key is always present.** A value that the PDF does not have is `null`, and so is a part that is newer than a stored analysis.
- **Texts** are one line of at most 4,096 characters: line breaks and tabs become one space; other control characters and language codes
  are removed; ends are trimmed; an empty text is `null`. They are UTF-16 or UTF-8 with a byte order mark, otherwise PDFDocEncoding (7.9.2).
- **Info and XMP.** Texts and dates are those of the document information dictionary and, where it lacks one, of the XMP packet; in a repaired
  file of the dictionary only. Only the document's own XMP properties count, not those of embedded images, its history or its source.
- **Dates.** `raw` is the text in the file, `iso8601` the instant with its offset; without a zone it is UTC. If a date is not understood
  completely, `iso8601` is `null` and `parsed` is false. `was_modified` means that both dates were read and `modified` is later.
- **Permissions** are requests to readers; nothing enforces them. From revision 5 on they can be edited without the password:
  `permissions_verified` says whether `/Perms` confirms them.
- **Encrypted files** are read with the empty password, as user or owner, or with the given one, in every encoding and normalization that
  writers use.
- **Scripts and attachments** are searched for in the catalog, the form, and the pages whose content is read: up to 20, in files of up to
  2 MiB up to 500. `features.examined` is `part` if there are more pages and one of the two was not found. Actions of bookmarks are not
  examined.
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

/// The sentence of each signal, which may depend on its strength.
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
