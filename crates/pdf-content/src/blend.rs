//! Blend modes (11.3.5).

/// Minimum component of a visually white color, and maximum component of a visually black one.
const WHITE_MIN_COMPONENT: u8 = 235;
const BLACK_MAX_COMPONENT: u8 = 40;

/// Red, green and blue, from 0 to 1.
pub(crate) type Parts = [f32; 3];

/// A blend mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Blend {
    Normal,
    Multiply,
    Screen,
    Overlay,
    Darken,
    Lighten,
    ColorDodge,
    ColorBurn,
    HardLight,
    SoftLight,
    Difference,
    Exclusion,
    Hue,
    Saturation,
    Color,
    Luminosity,
    /// Nested modes.
    Nested,
}

impl Blend {
    /// Returns the blend mode of a name; none if there is no such mode.
    pub(super) fn named(mode: &[u8]) -> Option<Self> {
        Some(match mode {
            b"Normal" | b"Compatible" => Self::Normal,
            b"Multiply" => Self::Multiply,
            b"Screen" => Self::Screen,
            b"Overlay" => Self::Overlay,
            b"Darken" => Self::Darken,
            b"Lighten" => Self::Lighten,
            b"ColorDodge" => Self::ColorDodge,
            b"ColorBurn" => Self::ColorBurn,
            b"HardLight" => Self::HardLight,
            b"SoftLight" => Self::SoftLight,
            b"Difference" => Self::Difference,
            b"Exclusion" => Self::Exclusion,
            b"Hue" => Self::Hue,
            b"Saturation" => Self::Saturation,
            b"Color" => Self::Color,
            b"Luminosity" => Self::Luminosity,
            _ => return None,
        })
    }

    /// Whether colors that it blends differ no more than they did.
    pub(super) fn keeps_contrast(self) -> bool {
        matches!(self, Self::Normal | Self::Multiply | Self::Screen | Self::Darken | Self::Lighten)
    }

    /// Combines a mode with the enclosing group's.
    pub(super) fn within(self, group: Self) -> Self {
        match (self, group) {
            (mode, Self::Normal) | (Self::Normal, mode) => mode,
            (mode, other) if mode == other => mode,
            _ => Self::Nested,
        }
    }

    /// Whether this color hides any backdrop.
    pub(super) fn hides(self, color: Option<[u8; 3]>) -> bool {
        let is_all = |is: fn(&u8) -> bool| color.is_some_and(|color| color.iter().all(is));
        let (is_white, is_black) =
            (is_all(|part| *part >= WHITE_MIN_COMPONENT), is_all(|part| *part <= BLACK_MAX_COMPONENT));
        match self {
            Self::Normal => true,
            Self::Multiply | Self::Darken | Self::ColorBurn => is_black,
            Self::Screen | Self::Lighten | Self::ColorDodge => is_white,
            Self::HardLight | Self::Luminosity => is_white || is_black,
            _ => false,
        }
    }

    /// Composites a source of this alpha over an opaque backdrop (11.3.6); none if the mode is unknown.
    pub(crate) fn composite(self, backdrop: Parts, source: Parts, alpha: f32) -> Option<Parts> {
        let blended = self.blended(backdrop, source)?;
        let mut color = [0.0; 3];
        for ((part, backdrop), blended) in color.iter_mut().zip(backdrop).zip(blended) {
            *part = (1.0 - alpha) * backdrop + alpha * blended;
        }
        Some(color)
    }

    /// B(backdrop, source) of 11.3.5.
    fn blended(self, backdrop: Parts, source: Parts) -> Option<Parts> {
        let [r, g, b] = backdrop;
        let [sr, sg, sb] = source;
        let each = |blend: fn(f32, f32) -> f32| Some([blend(r, sr), blend(g, sg), blend(b, sb)]);
        match self {
            Self::Normal => Some(source),
            Self::Multiply => each(|b, s| b * s),
            Self::Screen => each(screen),
            Self::Overlay => each(|b, s| hard_light(s, b)),
            Self::Darken => each(f32::min),
            Self::Lighten => each(f32::max),
            Self::ColorDodge => each(|b, s| match b {
                _ if b <= 0.0 => 0.0,
                _ if b >= 1.0 - s => 1.0,
                _ => b / (1.0 - s),
            }),
            Self::ColorBurn => each(|b, s| match b {
                _ if b >= 1.0 => 1.0,
                _ if 1.0 - b >= s => 0.0,
                _ => 1.0 - (1.0 - b) / s,
            }),
            Self::HardLight => each(hard_light),
            Self::SoftLight => each(soft_light),
            Self::Difference => each(|b, s| (b - s).abs()),
            Self::Exclusion => each(|b, s| b + s - 2.0 * b * s),
            Self::Hue => Some(with_luminosity(with_saturation(source, saturation(backdrop)), luminosity(backdrop))),
            Self::Saturation => {
                Some(with_luminosity(with_saturation(backdrop, saturation(source)), luminosity(backdrop)))
            }
            Self::Color => Some(with_luminosity(source, luminosity(backdrop))),
            Self::Luminosity => Some(with_luminosity(backdrop, luminosity(source))),
            Self::Nested => None,
        }
    }
}

/// Scales components to 0 to 1.
pub(crate) fn parts(color: [u8; 3]) -> Parts {
    color.map(|part| f32::from(part) / 255.0)
}

/// Returns the contrast of two colors, from 0 to 1.
pub(crate) fn contrast(one: Parts, other: Parts) -> f32 {
    one.iter().zip(other).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max)
}

fn screen(b: f32, s: f32) -> f32 {
    b + s - b * s
}

fn hard_light(b: f32, s: f32) -> f32 {
    if s <= 0.5 { b * 2.0 * s } else { screen(b, 2.0 * s - 1.0) }
}

fn soft_light(b: f32, s: f32) -> f32 {
    if s <= 0.5 {
        return b - (1.0 - 2.0 * s) * b * (1.0 - b);
    }
    let d = if b <= 0.25 { ((16.0 * b - 12.0) * b + 4.0) * b } else { b.sqrt() };
    b + (2.0 * s - 1.0) * (d - b)
}

/// `Lum` of 11.3.5.3.
fn luminosity([red, green, blue]: Parts) -> f32 {
    0.3 * red + 0.59 * green + 0.11 * blue
}

/// `SetLum`, with `ClipColor`.
fn with_luminosity(color: Parts, wanted: f32) -> Parts {
    let by = wanted - luminosity(color);
    let moved = color.map(|part| part + by);
    let light = luminosity(moved);
    let (least, most) = (moved.into_iter().fold(f32::MAX, f32::min), moved.into_iter().fold(f32::MIN, f32::max));
    moved.map(|part| match part {
        _ if least < 0.0 => light + (part - light) * light / (light - least),
        _ if most > 1.0 => light + (part - light) * (1.0 - light) / (most - light),
        _ => part,
    })
}

/// `Sat`.
fn saturation(color: Parts) -> f32 {
    color.into_iter().fold(f32::MIN, f32::max) - color.into_iter().fold(f32::MAX, f32::min)
}

/// `SetSat`.
fn with_saturation(color: Parts, wanted: f32) -> Parts {
    let least = color.into_iter().fold(f32::MAX, f32::min);
    let range = saturation(color);
    color.map(|part| if range > 0.0 { (part - least) * wanted / range } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::{Blend, contrast};

    #[test]
    fn modes_mix_as_the_standard_says() {
        let (black, white, gray, red) = ([0.0; 3], [1.0; 3], [0.5; 3], [1.0, 0.0, 0.0]);
        for (mode, backdrop, source, expected) in [
            (Blend::Normal, black, red, red),
            (Blend::Multiply, white, red, red),
            (Blend::Multiply, black, red, black),
            (Blend::Screen, black, gray, gray),
            (Blend::Overlay, black, white, black),
            (Blend::Darken, gray, white, gray),
            (Blend::Lighten, gray, white, white),
            (Blend::ColorDodge, gray, gray, white),
            (Blend::ColorBurn, gray, gray, black),
            (Blend::HardLight, gray, white, white),
            (Blend::SoftLight, gray, gray, gray),
            (Blend::Difference, white, white, black),
            (Blend::Difference, black, white, white),
            (Blend::Exclusion, white, white, black),
            (Blend::Luminosity, red, white, white),
            (Blend::Color, white, red, white),
            (Blend::Saturation, red, gray, [0.3; 3]),
            (Blend::Hue, gray, red, gray),
        ] {
            let mixed = mode.composite(backdrop, source, 1.0).unwrap();
            assert!(contrast(mixed, expected) < 0.01, "{mode:?} {backdrop:?} {source:?}: {mixed:?}");
        }
        assert_eq!(Blend::Multiply.composite(white, black, 0.5), Some(gray));
        assert_eq!(Blend::Multiply.within(Blend::Screen).composite(white, black, 0.5), None);
    }
}
