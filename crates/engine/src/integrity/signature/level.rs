//! PAdES levels (ETSI EN 319 142-1, 6), by the intact components.

use super::checked_signature::CheckedSignature;
use crate::integrity::report::{Level, SignatureKind, SignatureStatus};
use pdf_signature::certificate::Certificate;
use pdf_signature::trust::{Signatory, TrustBasis};
use pdf_syntax::document::Document;
use pdf_syntax::failure::Fault;

/// The level of one signature on its own: `LongTerm` if it has validation data, with or without a time-stamp.
pub(crate) fn of<'v>(
    signer: &Signatory<'_, 'v>,
    authority: Option<&Certificate<'v>>,
    sub_filter: Option<&str>,
    basis: &TrustBasis<'_, 'v>,
) -> Option<Level> {
    let is_pades = sub_filter == Some("ETSI.CAdES.detached") && signer.data.names_certificate();
    if !is_pades || signer.status != SignatureStatus::Intact {
        return None;
    }
    let Some(at) = signer.stamped.or(signer.claimed_at) else { return Some(Level::Basic) };
    let is_known = |certificate: &Certificate<'v>| basis.is_validated(certificate, at);
    let has_data = !basis.validation.lists.is_empty() || !basis.validation.responses.is_empty();
    if has_data && is_known(signer.certificate) && authority.is_none_or(is_known) {
        return Some(Level::LongTerm);
    }
    Some(if signer.stamped.is_some() { Level::Timestamped } else { Level::Basic })
}

/// Adjusts the levels by the later document time-stamps: `checked` is in order.
pub(crate) fn settle(document: &mut Document, checked: &mut [CheckedSignature]) -> Result<(), Fault> {
    if checked.iter().all(|checked| checked.reported.level.is_none()) {
        return Ok(());
    }
    let mut stamps = Vec::new();
    for stamp in checked.iter() {
        if stamp.reported.kind == SignatureKind::Timestamp && stamp.reported.status == SignatureStatus::Intact {
            let covered = document.state_at(stamp.end);
            let has_store = document.view(covered).catalog()?.has(b"DSS");
            stamps.push((stamp.end, has_store));
        }
    }
    for one in checked {
        let later = || stamps.iter().filter(|(end, _)| *end > one.end);
        let is_stamped = one.reported.timestamped_at.is_some() || later().next().is_some();
        one.reported.level = match one.reported.level {
            Some(Level::LongTerm) if !is_stamped => Some(Level::Basic),
            Some(Level::LongTerm) if later().any(|(_, has_store)| *has_store) => Some(Level::Archived),
            Some(Level::Basic) if is_stamped => Some(Level::Timestamped),
            level => level,
        };
    }
    Ok(())
}
