//! Decodes stream bodies (ISO 32000-1, 7.4), never beyond the budget.

use std::cell::RefCell;

use flate2::bufread::ZlibDecoder;
use flate2::{Decompress, FlushDecompress, Status};
use lopdf::Stream;

use super::{fax, predictor};
use crate::budget::Budget;
use crate::encryption::lopdf::from_object;
use crate::failure::{Fault, Reason};
use crate::syntax::char_class::is_space;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::name::Name;
use crate::syntax::object::Object;

/// Maximum compression ratio of relevant streams.
const MAX_COMPRESSION_RATIO: usize = 32;
/// Bytes that other filters may decode to: lopdf's buffers take up to four times as much while they grow.
const MAX_RARE_FILTER_BYTES: usize = 8 << 20;
/// Free bytes after the output that keep the inflater on its fast path.
const INFLATE_SLACK_BYTES: usize = 320;
/// Maximum encoded bytes of an empty stream in filters without a checksum.
const EMPTY_STREAM_MAX_BYTES: usize = 16;
/// Length of the header before deflate data.
const ZLIB_HEADER_BYTES: usize = 2;

/// Decodes `encoded` by the `/Filter` and `/DecodeParms` of its dictionary, and stops soon after `wanted` bytes where the
/// filter can. A damaged body yields what could be read, one with an unknown filter nothing.
///
/// # Errors
/// `TooComplex` if it grows beyond the budget.
pub fn decode(dictionary: &Dictionary, encoded: &[u8], wanted: usize, budget: &mut Budget) -> Result<Vec<u8>, Fault> {
    let limit = budget.decode_limit();
    let decoded = match FilterKind::of(dictionary) {
        FilterKind::Plain => encoded.get(..limit.min(encoded.len())).unwrap_or_default().to_vec(),
        FilterKind::Flate => inflate(encoded, limit, wanted)?,
        FilterKind::FlatePredicted { columns } => predictor::undo(&inflate(encoded, limit, wanted)?, columns),
        FilterKind::Fax { parameters } => fax::decode(parameters, encoded, wanted.min(limit)),
        FilterKind::Other => decode_rare(dictionary, encoded, limit.min(MAX_RARE_FILTER_BYTES))?,
    };
    budget.decode(decoded.len())?;
    Ok(decoded)
}

/// Whether `encoded`, which decodes to nothing, encodes nothing, rather than data that are damaged or of unknown filters.
pub fn encodes_nothing(dictionary: &Dictionary, encoded: &[u8]) -> bool {
    let is_blank = encoded.iter().all(|&byte| is_space(byte));
    match FilterKind::of(dictionary) {
        FilterKind::Plain => encoded.is_empty(),
        FilterKind::Flate | FilterKind::FlatePredicted { .. } => {
            is_blank || encoded.len() <= EMPTY_STREAM_MAX_BYTES && is_exact_zlib(encoded)
        }
        FilterKind::Fax { .. } | FilterKind::Other => is_blank || encoded.len() <= EMPTY_STREAM_MAX_BYTES,
    }
}

/// Filters of a stream: the usual ones, and all others.
enum FilterKind<'d> {
    Plain,
    Flate,
    FlatePredicted { columns: usize },
    Fax { parameters: Option<&'d Dictionary> },
    Other,
}

impl<'d> FilterKind<'d> {
    fn of(dictionary: &'d Dictionary) -> Self {
        let filter = match dictionary.get(b"Filter") {
            Object::Array(filters) if filters.len() <= 1 => filters.first().unwrap_or(&Object::Null),
            filter => filter,
        };
        let parameters = match dictionary.get(b"DecodeParms") {
            Object::Array(parameters) => parameters.first().unwrap_or(&Object::Null),
            parameters => parameters,
        };
        match filter {
            Object::Null => Self::Plain,
            filter if filter.is_name(b"Crypt") => Self::Plain,
            filter if filter.is_name(b"FlateDecode") || filter.is_name(b"Fl") => Self::flate(parameters),
            filter if filter.is_name(b"CCITTFaxDecode") || filter.is_name(b"CCF") => {
                Self::Fax { parameters: parameters.as_dictionary() }
            }
            _ => Self::Other,
        }
    }

    fn flate(parameters: &Object) -> Self {
        let Some(parameters) = parameters.as_dictionary() else { return Self::Flate };
        let number = |key: &[u8], default| parameters.get(key).as_integer().unwrap_or(default);
        let bytewise = number(b"Colors", 1) == 1 && number(b"BitsPerComponent", 8) == 8;
        match (number(b"Predictor", 1), usize::try_from(number(b"Columns", 1))) {
            (..2, _) => Self::Flate,
            (10.., Ok(columns @ 1..)) if bytewise => Self::FlatePredicted { columns },
            _ => Self::Other,
        }
    }
}

thread_local! {
    /// Kept for reuse: its window takes longer to set up than most streams take to inflate.
    static INFLATER: RefCell<Decompress> = RefCell::new(Decompress::new(true));
}

/// Inflates zlib data, or raw deflate data after an invalid zlib header, without verifying the checksum.
fn inflate(encoded: &[u8], limit: usize, wanted: usize) -> Result<Vec<u8>, Fault> {
    INFLATER.with_borrow_mut(|state| {
        state.reset(true);
        let decoded = inflate_with(state, encoded, limit, wanted)?;
        if !decoded.is_empty() || encoded.len() <= ZLIB_HEADER_BYTES {
            return Ok(decoded);
        }
        state.reset(false);
        inflate_with(state, encoded.get(ZLIB_HEADER_BYTES..).unwrap_or_default(), limit, wanted)
    })
}

/// Whether a zlib stream is complete, with the checksum of its data, and at most a line end follows it.
pub fn is_exact_zlib(encoded: &[u8]) -> bool {
    let mut decoder = ZlibDecoder::new(encoded);
    let is_complete = std::io::copy(&mut decoder, &mut std::io::sink()).is_ok();
    is_complete && decoder.into_inner().iter().all(|&byte| is_space(byte))
}

fn inflate_with(state: &mut Decompress, encoded: &[u8], limit: usize, wanted: usize) -> Result<Vec<u8>, Fault> {
    // the requested size if it is plausible, otherwise an estimate
    let likely = if wanted / MAX_COMPRESSION_RATIO <= encoded.len() {
        wanted
    } else {
        encoded.len().saturating_mul(4).min(wanted)
    };
    let mut decoded = Vec::with_capacity(likely.saturating_add(INFLATE_SLACK_BYTES).min(1 << 20));
    loop {
        let input = encoded.get(state.total_in() as usize..).unwrap_or_default();
        let before = state.total_out();
        let status = state.decompress_vec(input, &mut decoded, FlushDecompress::None);
        if decoded.len() > limit {
            return Err(Fault::Rejected(Reason::TooComplex));
        }
        let full = decoded.len() == decoded.capacity();
        match status {
            Ok(Status::Ok | Status::BufError) if decoded.len() < wanted && (full || state.total_out() > before) => {
                decoded.reserve(decoded.len().max(256));
            }
            // the end, or an error: the output before it is kept
            _ => return Ok(decoded),
        }
    }
}

/// Decodes chains of filters and rare ones, such as LZW and the ASCII filters, by lopdf.
fn decode_rare(dictionary: &Dictionary, encoded: &[u8], limit: usize) -> Result<Vec<u8>, Fault> {
    let mut coding = lopdf::Dictionary::new();
    coding.set("Filter", from_object(&unabbreviated(dictionary.get(b"Filter"))));
    coding.set("DecodeParms", from_object(dictionary.get(b"DecodeParms")));
    let stream = Stream::new(coding, encoded.to_vec());
    match stream.get_plain_content_with_limit(limit) {
        Err(lopdf::Error::Decompress(lopdf::DecompressError::MemoryLimitExceeded { .. })) => {
            Err(Fault::Rejected(Reason::TooComplex))
        }
        decoded => Ok(decoded.unwrap_or_default()),
    }
}

/// Returns filters by their full names. The abbreviations are for inline images (8.9.7), but occur elsewhere too.
fn unabbreviated(filter: &Object) -> Object {
    match filter {
        Object::Array(filters) => Object::Array(filters.iter().map(unabbreviated).collect()),
        filter => match filter.as_name() {
            Some(b"A85") => Object::Name(Name::new(b"ASCII85Decode")),
            Some(b"AHx") => Object::Name(Name::new(b"ASCIIHexDecode")),
            Some(b"Fl") => Object::Name(Name::new(b"FlateDecode")),
            Some(b"LZW") => Object::Name(Name::new(b"LZWDecode")),
            Some(b"RL") => Object::Name(Name::new(b"RunLengthDecode")),
            _ => filter.clone(),
        },
    }
}
