//! `trust`: extracts issuers from a trusted list of an EU member state, for `--trust`.

use std::fs;
use std::path::PathBuf;

use base64_simd::STANDARD;
use chrono::{DateTime, NaiveDateTime, Utc};
use clap::{Args, Subcommand};
use engine::{Anchor, AnchorSource, is_unseen};
use quick_xml::events::{BytesRef, Event};
use quick_xml::reader::Reader;

/// Types of services that issue qualified certificates, and of national roots (ETSI TS 119 612, 5.5.1.1).
const SERVICE_TYPES: [&str; 2] =
    ["http://uri.etsi.org/TrstSvc/Svctype/CA/QC", "http://uri.etsi.org/TrstSvc/Svctype/NationalRootCA-QC"];
/// Status of an approved service (5.5.4).
const STATUS_GRANTED: &str = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted";
/// Purposes of its qualified certificates, if listed (5.5.9.4): only for web sites is not for documents. Seals are
/// signatures of organizations.
const FOR_WEB_SITES: &str = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/ForWebSiteAuthentication";
const FOR_DOCUMENTS: [&str; 2] = [
    "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/ForeSignatures",
    "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/ForeSeals",
];
/// The first line of the output.
const UNVERIFIED: &str =
    "# NOT VERIFIED: the signature of this list was not checked; download it from an address that you trust.\n";
/// Maximum characters of a printed name.
const MAX_NAME_CHARACTERS: usize = 100;

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
    /// A sentence, if the list cannot be read, is invalid or out of date.
    pub(super) fn run(&self) -> Result<(), Box<dyn std::error::Error>> {
        let TrustAction::Read { list } = &self.action;
        let text = fs::read_to_string(list).map_err(|error| format!("{}: {error}", list.display()))?;
        let read = read(&text, Utc::now());
        for dropped in &read.dropped {
            eprintln!("{}: {dropped}", list.display());
        }
        print!("{UNVERIFIED}{}", read.pem.map_err(|why| format!("{}: {why}", list.display()))?);
        Ok(())
    }
}

/// A service being read.
#[derive(Default)]
struct ListedService {
    kind: String,
    status: String,
    name: String,
    uses: Vec<String>,
    certificates: Vec<String>,
}

/// The result of a list.
struct ReadList {
    /// The issuers as PEM, each below its name and country.
    pem: Result<String, String>,
    /// Invalid services and certificates, with their errors.
    dropped: Vec<String>,
}

/// Reads the issuers of a list.
fn read(text: &str, now: DateTime<Utc>) -> ReadList {
    let mut list = TrustedList::default();
    let pem = list.read(text).and_then(|()| match list.until {
        None => Err("is no trusted list, or does not say until when it holds (NextUpdate)".to_owned()),
        Some(until) if until < now => Err(format!("held until {until}: download it again")),
        Some(_) if list.pem.is_empty() => Err("names no issuer of qualified certificates that is granted".to_owned()),
        Some(_) => Ok(std::mem::take(&mut list.pem)),
    });
    ReadList { pem, dropped: list.dropped }
}

#[derive(Default)]
struct TrustedList {
    country: String,
    until: Option<DateTime<Utc>>,
    service: ListedService,
    pem: String,
    dropped: Vec<String>,
}

impl TrustedList {
    fn read(&mut self, text: &str) -> Result<(), String> {
        let mut reader = Reader::from_str(text);
        // the open elements with their text so far, which is split by comments, references and CDATA
        let mut open: Vec<(String, String)> = Vec::new();
        loop {
            let own = open.last_mut().map(|(_, text)| text);
            match (reader.read_event().map_err(|error| format!("is no XML: {error}"))?, own) {
                (Event::Start(start), _) => open.push((start.local_name().as_ref().to_owned(), String::new())),
                (Event::End(_), _) => {
                    let path: Vec<&str> = open.iter().rev().map(|(name, _)| name.as_str()).collect();
                    let text = open.last().map(|(_, text)| text.trim().to_owned()).unwrap_or_default();
                    self.take(&path, text);
                    open.pop();
                }
                (Event::Text(text), Some(own)) => own.push_str(&text),
                (Event::CData(text), Some(own)) => own.push_str(&text),
                (Event::GeneralRef(reference), Some(own)) => own.push(resolve(&reference)?),
                (Event::Eof, _) => return Ok(()),
                _ => {}
            }
        }
    }

    /// Handles the text of a completed element, by its path of names.
    fn take(&mut self, path: &[&str], text: String) {
        let service = &mut self.service;
        match path {
            // pointers contain the territories of other lists
            ["SchemeTerritory", "SchemeInformation", ..] => self.country = text,
            ["dateTime", "NextUpdate", "SchemeInformation", ..] => self.until = time(&text),
            // earlier states of a service are in its history
            ["ServiceTypeIdentifier", "ServiceInformation", ..] => service.kind = text,
            ["ServiceStatus", "ServiceInformation", ..] => service.status = text,
            ["Name", "ServiceName", "ServiceInformation", ..] if service.name.is_empty() => service.name = text,
            [
                "URI",
                "AdditionalServiceInformation",
                "Extension",
                "ServiceInformationExtensions",
                "ServiceInformation",
                ..,
            ] => {
                service.uses.push(text);
            }
            ["X509Certificate", "DigitalId", "ServiceDigitalIdentity", "ServiceInformation", ..] => {
                service.certificates.push(text);
            }
            ["ServiceInformation", ..] => {
                let service = std::mem::take(service);
                self.take_service(&service);
            }
            _ => {}
        }
    }

    /// Takes the certificates of a service, if it is a granted issuer of qualified certificates.
    fn take_service(&mut self, service: &ListedService) {
        if !SERVICE_TYPES.contains(&service.kind.as_str()) || service.status != STATUS_GRANTED {
            return;
        }
        let seen = service.name.chars().filter(|letter| !is_unseen(*letter));
        let name: String = seen.take(MAX_NAME_CHARACTERS).collect();
        let is_for = |wanted: &str| service.uses.iter().any(|found| found == wanted);
        if is_for(FOR_WEB_SITES) && !FOR_DOCUMENTS.into_iter().any(is_for) {
            self.dropped.push(format!("{name}: left out, it is qualified for web sites alone"));
            return;
        }
        for certificate in &service.certificates {
            let digits: String = certificate.split_whitespace().collect();
            let read = match STANDARD.decode_to_vec(&digits) {
                // a service may be identified by certificates that are no issuers
                Ok(bytes) => Anchor::read(&bytes, AnchorSource::Operator).map_err(|fault| fault.to_string()),
                Err(_) => Err("is not base64".to_owned()),
            };
            match read {
                Ok(_) => self.pem.push_str(&format!(
                    "# {name} ({})\n-----BEGIN CERTIFICATE-----\n{digits}\n-----END CERTIFICATE-----\n",
                    self.country
                )),
                Err(why) => self.dropped.push(format!("{name}: a certificate was left out: {why}")),
            }
        }
    }
}

/// Resolves a reference (XML 1.0, 4.1 and 4.6).
fn resolve(reference: &BytesRef) -> Result<char, String> {
    let unknown = || "is no XML: it refers to an entity that is not declared".to_owned();
    match reference.resolve_char_ref().map_err(|error| format!("is no XML: {error}"))? {
        Some(letter) => Ok(letter),
        None => match &**reference {
            "amp" => Ok('&'),
            "lt" => Ok('<'),
            "gt" => Ok('>'),
            "quot" => Ok('"'),
            "apos" => Ok('\''),
            _ => Err(unknown()),
        },
    }
}

/// Parses an `xs:dateTime`; the lists' default zone is UTC (ETSI TS 119 612, 5.1.4).
fn time(text: &str) -> Option<DateTime<Utc>> {
    let zoned = DateTime::parse_from_rfc3339(text).map(|time| time.to_utc());
    zoned.or_else(|_| text.parse::<NaiveDateTime>().map(|time| time.and_utc())).ok()
}
