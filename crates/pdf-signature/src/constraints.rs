//! Name constraints (RFC 5280, 4.2.1.10): the names for which a CA may issue certificates.

use crate::der::{DerError, Element, Elements, tag};
use crate::extensions::Extensions;
use crate::name::DistinguishedName;

/// Types of names by their tags (4.2.1.6), without the bit for constructed encodings.
const EMAIL: u8 = 0x81;
const DNS: u8 = 0x82;
const DIRECTORY: u8 = 0x84;
const URI: u8 = 0x86;
const ADDRESS: u8 = 0x87;

/// Maximum name comparisons in all; beyond, the result is unknown.
const MAX_COMPARISONS: usize = 10_000;

/// The combined constraints of a path's CAs.
#[derive(Debug, Default)]
pub(crate) struct Constraints<'a> {
    /// Permitted subtrees of each CA, for the name types that it lists.
    permitted: Vec<Vec<Element<'a>>>,
    excluded: Vec<Element<'a>>,
    compared: usize,
}

impl<'a> Constraints<'a> {
    /// Adds the constraints of a CA.
    pub(crate) fn add(&mut self, constraints: &Elements<'a>) -> Result<(), DerError> {
        let mut fields = constraints.clone();
        let permitted = fields.optional(tag::context(0))?.map(|field| subtrees(&field)).transpose()?;
        let excluded = fields.optional(tag::context(1))?.map(|field| subtrees(&field)).transpose()?;
        self.permitted.extend(permitted);
        self.excluded.extend(excluded.unwrap_or_default());
        Ok(())
    }

    /// Whether all names of a certificate are permitted by all constraints.
    pub(crate) fn admit(&mut self, subject: &Element, extensions: &Extensions) -> Result<bool, DerError> {
        if self.permitted.is_empty() && self.excluded.is_empty() {
            return Ok(true);
        }
        let subject = DistinguishedName::read(subject)?;
        if !subject.is_empty() && !self.admits(DIRECTORY, |base| Ok(subject.is_within(&directory(base)?)))? {
            return Ok(false);
        }
        for name in &extensions.names {
            let is_admitted = match kind(name) {
                DIRECTORY => {
                    let name = directory(name)?;
                    self.admits(DIRECTORY, |base| Ok(name.is_within(&directory(base)?)))?
                }
                ADDRESS => self.admits(ADDRESS, |base| Ok(is_address_within(name.content, base.content)))?,
                kind @ (EMAIL | DNS) => {
                    let text = String::from_utf8_lossy(name.content).to_lowercase();
                    self.admits(kind, |base| Ok(is_text_within(kind, &text, base.content)))?
                }
                URI => {
                    let text = String::from_utf8_lossy(name.content).to_lowercase();
                    // a URI without a host name is in no subtree (4.2.1.10)
                    let host = host(&text);
                    self.admits(URI, |base| Ok(is_text_within(URI, host.ok_or(DerError::Unexpected)?, base.content)))?
                }
                // for other types it is unknown whether the name is in a subtree
                kind => self.admits(kind, |_| Err(DerError::Unexpected))?,
            };
            if !is_admitted {
                return Ok(false);
            }
        }
        // an e-mail address in the subject counts if there is no alternative name of that type
        let has_email = extensions.names.iter().any(|name| kind(name) == EMAIL);
        for email in subject.emails().filter(|_| !has_email) {
            if !self.admits(EMAIL, |base| Ok(is_text_within(EMAIL, email, base.content)))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn admits(&mut self, of: u8, is_within: impl Fn(&Element) -> Result<bool, DerError>) -> Result<bool, DerError> {
        let of_kind = |base: &&Element| kind(base) == of;
        let bases = self.permitted.iter().flatten().chain(&self.excluded).filter(of_kind).count();
        self.compared += bases;
        if self.compared > MAX_COMPARISONS {
            return Err(DerError::Unexpected);
        }
        for permitted in &self.permitted {
            let mut bases = permitted.iter().filter(of_kind).peekable();
            let is_free = bases.peek().is_none();
            let within = bases.map(&is_within).collect::<Result<Vec<bool>, _>>()?;
            if !is_free && !within.contains(&true) {
                return Ok(false);
            }
        }
        let excluded = self.excluded.iter().filter(of_kind).map(&is_within).collect::<Result<Vec<bool>, _>>()?;
        Ok(!excluded.contains(&true))
    }
}

/// The bases of `GeneralSubtrees`, without minimum and maximum.
fn subtrees<'a>(field: &Element<'a>) -> Result<Vec<Element<'a>>, DerError> {
    let mut elements = field.elements()?;
    let mut bases = Vec::new();
    while let Some(subtree) = elements.next()? {
        let mut fields = subtree.elements()?;
        bases.push(fields.next()?.ok_or(DerError::Unexpected)?);
        let is_from_start = fields.optional(tag::context_bytes(0))?.is_none_or(|least| least.content == [0]);
        if !is_from_start || !fields.is_empty() {
            return Err(DerError::Unexpected);
        }
    }
    Ok(bases)
}

fn kind(name: &Element) -> u8 {
    name.tag & !tag::CONSTRUCTED
}

fn directory(name: &Element) -> Result<DistinguishedName, DerError> {
    DistinguishedName::read(&name.elements()?.expect(tag::SEQUENCE)?)
}

fn is_text_within(kind: u8, text: &str, base: &[u8]) -> bool {
    let base = String::from_utf8_lossy(base).to_lowercase();
    // the root of all domain names is optional (RFC 1034, 3.1)
    let (text, base) = (text.trim_end_matches('.'), base.trim_end_matches('.').to_owned());
    let is_below = |host: &str| host.strip_suffix(base.as_str()).is_some_and(|front| !front.is_empty());
    match kind {
        DNS => {
            text == base
                || base.is_empty()
                || text.strip_suffix(base.as_str()).is_some_and(|front| front.ends_with('.'))
        }
        EMAIL if base.contains('@') => text == base,
        EMAIL => {
            let host = text.rsplit('@').next().unwrap_or_default();
            if base.starts_with('.') { is_below(host) } else { host == base }
        }
        _ => {
            if base.starts_with('.') {
                is_below(text)
            } else {
                text == base
            }
        }
    }
}

/// The host name of a URI (RFC 3986, 3.2.2); `None` without a host or with an address.
fn host(text: &str) -> Option<&str> {
    let (_, behind) = text.split_once("://")?;
    let authority = behind.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?.split(':').next()?;
    let is_address = host.starts_with('[') || host.parse::<std::net::Ipv4Addr>().is_ok();
    Some(host).filter(|host| !host.is_empty() && !is_address)
}

/// Compares an address with an address and mask.
fn is_address_within(address: &[u8], base: &[u8]) -> bool {
    let (network, mask) = base.split_at(base.len() / 2);
    address.len() == network.len()
        && address.iter().zip(network).zip(mask).all(|((own, theirs), mask)| own & mask == theirs & mask)
}
