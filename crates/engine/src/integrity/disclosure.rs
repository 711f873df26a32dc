//! Which texts of later revisions are public: words that the newest pages show, and the words that these replaced.
//! Covered, hidden and removed words are for the file's owner only, as is text that is not known to be visible.

use std::collections::BTreeMap;

use super::event::{Event, Subject};
use super::report::{Evidence, PublicTexts};
use pdf_content::hidden::PageWords;
use pdf_syntax::text::common::common;

/// Maximum words compared per text; for longer texts replacement is unknown.
const MAX_WORDS: usize = 64;

/// The public part of a file's events, derived only from the reported events and the pages.
pub(crate) struct Disclosure<'p> {
    pub(crate) events: &'p [Event],
    /// The visible and hidden words of the newest pages; for missing pages nothing is known to be visible.
    pub(crate) pages: &'p BTreeMap<u32, PageWords>,
}

impl Disclosure<'_> {
    /// The evidence of an event.
    pub(crate) fn evidence(&self, event: &Event) -> Evidence {
        event.evidence(self.of(event))
    }

    /// Which texts of an event are public.
    pub(crate) fn of(&self, event: &Event) -> PublicTexts {
        match &event.subject {
            Subject::Text { is_moved } => self.of_words(event, *is_moved),
            Subject::Info(_) | Subject::Xmp(_) => self.of_metadata(event),
            // not known to be visible on any page
            Subject::PageResource(_)
            | Subject::PageEntry(_)
            | Subject::Kids
            | Subject::Annotation(_)
            | Subject::Field(..)
            | Subject::Appearance(_)
            | Subject::Form(_)
            | Subject::Catalog(_)
            | Subject::Tags
            | Subject::Encryption
            | Subject::ValidationData
            | Subject::Signature(_)
            | Subject::FieldDiscrepancy(_)
            | Subject::Inconclusive(_)
            | Subject::Bytes { .. } => PublicTexts::None,
        }
    }

    fn of_words(&self, event: &Event, is_moved: bool) -> PublicTexts {
        let page = event.page.and_then(|page| self.pages.get(&page));
        let (Some(page), Some(after)) = (page, &event.after) else { return PublicTexts::None };
        if !page.shows(after) {
            return PublicTexts::None;
        }
        let is_public = |before: &String| is_moved || replaced(before, after).is_some_and(|words| !page.hides(&words));
        if event.before.as_ref().is_some_and(is_public) { PublicTexts::Both } else { PublicTexts::Now }
    }

    /// Metadata is public unless the newest revision removed it.
    fn of_metadata(&self, event: &Event) -> PublicTexts {
        let last = self.events.iter().rfind(|other| other.subject == event.subject);
        if last.is_some_and(|last| last.after.is_some()) { PublicTexts::Both } else { PublicTexts::None }
    }
}

/// The words of a text that others replaced; `None` if some were only removed.
fn replaced<'b>(before: &'b str, after: &str) -> Option<Vec<&'b str>> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.split(' ').collect(), after.split(' ').collect());
    if old.len().max(new.len()) > MAX_WORDS {
        return None;
    }
    let mut gone = Vec::new();
    let (mut at, mut to) = (0, 0);
    for (old_same, new_same) in common(&old, &new).into_iter().chain([(old.len(), new.len())]) {
        let (went, came) = (old.get(at..old_same)?, new.get(to..new_same)?);
        if !went.is_empty() && !says_something(came) {
            return None;
        }
        gone.extend_from_slice(went);
        (at, to) = (old_same + 1, new_same + 1);
    }
    Some(gone)
}

/// Whether words are a real replacement: a row of one character, such as `XXXX`, only marks a removal.
fn says_something(words: &[&str]) -> bool {
    let mut letters = words.iter().flat_map(|word| word.chars()).filter(|letter| letter.is_alphanumeric());
    let Some(first) = letters.next() else { return false };
    let mut rest = letters.peekable();
    rest.peek().is_none() || rest.any(|letter| letter != first)
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn only_what_others_stand_for_was_replaced() {
        for (before, after, expected) in [
            ("Total 100.00 EUR", "Total 900.00 EUR", Some(vec!["100.00"])),
            ("IBAN DE02 1203", "IBAN DE99 1000 77", Some(vec!["DE02", "1203"])),
            ("Not liable", "Ever not liable", Some(vec!["Not"])),
            ("Total 1", "Total 2", Some(vec!["1"])),
            ("same words", "same new words", Some(vec![])),
            // one word removed beside a replaced one
            ("Account SECRET of Ada", "Account of Bob", None),
            ("Account SECRET", "Account", None),
            ("Account SECRET", "Account XXXXXX", None),
            ("Account SECRET", "Account ------", None),
        ] {
            assert_eq!(replaced(before, after), expected, "{before} {after}");
        }
        let long = "word ".repeat(65);
        assert_eq!(replaced(&long, "word"), None);
    }
}
