//! Verdicts on the dashboard: shown, asked for, counted, and as a table.

use samples::histories::{self, History};
use tests::browser::Browser;
use tests::service::TestService;

use super::word;

/// A browser whose account has an analysis of every history.
async fn with_all(service: &TestService) -> (Browser, Vec<History>) {
    let browser = Browser::registered(service, "ada").await;
    let all = histories::all();
    for history in &all {
        browser.upload(&format!("{}.pdf", history.name), history.file.clone()).await.expect(303);
    }
    (browser, all)
}

/// The rows of a list, and what follows it.
async fn rows(browser: &Browser, path: &str) -> (Vec<String>, String) {
    let page = browser.get(path).await.expect(200).text;
    let (_, list) = page.split_once("id=\"analyses\"").unwrap();
    let (list, rest) = list.split_once("</ul>").unwrap();
    (list.split("<li>").skip(1).map(str::to_owned).collect(), rest.to_owned())
}

#[tokio::test]
async fn every_row_shows_its_verdict() {
    let service = TestService::start().await;
    let (browser, all) = with_all(&service).await;
    let (shown, rest) = rows(&browser, "/dashboard").await;
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
}

#[tokio::test]
async fn who_asks_for_a_verdict_gets_all_analyses_that_have_it() {
    let service = TestService::start().await;
    let (browser, all) = with_all(&service).await;
    for verdict in ["changed", "saved_again", "no_signs", "changed_since_signing"] {
        let (shown, _) = rows(&browser, &format!("/dashboard?verdict={verdict}")).await;
        assert_eq!(shown.len(), all.iter().filter(|history| history.verdict == verdict).count(), "{verdict}");
        assert!(shown.iter().all(|row| row.contains(word(verdict))), "{shown:?}");
    }
    // a walk, a few at a time, meets each once
    let mut path = "/dashboard?verdict=changed_since_signing&per_page=2".to_owned();
    let mut found = Vec::new();
    loop {
        let (shown, rest) = rows(&browser, &path).await;
        found.extend(shown);
        let Some((_, next)) = rest.split_once("rel=\"next\" href=\"") else { break };
        path = next.split('"').next().unwrap().replace("&amp;", "&");
    }
    assert_eq!(found.len(), 3, "{found:?}");
    browser.get("/dashboard?verdict=eaten").await.expect(422);
}

#[tokio::test]
async fn three_groups_of_verdicts_are_counted() {
    let service = TestService::start().await;
    let empty = Browser::registered(&service, "bob").await;
    assert!(empty.get("/dashboard").await.text.contains("id=\"tools\" hidden"), "there is nothing to choose from");
    let (browser, all) = with_all(&service).await;
    let page = browser.get("/dashboard").await.text;
    for (group, verdicts) in [
        ("Needs review", "changed_since_signing,changed,signs_of_change"),
        ("Inconclusive", "undetermined"),
        ("No findings", "permitted_changes_since_signing,unchanged_since_signing,saved_again,no_signs"),
    ] {
        let counted =
            all.iter().filter(|history| verdicts.split(',').any(|verdict| verdict == history.verdict)).count();
        let outcome = group.to_lowercase().replace(' ', "_");
        let link = format!(
            "href=\"/dashboard?outcome={outcome}\">{group} <span class=\"count\" data-outcome=\"{outcome}\">{counted}</span>"
        );
        assert!(page.contains(&link), "{link}: {page}");
    }
}

#[tokio::test]
async fn what_is_listed_comes_as_a_table_too() {
    let service = TestService::start().await;
    let (browser, _) = with_all(&service).await;
    let (shown, _) = rows(&browser, "/dashboard?search=QUOTATION").await;
    assert!(!shown.is_empty() && shown.iter().all(|row| row.contains("Quotation")), "{shown:?}");
    let table = browser.get("/dashboard?search=quotation&csv=1").await.expect(200);
    assert_eq!(table.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(table.text.lines().count(), 1 + shown.len(), "{}", table.text);
}
