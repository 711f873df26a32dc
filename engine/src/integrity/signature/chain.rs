//! The issuers of a certificate, as far as they are at hand.

use super::certificate::Certificate;
use super::verification::Verifications;

/// Issuers that are gone up to.
const CHAIN: usize = 10;

/// The certificate, its issuer, the issuer of that and so on, as far as they are at hand and their keys verify it.
pub(crate) fn issuers<'a>(
    certificate: &Certificate<'a>,
    known: &[Certificate<'a>],
    verifications: &Verifications<'a>,
) -> Vec<Certificate<'a>> {
    let mut chain = vec![certificate.clone()];
    while let Some(last) = chain.last().filter(|last| chain.len() < CHAIN && !verifications.is_root(last)) {
        let is_new = |issuer: &&Certificate| chain.iter().all(|one| one.raw != issuer.raw);
        let is_issuer = |issuer: &&Certificate<'a>| verifications.is_issued_by(last, issuer);
        let Some(issuer) = known.iter().filter(is_new).find(is_issuer) else { break };
        chain.push(issuer.clone());
    }
    chain
}
