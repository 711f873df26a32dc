//! References changed on the page of an analysis or a comparison.

use samples::small::pdf;
use tests::browser::Browser;
use tests::invariants::Snapshot;
use tests::service::TestService;

async fn with_analysis(service: &TestService) -> (Browser, String) {
    let owner = Browser::registered(service, "zebedee").await;
    let path = owner.upload("offer.pdf", pdf("Offer")).await.expect(303).header("location").to_owned();
    (owner, path)
}

#[tokio::test]
async fn the_page_of_an_analysis_changes_its_reference() {
    let service = TestService::start().await;
    let (mut owner, path) = with_analysis(&service).await;
    let form = format!("{path}/reference");
    let page = owner.get(&path).await.expect(200).text;
    assert!(page.contains("Add a reference") && page.contains(&format!("action=\"{form}\"")), "{page}");
    for (sent, shown) in [("CLM <7>", Some("CLM &lt;7&gt;")), ("CLM-8", Some("CLM-8")), (" ", None)] {
        let changed = owner.post(&form, &[("reference", sent)]).await.expect(303);
        assert_eq!(changed.header("location"), path);
        let page = owner.get(&path).await.expect(200).text;
        match shown {
            Some(shown) => {
                assert!(page.contains(&format!("<bdi>{shown}</bdi>")), "{page}");
                assert!(
                    page.contains(&format!("value=\"{shown}\"")) && page.contains("Change the reference"),
                    "{page}"
                );
                assert!(owner.get("/dashboard").await.expect(200).text.contains(shown));
            }
            None => assert!(page.contains("Add a reference") && !page.contains("CLM"), "{page}"),
        }
    }
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn what_is_no_reference_comes_back_to_be_mended() {
    let service = TestService::start().await;
    let (mut owner, path) = with_analysis(&service).await;
    let long = "x".repeat(65);
    let refused = owner.post(&format!("{path}/reference"), &[("reference", &long)]).await.expect(422);
    assert!(refused.text.contains("at most 64 characters") && refused.text.contains(&long), "{}", refused.text);
    let page = owner.get(&path).await.expect(200).text;
    assert!(page.contains("Add a reference"), "{page}");
}

#[tokio::test]
async fn a_stranger_changes_no_reference_and_a_link_s_reader_sees_no_form() {
    let service = TestService::start().await;
    let (mut owner, path) = with_analysis(&service).await;
    for stranger in [&mut Browser::registered(&service, "eve").await, &mut Browser::new(&service)] {
        let refused = stranger.post(&format!("{path}/reference"), &[("reference", "CLM-1")]).await;
        assert!(refused.status == 404 || refused.header("location") == "/login", "{}", refused.status);
    }
    assert!(!owner.get(&path).await.expect(200).text.contains("CLM-1"));
    let made = owner.post(&format!("{path}/share"), &[]).await.expect(200).text;
    let (_, rest) = made.split_once("<code id=\"link\">").unwrap();
    let secret = rest.split_once('<').unwrap().0.rsplit('/').next().unwrap();
    let shared = Browser::new(&service).get(&format!("/s/{secret}")).await.expect(200).text;
    assert!(shared.contains("offer.pdf") && !shared.contains("Add a reference"), "{shared}");
}
