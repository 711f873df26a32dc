//! What a file has and does not show, by which it is known which differences may be shown to others than its owner.

use std::collections::BTreeSet;

use super::WordChange;
use super::pages::ComparedPage;
use crate::hidden::letters;

/// Letters of concealed words up to which parts of words count as well: in more there is nearly every part.
const PARTS: usize = 2 << 10;
/// The shortest part of a word that counts.
const PART: usize = 3;

/// Their places among the letters of a page.
const SHOWN: usize = 0;
const CONCEALED: usize = 1;

/// What a file shows and what it conceals, in letters.
#[derive(Debug, Default)]
pub(super) struct Concealed {
    words: BTreeSet<String>,
    /// All of them, with a blank between each two, if they are few.
    all: String,
    /// Whether it is known of every page that was read what is concealed.
    is_known: bool,
    /// All that is shown, without blanks.
    shown: String,
}

impl Concealed {
    /// Of the pages that were read, and of the `values` of form fields, which pages may show or not.
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
        // what is shown as well is no secret of the file
        for word in letters_of(SHOWN) {
            concealed.words.remove(word);
        }
        concealed.words.remove("");
        if concealed.words.iter().map(String::len).sum::<usize>() <= PARTS {
            concealed.all = concealed.words.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        }
        concealed
    }

    /// Whether a text is shown on the pages that were read.
    pub(super) fn shows(&self, text: &str) -> bool {
        self.is_known && self.shown.contains(&letters(text))
    }

    /// Whether a word of a text is, or may be, concealed.
    fn hides(&self, text: &str) -> bool {
        let is_part = |one: &str, other: &str| one.chars().count() >= PART && other.contains(one);
        let is_concealed = |word: String| {
            self.words.contains(&word)
                || is_part(&word, &self.all)
                || !self.all.is_empty() && self.words.iter().any(|hidden| is_part(hidden, &word))
        };
        text.split_whitespace().map(letters).any(|word| !word.is_empty() && is_concealed(word))
    }
}

/// Whether a value is the state of a button, which is no word of a page.
pub(super) fn is_state(value: &str) -> bool {
    matches!(value, "Off" | "On" | "Yes" | "No")
}

/// Whether a difference may be shown to others: neither file conceals any of its words, nor of those on the lines around.
pub(super) fn is_public(change: &WordChange, [old, new]: [&Concealed; 2]) -> bool {
    let sides = [&change.before, &change.after].into_iter().flatten();
    let mut texts = sides.flat_map(|words| [&words.text, &words.line]);
    old.is_known && new.is_known && texts.all(|text| !old.hides(text) && !new.hides(text))
}
