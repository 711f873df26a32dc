//! Whether a text can be seen under transparent paint: what remains of its contrast to its background (11.3).

use super::area::{Area, Effect};
use super::blend::{Blend, Parts, contrast, parts};
use super::page_model::PageText;
use super::run::Run;
use super::visibility::Areas;

/// Remaining share of its contrast at which text is unreadable.
const HIDDEN_MAX_CONTRAST_PART: f32 = 0.101;
/// Imperceptible contrast, of 1.
pub(super) const IMPERCEPTIBLE_CONTRAST: f32 = 0.02;

/// The background of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Background {
    /// Nothing painted: paper, or transparent (11.4.7).
    Paper,
    Color([u8; 3]),
    /// Unknown, such as a picture.
    Unknown,
}

/// Whether a text can be seen under paint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum TextVisibility {
    Seen,
    Unknown,
    Hidden,
}

impl Areas<'_> {
    /// Returns the background of a run of a page: the last earlier area that is painted at its center.
    pub(crate) fn background(&self, page: &PageText, run: &Run) -> Background {
        let center = run.bounds.middle();
        let mut earlier = self.earlier(run.bounds, run.order).iter().rev();
        let Some(area) = earlier.find(|area| page.is_painted_at(area, center)) else { return Background::Paper };
        match area.color.filter(|_| area.is_solid) {
            Some(color) => Background::Color(color),
            None => Background::Unknown,
        }
    }
}

impl Background {
    /// Returns the possible background colors; none if unknown. Readers show bare paper as white or as transparent.
    fn possible_colors(self) -> &'static [Option<Parts>] {
        match self {
            Self::Paper => &[None, Some([1.0; 3])],
            _ => &[],
        }
    }
}

/// Returns whether text of a color on a background remains visible under layers, given in painting order.
pub(super) fn text_visibility(color: Option<[u8; 3]>, background: Background, layers: &[&Area]) -> TextVisibility {
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
        return TextVisibility::Unknown;
    }
    if !is_mixed {
        return if contrast_left <= HIDDEN_MAX_CONTRAST_PART { TextVisibility::Hidden } else { TextVisibility::Seen };
    }
    let Some(text) = color.map(parts) else { return TextVisibility::Unknown };
    let one = match background {
        Background::Color(color) => [Some(parts(color))],
        _ => [None],
    };
    let possible_colors =
        if matches!(background, Background::Color(_)) { &one[..] } else { background.possible_colors() };
    let hides = |initial: &Option<Parts>| {
        let (mut letter, mut backdrop) = (text, *initial);
        let before = contrast(letter, backdrop.unwrap_or([1.0; 3]));
        for area in layers {
            let (Effect::Mixed { blend, alpha, .. }, Some(source)) = (area.effect, area.color.map(parts)) else {
                continue;
            };
            letter = blend.composite(letter, source, alpha)?;
            // a transparent backdrop takes the source color; white paper is under it in the end
            backdrop = Some(match backdrop {
                Some(backdrop) => blend.composite(backdrop, source, alpha)?,
                None => Blend::Normal.composite([1.0; 3], source, alpha)?,
            });
        }
        Some(
            contrast(letter, backdrop.unwrap_or([1.0; 3]))
                <= (HIDDEN_MAX_CONTRAST_PART * before).max(IMPERCEPTIBLE_CONTRAST),
        )
    };
    let hidden: Vec<Option<bool>> = possible_colors.iter().map(hides).collect();
    match hidden.as_slice() {
        [] => TextVisibility::Unknown,
        all if all.iter().all(|hidden| *hidden == Some(true)) => TextVisibility::Hidden,
        all if all.iter().all(|hidden| *hidden == Some(false)) => TextVisibility::Seen,
        _ => TextVisibility::Unknown,
    }
}
