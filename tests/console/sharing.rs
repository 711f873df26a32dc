//! Links made and ended on an analysis' page.

use samples::small::pdf;
use samples::texts::drawing;
use tests::browser::{Browser, PASSWORD};
use tests::invariants::Snapshot;
use tests::service::TestService;

/// The path of the link that a page shows; none if it shows none.
fn link_in(page: &str) -> Option<String> {
    let (_, rest) = page.split_once("<code id=\"link\">")?;
    let (url, _) = rest.split_once('<')?;
    Some(format!("/s/{}", url.rsplit('/').next()?))
}

/// An account with an unmistakable name, and the path of its analysis.
async fn with_analysis(service: &TestService) -> (Browser, String) {
    let owner = Browser::registered(service, "zebedee").await;
    let path = owner.upload("offer.pdf", pdf("Offer")).await.expect(303).header("location").to_owned();
    (owner, path)
}

/// Makes a link; its path.
async fn share(owner: &mut Browser, path: &str, fields: &[(&str, &str)]) -> String {
    link_in(&owner.post(&format!("{path}/share"), fields).await.expect(200).text).unwrap()
}

#[tokio::test]
async fn a_stranger_makes_no_link() {
    let service = TestService::start().await;
    let (owner, path) = with_analysis(&service).await;
    for stranger in [&mut Browser::registered(&service, "eve").await, &mut Browser::new(&service)] {
        let refused = stranger.post(&format!("{path}/share"), &[]).await;
        assert!(refused.status == 404 || refused.header("location") == "/login", "{}", refused.status);
    }
    let page = owner.get(&path).await.expect(200).text;
    assert!(page.contains("Make a link") && !page.contains("active since"), "{page}");
}

#[tokio::test]
async fn a_link_shows_the_report_without_its_owner_to_whoever_opens_it() {
    let service = TestService::start().await;
    let (mut owner, path) = with_analysis(&service).await;
    let link = share(&mut owner, &path, &[("expires_in_days", "30")]).await;
    let opened = Browser::new(&service).get(&link).await.expect(200).text;
    assert!(opened.contains("offer.pdf") && opened.contains("data-print"), "{opened}");
    assert!(!opened.contains("zebedee") && !opened.contains("Delete"), "{opened}");
    assert_eq!(owner.get(&link).await.expect(200).text, opened, "the owner sees what everybody does");
}

#[tokio::test]
async fn a_link_is_shown_once_and_that_there_is_one_until_it_is_ended() {
    let service = TestService::start().await;
    let (mut owner, path) = with_analysis(&service).await;
    let link = share(&mut owner, &path, &[("expires_in_days", "30")]).await;
    let page = owner.get(&path).await.expect(200).text;
    assert!(page.contains("active since") && page.contains("until ") && page.contains("End sharing"), "{page}");
    assert!(link_in(&page).is_none() && !page.contains(&link[3..]), "{page}");
}

#[tokio::test]
async fn a_link_that_was_ended_opens_nothing() {
    let service = TestService::start().await;
    let (mut owner, path) = with_analysis(&service).await;
    let link = share(&mut owner, &path, &[("expires_in_days", "30")]).await;
    let ended = owner.post(&format!("{path}/unshare"), &[]).await.expect(303);
    assert_eq!(ended.header("location"), path);
    owner.post(&format!("{path}/unshare"), &[]).await.expect(303);
    Browser::new(&service).get(&link).await.expect(404);
    assert!(!owner.get(&path).await.text.contains("active since"));
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn links_go_with_the_account() {
    let service = TestService::start().await;
    let mut ada = Browser::registered(&service, "ada").await;
    let empty = Snapshot::of(&service).await.text_without("ADDRESS#");
    let mut links = Vec::new();
    for number in 0..3 {
        let path = ada.upload(&format!("{number}.pdf"), pdf("A")).await.expect(303).header("location").to_owned();
        let made = ada.post(&format!("{path}/share"), &[("expires_in_days", "")]).await.expect(200).text;
        assert!(made.contains("It never expires; you can end it at any time."), "{made}");
        links.push(link_in(&made).unwrap());
    }
    ada.post("/account/delete", &[("confirm_password", PASSWORD)]).await.expect(200);
    for link in &links {
        Browser::new(&service).get(link).await.expect(404);
    }
    let left = Snapshot::of(&service).await.text_without("ADDRESS#");
    assert!(!empty.is_empty() && left.is_empty(), "{left}");
}

/// Somebody, and the path of their analysis of a file that hides words.
async fn with_hidden_words(service: &TestService) -> (Browser, String) {
    let ada = Browser::registered(service, "ada").await;
    let content = "BT /F 10 Tf 20 100 Td (Total 1,250.00 EUR) Tj ET 1 g 44 97 44 12 re f \
        0 g BT /F 10 Tf 46 100 Td (9,250.00) Tj ET 0 g BT /F 10 Tf 20 50 Td (Whistleblower) Tj ET 15 45 90 14 re f";
    let path = ada.upload("offer.pdf", drawing(content, "").classic()).await.expect(303).header("location").to_owned();
    (ada, path)
}

const HIDDEN: [&str; 2] = ["1,250.00", "Whistleblower"];

/// The page at a path, and the JSON that belongs to it.
async fn page_and_json(browser: &Browser, path: &str) -> [String; 2] {
    [browser.get(path).await.expect(200).text, browser.get(&format!("{path}/json")).await.expect(200).text]
}

/// A failed redaction is not published by its finder.
#[tokio::test]
async fn what_pages_hide_is_not_shown_behind_a_link() {
    let service = TestService::start().await;
    let (mut ada, path) = with_hidden_words(&service).await;
    let own = page_and_json(&ada, &path).await;
    let link = share(&mut ada, &path, &[("expires_in_days", "30")]).await;
    let shared = page_and_json(&Browser::new(&service), &link).await;
    for (own, shared) in own.iter().zip(&shared) {
        for hidden in HIDDEN {
            assert!(own.contains(hidden) && !shared.contains(hidden), "{hidden}: {shared}");
        }
        assert!(shared.contains("9,250.00") && shared.contains("Signs of modification found"), "{shared}");
    }
    assert!(
        shared[0].contains("Hidden by whoever shared this report")
            && !own[0].contains("Hidden by whoever shared this report"),
        "{}",
        shared[0]
    );
    assert!(shared[1].contains("\"text\":null"), "{}", shared[1]);
}

#[tokio::test]
async fn what_pages_hide_is_shown_behind_a_link_if_its_owner_wants_it_so() {
    let service = TestService::start().await;
    let (mut ada, path) = with_hidden_words(&service).await;
    share(&mut ada, &path, &[("expires_in_days", "30")]).await;
    let page = ada.get(&path).await.expect(200).text;
    assert!(page.contains("name=\"with_hidden_words\"") && !page.contains("It shows the words that pages hide"));
    let link = share(&mut ada, &path, &[("with_hidden_words", "true")]).await;
    let own = page_and_json(&ada, &path).await;
    for (own, shared) in own.iter().zip(page_and_json(&Browser::new(&service), &link).await) {
        assert!(HIDDEN.iter().all(|hidden| own.contains(hidden) && shared.contains(hidden)), "{shared}");
    }
    assert!(own[0].contains("It shows the words that pages hide"), "{}", own[0]);
}

/// One answer for both: it does not say whether a link was ever good.
#[tokio::test]
async fn an_ended_link_and_a_mistyped_one_are_answered_alike_in_words_for_its_reader() {
    let service = TestService::start().await;
    let (mut owner, path) = with_analysis(&service).await;
    let link = share(&mut owner, &path, &[("expires_in_days", "30")]).await;
    owner.post(&format!("{path}/unshare"), &[]).await.expect(303);
    let guest = Browser::new(&service);
    let mut pages = Vec::new();
    for link in [link.as_str(), &link[..link.len() - 1], "/s/x"] {
        let page = guest.get(link).await.expect(404).text;
        assert!(page.contains("This link has ended or is not complete. Ask its sender."), "{page}");
        assert!(!page.contains("To the dashboard"), "{page}");
        let (start, rest) = page.split_once("Request <code>").unwrap();
        pages.push(format!("{start}{}", rest.split_once("</code>").unwrap().1));
    }
    pages.dedup();
    assert_eq!(pages.len(), 1);
}

#[tokio::test]
async fn a_reload_after_making_a_link_does_not_end_it() {
    let service = TestService::start().await;
    let (mut owner, path) = with_analysis(&service).await;
    let form = [("expires_in_days", "30"), ("replaces", "")];
    let link = share(&mut owner, &path, &form).await;
    let again = owner.post(&format!("{path}/share"), &form).await.expect(303);
    assert_eq!(again.header("location"), path);
    Browser::new(&service).get(&link).await.expect(200);
    // the form on the page replaces the link that is there
    let page = owner.get(&path).await.expect(200).text;
    let (_, rest) = page.split_once("name=\"replaces\" value=\"").unwrap();
    let since = rest.split('"').next().unwrap().to_owned();
    share(&mut owner, &path, &[("expires_in_days", "30"), ("replaces", &since)]).await;
    Browser::new(&service).get(&link).await.expect(404);
}
