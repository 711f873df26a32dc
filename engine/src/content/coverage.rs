//! What later paint leaves to be seen of text, glyph by glyph. Rows are laid through the part of a line in which its letters
//! have ink, an eighth of an em apart; of each row the stretches are found that later paint lies over, whatever it is:
//! boxes, outlines by their rule, lines by their width, within their clips. A glyph is covered as far as its rows are.
//!
//! Paint that is opaque covers. What is mixed with what lies beneath is composited: text whose color can no longer be told from
//! that of its ground is covered. Where that is not known, the text is *perhaps* covered, and counts as neither.
//!
//! [`Visibility::of`] looks at a page with those of its areas that may hide something (of one painter, or of all), and then
//! tells of every run and glyph how much of it is covered, by which areas, and what is still to be seen. `occlusion` asks the other
//! way round: what of a page something lies upon, be it words, paths or pictures.

use std::collections::BTreeMap;

use super::area::{Area, AreaKind, Effect, Rule};
use super::blend::{Blend, Parts, contrast, parts};
use super::geometry::Rectangle;
use super::page_model::{Baseline, PageText, Run};
use super::visibility::{Areas, Bands};

/// Rows through a line.
const ROWS: usize = 6;
/// The part of a glyph from which on it is covered.
const HIDDEN: f32 = 0.5;
/// The part of a glyph from which on hardly anything is left of it.
const WHOLE: f32 = 0.8;
/// The part of which it cannot be told whether enough is left of it.
const DOUBTFUL: std::ops::Range<f32> = 0.35..0.65;
/// Clips within each other that are looked at; what is clipped by more hides nothing.
const CLIPS: usize = 32;
/// What is closer than a pixel of any screen shows nothing, in points.
const NEAR: f64 = 0.05;
/// How wide glyphs are that go nowhere, in sizes: marks above and below others.
const MARK: f32 = 0.1;

/// How much of a text's contrast is left where it can no longer be read.
const FADED: f32 = 0.101;
/// What no eye tells apart, in parts of 1.
const NOTHING: f32 = 0.02;
/// Layers over one text that are composited; with more it is not known what is left of it.
const LAYERS: usize = 32;
/// How wide letters are stroked that may fill their boxes, in sizes.
const THICK: f32 = 0.15;
/// How much larger signs are than letters that they may cover.
const LARGER: f64 = 1.2;
/// The least of each part of a color that may be paper.
const PAPER: u8 = 235;

/// From where to where on a row, in points from where the line begins.
pub(super) type Stretch = (f32, f32);

/// A row through a line, so far above it.
pub(super) type Row<'l> = (&'l Baseline, f64);

/// What of a page's text is to be seen.
pub(crate) struct Visibility<'p> {
    page: &'p PageText,
    /// By the places of the runs that anything lies over, or that are clipped in part.
    covered: BTreeMap<usize, Covered>,
}

/// A run that something lies over.
#[derive(Debug, Default)]
pub(crate) struct Covered {
    /// How much of each of its glyphs is covered or clipped away, from 0 to 1.
    parts: Vec<f32>,
    /// How much of each is, or perhaps is; empty if nothing perhaps is.
    perhaps: Vec<f32>,
    /// The areas that do so, by their places among those of the page, in painting order.
    pub(crate) by: Vec<usize>,
}

impl Covered {
    /// Whether any of its glyphs is covered.
    pub(crate) fn hides(&self) -> bool {
        self.parts.iter().any(|part| *part >= HIDDEN)
    }

    /// Whether hardly anything is left of one of them.
    pub(crate) fn hides_whole_glyphs(&self) -> bool {
        self.parts.iter().any(|part| *part >= WHOLE)
    }
}

/// What is beneath a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Ground {
    /// Nothing was painted: paper, or what is transparent (11.4.7).
    Paper,
    Color([u8; 3]),
    /// Something of which that is not known, as a picture.
    Unknown,
}

/// What is left of a text under paint.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fate {
    Seen,
    Unknown,
    Hidden,
}

impl<'p> Visibility<'p> {
    /// Looks at a page, of whose areas these may hide what lies beneath; none if that takes more than `checks`.
    pub(crate) fn of(page: &'p PageText, may_hide: impl Fn(&Area) -> bool, checks: &mut usize) -> Option<Self> {
        let areas = Areas::new(page, page.areas.iter().filter(|area| covers(area) && !area.is_off && may_hide(area)));
        let letters = page.runs.iter().filter(|run| run.annotation.is_none() && may_cover(run));
        let letters = Bands::new(page, letters);
        let mut covered = BTreeMap::new();
        for (place, run) in page.runs.iter().enumerate() {
            if !run.is_painted() {
                continue;
            }
            let later = areas.later(run.bounds, run.order);
            let upon = letters.later(run.bounds, run.order);
            *checks = checks.checked_sub(later.len() + upon.len())?;
            // a block is what its own run looks like
            let is_own = |area: &Area| area.kind == AreaKind::Block && area.order == run.order + 1;
            let is_over = |area: &&Area| area.bounds.meets(run.bounds) && !is_own(area);
            let over: Vec<&Area> = later.iter().copied().filter(is_over).collect();
            let upon: Vec<&Run> = upon.iter().copied().filter(|other| is_upon(other, run)).collect();
            if (!over.is_empty() || !upon.is_empty() || run.clip_shape.is_some())
                && let Some(found) = cover(page, run, &areas, (&over, &upon), checks)?
            {
                covered.insert(place, found);
            }
        }
        Some(Self { page, covered })
    }

    /// Cuts the run in this place to what is to be seen of it, less what is left out. A glyph of which nearly half is
    /// covered stands there as one that cannot be read.
    pub(crate) fn cut(&self, place: usize, is_left_out: impl Fn(usize) -> bool, pieces: &mut Vec<Run>) {
        let Some(run) = self.page.runs.get(place).filter(|run| run.is_painted()) else { return };
        if self.covered.contains_key(&place) || !PageText::is_unclipped(run) {
            let is_doubtful = |glyph| DOUBTFUL.contains(&self.part(place, glyph));
            let is_wanted = |glyph| self.is_seen(place, glyph) && !is_left_out(glyph);
            self.page.cut(run, |glyph| is_wanted(glyph) && !is_doubtful(glyph), pieces);
            let start = pieces.len();
            self.page.cut(run, |glyph| is_doubtful(glyph) && !is_left_out(glyph), pieces);
            pieces.iter_mut().skip(start).for_each(Run::doubt);
            return;
        }
        pieces.push(run.clone());
    }

    /// The runs that something lies over, by their places.
    pub(crate) fn covered(&self) -> impl Iterator<Item = (usize, &Covered)> {
        self.covered.iter().map(|(place, covered)| (*place, covered))
    }

    /// What lies over the run in this place, if anything does.
    pub(crate) fn covered_run(&self, place: usize) -> Option<&Covered> {
        self.covered.get(&place)
    }

    /// How much of a glyph of the run in this place is covered, from 0 to 1.
    pub(crate) fn part(&self, place: usize, glyph: usize) -> f32 {
        self.covered.get(&place).and_then(|covered| covered.parts.get(glyph)).copied().unwrap_or(0.0)
    }

    /// Whether a glyph is covered.
    pub(crate) fn is_hidden(&self, place: usize, glyph: usize) -> bool {
        self.part(place, glyph) >= HIDDEN
    }

    /// Whether a glyph is not covered, but perhaps is.
    pub(crate) fn is_perhaps_hidden(&self, place: usize, glyph: usize) -> bool {
        let perhaps = self.covered.get(&place).and_then(|covered| covered.perhaps.get(glyph));
        perhaps.is_some_and(|part| *part >= HIDDEN) && !self.is_hidden(place, glyph)
    }

    /// Whether hardly anything of a glyph lies within its clip, and nothing lies over its run.
    pub(crate) fn is_clipped(&self, place: usize, glyph: usize) -> bool {
        let is_left_out = |covered: &Covered| covered.by.is_empty() && self.part(place, glyph) >= WHOLE;
        self.covered.get(&place).is_some_and(is_left_out)
            || self.page.runs.get(place).is_some_and(|run| self.page.is_clipped_away(run, glyph))
    }

    /// Whether a glyph is to be seen: painted, where it is not clipped away, and not covered.
    pub(crate) fn is_seen(&self, place: usize, glyph: usize) -> bool {
        self.page.runs.get(place).is_some_and(|run| run.is_painted() && self.page.is_within_clip(run, glyph))
            && !self.is_hidden(place, glyph)
    }

    /// Whether anything of a run is to be seen.
    pub(crate) fn is_run_seen(&self, place: usize) -> bool {
        let Some(run) = self.page.runs.get(place) else { return false };
        match self.covered.get(&place) {
            Some(_) => (0..run.glyphs.len()).any(|glyph| self.is_seen(place, glyph)),
            None => run.is_painted(),
        }
    }
}

/// Whether an area changes what lies beneath enough to count.
fn covers(area: &Area) -> bool {
    area.is_solid || !matches!(area.effect, Effect::Mixed { alpha, .. } if alpha < NOTHING)
}

/// Whether the letters of a run may be paint over others, which cannot be read any more: white ones, thick ones, and those of
/// which it is not known what they look like. Others lie across letters, and both can be seen.
fn may_cover(run: &Run) -> bool {
    let is_paper = run.color.is_none_or(|color| color.iter().all(|part| *part >= PAPER));
    let is_thick = run.stroke >= THICK * run.size as f32 && run.stroke > 0.0;
    run.is_painted() && (is_paper || is_thick || run.is_type3 || run.undecoded > 0 || !run.is_known())
}

/// Whether a run that may cover others does so with this one: one in the same font and color goes on or is drawn twice, and
/// signs that cannot be read are letters unless they are larger.
fn is_upon(other: &Run, run: &Run) -> bool {
    let is_alike = other.font == run.font && other.color == run.color && other.mode == run.mode;
    let is_sign = other.size >= LARGER * run.size;
    let is_letter = other.undecoded > 0 && !is_sign && other.color == run.color && other.is_known();
    !is_alike && !is_letter && other.bounds.meets(run.bounds)
}

impl Areas<'_> {
    /// What a run was painted on: the last of these that hides what lies beneath, and what else was painted there since.
    pub(crate) fn ground(&self, run: &Run) -> Ground {
        let mut earlier = self.earlier(run.bounds, run.order).iter().rev();
        let Some(area) = earlier.find(|area| area.bounds.has(run.bounds.middle())) else { return Ground::Paper };
        match area.color.filter(|_| area.is_solid) {
            Some(color) => Ground::Color(color),
            None => Ground::Unknown,
        }
    }
}

impl Ground {
    /// What it may look like; nothing where that is not known. Paper may be white, or nothing, as some readers have it.
    fn looks(self) -> &'static [Option<Parts>] {
        match self {
            Self::Paper => &[None, Some([1.0; 3])],
            _ => &[],
        }
    }
}

/// What is left of a text in this color on this ground under layers, in painting order.
fn fate(color: Option<[u8; 3]>, ground: Ground, layers: &[&Area]) -> Fate {
    let mut contrast_left = 1.0;
    let mut groups = Vec::new();
    let (mut is_mixed, mut is_known) = (false, true);
    for area in layers {
        match area.effect {
            Effect::Mixed { blend: Blend::Normal, alpha, .. } => contrast_left *= 1.0 - alpha,
            Effect::Mixed { group, .. } => {
                is_mixed = true;
                is_known &= area.color.is_some() && (group == 0 || !groups.contains(&group));
                groups.push(group);
            }
            Effect::Unknown => is_known = false,
        }
    }
    if !is_known {
        return Fate::Unknown;
    }
    if !is_mixed {
        return if contrast_left <= FADED { Fate::Hidden } else { Fate::Seen };
    }
    let Some(text) = color.map(parts) else { return Fate::Unknown };
    let one = match ground {
        Ground::Color(color) => [Some(parts(color))],
        _ => [None],
    };
    let looks = if matches!(ground, Ground::Color(_)) { &one[..] } else { ground.looks() };
    let hides = |look: &Option<Parts>| {
        let (mut letter, mut beneath) = (text, *look);
        let before = contrast(letter, beneath.unwrap_or([1.0; 3]));
        for area in layers {
            let (Effect::Mixed { blend, alpha, .. }, Some(source)) = (area.effect, area.color.map(parts)) else {
                continue;
            };
            letter = blend.composite(letter, source, alpha)?;
            // what is transparent takes the color of the source, and lies on white paper in the end
            beneath = Some(match beneath {
                Some(beneath) => blend.composite(beneath, source, alpha)?,
                None => Blend::Normal.composite([1.0; 3], source, alpha)?,
            });
        }
        Some(contrast(letter, beneath.unwrap_or([1.0; 3])) <= (FADED * before).max(NOTHING))
    };
    let hidden: Vec<Option<bool>> = looks.iter().map(hides).collect();
    match hidden.as_slice() {
        [] => Fate::Unknown,
        all if all.iter().all(|hidden| *hidden == Some(true)) => Fate::Hidden,
        all if all.iter().all(|hidden| *hidden == Some(false)) => Fate::Seen,
        _ => Fate::Unknown,
    }
}

impl PageText {
    /// Which part of the letters in a box these of the page's areas lie upon, from 0 to 1; or cover, so that they are hidden.
    pub(crate) fn covered_part(&self, bounds: Rectangle, covers: impl Fn(&Area) -> bool, hides: bool) -> f64 {
        let line = Baseline { start: (bounds.left, bounds.bottom), direction: (1.0, 0.0), ..Baseline::default() };
        let mut rows: [Vec<Stretch>; ROWS] = Default::default();
        let is_over =
            |area: &&Area| (area.is_solid || !hides) && !area.is_off && covers(area) && area.bounds.meets(bounds);
        for area in self.areas.iter().filter(is_over) {
            for (place, row) in rows.iter_mut().enumerate() {
                let height = (0.2 + 0.6 * (place as f64 + 0.5) / ROWS as f64) * bounds.height();
                stretches(self, area, (&line, height), row);
            }
        }
        rows.iter_mut().for_each(unite);
        let width = bounds.width() as f32;
        f64::from(rows.iter().map(|row| covered(row, 0.0, width)).sum::<f32>() / (ROWS as f32 * width.max(0.01)))
    }
}

/// The rows through a line, with the stretches on each.
type Rows = [Vec<Stretch>; ROWS];

/// How much of a run these areas and letters cover; none if nothing. None at all if telling so takes more than `checks`.
#[expect(clippy::option_option, reason = "the outer one says that there is too much to do")]
fn cover(
    page: &PageText,
    run: &Run,
    areas: &Areas,
    (over, upon): (&[&Area], &[&Run]),
    checks: &mut usize,
) -> Option<Option<Covered>> {
    let mut rows = Rows::default();
    let mut perhaps = Rows::default();
    let mut by = Vec::new();
    let length = page.glyphs(run).iter().map(|glyph| glyph.end).fold(0.0, f32::max);
    let (solid, others): (Vec<&Area>, Vec<&Area>) = over.iter().partition(|area| area.is_solid);
    for area in solid {
        let mut is_over = false;
        for (row, height) in rows.iter_mut().zip(heights(run)) {
            let before = row.len();
            *checks = checks.checked_sub(1 + cost(page, area))?;
            stretches(page, area, (&run.line, height), row);
            is_over |= row.iter().skip(before).any(|(start, end)| *start < length && *end > 0.0);
        }
        if is_over {
            by.extend(page.areas.binary_search_by_key(&area.order, |area| area.order));
        }
    }
    mix(page, run, areas, &others, (&mut rows, &mut perhaps, &mut by), checks)?;
    for other in upon {
        *checks = checks.checked_sub(ROWS * page.glyphs(other).len())?;
        for (row, height) in perhaps.iter_mut().zip(heights(run)) {
            let boxes = page.glyphs(other).iter().map(|glyph| ink_box(other, glyph.start, glyph.end));
            row.extend(boxes.filter_map(|bounds| within_box(bounds, (&run.line, height))));
        }
    }
    let is_clipped = clip(page, run, (&mut rows, &mut perhaps), checks)?;
    if by.is_empty() && !is_clipped && perhaps.iter().all(Vec::is_empty) {
        return Some(None);
    }
    by.sort_unstable();
    by.dedup();
    rows.iter_mut().for_each(unite);
    let parts = shares(page, run, &rows, checks)?;
    if perhaps.iter().all(Vec::is_empty) {
        return Some(Some(Covered { parts, by, ..Covered::default() }));
    }
    for (perhaps, row) in perhaps.iter_mut().zip(&rows) {
        perhaps.extend(row);
        unite(perhaps);
    }
    let perhaps = shares(page, run, &perhaps, checks)?;
    Some(Some(Covered { parts, perhaps, by }))
}

/// Adds where areas that are mixed with what lies beneath cover a run, or perhaps do.
fn mix(
    page: &PageText,
    run: &Run,
    areas: &Areas,
    layers: &[&Area],
    (rows, perhaps, by): (&mut Rows, &mut Rows, &mut Vec<usize>),
    checks: &mut usize,
) -> Option<()> {
    let is_normal = |area: &&Area| matches!(area.effect, Effect::Mixed { blend: Blend::Normal, .. });
    // where nothing but transparency lies over each other, less of it leaves more to be seen
    if layers.is_empty() || layers.iter().all(is_normal) && fate(run.color, Ground::Unknown, layers) == Fate::Seen {
        return Some(());
    }
    let (layers, rest) = layers.split_at(layers.len().min(LAYERS));
    let ground = areas.ground(run);
    let mut known: Vec<(u32, Fate)> = Vec::new();
    for (place, height) in heights(run).enumerate() {
        let row = (&run.line, height);
        let mut spans: Vec<Vec<Stretch>> = Vec::with_capacity(layers.len());
        for area in layers {
            *checks = checks.checked_sub(1 + cost(page, area))?;
            let mut span = Vec::new();
            stretches(page, area, row, &mut span);
            unite(&mut span);
            spans.push(span);
        }
        let mut ends: Vec<f32> = spans.iter().flatten().flat_map(|(start, end)| [*start, *end]).collect();
        ends.sort_by(f32::total_cmp);
        ends.dedup();
        *checks = checks.checked_sub(ends.len() * layers.len())?;
        for pair in ends.windows(2) {
            let [start, end] = *pair else { continue };
            let middle = start + (end - start) / 2.0;
            let is_over = |span: &[Stretch]| {
                let next = span.partition_point(|(_, end)| *end <= middle);
                span.get(next).is_some_and(|(start, _)| *start <= middle)
            };
            let bits = spans.iter().enumerate().filter(|(_, span)| is_over(span)).map(|(at, _)| 1_u32 << at);
            let bits = bits.fold(0, |all, bit| all | bit);
            if bits == 0 {
                continue;
            }
            let over = || layers.iter().enumerate().filter(|(at, _)| bits & 1 << at != 0).map(|(_, area)| *area);
            let fate = match known.iter().find(|(known, _)| *known == bits) {
                Some((_, fate)) => *fate,
                None => {
                    let fate = fate(run.color, ground, &over().collect::<Vec<_>>());
                    known.push((bits, fate));
                    fate
                }
            };
            match fate {
                Fate::Seen => {}
                Fate::Unknown => perhaps.get_mut(place)?.push((start, end)),
                Fate::Hidden => {
                    rows.get_mut(place)?.push((start, end));
                    by.extend(over().flat_map(|area| page.areas.binary_search_by_key(&area.order, |area| area.order)));
                }
            }
        }
        for area in rest {
            *checks = checks.checked_sub(1 + cost(page, area))?;
            stretches(page, area, row, perhaps.get_mut(place)?);
        }
    }
    Some(())
}

/// Adds what the clip of a run leaves out of it; where that has too many parts, it perhaps leaves out all. Whether it has any.
fn clip(page: &PageText, run: &Run, (rows, perhaps): (&mut Rows, &mut Rows), checks: &mut usize) -> Option<bool> {
    let Some(clip) = run.clip_shape else { return Some(false) };
    let all = (f32::NEG_INFINITY, f32::INFINITY);
    if clips(page, Some(clip)).count() > CLIPS {
        perhaps.iter_mut().for_each(|row| row.push(all));
        return Some(true);
    }
    let cost: usize = clips(page, Some(clip)).map(|outline| 1 + page.outlines.count(outline)).sum();
    for (row, height) in rows.iter_mut().zip(heights(run)) {
        *checks = checks.checked_sub(cost)?;
        let mut within = vec![all];
        for outline in clips(page, Some(clip)) {
            let mut inside = enclosed(page, outline, (&run.line, height));
            unite(&mut inside);
            within = common(&within, &inside);
        }
        let mut start = f32::NEG_INFINITY;
        for (from, to) in within {
            row.push((start, from));
            start = to;
        }
        row.push((start, f32::INFINITY));
    }
    Some(true)
}

/// The box around the part of a glyph's place in which letters have ink, as wide as they are stroked.
fn ink_box(run: &Run, start: f32, end: f32) -> Rectangle {
    let (low, high) = run.line.ink;
    let point = |along: f32, off: f64| run.line.point(f64::from(along - run.skipped), off);
    let bounds = Rectangle::around([point(start, low), point(start, high), point(end, low), point(end, high)]);
    bounds.grown(f64::from(run.stroke) / 2.0)
}

/// The part of each glyph of a run that lies on these stretches.
fn shares(page: &PageText, run: &Run, rows: &Rows, checks: &mut usize) -> Option<Vec<f32>> {
    *checks = checks.checked_sub(run.glyphs.len())?;
    let least = (MARK * run.line.em as f32).max(f32::EPSILON);
    let parts = page.glyphs(run).iter().map(|glyph| {
        let (start, end) = match glyph.end - glyph.start >= least {
            true => (glyph.start, glyph.end),
            false => (glyph.start - least / 2.0, glyph.end + least / 2.0),
        };
        rows.iter().map(|row| covered(row, start, end)).sum::<f32>() / (ROWS as f32 * (end - start).max(f32::EPSILON))
    });
    Some(parts.collect())
}

/// The heights of the rows through a run's line.
fn heights(run: &Run) -> impl Iterator<Item = f64> {
    let (bottom, top) = run.line.ink;
    (0..ROWS).map(move |row| bottom + (row as f64 + 0.5) / ROWS as f64 * (top - bottom))
}

/// How many of them an area takes to be looked at.
fn cost(page: &PageText, area: &Area) -> usize {
    clips(page, area.clip).chain([&area.outline]).map(|outline| page.outlines.count(outline)).sum()
}

/// The clips within each other, from the innermost one.
fn clips(page: &PageText, innermost: Option<u32>) -> impl Iterator<Item = &std::ops::Range<u32>> {
    let mut next = innermost;
    std::iter::from_fn(move || {
        let (outline, within) = page.outlines.clip(next?)?;
        next = within;
        Some(outline)
    })
    .take(CLIPS + 1)
}

/// Where an area lies over a row: so high above a line.
pub(super) fn stretches(page: &PageText, area: &Area, row: Row, found: &mut Vec<Stretch>) {
    let Some((left, right)) = within_box(area.bounds, row) else { return };
    if area.outline.is_empty() && area.clip.is_none() {
        found.push((left, right));
        return;
    }
    if clips(page, area.clip).count() > CLIPS {
        return;
    }
    let mut own = if area.outline.is_empty() { vec![(left, right)] } else { enclosed(page, &area.outline, row) };
    unite(&mut own);
    for clip in clips(page, area.clip) {
        let mut clip = enclosed(page, clip, row);
        unite(&mut clip);
        own = common(&own, &clip);
    }
    found.extend(common(&own, &[(left, right)]));
}

/// Where a row lies within a box.
fn within_box(bounds: Rectangle, (line, height): Row) -> Option<Stretch> {
    let Rectangle { left, bottom, right, top } = bounds;
    let (across, up) = line.direction;
    let (x, y) = (line.start.0 - up * height, line.start.1 + across * height);
    let mut stretch = (f64::NEG_INFINITY, f64::INFINITY);
    for (at, step, low, high) in [(x, across, left, right), (y, up, bottom, top)] {
        if step.abs() < 1e-9 {
            if at < low || at > high {
                return None;
            }
            continue;
        }
        let (one, other) = ((low - at) / step, (high - at) / step);
        stretch = (stretch.0.max(one.min(other)), stretch.1.min(one.max(other)));
    }
    (stretch.0 < stretch.1).then_some((stretch.0 as f32, stretch.1 as f32))
}

/// Where a row lies within what outlines enclose.
fn enclosed(page: &PageText, outline: &std::ops::Range<u32>, (line, height): Row) -> Vec<Stretch> {
    let mut found = Vec::new();
    // to where a point lies along the line, and how far above the row
    let place = |[x, y]: [f32; 2]| {
        let (along, off) = line.measure((f64::from(x), f64::from(y)));
        (along, off - height)
    };
    for (rule, bounds, path) in page.outlines.paths(outline) {
        // nearly all lie elsewhere
        let reach = NEAR + if let Rule::Stroke { width, .. } = rule { f64::from(width) } else { 0.0 };
        if within_box(bounds.grown(reach), (line, height)).is_none() {
            continue;
        }
        let mut crossings: Vec<(f32, i32)> = Vec::new();
        for polygon in path.split(|point| point[0].is_nan()) {
            if let Rule::Stroke { width, has_caps } = rule {
                let lines = polygon.iter().zip(polygon.iter().skip(1));
                let lines = lines.map(|(start, end)| (place(*start), place(*end)));
                let half = f64::from(width) / 2.0;
                found.extend(lines.filter_map(|(start, end)| stroke(start, end, half, has_caps)));
                continue;
            }
            let is_above = |point: &[f32; 2]| place(*point).1 > 0.0;
            let Some(mut last) = polygon.last().map(|point| (point, is_above(point))) else { continue };
            for point in polygon {
                let next = (point, is_above(point));
                if last.1 != next.1 {
                    crossings.extend(crossing(place(*last.0), place(*point)));
                }
                last = next;
            }
        }
        crossings.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut winding = 0;
        for pair in crossings.windows(2) {
            let [(start, step), (end, _)] = pair else { continue };
            winding += if rule == Rule::EvenOdd { 1 } else { *step };
            let is_inside = if rule == Rule::EvenOdd { winding % 2 != 0 } else { winding != 0 };
            if is_inside {
                found.push((*start, *end));
            }
        }
    }
    found
}

/// Where a side of a polygon crosses a row, and which way.
fn crossing((x, y): (f64, f64), (to_x, to_y): (f64, f64)) -> Option<(f32, i32)> {
    if (y <= 0.0) == (to_y <= 0.0) {
        return None;
    }
    let at = x + (to_x - x) * y / (y - to_y);
    Some((at as f32, if y <= 0.0 { 1 } else { -1 }))
}

/// Where a line of some width lies over a row.
fn stroke((x, y): (f64, f64), (to_x, to_y): (f64, f64), half: f64, has_caps: bool) -> Option<Stretch> {
    // no corner is further from its end than that of a square
    let reach = 1.5 * half;
    if y.min(to_y) > reach || y.max(to_y) < -reach {
        return None;
    }
    let (across, up) = (to_x - x, to_y - y);
    let length = across.hypot(up);
    let (across, up) = if length > 0.0 { (across / length * half, up / length * half) } else { (half, 0.0) };
    let (cap_across, cap_up) = if has_caps { (across, up) } else { (0.0, 0.0) };
    let (start, end) = ((x - cap_across, y - cap_up), (to_x + cap_across, to_y + cap_up));
    let corners = [
        (start.0 - up, start.1 + across),
        (end.0 - up, end.1 + across),
        (end.0 + up, end.1 - across),
        (start.0 + up, start.1 - across),
    ];
    let next = corners.iter().cycle().skip(1);
    let crossings = corners.iter().zip(next).filter_map(|(one, other)| crossing(*one, *other)).map(|(at, _)| at);
    let (left, right) =
        crossings.fold((f32::INFINITY, f32::NEG_INFINITY), |(left, right), at| (left.min(at), right.max(at)));
    (left < right).then_some((left, right))
}

/// Puts stretches in order and makes one of those that meet.
pub(super) fn unite(stretches: &mut Vec<Stretch>) {
    if stretches.len() < 2 {
        return;
    }
    stretches.sort_by(|one, other| one.0.total_cmp(&other.0));
    stretches.dedup_by(|next, last| {
        let meets = next.0 <= last.1 + NEAR as f32;
        if meets {
            last.1 = last.1.max(next.1);
        }
        meets
    });
}

/// What stretches that were united have in common with others.
pub(super) fn common(these: &[Stretch], those: &[Stretch]) -> Vec<Stretch> {
    let mut found = Vec::new();
    let (mut at, mut to) = (0, 0);
    while let (Some(one), Some(other)) = (these.get(at), those.get(to)) {
        let both = (one.0.max(other.0), one.1.min(other.1));
        if both.0 < both.1 {
            found.push(both);
        }
        if one.1 < other.1 { at += 1 } else { to += 1 }
    }
    found
}

/// How much of what lies between two places is covered by stretches that were united.
fn covered(stretches: &[Stretch], start: f32, end: f32) -> f32 {
    let first = stretches.partition_point(|stretch| stretch.1 <= start);
    let over = stretches.iter().skip(first).take_while(|stretch| stretch.0 < end);
    over.map(|stretch| stretch.1.min(end) - stretch.0.max(start)).sum()
}
