//! Distribution points: the CRLs that a certificate refers to (RFC 5280, 4.2.1.13), and the scope of a CRL (5.2.5).

use crate::certificate::Certificate;
use crate::der::{DerError, Element, Elements, tag};
use crate::name::DistinguishedName;

/// `id-ce-cRLDistributionPoints`.
const DISTRIBUTION_POINTS: &[u8] = &[0x55, 0x1d, 31];
/// Revocation reasons by the bits of `ReasonFlags` (4.2.1.13), the first of which is unused.
pub(crate) type Reasons = u16;
pub(crate) const ALL_REASONS: Reasons = 0b1_1111_1110;

/// A name of a distribution point.
#[derive(Debug, Clone)]
enum PointName<'a> {
    /// Any of these `GeneralNames`.
    Full(Vec<Element<'a>>),
    /// A relative name below the issuer of the CRL.
    Relative(Element<'a>),
}

/// The scope of a CRL; unrestricted by default.
#[derive(Debug, Clone, Default)]
pub struct Scope<'a> {
    /// The encoded extension, for comparing two scopes.
    pub raw: &'a [u8],
    /// Whether it lists certificates of other issuers.
    pub(crate) is_indirect: bool,
    name: Option<PointName<'a>>,
    is_of_users: bool,
    is_of_authorities: bool,
    is_of_attributes: bool,
    reasons: Option<Reasons>,
}

/// A distribution point of a certificate.
#[derive(Debug, Clone, Default)]
struct DistributionPoint<'a> {
    name: Option<PointName<'a>>,
    reasons: Option<Reasons>,
    /// Names of the CRL's issuer, if it is not the certificate's.
    issuers: Vec<Element<'a>>,
}

/// All distribution points of a certificate.
#[derive(Debug, Clone)]
pub(crate) struct DistributionPoints<'a>(Vec<DistributionPoint<'a>>);

impl<'a> Scope<'a> {
    /// Reads an `IssuingDistributionPoint`.
    pub(crate) fn read(raw: &'a [u8]) -> Result<Self, DerError> {
        let mut fields = Elements::new(raw).enter(tag::SEQUENCE)?;
        let name = fields.optional(tag::context(0))?.map(|field| PointName::read(&field)).transpose()?;
        let is_of_users = flag(&mut fields, 1)?;
        let is_of_authorities = flag(&mut fields, 2)?;
        let reasons = fields.optional(tag::context_bytes(3))?.map(|field| reasons(&field));
        let is_indirect = flag(&mut fields, 4)?;
        let is_of_attributes = flag(&mut fields, 5)?;
        if !fields.is_empty() {
            return Err(DerError::Unexpected);
        }
        Ok(Self { raw, is_indirect, name, is_of_users, is_of_authorities, is_of_attributes, reasons })
    }
}

impl<'a> PointName<'a> {
    /// Reads a `DistributionPointName`, a choice that is tagged explicitly.
    fn read(field: &Element<'a>) -> Result<Self, DerError> {
        let choice = field.elements()?.next()?.ok_or(DerError::Unexpected)?;
        match choice.tag {
            0xa0 => Ok(Self::Full(all(&choice)?)),
            0xa1 => Ok(Self::Relative(choice)),
            _ => Err(DerError::Unexpected),
        }
    }

    /// The full names, relative to this issuer.
    fn names(&self, issuer: &Element<'a>) -> Result<Vec<Name<'a>>, DerError> {
        match self {
            Self::Full(names) => names.iter().map(Name::read).collect(),
            Self::Relative(part) => Ok(vec![Name::Directory(DistinguishedName::read(issuer)?.below(part)?)]),
        }
    }
}

/// A `GeneralName` in comparable form.
#[derive(PartialEq)]
enum Name<'a> {
    Directory(DistinguishedName),
    Other(u8, &'a [u8]),
}

impl<'a> Name<'a> {
    fn read(name: &Element<'a>) -> Result<Self, DerError> {
        if name.tag == tag::context(4) {
            let name = name.elements()?.expect(tag::SEQUENCE)?;
            return Ok(Self::Directory(DistinguishedName::read(&name)?));
        }
        Ok(Self::Other(name.tag, name.content))
    }
}

impl<'a> DistributionPoints<'a> {
    /// The distribution points of a certificate; without any, each CRL of its issuer applies.
    pub(crate) fn of(certificate: &Certificate<'a>) -> Result<Self, DerError> {
        let Some(value) = certificate.extension(DISTRIBUTION_POINTS) else {
            return Ok(Self(vec![DistributionPoint::default()]));
        };
        let mut points = Vec::new();
        let mut elements = Elements::new(value).enter(tag::SEQUENCE)?;
        while let Some(point) = elements.next()? {
            let mut fields = point.elements()?;
            points.push(DistributionPoint {
                name: fields.optional(tag::context(0))?.map(|field| PointName::read(&field)).transpose()?,
                reasons: fields.optional(tag::context_bytes(1))?.map(|field| reasons(&field)),
                issuers: fields.optional(tag::context(2))?.map(|field| all(&field)).transpose()?.unwrap_or_default(),
            });
        }
        Ok(Self(points))
    }

    /// Whether they name this CRL issuer.
    pub(crate) fn name_issuer(&self, issuer: &Element<'a>) -> bool {
        self.0.iter().any(|point| point.names_issuer(issuer))
    }

    /// The reasons for which a CRL covers the certificate (6.3.3, b to e); `None` if it does not.
    pub(crate) fn reasons(
        &self,
        (scope, issuer): (&Scope<'a>, &Element<'a>),
        certificate: &Certificate<'a>,
        is_authority: bool,
    ) -> Result<Reasons, DerError> {
        if scope.is_of_attributes || scope.is_of_users && is_authority || scope.is_of_authorities && !is_authority {
            return Ok(0);
        }
        let is_issuers = DistinguishedName::are_equal(issuer, &certificate.issuer);
        let mut covered = 0;
        for point in &self.0 {
            let is_named = match point.issuers.is_empty() {
                true => is_issuers,
                false => point.names_issuer(issuer) && (scope.is_indirect || is_issuers),
            };
            if is_named && point.is_of((scope, issuer), certificate)? {
                covered |= point.reasons.unwrap_or(ALL_REASONS) & scope.reasons.unwrap_or(ALL_REASONS);
            }
        }
        Ok(covered)
    }
}

impl<'a> DistributionPoint<'a> {
    fn names_issuer(&self, issuer: &Element<'a>) -> bool {
        let is_it = |name: &Element<'a>| {
            let directory = name.elements().and_then(|mut elements| elements.expect(tag::SEQUENCE));
            name.tag == tag::context(4) && directory.is_ok_and(|name| DistinguishedName::are_equal(&name, issuer))
        };
        self.issuers.iter().any(is_it)
    }

    /// Whether a CRL belongs to this point, by their names.
    fn is_of(
        &self,
        (scope, issuer): (&Scope<'a>, &Element<'a>),
        certificate: &Certificate<'a>,
    ) -> Result<bool, DerError> {
        let Some(scope) = &scope.name else { return Ok(true) };
        let of_scope = scope.names(issuer)?;
        let own = match &self.name {
            Some(name) => name.names(if self.issuers.is_empty() { &certificate.issuer } else { issuer })?,
            None => self.issuers.iter().map(Name::read).collect::<Result<_, _>>()?,
        };
        Ok(of_scope.iter().any(|name| own.contains(name)))
    }
}

/// The bits of `ReasonFlags`, the first bit first.
fn reasons(field: &Element) -> Reasons {
    let bytes = field.content.get(1..).unwrap_or_default();
    let bit = |number: usize| {
        let is_set = bytes.get(number / 8).is_some_and(|byte| byte & (0x80 >> (number % 8)) != 0);
        u16::from(is_set) << number
    };
    (1..9).map(bit).sum()
}

fn flag(fields: &mut Elements, number: u8) -> Result<bool, DerError> {
    Ok(fields.optional(tag::context_bytes(number))?.is_some_and(|flag| flag.content != [0]))
}

fn all<'a>(field: &Element<'a>) -> Result<Vec<Element<'a>>, DerError> {
    let mut elements = field.elements()?;
    let mut all = Vec::new();
    while let Some(element) = elements.next()? {
        all.push(element);
    }
    Ok(all)
}
