//! Whether a certificate was revoked, by what the file brings along: lists (RFC 5280, 5) and answers (RFC 6960, 4.2). What is
//! not signed by the issuer, or by whom he charged with it, says nothing.

use chrono::{DateTime, Duration, FixedOffset};

use super::algorithm::Identifier;
use super::certificate::Certificate;
use super::der::{DerError, Element, Elements, tag};
use super::extensions::{Extensions, KeyUsage};
use super::name::DistinguishedName;
use super::path::may_answer;
use super::text;
use super::validation::Validation;

/// `id-pkix-ocsp-basic` (RFC 6960, 4.2.1).
const BASIC: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 0x30, 1, 1];
/// The reason of an entry (RFC 5280, 5.3.1), and the one that takes a certificate from a list again.
const REASON: &[u8] = &[0x55, 0x1d, 21];
const REMOVED: u8 = 8;
/// Extensions of lists that change nothing about what is not in them (5.2): key of the issuer, number of the list.
const INDIFFERENT: [&[u8]; 2] = [&[0x55, 0x1d, 35], &[0x55, 0x1d, 20]];

/// What is known of a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RevocationKnowledge {
    /// Nothing: it is not spoken of.
    Nothing,
    /// It is spoken of in a way that cannot be believed, or was out of date.
    Doubtful,
    Good,
    Revoked,
}

/// When a certificate was used.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Use {
    pub(crate) at: DateTime<FixedOffset>,
    /// Whether that is proved. Else it may have been later, and a revocation at any time counts.
    pub(crate) is_proved: bool,
}

/// The worst of what is known of `certificate`, which `issuer` has issued.
pub(crate) fn of(
    certificate: &Certificate,
    issuer: &Certificate,
    validation: &Validation,
    used: Use,
) -> RevocationKnowledge {
    let lists = validation.lists.iter().map(|list| by_list(list, certificate, issuer, used));
    let answers = validation.answers.iter().map(|answer| by_answer(answer, certificate, issuer, used));
    lists.chain(answers).filter_map(Result::ok).max().unwrap_or(RevocationKnowledge::Nothing)
}

/// What a statement comes to that was made at one time, for some time: one that was out of date then says nothing good.
fn known(
    revoked: Option<DateTime<FixedOffset>>,
    made: Option<DateTime<FixedOffset>>,
    next: Option<DateTime<FixedOffset>>,
    used: Use,
) -> RevocationKnowledge {
    match (revoked, made) {
        (Some(revoked), _) if revoked <= used.at || !used.is_proved => RevocationKnowledge::Revoked,
        (_, Some(made)) if made >= used.at || next.unwrap_or(made + Duration::days(1)) >= used.at => {
            RevocationKnowledge::Good
        }
        _ => RevocationKnowledge::Doubtful,
    }
}

/// What a `CertificateList` says.
fn by_list(
    list: &Element,
    certificate: &Certificate,
    issuer: &Certificate,
    used: Use,
) -> Result<RevocationKnowledge, DerError> {
    let mut fields = list.elements()?;
    let signed = fields.expect(tag::SEQUENCE)?;
    let algorithm = Identifier::read(&mut fields)?;
    let value = fields.expect(tag::BIT_STRING)?.bits()?;
    let mut fields = signed.elements()?;
    fields.optional(tag::INTEGER)?;
    fields.expect(tag::SEQUENCE)?;
    let is_his = DistinguishedName::are_equal(&fields.expect(tag::SEQUENCE)?, &issuer.subject);
    let may_list = Extensions::read(issuer)?.key_usage.is_none_or(KeyUsage::is_for_lists);
    if !is_his {
        return Ok(RevocationKnowledge::Nothing);
    }
    if !may_list || !issuer.has_signed(&algorithm, signed.raw, value) {
        return Ok(RevocationKnowledge::Doubtful);
    }
    let made = fields.next()?.as_ref().and_then(text::time);
    let mut next = fields.next()?;
    let until = next.as_ref().and_then(text::time);
    if until.is_some() {
        next = fields.next()?;
    }
    let mut revoked = None;
    if let Some(entries) = next.filter(|field| field.tag == tag::SEQUENCE) {
        let mut entries = entries.elements()?;
        while let Some(entry) = entries.next()? {
            let mut entry = entry.elements()?;
            if entry.expect(tag::INTEGER)?.content == certificate.serial {
                let at = entry.next()?.as_ref().and_then(text::time).ok_or(DerError::Unexpected)?;
                revoked = (reason(entry)? != Some(REMOVED)).then_some(at);
            }
        }
        next = fields.next()?;
    }
    // a list of a part only tells of what is in it
    let is_whole = next.is_none_or(|field| is_whole(&field).unwrap_or(false));
    let made = made.filter(|_| is_whole || revoked.is_some());
    Ok(known(revoked, made, until, used))
}

/// The reason of an entry, if it gives one.
fn reason(mut entry: Elements) -> Result<Option<u8>, DerError> {
    let Some(extensions) = entry.optional(tag::SEQUENCE)? else { return Ok(None) };
    let mut extensions = extensions.elements()?;
    while let Some(extension) = extensions.next()? {
        let mut fields = extension.elements()?;
        if fields.identifier()? == REASON {
            fields.optional(tag::BOOLEAN)?;
            let reason = Elements::new(fields.expect(tag::OCTET_STRING)?.content).expect(tag::ENUMERATED)?;
            return Ok(reason.content.first().copied());
        }
    }
    Ok(None)
}

/// Whether a list's extensions leave it one of all certificates of its issuer.
fn is_whole(field: &Element) -> Result<bool, DerError> {
    let mut extensions = field.elements()?.enter(tag::SEQUENCE)?;
    while let Some(extension) = extensions.next()? {
        let mut fields = extension.elements()?;
        let name = fields.identifier()?;
        let is_critical = fields.optional(tag::BOOLEAN)?.is_some_and(|critical| critical.content != [0]);
        if is_critical && !INDIFFERENT.contains(&name) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What an `OCSPResponse` says.
fn by_answer(
    answer: &Element,
    certificate: &Certificate,
    issuer: &Certificate,
    used: Use,
) -> Result<RevocationKnowledge, DerError> {
    let mut fields = answer.elements()?;
    if fields.expect(tag::ENUMERATED)?.content != [0] {
        return Ok(RevocationKnowledge::Nothing);
    }
    let mut response = fields.enter(tag::context(0))?.enter(tag::SEQUENCE)?;
    if response.identifier()? != BASIC {
        return Ok(RevocationKnowledge::Nothing);
    }
    let bytes = response.expect(tag::OCTET_STRING)?.content;
    let mut basic = Elements::new(bytes).enter(tag::SEQUENCE)?;
    let signed = basic.expect(tag::SEQUENCE)?;
    let algorithm = Identifier::read(&mut basic)?;
    let value = basic.expect(tag::BIT_STRING)?.bits()?;
    let certificates = basic.optional(tag::context(0))?;
    let mut data = signed.elements()?;
    data.optional(tag::context(0))?;
    data.next()?;
    let made = text::time(&data.expect(tag::GENERALIZED_TIME)?).ok_or(DerError::Unexpected)?;
    let mut single = data.enter(tag::SEQUENCE)?;
    let mut worst = RevocationKnowledge::Nothing;
    while let Some(one) = single.next()? {
        if let Some(found) = about(&one, certificate, issuer, used)? {
            worst = worst.max(found);
        }
    }
    if worst == RevocationKnowledge::Nothing || issuer.has_signed(&algorithm, signed.raw, value) {
        return Ok(worst);
    }
    let Some(certificates) = certificates else { return Ok(RevocationKnowledge::Doubtful) };
    let mut certificates = certificates.elements()?.enter(tag::SEQUENCE)?;
    while let Some(element) = certificates.next()? {
        let Ok(responder) = Certificate::read(&element) else { continue };
        if may_answer(&Extensions::read(&responder)?)
            && responder.is_valid_at(made)
            && responder.is_issued_by(issuer)
            && responder.has_signed(&algorithm, signed.raw, value)
        {
            return Ok(worst);
        }
    }
    Ok(RevocationKnowledge::Doubtful)
}

/// What a `SingleResponse` says, if it is about this certificate.
fn about(
    one: &Element,
    certificate: &Certificate,
    issuer: &Certificate,
    used: Use,
) -> Result<Option<RevocationKnowledge>, DerError> {
    let mut fields = one.elements()?;
    let mut identifier = fields.enter(tag::SEQUENCE)?;
    let hash = Identifier::read(&mut identifier)?.hash().ok_or(DerError::Unexpected)?;
    let name = identifier.expect(tag::OCTET_STRING)?.content;
    let key = identifier.expect(tag::OCTET_STRING)?.content;
    let is_it = identifier.expect(tag::INTEGER)?.content == certificate.serial
        && issuer.key_bits().and_then(|bits| hash.digest(bits)).is_some_and(|digest| digest == key)
        && [issuer.subject.raw, certificate.issuer.raw]
            .iter()
            .any(|of| hash.digest(of).is_some_and(|digest| digest == name));
    if !is_it {
        return Ok(None);
    }
    let status = fields.next()?.ok_or(DerError::Unexpected)?;
    let made = fields.next()?.as_ref().and_then(text::time);
    let next = fields.optional(tag::context(0))?.map(|field| field.elements()?.next()).transpose()?.flatten();
    let next = next.as_ref().and_then(text::time);
    Ok(Some(match status.tag {
        0x80 => known(None, made, next, used),
        0xa1 => {
            let at = status.elements()?.next()?.as_ref().and_then(text::time).ok_or(DerError::Unexpected)?;
            known(Some(at), made, next, used)
        }
        _ => RevocationKnowledge::Doubtful,
    }))
}
