//! Form fields in one state: their full names, and what they inherit (ISO 32000-1, 12.7.3).

use super::walk::Map;
use crate::document::Document;
use crate::document::states::State;
use crate::failure::Fault;
use crate::integrity::revision::show;
use crate::syntax::dictionary::Whole;
use crate::syntax::object::Object;
use crate::text::text_string;

/// How many fields a field's name may be made of.
const LEVELS: usize = 16;
/// The flag of a password field (12.7.4.3, table 228).
const PASSWORD: i64 = 1 << 13;

/// What a field inherits from those above it (12.7.3.1), and its full name (12.7.3.2).
#[derive(Debug, Default)]
pub(crate) struct Ancestry {
    pub(crate) name: String,
    /// Numbers of the field and those above it.
    pub(crate) fields: Vec<u32>,
    kind: Option<Vec<u8>>,
    flags: i64,
    value: Object,
}

impl Ancestry {
    /// Whether it is a signature field (12.7.4.5).
    pub(crate) fn is_signature(&self) -> bool {
        self.kind.as_deref() == Some(b"Sig")
    }

    /// Whether it is a text field (12.7.4.3).
    pub(crate) fn is_text(&self) -> bool {
        self.kind.as_deref() == Some(b"Tx")
    }

    /// Its value, if that is a text.
    pub(crate) fn text(&self) -> Option<String> {
        text_string::decode(self.value.as_string()?)
    }

    /// Whether its value is not to be shown.
    pub(crate) fn is_secret(&self) -> bool {
        self.flags & PASSWORD != 0
    }

    /// Reads that of the field `number`, which may be none of its own. A kid need not say whose it is.
    pub(crate) fn read(
        document: &mut Document,
        state: State,
        map: &Map,
        number: u32,
        field: &Whole,
    ) -> Result<Self, Fault> {
        let (mut names, mut found, mut is_flagged) = (Vec::new(), Self::default(), false);
        let mut next = Some((number, field.clone()));
        for _ in 0..LEVELS {
            let Some((number, field)) = next.take() else { break };
            if number > 0 && found.fields.contains(&number) {
                break;
            }
            found.fields.push(number);
            names.extend(show::text(field.get(b"T")));
            if found.value.is_null() {
                found.value = field.get(b"V").clone();
            }
            if found.kind.is_none() {
                found.kind = field.get(b"FT").as_name().map(<[u8]>::to_vec);
            }
            if let (false, Some(flags)) = (is_flagged, field.get(b"Ff").as_integer()) {
                (found.flags, is_flagged) = (flags, true);
            }
            let parent = field.get(b"Parent").as_reference().map(|parent| parent.number);
            let Some(parent) = parent.or_else(|| map.parent(number).filter(|_| number > 0)) else { break };
            let body = document.body_in(state, parent)?;
            next = body.and_then(|body| body.dictionary().map(|field| (parent, field.clone())));
        }
        names.reverse();
        found.name = names.join(".");
        Ok(found)
    }
}

/// Whether it is a field or a widget, not a part of one.
pub(crate) fn is_field(dictionary: &Whole) -> bool {
    dictionary.get(b"Subtype").is_name(b"Widget")
        || dictionary.has(b"FT")
        || dictionary.has(b"T")
        || dictionary.has(b"Kids")
}
