//! The revision history on an analysis' page: verdict, evidence, picture, signatures.

mod dashboard;

use samples::histories::{self, HOSTILE, History};
use tests::browser::Browser;
use tests::service::TestService;

/// The page of an analysis of this file.
async fn page_of(browser: &Browser, history: &History) -> String {
    let stored = browser.upload(&format!("{}.pdf", history.name), history.file.clone()).await.expect(303);
    browser.get(stored.header("location")).await.expect(200).text
}

fn word(verdict: &str) -> &'static str {
    match verdict {
        "changed" => "Changed",
        "signs_of_change" => "Signs of change",
        "saved_again" => "Saved again",
        "no_signs" => "No signs of change",
        "unchanged_since_signing" => "Unchanged since signing",
        "permitted_changes_since_signing" => "Permitted changes since signing",
        "changed_since_signing" => "Changed since signing",
        _ => "Inconclusive",
    }
}

/// The page of an analysis of the first history of a verdict.
async fn page_of_first(verdict: &str) -> String {
    let service = TestService::start().await;
    let browser = Browser::registered(&service, "ada").await;
    let history = histories::all().into_iter().find(|history| history.verdict == verdict).unwrap();
    page_of(&browser, &history).await
}

#[track_caller]
fn assert_shows(page: &str, texts: &[&str]) {
    for text in texts {
        assert!(page.contains(text), "{text}: {page}");
    }
}

/// `<`, `>` and quotes as text.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[tokio::test]
async fn every_verdict_is_a_word_with_a_mark_and_comes_first() {
    let service = TestService::start().await;
    let browser = Browser::registered(&service, "ada").await;
    for history in histories::all() {
        let page = page_of(&browser, &history).await;
        let (_, outcome) = page.split_once("<section class=\"outcome ").unwrap();
        let (outcome, rest) = outcome.split_once("</section>").unwrap();
        let heading = format!("<h2 id=\"outcome-title\">{}</h2>", word(history.verdict));
        assert!(outcome.contains(&heading), "{}: {outcome}", history.name);
        assert!(outcome.contains("href=\"/docs/verdicts\">"), "{outcome}");
        assert_eq!(
            outcome.contains("The end of the file is missing"),
            history.name == "Statement (cut off)",
            "{outcome}"
        );
        assert!(outcome.contains("<svg class=\"mark ") && outcome.contains("aria-hidden=\"true\""), "{outcome}");
        // everything that was there before follows
        assert!(rest.contains("class=\"groups\"") && rest.contains(">Structure</h"), "{}", history.name);
        for inline in ["<style", " style=", "javascript:", "<script>"] {
            assert!(!page.contains(inline), "{}: {inline}", history.name);
        }
    }
}

#[tokio::test]
async fn what_another_program_wrote_again_is_no_alarm() {
    let page = page_of_first("saved_again").await;
    assert!(
        page.contains("<section class=\"outcome neutral\"")
            && page.contains("Most programs remove earlier versions then."),
        "{page}"
    );
    assert!(page.contains(">Strong</span>") && !page.contains("chip warn") && !page.contains("mark warn"), "{page}");
}

#[tokio::test]
async fn the_page_tells_what_was_changed_when_and_what_it_was_before() {
    let page = page_of_first("changed").await;
    let (shown, technical) = page.split_once("<summary>Technical evidence").unwrap();
    let texts = [
        "On page 1, 'Total due: 1,200.00' became 'Total due: 21,200.00' in the second of three saves, on 17 January 2025, \
         with “Pocket Editor 3.1”.",
        "<h2>Before and now</h2>",
        "page 1 · save 2",
        "<td role=\"cell\" data-label=\"Before\"><bdi>Total due: 1,200.00</bdi></td>",
        "<td role=\"cell\" data-label=\"Now\"><bdi>As agreed by phone</bdi></td>",
        "<svg class=\"life\" role=\"img\" aria-labelledby=\"life-title life-desc\"",
        "<title id=\"life-title\">File history</title>",
        "3 saves, 0 signatures.",
        "<b>Revision 3</b> · 20 Jan 2025, 15:42 UTC",
        "Changed annotations on page 1.",
    ];
    assert_shows(shown, &texts);
    assert!(!shown.contains("page_content_changed") && !shown.contains("stream of "), "{shown}");
    let texts = ["page_content_changed", "stream of ", "<dt>Created</dt><dd><bdi>15 Jan 2025, 09:30 UTC", "Conclusive"];
    assert_shows(technical, &texts);
}

#[tokio::test]
async fn the_page_tells_who_signed_by_what_they_claim_and_what_it_covers() {
    let page = page_of_first("unchanged_since_signing").await;
    let texts = [
        "<dt>Signer, as claimed</dt><dd><bdi>Bob Tenant</bdi>",
        "<dt>Issuer, as claimed</dt><dd><bdi>Example Trust Services</bdi>",
        "<dt>Certificate's number (hexadecimal)</dt><dd><bdi>01</bdi>",
        "<bdi>from 1 Jan 2020, 00:00 UTC until 31 Dec 2099, 23:59 UTC</bdi>",
        "href=\"/docs/trust\">",
        "<dt>Time-stamped</dt><dd><bdi>22 Jan 2025, 10:12 UTC</bdi>",
        "Everything up to revision 2, not the one after it",
        "The whole file",
        "their identity isn't verified here.",
    ];
    assert_shows(&page, &texts);
    assert!(!page.contains("class=\"however"), "{page}");
}

#[tokio::test]
async fn the_page_tells_what_a_certification_permits() {
    let page = page_of_first("permitted_changes_since_signing").await;
    let texts = ["Certification: intact", "Filling in forms, signing and annotations", "Only what it permits"];
    assert_shows(&page, &texts);
}

#[tokio::test]
async fn the_page_tells_that_a_change_was_not_permitted_and_where() {
    let page = page_of_first("changed_since_signing").await;
    let texts = [
        "Something it does not permit",
        "Self-signed: anyone can create such a certificate in any name.",
        "The same places as for <code>forbidden_change_after_signing</code>.",
    ];
    assert_shows(&page, &texts);
}

#[tokio::test]
async fn names_that_break_out_stay_text() {
    let service = TestService::start().await;
    let browser = Browser::registered(&service, "ada").await;
    let history = histories::all().into_iter().find(|history| history.name == "Hostile names").unwrap();
    let page = page_of(&browser, &history).await;
    assert!(!page.contains("<script>") && !page.contains("<svg onload"), "{page}");
    // producer, signer, field and note, in lists, cards and evidence
    let found = page.matches(&escaped(HOSTILE)).count();
    assert!(found >= 6, "{found} times: {page}");
}

#[tokio::test]
async fn fifty_saves_are_a_page_of_a_bearable_weight() {
    let service = TestService::start().await;
    let browser = Browser::registered(&service, "ada").await;
    let history = histories::all().into_iter().find(|history| history.name.contains("fifty")).unwrap();
    let page = page_of(&browser, &history).await;
    assert!(page.contains("All 50 revisions in words"), "{page}");
    assert_eq!(page.matches("<b>Revision ").count(), 50);
    assert!(page.len() < 80_000, "{} bytes", page.len());
}
