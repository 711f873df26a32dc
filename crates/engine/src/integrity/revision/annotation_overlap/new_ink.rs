//! New paint near signed words and in printed places: text, drawings and pictures are compared alike. Paint on a line of
//! words, directly above or below it, around a word, in a small printed box or cell, or on a printed blank reads as part
//! of it.

use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::{Own, Quote};
use pdf_content::{Area, AreaKind, PageText, Piece, Rectangle, Run, component_sum};

/// Maximum size of paint that reads as a letter, in font sizes.
pub(super) const LETTER_SIZE_EM: f64 = 1.3;
/// Maximum distance of the parts of a drawing, in points, and maximum parts.
const TOGETHER_PT: f64 = 5.0;
const NOTE_TOGETHER_PT: f64 = 2.0;
const MAX_PARTS: usize = 2_000;
const MAX_COMPARISONS: usize = 20_000_000;
/// Maximum height of paint that reads as words beside a line, and its maximum distance along and across it, in font
/// sizes. A line's letters have their maximum size in points: in a watermark everything is small.
const MAX_HEIGHT_EM: f64 = 2.0;
const MAX_RING_EM: f64 = 4.0;
const GAP_ALONG_EM: f64 = 0.6;
const GAP_ACROSS_EM: f64 = 0.65;
const MAX_LINE_SIZE_PT: f64 = 36.0;
/// Reach of a note's letters across a line, in font sizes.
const NOTE_REACH_EM: f64 = 0.2;
/// Maximum width of a line under a word, in widths of the word, and maximum thickness of a rule, in points.
const MAX_UNDERLINE_WIDTHS: f64 = 1.5;
const MAX_RULE_PT: f64 = 2.0;
/// Maximum size of a frame that may be a letter, in points.
const MAX_LETTER_FRAME_PT: f64 = 24.0;
/// Minimum sum of the color components of paint that is seen as paper, of 765.
const PAPER_COLOR: u32 = 750;
/// Maximum height of a drawing that may show letters, in points.
const MAX_DRAWN_PT: f64 = 48.0;
/// Minimum and maximum size of a printed box, and maximum heights of a printed cell, of one for a number, which no
/// signature fits in, and of a row between rules, in points.
const MIN_BOX_SIZE_PT: f64 = 4.0;
const MAX_BOX_SIZE_PT: f64 = 40.0;
const MAX_CELL_HEIGHT_PT: f64 = 18.0;
const MAX_NUMBER_CELL_PT: f64 = 36.0;
const MAX_ROW_HEIGHT_PT: f64 = 26.0;
const ROW_TOLERANCE_PT: f64 = 1.0;
/// Maximum distance of paint from a bracket around it, in font sizes.
const BRACKET_GAP_EM: f64 = 2.0;
/// Maximum size of paint in a box or cell, in sizes of it.
const MAX_MARK_SIZES: f64 = 1.6;
/// Maximum distance of the baselines of a blank and a text on it, in font sizes.
const BLANK_TOLERANCE_EM: f64 = 0.5;
/// Minimum lines of words under a field that is no place for paint of its own.
const MIN_LINES: usize = 2;

/// Whether a field stands over several lines of signed words.
pub(super) fn is_on_lines(below: &PageText, place: Rectangle) -> bool {
    let mut lines: Vec<f64> = Vec::new();
    for run in below.runs.iter().filter(|run| is_word(below, run) && place.has(run.bounds.middle())) {
        let (_, y) = run.bounds.middle();
        if !lines.iter().any(|line| (line - y).abs() < run.size) {
            lines.push(y);
        }
    }
    lines.len() >= MIN_LINES
}

/// The signed words or printed places that new paint changes; `None` if there are none. Only a place
/// counts, if there is one. A note's drawings may be beside words, but no letters.
pub(super) fn near(
    below: &PageText,
    over: &PageText,
    (page, is_note, place): (u32, bool, Option<Rectangle>),
) -> Option<Clause> {
    let is_in = |bounds: Rectangle| place.is_none_or(|place| place.has(bounds.middle()));
    let words: Vec<&Run> = below.runs.iter().filter(|run| is_word(below, run) && is_in(run.bounds)).collect();
    if let Some(found) = inserted(below, over, &words, page) {
        return Some(found);
    }
    let parts = parts(below, over);
    let texts: Vec<Rectangle> = over.runs.iter().filter(|run| run.is_painted()).map(|run| run.bounds).collect();
    let painted = parts.iter().chain(&texts).copied().reduce(Rectangle::with)?;
    let together = if is_note { NOTE_TOGETHER_PT } else { TOGETHER_PT };
    let too_many =
        || Clause::of("what was added on page {} has more parts than are compared with its words", &[page.into()]);
    if parts.len().saturating_mul(words.len()) > MAX_COMPARISONS {
        return Some(too_many());
    }
    let near = if parts.len() > MAX_PARTS {
        let is_near = |part: &Rectangle| words.iter().any(|word| word.bounds.grown(2.0 * word.size).meets(*part));
        parts.iter().copied().filter(is_near).collect()
    } else {
        parts.clone()
    };
    if near.len() > MAX_PARTS {
        return Some(too_many());
    }
    let drawn = joined(near, together);
    let lines = || words.iter().filter(|word| word.size <= MAX_LINE_SIZE_PT);
    let near = if is_note {
        // a stroke above a line is no word
        let above: Vec<&Rectangle> =
            drawn.iter().filter(|bounds| lines().any(|word| is_letter_near(word, **bounds, GAP_ACROSS_EM))).collect();
        let is_inserted =
            |word: &&Run| above.len() > 1 && above.iter().any(|it| is_letter_near(word, **it, GAP_ACROSS_EM));
        lines().find(|word| drawn.iter().any(|it| is_letter_near(word, *it, NOTE_REACH_EM)) || is_inserted(word))
    } else {
        lines().find(|word| drawn.iter().any(|bounds| is_paint_near(word, *bounds)))
    };
    if let Some(word) = near {
        let words = [page.into(), Quote(below.text(word))];
        return Some(Clause::of("on page {}, something was drawn beside the line of {}", &words));
    }
    let marks: Vec<Rectangle> = if parts.len() > MAX_PARTS { parts } else { drawn };
    let marks: Vec<Rectangle> = marks.into_iter().chain(texts.iter().copied()).collect();
    if is_beside_drawing(below, &marks, is_in) {
        return Some(Clause::of(
            "something was added beside a drawing on page {} that may show letters",
            &[page.into()],
        ));
    }
    if let Some(what) = printed_place((below, over), (&marks, &texts, painted, is_note), is_in) {
        return Some(Clause::of("something was added in {} on page {}", &[Own(what), page.into()]));
    }
    blank(below, over, (page, painted)).filter(|_| place.is_none_or(|place| place.height() > MAX_BOX_SIZE_PT))
}

/// A text right above or below a line, which reads as inserted there.
fn inserted(below: &PageText, over: &PageText, words: &[&Run], page: u32) -> Option<Clause> {
    for new in over.runs.iter().filter(|run| run.is_painted()) {
        let is_near = |old: &&&Run| {
            let (size, new, own) = (new.size, old.turned(new.bounds), old.own_bounds());
            let gap = GAP_ACROSS_EM * old.size.min(2.0 * size);
            old.size <= MAX_LINE_SIZE_PT && across(own, new) < gap && along(own, new) < 0.0
        };
        if let Some(old) = words.iter().find(is_near) {
            let words = [page.into(), Quote(over.text(new)), Quote(below.text(old))];
            return Some(Clause::of("on page {}, {} was inserted beside the line of {}", &words));
        }
    }
    None
}

/// Whether a drawing or picture reads as words on the line of a word, or above, below or around it.
fn is_paint_near(word: &Run, bounds: Rectangle) -> bool {
    let (em, own, place) = (word.size.max(1.0), word.own_bounds(), word.turned(bounds));
    let is_rule = place.height() <= MAX_RULE_PT && place.width() > MAX_UNDERLINE_WIDTHS * own.width();
    let both = place.top.min(own.top) - place.bottom.max(own.bottom);
    let is_level = 2.0 * both >= place.height().min(own.height());
    let (along, across) = (along(own, place), across(own, place));
    let is_line = place.height() <= MAX_HEIGHT_EM * em
        && !is_rule
        && (is_level && along < GAP_ALONG_EM * em || along < 0.0 && across < GAP_ACROSS_EM * em);
    is_line || place.height() <= MAX_RING_EM * em && place.holds(own)
}

/// Whether a note's drawing reads as a letter on the line of a word.
fn is_letter_near(word: &Run, bounds: Rectangle, reach: f64) -> bool {
    let (em, own, place) = (word.size.max(1.0), word.own_bounds(), word.turned(bounds));
    let Rectangle { left, bottom, right, top } = own;
    let [along, across] = [GAP_ALONG_EM * em, reach * em];
    let across = if reach > NOTE_REACH_EM { across + place.height() } else { across };
    let band = Rectangle { left: left - along, bottom: bottom - across, right: right + along, top: top + across };
    place.height().max(place.width()) <= LETTER_SIZE_EM * em && band.holds(place)
}

/// Whether new paint stands beside a drawing of about its height, as a letter beside others.
fn is_beside_drawing(below: &PageText, marks: &[Rectangle], is_in: impl Fn(Rectangle) -> bool) -> bool {
    let Some(around) = marks.iter().copied().reduce(Rectangle::with).map(|bounds| bounds.grown(MAX_BOX_SIZE_PT)) else {
        return false;
    };
    let grounds = below.dark_grounds();
    let is_drawn = |area: &&Area| {
        area.annotation.is_none()
            && !area.is_off
            && !area.kind.is_picture()
            && area.bounds.meets(around)
            && grounds.is_ink(area)
    };
    let ink = below.areas.iter().filter(is_drawn).flat_map(|area| below.ink(area));
    let is_ground = |ink: Rectangle| marks.iter().any(|mark| ink.holds(*mark));
    let ink = ink.filter(|ink| !ink.is_frame).map(|ink| ink.bounds);
    let mut ink: Vec<Rectangle> = ink.filter(|ink| !is_ground(*ink)).collect();
    if ink.len() > MAX_PARTS {
        ink.retain(|ink| ink.meets(around));
    }
    if ink.len() > MAX_PARTS {
        return true;
    }
    let mut drawings = joined(ink, TOGETHER_PT).into_iter().filter(|bounds| is_in(*bounds));
    drawings.any(|drawing| {
        let height = drawing.height();
        marks.iter().any(|mark| {
            let both = mark.top.min(drawing.top) - mark.bottom.max(drawing.bottom);
            (MIN_BOX_SIZE_PT..=MAX_DRAWN_PT).contains(&height)
                && drawing.width() >= height / 2.0
                && (height / MAX_HEIGHT_EM..=height * MAX_HEIGHT_EM).contains(&mark.height())
                && 2.0 * both >= height.min(mark.height())
                && (0.0..GAP_ALONG_EM * height).contains(&along(drawing, *mark))
        })
    })
}

/// A printed box, cell or row that has new paint in it.
fn printed_place(
    (below, over): (&PageText, &PageText),
    (marks, texts, painted, is_note): (&[Rectangle], &[Rectangle], Rectangle, bool),
    is_in: impl Fn(Rectangle) -> bool,
) -> Option<&'static str> {
    let around = painted.grown(MAX_BOX_SIZE_PT);
    let printed = below.areas.iter().filter(|area| {
        area.annotation.is_none() && !area.is_off && !area.kind.is_picture() && area.bounds.meets(around)
    });
    let [mut boxes, mut cells, mut lines, mut rules] = [const { Vec::new() }; 4];
    for area in printed {
        for piece in below.pieces(area).into_iter().filter(|piece| piece.bounds.meets(around)) {
            let Rectangle { bottom, top, .. } = piece.bounds;
            let [long, short] =
                [piece.bounds.width().max(piece.bounds.height()), piece.bounds.width().min(piece.bounds.height())];
            if short <= MAX_RULE_PT {
                if long <= MAX_BOX_SIZE_PT {
                    lines.push(piece.bounds);
                } else if top - bottom <= MAX_RULE_PT {
                    rules.push(piece.bounds);
                }
            } else if short >= MIN_BOX_SIZE_PT
                && (long <= MAX_BOX_SIZE_PT || piece.is_frame() && piece.bounds.height() <= MAX_CELL_HEIGHT_PT)
            {
                boxes.push(piece.bounds);
            } else if piece.is_frame() && piece.bounds.height() <= MAX_NUMBER_CELL_PT {
                cells.push(piece.bounds);
            }
        }
    }
    if lines.len() > MAX_PARTS || boxes.len() > MAX_PARTS || rules.len() > MAX_PARTS {
        return Some("a place with more lines than can be compared");
    }
    let is_box = |bounds: &Rectangle| {
        bounds.width().min(bounds.height()) >= MIN_BOX_SIZE_PT && bounds.width().max(bounds.height()) <= MAX_BOX_SIZE_PT
    };
    boxes.extend(joined(lines, NOTE_TOGETHER_PT).into_iter().filter(is_box));
    let fills = |place: Rectangle, mark: Rectangle| {
        place.has(mark.middle())
            && mark.width() <= place.width().max(MAX_MARK_SIZES * place.height().min(place.width()))
            && mark.height() <= MAX_MARK_SIZES * place.height()
    };
    let is_number = |run: &Run| {
        let text = over.text(run);
        run.is_painted() && text.contains(char::is_numeric) && !text.contains(char::is_alphabetic)
    };
    let numbers = || over.runs.iter().filter(|run| is_number(run)).map(|run| run.bounds);
    let is_filled = |place: &Rectangle| is_in(*place) && marks.iter().any(|mark| fills(*place, *mark));
    let has_number = |place: &Rectangle| is_in(*place) && numbers().any(|number| fills(*place, number));
    if boxes.iter().any(is_filled) || cells.iter().any(has_number) {
        return Some("a printed box");
    }
    let is_row = |mark: &Rectangle| {
        let spans = |rule: &&Rectangle| rule.left <= mark.left && mark.right <= rule.right;
        let above = rules.iter().filter(spans).map(|rule| rule.bottom).filter(|y| *y >= mark.middle().1);
        let under = rules.iter().filter(spans).map(|rule| rule.top).filter(|y| *y <= mark.middle().1);
        let (above, under) = (above.fold(f64::INFINITY, f64::min), under.fold(f64::NEG_INFINITY, f64::max));
        let row = Rectangle { left: 0.0, bottom: under, right: below.size[0], top: above };
        let is_label = |run: &Run| is_word(below, run) && row.has(run.bounds.middle()) && is_in(run.bounds);
        let is_in_row = painted.bottom >= under - ROW_TOLERANCE_PT && painted.top <= above + ROW_TOLERANCE_PT;
        above - under <= MAX_ROW_HEIGHT_PT && is_in_row && below.runs.iter().any(is_label)
    };
    // a note's lines may be anywhere
    if texts.iter().any(is_row) || !is_note && marks.iter().any(is_row) {
        return Some("a printed row");
    }
    let is_bracket = |run: &&Run, sign: [char; 4]| {
        run.annotation.is_none() && run.is_painted() && below.text(run).contains(sign) && is_in(run.bounds)
    };
    let is_between = |mark: &Rectangle| {
        let is_beside = |run: &Run, gap: f64| {
            (-1.0..=BRACKET_GAP_EM * run.size).contains(&gap)
                && (run.bounds.bottom..=run.bounds.top).contains(&mark.middle().1)
                && mark.height() <= MAX_MARK_SIZES * run.bounds.height()
        };
        let mut open = below.runs.iter().filter(|run| is_bracket(run, ['[', '(', '{', '|']));
        let mut close = below.runs.iter().filter(|run| is_bracket(run, [']', ')', '}', '|']));
        open.any(|run| is_beside(run, mark.left - run.bounds.right))
            && close.any(|run| is_beside(run, run.bounds.left - mark.right))
    };
    if marks.iter().any(is_between) {
        return Some("printed brackets");
    }
    None
}

/// A line of text on a printed blank: a signature's appearance has several lines, or is drawn.
fn blank(below: &PageText, over: &PageText, (page, painted): (u32, Rectangle)) -> Option<Clause> {
    for new in over.runs.iter().filter(|run| run.is_painted()) {
        let is_on = |old: &&Run| {
            let place = old.turned(new.bounds);
            old.annotation.is_none()
                && below.is_long_leader(old)
                && old.level().is_near(new.level(), BLANK_TOLERANCE_EM * old.size.max(new.size))
                && 2.0 * old.own_bounds().clipped(place).width() >= place.width()
        };
        if painted.height() <= MAX_HEIGHT_EM * new.size && below.runs.iter().any(|old| is_on(&old)) {
            return Some(Clause::of(
                "{} was written on a printed blank of page {}",
                &[Quote(over.text(new)), page.into()],
            ));
        }
    }
    None
}

fn is_word(page: &PageText, run: &Run) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == char::REPLACEMENT_CHARACTER;
    run.annotation.is_none() && run.is_painted() && page.text(run).contains(is_letter)
}

/// The distance of a box along a word, negative if they overlap, and across it.
fn along(word: Rectangle, place: Rectangle) -> f64 {
    (word.left - place.right).max(place.left - word.right)
}

fn across(word: Rectangle, place: Rectangle) -> f64 {
    (place.bottom - word.top).max(word.bottom - place.top)
}

/// The parts of new drawings and pictures, without frames and grounds.
fn parts(below: &PageText, over: &PageText) -> Vec<Rectangle> {
    let [below, own] = [below.dark_grounds(), over.dark_grounds()];
    // what a mask lets through has the alpha of none
    let is_paper = move |area: &Area| {
        let light = area.color.map(component_sum);
        !area.kind.is_picture()
            && light.is_some_and(|light| light >= PAPER_COLOR)
            && !below.is_under(area.bounds, u32::MAX)
            && !own.is_under(area.bounds, area.order)
    };
    let pieces = over.areas.iter().filter(move |area| !area.is_off && !is_paper(area)).flat_map(|area| {
        let is_ground = area.kind == AreaKind::Rectangle && over.runs.iter().any(|run| area.bounds.holds(run.bounds));
        over.pieces(area).into_iter().filter(move |_| !is_ground)
    });
    // a small frame may be a letter
    let is_frame =
        |piece: &Piece| piece.is_frame() && piece.bounds.width().max(piece.bounds.height()) > MAX_LETTER_FRAME_PT;
    pieces.filter(move |piece| !is_frame(piece)).map(|piece| piece.bounds).collect()
}

/// The boxes around paint that is together.
fn joined(parts: Vec<Rectangle>, together: f64) -> Vec<Rectangle> {
    let mut joined: Vec<Rectangle> = Vec::new();
    for mut part in parts {
        while let Some(place) = joined.iter().position(|other| other.grown(together).meets(part)) {
            part = part.with(joined.swap_remove(place));
        }
        joined.push(part);
    }
    joined
}
