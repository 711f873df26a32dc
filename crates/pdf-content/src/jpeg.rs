//! JPEG images (7.4.8) that all decoders read alike: a single baseline scan that is complete, in gray or YCbCr.

use super::jpeg_scan::Tables;
use pdf_syntax::syntax::char_class::is_space;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

const START: [u8; 2] = [0xff, 0xd8];
const END: u8 = 0xd9;
/// Length of the frame header and the scan header without components (ITU-T T.81, B.2.2 and B.2.3).
const FRAME_BYTES: usize = 6;
const SCAN_BYTES: usize = 4;
/// Sampling factors of luma that all decoders know; the other components have 1 by 1.
const LUMA_FACTORS: [u8; 4] = [0x11, 0x21, 0x12, 0x22];
const FACTORS: u8 = 0x11;
/// Identifiers of YCbCr components: JFIF's, and those that start at 0.
const IDENTIFIERS: [[u8; 3]; 2] = [[1, 2, 3], [0, 1, 2]];

/// Decodes samples of 8 bits of an image with this width, height and number of components, 1 or 3; none if any decoder
/// may read it differently.
pub(super) fn decode(data: &[u8], size: [usize; 2], components: usize) -> Option<Vec<u8>> {
    let [width, height] = size;
    let space = match components {
        1 => ColorSpace::Luma,
        3 => ColorSpace::RGB,
        _ => return None,
    };
    if !is_plain(data, size, components)? {
        return None;
    }
    let options = DecoderOptions::default().set_strict_mode(true).set_use_unsafe(false);
    let options = options.set_max_width(width).set_max_height(height).jpeg_set_out_colorspace(space);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(data), options);
    let samples = decoder.decode().ok()?;
    (decoder.dimensions() == Some((width, height)) && samples.len() == width * height * components).then_some(samples)
}

/// Whether the data is one frame of one scan of all components, as the dictionary describes it, and nothing else.
fn is_plain(data: &[u8], size: [usize; 2], components: usize) -> Option<bool> {
    let mut rest = data.strip_prefix(&START)?;
    let mut frame: Option<&[u8]> = None;
    let mut tables = Tables::default();
    loop {
        let [0xff, marker, high, low, ..] = *rest else { return None };
        let length = usize::from(u16::from_be_bytes([high, low]));
        let segment = rest.get(4..length.checked_add(2)?)?;
        rest = rest.get(length + 2..)?;
        match marker {
            0xc0 | 0xc1 if frame.is_none() => frame = Some(segment),
            0xda => {
                let frame = frame?;
                let is_described = is_frame(frame, size, components)? && is_scan(segment, frame, components)?;
                let (units, blocks) = units(frame, segment, size)?;
                return Some(is_described && is_last_scan(rest)? && tables.is_complete(rest, units, &blocks)?);
            }
            // Adobe's color transform: none is RGB
            0xee if segment.starts_with(b"Adobe") && components == 3 && segment.get(11) != Some(&1) => return None,
            0xc4 => tables.read(segment)?,
            0xdd => tables.restart_interval = usize::from(u16::from_be_bytes(*segment.first_chunk()?)),
            // quantization tables, application data, comments
            0xdb | 0xe0..=0xef | 0xfe => {}
            _ => return None,
        }
    }
}

fn is_frame(frame: &[u8], [width, height]: [usize; 2], components: usize) -> Option<bool> {
    let [8, high, low, left, right, count, described @ ..] = frame else { return None };
    let lines = usize::from(u16::from_be_bytes([*high, *low]));
    let columns = usize::from(u16::from_be_bytes([*left, *right]));
    let (described, []) = described.as_chunks::<3>() else { return None };
    let ([_, luma, _], chroma) = described.split_first()?;
    let is_known = match chroma {
        [] => *luma == FACTORS,
        _ => {
            LUMA_FACTORS.contains(luma)
                && chroma.iter().all(|[_, factors, _]| *factors == FACTORS)
                && IDENTIFIERS.iter().any(|known| described.iter().map(|[identifier, ..]| identifier).eq(known))
        }
    };
    let is_counted = usize::from(*count) == components && described.len() == components;
    Some(is_known && is_counted && [columns, lines] == [width, height])
}

/// Whether a scan has all components of its frame in their order, with all coefficients.
fn is_scan(scan: &[u8], frame: &[u8], components: usize) -> Option<bool> {
    let (count, rest) = scan.split_first()?;
    let (selectors, end) = rest.split_at_checked(2 * components)?;
    let described = frame.get(FRAME_BYTES..)?.iter().step_by(3);
    let is_complete = scan.len() == SCAN_BYTES + 2 * components && usize::from(*count) == components;
    Some(is_complete && end == [0, 63, 0] && selectors.iter().step_by(2).eq(described))
}

/// The number of coded units of a frame, and the tables of each block of a unit.
fn units(frame: &[u8], scan: &[u8], [width, height]: [usize; 2]) -> Option<(usize, Vec<u8>)> {
    let factors = frame.get(FRAME_BYTES + 1..)?.iter().step_by(3).map(|factors| [factors >> 4, factors & 15]);
    let [across, down] = factors.clone().next()?.map(usize::from);
    let units = width.div_ceil(8 * across.max(1)) * height.div_ceil(8 * down.max(1));
    let tables = scan.get(2..)?.iter().step_by(2);
    let blocks = factors.zip(tables).flat_map(|([x, y], tables)| vec![*tables; usize::from(x * y)]).collect();
    Some((units, blocks))
}

/// Whether only the end of the image and blanks follow the coded data.
fn is_last_scan(coded: &[u8]) -> Option<bool> {
    let mut at = 0;
    loop {
        at += memchr::memchr(0xff, coded.get(at..)?)? + 1;
        match coded.get(at)? {
            // a coded byte, or a restart
            0 | 0xd0..=0xd7 => at += 1,
            &END => return Some(coded.get(at + 1..)?.iter().all(|byte| is_space(*byte))),
            _ => return None,
        }
    }
}
