//! The allowance of one file for verifying signatures: values, certificates, revocation lists, OCSP responses and
//! time-stamps spend from it by the length of their keys, and searches of certificate paths by their steps. A pair of
//! statement and issuer is verified once; key identifiers are compared before keys.

use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::certificate::Certificate;
use super::der::{DerError, Element};
use super::name::DistinguishedName;
use super::public_key::PublicKey;
use super::revoked::Entry;
use super::statement::SignedStatement;
use crate::budget::TimeLimit;
use crate::failure::Fault;

/// Steps of one file, each about a microsecond of optimised code. A hundred signatures with time-stamps and OCSP
/// responses by keys of 4,096 bits take 120,000.
const STEPS: u64 = 400_000;
/// Bytes that are hashed, or names and entries that are compared, in one step.
const BYTES_PER_STEP: usize = 200;
/// Steps of one node of a path search, and certificates that are passed over there in one step.
pub(crate) const NODE: usize = 5;
pub(crate) const CANDIDATES_PER_STEP: usize = 4;

/// What is left of the allowance, and what was verified already.
pub(crate) struct Verifications<'v> {
    limit: TimeLimit,
    left: Cell<u64>,
    made: Cell<u32>,
    refused: Cell<u32>,
    fault: Cell<Option<Fault>>,
    /// Whether the second of a pair signed the first: certificates and statements by all their bytes.
    known: RefCell<BTreeMap<[Whole<'v>; 2], bool>>,
    /// What the first of a pair, a list, says of the second, a certificate.
    entries: RefCell<BTreeMap<[Whole<'v>; 2], Result<Entry, DerError>>>,
    names: RefCell<Names<'v>>,
}

/// Names that were read, each once.
#[derive(Default)]
struct Names<'v> {
    known: BTreeMap<Whole<'v>, u32>,
    distinct: BTreeMap<DistinguishedName, u32>,
}

/// The bytes of a certificate or a statement. Those of the document's store are the same slice for each signature, which is
/// quickly seen.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Whole<'v>(&'v [u8]);

impl Ord for Whole<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        if std::ptr::eq(self.0, other.0) { Ordering::Equal } else { self.0.cmp(other.0) }
    }
}

impl PartialOrd for Whole<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<'v> Verifications<'v> {
    pub(crate) fn new(limit: TimeLimit) -> Self {
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

    /// Whether `issuer` has the name that `certificate` gives its issuer, and the key that made the value under it.
    pub(crate) fn is_issued_by(&self, certificate: &Certificate<'v>, issuer: &Certificate<'v>) -> bool {
        self.are_equal(certificate, issuer) && self.is_signed_by(certificate, issuer)
    }

    /// Whether the key of `issuer` made the value under `certificate`.
    pub(crate) fn is_signed_by(&self, certificate: &Certificate<'v>, issuer: &Certificate<'v>) -> bool {
        certificate.names_algorithm
            && !certificate.names_other_key(issuer)
            && self.has_signed(issuer, &certificate.statement())
    }

    /// Whether its own key verifies it, under its own name.
    pub(crate) fn is_root(&self, certificate: &Certificate<'v>) -> bool {
        self.is_issued_by(certificate, certificate)
    }

    /// Whether the key of `signer` made the value under a statement.
    pub(crate) fn has_signed(&self, signer: &Certificate<'v>, statement: &SignedStatement<'v>) -> bool {
        let pair = [Whole(statement.raw), Whole(signer.raw)];
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

    /// What the first of a pair, a list, says of the second, a certificate: read once, unless the allowance ends meanwhile.
    pub(crate) fn remember(
        &self,
        [list, certificate]: [&'v [u8]; 2],
        read: impl FnOnce() -> Result<Entry, DerError>,
    ) -> Result<Entry, DerError> {
        let pair = [Whole(list), Whole(certificate)];
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

    /// Whether one more value may be verified by this key, of a message of this length. Time is checked first.
    pub(crate) fn may_verify(&self, key: PublicKey, length: usize) -> bool {
        if let Some(fault) = self.fault.take().or_else(|| self.limit.check().err()) {
            self.fault.set(Some(fault));
            return self.refuse();
        }
        let may_verify = self.spend(key.cost() + length / BYTES_PER_STEP);
        self.made.update(|made| made + u32::from(may_verify));
        may_verify
    }

    /// Spends steps of comparing so many bytes; whether they were left.
    pub(crate) fn compare(&self, bytes: usize) -> bool {
        self.spend(1 + bytes / BYTES_PER_STEP)
    }

    /// Spends steps; whether they were left.
    pub(crate) fn spend(&self, steps: usize) -> bool {
        match self.left.get().checked_sub(steps as u64) {
            Some(left) => {
                self.left.set(left);
                true
            }
            None => self.refuse(),
        }
    }

    /// How often something was refused so far: what was judged meanwhile is inconclusive.
    pub(crate) fn refused(&self) -> u32 {
        self.refused.get()
    }

    /// How many values were verified.
    pub(crate) fn made(&self) -> u32 {
        self.made.get()
    }

    /// Why time ran out, if it did.
    pub(crate) fn end(&self) -> Result<(), Fault> {
        self.fault.take().map_or(Ok(()), Err)
    }

    fn refuse(&self) -> bool {
        self.refused.update(|refused| refused + 1);
        false
    }

    /// Whether `issuer` has the name that `certificate` gives its issuer.
    pub(crate) fn are_equal(&self, certificate: &Certificate<'v>, issuer: &Certificate<'v>) -> bool {
        self.are_same(&certificate.issuer, &issuer.subject)
    }

    /// Whether two names are the same.
    pub(crate) fn are_same(&self, one: &Element<'v>, other: &Element<'v>) -> bool {
        one.content == other.content || self.name(one).is_some_and(|one| self.name(other) == Some(one))
    }

    /// A number for a name, the same for all that are equal; none if the allowance is used up.
    pub(crate) fn name(&self, name: &Element<'v>) -> Option<u32> {
        if let Some(known) = self.names.borrow().known.get(&Whole(name.raw)) {
            return Some(*known);
        }
        if !self.compare(name.raw.len()) {
            return None;
        }
        let mut names = self.names.borrow_mut();
        let next = names.known.len() as u32;
        let number = match DistinguishedName::read(name) {
            Ok(read) => *names.distinct.entry(read).or_insert(next),
            // equal to none but itself
            Err(_) => next,
        };
        names.known.insert(Whole(name.raw), number);
        Some(number)
    }
}
