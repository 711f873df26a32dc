//! Who draws an annotation, the file or viewers (ISO 32000-1, 12.5.5): one whose normal appearance leads to no stream is
//! drawn by some viewers, with its value and the defaults of the form, and not by others.

use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Who draws an annotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AppearanceSource {
    /// Its appearance stream, in all viewers.
    File,
    /// All viewers, as it has no normal appearance.
    Viewers,
    /// Some viewers, as its normal appearance leads to no stream.
    Unclear,
}

impl AppearanceSource {
    /// Who draws an annotation. A button with states draws nothing in a state without a stream if another state has one.
    pub(crate) fn read(view: &mut View, annotation: &Dictionary, has_states: bool) -> Result<Self, Fault> {
        let normal = view.dictionary(annotation.get(b"AP"))?.get(b"N").clone();
        if normal.is_null() {
            return Ok(Self::Viewers);
        }
        if is_stream(view, &normal)? {
            return Ok(Self::File);
        }
        let states = view.dictionary(&normal)?.into_owned();
        let chosen = view.resolve(annotation.get(b"AS"))?.into_owned();
        for (name, state) in states.iter() {
            if (has_states || chosen.is_name(name.as_bytes())) && is_stream(view, state)? {
                return Ok(Self::File);
            }
        }
        Ok(Self::Unclear)
    }
}

fn is_stream(view: &mut View, object: &Object) -> Result<bool, Fault> {
    Ok(view.body(object)?.is_some_and(|body| body.stream.is_some()))
}

/// The kind of an annotation that viewers may draw with the defaults of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DefaultKind {
    Widget,
    FreeText,
    /// Some viewers take it for a widget, or for a free text: its kind is no plain name.
    UnclearWidget,
    UnclearFreeText,
}

impl DefaultKind {
    /// The kind of an annotation, if it is one of these.
    pub(crate) fn of(view: &mut View, annotation: &Dictionary) -> Result<Option<Self>, Fault> {
        Ok(match annotation.get(b"Subtype") {
            Object::Name(kind) => match kind.as_bytes() {
                b"Widget" => Some(Self::Widget),
                b"FreeText" => Some(Self::FreeText),
                _ => None,
            },
            unclear if view.resolve(unclear)?.is_name(b"FreeText") => Some(Self::UnclearFreeText),
            _ => Some(Self::UnclearWidget),
        })
    }

    pub(crate) fn is_widget(self) -> bool {
        matches!(self, Self::Widget | Self::UnclearWidget)
    }

    pub(crate) fn is_plain(self) -> bool {
        matches!(self, Self::Widget | Self::FreeText)
    }
}
