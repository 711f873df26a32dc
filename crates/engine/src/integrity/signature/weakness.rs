//! Weaknesses of intact signatures by current standards: hashes with practical collisions, short keys.

use super::checked_signature::CheckedSignature;
use crate::integrity::findings::Findings;
use crate::integrity::report::{Evidence, Signature, SignatureStatus, SignerCertificate, Strength};
use crate::integrity::signal::SignalId;
use pdf_signature::algorithm::Scheme;
use pdf_signature::certificate::Certificate;
use pdf_signature::cms::SignedData;
use pdf_signature::hash::Hash;
use pdf_signature::public_key::PublicKey;

/// Records every intact signature with weak algorithms or a certificate that was not valid then. Broken and unchecked
/// ones need no such warning.
pub(crate) fn record(checked: &[CheckedSignature], findings: &mut Findings) {
    for checked in checked.iter().filter(|checked| checked.reported.status == SignatureStatus::Intact) {
        let Signature { field, certificate, signed_at, .. } = &checked.reported;
        let evidence = |before: Option<String>, after: String| Evidence {
            object: checked.value_object.or(checked.field_object),
            place: field.clone(),
            before,
            after: Some(after),
            ..Evidence::default()
        };
        if let Some(weak) = &checked.weak_algorithm {
            findings.add(SignalId::WeakAlgorithm, Strength::Weak, evidence(None, weak.clone()));
        }
        if let Some(SignerCertificate { valid_from: Some(from), valid_until: Some(until), .. }) = certificate
            && let Some(signed) = signed_at.value.filter(|signed| !(from..=until).contains(&signed))
        {
            let validity = format!("{} to {}", from.to_rfc3339(), until.to_rfc3339());
            findings.add(SignalId::CertificateNotValid, Strength::Weak, evidence(Some(validity), signed.to_rfc3339()));
        }
    }
}

/// Names weak hashes and a weak key, such as `SHA1, RSA-1024`; `None` without any. `covering` is the hash of the file's
/// bytes.
pub(super) fn name(data: &SignedData, covering: Option<Hash>, certificate: Option<&Certificate>) -> Option<String> {
    let hashes = [covering, data.hash(), data.scheme().and_then(Scheme::hash)];
    let mut weak: Vec<Hash> = hashes.into_iter().flatten().filter(|hash| hash.is_weak()).collect();
    weak.sort_unstable();
    weak.dedup();
    let key = certificate.and_then(|certificate| certificate.key().ok()).and_then(PublicKey::weakness);
    let names: Vec<String> = weak.into_iter().map(|hash| hash.name().to_owned()).chain(key).collect();
    (!names.is_empty()).then(|| names.join(", "))
}
