//! The start page: its example is the engine's result for a sample invoice.

use samples::invoices;
use tests::browser::Browser;
use tests::service::TestService;

#[test]
fn the_invoices_to_try_are_the_ones_that_are_made() {
    let kept: [&[u8]; 3] = [
        include_bytes!("../../docs/examples/invoice-genuine.pdf"),
        include_bytes!("../../docs/examples/invoice-forged.pdf"),
        include_bytes!("../../docs/examples/invoice-rewritten.pdf"),
    ];
    for ((name, made), kept) in invoices::all().into_iter().zip(kept) {
        assert!(made == kept, "{name} is out of date: cargo run -p tests --bin histories FOLDER writes it");
    }
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
        "'Total 1,250.00 EUR' became 'Total 4,250.00 EUR'",
        "<h2>Before and now</h2>",
        "<del>",
        "<ins>",
        "<h2>File history</h2>",
        "<svg class=\"life\"",
        "<b>Revision 3</b>",
        "The same for programs",
        "&quot;verdict&quot;",
        "&quot;changed_since_signing&quot;",
        "&quot;Total 1,250.00 EUR&quot;",
    ] {
        rest = rest.split_once(part).unwrap_or_else(|| panic!("{part} is not there, or not in its place: {page}")).1;
    }
    assert!(!page.contains("null"), "{page}");
}
