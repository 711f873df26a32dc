//! Pages (7.7.3) for their content: resources, boxes, streams.

use super::geometry::Rectangle;
use pdf_syntax::document::pages::PageLeaf;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Maximum content streams of a page.
const MAX_CONTENT_STREAMS: usize = 1_000;
/// Default page size, US Letter, as in readers.
const US_LETTER: Rectangle = Rectangle { left: 0.0, bottom: 0.0, right: 612.0, top: 792.0 };

/// Returns a page's content streams and fonts.
pub(super) fn resources_of(view: &mut View, page: &PageLeaf) -> Result<Vec<Object>, Fault> {
    let Some(page) = ResolvedPage::read(view, page)? else { return Ok(Vec::new()) };
    let mut drawn: Vec<Object> = match page.dictionary.get(b"Contents") {
        Object::Array(streams) => streams.clone(),
        stream => vec![stream.clone()],
    };
    let fonts = view.dictionary(page.resources.get(b"Font"))?;
    drawn.extend(fonts.iter().map(|(_, font)| font.clone()));
    Ok(drawn)
}

/// A page with inherited attributes (7.7.3.4).
#[derive(Debug)]
pub(super) struct ResolvedPage {
    pub(super) dictionary: Dictionary,
    pub(super) resources: Dictionary,
    /// Its crop box (14.11.2.2), in content coordinates.
    pub(super) shown: Rectangle,
    /// Rotation clockwise, in degrees: 0, 90, 180 or 270.
    pub(super) rotation: u16,
}

impl ResolvedPage {
    /// Reads a page in a revision; none if it is not a page there.
    pub(super) fn read(view: &mut View, page: &PageLeaf) -> Result<Option<Self>, Fault> {
        let Some(dictionary) = page.dictionary(view)? else { return Ok(None) };
        let mut rectangle = |key: &[u8]| -> Result<Option<Rectangle>, Fault> {
            Ok(Rectangle::read(&view.array(dictionary.get(key), 4)?).filter(|rectangle| !rectangle.is_empty()))
        };
        let media = rectangle(b"MediaBox")?.unwrap_or(US_LETTER);
        let shown = rectangle(b"CropBox")?.map_or(media, |crop| crop.clipped(media));
        let shown = if shown.is_empty() { media } else { shown };
        let rotation = view.integer(dictionary.get(b"Rotate"))?.unwrap_or(0);
        let rotation = (rotation.rem_euclid(360) / 90 * 90) as u16;
        let resources = view.dictionary(dictionary.get(b"Resources"))?.into_owned();
        Ok(Some(Self { dictionary, resources, shown, rotation }))
    }

    /// Returns its content (7.7.3.3), at most `most` bytes, and whether it is truncated.
    pub(super) fn content(&self, view: &mut View, most: usize) -> Result<(Vec<u8>, bool), Fault> {
        let contents = self.dictionary.get(b"Contents");
        let array = view.resolve(contents)?;
        let streams = if let Object::Array(streams) = &*array { streams } else { std::slice::from_ref(contents) };
        let mut is_part = streams.len() > MAX_CONTENT_STREAMS;
        let mut content = Vec::new();
        for stream in streams.iter().take(MAX_CONTENT_STREAMS) {
            let Some(stream) = view.stream(stream, most.saturating_sub(content.len()))? else { continue };
            is_part |= stream.is_part;
            if content.is_empty() {
                content = stream.content;
            } else {
                // the end of a stream is the end of a token (7.8.2)
                content.push(b'\n');
                content.extend(stream.content);
            }
        }
        Ok((content, is_part))
    }
}
