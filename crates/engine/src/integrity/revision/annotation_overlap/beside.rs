//! New paint beside signed words: text that continues their line, and drawn digits and signs. A band around each word
//! stays free, piece by piece; frames and rules may pass it.

use crate::integrity::clause::{Clause, Word};
use pdf_content::{Area, AreaKind, PageText, Piece, Rectangle, Run};

use super::compared::Arrival;
use super::new_ink::{self, LETTER_SIZE_EM};

/// Maximum distance of a text from the last word of a line that it continues, in font sizes, and the minimum share of
/// the height of its letters that is on that line.
const CONTINUED_GAP_EM: f64 = 2.5;
const CONTINUED_MIN_SHARE: f64 = 0.5;
/// Maximum distance of digits from a word, and of the baselines of digits far apart, in font sizes.
const BAND_GAP_EM: f64 = 1.0;
const BASELINE_TOLERANCE_EM: f64 = 0.3;
/// Maximum distance of digits that read as one number, in font sizes.
const JOINED_GAP_EM: f64 = 0.4;
/// Maximum digits of the printed start of a number.
const MAX_START_DIGITS: usize = 2;
/// Reach of the band around a word across its line, in font sizes.
const BAND_ACROSS_EM: f64 = 0.3;
/// Maximum size of paint that reads as a letter which a pen drew, in font sizes.
const PEN_SIZE_EM: f64 = 2.0;
/// Maximum height of a line of words in a picture, in points, its minimum font size as a share of that, the maximum
/// height of a picture of nothing but a line's letters, in points, and the maximum shares of the page that a picture of
/// words has: a scanned page may consist of strips.
const MAX_LINE_HEIGHT_PT: f64 = 48.0;
const MAX_LETTERS_HEIGHT_PT: f64 = 12.0;
const PICTURE_EM_SHARE: f64 = 0.4;
const MAX_PICTURE_WIDTH_SHARE: f64 = 0.6;
const MAX_PICTURE_HEIGHT_SHARE: f64 = 0.5;
/// Minimum height of a highlighted block, in font sizes of the words beside it: anything lower may be a sign.
const MIN_BLOCK_HEIGHT_EM: f64 = 0.6;
/// Minimum parts of a drawing that may be a line of words.
const MIN_DRAWN_LETTERS: usize = 2;
/// Maximum reach of the band around widely spaced digits, in font sizes.
const MAX_BAND_ALONG_EM: f64 = 3.0;
/// What draws beside words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A markup annotation that only has its lines or light areas, which run along words.
    Mark,
    /// A note of lines, such as an arrow or a circle around words.
    Drawing,
    /// Another note.
    Note,
    Field,
}

/// A signed word, or a picture or drawing that may show one.
struct Signed<'a> {
    /// Its box, in the coordinates of `turned` if there is one.
    bounds: Rectangle,
    em: f64,
    /// How far a digit may be from its digits, in font sizes.
    along: f64,
    /// Its text; none for a picture.
    text: Option<&'a str>,
    /// Whether it is the text of an annotation.
    is_annotation: bool,
    /// Its run, if that is not upright.
    turned: Option<&'a Run>,
}

impl<'a> Signed<'a> {
    /// A box in the coordinates of the word.
    fn place(&self, bounds: Rectangle) -> Rectangle {
        self.turned.map_or(bounds, |run| run.turned(bounds))
    }

    fn band(&self, [along, across]: [f64; 2]) -> Rectangle {
        let Rectangle { left, bottom, right, top } = self.bounds;
        let [along, across] = [along * self.em, across * self.em];
        Rectangle { left: left - along, bottom: bottom - across, right: right + along, top: top + across }
    }

    /// Maximum size of a letter beside it.
    fn max_letter(&self, kind: Kind) -> f64 {
        let size = self.em * if kind == Kind::Drawing { PEN_SIZE_EM } else { LETTER_SIZE_EM };
        if self.text.is_none() { size.max(self.bounds.height().min(MAX_LINE_HEIGHT_PT)) } else { size }
    }

    /// Whether paint that is larger than a letter is around it, under or over it, not beside it.
    fn is_around(&self, bounds: Rectangle) -> bool {
        let (x, _) = bounds.middle();
        let size = bounds.height().max(bounds.width());
        size > LETTER_SIZE_EM * self.em && self.text.is_some() && (self.bounds.left..=self.bounds.right).contains(&x)
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

    fn word(&self) -> Word<'a> {
        self.text.map_or(Word::Own("a picture"), Word::Quote)
    }
}

/// Words that are continued or changed by new paint beside them; `None` if there are none.
pub(super) fn beside(
    below: &PageText,
    over: &PageText,
    (page, arrival, kind): (u32, Arrival, Kind),
    (place, is_under): (Option<Rectangle>, impl Fn(u32) -> bool),
) -> Option<Clause> {
    let is_field = matches!(arrival, Arrival::Filled | Arrival::Marked);
    // a field that stands over several lines is no place for paint of its own
    let is_on_lines = arrival == Arrival::Existing && place.is_some_and(|place| new_ink::is_on_lines(below, place));
    let arrival = if is_on_lines { Arrival::New } else { arrival };
    let is_under =
        |annotation: Option<u32>| annotation.is_none_or(|number| arrival != Arrival::Marked && is_under(number));
    if let Some(found) = continued(below, over, (page, arrival, place), is_under) {
        return Some(found);
    }
    let pieces: Vec<Piece> = over.areas.iter().filter(|area| !area.is_off).flat_map(|area| over.pieces(area)).collect();
    let bounds = pieces.iter().map(|piece| piece.bounds).chain(over.runs.iter().map(|run| run.bounds));
    let painted = bounds.reduce(Rectangle::with)?;
    let signed = signed(below, painted, (is_under, is_field));
    let is_along_words = |piece: &Piece| {
        let shares = signed.iter().filter(|signed| signed.text.is_some()).map(|signed| {
            let bounds = signed.place(piece.bounds);
            let both = signed.band([0.0, BAND_ACROSS_EM]).clipped(bounds);
            if both.is_empty() { 0.0 } else { both.width() / bounds.width() }
        });
        2.0 * shares.sum::<f64>() >= 1.0
    };
    for word in &signed {
        let band = word.band([word.along, BAND_ACROSS_EM]);
        if !band.meets(word.place(painted)) {
            continue;
        }
        if let Some(text) = over.runs.iter().find(|run| is_sign_beside(over, run, word, arrival)) {
            let words = [page.into(), Word::Quote(over.text(text)), word.word()];
            return Some(Clause::of("on page {}, {} was added on the line of {}", &words));
        }
        let is_drawn_beside = |piece: &Piece| {
            let is_along = kind == Kind::Mark && is_along_words(piece);
            let turned = word.turned.map(|run| piece.turned(run));
            let piece = turned.as_ref().unwrap_or(piece);
            let at = piece.bounds.clipped(band).middle();
            let is_letter = piece.bounds.height().max(piece.bounds.width()) <= word.max_letter(kind);
            let is_in = if is_letter {
                band.has(piece.bounds.middle()) && !word.is_around(piece.bounds)
            } else {
                kind != Kind::Drawing && word.text.is_some() && piece.bounds.meets(band) && !piece.passes(band)
            };
            // highlighted lines of words and numbers
            let is_block = kind == Kind::Mark
                && !is_letter
                && piece.bounds.height() >= MIN_BLOCK_HEIGHT_EM * word.em
                && piece.is_block();
            let is_label = arrival == Arrival::Marked && word.has_letters_towards(at.0);
            is_in && word.has_digit_towards(at.0) && !is_label && !is_along && !is_block
        };
        // the frames of fields may be beside each other
        if !(is_field && word.is_annotation) && pieces.iter().any(is_drawn_beside) {
            return Some(Clause::of("on page {}, something was drawn on the line of {}", &[page.into(), word.word()]));
        }
    }
    if arrival != Arrival::New || kind == Kind::Mark {
        return None;
    }
    new_ink::near(below, over, (page, kind != Kind::Field, place.filter(|_| is_on_lines)))
}

/// The words of a page, and the pictures and drawings near new paint that may show some.
fn signed<'a>(
    below: &'a PageText,
    painted: Rectangle,
    (is_under, is_field): (impl Fn(Option<u32>) -> bool, bool),
) -> Vec<Signed<'a>> {
    let is_said = |run: &&Run| {
        let text = below.text(run);
        let is_read = text.chars().any(|letter| letter.is_alphanumeric() || letter == char::REPLACEMENT_CHARACTER);
        is_under(run.annotation) && run.is_painted() && is_read
    };
    let words = below.runs.iter().enumerate().filter(|(_, run)| is_said(run)).map(|(place, run)| {
        let turned = (!run.level().is_upright()).then_some(run);
        let bounds = turned.map_or(run.bounds, Run::own_bounds);
        let em = run.size.max(1.0);
        let along = reach(below, place);
        let (text, is_annotation) = (Some(below.text(run)), run.annotation.is_some());
        Signed { bounds, em, along, text, is_annotation, turned }
    });
    let is_shown =
        |area: &&Area| !is_field && !area.is_off && area.bounds.width() <= MAX_PICTURE_WIDTH_SHARE * below.size[0];
    let is_picture = |area: &&Area| {
        area.is_unread()
            && area.bounds.height() <= MAX_PICTURE_HEIGHT_SHARE * below.size[1]
            && (area.annotation.is_none() || area.bounds.height() <= MAX_LINE_HEIGHT_PT && is_under(area.annotation))
    };
    let grounds = below.dark_grounds();
    // a line of drawn letters
    let is_drawn = |area: &&Area| {
        matches!(area.kind, AreaKind::Shape | AreaKind::Stroke)
            && area.annotation.is_none()
            && area.bounds.height() <= MAX_LINE_HEIGHT_PT
            && grounds.is_ink(area)
            && below.ink(area).iter().filter(|ink| !ink.is_frame).take(MIN_DRAWN_LETTERS).count() == MIN_DRAWN_LETTERS
    };
    let em = |bounds: Rectangle| {
        let height = bounds.height();
        (PICTURE_EM_SHARE * height.min(MAX_LINE_HEIGHT_PT)).max(height.min(MAX_LETTERS_HEIGHT_PT))
    };
    let place = |area: &'a Area| Signed {
        bounds: area.bounds,
        em: em(area.bounds),
        along: BAND_GAP_EM,
        text: None,
        is_annotation: area.annotation.is_some(),
        turned: None,
    };
    let near = below.areas.iter().filter(is_shown).map(|area| (area, place(area)));
    let near = near.filter(|(_, signed)| signed.band([signed.along, BAND_ACROSS_EM]).meets(painted));
    let pictures = near.filter(|(area, _)| is_picture(area) || is_drawn(area)).map(|(_, signed)| signed);
    words.chain(pictures).collect()
}

/// How far from a run new letters continue it, in font sizes: digits may be far apart.
fn reach(below: &PageText, place: usize) -> f64 {
    let Some(run) = below.runs.get(place) else { return BAND_GAP_EM };
    let em = run.size.max(1.0);
    let is_single = |run: &Run| below.glyphs(run).len() == 1 && below.text(run).contains(is_digit);
    let mut pitch = below.pitch(run);
    let neighbors = [place.checked_sub(1), place.checked_add(1)].into_iter().flatten();
    for other in neighbors.filter_map(|place| below.runs.get(place)).filter(|_| is_single(run)) {
        let (gap, _) = run.gap_along(other);
        if is_single(other) && other.level().is_near(run.level(), BASELINE_TOLERANCE_EM * em) {
            pitch = pitch.max(gap + em / 2.0);
        }
    }
    let reach = pitch / em;
    if reach > MAX_BAND_ALONG_EM { BAND_GAP_EM } else { reach.max(BAND_GAP_EM) }
}

/// Whether a text beside a digit reads as part of its number, by one of its letters.
fn is_sign_beside(over: &PageText, run: &Run, word: &Signed, arrival: Arrival) -> bool {
    let band = word.band([word.along, BAND_ACROSS_EM]);
    let bounds = word.place(run.bounds);
    let Rectangle { left, right, .. } = word.bounds;
    let text = over.text(run);
    let is_along =
        word.turned.map_or(run.level().is_upright(), |word| word.level().is_near(run.level(), f64::INFINITY));
    let is_beside = |bounds: Rectangle| {
        let (x, y) = bounds.middle();
        let is_before = x < left;
        let gap = if is_before { left - bounds.right } else { bounds.left - right };
        let mut letters = text.chars();
        let next = if is_before { letters.next_back() } else { letters.next() };
        (is_before || x > right)
            && (band.bottom..=band.top).contains(&y)
            && word.has_digit_towards(x)
            && match arrival {
                Arrival::New => gap < word.along * word.em,
                Arrival::Filled if !is_before && word.text.is_some_and(starts_number) => false,
                Arrival::Existing | Arrival::Filled | Arrival::Marked => {
                    gap < JOINED_GAP_EM * word.em && next.is_some_and(|letter| !letter.is_alphabetic())
                }
            }
    };
    if !run.is_painted() || !bounds.meets(band) {
        return false;
    }
    if is_along || arrival != Arrival::New {
        return is_beside(bounds);
    }
    let glyphs = (0..over.glyphs(run).len()).filter_map(|glyph| over.glyph_box(run, glyph));
    glyphs.map(|glyph| word.place(glyph)).any(is_beside)
}

/// Whether a text is the printed start of a number, such as a year's, which a value completes.
pub(super) fn starts_number(text: &str) -> bool {
    text.chars().filter(char::is_ascii_digit).count() <= MAX_START_DIGITS && !text.contains(['.', ','])
}

/// A text that continues a line of signed words, with both. In a place that the signer knew, only what joins
/// a number or words in that place does.
fn continued(
    below: &PageText,
    over: &PageText,
    (page, arrival, place): (u32, Arrival, Option<Rectangle>),
    is_under: impl Fn(Option<u32>) -> bool,
) -> Option<Clause> {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == char::REPLACEMENT_CHARACTER;
    let is_said = |page: &PageText, run: &Run| page.text(run).chars().any(is_letter);
    for new in over.runs.iter().filter(|run| run.is_painted()) {
        let is_beside = |(at, old): &(usize, &Run)| {
            let em = old.size.max(1.0);
            let (gap, is_behind) = old.gap_along(new);
            let (first, last) =
                if is_behind { (below.text(old), over.text(new)) } else { (over.text(new), below.text(old)) };
            let (ends, starts) = (first.ends_with(is_digit), last.starts_with(is_digit));
            let is_number = if is_behind { ends } else { starts };
            let is_in_place = || place.is_some_and(|place| place.has(old.bounds.middle()));
            let is_level = || old.level().is_near(new.level(), BASELINE_TOLERANCE_EM * em) && is_said(over, new);
            is_under(old.annotation)
                && old.is_painted()
                && match arrival {
                    Arrival::New => {
                        let max_gap = if is_number { reach(below, *at) * em } else { em };
                        let max_gap = max_gap.max(CONTINUED_GAP_EM * em.min(new.size));
                        !below.is_leader(old) && joins(old, over, new) < max_gap
                    }
                    Arrival::Filled => false,
                    Arrival::Existing => is_level() && is_said(below, old) && gap < em && (is_number || is_in_place()),
                    Arrival::Marked => is_level() && gap < JOINED_GAP_EM * em && ends && starts,
                }
        };
        if let Some((_, old)) = below.runs.iter().enumerate().find(is_beside) {
            let words = [page.into(), Word::Quote(over.text(new)), Word::Quote(below.text(old))];
            return Some(Clause::of("on page {}, {} was added on the line of {}", &words));
        }
    }
    None
}

fn is_digit(letter: char) -> bool {
    letter.is_ascii_digit()
}

/// The distance of a text from a word, if the letters at either end are on its line, whatever direction they have;
/// infinite otherwise.
fn joins(old: &Run, over: &PageText, new: &Run) -> f64 {
    let own = old.own_bounds();
    let last = over.glyphs(new).len().saturating_sub(1);
    let ends = [0, last].into_iter().filter_map(|glyph| over.glyph_box(new, glyph)).map(|glyph| old.turned(glyph));
    let is_level = |place: &Rectangle| {
        let both = place.top.min(own.top) - place.bottom.max(own.bottom);
        both >= CONTINUED_MIN_SHARE * place.height().min(own.height())
    };
    let gaps = ends.filter(is_level).map(|place| (own.left - place.right).max(place.left - own.right));
    gaps.fold(f64::INFINITY, f64::min)
}

/// The digits beside a pen's drawing with these bounds.
pub(super) fn drawn_digit(below: &PageText, bounds: Rectangle, page: u32) -> Option<Clause> {
    let signed = signed(below, bounds, (|annotation: Option<u32>| annotation.is_none(), false));
    let word = signed.iter().filter(|word| word.text.is_some()).find(|word| {
        let place = word.place(bounds);
        let (x, y) = place.middle();
        place.height().max(place.width()) <= word.max_letter(Kind::Drawing)
            && word.band([word.along, BAND_ACROSS_EM]).has((x, y))
            && !word.is_around(place)
            && word.has_digit_towards(x)
    })?;
    Some(Clause::of("on page {}, something was drawn on the line of {}", &[page.into(), word.word()]))
}
