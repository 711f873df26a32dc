//! Issuers to trust, from requests: certificates and a name.

use engine::{Anchor, AnchorFault, AnchorSource};
use utoipa::ToSchema;

use crate::error::{Error, FieldErrors};
use crate::filename::is_visible;
use crate::http::Fields;

/// Most characters of a name.
const MAX_CHARACTERS: usize = 100;
const MISSING: &str = "is required: the issuers' certificates as PEM";

/// Issuers to trust.
#[derive(ToSchema)]
pub struct TrustRequest {
    /// One or more certificates of issuers (RFC 7468); text between them is ignored. The request has at most 64 KiB.
    #[schema(
        value_type = String,
        example = "-----BEGIN CERTIFICATE-----\n\
        MIIBkjCCATmgAwIBAgIUda3C0uNn5EMEuGPjJdeyMJQ4aI0wCgYIKoZIzj0EAwIw\n\
        FzEVMBMGA1UEAwwMRXhhbXBsZSBSb290MB4XDTI2MTEyNDAyMDE0OVoXDTQ2MTEx\n\
        OTAyMDE0OVowFzEVMBMGA1UEAwwMRXhhbXBsZSBSb290MFkwEwYHKoZIzj0CAQYI\n\
        KoZIzj0DAQcDQgAEKUCcS8Tg5BL3ws32CsOOmNPyPlNC6LrpdFckklZy/lBBCaYe\n\
        y7fjOh8wEehUo9ZxsSqe5kuTXzUU5BtyJMz9e6NjMGEwHQYDVR0OBBYEFMtjCucR\n\
        TRHL7SP3Ygb6XloJwETHMB8GA1UdIwQYMBaAFMtjCucRTRHL7SP3Ygb6XloJwETH\n\
        MA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMAoGCCqGSM49BAMCA0cA\n\
        MEQCIH6NJz7s59504sK2vHJy2gufMNaUAIh6mwwyOaiRFHbHAiBww+j29BHJXGGw\n\
        uHgW9WM9CbLwXNZruthZmWBoCEZYsA==\n\
        -----END CERTIFICATE-----\n"
    )]
    pub pem: Vec<Anchor>,
    /// A name for them, at most 100 characters; the default is the subject of each certificate.
    #[schema(max_length = 100, example = "Our suppliers")]
    pub name: Option<String>,
}

impl TrustRequest {
    /// Reads `pem` and `name`.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the invalid fields.
    pub fn read(fields: &Fields) -> Result<Self, Error> {
        let mut errors = FieldErrors::default();
        let pem = fields.required("pem", MISSING, &mut errors).unwrap_or_default();
        let name = fields.optional("name", &mut errors).map(str::trim).filter(|name| !name.is_empty());
        if name.is_some_and(|name| name.chars().count() > MAX_CHARACTERS || !name.chars().all(is_visible)) {
            errors.add("name", "must have at most 100 characters, none of them a control or invisible character");
        }
        let pem = errors.or(pem)?;
        let read = Anchor::read(pem.as_bytes(), AnchorSource::Account);
        let pem = read.map_err(|fault| Error::Invalid(FieldErrors::one("pem", reason(fault))))?;
        Ok(Self { pem, name: name.map(str::to_owned) })
    }
}

fn reason(fault: AnchorFault) -> &'static str {
    match fault {
        AnchorFault::Nothing => "has no certificate: send PEM, each certificate between its BEGIN and its END line",
        AnchorFault::Unreadable(_) => "has a certificate that cannot be read",
        AnchorFault::NoAuthority(_) => "has a certificate that may not issue others: send its issuer's",
    }
}
