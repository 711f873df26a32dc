//! New paint over pictures and other paint that may show words which are not read: what hides nothing, whatever they
//! show. A highlight that is multiplied keeps what is dark; a frame of a thin line touches only what is under that line;
//! letters in a field that stood there when the file was signed are where the signer expected them.

use super::compared::Arrival;
use super::painted_page::contents;
use crate::integrity::revision::examiner::{Examiner, Step};
use pdf_content::{Area, AreaKind, Line, Overlaid, PageText, Painted, Rectangle, Run, component_sum};
use pdf_syntax::failure::Fault;

/// Minimum width and height of a frame that is neither a letter nor a line, in points, and the maximum width of its line.
const FRAME_MIN_PT: [f64; 2] = [48.0, 12.0];
const FRAME_MAX_LINE_PT: f64 = 2.0;
/// Minimum difference of the components of a color that is not one of a printed line, of 255.
const MIN_CHROMA: u8 = 100;
/// Maximum width of the line around a signature, in points, and minimum letters of a line of its words.
const BORDER_MAX_LINE_PT: f64 = 3.0;
const MIN_LETTERS: usize = 2;
/// Maximum sum of the color components of letters that hide nothing by looking like paper, of 765.
const LETTER_MAX_COLOR: u32 = 600;
/// Minimum share of what is below a signature that is seen through its pictures.
const MIN_SEEN: f32 = 0.4;

/// An appearance that is compared, and how it came to the page.
pub(super) struct Appearance<'a> {
    pub(super) over: &'a PageText,
    pub(super) subtype: &'a [u8],
    pub(super) arrival: Arrival,
    /// Whether it is markup whose graphics states only lighten what is below.
    pub(super) is_light: bool,
}

/// Whether what is painted over is a picture of which an appearance hides nothing.
pub(super) fn hides_nothing(
    examiner: &mut Examiner,
    (step, below): (&Step, &PageText),
    found: &Overlaid,
    new: &Appearance,
) -> Result<bool, Fault> {
    if !matches!(found.what, Painted::Picture | Painted::Unread) || found.is_hidden {
        return Ok(false);
    }
    let over = new.over;
    Ok(match (new.arrival, new.subtype) {
        (Arrival::New, b"Highlight") if new.is_light && !over.runs.iter().any(Run::is_painted) => {
            let is_gray = contents(examiner).is_gray_image(examiner.document, step.pair.old, (below, found.order))?;
            over.shows_through(found.bounds, is_gray, |_| true)
        }
        (Arrival::New, b"Square") => is_frame(over, is_sideways(below)),
        (Arrival::Existing, _) => is_border_and_words(over),
        _ => false,
    })
}

fn is_sideways(below: &PageText) -> bool {
    matches!(below.rotation, 90 | 270)
}

/// Whether an appearance is a single frame of a thin colored line.
fn is_frame(over: &PageText, is_sideways: bool) -> bool {
    let is_colored = |color: [u8; 3]| {
        let [least, most] = [color.iter().min(), color.iter().max()].map(|part| part.copied().unwrap_or_default());
        most - least >= MIN_CHROMA
    };
    let is_large = |bounds: Rectangle| {
        let [width, height] = [bounds.width(), bounds.height()];
        let [width, height] = if is_sideways { [height, width] } else { [width, height] };
        let [min_width, min_height] = FRAME_MIN_PT;
        width >= min_width && height >= min_height
    };
    let mut areas = over.areas.iter().filter(|area| !area.is_off);
    let (Some(area), None) = (areas.next(), areas.next()) else { return false };
    let pieces = over.pieces(area);
    let [piece] = pieces.as_slice() else { return false };
    !over.runs.iter().any(Run::is_painted)
        && piece.is_thin_frame(FRAME_MAX_LINE_PT)
        && area.color_on_paper().is_some_and(is_colored)
        && is_large(piece.bounds)
}

/// Whether an appearance has words, each line with letters, and no ground: nothing of it hides more than a border and
/// letters do.
fn is_border_and_words(over: &PageText) -> bool {
    let is_border = |area: &&Area| {
        area.kind == AreaKind::Stroke && over.pieces(area).iter().all(|piece| piece.is_thin_frame(BORDER_MAX_LINE_PT))
    };
    let others = over.areas.iter().filter(|area| !area.is_off && !is_border(area));
    let seen: f32 = others.map(|area| 1.0 - area.opacity().unwrap_or(1.0)).product();
    let is_dark = |color: [u8; 3]| component_sum(color) <= LETTER_MAX_COLOR;
    let is_written = |run: &Run| run.mode == 0 && !run.is_type3 && run.is_known() && run.color.is_some_and(is_dark);
    let has_letters = |line: &Line| line.text().chars().filter(|it| it.is_alphabetic()).count() >= MIN_LETTERS;
    seen >= MIN_SEEN
        && over.runs.iter().filter(|run| run.is_painted()).all(is_written)
        && over.lines().iter().all(has_letters)
}
