//! Images (8.9), as far as it matters what they hide: whether all of their box is painted, and if not, which parts of it.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use super::color::{Color, Space};
use super::geometry::Rectangle;
use crate::document::view::View;
use crate::failure::Fault;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;

/// Bytes of a mask that are looked at; of a larger one it is not known what it leaves out.
const MASK: usize = 1 << 20;
/// Lines of a mask that are looked at, each for those around it; and boxes that it may be made of.
const LINES: usize = 1_024;
const BOXES: usize = 2_048;
/// The part of the whole from which on a mask lets nothing beneath shine through.
const OPAQUE: f64 = 0.9;
/// The part up to which one lets all beneath be seen.
const FAINT: f64 = 0.6;

/// Colour spaces that are named (8.6.3), also as in inline images.
const SPACES: [&[u8]; 10] =
    [b"DeviceGray", b"DeviceRGB", b"DeviceCMYK", b"CalGray", b"CalRGB", b"CalCMYK", b"G", b"RGB", b"CMYK", b"I"];

/// An image.
#[derive(Debug)]
pub(super) struct Image {
    /// Whether colour is painted through it, instead of colours of its own (8.9.6.2).
    pub(super) is_stencil: bool,
    pub(super) mask: Mask,
    /// Where it is (nearly) white, if it is gray.
    pub(super) light: Mask,
    /// Its samples, if they are not compressed as those of a photograph are.
    plain: Option<PlainSamples>,
    /// The optional content that it belongs to; null if none.
    pub(super) layer: Object,
}

/// Samples of 8 bits, or of 1 that are black and white.
#[derive(Debug)]
struct PlainSamples {
    reference: Object,
    /// What its color space is or refers to, which few images are asked for.
    space: Object,
    /// How many there are across and down.
    size: [usize; 2],
    is_bitmap: bool,
    color: OnceCell<Color>,
}

/// What of an image is painted.
#[derive(Debug)]
pub(super) enum Mask {
    /// All of it.
    None,
    /// That cannot be told.
    Unknown,
    Samples(Box<Samples>),
}

/// A mask with a sample for each of its points.
#[derive(Debug)]
pub(super) struct Samples {
    width: usize,
    height: usize,
    /// Bits of a sample: 1, 2, 4, 8 or 16.
    bits: usize,
    /// How opaque is what is 0, and what is the most, from 0 to 1.
    opaque: [f64; 2],
    data: ImageData,
    boxes: OnceCell<Option<Rc<Vec<Rectangle>>>>,
    /// Whether all of it is so faint that what lies beneath can be seen.
    faint: Cell<bool>,
}

#[derive(Debug)]
enum ImageData {
    /// What refers to the stream that has them.
    Stream(Object),
    Here(Vec<u8>),
}

impl Image {
    /// The image with this dictionary, which this refers to.
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

    /// One that stands in the content (8.9.7), whose samples are these if they are not encoded.
    pub(super) fn inline(is_stencil: bool, size: [usize; 2], is_inverted: bool, data: Option<&[u8]>) -> Self {
        let [width, height] = size;
        let data = data.map(|data| ImageData::Here(data.get(..MASK.min(data.len())).unwrap_or_default().to_vec()));
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
        let is_small = width.saturating_mul(height) <= MASK;
        let (reference, is_bitmap) = (reference.clone(), bits == 1);
        Ok(is_small.then(|| Self { reference, space, size, is_bitmap, color: OnceCell::new() }))
    }

    /// The color that all of them have; none if there are several.
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
        if size == 0 || size > MASK {
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
    /// Its color, if it has only one.
    pub(super) fn color(&self, view: &mut View) -> Result<Color, Fault> {
        self.plain.as_ref().map_or(Ok(None), |plain| plain.color(view))
    }

    /// Whether all of it is so faint that what lies beneath can be seen.
    pub(super) fn is_faint(&self, view: &mut View) -> Result<bool, Fault> {
        let Mask::Samples(samples) = &self.mask else { return Ok(false) };
        self.mask.painted(view)?;
        Ok(samples.faint.get())
    }
}

/// Whether an image says of its samples what it takes to draw them (table 89): how many there are, of how many bits, in which
/// colours.
fn has_samples(view: &mut View, dictionary: &Dictionary, space: &Object) -> Result<bool, Fault> {
    let size = [view.number(dictionary.get(b"Width"))?, view.number(dictionary.get(b"Height"))?];
    let bits = view.integer(dictionary.get(b"BitsPerComponent"))?;
    let is_space = space.as_name().is_none_or(|name| SPACES.contains(&name));
    Ok(size.iter().all(|side| side.is_some_and(|side| side >= 1.0))
        && bits.is_none_or(|bits| matches!(bits, 1 | 2 | 4 | 8 | 16))
        && is_space)
}

impl Mask {
    /// The mask that is referred to; none of what is no stream.
    fn of(view: &mut View, reference: &Object, is_hard: bool) -> Result<Self, Fault> {
        let Some(body) = view.body(reference)? else { return Ok(Self::Unknown) };
        match body.dictionary() {
            Some(dictionary) => Self::read(view, dictionary, reference, is_hard),
            // a list of colours that are left out
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
        // a hard mask leaves out what is 1 (8.9.6.2)
        let opaque = if is_hard { decoded.map(|part| 1.0 - part) } else { decoded };
        Ok(Self::samples(width, height, bits, opaque, ImageData::Stream(reference.clone())))
    }

    fn samples(width: usize, height: usize, bits: usize, opaque: [f64; 2], data: ImageData) -> Self {
        let size = width.saturating_mul(bits).div_ceil(8).saturating_mul(height);
        if size == 0 || size > MASK || !matches!(bits, 1 | 2 | 4 | 8 | 16) {
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

    /// The parts that are painted of a box of size 1; none if that cannot be told.
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
    /// Bytes of a line.
    fn line(&self) -> usize {
        (self.width * self.bits).div_ceil(8)
    }

    fn painted(&self, data: &[u8]) -> Option<Vec<Rectangle>> {
        let lines = self.height.min(LINES);
        let mut most = 0.0_f64;
        let mut boxes: Vec<Rectangle> = Vec::new();
        // the boxes of the line before, which go on where those of the next one are the same
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
                let is_painted = at < self.width && opaque >= OPAQUE;
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
            if boxes.len() > BOXES {
                return None;
            }
        }
        self.faint.set(most <= FAINT);
        Some(boxes)
    }

    /// How opaque a sample is, from 0 to 1.
    fn opaque_at(&self, row: &[u8], at: usize) -> f64 {
        // of two bytes the first one says enough
        let (bit, bits) = (at * self.bits, self.bits.min(8));
        let most = (1_u32 << bits) - 1;
        let byte = u32::from(row.get(bit / 8).copied().unwrap_or(0));
        let sample = byte >> (8 - bits - bit % 8) & most;
        let part = f64::from(sample) / f64::from(most);
        let [least, most] = self.opaque;
        least + part * (most - least)
    }
}
