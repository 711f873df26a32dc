//! `trust`: the issuers out of a trusted list of the EU's member states, as `--trust` takes them.

use std::fs;
use std::path::PathBuf;

use base64_simd::STANDARD;
use chrono::{DateTime, Utc};
use clap::{Args, Subcommand};
use engine::{Anchor, AnchorSource};
use quick_xml::events::Event;
use quick_xml::reader::Reader;

/// Services that issue qualified certificates, and the roots of their countries (ETSI TS 119 612, 5.5.1.1).
const TYPES: [&str; 2] =
    ["http://uri.etsi.org/TrstSvc/Svctype/CA/QC", "http://uri.etsi.org/TrstSvc/Svctype/NationalRootCA-QC"];
/// That a service is what it is called (5.5.4).
const GRANTED: &str = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted";

/// Read lists of issuers to trust
#[derive(Debug, Args)]
pub(super) struct TrustCommand {
    #[command(subcommand)]
    action: TrustAction,
}

/// What to do with a list.
#[derive(Debug, Subcommand)]
enum TrustAction {
    /// Print as PEM the issuers of qualified certificates that a trusted list (ETSI TS 119 612) says are granted; its own
    /// signature is not checked
    Read {
        /// The list, as it was downloaded
        #[arg(value_name = "LIST.xml")]
        list: PathBuf,
    },
}

impl TrustCommand {
    /// Prints the issuers.
    ///
    /// # Errors
    /// A sentence: the list cannot be read, is none, or is out of date.
    pub(super) fn run(&self) -> Result<(), Box<dyn std::error::Error>> {
        let TrustAction::Read { list } = &self.action;
        let text = fs::read_to_string(list).map_err(|error| format!("{}: {error}", list.display()))?;
        print!("{}", read(&text, Utc::now()).map_err(|why| format!("{}: {why}", list.display()))?);
        Ok(())
    }
}

/// A service as far as it was read.
#[derive(Default)]
struct ListedService {
    kind: String,
    status: String,
    name: String,
    certificates: Vec<String>,
}

/// The issuers of a list as PEM, each below its name and country.
fn read(text: &str, now: DateTime<Utc>) -> Result<String, String> {
    let mut reader = Reader::from_str(text);
    let (mut path, mut country, mut until) = (Vec::new(), String::new(), None);
    let (mut service, mut pem) = (ListedService::default(), String::new());
    loop {
        match reader.read_event().map_err(|error| format!("is no XML: {error}"))? {
            Event::Start(start) => path.push(start.local_name().as_ref().to_owned()),
            Event::End(_) if path.pop().as_deref() == Some("ServiceInformation") => {
                pem.push_str(&std::mem::take(&mut service).issuers(&country)?);
            }
            Event::Text(text) => {
                let text = text.trim().to_owned();
                let inside: Vec<&str> = path.iter().rev().take(3).map(String::as_str).collect();
                match inside.as_slice() {
                    ["SchemeTerritory", ..] => country = text,
                    ["dateTime", "NextUpdate", ..] => until = DateTime::parse_from_rfc3339(&text).ok(),
                    // what a service was before stands in its history
                    ["ServiceTypeIdentifier", "ServiceInformation", ..] => service.kind = text,
                    ["ServiceStatus", "ServiceInformation", ..] => service.status = text,
                    ["Name", "ServiceName", "ServiceInformation"] if service.name.is_empty() => service.name = text,
                    ["X509Certificate", "DigitalId", "ServiceDigitalIdentity"]
                        if path.iter().any(|part| part == "ServiceInformation") =>
                    {
                        service.certificates.push(text);
                    }
                    _ => {}
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    match until {
        None => Err("is no trusted list, or does not say until when it holds (NextUpdate)".to_owned()),
        Some(until) if until < now => Err(format!("held until {until}: download it again")),
        Some(_) if pem.is_empty() => Err("names no issuer of qualified certificates that is granted".to_owned()),
        Some(_) => Ok(pem),
    }
}

impl ListedService {
    /// Its certificates, if it is an issuer of qualified ones that is granted.
    fn issuers(self, country: &str) -> Result<String, String> {
        if !TYPES.contains(&self.kind.as_str()) || self.status != GRANTED {
            return Ok(String::new());
        }
        let mut pem = String::new();
        for certificate in self.certificates {
            let digits: String = certificate.split_whitespace().collect();
            let bytes = STANDARD.decode_to_vec(&digits).map_err(|_| format!("{}: is not base64", self.name))?;
            // a service may be known by certificates that issue nothing themselves
            if Anchor::read(&bytes, AnchorSource::Operator).is_ok() {
                let name: String = self.name.chars().filter(|letter| !letter.is_control()).collect();
                pem.push_str(&format!(
                    "# {name} ({country})\n-----BEGIN CERTIFICATE-----\n{digits}\n-----END CERTIFICATE-----\n"
                ));
            }
        }
        Ok(pem)
    }
}
