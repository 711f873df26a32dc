//! Texts, dates and XMP packets (ISO 32000-1, 7.9 and 14.3).

pub mod common;
pub mod date;
mod date_cursor;
mod date_prose;
pub mod rich_text;
pub mod text_string;
pub mod xfa;
mod xml;
pub mod xmp;
mod xmp_difference;
mod xmp_form;
pub mod xmp_history;
mod xmp_irregularity;
mod xmp_namespace;
pub mod xmp_property;
mod xmp_reader;
mod xmp_tree;

use crate::budget::SHOWN;

/// Whether a character is invisible and may change how others are displayed: controls, directional marks, joiners and
/// zero-width spaces.
#[must_use]
pub fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(letter, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Truncates a text to [`SHOWN`] characters.
pub fn shorten(text: &mut String) {
    if let Some((end, _)) = text.char_indices().nth(SHOWN) {
        let last = text.char_indices().nth(SHOWN - 1).map_or(end, |(last, _)| last);
        text.truncate(last);
        text.push('…');
    }
}
