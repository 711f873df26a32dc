//! The available issuers of a certificate.

use crate::certificate::Certificate;
use crate::verification::Verifications;

/// Maximum length of a chain of issuers.
const MAX_ISSUERS: usize = 10;

/// Returns the chain of a certificate and its issuers, as far as these are available and the signatures verify.
pub(crate) fn issuers<'a>(
    certificate: &Certificate<'a>,
    known: &[Certificate<'a>],
    verifications: &Verifications<'a>,
) -> Vec<Certificate<'a>> {
    let mut chain = vec![certificate.clone()];
    while let Some(last) = chain.last().filter(|last| chain.len() < MAX_ISSUERS && !verifications.is_root(last)) {
        let is_new = |issuer: &&Certificate| chain.iter().all(|one| one.raw != issuer.raw);
        let is_issuer = |issuer: &&Certificate<'a>| verifications.is_issued_by(last, issuer);
        let Some(issuer) = known.iter().filter(is_new).find(is_issuer) else { break };
        chain.push(issuer.clone());
    }
    chain
}
