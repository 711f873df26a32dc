//! New paint beside signed words: text that continues their line, and drawn digits and signs. A band around each word
//! stays free, piece by piece; frames and rules may pass it.

use pdf_content::{AreaKind, PageText, Piece, Rectangle, Run};

use super::{Arrival, quoted};

/// Maximum distance of a text from a baseline and from the last word, to continue that line, in font sizes.
const BASELINE_TOLERANCE_EM: f64 = 0.3;
const CONTINUED_GAP_EM: f64 = 1.0;
/// Maximum distance of digits that read as one number, in font sizes.
const JOINED_GAP_EM: f64 = 0.4;
/// Reach of the band around a word, along its line and across, in font sizes.
const BAND_ALONG_EM: f64 = 1.0;
const BAND_ACROSS_EM: f64 = 0.3;
/// Maximum size of paint that reads as a letter, in font sizes.
const LETTER_SIZE_EM: f64 = 1.3;
/// Maximum distance of the parts of drawn letters beside letters, in points, and maximum parts joined.
const DRAWN_TOGETHER_PT: f64 = 2.0;
const MAX_JOINED_PARTS: usize = 2_000;
/// Maximum distance of a drawn letter from letters, along their line and across, in font sizes, and their maximum size
/// in points: in a watermark everything is small.
const DRAWN_GAP_EM: f64 = 0.6;
const DRAWN_REACH_EM: f64 = 0.2;
const MAX_LINE_SIZE_PT: f64 = 36.0;
/// Maximum height of a picture of words, in points, its minimum font size as a share of that, and the maximum share of
/// the page's width: a scanned page may consist of strips.
const MAX_PICTURE_HEIGHT_PT: f64 = 36.0;
const PICTURE_EM_SHARE: f64 = 0.4;
const MAX_PICTURE_WIDTH_SHARE: f64 = 0.6;

/// What draws beside words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A markup annotation, which runs along words.
    Mark,
    /// A note of lines, such as an arrow or a circle around words.
    Drawing,
    Other,
}

/// A signed word, or a small picture that may show one.
struct Signed<'a> {
    bounds: Rectangle,
    em: f64,
    /// Its text; none for a picture.
    text: Option<&'a str>,
}

impl Signed<'_> {
    fn band(&self, [along, across]: [f64; 2]) -> Rectangle {
        let Rectangle { left, bottom, right, top } = self.bounds;
        let [along, across] = [along * self.em, across * self.em];
        Rectangle { left: left - along, bottom: bottom - across, right: right + along, top: top + across }
    }

    /// Whether it may have a digit where it is next to a position.
    fn has_digit_towards(&self, x: f64) -> bool {
        let is_digit = |letter: &char| letter.is_numeric() || *letter == char::REPLACEMENT_CHARACTER;
        let Some(text) = self.text else { return true };
        // a currency sign or a parenthesis may be between
        if x < self.bounds.left {
            text.chars().take(2).any(|letter| is_digit(&letter))
        } else if x > self.bounds.right {
            text.chars().rev().take(2).any(|letter| is_digit(&letter))
        } else {
            text.chars().any(|letter| is_digit(&letter))
        }
    }

    /// Whether a word there has letters, such as the label of a button, not only a number.
    fn has_letters_towards(&self, x: f64) -> bool {
        let mut words = self.text.unwrap_or_default().split_whitespace();
        let word = if x < self.bounds.left { words.next() } else { words.next_back() };
        word.is_some_and(|word| word.chars().any(char::is_alphabetic))
    }

    fn quoted(&self) -> String {
        self.text.map_or_else(|| "a picture".to_owned(), quoted)
    }
}

/// Words that are continued or changed by new paint beside them, as a clause; `None` if there are none.
pub(super) fn beside(
    below: &PageText,
    over: &PageText,
    (page, arrival, kind): (u32, Arrival, Kind),
    is_under: impl Fn(u32) -> bool,
) -> Option<String> {
    let is_field = matches!(arrival, Arrival::Filled | Arrival::Marked);
    let is_under = |annotation: Option<u32>| annotation.is_none_or(|number| !is_field && is_under(number));
    if let Some(found) = continued(below, over, (page, arrival), is_under) {
        return Some(found);
    }
    let signed = signed(below, is_under, is_field);
    let pieces: Vec<Piece> = over.areas.iter().filter(|area| !area.is_off).flat_map(|area| over.pieces(area)).collect();
    let bounds = pieces.iter().map(|piece| piece.bounds).chain(over.runs.iter().map(|run| run.bounds));
    let painted = bounds.reduce(Rectangle::with)?;
    let is_along_words = |piece: &Piece| {
        let is_along = |signed: &Signed| {
            let both = signed.band([0.0, BAND_ACROSS_EM]).clipped(piece.bounds);
            2.0 * both.width() >= piece.bounds.width() && !both.is_empty()
        };
        signed.iter().any(is_along)
    };
    for word in &signed {
        let band = word.band([BAND_ALONG_EM, BAND_ACROSS_EM]);
        if !band.meets(painted) {
            continue;
        }
        if let Some(text) = over.runs.iter().find(|run| is_sign_beside(over, run, word, arrival)) {
            let (new, old) = (quoted(over.text(text)), word.quoted());
            return Some(format!("on page {page}, {new} was added on the line of {old}"));
        }
        let is_drawn_beside = |piece: &&Piece| {
            let at = piece.bounds.clipped(band).middle();
            let is_letter = piece.bounds.height().max(piece.bounds.width()) <= LETTER_SIZE_EM * word.em;
            let is_in = if is_letter {
                band.has(piece.bounds.middle())
            } else {
                kind != Kind::Drawing && word.text.is_some() && piece.bounds.meets(band) && !piece.passes(band)
            };
            let is_label = arrival == Arrival::Marked && word.has_letters_towards(at.0);
            is_in && word.has_digit_towards(at.0) && !is_label && !(kind == Kind::Mark && is_along_words(piece))
        };
        if pieces.iter().any(|piece| is_drawn_beside(&piece)) {
            return Some(format!("on page {page}, something was drawn on the line of {}", word.quoted()));
        }
    }
    if arrival == Arrival::New && kind != Kind::Mark { drawn_letters(&signed, over, page) } else { None }
}

/// The words and small pictures of a page.
fn signed<'a>(below: &'a PageText, is_under: impl Fn(Option<u32>) -> bool, is_field: bool) -> Vec<Signed<'a>> {
    let is_said = |run: &&Run| {
        let text = below.text(run);
        let is_read = text.chars().any(|letter| letter.is_alphanumeric() || letter == char::REPLACEMENT_CHARACTER);
        run.level().is_upright() && is_under(run.annotation) && run.is_painted() && is_read
    };
    let words = below.runs.iter().filter(is_said);
    let words = words.map(|run| Signed { bounds: run.bounds, em: run.size.max(1.0), text: Some(below.text(run)) });
    let pictures = below.areas.iter().filter(|area| {
        let is_small = area.bounds.height() <= MAX_PICTURE_HEIGHT_PT
            && area.bounds.width() <= MAX_PICTURE_WIDTH_SHARE * below.size[0];
        !is_field && is_small && !area.is_off && area.kind == AreaKind::Image && is_under(area.annotation)
    });
    let em = |bounds: Rectangle| PICTURE_EM_SHARE * bounds.height();
    words.chain(pictures.map(|area| Signed { bounds: area.bounds, em: em(area.bounds), text: None })).collect()
}

/// Whether a text beside a digit reads as part of its number.
fn is_sign_beside(over: &PageText, run: &Run, word: &Signed, arrival: Arrival) -> bool {
    let (x, y) = run.bounds.middle();
    let Rectangle { left, right, .. } = word.bounds;
    let is_before = x < left;
    let gap = if is_before { left - run.bounds.right } else { run.bounds.left - right };
    let band = word.band([BAND_ALONG_EM, BAND_ACROSS_EM]);
    let mut letters = over.text(run).chars();
    let next = if is_before { letters.next_back() } else { letters.next() };
    run.is_painted()
        && (is_before || x > right)
        && (band.bottom..=band.top).contains(&y)
        && word.has_digit_towards(x)
        && match arrival {
            Arrival::New => gap < BAND_ALONG_EM * word.em,
            // a value may follow the printed start of a number, such as a year's
            Arrival::Filled if !is_before => false,
            Arrival::Existing | Arrival::Filled | Arrival::Marked => {
                gap < JOINED_GAP_EM * word.em && next.is_some_and(|letter| !letter.is_alphabetic())
            }
        }
}

/// A text that continues a line of signed words, as a clause with both. In a place that the signer knew, only digits
/// that join a number do.
fn continued(
    below: &PageText,
    over: &PageText,
    (page, arrival): (u32, Arrival),
    is_under: impl Fn(Option<u32>) -> bool,
) -> Option<String> {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == char::REPLACEMENT_CHARACTER;
    let is_said = |page: &PageText, run: &Run| page.text(run).chars().any(is_letter);
    for new in over.runs.iter().filter(|run| run.is_painted() && is_said(over, run)) {
        let is_beside = |old: &&Run| {
            let em = old.size.max(1.0);
            let (gap, is_behind) = old.gap_along(new);
            let (first, last) =
                if is_behind { (below.text(old), over.text(new)) } else { (over.text(new), below.text(old)) };
            let is_joined = gap < JOINED_GAP_EM * em
                && first.ends_with(|letter: char| letter.is_ascii_digit())
                && last.starts_with(|letter: char| letter.is_ascii_digit());
            is_under(old.annotation)
                && old.is_painted()
                && old.level().is_near(new.level(), BASELINE_TOLERANCE_EM * em)
                && gap < CONTINUED_GAP_EM * em
                && is_said(below, old)
                && match arrival {
                    Arrival::New => true,
                    Arrival::Filled => false,
                    Arrival::Existing | Arrival::Marked => is_joined,
                }
        };
        if let Some(old) = below.runs.iter().find(is_beside) {
            let (new, old) = (quoted(over.text(new)), quoted(below.text(old)));
            return Some(format!("on page {page}, {new} was added on the line of {old}"));
        }
    }
    None
}

/// Paint as small as letters on a line of letters, as a clause with these. Beside letters, a pen's strokes are no
/// letters if they are together larger.
fn drawn_letters(signed: &[Signed], over: &PageText, page: u32) -> Option<String> {
    let areas: Vec<Rectangle> = over.areas.iter().filter(|area| !area.is_off).map(|area| area.bounds).collect();
    if areas.len() > MAX_JOINED_PARTS {
        return None;
    }
    let is_line = |word: &&Signed| word.em <= MAX_LINE_SIZE_PT && word.text.is_some();
    for bounds in joined(areas) {
        let is_beside = |word: &&Signed| {
            bounds.height().max(bounds.width()) <= LETTER_SIZE_EM * word.em
                && word.band([DRAWN_GAP_EM, DRAWN_REACH_EM]).holds(bounds)
        };
        if let Some(word) = signed.iter().filter(is_line).find(is_beside) {
            let words = word.quoted();
            return Some(format!("on page {page}, something as small as a letter was drawn on the line of {words}"));
        }
    }
    None
}

/// The boxes around paint that is together.
fn joined(areas: Vec<Rectangle>) -> Vec<Rectangle> {
    let mut joined: Vec<Rectangle> = Vec::new();
    for mut area in areas {
        while let Some(place) = joined.iter().position(|other| other.grown(DRAWN_TOGETHER_PT).meets(area)) {
            area = area.with(joined.swap_remove(place));
        }
        joined.push(area);
    }
    joined
}
