//! Pictures as writing surfaces: where nothing is printed under and around new paint, such as in the margin of a scanned
//! page, nothing signed is hidden, and nothing that was printed there reads on.

use crate::integrity::revision::examiner::{Examiner, Step};
use pdf_content::{ContentReader, Overlaid, PageText, Painted, Rectangle};
use pdf_syntax::failure::Fault;

/// Steps to decode and compare one picture, which has up to half of them as bytes.
const MAX_STEPS: u64 = 3 << 24;
/// Minimum distance of new paint from what a picture shows, in points, so that it is in no printed row or box, and in
/// sizes of its letters, so that it continues no line.
const MIN_DISTANCE_PT: f64 = 26.0;
const MIN_DISTANCE_EM: f64 = 2.5;

/// The part of a page under and around everything that an appearance paints; none if it paints nothing.
pub(super) fn around(over: &PageText, [right, top]: [f64; 2]) -> Option<Rectangle> {
    let areas = over.areas.iter().filter(|area| !area.is_off).map(|area| area.bounds);
    let runs = || over.runs.iter().filter(|run| run.is_painted());
    let painted = areas.chain(runs().map(|run| run.bounds)).reduce(Rectangle::with)?;
    let distance = runs().map(|run| MIN_DISTANCE_EM * run.size).fold(MIN_DISTANCE_PT, f64::max);
    let around = painted.grown(distance).clipped(Rectangle { left: 0.0, bottom: 0.0, right, top });
    (!around.is_empty()).then_some(around)
}

/// Whether what is painted over is a picture that is even on this ground.
pub(super) fn is_even(
    examiner: &mut Examiner,
    (step, below): (&Step, &PageText),
    found: &Overlaid,
    (ground, over): (Option<Rectangle>, &PageText),
) -> Result<bool, Fault> {
    let (Painted::Picture, false, None, Some(ground)) = (&found.what, found.is_hidden, found.annotation, ground) else {
        return Ok(false);
    };
    let mut contents = ContentReader::with_steps(examiner.document, MAX_STEPS);
    contents.is_even_image(examiner.document, step.pair.old, (below, found.order), (ground, over))
}
