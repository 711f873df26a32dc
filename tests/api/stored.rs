//! Analyses that earlier versions of the service have stored.

use samples::small::pdf;
use serde_json::Value;
use tests::rows::{read, text, write};
use tests::service::TestService;

#[tokio::test]
async fn what_an_old_analysis_lacks_is_answered_as_null_and_stays_as_it_is() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let first = ada.analyze_once("key", "a.pdf", pdf("A")).await.expect(200);
    let id = first.json["data"]["id"].as_str().unwrap();
    assert!(first.json["data"]["metadata"]["integrity"]["verdict"].is_string());

    // as it was stored before these keys were
    let mut row = read(&service, &ada, "ANALYSIS#000000000001").await;
    row.remove("verdict").unwrap();
    write(&service, row).await;
    let mut item = read(&service, &ada, "METADATA#000000000001").await;
    let mut stored: Value = serde_json::from_str(item["metadata"].as_s().unwrap()).unwrap();
    for key in ["integrity", "engine"] {
        stored.as_object_mut().unwrap().remove(key).unwrap();
    }
    item.insert("metadata".to_owned(), text(&stored.to_string()));
    write(&service, item.clone()).await;

    let mut expected = first.json["data"].clone();
    expected["metadata"]["integrity"] = Value::Null;
    expected["metadata"]["engine"] = Value::Null;
    assert_eq!(ada.get(&format!("/pdf/{id}")).await.expect(200).json["data"], expected);
    assert_eq!(ada.analyze_once("key", "a.pdf", pdf("A")).await.expect(200).json["data"], expected);
    assert_eq!(ada.get("/pdf").await.expect(200).json["data"][0]["verdict"], Value::Null);
    assert_eq!(ada.get("/pdf?verdict=no_signs").await.expect(200).json["data"], Value::Array(Vec::new()));
    assert_eq!(read(&service, &ada, "METADATA#000000000001").await, item);
}
