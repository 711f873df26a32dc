//! Decodes stream bodies (ISO 32000-1, 7.4), never beyond the budget.

use std::cell::RefCell;

use flate2::{Decompress, FlushDecompress, Status};
use lopdf::Stream;

use crate::extract::budget::Budget;
use crate::extract::failure::{Fault, Reason};
use crate::extract::foreign;
use crate::extract::name::Name;
use crate::extract::object::{Dictionary, Object};

/// Length of the header in front of deflate data.
const ZLIB_HEADER: usize = 2;

/// Decodes `encoded` by the `/Filter` and `/DecodeParms` of its dictionary. A damaged body yields what could be read,
/// one with an unknown filter nothing.
///
/// # Errors
/// `TooComplex` if it grows beyond the budget.
pub(crate) fn decode(dictionary: &Dictionary, encoded: &[u8], budget: &mut Budget) -> Result<Vec<u8>, Fault> {
    decode_start(dictionary, encoded, usize::MAX, budget)
}

/// Like [`decode`], but stops soon after `wanted` bytes where the filter can.
pub(crate) fn decode_start(
    dictionary: &Dictionary,
    encoded: &[u8],
    wanted: usize,
    budget: &mut Budget,
) -> Result<Vec<u8>, Fault> {
    let limit = budget.decode_limit();
    let decoded = match Kind::of(dictionary) {
        Kind::Plain => encoded.get(..limit.min(encoded.len())).unwrap_or_default().to_vec(),
        Kind::Flate => inflate(encoded, limit, wanted)?,
        Kind::FlatePredicted { columns } => unpredict(inflate(encoded, limit, wanted)?, columns),
        Kind::Other => decode_rare(dictionary, encoded, limit)?,
    };
    budget.decode(decoded.len())?;
    Ok(decoded)
}

/// The filters of nearly all streams that matter here, apart from the rest.
enum Kind {
    Plain,
    Flate,
    FlatePredicted { columns: usize },
    Other,
}

impl Kind {
    fn of(dictionary: &Dictionary) -> Self {
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

/// Inflates zlib data, or raw deflate data behind a bad zlib header; a checksum is not asked for.
fn inflate(encoded: &[u8], limit: usize, wanted: usize) -> Result<Vec<u8>, Fault> {
    INFLATER.with_borrow_mut(|state| {
        state.reset(true);
        let decoded = inflate_with(state, encoded, limit, wanted)?;
        if !decoded.is_empty() || encoded.len() <= ZLIB_HEADER {
            return Ok(decoded);
        }
        state.reset(false);
        inflate_with(state, encoded.get(ZLIB_HEADER..).unwrap_or_default(), limit, wanted)
    })
}

fn inflate_with(state: &mut Decompress, encoded: &[u8], limit: usize, wanted: usize) -> Result<Vec<u8>, Fault> {
    let mut decoded = Vec::with_capacity(encoded.len().saturating_mul(4).clamp(256, wanted.clamp(256, 1 << 20)));
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
            // The end, or an error: what came out before it still counts.
            _ => return Ok(decoded),
        }
    }
}

/// Undoes PNG prediction on rows of single bytes (7.4.4.4): each row starts with the number of its predictor.
fn unpredict(mut data: Vec<u8>, columns: usize) -> Vec<u8> {
    // A row cannot be longer than all of them.
    let columns = columns.min(data.len());
    let mut above = vec![0; columns];
    let mut plain = Vec::with_capacity(data.len());
    for line in data.chunks_mut(columns + 1) {
        let Some((&mut predictor, row)) = line.split_first_mut() else { break };
        let (mut left, mut upper_left) = (0_u8, 0_u8);
        for (byte, up) in row.iter_mut().zip(&above) {
            *byte = byte.wrapping_add(match predictor {
                1 => left,
                2 => *up,
                3 => ((u16::from(left) + u16::from(*up)) / 2) as u8,
                4 => paeth(left, *up, upper_left),
                _ => 0,
            });
            (left, upper_left) = (*byte, *up);
        }
        plain.extend_from_slice(row);
        if let Some(start) = above.get_mut(..row.len()) {
            start.copy_from_slice(row);
        }
    }
    plain
}

fn paeth(left: u8, up: u8, upper_left: u8) -> u8 {
    let estimate = i16::from(left) + i16::from(up) - i16::from(upper_left);
    let distance = |value: u8| (estimate - i16::from(value)).abs();
    if distance(left) <= distance(up) && distance(left) <= distance(upper_left) {
        left
    } else if distance(up) <= distance(upper_left) {
        up
    } else {
        upper_left
    }
}

/// Chains of filters, LZW, ASCII filters and the like, by lopdf.
fn decode_rare(dictionary: &Dictionary, encoded: &[u8], limit: usize) -> Result<Vec<u8>, Fault> {
    let mut coding = lopdf::Dictionary::new();
    coding.set("Filter", foreign::from_object(&unabbreviated(dictionary.get(b"Filter"))));
    coding.set("DecodeParms", foreign::from_object(dictionary.get(b"DecodeParms")));
    let stream = Stream::new(coding, encoded.to_vec());
    match stream.get_plain_content_with_limit(limit) {
        Err(lopdf::Error::Decompress(lopdf::DecompressError::MemoryLimitExceeded { .. })) => {
            Err(Fault::Rejected(Reason::TooComplex))
        }
        decoded => Ok(decoded.unwrap_or_default()),
    }
}

/// Filters by their full names: the short ones are for inline images (8.9.7), but stand elsewhere too.
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
