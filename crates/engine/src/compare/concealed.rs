//! Concealed words of a file, which decide which differences others than its owner may see.

use std::collections::BTreeSet;

use super::WordChange;
use super::pages::ComparedPage;
use pdf_content::hidden::letters;

/// Maximum letters of concealed words for which parts of words count; with more, nearly every part occurs.
const MAX_LETTERS_FOR_PARTS: usize = 2 << 10;
/// Minimum letters of a part of a word.
const MIN_PART_LETTERS: usize = 3;

/// Indices in [`ComparedPage::letters`].
const SHOWN: usize = 0;
const CONCEALED: usize = 1;

/// Visible and concealed letters of a file.
#[derive(Debug, Default)]
pub(super) struct Concealed {
    words: BTreeSet<String>,
    /// All of them, separated by blanks, if few.
    all: String,
    /// Whether visibility is known for every page.
    is_known: bool,
    /// All visible text, without blanks.
    shown: String,
}

impl Concealed {
    /// Returns the words of pages and of field `values`, which pages may show or not.
    pub(super) fn of<'v>(pages: &[ComparedPage], values: impl Iterator<Item = &'v String>) -> Self {
        let is_known = pages.iter().all(|page| page.letters.is_some());
        let letters_of = |kind: usize| {
            let pages = pages.iter().flat_map(|page| &page.letters);
            pages.flat_map(move |letters| letters.get(kind)).flatten()
        };
        let shown: String = letters_of(SHOWN).map(String::as_str).collect();
        let words = letters_of(CONCEALED).cloned().collect();
        let mut concealed = Self { words, all: String::new(), is_known, shown };
        let values = values.filter(|value| !concealed.shows(value) && !is_state(value));
        let values: Vec<String> = values.flat_map(|value| value.split_whitespace().map(letters)).collect();
        concealed.words.extend(values);
        // words that are also visible are not concealed
        for word in letters_of(SHOWN) {
            concealed.words.remove(word);
        }
        concealed.words.remove("");
        if concealed.words.iter().map(String::len).sum::<usize>() <= MAX_LETTERS_FOR_PARTS {
            concealed.all = concealed.words.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        }
        concealed
    }

    /// Whether the pages show a text.
    pub(super) fn shows(&self, text: &str) -> bool {
        self.is_known && self.shown.contains(&letters(text))
    }

    /// Whether a text has a word that is or may be concealed.
    fn hides(&self, text: &str) -> bool {
        let is_part = |one: &str, other: &str| one.chars().count() >= MIN_PART_LETTERS && other.contains(one);
        let is_concealed = |word: String| {
            self.words.contains(&word)
                || is_part(&word, &self.all)
                || !self.all.is_empty() && self.words.iter().any(|hidden| is_part(hidden, &word))
        };
        text.split_whitespace().map(letters).any(|word| !word.is_empty() && is_concealed(word))
    }
}

/// Whether a value is a button's state, not text.
pub(super) fn is_state(value: &str) -> bool {
    matches!(value, "Off" | "On" | "Yes" | "No")
}

/// Whether others may see a difference: neither file conceals any word of it or of its lines.
pub(super) fn is_public(change: &WordChange, [old, new]: [&Concealed; 2]) -> bool {
    let sides = [&change.before, &change.after].into_iter().flatten();
    let mut texts = sides.flat_map(|words| [&words.text, &words.line]);
    old.is_known && new.is_known && texts.all(|text| !old.hides(text) && !new.hides(text))
}
