//! The start page: the report that it shows is what the engine says of a file.

use engine::{Memory, Options, analyze};
use samples::histories;
use serde_json::{Value, json};
use tests::browser::Browser;
use tests::service::TestService;

#[test]
fn the_report_shown_is_the_engine_s_own() {
    let history = histories::all().into_iter().find(|history| history.name == "Contract (altered)").unwrap();
    let metadata = analyze(&Memory(history.file.into()), &Options::default()).unwrap();
    let metadata = serde_json::to_value(metadata).unwrap();
    let told = json!({ "integrity": metadata["integrity"], "page": metadata["page"] });
    let shown: Value = serde_json::from_str(include_str!("../../functions/web/src/home/report.json")).unwrap();
    let told_now = serde_json::to_string_pretty(&told).unwrap();
    assert_eq!(shown, told, "functions/web/src/home/report.json is out of date; the engine says now:\n{told_now}");
}

#[tokio::test]
async fn the_start_page_asks_shows_and_says_what_is_kept() {
    let service = TestService::start().await;
    let page = Browser::new(&service).get("/").await.expect(200).text;
    let mut rest = page.as_str();
    // in this order
    for part in [
        "<h1>Was this PDF <em>changed</em>?</h1>",
        "href=\"/register\"",
        "Files are not kept",
        "href=\"/docs/privacy\"",
        "<h2 id=\"outcome-title\">Changed since signing</h2>",
        "became 'Total due: 12,000.00'",
        "<h2>Before and now</h2>",
        "<del>",
        "<ins>",
        "<h2>The file's life</h2>",
        "<svg class=\"life\"",
        "<b>Save 3</b>",
        "The same for programs",
        "&quot;verdict&quot;",
        "&quot;changed_since_signing&quot;",
        "&quot;Total due: 1,200.00&quot;",
    ] {
        rest = rest.split_once(part).unwrap_or_else(|| panic!("{part} is not there, or not in its place: {page}")).1;
    }
    assert!(!page.contains("null"), "{page}");
}
