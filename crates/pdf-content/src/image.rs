//! Images (8.9) as covers: whether the complete box is painted, otherwise its painted parts.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use super::color::{Color, Space};
use super::geometry::Rectangle;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Maximum bytes of a mask that is evaluated; the effect of a larger one is unknown.
const MAX_MASK_BYTES: usize = 1 << 20;
/// Maximum rows of a mask that are evaluated, and maximum boxes it is converted to.
const MAX_MASK_ROWS: usize = 1_024;
const MAX_MASK_BOXES: usize = 2_048;
/// Minimum opacity of a mask that hides the backdrop.
const HIDING_MIN_OPACITY: f64 = 0.9;
/// Maximum opacity that leaves the backdrop readable.
const FAINT_MAX_OPACITY: f64 = 0.6;

/// Color spaces without parameters (8.6.3), including abbreviations of inline images.
const SIMPLE_SPACES: [&[u8]; 10] =
    [b"DeviceGray", b"DeviceRGB", b"DeviceCMYK", b"CalGray", b"CalRGB", b"CalCMYK", b"G", b"RGB", b"CMYK", b"I"];

/// An image.
#[derive(Debug)]
pub(super) struct Image {
    /// Whether it is a stencil mask (8.9.6.2).
    pub(super) is_stencil: bool,
    pub(super) mask: Mask,
    /// Where a gray image is (nearly) white.
    pub(super) light: Mask,
    /// Its samples, unless compressed as photographs are.
    plain: Option<PlainSamples>,
    /// Its optional content; null if none.
    pub(super) layer: Object,
}

/// Samples of 8 bits, or of 1 bit in black and white.
#[derive(Debug)]
struct PlainSamples {
    reference: Object,
    /// Its color space, resolved for few images only.
    space: Object,
    /// Width and height.
    size: [usize; 2],
    is_bitmap: bool,
    color: OnceCell<Color>,
}

/// The painted part of an image.
#[derive(Debug)]
pub(super) enum Mask {
    /// All of it.
    None,
    /// Unknown.
    Unknown,
    Samples(Box<Samples>),
}

/// A mask of samples.
#[derive(Debug)]
pub(super) struct Samples {
    width: usize,
    height: usize,
    /// Bits per sample: 1, 2, 4, 8 or 16.
    bits: usize,
    /// Opacity of the minimum and the maximum sample, from 0 to 1.
    opaque: [f64; 2],
    data: ImageData,
    boxes: OnceCell<Option<Rc<Vec<Rectangle>>>>,
    /// Whether the whole image is so faint that the backdrop stays readable.
    faint: Cell<bool>,
}

#[derive(Debug)]
enum ImageData {
    /// Reference to their stream.
    Stream(Object),
    Here(Vec<u8>),
}

impl Image {
    /// Reads an image from its dictionary and reference.
    pub(super) fn read(view: &mut View, dictionary: &Dictionary, reference: &Object) -> Result<Self, Fault> {
        let layer = dictionary.get(b"OC").clone();
        let is_stencil = dictionary.get(b"ImageMask").as_bool() == Some(true);
        let soft = dictionary.get(b"SMask");
        let hard = dictionary.get(b"Mask");
        let mask = if is_stencil {
            Mask::read(view, dictionary, reference, true)?
        } else if !soft.is_null() {
            Mask::of(view, soft, false)?
        } else if hard.as_reference().is_some() {
            Mask::of(view, hard, true)?
        } else if !hard.is_null() || dictionary.has(b"SMaskInData") {
            Mask::Unknown
        } else {
            Mask::None
        };
        let space = view.resolve(dictionary.get(b"ColorSpace"))?;
        let light =
            if space.is_name(b"DeviceGray") { Mask::read(view, dictionary, reference, false)? } else { Mask::Unknown };
        let mask = if has_samples(view, dictionary, &space)? { mask } else { Mask::Unknown };
        let plain = PlainSamples::read(view, dictionary, reference)?;
        Ok(Self { is_stencil, mask, light, plain, layer })
    }

    /// Returns an inline image (8.9.7), with its samples if not encoded.
    pub(super) fn inline(is_stencil: bool, size: [usize; 2], is_inverted: bool, data: Option<&[u8]>) -> Self {
        let [width, height] = size;
        let data =
            data.map(|data| ImageData::Here(data.get(..MAX_MASK_BYTES.min(data.len())).unwrap_or_default().to_vec()));
        let mask = match data {
            _ if width == 0 || height == 0 => Mask::Unknown,
            _ if !is_stencil => Mask::None,
            Some(data) => Mask::samples(width, height, 1, if is_inverted { [0.0, 1.0] } else { [1.0, 0.0] }, data),
            None => Mask::Unknown,
        };
        Self { is_stencil, mask, light: Mask::Unknown, plain: None, layer: Object::Null }
    }
}

impl PlainSamples {
    fn read(view: &mut View, dictionary: &Dictionary, reference: &Object) -> Result<Option<Self>, Fault> {
        let mut number = |key: &[u8]| -> Result<usize, Fault> {
            Ok(view.number(dictionary.get(key))?.map_or(0, |number| number.max(0.0) as usize))
        };
        let (width, height, bits) = (number(b"Width")?, number(b"Height")?, number(b"BitsPerComponent")?);
        let space = dictionary.get(b"ColorSpace").clone();
        if reference.as_reference().is_none() || space.is_null() || dictionary.has(b"Decode") || !matches!(bits, 1 | 8)
        {
            return Ok(None);
        }
        let size = [width, height];
        let is_small = width.saturating_mul(height) <= MAX_MASK_BYTES;
        let (reference, is_bitmap) = (reference.clone(), bits == 1);
        Ok(is_small.then(|| Self { reference, space, size, is_bitmap, color: OnceCell::new() }))
    }

    /// Returns the color of all samples; none if there are several.
    fn color(&self, view: &mut View) -> Result<Color, Fault> {
        if let Some(color) = self.color.get() {
            return Ok(*color);
        }
        let color = self.read_color(view)?;
        Ok(*self.color.get_or_init(|| color))
    }

    fn read_color(&self, view: &mut View) -> Result<Color, Fault> {
        let space = Space::read(view, &self.space)?;
        let Some(components) = space.components().filter(|components| !self.is_bitmap || *components == 1) else {
            return Ok(None);
        };
        let [width, height] = self.size;
        let bits = if self.is_bitmap { 1 } else { 8 };
        let size = width.saturating_mul(components).saturating_mul(bits).div_ceil(8).saturating_mul(height);
        if size == 0 || size > MAX_MASK_BYTES {
            return Ok(None);
        }
        let stream = view.stream(&self.reference, size)?;
        let data = stream.map(|stream| stream.content).filter(|data| data.len() >= size).unwrap_or_default();
        let first = data.get(..components).unwrap_or_default();
        let is_same = !data.is_empty() && data.chunks_exact(components).all(|sample| sample == first);
        let color = match first {
            [0xff] if self.is_bitmap => space.color(&[1.0]),
            [0] if self.is_bitmap => space.color(&[0.0]),
            _ if self.is_bitmap => None,
            [index] if matches!(space, Space::Indexed(_)) => space.color(&[f64::from(*index)]),
            first => space.color(&first.iter().map(|part| f64::from(*part) / 255.0).collect::<Vec<_>>()),
        };
        Ok(color.filter(|_| is_same))
    }
}

impl Image {
    /// Returns its color, if uniform.
    pub(super) fn color(&self, view: &mut View) -> Result<Color, Fault> {
        self.plain.as_ref().map_or(Ok(None), |plain| plain.color(view))
    }

    /// Whether the whole image is so faint that the backdrop stays readable.
    pub(super) fn is_faint(&self, view: &mut View) -> Result<bool, Fault> {
        let Mask::Samples(samples) = &self.mask else { return Ok(false) };
        self.mask.painted(view)?;
        Ok(samples.faint.get())
    }
}

/// Whether the image dictionary has the entries required for painting (table 89): size, bits and color space.
fn has_samples(view: &mut View, dictionary: &Dictionary, space: &Object) -> Result<bool, Fault> {
    let size = [view.number(dictionary.get(b"Width"))?, view.number(dictionary.get(b"Height"))?];
    let bits = view.integer(dictionary.get(b"BitsPerComponent"))?;
    let is_space = space.as_name().is_none_or(|name| SIMPLE_SPACES.contains(&name));
    Ok(size.iter().all(|side| side.is_some_and(|side| side >= 1.0))
        && bits.is_none_or(|bits| matches!(bits, 1 | 2 | 4 | 8 | 16))
        && is_space)
}

impl Mask {
    /// Reads a referenced mask; none if it is not a stream.
    fn of(view: &mut View, reference: &Object, is_hard: bool) -> Result<Self, Fault> {
        let Some(body) = view.body(reference)? else { return Ok(Self::Unknown) };
        match body.dictionary() {
            Some(dictionary) => Self::read(view, dictionary, reference, is_hard),
            // color key masking
            None => Ok(Self::Unknown),
        }
    }

    fn read(view: &mut View, dictionary: &Dictionary, reference: &Object, is_hard: bool) -> Result<Self, Fault> {
        let mut number = |key: &[u8]| -> Result<usize, Fault> {
            Ok(view.number(dictionary.get(key))?.map_or(0, |number| number as usize))
        };
        let (width, height) = (number(b"Width")?, number(b"Height")?);
        let bits = if is_hard { 1 } else { number(b"BitsPerComponent")? };
        let decode = view.array(dictionary.get(b"Decode"), 2)?;
        let decoded = match decode.elements() {
            [least, most] => [least.as_number().unwrap_or(0.0), most.as_number().unwrap_or(1.0)],
            _ => [0.0, 1.0],
        };
        // an explicit mask hides samples of 1 (8.9.6.2)
        let opaque = if is_hard { decoded.map(|part| 1.0 - part) } else { decoded };
        Ok(Self::samples(width, height, bits, opaque, ImageData::Stream(reference.clone())))
    }

    fn samples(width: usize, height: usize, bits: usize, opaque: [f64; 2], data: ImageData) -> Self {
        let size = width.saturating_mul(bits).div_ceil(8).saturating_mul(height);
        if size == 0 || size > MAX_MASK_BYTES || !matches!(bits, 1 | 2 | 4 | 8 | 16) {
            return Self::Unknown;
        }
        Self::Samples(Box::new(Samples {
            width,
            height,
            bits,
            opaque,
            data,
            boxes: OnceCell::new(),
            faint: Cell::new(false),
        }))
    }

    /// Returns the painted parts of the unit square; none if unknown.
    pub(super) fn painted(&self, view: &mut View) -> Result<Option<Rc<Vec<Rectangle>>>, Fault> {
        let Self::Samples(samples) = self else { return Ok(None) };
        if let Some(known) = samples.boxes.get() {
            return Ok(known.clone());
        }
        let boxes = match &samples.data {
            ImageData::Here(data) => samples.painted(data),
            ImageData::Stream(reference) => {
                let stream = view.stream(reference, samples.line() * samples.height)?;
                stream.and_then(|stream| samples.painted(&stream.content))
            }
        };
        Ok(samples.boxes.get_or_init(|| boxes.map(Rc::new)).clone())
    }
}

impl Samples {
    /// Bytes per row.
    fn line(&self) -> usize {
        (self.width * self.bits).div_ceil(8)
    }

    fn painted(&self, data: &[u8]) -> Option<Vec<Rectangle>> {
        let lines = self.height.min(MAX_MASK_ROWS);
        let mut most = 0.0_f64;
        let mut boxes: Vec<Rectangle> = Vec::new();
        // boxes of the previous row, extended where the next row has the same
        let mut open = 0;
        for line in 0..lines {
            let first = boxes.len();
            let row = (2 * line + 1) * self.height / (2 * lines);
            let row = data.get(row * self.line()..(row + 1) * self.line())?;
            let top = 1.0 - line as f64 / lines as f64;
            let bottom = 1.0 - (line + 1) as f64 / lines as f64;
            let mut start = None;
            for at in 0..=self.width {
                let opaque = if at < self.width { self.opaque_at(row, at) } else { 0.0 };
                most = most.max(opaque);
                let is_painted = at < self.width && opaque >= HIDING_MIN_OPACITY;
                match (start, is_painted) {
                    (None, true) => start = Some(at),
                    (Some(from), false) => {
                        let [left, right] = [from, at].map(|at| at as f64 / self.width as f64);
                        boxes.push(Rectangle { left, bottom, right, top });
                        start = None;
                    }
                    _ => {}
                }
            }
            let (before, own) = boxes.split_at_mut(first);
            let above = before.get_mut(open..).unwrap_or_default();
            let is_same = |(one, other): (&Rectangle, &Rectangle)| one.left == other.left && one.right == other.right;
            if own.len() == above.len() && above.iter().zip(own.iter()).all(is_same) {
                above.iter_mut().for_each(|one| one.bottom = bottom);
                boxes.truncate(first);
            } else {
                open = first;
            }
            if boxes.len() > MAX_MASK_BOXES {
                return None;
            }
        }
        self.faint.set(most <= FAINT_MAX_OPACITY);
        Some(boxes)
    }

    /// Returns the opacity of a sample, from 0 to 1.
    fn opaque_at(&self, row: &[u8], at: usize) -> f64 {
        // the high byte is precise enough
        let (bit, bits) = (at * self.bits, self.bits.min(8));
        let most = (1_u32 << bits) - 1;
        let byte = u32::from(row.get(bit / 8).copied().unwrap_or(0));
        let sample = byte >> (8 - bits - bit % 8) & most;
        let part = f64::from(sample) / f64::from(most);
        let [least, most] = self.opaque;
        least + part * (most - least)
    }
}
