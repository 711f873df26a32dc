//! `--trust` and `pdf-analysis trust read`: issuers out of files.

use std::fs::write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use samples::signed::{Certificate, Key};
use serde_json::Value;
use tempfile::tempdir;
use tests::trust::{authority, signed_under};

use crate::{output, refusal, run};

/// A service of a trusted list (ETSI TS 119 612, 5.5), which once was something else.
fn service(name: &str, kind: &str, status: &str) -> String {
    let certificate = STANDARD.encode(Certificate::authority(Key::P256, name).make());
    let identity = format!("<DigitalId><X509Certificate>{certificate}</X509Certificate></DigitalId>");
    format!(
        "<TSPService><ServiceInformation>\
           <ServiceTypeIdentifier>http://uri.etsi.org/TrstSvc/Svctype/{kind}</ServiceTypeIdentifier>\
           <ServiceName><Name xml:lang=\"en\">{name} &amp; Co</Name></ServiceName>\
           <ServiceDigitalIdentity>{identity}</ServiceDigitalIdentity>\
           <ServiceStatus>http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/{status}</ServiceStatus>\
         </ServiceInformation><ServiceHistory><ServiceHistoryInstance>\
           <ServiceTypeIdentifier>http://uri.etsi.org/TrstSvc/Svctype/CA/QC</ServiceTypeIdentifier>\
           <ServiceDigitalIdentity>{identity}</ServiceDigitalIdentity>\
           <ServiceStatus>http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted</ServiceStatus>\
         </ServiceHistoryInstance></ServiceHistory></TSPService>"
    )
}

fn list(until: &str, services: &[String]) -> String {
    format!(
        "<?xml version=\"1.0\"?><TrustServiceStatusList xmlns=\"http://uri.etsi.org/02231/v2#\"><SchemeInformation>\
         <SchemeTerritory>DE</SchemeTerritory><NextUpdate><dateTime>{until}</dateTime></NextUpdate></SchemeInformation>\
         <TrustServiceProviderList>{}</TrustServiceProviderList></TrustServiceStatusList>",
        services.concat()
    )
}

#[test]
fn issuers_of_a_trusted_list_are_printed_as_trust_takes_them() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let services = [
        service("Granted", "CA/QC", "granted"),
        service("National", "NationalRootCA-QC", "granted"),
        service("Withdrawn", "CA/QC", "withdrawn"),
        service("Clock", "TSA/QTST", "granted"),
    ];
    write(path("list.xml"), list("2999-01-01T00:00:00Z", &services)).unwrap();
    let pem = output(&["trust", "read", &path("list.xml")]);
    let named: Vec<&str> = pem.lines().filter(|line| line.starts_with('#')).collect();
    assert_eq!(named.len(), 3, "{pem}");
    assert!(pem.starts_with("# NOT VERIFIED"), "{pem}");
    assert!(named[1].starts_with("# Granted") && named[1].ends_with("(DE)"), "{pem}");
    write(path("issuers.pem"), pem).unwrap();
    for (issuer, expected) in [("Granted", "trusted"), ("National", "trusted"), ("Withdrawn", "not_trusted")] {
        write(path("a.pdf"), signed_under(issuer)).unwrap();
        let line = output(&["inspect", "--trust", &path("issuers.pem"), &path("a.pdf")]);
        let told: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(told["metadata"]["integrity"]["signatures"][0]["trust"]["status"], expected, "{issuer}");
    }
}

/// The names that are printed of a list with this one service, and what is said on stderr.
fn printed(list: &str) -> (Vec<String>, String) {
    let folder = tempdir().unwrap();
    let path = folder.path().join("list.xml");
    write(&path, list).unwrap();
    let done = run(&["trust", "read", path.to_str().unwrap()]);
    let lines = done.output.lines().filter(|line| !line.starts_with("# NOT VERIFIED"));
    let names = lines.filter_map(|line| line.strip_prefix("# ")).map(str::to_owned).collect();
    (names, done.errors)
}

#[test]
fn texts_of_a_list_are_read_whole_however_they_are_written() {
    let until = "2999-01-01T00:00:00Z";
    let granted = service("Granted", "CA/QC", "granted");
    let certificate = |change: &dyn Fn(&str) -> String| {
        let (before, rest) = granted.split_once("<X509Certificate>").unwrap();
        let (text, after) = rest.split_once("</X509Certificate>").unwrap();
        list(until, &[format!("{before}<X509Certificate>{}</X509Certificate>{after}", change(text))])
    };
    let whole = list(until, std::slice::from_ref(&granted));
    let after = |at: &str, more: &str| whole.replacen(at, &format!("{at}{more}"), 1);
    let extension = |uses: &[&str]| {
        let each = uses.iter().map(|of| {
            let uri = format!("http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/{of}");
            format!(
                "<Extension><AdditionalServiceInformation><URI>{uri}</URI></AdditionalServiceInformation></Extension>"
            )
        });
        let all = format!("<ServiceInformationExtensions>{}</ServiceInformationExtensions>", each.collect::<String>());
        after("/granted</ServiceStatus>", &all)
    };
    let pointer = "<PointersToOtherTSL><OtherTSLPointer><AdditionalInformation><OtherInformation><SchemeTerritory>EU\
                   </SchemeTerritory></OtherInformation></AdditionalInformation></OtherTSLPointer></PointersToOtherTSL>";
    let name = "Granted & Co (DE)";
    for (text, expected, why) in [
        (whole.clone(), name, ""),
        (certificate(&|text| text.replace("MII", "MII&#13;\n")), name, ""),
        (certificate(&|text| format!("<![CDATA[{text}]]>")), name, ""),
        (certificate(&|text| text.replace("MII", "MII<!-- a note -->")), name, ""),
        (whole.replace("Svcstatus/granted<", "Svcstatus/gran<!-- a note -->ted<"), name, ""),
        (whole.replace("Svcstatus/granted<", "Svcstatus/granted<!-- a note -->not<"), "", "no issuer"),
        (after("<SchemeTerritory>DE</SchemeTerritory>", pointer), name, ""),
        (whole.replace(until, "2999-01-01T00:00:00"), name, ""),
        (whole.replace(until, "2999-01-01T00:00:00.5+02:00"), name, ""),
        (extension(&["ForWebSiteAuthentication"]), "", "for web sites alone"),
        (extension(&["ForWebSiteAuthentication", "ForeSignatures"]), name, ""),
        (extension(&["ForeSeals"]), name, ""),
        (
            certificate(&|text| text.replace("MII", "M*I")),
            "",
            "Granted & Co: a certificate was left out: is not base64",
        ),
        (certificate(&|_| STANDARD.encode(b"no certificate")), "", "a certificate was left out"),
        (whole.replace("&amp;", "&other;"), "", "not declared"),
    ] {
        let (names, said) = printed(&text);
        assert_eq!(names.join(""), expected, "{said}");
        assert!(said.contains(why) && said.is_empty() == why.is_empty(), "{why}: {said}");
    }
    // a name becomes no certificate
    let (before, rest) = whole.split_once("Granted &amp;").unwrap();
    let hidden = format!("{before}-----BEGIN CERTIFICATE-----MII-----END CERTIFICATE-----\u{202e}{rest}");
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    write(path("list.xml"), hidden).unwrap();
    write(path("issuers.pem"), output(&["trust", "read", &path("list.xml")])).unwrap();
    write(path("a.pdf"), signed_under("Granted")).unwrap();
    let line = output(&["inspect", "--trust", &path("issuers.pem"), &path("a.pdf")]);
    let told: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(told["metadata"]["integrity"]["signatures"][0]["trust"]["status"], "trusted");
}

#[test]
fn lists_that_do_not_hold_are_refused() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("list.xml");
    let granted = [service("Granted", "CA/QC", "granted")];
    for (text, why) in [
        (list("2001-01-01T00:00:00Z", &granted), "download it again"),
        (list("", &granted), "until when"),
        (list("2999-01-01T00:00:00Z", &[]), "no issuer"),
        ("hello".to_owned(), "no trusted list"),
        ("<a></b>".to_owned(), "no XML"),
    ] {
        write(&path, &text).unwrap();
        let refused = refusal(&["trust", "read", path.to_str().unwrap()]);
        assert!(refused.contains(why), "{why}: {refused}");
    }
}

#[test]
fn a_folder_of_certificates_is_trusted_and_what_is_none_is_refused() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    write(path("root.crt"), authority("Root")).unwrap();
    write(path("other.der"), Certificate::authority(Key::P256, "Other").make()).unwrap();
    write(path("note.txt"), "no certificate").unwrap();
    write(path("a.pdf"), signed_under("Other")).unwrap();
    let told = output(&["inspect", "--integrity", "--trust", folder.path().to_str().unwrap(), &path("a.pdf")]);
    assert!(told.contains("\u{201c}Other\u{201d}, is trusted here"), "{told}");
    let refused = refusal(&["inspect", "--trust", &path("note.txt"), &path("a.pdf")]);
    assert!(refused.contains("no certificate in it"), "{refused}");
}
