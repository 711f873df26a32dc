//! The document information dictionary.

use samples::pdf::Pdf;

use crate::support::open;

#[test]
fn all_texts_are_read_also_where_they_are_elsewhere() {
    let pdf = Pdf::new(1)
        .info("/Title 30 0 R /Author (Ada) /Subject (S) /Keywords (k, l) /Creator (C) /Producer (P)")
        .with(30, "(Elsewhere)")
        .catalog("/Lang (en-GB)");
    let document = open(&pdf.classic()).document;
    let texts = [
        document.title,
        document.author,
        document.subject,
        document.keywords,
        document.creator,
        document.producer,
        document.language,
    ];
    let expected = ["Elsewhere", "Ada", "S", "k, l", "C", "P", "en-GB"];
    assert_eq!(texts, expected.map(|text| Some(text.to_owned())));
}

#[test]
fn info_may_be_a_direct_dictionary_or_missing() {
    let direct = Pdf::new(1).only_trailer("/Root 1 0 R /Info << /Title (Direct) >>").classic();
    assert_eq!(open(&direct).document.title.as_deref(), Some("Direct"));
    let missing = Pdf::new(1).only_trailer("/Root 1 0 R").classic();
    assert_eq!(open(&missing).document.title, None);
}

#[test]
fn every_key_of_the_contract_is_there_in_its_order() {
    let json = serde_json::to_string(&open(&Pdf::new(1).classic())).expect("metadata is JSON");
    let mut rest = json.as_str();
    let keys = [
        "file",
        "sha256",
        "source",
        "basic",
        "pages",
        "pdf_version",
        "page_count",
        "document",
        "title",
        "author",
        "subject",
        "keywords",
        "creator",
        "producer",
        "language",
        "dates",
        "created",
        "raw",
        "iso8601",
        "parsed",
        "modified",
        "raw",
        "iso8601",
        "parsed",
        "was_modified",
        "security",
        "encrypted",
        "algorithm",
        "key_bits",
        "permissions",
        "print",
        "print_high_quality",
        "modify",
        "copy",
        "annotate",
        "fill_forms",
        "accessibility",
        "assemble",
        "permissions_verified",
        "structure",
        "linearized",
        "revisions",
        "xref",
        "objects",
        "document_id",
        "original",
        "current",
        "header_offset",
        "repaired",
        "truncated",
        "page",
        "width_pt",
        "height_pt",
        "rotation",
        "format",
        "features",
        "tagged",
        "signatures",
        "signature_fields",
        "javascript",
        "attachments",
        "outlines",
        "layers",
        "form",
        "image_only",
        "examined",
        "conformance",
        "pdf_a",
        "pdf_ua",
        "pdf_x",
        "integrity",
        "verdict",
        "outcome",
        "summary",
        "summary_shared",
        "summary_public",
        "because",
        "reason",
        "changes",
        "changed_after_signing",
        "revisions",
        "number",
        "end",
        "saved_at",
        "producer",
        "objects",
        "added",
        "changed",
        "removed",
        "changes",
        "pages",
        "signed",
        "signatures",
        "signals",
        "id",
        "strength",
        "basis",
        "summary",
        "evidence",
        "evidence_total",
        "pages",
        "examined",
        "revisions",
        "saves",
        "bytes",
        "content",
        "rules",
        "usage_caution",
        "hidden",
        "examined",
        "items",
        "total",
        "xmp",
        "present",
        "creator_tool",
        "create_date",
        "modify_date",
        "document_id",
        "instance_id",
        "engine",
    ];
    for key in keys {
        let (before, after) = rest.split_once(&format!("\"{key}\":")).unwrap_or_else(|| panic!("no {key} in {rest}"));
        assert!(!before.contains("\":"), "an unexpected key before {key}: {before}");
        rest = after;
    }
    assert!(!rest.contains("\":"), "unexpected keys: {rest}");
}
