//! Colors (8.6) without color management: approximately sRGB.

use std::rc::Rc;

use super::geometry::nearest;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Red, green and blue, 0 to 255; none for patterns and colors that need a profile or a function.
pub(super) type Color = Option<[u8; 3]>;

/// Returns the sum of the components of a color, of 765: its lightness.
pub fn component_sum(color: [u8; 3]) -> u32 {
    color.iter().map(|part| u32::from(*part)).sum()
}

pub(super) const BLACK: Color = Some([0; 3]);

/// Maximum nesting of color spaces.
const MAX_SPACE_DEPTH: usize = 4;
/// Maximum components of a color.
pub(super) const MAX_COMPONENTS: usize = 32;

/// Default color spaces for DeviceGray, DeviceRGB and DeviceCMYK (8.6.5.6).
#[derive(Debug, Default)]
pub(super) struct DeviceSpaces(pub(super) [Option<Rc<Space>>; 3]);

/// A color space.
#[derive(Debug, Clone)]
pub(super) enum Space {
    Gray,
    Rgb,
    Cmyk,
    /// CIE-based L*a*b* (8.6.5.4), assuming the white point of paper.
    Lab,
    Indexed(Vec<Color>),
    /// Separation with an exponential function (type 2) between the colors of no and full tint (8.6.6.4).
    Tint {
        space: Box<Space>,
        none: Vec<f64>,
        all: Vec<f64>,
        exponent: f64,
    },
    Pattern,
    /// Separation with the colorant None, which is never painted (8.6.6.4).
    Nothing,
    Unknown,
}

impl Space {
    /// Reads a color space that needs no resources.
    pub(super) fn read(view: &mut View, object: &Object) -> Result<Self, Fault> {
        Self::nested(view, object, MAX_SPACE_DEPTH)
    }

    fn nested(view: &mut View, object: &Object, depth: usize) -> Result<Self, Fault> {
        let Some(depth) = depth.checked_sub(1) else { return Ok(Self::Unknown) };
        let object = view.resolve(object)?;
        if let Some(name) = object.as_name() {
            return Ok(Self::named(name));
        }
        let [family, rest @ ..] = object.elements() else { return Ok(Self::Unknown) };
        let family = view.resolve(family)?;
        Ok(match (family.as_name().unwrap_or_default(), rest) {
            (b"ICCBased", [profile, ..]) => {
                let profile = view.body(profile)?;
                let profile = profile.as_ref().and_then(|body| body.dictionary()).unwrap_or(Dictionary::empty());
                let range = view.resolve(profile.get(b"Range"))?;
                let is_lab = range.elements().get(1).and_then(Object::as_number) == Some(100.0);
                match profile.get(b"N").as_integer() {
                    Some(3) if is_lab => Self::Lab,
                    Some(1) => Self::Gray,
                    Some(3) => Self::Rgb,
                    Some(4) => Self::Cmyk,
                    _ => Self::Unknown,
                }
            }
            (b"CalGray", _) => Self::Gray,
            (b"CalRGB", _) => Self::Rgb,
            (b"Lab", _) => Self::Lab,
            (b"Indexed" | b"I", [base, _, table, ..]) => {
                let base = Self::nested(view, base, depth)?;
                Self::indexed(&base, &Self::table(view, table)?)
            }
            (b"Separation", [colorant, ..]) if view.resolve(colorant)?.is_name(b"None") => Self::Nothing,
            (b"Separation", [_, space, function, ..]) => {
                let space = Self::nested(view, space, depth)?;
                Self::tint(view, space, function)?
            }
            (name, _) => Self::named(name),
        })
    }

    /// The space of a name that needs no parameters, also in its short form for inline images.
    fn named(name: &[u8]) -> Self {
        match name {
            b"DeviceGray" | b"G" => Self::Gray,
            b"DeviceRGB" | b"RGB" => Self::Rgb,
            b"DeviceCMYK" | b"CMYK" => Self::Cmyk,
            b"Pattern" => Self::Pattern,
            _ => Self::Unknown,
        }
    }

    fn table(view: &mut View, table: &Object) -> Result<Vec<u8>, Fault> {
        const MAX_TABLE_BYTES: usize = 256 * 4;
        if let Some(stream) = view.stream(table, MAX_TABLE_BYTES)? {
            return Ok(stream.content);
        }
        Ok(view.resolve(table)?.as_string().unwrap_or_default().iter().copied().take(MAX_TABLE_BYTES).collect())
    }

    fn indexed(base: &Self, table: &[u8]) -> Self {
        let components = match base {
            Self::Gray => 1,
            Self::Rgb => 3,
            Self::Cmyk => 4,
            _ => return Self::Unknown,
        };
        let color = |entry: &[u8]| base.color(&entry.iter().map(|byte| f64::from(*byte) / 255.0).collect::<Vec<_>>());
        Self::Indexed(table.chunks_exact(components).map(color).collect())
    }

    fn tint(view: &mut View, space: Self, function: &Object) -> Result<Self, Fault> {
        let function = view.dictionary(function)?;
        if function.get(b"FunctionType").as_integer() != Some(2) {
            return Ok(Self::Unknown);
        }
        let mut numbers = |key: &[u8], default: f64| -> Result<Vec<f64>, Fault> {
            let array = view.resolve(function.get(key))?;
            let numbers: Vec<f64> =
                array.elements().iter().filter_map(Object::as_number).take(MAX_COMPONENTS).collect();
            Ok(if numbers.is_empty() { vec![default] } else { numbers })
        };
        let (none, all) = (numbers(b"C0", 0.0)?, numbers(b"C1", 1.0)?);
        let exponent = function.get(b"N").as_number().unwrap_or(1.0);
        Ok(Self::Tint { space: Box::new(space), none, all, exponent })
    }

    /// Returns the number of components; none if unknown.
    pub(super) fn components(&self) -> Option<usize> {
        match self {
            Self::Gray | Self::Indexed(_) | Self::Tint { .. } => Some(1),
            Self::Rgb => Some(3),
            Self::Cmyk => Some(4),
            Self::Lab | Self::Pattern | Self::Nothing | Self::Unknown => None,
        }
    }

    /// Returns the initial color (8.6.5.1 and others), if known.
    pub(super) fn initial(&self) -> Color {
        match self {
            Self::Gray | Self::Rgb | Self::Cmyk | Self::Lab => BLACK,
            Self::Indexed(colors) => colors.first().copied().flatten(),
            Self::Tint { .. } => self.color(&[1.0]),
            Self::Pattern | Self::Nothing | Self::Unknown => None,
        }
    }

    /// Returns the color of these components.
    pub(super) fn color(&self, components: &[f64]) -> Color {
        let byte = |part: f64| nearest(part.clamp(0.0, 1.0) * 255.0) as u8;
        match (self, components) {
            (Self::Gray, [gray]) => Some([byte(*gray); 3]),
            (Self::Rgb, [red, green, blue]) => Some([byte(*red), byte(*green), byte(*blue)]),
            (Self::Cmyk, [cyan, magenta, yellow, black]) => Some(
                [cyan, magenta, yellow].map(|ink| byte((1.0 - ink.clamp(0.0, 1.0)) * (1.0 - black.clamp(0.0, 1.0)))),
            ),
            (Self::Lab, [lightness, a, b]) => Some(lab(*lightness, *a, *b)),
            (Self::Indexed(colors), [index]) => colors.get(*index as usize).copied().flatten(),
            (Self::Tint { space, none, all, exponent }, [tint]) => {
                let part = tint.clamp(0.0, 1.0).powf(*exponent);
                let mixed: Vec<f64> = none.iter().zip(all).map(|(none, all)| none + part * (all - none)).collect();
                space.color(&mixed)
            }
            _ => None,
        }
    }
}

/// Converts L*a*b* to sRGB.
fn lab(lightness: f64, a: f64, b: f64) -> [u8; 3] {
    let middle = (lightness + 16.0) / 116.0;
    let part = |part: f64| if part > 6.0 / 29.0 { part.powi(3) } else { (part - 4.0 / 29.0) * 108.0 / 841.0 };
    // relative to the white point
    let (x, y, z) = (0.9505 * part(middle + a / 500.0), part(middle), 1.089 * part(middle - b / 200.0));
    let linear = [
        3.2406 * x - 1.5372 * y - 0.4986 * z,
        -0.9689 * x + 1.8758 * y + 0.0415 * z,
        0.0557 * x - 0.2040 * y + 1.0570 * z,
    ];
    let screen = |part: f64| if part > 0.003_130_8 { 1.055 * part.powf(1.0 / 2.4) - 0.055 } else { 12.92 * part };
    linear.map(|part| nearest(screen(part.clamp(0.0, 1.0)) * 255.0) as u8)
}

#[cfg(test)]
mod tests {
    use super::Space;

    #[test]
    fn colors_match_those_of_a_screen() {
        let tint = Space::Tint {
            space: Box::new(Space::Cmyk),
            none: vec![0.0; 4],
            all: vec![0.0, 1.0, 1.0, 0.0],
            exponent: 1.0,
        };
        for (space, components, color) in [
            (&Space::Gray, &[1.0][..], Some([255, 255, 255])),
            (&Space::Rgb, &[1.0, 0.5, 0.0], Some([255, 128, 0])),
            (&Space::Rgb, &[7.0, -1.0, f64::NAN], Some([255, 0, 0])),
            (&Space::Cmyk, &[0.0, 0.0, 0.0, 1.0], Some([0, 0, 0])),
            (&tint, &[1.0], Some([255, 0, 0])),
            (&tint, &[0.0], Some([255, 255, 255])),
            (&Space::indexed(&Space::Rgb, &[0, 0, 0, 255, 255, 255]), &[1.0], Some([255, 255, 255])),
            (&Space::indexed(&Space::Rgb, &[0, 0, 0]), &[9.0], None),
            (&Space::Gray, &[1.0, 1.0], None),
            (&Space::Lab, &[100.0, 0.0, 0.0], Some([255, 255, 255])),
            (&Space::Lab, &[0.0, 0.0, 0.0], Some([0, 0, 0])),
            (&Space::Lab, &[53.2, 80.1, 67.2], Some([255, 0, 0])),
            (&Space::Unknown, &[1.0], None),
        ] {
            assert_eq!(space.color(components), color, "{space:?} {components:?}");
        }
    }
}
