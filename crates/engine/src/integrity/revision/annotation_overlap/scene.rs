//! An annotation and the page below it: what its appearance, or what viewers draw without one, does to signed content.

use std::rc::Rc;

use super::beside::{self, Kind};
use super::compared::{Arrival, Compared, Overlay};
use super::over_pictures::{self, Appearance};
use super::painted_page::{below, contents};
use super::signed_fields::drawn_in_other_field;
use super::viewer_drawn::{generated_overlay, unseen, value_beside};
use super::{even_ground, markup};
use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::Quote;
use crate::integrity::revision::examiner::{Examiner, Step};
use pdf_content::{Area, Line, Overlaid, PageText, Painted, Rectangle, Run, marked_height, overlaid};
use pdf_syntax::document::form::{Field, FormFields};
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;

/// Maximum annotations compared with a page after the first unreadable one.
const MAX_CHECKS_IF_UNREADABLE: usize = 20;
/// Minimum words of a line that names a signer.
const MIN_PHRASE_WORDS: usize = 3;

/// An annotation and the page below it.
pub(super) struct Scene<'a> {
    step: &'a Step,
    state: State,
    /// The object of the page, and its number.
    owner: u32,
    page: u32,
    compared: &'a Compared<'a>,
    pub(super) subtype: &'a [u8],
    kind: Kind,
    pub(super) below: Rc<PageText>,
    /// The annotation's rectangle, in the coordinates of `below`.
    pub(super) place: Option<Rectangle>,
    /// The form before the revision.
    form: Rc<FormFields>,
}

impl<'a> Scene<'a> {
    pub(super) fn read(
        examiner: &mut Examiner,
        (step, state): (&'a Step, State),
        (owner, page): (u32, u32),
        compared: &'a Compared,
    ) -> Result<Self, Fault> {
        let subtype = compared.annotation.get(b"Subtype").as_name().unwrap_or_default();
        let kind = match subtype {
            b"Ink" | b"Line" | b"PolyLine" | b"Polygon" | b"Circle" | b"Square" => Kind::Drawing,
            b"Widget" => Kind::Field,
            _ => Kind::Note,
        };
        let below = below(examiner, step, owner)?;
        let (left, bottom) = below.corner;
        let place = Rectangle::read(&examiner.document.view(state).array(compared.annotation.get(b"Rect"), 5)?);
        let place = place.map(|place| place.moved(-left, -bottom));
        let [form, _] = step.forms.clone();
        Ok(Self { step, state, owner, page, compared, subtype, kind, below, place, form })
    }

    fn is_mark(&self) -> bool {
        matches!(self.subtype, b"Highlight" | b"Underline" | b"Squiggly" | b"StrikeOut")
    }

    fn is_under(&self, other: u32) -> bool {
        Some(other) != self.compared.number
    }

    /// Whether this is a note over another one: where notes may be added, others may be removed.
    fn is_over_note(&self, under: u32) -> bool {
        self.subtype != b"Widget" && self.form.field(under).is_none()
    }

    /// Whether this is a field over a signature: a signer may sign again in the same place.
    fn is_over_signature(&self, under: u32) -> bool {
        self.subtype == b"Widget" && self.form.field(under).is_some_and(Field::is_signature)
    }

    /// What the annotation paints, in the coordinates of the page.
    pub(super) fn over(&self, examiner: &mut Examiner) -> Result<PageText, Fault> {
        let mut contents = contents(examiner);
        contents.appearance(examiner.document, self.state, self.compared.annotation, self.below.corner)
    }

    /// The effect of an annotation that viewers draw. If they choose its appearance differently, which is `unclear`, it
    /// is not compared further.
    pub(super) fn without_appearance(
        &self,
        examiner: &mut Examiner,
        unclear: Option<Clause>,
    ) -> Result<Overlay, Fault> {
        let &Compared { number, annotation, arrival } = self.compared;
        let (state, corner) = (self.state, self.below.corner);
        let generated = contents(examiner).generated(examiner.document, state, annotation, corner)?;
        let view = &mut examiner.document.view(state);
        let ground = view.dictionary(annotation.get(b"MK"))?.get(b"BG").clone();
        let has_ground = !view.resolve(&ground)?.elements().is_empty();
        let found = generated_overlay(
            &self.below,
            (&generated, has_ground),
            (self.page, arrival, self.is_mark()),
            (|other| self.is_under(other), |under| self.is_over_note(under) || self.is_over_signature(under)),
        );
        if found == Overlay::Hides {
            return Ok(found);
        }
        if let Some(unclear) = unclear {
            return Ok(Overlay::Inconclusive(unclear));
        }
        if found != Overlay::Clear {
            return Ok(found);
        }
        if self.kind == Kind::Drawing
            && let Some(bounds) = generated.bounds()
            && let Some(found) = beside::drawn_digit(&self.below, bounds, self.page)
        {
            return Ok(Overlay::Inconclusive(found));
        }
        let over = self.over(examiner)?;
        if let Some(found) = self.in_other_field(examiner, &over)? {
            return Ok(Overlay::Inconclusive(found));
        }
        if self.is_mark()
            && let Some(found) = markup::hidden_together(examiner, self.step, self.owner)?
        {
            return Ok(Overlay::Inconclusive(found));
        }
        let beside = match arrival {
            Arrival::Filled => value_beside((self.step, self.state), &self.below, (self.page, annotation), number),
            _ => self.beside(&over, self.is_mark()).filter(|_| self.subtype != b"Widget"),
        };
        Ok(beside.map_or(Overlay::Clear, Overlay::Inconclusive))
    }

    /// New paint in the place of another field. Values stay in their own.
    fn in_other_field(&self, examiner: &mut Examiner, over: &PageText) -> Result<Option<Clause>, Fault> {
        let is_new = matches!(self.compared.arrival, Arrival::New | Arrival::Existing);
        if !is_new || self.is_mark() {
            return Ok(None);
        }
        let paint = (over, self.below.corner);
        drawn_in_other_field(examiner, self.step, (self.owner, self.page), paint, self.compared.number)
    }

    /// New paint beside signed words.
    fn beside(&self, over: &PageText, is_plain_mark: bool) -> Option<Clause> {
        let kind = if is_plain_mark { Kind::Mark } else { self.kind };
        let is_under = |other| self.is_under(other);
        beside::beside(&self.below, over, (self.page, self.compared.arrival, kind), (self.place, is_under))
    }

    /// The effect of an annotation with an appearance stream.
    pub(super) fn appearance(&self, examiner: &mut Examiner) -> Result<Overlay, Fault> {
        let &Compared { number, annotation, arrival } = self.compared;
        let (below, page) = (&self.below, self.page);
        let over = self.over(examiner)?;
        let found = overlaid(below, &over, |other| self.is_under(other), &mut examiner.paint_checks_left);
        let Some(found) = found.filter(|_| !over.is_part) else {
            // further ones give no more information
            examiner.overlap_checks_left = examiner.overlap_checks_left.min(MAX_CHECKS_IF_UNREADABLE);
            let what = if over.is_decrypted_differently {
                "viewers decrypt an appearance on page {} differently"
            } else {
                "an appearance on page {} cannot be read completely"
            };
            return Ok(Overlay::Inconclusive(Clause::of(what, &[page.into()])));
        };
        let paint = Paint::read(examiner, self, &over)?;
        let owner = (self.owner, page);
        let mut unclear = unseen(examiner, self.step, owner, (&over, below.corner), (number, arrival))?;
        let ground = even_ground::around(&over, below.size);
        let new = Appearance { over: &over, subtype: self.subtype, arrival, is_light: paint.is_light };
        for found in found {
            let is_seen = even_ground::is_even(examiner, (self.step, below), &found, (ground, &over))?
                || over_pictures::hides_nothing(examiner, (self.step, below), &found, &new)?;
            if is_seen {
                continue;
            }
            match self.outcome(&found, &paint) {
                Overlay::Hides => return Ok(Overlay::Hides),
                Overlay::Inconclusive(what) => unclear = unclear.or(Some(what)),
                Overlay::Clear => {}
            }
        }
        if unclear.is_none() {
            unclear = self.in_other_field(examiner, &over)?;
        }
        if self.is_mark() && self.subtype != b"Highlight" {
            unclear = unclear.or_else(|| markup::partial_line(below, &over, self.subtype, page));
            unclear = unclear.or_else(|| markup::light_line(below, &over, page));
        }
        if self.is_mark() && unclear.is_none() {
            unclear = markup::hidden_together(examiner, self.step, self.owner)?;
        }
        let quads = marked_height(&mut examiner.document.view(self.state), annotation)?;
        let is_plain = self.is_mark() && markup::is_plain(&over, self.subtype, quads.unwrap_or_default());
        let beside = self.beside(&over, is_plain);
        let is_drawn = over.runs.iter().any(|run| run.is_painted() && run.is_type3);
        let what = "the letters of what was added on page {} are drawings, which may reach farther";
        let drawn = (is_drawn && arrival != Arrival::Marked).then(|| Clause::of(what, &[page.into()]));
        let unread = below.is_part && (!over.areas.is_empty() || !over.runs.is_empty());
        let unread = unread.then(|| Clause::of("what page {} shows cannot be read completely", &[page.into()]));
        Ok(unclear.or(beside).or(drawn).or(unread).map_or(Overlay::Clear, Overlay::Inconclusive))
    }

    /// The effect on one part of the page.
    fn outcome(&self, found: &Overlaid, paint: &Paint) -> Overlay {
        let (page, arrival) = (self.page, self.compared.arrival);
        let unclear = match &found.what {
            Painted::Words(words) if found.is_hidden => {
                if found.annotation.is_some_and(|under| self.is_over_note(under)) && arrival == Arrival::New {
                    Some(Clause::of("a note on page {} hides another one, {}", &[page.into(), Quote(words)]))
                } else if arrival == Arrival::Existing
                    || found.annotation.is_some_and(|under| self.is_over_signature(under))
                {
                    Some(Clause::of("what was added on page {} hides {}", &[page.into(), Quote(words)]))
                } else {
                    return Overlay::Hides;
                }
            }
            Painted::Words(words) => (!self.leaves_legible(found, words, paint))
                .then(|| Clause::of("what was added on page {} lies over {}", &[page.into(), Quote(words)])),
            _ if found.is_hidden && arrival != Arrival::Existing && found.annotation.is_none() => {
                return Overlay::Hides;
            }
            Painted::Path => {
                let over = paint.over;
                let is_stroked = |run: &Run| run.bounds.meets(found.bounds) && !matches!(run.mode, 0 | 3 | 7);
                let is_unknown =
                    paint.areas(found.bounds).any(|area| !area.is_solid) || over.runs.iter().any(is_stroked);
                (found.is_hidden || found.is_changed || is_unknown && arrival == Arrival::New && !paint.is_light)
                    .then(|| Clause::of("what was added on page {} lies over a drawing", &[page.into()]))
            }
            // words there are unknown; a field on a scanned page has its place there
            Painted::Picture | Painted::Unread => matches!(arrival, Arrival::New | Arrival::Existing).then(|| {
                let what = if found.what == Painted::Picture {
                    "what was added on page {} lies over a picture, which cannot be read"
                } else {
                    "what was added on page {} lies over a drawing that may show letters"
                };
                Clause::of(what, &[page.into()])
            }),
        };
        unclear.map_or(Overlay::Clear, Overlay::Inconclusive)
    }

    /// Whether words read the same under paint that does not hide them.
    fn leaves_legible(&self, found: &Overlaid, words: &str, paint: &Paint) -> bool {
        let (over, bounds) = (paint.over, found.bounds);
        match self.compared.arrival {
            Arrival::Filled => !is_written_along(over, bounds),
            // a mark strikes what is printed in its box
            Arrival::Marked => {
                let is_kept = paint.is_signed || found.annotation.is_some();
                !is_written_along(over, bounds) && (is_kept || !paint.areas(bounds).any(|area| strikes(area, bounds)))
            }
            Arrival::New if self.subtype == b"Highlight" => {
                paint.is_light && markup::is_highlight(over, bounds) && !markup::washes_out(&self.below, over, bounds)
            }
            Arrival::New if paint.is_drawing => markup::is_crossed(over, bounds, words),
            Arrival::New => paint.is_light && markup::is_line(over, bounds, words),
            Arrival::Existing => {
                !words.contains(char::is_numeric)
                    && paint.areas(bounds).next().is_none()
                    && over.lines().iter().filter(|line| line.bounds.meets(bounds)).all(is_phrase)
            }
        }
    }
}

/// What an appearance paints.
struct Paint<'a> {
    over: &'a PageText,
    /// Whether it is the mark of a button as it was signed.
    is_signed: bool,
    /// Whether it is markup whose graphics states only lighten it.
    is_light: bool,
    /// Whether it is a note of lines.
    is_drawing: bool,
}

impl<'a> Paint<'a> {
    fn read(examiner: &mut Examiner, scene: &Scene, over: &'a PageText) -> Result<Self, Fault> {
        let &Compared { annotation, arrival, .. } = scene.compared;
        let is_signed = arrival == Arrival::Marked && {
            let mut contents = contents(examiner);
            let corner = scene.below.corner;
            let signed = contents.appearance(examiner.document, scene.step.pair.old, annotation, corner)?;
            has_same_paint(&signed, over)
        };
        let is_light = scene.is_mark() && markup::has_plain_states(examiner, scene.state, annotation)?;
        Ok(Self { over, is_signed, is_light, is_drawing: scene.kind == Kind::Drawing })
    }

    /// The areas that meet a place.
    fn areas(&self, place: Rectangle) -> impl Iterator<Item = &'a Area> {
        self.over.areas.iter().filter(move |area| !area.is_off && area.bounds.meets(place))
    }
}

/// Whether a line consists of several words, without dashes and other signs between them.
fn is_phrase(line: &Line) -> bool {
    let is_word = |word: &str| word.contains(char::is_alphanumeric);
    let text = line.text();
    text.split_whitespace().count() >= MIN_PHRASE_WORDS && text.split_whitespace().all(is_word)
}

/// Whether two appearances paint the same in the same places.
fn has_same_paint(one: &PageText, other: &PageText) -> bool {
    let runs = |page: &PageText| page.runs.iter().map(|run| (run.bounds, run.color)).collect::<Vec<_>>();
    let areas = |page: &PageText| page.areas.iter().map(|area| (area.bounds, area.color)).collect::<Vec<_>>();
    runs(one) == runs(other) && areas(one) == areas(other)
}

/// Whether a mark in a box passes over the middle of printed words.
fn strikes(area: &Area, words: Rectangle) -> bool {
    let both = area.bounds.clipped(words);
    area.bounds.has(words.middle()) && 2.0 * both.width() >= words.width()
}

/// Whether any text runs along words with these bounds, not above or below them.
fn is_written_along(over: &PageText, words: Rectangle) -> bool {
    over.runs.iter().filter(|run| run.is_painted()).any(|run| {
        let both = run.bounds.clipped(words);
        // dashes and underscores are lines anywhere in their boxes
        let is_along = 2.0 * both.height() >= run.bounds.height().min(words.height()) || over.is_leader(run);
        !both.is_empty() && is_along
    })
}
