//! GET /pdf.

use aws_sdk_dynamodb::types::AttributeValue;
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use samples::histories;
use samples::pdf::{FIRST_PAGE, Pdf};
use samples::small::pdf;
use serde_json::json;
use tests::api::send;
use tests::invariants::Snapshot;
use tests::rows::{analysis, fill, text, write};
use tests::service::TestService;

/// A page that is an image.
fn scan() -> Vec<u8> {
    let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 20 0 R /Resources << /XObject << /Im 21 0 R >> >> >>";
    let image = "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8";
    let pdf = Pdf::new(1).with(FIRST_PAGE, page).with_stream(20, "", b"q 200 0 0 100 0 0 cm /Im Do Q");
    pdf.with_stream(21, image, b"\x80").classic()
}

/// DynamoDB answers a query with at most a megabyte at a time.
#[tokio::test]
async fn rows_of_more_than_a_megabyte_are_all_searched() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    fill(&service, &ada, 1_000, |number| Some(if number == 1 { "changed" } else { "no_signs" })).await;
    for number in 1..=1_000 {
        let mut row = analysis(&ada, number);
        row.insert("verdict".to_owned(), text(if number == 1 { "changed" } else { "no_signs" }));
        row.insert("finding".to_owned(), AttributeValue::B(vec![0; 1_300].into()));
        write(&service, row).await;
    }
    for query in ["verdict=changed", "search=1.pdf&verdict=changed"] {
        let listed = ada.get(&format!("/pdf?{query}")).await.expect(200);
        assert_eq!(listed.json["data"].as_array().unwrap().len(), 1, "{query}");
        assert_eq!(listed.json["data"][0]["filename"], "1.pdf");
    }
}

#[tokio::test]
async fn three_outcomes_part_the_list_and_a_scan_is_inconclusive() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let history = |verdict: &str| histories::all().into_iter().find(|it| it.verdict == verdict).unwrap().file;
    for (name, file) in [
        ("none.pdf", pdf("A")),
        ("scan.pdf", scan()),
        ("changed.pdf", history("changed")),
        ("cut.pdf", history("undetermined")),
        ("signed.pdf", history("unchanged_since_signing")),
    ] {
        ada.analyze(name, file).await.expect(200);
    }
    let listed = async |query: &str| {
        let answer = ada.get(&format!("/pdf?{query}")).await.expect(200);
        let rows = answer.json["data"].as_array().unwrap().clone();
        rows.iter().map(|row| row["filename"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(listed("outcome=needs_review").await, ["changed.pdf"]);
    assert_eq!(listed("outcome=inconclusive").await, ["cut.pdf", "scan.pdf"]);
    assert_eq!(listed("outcome=no_findings").await, ["signed.pdf", "none.pdf"]);
    assert_eq!(listed("outcome=inconclusive&verdict=no_signs,saved_again").await, ["scan.pdf"]);
    assert_eq!(listed("outcome=no_findings&search=none").await, ["none.pdf"]);
    let row = ada.get("/pdf?outcome=inconclusive&search=scan").await.expect(200).json["data"][0].clone();
    let reason = json!({ "signal": "pages_are_images", "phrase": "Pages are images; their text was not examined" });
    assert_eq!((&row["outcome"], &row["reason"]), (&json!("inconclusive"), &reason), "{row}");
    let whole = ada.get(&format!("/pdf/{}", row["id"].as_str().unwrap())).await.expect(200);
    let integrity = &whole.json["data"]["metadata"]["integrity"];
    assert_eq!((&integrity["outcome"], &integrity["reason"]), (&json!("inconclusive"), &reason));
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn pages_partition_the_analyses_newest_first() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    for index in 0..7 {
        ada.analyze(&format!("{index}.pdf"), pdf("A")).await.expect(200);
    }
    for per_page in [1, 2, 3, 7, 100] {
        let mut names = Vec::new();
        let pages = 7_u64.div_ceil(per_page);
        for page in 1..=pages + 1 {
            let answer = ada.get(&format!("/pdf?page={page}&per_page={per_page}&unknown=1")).await.expect(200);
            let meta = &answer.json["meta"];
            assert_eq!((meta["current_page"].as_u64(), meta["last_page"].as_u64()), (Some(page), Some(pages)));
            assert_eq!((meta["per_page"].as_u64(), meta["total"].as_u64()), (Some(per_page), Some(7)));
            for row in answer.json["data"].as_array().unwrap() {
                names.push(row["filename"].as_str().unwrap().to_owned());
                assert!(row.get("metadata").is_none());
            }
        }
        assert_eq!(names, ["6.pdf", "5.pdf", "4.pdf", "3.pdf", "2.pdf", "1.pdf", "0.pdf"], "{per_page}");
    }
    let link = ada.get("/pdf?page=2&per_page=3").await.header("link").to_owned();
    assert!(link.contains("</api/v1/pdf?page=1&per_page=3>; rel=\"prev\""), "{link}");
    assert!(link.contains("</api/v1/pdf?page=3&per_page=3>; rel=\"next\""), "{link}");
}

#[tokio::test]
async fn an_empty_list_has_one_page_of_twenty() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let answer = ada.get("/pdf").await.expect(200);
    assert_eq!(
        answer.text,
        "{\"success\":true,\"data\":[],\"meta\":{\"current_page\":1,\"last_page\":1,\"per_page\":20,\"total\":0}}"
    );
}

#[tokio::test]
async fn pages_out_of_range_are_refused_by_field() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    for query in
        ["page=0", "page=", "per_page=101", "per_page=0", "per_page=1.5", "page=abc", "page=1&page=1", "per_page=020"]
    {
        let answer = ada.get(&format!("/pdf?{query}")).await.expect(422);
        assert_eq!(answer.code(), "validation_failed", "{query}");
        let field = query.split('=').next().unwrap();
        assert!(answer.json["error"]["details"]["fields"][field][0].is_string(), "{query}: {}", answer.text);
    }
}

/// A Mac's file names are decomposed; what people type is composed.
#[tokio::test]
async fn a_decomposed_name_or_reference_is_found_by_what_is_typed() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let form = Form::new().text("reference", "Mu\u{308}ller 7");
    let form = form.part("file", Part::bytes(pdf("A")).file_name("U\u{308}bersicht.pdf"));
    send(ada.request(Method::POST, "/pdf/analyze").multipart(form)).await.expect(200);
    for query in ["search=%C3%BCbersicht", "search=U%CC%88BERSICHT", "search=m%C3%BCller", "reference=m%C3%BCller%207"]
    {
        let found = ada.get(&format!("/pdf?{query}")).await.expect(200);
        assert_eq!(found.json["data"].as_array().unwrap().len(), 1, "{query}: {}", found.text);
    }
}
