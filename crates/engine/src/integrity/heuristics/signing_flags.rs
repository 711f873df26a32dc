//! Validation data of a signature that is no longer there (ISO 32000-2, 12.8.4.3). The form's flags (12.7.3, table 225)
//! are no evidence: programs set them in forms that were never signed, and XFA forms have signature fields in their
//! templates only.

use crate::integrity::findings::Findings;
use crate::integrity::report::{Evidence, PublicTexts, Strength};
use crate::integrity::signal::SignalId;
use pdf_syntax::document::form::FormFields;
use pdf_syntax::syntax::dictionary::Dictionary;

pub(super) fn examine(catalog: &Dictionary, form: &FormFields, findings: &mut Findings) {
    let is_signed = || form.fields.iter().any(|field| field.is_signature() && field.dictionary().has(b"V"));
    if catalog.has(b"DSS") && !form.is_cut && !is_signed() {
        let evidence = Evidence { public: PublicTexts::Both, ..Evidence::of("DSS", Some("validation data"), None) };
        findings.add(SignalId::SignatureRemoved, Strength::Strong, evidence);
    }
}
