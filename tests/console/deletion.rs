//! Analyses deleted from their page and from the dashboard.

use samples::small::pdf;
use tests::browser::Browser;
use tests::invariants::Snapshot;
use tests::service::TestService;

/// Uploads and gives the path of the analysis.
async fn uploaded(browser: &Browser, name: &str) -> String {
    browser.upload(name, pdf(name)).await.expect(303).header("location").to_owned()
}

#[tokio::test]
async fn an_analysis_is_deleted_from_its_page() {
    let service = TestService::start().await;
    let (mut ada, mut eve) = (Browser::registered(&service, "ada").await, Browser::registered(&service, "eve").await);
    let path = uploaded(&ada, "a.pdf").await;
    let page = ada.get(&path).await.expect(200).text;
    let action = format!("{path}/delete");
    assert!(page.contains(&format!("action=\"{action}\"")) && page.contains("permanently?"), "{page}");
    eve.post(&action, &[]).await.expect(404);
    ada.get(&path).await.expect(200);
    let answer = ada.post(&action, &[]).await.expect(303);
    assert_eq!(answer.header("location"), "/dashboard");
    ada.get(&path).await.expect(404);
    ada.post(&action, &[]).await.expect(404);
    ada.post("/analyses/x/delete", &[]).await.expect(404);
    let dashboard = ada.get("/dashboard").await.expect(200).text;
    assert!(!dashboard.contains(">a.pdf<") && dashboard.contains("<strong id=\"left\">49</strong>"), "{dashboard}");
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn several_are_deleted_from_the_dashboard() {
    let service = TestService::start().await;
    let (mut ada, eve) = (Browser::registered(&service, "ada").await, Browser::registered(&service, "eve").await);
    let mut paths = Vec::new();
    for name in ["a.pdf", "b.pdf", "c.pdf"] {
        paths.push(uploaded(&ada, name).await);
    }
    let foreign = uploaded(&eve, "foreign.pdf").await;
    let id = |path: &str| path.rsplit('/').next().unwrap().to_owned();
    let dashboard = ada.get("/dashboard").await.expect(200).text;
    for path in &paths {
        assert!(dashboard.contains(&format!("name=\"{}\" form=\"selection\"", id(path))), "{dashboard}");
    }
    let none = ada.post("/dashboard/delete", &[("x", "on")]).await.expect(422);
    assert!(none.text.contains("Select the analyses to delete first.") && none.text.contains("b.pdf"), "{}", none.text);
    // what is another's or gone is passed over
    let (first, last, foreign_id) = (id(&paths[0]), id(&paths[2]), id(&foreign));
    let selected = [(first.as_str(), "on"), (&last, "on"), (&foreign_id, "on")];
    for _ in 0..2 {
        assert_eq!(ada.post("/dashboard/delete", &selected).await.expect(303).header("location"), "/dashboard");
        let dashboard = ada.get("/dashboard").await.expect(200).text;
        let there = ["a.pdf", "b.pdf", "c.pdf"].map(|name| dashboard.contains(&format!(">{name}</a>")));
        assert_eq!(there, [false, true, false], "{dashboard}");
    }
    eve.get(&foreign).await.expect(200);
    Snapshot::of(&service).await.check();
}
