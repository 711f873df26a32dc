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
        "saved_again" => "Saved again",
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
        assert!(outcome.contains("href=\"/docs/integrity#the-verdicts\">"), "{outcome}");
        assert_eq!(outcome.contains("The file's end is missing"), history.name == "Statement (cut off)", "{outcome}");
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
    let service = TestService::start().await;
    let browser = Browser::registered(&service, "ada").await;
    let all = histories::all();
    let page = page_of(&browser, all.iter().find(|history| history.verdict == "saved_again").unwrap()).await;
    assert!(
        page.contains("<section class=\"outcome neutral\"") && page.contains("Common, and no sign of a change"),
        "{page}"
    );
    assert!(page.contains(">Strong</span>") && !page.contains("chip warn") && !page.contains("mark warn"), "{page}");
}

#[tokio::test]
async fn the_page_tells_what_was_changed_when_and_what_it_was_before() {
    let service = TestService::start().await;
    let browser = Browser::registered(&service, "ada").await;
    let all = histories::all();
    let history = |verdict: &str| all.iter().find(|history| history.verdict == verdict).unwrap();

    let page = page_of(&browser, history("changed")).await;
    let (shown, technical) = page.split_once("<summary>Technical evidence").unwrap();
    for text in [
        "On page 1, 'Total due: 1,200.00' became 'Total due: 21,200.00' in the second of three saves, on 17 January 2025, \
         with Pocket Editor 3.1.",
        "<h2>Before and now</h2>",
        "page 1 · save 2",
        "<td role=\"cell\" data-label=\"Before\"><bdi>Total due: 1,200.00</bdi></td>",
        "<td role=\"cell\" data-label=\"Now\"><bdi>As agreed by phone</bdi></td>",
        "<svg class=\"life\" role=\"img\" aria-labelledby=\"life-title life-desc\"",
        "<title id=\"life-title\">The file&#39;s life</title>",
        "3 saves, 0 signatures.",
        "<b>Save 3</b> · 20 Jan 2025, 15:42 UTC",
        "Changed annotations on page 1.",
    ] {
        assert!(shown.contains(&text.replace("&#39;", "'")), "{text}: {shown}");
    }
    assert!(!shown.contains("page_content_changed") && !shown.contains("stream of "), "{shown}");
    for text in ["page_content_changed", "stream of ", "<dt>Created</dt><dd><bdi>15 Jan 2025, 09:30 UTC", "Conclusive"]
    {
        assert!(technical.contains(text), "{text}: {technical}");
    }

    let page = page_of(&browser, history("unchanged_since_signing")).await;
    for text in [
        "<dt>Signer, as claimed</dt><dd><bdi>Bob Tenant</bdi>",
        "<dt>Issuer, as claimed</dt><dd><bdi>Example Trust Services</bdi>",
        "<dt>Certificate's number</dt><dd><bdi>01</bdi>",
        "<bdi>from 1 Jan 2020, 00:00 UTC until 31 Dec 2099, 23:59 UTC</bdi>",
        "href=\"/docs/trust\">",
        "<dt>Time-stamped</dt><dd><bdi>22 Jan 2025, 10:12 UTC</bdi>",
        "Everything up to save 2, not the one after it",
        "The whole file",
        "No trusted issuers are named that it could be held against.",
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
        "Something that it does not permit",
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
    assert_eq!(page.matches("<b>Save ").count(), 50);
    assert!(page.len() < 80_000, "{} bytes", page.len());
}

#[tokio::test]
async fn the_dashboard_shows_verdicts_and_can_be_asked_for_one() {
    let service = TestService::start().await;
    let browser = Browser::registered(&service, "ada").await;
    assert!(!browser.get("/dashboard").await.text.contains("class=\"filter\""));
    let all = histories::all();
    for history in &all {
        page_of(&browser, history).await;
    }
    let rows = async |path: &str| {
        let page = browser.get(path).await.expect(200).text;
        let (_, list) = page.split_once("id=\"analyses\"").unwrap();
        let (list, rest) = list.split_once("</ul>").unwrap();
        let rows: Vec<String> = list.split("<li>").skip(1).map(str::to_owned).collect();
        (rows, rest.to_owned())
    };
    let (shown, rest) = rows("/dashboard").await;
    assert_eq!(shown.len(), all.len());
    for (row, history) in shown.iter().zip(all.iter().rev()) {
        assert!(row.contains(&format!(">{}.pdf</a>", history.name)), "{row}");
        assert!(
            row.contains("<svg class=\"mark ") && row.contains(&format!("</svg>{}</span>", word(history.verdict))),
            "{row}"
        );
    }
    // the script takes marks from here
    assert_eq!(rest.matches("data-verdict=").count(), 8);
    for verdict in ["changed", "saved_again", "no_signs", "changed_since_signing"] {
        let (shown, _) = rows(&format!("/dashboard?verdict={verdict}")).await;
        assert_eq!(shown.len(), all.iter().filter(|history| history.verdict == verdict).count(), "{verdict}");
        assert!(shown.iter().all(|row| row.contains(word(verdict))), "{shown:?}");
    }
    // a walk, a few at a time, meets each once
    let mut path = "/dashboard?verdict=changed_since_signing&per_page=2".to_owned();
    let mut found = Vec::new();
    loop {
        let (shown, rest) = rows(&path).await;
        found.extend(shown);
        let Some((_, next)) = rest.split_once("rel=\"next\" href=\"") else { break };
        path = next.split('"').next().unwrap().replace("&amp;", "&");
    }
    assert_eq!(found.len(), 3, "{found:?}");
    browser.get("/dashboard?verdict=eaten").await.expect(422);
    // three groups with their counts; what is listed as a table
    let page = browser.get("/dashboard").await.text;
    for (group, verdicts) in [
        ("Look at it", "changed_since_signing,changed,signs_of_change"),
        ("Cannot be told", "undetermined"),
        ("Nothing found", "permitted_changes_since_signing,unchanged_since_signing,saved_again,no_signs"),
    ] {
        let counted =
            all.iter().filter(|history| verdicts.split(',').any(|verdict| verdict == history.verdict)).count();
        let link = format!("href=\"/dashboard?verdict={verdicts}\">{group} <span class=\"count\">{counted}</span>");
        assert!(page.contains(&link), "{link}: {page}");
    }
    let (shown, _) = rows("/dashboard?search=QUOTATION").await;
    assert!(!shown.is_empty() && shown.iter().all(|row| row.contains("Quotation")), "{shown:?}");
    let table = browser.get("/dashboard?search=quotation&csv=1").await.expect(200);
    assert_eq!(table.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(table.text.lines().count(), 1 + shown.len(), "{}", table.text);
}
