//! The samples of images whose data all viewers decode alike: of Flate, CCITT Group 4 and baseline JPEG.

use super::image_layout::Layout;
use super::jpeg;
use pdf_syntax::document::objects::Body;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::stream::filter::is_exact_zlib;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use std::rc::Rc;

/// Maximum encoded bytes of an image, and decoded bytes without loss: a page in gray at 300 dots per inch.
const MAX_ENCODED_BYTES: usize = 9 << 20;
/// Samples of an image, row by row, each row padded to bytes.
pub(super) struct ImageSamples {
    pub(super) data: Vec<u8>,
    /// Whether neighbors differ slightly where the original's did not.
    pub(super) is_lossy: bool,
}

impl ImageSamples {
    /// Decodes an image; none if viewers may decode it differently.
    pub(super) fn read(
        view: &mut View,
        body: &Rc<Body>,
        dictionary: &Dictionary,
        layout: Layout,
    ) -> Result<Option<Self>, Fault> {
        let filter = single(&*view.resolve(dictionary.get(b"Filter"))?);
        let parameters = single(&*view.resolve(dictionary.get(b"DecodeParms"))?);
        let parameters = view.dictionary(&parameters)?.into_owned();
        let is_known = match filter.as_name().unwrap_or_default() {
            b"FlateDecode" => is_own_predictor(&parameters, layout) && is_exact(view, body)?,
            b"CCITTFaxDecode" => is_group_4(&parameters, layout) && encoded(view, body)?.is_some(),
            b"DCTDecode" if layout.bits == 8 && is_default_jpeg(&parameters, layout) => {
                return Self::jpeg(view, body, layout);
            }
            _ => false,
        };
        if !is_known || layout.size() > MAX_ENCODED_BYTES {
            return Ok(None);
        }
        let stream = view.content(Rc::clone(body), layout.size())?.filter(|stream| !stream.is_part);
        let data = stream.map(|stream| stream.content).filter(|data| data.len() == layout.size());
        Ok(data.map(|data| Self { data, is_lossy: false }))
    }

    fn jpeg(view: &mut View, body: &Body, layout: Layout) -> Result<Option<Self>, Fault> {
        let Some(encoded) = encoded(view, body)?.map(<[u8]>::to_vec) else { return Ok(None) };
        // before it takes the time
        view.work(layout.size())?;
        let data = jpeg::decode(&encoded, [layout.width, layout.height], layout.components);
        Ok(data.map(|data| Self { data, is_lossy: true }))
    }
}

/// The only filter of a stream, or its parameters.
fn single(object: &Object) -> Object {
    match object {
        Object::Array(elements) if elements.len() == 1 => elements.first().cloned().unwrap_or_default(),
        object => object.clone(),
    }
}

/// The encoded data of a stream whose end all viewers find alike; unknown if it is encrypted.
fn encoded<'v>(view: &'v mut View, body: &Body) -> Result<Option<&'v [u8]>, Fault> {
    let place = view.document.stream_place(view.state, body)?;
    let Some(place) = place.filter(|_| view.document.security.is_none()) else { return Ok(None) };
    let length = usize::try_from(place.end - place.start).unwrap_or(usize::MAX);
    if length > MAX_ENCODED_BYTES {
        return Ok(None);
    }
    view.work(length)?;
    let data = view.document.reader.view(place.start, length)?;
    Ok((data.len() == length).then_some(data))
}

/// Whether Flate data is complete.
fn is_exact(view: &mut View, body: &Body) -> Result<bool, Fault> {
    Ok(encoded(view, body)?.is_some_and(is_exact_zlib))
}

fn number(parameters: &Dictionary, key: &[u8], default: usize) -> Option<usize> {
    match parameters.get(key) {
        Object::Null => Some(default),
        number => number.as_integer().and_then(|number| usize::try_from(number).ok()),
    }
}

/// Whether the predictor of Flate is for the samples of the image, or none.
fn is_own_predictor(parameters: &Dictionary, layout: Layout) -> bool {
    let is_predicted = [
        number(parameters, b"Columns", 1) == Some(layout.width),
        number(parameters, b"Colors", 1) == Some(layout.components),
        number(parameters, b"BitsPerComponent", 8) == Some(layout.bits),
    ];
    match number(parameters, b"Predictor", 1) {
        Some(1) => true,
        Some(10..=15) => is_predicted.iter().all(|is| *is),
        _ => false,
    }
}

/// Whether the parameters are those of CCITT Group 4 for rows of the image (table 11).
fn is_group_4(parameters: &Dictionary, layout: Layout) -> bool {
    let is_off = |key: &[u8]| matches!(parameters.get(key), Object::Null | Object::Boolean(false));
    let is_flag = |key: &[u8]| matches!(parameters.get(key), Object::Null | Object::Boolean(_));
    let rows = number(parameters, b"Rows", 0);
    const KEYS: [&[u8]; 7] = [b"K", b"Columns", b"Rows", b"EndOfLine", b"EncodedByteAlign", b"EndOfBlock", b"BlackIs1"];
    parameters.iter().all(|(key, _)| KEYS.contains(&key.as_bytes()))
        && (layout.bits, layout.components) == (1, 1)
        && parameters.get(b"K").as_integer().is_some_and(|kind| kind < 0)
        && number(parameters, b"Columns", 1_728) == Some(layout.width)
        && (rows == Some(0) || rows == Some(layout.height))
        && is_off(b"EndOfLine")
        && is_off(b"EncodedByteAlign")
        && is_flag(b"EndOfBlock")
        && is_flag(b"BlackIs1")
}

/// Whether the parameters of DCT are those of its default (table 13), or of other filters.
fn is_default_jpeg(parameters: &Dictionary, layout: Layout) -> bool {
    parameters.iter().all(|(key, value)| match key.as_bytes() {
        b"ColorTransform" => layout.components == 1 || value.as_integer() == Some(1),
        b"Predictor" => value.as_integer() == Some(1),
        b"Colors" | b"Columns" | b"BitsPerComponent" => true,
        _ => false,
    })
}
