//! The order in which a page is painted: its content streams, unless they are known already, then its annotations.

use super::form::External;
use super::geometry::{Matrix, Rectangle};
use super::graphics::Graphics;
use super::layer::Layer;
use super::page::ResolvedPage;
use super::page_annotations;
use super::page_cache::PageContentCache;
use super::painter::{MAX_CONTENT_BYTES, Painter};
use pdf_syntax::document::pages::PageLeaf;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::object::Object;

/// A clip that contains every page.
pub(super) const EVERYWHERE: Rectangle = Rectangle { left: -1e6, bottom: -1e6, right: 1e6, top: 1e6 };

/// Paints the page, then its annotations, and returns both the page and its initial graphics state. Page content is taken from `cache` if unchanged, and stored there.
pub(super) fn paint(
    painter: &mut Painter,
    page: &PageLeaf,
    cache: Option<&mut Option<PageContentCache>>,
) -> Result<(ResolvedPage, Graphics), Fault> {
    let page = ResolvedPage::read(painter.view, page)?.ok_or(Fault::Damaged)?;
    let Rectangle { left, bottom, .. } = page.shown;
    let shown = Rectangle { left: 0.0, bottom: 0.0, right: page.shown.width(), top: page.shown.height() };
    let Rectangle { right: width, top: height, .. } = shown.rounded();
    painter.page.size = [width, height];
    painter.page.rotation = page.rotation;
    painter.page.corner = (left, bottom);
    let base = Graphics::new(Matrix::translation(-left, -bottom), shown);
    match cache {
        Some(cache) => paint_cached_content(painter, &page, &base, cache)?,
        None => paint_content(painter, &page, &base)?,
    }
    page_annotations::paint(painter, &page, &base)?;
    Ok((page, base))
}

/// Paints the page as viewers show it: turned by its rotation.
pub(super) fn paint_turned(painter: &mut Painter, page: &PageLeaf) -> Result<(), Fault> {
    let page = ResolvedPage::read(painter.view, page)?.ok_or(Fault::Damaged)?;
    let Rectangle { left, bottom, .. } = page.shown;
    let (width, height) = (page.shown.width(), page.shown.height());
    let (turn, [width, height]) = match page.rotation {
        90 => (Matrix([0.0, -1.0, 1.0, 0.0, 0.0, width]), [height, width]),
        180 => (Matrix([-1.0, 0.0, 0.0, -1.0, width, height]), [width, height]),
        270 => (Matrix([0.0, 1.0, -1.0, 0.0, height, 0.0]), [height, width]),
        _ => (Matrix::IDENTITY, [width, height]),
    };
    painter.page.size = [width, height];
    painter.page.corner = (left, bottom);
    let shown = Rectangle { left: 0.0, bottom: 0.0, right: width, top: height };
    let base = Graphics::new(Matrix::translation(-left, -bottom).then(turn), shown);
    paint_content(painter, &page, &base)?;
    page_annotations::paint(painter, &page, &base)
}

fn paint_cached_content(
    painter: &mut Painter,
    page: &ResolvedPage,
    base: &Graphics,
    cache: &mut Option<PageContentCache>,
) -> Result<(), Fault> {
    if let Some(cache) = cache.take()
        && cache.matches(painter, page)?
    {
        cache.restore(painter);
        return Ok(());
    }
    let mark = painter.view.document.begin_trace();
    let painted = paint_content(painter, page, base);
    let lookups = painter.view.document.end_trace(mark);
    painted?;
    *cache = lookups.map(|lookups| PageContentCache::of(painter, page, lookups));
    Ok(())
}

fn paint_content(painter: &mut Painter, page: &ResolvedPage, base: &Graphics) -> Result<(), Fault> {
    let (content, is_part) = page.content(painter.view, MAX_CONTENT_BYTES)?;
    painter.page.is_part |= is_part;
    let resources = painter.keep(page.resources.clone());
    painter.paint(&content, base.clone(), resources, Layer::None)
}

/// Paints a stream as page content, or as a form XObject if it is one.
pub(super) fn paint_stream(painter: &mut Painter, page: &PageLeaf, stream: &Object) -> Result<(), Fault> {
    let page = ResolvedPage::read(painter.view, page)?.ok_or(Fault::Damaged)?;
    painter.page.size = [page.shown.width(), page.shown.height()];
    let base = Graphics::new(Matrix::IDENTITY, EVERYWHERE);
    let resources = painter.keep(page.resources.clone());
    let body = painter.view.body(stream)?;
    let is_form =
        body.is_some_and(|body| body.dictionary().is_some_and(|stream| stream.get(b"Subtype").is_name(b"Form")));
    if is_form && let External::FormXObject(form) = painter.external(stream)? {
        return painter.draw_form(&form, base, resources, Layer::None);
    }
    let Some(stream) = painter.view.stream(stream, MAX_CONTENT_BYTES)? else { return Ok(()) };
    painter.page.is_part |= stream.is_part;
    painter.paint(&stream.content, base, resources, Layer::None)
}
