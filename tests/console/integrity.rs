//! What an analysis' page says of a file's history: verdict, evidence, picture, signatures.

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
        "no_signs" => "No signs of change",
        "unchanged_since_signing" => "Unchanged since signing",
        "permitted_changes_since_signing" => "Permitted changes since signing",
        "changed_since_signing" => "Changed since signing",
        _ => "Cannot be told",
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
        assert!(outcome.contains("<svg class=\"mark ") && outcome.contains("aria-hidden=\"true\""), "{outcome}");
        // everything that was there before follows
        assert!(rest.contains("class=\"groups\"") && rest.contains("<h2>Structure</h2>"), "{}", history.name);
        for inline in ["<style", " style=", "javascript:", "<script>"] {
            assert!(!page.contains(inline), "{}: {inline}", history.name);
        }
    }
}

#[tokio::test]
async fn the_page_tells_what_was_changed_when_and_what_it_was_before() {
    let service = TestService::start().await;
    let browser = Browser::registered(&service, "ada").await;
    let all = histories::all();
    let history = |verdict: &str| all.iter().find(|history| history.verdict == verdict).unwrap();

    let page = page_of(&browser, history("changed")).await;
    let (shown, others) = page.split_once("<h2>Also found</h2>").unwrap();
    for text in [
        "Page 1 was changed in the second of three saves, on 17 January 2025, with Pocket Editor 3.1.",
        "<code class=\"id\">page_content_changed</code>",
        "page 1 · save 2 · object 500",
        "<dt>Before</dt><dd><bdi>stream of ",
        "<dt>Now</dt><dd><bdi>Text at [300 700 320 720], /Contents: As agreed by phone</bdi></dd>",
        "Conclusive",
        "<svg class=\"life\" role=\"img\" aria-labelledby=\"life-title life-desc\"",
        "<title id=\"life-title\">The file&#39;s life</title>",
        "3 saves, 0 signatures.",
        "<span class=\"strong\">Save 3</span> · 20 Jan 2025, 16:42 (UTC+01:00)",
        "Changed annotations on page 1.",
    ] {
        assert!(shown.contains(&text.replace("&#39;", "'")), "{text}: {shown}");
    }
    assert!(
        others.contains("modified_later") && others.contains("<dt>Created</dt><dd><bdi>15 Jan 2025, 10:30 (UTC+01:00)")
    );

    let page = page_of(&browser, history("unchanged_since_signing")).await;
    for text in [
        "<dt>Signer, as claimed</dt><dd><bdi>Bob Tenant</bdi>",
        "<dt>Issuer, as claimed</dt><dd><bdi>Example Trust Services</bdi>",
        "<dt>Time-stamped</dt><dd><bdi>22 Jan 2025, 10:12 (UTC+00:00)</bdi>",
        "Everything up to save 2, not the one after it",
        "The whole file",
        "Whether its issuer can be trusted was not checked.",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(!page.contains("class=\"however"), "{page}");

    let page = page_of(&browser, history("permitted_changes_since_signing")).await;
    for text in ["Certification: intact", "Filling in forms, signing and annotations", "Only what it permits"] {
        assert!(page.contains(text), "{text}: {page}");
    }

    let page = page_of(&browser, history("changed_since_signing")).await;
    for text in [
        "Something was done after it that it does not permit.",
        "The certificate vouches for itself: anybody can make one in any name.",
        "The same places as for <code>forbidden_change_after_signing</code>.",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
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
    assert!(page.contains("All 50 saves in words"), "{page}");
    assert_eq!(page.matches("<span class=\"strong\">Save ").count(), 50);
    assert!(page.len() < 64_000, "{} bytes", page.len());
}
