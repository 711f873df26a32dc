//! The embedded DynamoDB, as the template's table.

use aws_sdk_dynamodb::types::AttributeValue;
use server::{Options, Service};

use crate::start::kept;

fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.to_owned())
}

#[tokio::test]
async fn a_restart_keeps_every_acknowledged_item() {
    let folder = tempfile::tempdir().unwrap();
    for start in 0..3 {
        let service = kept(&folder).await;
        assert_eq!(service.embedded().unwrap().first_start(), start == 0);
        let table = &service.template().table.name;
        let put = service.dynamodb().put_item().table_name(table);
        put.item("pk", text("a")).item("sk", text(&start.to_string())).send().await.unwrap();
        let all = service.dynamodb().scan().table_name(table).send().await.unwrap();
        assert_eq!(all.count, start + 1);
        if start == 1 {
            service.shutdown().await;
        }
    }
}

#[tokio::test]
async fn expired_items_are_swept() {
    let service = Service::start(Options::default()).await.unwrap();
    let table = service.template().table.clone();
    let expires = table.ttl_attribute.unwrap();
    for (sk, time) in [("past", "1000"), ("future", "99999999999")] {
        let put = service.dynamodb().put_item().table_name(&table.name).item("pk", text("a")).item("sk", text(sk));
        put.item(&expires, AttributeValue::N(time.to_owned())).send().await.unwrap();
    }
    service.sweep().await;
    let left = service.dynamodb().scan().table_name(&table.name).send().await.unwrap();
    let left: Vec<_> = left.items().iter().map(|item| item["sk"].clone()).collect();
    assert_eq!(left, [text("future")]);
}
