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

#[tokio::test]
async fn a_link_is_shown_once_and_active_until_it_is_ended() {
    let service = TestService::start().await;
    let (mut ada, mut eve) =
        (Browser::registered(&service, "zebedee").await, Browser::registered(&service, "eve").await);
    let anybody = Browser::new(&service);
    let path = ada.upload("offer.pdf", pdf("Offer")).await.expect(303).header("location").to_owned();
    let before = ada.get(&path).await.expect(200).text;
    assert!(before.contains("Make a link") && !before.contains("active since"), "{before}");
    for stranger in [&mut eve, &mut Browser::new(&service)] {
        let refused = stranger.post(&format!("{path}/share"), &[]).await;
        assert!(refused.status == 404 || refused.header("location") == "/login", "{}", refused.status);
    }
    let made = ada.post(&format!("{path}/share"), &[("expires_in_days", "30")]).await.expect(200);
    let link = link_in(&made.text).unwrap();
    let opened = anybody.get(&link).await.expect(200);
    assert!(opened.text.contains("offer.pdf") && opened.text.contains("data-print"));
    assert!(!opened.text.contains("zebedee") && !opened.text.contains("Delete"), "{}", opened.text);
    // the owner, too, sees what everybody does
    assert_eq!(ada.get(&link).await.expect(200).text, opened.text);
    let page = ada.get(&path).await.expect(200).text;
    assert!(page.contains("active since") && page.contains("until ") && page.contains("End sharing"), "{page}");
    assert!(link_in(&page).is_none() && !page.contains(&link[3..]));
    let ended = ada.post(&format!("{path}/unshare"), &[]).await.expect(303);
    assert_eq!(ended.header("location"), path);
    ada.post(&format!("{path}/unshare"), &[]).await.expect(303);
    anybody.get(&link).await.expect(404);
    assert!(!ada.get(&path).await.text.contains("active since"));
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
        assert!(made.contains("until you end it"), "{made}");
        links.push(link_in(&made).unwrap());
    }
    ada.post("/account/delete", &[("confirm_password", PASSWORD)]).await.expect(200);
    for link in &links {
        Browser::new(&service).get(link).await.expect(404);
    }
    let left = Snapshot::of(&service).await.text_without("ADDRESS#");
    assert!(!empty.is_empty() && left.is_empty(), "{left}");
}

/// A failed redaction is not published by its finder.
#[tokio::test]
async fn what_pages_hide_is_not_shown_behind_a_link() {
    let service = TestService::start().await;
    let mut ada = Browser::registered(&service, "ada").await;
    let content = "BT /F 10 Tf 20 100 Td (Total 1,250.00 EUR) Tj ET 1 g 44 97 44 12 re f \
        0 g BT /F 10 Tf 46 100 Td (9,250.00) Tj ET 0 g BT /F 10 Tf 20 50 Td (Whistleblower) Tj ET 15 45 90 14 re f";
    let path = ada.upload("offer.pdf", drawing(content, "").classic()).await.expect(303).header("location").to_owned();
    let own = [ada.get(&path).await.expect(200).text, ada.get(&format!("{path}/json")).await.expect(200).text];
    let made = ada.post(&format!("{path}/share"), &[("expires_in_days", "30")]).await.expect(200);
    let link = link_in(&made.text).unwrap();
    let anybody = Browser::new(&service);
    let shared =
        [anybody.get(&link).await.expect(200).text, anybody.get(&format!("{link}/json")).await.expect(200).text];
    for (own, shared) in own.iter().zip(&shared) {
        for hidden in ["1,250.00", "Whistleblower"] {
            assert!(own.contains(hidden) && !shared.contains(hidden), "{hidden}: {shared}");
        }
        assert!(shared.contains("9,250.00") && shared.contains("It bears signs of a change"), "{shared}");
    }
    assert!(shared[0].contains("not shown here") && !own[0].contains("not shown here"), "{}", shared[0]);
    assert!(shared[1].contains("\"text\":null"), "{}", shared[1]);
    // unless its owner wants it so
    let page = ada.get(&path).await.expect(200).text;
    assert!(page.contains("name=\"with_hidden_words\"") && !page.contains("It shows the words that pages hide"));
    let made = ada.post(&format!("{path}/share"), &[("with_hidden_words", "true")]).await.expect(200);
    let link = link_in(&made.text).unwrap();
    for (path, own) in [(link.clone(), &own[0]), (format!("{link}/json"), &own[1])] {
        let shared = anybody.get(&path).await.expect(200).text;
        assert!(["1,250.00", "Whistleblower"].iter().all(|hidden| own.contains(hidden) && shared.contains(hidden)));
    }
    assert!(ada.get(&path).await.expect(200).text.contains("It shows the words that pages hide"));
}
