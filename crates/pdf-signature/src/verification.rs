//! The budget of one file for verifying signatures: values, certificates, CRLs, OCSP responses and time-stamps cost
//! steps by the length of their keys, and path searches by their nodes. A pair of statement and issuer is verified
//! once; key identifiers are compared before keys.

use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::certificate::Certificate;
use crate::der::{DerError, Element};
use crate::name::DistinguishedName;
use crate::public_key::PublicKey;
use crate::revoked::Entry;
use crate::statement::SignedStatement;
use pdf_syntax::budget::TimeLimit;
use pdf_syntax::failure::Fault;

/// Steps of one file, each about a microsecond of optimized code. A hundred signatures with time-stamps and OCSP
/// responses and keys of 4,096 bits take 120,000.
const STEPS: u64 = 400_000;
/// Bytes hashed, or names and entries compared, per step.
const BYTES_PER_STEP: usize = 200;
/// Steps per node of a path search, and certificates skipped there per step.
pub const NODE: usize = 5;
pub(crate) const CANDIDATES_PER_STEP: usize = 4;

/// The remaining budget and the results so far.
pub struct Verifications<'v> {
    limit: TimeLimit,
    left: Cell<u64>,
    made: Cell<u32>,
    refused: Cell<u32>,
    fault: Cell<Option<Fault>>,
    /// Whether the second of a pair signed the first: certificates and statements by their encodings.
    known: RefCell<BTreeMap<[EncodedBytes<'v>; 2], bool>>,
    /// The statement of the first of a pair, a CRL, about the second, a certificate.
    entries: RefCell<BTreeMap<[EncodedBytes<'v>; 2], Result<Entry, DerError>>>,
    names: RefCell<Names<'v>>,
}

/// Parsed names, each once.
#[derive(Default)]
struct Names<'v> {
    known: BTreeMap<EncodedBytes<'v>, u32>,
    distinct: BTreeMap<DistinguishedName, u32>,
}

/// The encoding of a certificate or a statement. Those in the document's store are the same slice for each signature,
/// which makes comparisons fast.
#[derive(Clone, Copy, PartialEq, Eq)]
struct EncodedBytes<'v>(&'v [u8]);

impl Ord for EncodedBytes<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        if std::ptr::eq(self.0, other.0) { Ordering::Equal } else { self.0.cmp(other.0) }
    }
}

impl PartialOrd for EncodedBytes<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<'v> Verifications<'v> {
    /// Returns the full budget of a file, within these time limits.
    pub fn new(limit: TimeLimit) -> Self {
        Self {
            limit,
            left: Cell::new(STEPS),
            made: Cell::new(0),
            refused: Cell::new(0),
            fault: Cell::new(None),
            known: RefCell::default(),
            entries: RefCell::default(),
            names: RefCell::default(),
        }
    }

    /// Whether the names of `issuer` and of the issuer in `certificate` are equal and its key verifies the certificate.
    pub fn is_issued_by(&self, certificate: &Certificate<'v>, issuer: &Certificate<'v>) -> bool {
        self.are_equal(certificate, issuer) && self.is_signed_by(certificate, issuer)
    }

    /// Whether the key of `issuer` verifies `certificate`.
    pub fn is_signed_by(&self, certificate: &Certificate<'v>, issuer: &Certificate<'v>) -> bool {
        certificate.names_algorithm
            && !certificate.names_other_key(issuer)
            && self.has_signed(issuer, &certificate.statement())
    }

    /// Whether it is self-signed with its own name.
    pub fn is_root(&self, certificate: &Certificate<'v>) -> bool {
        self.is_issued_by(certificate, certificate)
    }

    /// Whether the key of `signer` verifies a statement.
    pub(crate) fn has_signed(&self, signer: &Certificate<'v>, statement: &SignedStatement<'v>) -> bool {
        let pair = [EncodedBytes(statement.raw), EncodedBytes(signer.raw)];
        if let Some(known) = self.known.borrow().get(&pair) {
            return *known;
        }
        let (Ok(key), Some(scheme)) = (signer.key(), statement.algorithm.scheme(None)) else { return false };
        if !self.may_verify(key, statement.signed.len()) {
            return false;
        }
        let is_signed = scheme.verify(key, statement.signed, statement.value).is_ok();
        self.known.borrow_mut().insert(pair, is_signed);
        is_signed
    }

    /// The statement of a CRL about a certificate, read once unless the budget ends in between.
    pub(crate) fn cached_entry(
        &self,
        [list, certificate]: [&'v [u8]; 2],
        read: impl FnOnce() -> Result<Entry, DerError>,
    ) -> Result<Entry, DerError> {
        let pair = [EncodedBytes(list), EncodedBytes(certificate)];
        if let Some(known) = self.entries.borrow().get(&pair) {
            return *known;
        }
        let refused = self.refused();
        let entry = read();
        if self.refused() == refused {
            self.entries.borrow_mut().insert(pair, entry);
        }
        entry
    }

    /// Whether a value with this key and message length may still be verified. Time is checked first.
    pub(crate) fn may_verify(&self, key: PublicKey, length: usize) -> bool {
        if let Some(fault) = self.fault.take().or_else(|| self.limit.check().err()) {
            self.fault.set(Some(fault));
            return self.refuse();
        }
        let may_verify = self.spend(key.cost() + length / BYTES_PER_STEP);
        self.made.update(|made| made + u32::from(may_verify));
        may_verify
    }

    /// Spends steps for comparing bytes; returns whether they were available.
    pub fn compare(&self, bytes: usize) -> bool {
        self.spend(1 + bytes / BYTES_PER_STEP)
    }

    /// Spends steps; returns whether they were available.
    pub(crate) fn spend(&self, steps: usize) -> bool {
        match self.left.get().checked_sub(steps as u64) {
            Some(left) => {
                self.left.set(left);
                true
            }
            None => self.refuse(),
        }
    }

    /// The number of refusals so far: results obtained in between are inconclusive.
    pub fn refused(&self) -> u32 {
        self.refused.get()
    }

    /// The number of verified values.
    pub fn made(&self) -> u32 {
        self.made.get()
    }

    /// The timeout, if time ran out.
    pub fn end(&self) -> Result<(), Fault> {
        self.fault.take().map_or(Ok(()), Err)
    }

    fn refuse(&self) -> bool {
        self.refused.update(|refused| refused + 1);
        false
    }

    /// Whether the names of `issuer` and of the issuer in `certificate` are equal.
    pub(crate) fn are_equal(&self, certificate: &Certificate<'v>, issuer: &Certificate<'v>) -> bool {
        self.are_same(&certificate.issuer, &issuer.subject)
    }

    /// Whether two names are equal.
    pub fn are_same(&self, one: &Element<'v>, other: &Element<'v>) -> bool {
        one.content == other.content || self.name(one).is_some_and(|one| self.name(other) == Some(one))
    }

    /// Returns a number for a name, equal for equal names; `None` if the budget is used up.
    pub fn name(&self, name: &Element<'v>) -> Option<u32> {
        if let Some(known) = self.names.borrow().known.get(&EncodedBytes(name.raw)) {
            return Some(*known);
        }
        if !self.compare(name.raw.len()) {
            return None;
        }
        let mut names = self.names.borrow_mut();
        let next = names.known.len() as u32;
        let number = match DistinguishedName::read(name) {
            Ok(read) => *names.distinct.entry(read).or_insert(next),
            // equal only to itself
            Err(_) => next,
        };
        names.known.insert(EncodedBytes(name.raw), number);
        Some(number)
    }
}
