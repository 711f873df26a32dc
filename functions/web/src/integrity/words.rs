//! What ids mean, in words. An id that is not known here is shown as it is, with blanks.

use std::borrow::Cow;

use super::ExaminedView;

/// How good or bad something looks. Never told by colour alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Good,
    Warning,
    Bad,
    Neutral,
}

impl Tone {
    /// Its class in the stylesheet.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Warning => "warn",
            Self::Bad => "bad",
            Self::Neutral => "neutral",
        }
    }
}

/// Verdicts by weight, with what people call them.
pub(crate) const VERDICTS: [(&str, &str); 7] = [
    ("changed_since_signing", "Changed since signing"),
    ("changed", "Changed"),
    ("signs_of_change", "Signs of change"),
    ("permitted_changes_since_signing", "Permitted changes since signing"),
    ("unchanged_since_signing", "Unchanged since signing"),
    ("no_signs", "No signs of change"),
    ("undetermined", "Cannot be told"),
];

pub(crate) fn verdict(id: &str) -> Cow<'_, str> {
    known(&VERDICTS, id)
}

pub(crate) fn verdict_tone(id: &str) -> Tone {
    match id {
        "changed_since_signing" => Tone::Bad,
        "changed" | "signs_of_change" => Tone::Warning,
        "permitted_changes_since_signing" | "unchanged_since_signing" => Tone::Good,
        _ => Tone::Neutral,
    }
}

/// What a verdict says, and what it does not.
pub(crate) fn verdict_meaning(id: &str) -> &'static str {
    match id {
        "changed" => {
            "The earlier state is still in the file, so the change can be seen. Whether it was meant to be is for you \
             to judge: a filled form is a change too."
        }
        "signs_of_change" => {
            "Signs, no proof: the file contradicts itself, names what changed it, or hides what stood on a page. No earlier state \
             is in it."
        }
        "no_signs" => "No proof either: whoever writes a file anew leaves no earlier state behind.",
        "unchanged_since_signing" | "permitted_changes_since_signing" => {
            "Who signed is what the certificate claims: no list of trusted issuers was asked, nor whether it was \
             revoked. What happened before signing is not ruled out."
        }
        "changed_since_signing" => {
            "Either the signed bytes are no longer those that were signed, or something was done since that the \
             signature does not permit."
        }
        "undetermined" => "Too much is damaged, unknown or too large to be compared. What could be seen is below.",
        _ => "",
    }
}

pub(crate) fn strength(id: &str) -> Cow<'_, str> {
    known(&[("conclusive", "Conclusive"), ("strong", "Strong"), ("weak", "Weak"), ("neutral", "Neutral")], id)
}

pub(crate) fn strength_meaning(id: &str) -> &'static str {
    match id {
        "conclusive" => "both states are in the file, or a check fails",
        "strong" => "a contradiction that no program makes at birth, or what the file says of itself",
        "weak" => "common in files that nobody changed",
        "neutral" => "worth knowing, says nothing about changes",
        _ => "",
    }
}

pub(crate) fn strength_tone(id: &str) -> Tone {
    match id {
        "conclusive" | "strong" => Tone::Warning,
        _ => Tone::Neutral,
    }
}

/// A kind of change, as a heading.
pub(crate) fn change(id: &str) -> Cow<'_, str> {
    known(&[("page_content", "Page content"), ("form_fields", "Form fields")], id)
}

/// Kinds of changes in a sentence: `page content, form fields`.
pub(crate) fn changes(ids: &[String]) -> String {
    ids.iter().map(|id| change(id).to_lowercase()).collect::<Vec<_>>().join(", ")
}

/// How text is hidden.
pub(super) fn hidden(kind: &str) -> Cow<'_, str> {
    known(
        &[
            ("retyped", "Under an area with another text upon it"),
            ("covered", "Under something that was painted over it"),
            ("redaction_unapplied", "Marked for removal, and still there"),
            ("invisible", "Painted so that it is not seen"),
            ("tiny", "Smaller than one point"),
            ("hidden_layer", "In a layer that is off"),
            ("off_page", "Outside of what is shown of the page"),
        ],
        kind,
    )
}

pub(crate) fn signature_kind(id: &str) -> Cow<'_, str> {
    known(&[("approval", "Signature"), ("certification", "Certification"), ("timestamp", "Time-stamp")], id)
}

pub(crate) fn signature_tone(status: &str) -> Tone {
    match status {
        "intact" => Tone::Good,
        "broken" => Tone::Bad,
        _ => Tone::Neutral,
    }
}

/// What a status and its reason mean.
pub(crate) fn status_meaning(status: &str, reason: Option<&str>) -> String {
    let reason = match reason {
        Some("range") => "it leaves out more of the file than itself",
        Some("digest") => "the bytes are not those that were signed",
        Some("value") => "it does not fit its certificate's key",
        Some("algorithm") => "its key or digest is of a kind that is not checked here",
        Some("format") => "it is of a kind or form that is not checked here",
        Some("no_certificate") => "it has no certificate",
        Some("too_large") => "the file is too large to be read whole",
        Some("too_many") => "there are more signatures than are checked",
        Some(other) => return format!("{}: {}", label(status), label(other)),
        None if status == "intact" => return "The bytes are those that the holder of the key signed".to_owned(),
        None => return label(status),
    };
    match status {
        "broken" => format!("It does not fit the file: {reason}"),
        "unchecked" => format!("It could not be checked: {reason}"),
        _ => format!("{}: {reason}", label(status)),
    }
}

pub(crate) fn permits(level: Option<u8>) -> String {
    match level {
        Some(1) => "No change at all".to_owned(),
        Some(2) => "Filling in forms and signing".to_owned(),
        Some(3) => "Filling in forms, signing and annotations".to_owned(),
        Some(other) => format!("Level {other}"),
        None => "It does not say: taken as filling in forms and signing".to_owned(),
    }
}

pub(crate) fn after(id: &str) -> Cow<'_, str> {
    known(
        &[
            ("nothing", "Nothing but signing and housekeeping"),
            ("permitted", "Only what it permits"),
            ("forbidden", "Something that it does not permit"),
        ],
        id,
    )
}

/// What the answer rests on.
pub(super) fn examined(examined: &ExaminedView) -> String {
    let revisions = match examined.revisions.as_str() {
        "all" => "Every save was compared with the one before it".to_owned(),
        "newest" => "Not every save could be compared".to_owned(),
        "none" => "The saves could not be told apart".to_owned(),
        other => format!("Saves compared: {}", label(other)),
    };
    let bytes = match examined.bytes.as_str() {
        "all" => "every signed byte was read".to_owned(),
        "needed" => "only the bytes that it took were read".to_owned(),
        other => format!("bytes read: {}", label(other)),
    };
    let content = match examined.content.as_deref() {
        None => String::new(),
        Some("all") => "; what the pages show was read".to_owned(),
        Some("part") => "; not all of what the pages show was read".to_owned(),
        Some("none") => "; nothing of what the pages show was read".to_owned(),
        Some(other) => format!("; content read: {}", label(other)),
    };
    format!("{revisions}; {bytes}{content}.")
}

fn known<'i>(words: &[(&str, &'static str)], id: &'i str) -> Cow<'i, str> {
    let found = words.iter().find(|(known, _)| *known == id);
    found.map_or_else(|| Cow::Owned(label(id)), |(_, word)| Cow::Borrowed(*word))
}

/// An id with blanks and a capital: `page_content_changed` is `Page content changed`.
pub(crate) fn label(id: &str) -> String {
    let text = id.replace('_', " ");
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A number and what it counts: `1 save`, `2 saves`.
pub(crate) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// At most so many places on a line, where letters of East Asian scripts take two: the rest is `…`. Characters that turn
/// the direction of what follows are left out.
pub(crate) fn cut(text: &str, places: usize) -> String {
    let shown = || text.chars().filter(|&letter| !is_unseen(letter));
    if width(text) <= places {
        return shown().collect();
    }
    let mut left = places.saturating_sub(1);
    let fits = |letter: &char| left.checked_sub(wide(*letter)).map(|rest| left = rest).is_some();
    let mut short: String = shown().take_while(fits).collect();
    short.truncate(short.trim_end().len());
    short.push('…');
    short
}

/// How many places on a line a text takes.
pub(super) fn width(text: &str) -> usize {
    text.chars().filter(|&letter| !is_unseen(letter)).map(wide).sum()
}

fn wide(letter: char) -> usize {
    if letter >= '\u{1100}' { 2 } else { 1 }
}

/// Letters of Hebrew, Arabic and their neighbours.
pub(super) fn is_right_to_left(letter: char) -> bool {
    matches!(letter, '\u{0590}'..='\u{08ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// Controls of terminals and of the direction of writing, which make a line look like another one.
pub(crate) fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::{cut, label, status_meaning, verdict};

    #[test]
    fn what_is_not_known_is_shown_by_its_id() {
        assert_eq!(verdict("changed"), "Changed");
        assert_eq!(verdict("eaten_by_mice"), "Eaten by mice");
        assert_eq!(label(""), "");
        assert_eq!(status_meaning("broken", Some("mice")), "Broken: Mice");
        assert_eq!(status_meaning("eaten", None), "Eaten");
    }

    #[test]
    fn long_texts_are_cut_by_their_width_and_turn_nothing_around() {
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("longer text", 8), "longer…");
        assert_eq!(cut("漢字漢字", 5), "漢字…");
        assert_eq!(cut("a\u{202e}b\u{1b}[1m", 9), "ab[1m");
        assert_eq!(cut("ab", 1), "…");
    }
}
