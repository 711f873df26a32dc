//! External objects (8.8): form XObjects and images.

use std::rc::Rc;

use super::geometry::{Matrix, Rectangle};
use super::image::Image;
use pdf_syntax::document::objects::Body;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::object::Object;

/// An external object.
#[derive(Debug, Clone)]
pub(super) enum External {
    FormXObject(Rc<FormXObject>),
    Image(Rc<Image>),
    None,
}

/// A form XObject (8.10).
#[derive(Debug)]
pub(super) struct FormXObject {
    pub(super) content: Vec<u8>,
    pub(super) matrix: Matrix,
    pub(super) bounds: Option<Rectangle>,
    /// Index of its own resources; none if it uses the resources of the content that paints it.
    pub(super) resources: Option<usize>,
    pub(super) is_group: bool,
    /// Its optional content; null if none.
    pub(super) layer: Object,
    /// Whether its content is truncated.
    pub(super) is_part: bool,
}

impl External {
    /// Reads an external object; `keep` stores its resources and returns their index.
    pub(super) fn read(
        view: &mut View,
        (body, reference): (&Rc<Body>, &Object),
        most: usize,
        keep: impl FnOnce(Object, &mut View) -> Result<usize, Fault>,
    ) -> Result<Self, Fault> {
        let Some(dictionary) = body.dictionary() else { return Ok(Self::None) };
        let subtype = view.resolve(dictionary.get(b"Subtype"))?.into_owned();
        if subtype.is_name(b"Image") {
            return Ok(Self::Image(Rc::new(Image::read(view, dictionary, reference)?)));
        }
        // no viewer executes PostScript XObjects (8.8.2)
        if subtype.is_name(b"PS") {
            return Ok(Self::None);
        }
        let Some(stream) = view.content(Rc::clone(body), most)? else { return Ok(Self::None) };
        let resources = dictionary.get(b"Resources");
        let resources = if resources.is_null() { None } else { Some(keep(resources.clone(), view)?) };
        let group = view.dictionary(dictionary.get(b"Group"))?;
        Ok(Self::FormXObject(Rc::new(FormXObject {
            content: stream.content,
            matrix: Matrix::read(&view.array(dictionary.get(b"Matrix"), 7)?),
            bounds: Rectangle::read(&view.array(dictionary.get(b"BBox"), 5)?),
            resources,
            is_group: view.resolve(group.get(b"S"))?.is_name(b"Transparency"),
            layer: dictionary.get(b"OC").clone(),
            is_part: stream.is_part,
        })))
    }
}
