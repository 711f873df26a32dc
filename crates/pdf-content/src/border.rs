//! Borders of annotations: a border style dictionary has precedence over `/Border` (ISO 32000-2, 12.5.4).

use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Width of a border that is not given, in points.
const DEFAULT_WIDTH_PT: f64 = 1.0;

/// The border of an annotation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Border {
    /// Its width, in points; 0 for none.
    pub width: f64,
    /// Whether it has a light and a shadow of this width: it is beveled or inset.
    pub is_double: bool,
    /// Whether viewers differ in its width: it is no width, or a border style without one stands beside `/Border`.
    pub is_ambiguous: bool,
}

impl Border {
    /// Reads the border of an annotation.
    pub fn read(view: &mut View, annotation: &Dictionary) -> Result<Self, Fault> {
        let style = view.resolve(annotation.get(b"BS"))?.into_owned();
        let border = view.array(annotation.get(b"Border"), 4)?;
        let listed = match border.elements() {
            [] => None,
            border => Some(border.get(2).unwrap_or(&Object::Null)),
        };
        let entries = style.as_dictionary().filter(|entries| !entries.is_empty());
        let (width, is_ambiguous) = match entries {
            Some(style) => match view.resolve(style.get(b"W"))?.into_owned() {
                // some viewers take the default width, others the one of `/Border`
                Object::Null => {
                    let width = listed.and_then(Object::as_number);
                    (width, listed.is_some() && width != Some(DEFAULT_WIDTH_PT))
                }
                width => (width.as_number(), width.as_number().is_none_or(|width| width < 0.0)),
            },
            None => {
                let width = listed.and_then(Object::as_number);
                (width, listed.is_some() && width.is_none() || !style.is_null() && style.as_dictionary().is_none())
            }
        };
        let kind = style.entry(b"S");
        let width = width.unwrap_or(DEFAULT_WIDTH_PT).max(0.0);
        Ok(Self { width, is_double: kind.is_name(b"B") || kind.is_name(b"I"), is_ambiguous })
    }

    /// Whether it is wider than one that is not given, in some viewer.
    pub fn is_wide(&self) -> bool {
        self.is_ambiguous || self.width > DEFAULT_WIDTH_PT
    }
}
