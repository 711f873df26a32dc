//! Remains of removed signatures in the form and the catalog (ISO 32000-1, 12.7.2 and 12.8).

use crate::integrity::findings::Findings;
use crate::integrity::report::{Evidence, PublicTexts, Strength};
use crate::integrity::signal::SignalId;
use pdf_syntax::document::form::FormFields;
use pdf_syntax::syntax::dictionary::Dictionary;

/// The flag that a file must be updated incrementally, as a full rewrite would invalidate its signatures. The other
/// flag only means that there is a signature *field*, which a dynamic XFA form may have only in its template (table
/// 219).
const APPEND_ONLY: i64 = 1 << 1;

pub(super) fn examine(catalog: &Dictionary, form: &FormFields, findings: &mut Findings) {
    let flags = form.dictionary.get(b"SigFlags").as_integer().unwrap_or(0);
    let has_validation = catalog.has(b"DSS");
    if flags & APPEND_ONLY == 0 && !has_validation || form.is_cut {
        return;
    }
    let fields = form.fields.iter().filter(|field| field.is_signature());
    let signed = fields.clone().filter(|field| field.dictionary().has(b"V")).count();
    let fields = fields.count();
    // with usage rights the flag protects those, not a signature (12.8.2.3)
    let has_rights = catalog.has(b"Perms");
    let left = [
        (flags & APPEND_ONLY != 0 && fields == 0 && !has_rights, "SigFlags", "append only"),
        (has_validation && signed == 0, "DSS", "validation data"),
    ];
    for (is_left, place, meaning) in left {
        if is_left {
            let evidence = Evidence { public: PublicTexts::Both, ..Evidence::of(place, Some(meaning), None) };
            findings.add(SignalId::SignatureRemoved, Strength::Strong, evidence);
        }
    }
}
