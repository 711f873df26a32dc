//! The usual operations answer and store what dynoxide does.

use std::time::Instant;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::operations::{Engine, StoreAnswer, answer};
use super::super::store::Store;
use super::{Unusual, UsualOperations};

const TABLE: &str = "Things";

/// An empty table, with or without the usual operations.
fn store(usual: bool) -> Store {
    let engine = Engine::open(None).unwrap();
    let keys = |kinds: [&str; 2]| {
        let names = ["pk", "sk"].into_iter().zip(kinds);
        names.map(|(name, kind)| json!({"AttributeName": name, "KeyType": kind})).collect::<Vec<_>>()
    };
    let types = ["pk", "sk"].map(|name| json!({"AttributeName": name, "AttributeType": "S"}));
    let table = json!({
        "TableName": TABLE, "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": keys(["HASH", "RANGE"]), "AttributeDefinitions": types,
    });
    let created = answer(&engine, "DynamoDB_20120810.CreateTable", table.to_string().as_bytes());
    assert_eq!(created.status, 200, "{}", created.text);
    if usual { Store::new(engine, TABLE) } else { Store::without_usual(engine) }
}

fn ask(store: &Store, operation: &str, body: &Value) -> StoreAnswer {
    store.answer(&format!("DynamoDB_20120810.{operation}"), body.to_string().as_bytes(), Instant::now())
}

/// A scalar that the service stores, or one that it does not.
fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => (-3i64..4).prop_map(|number| json!({"N": number.to_string()})),
        2 => "[a-c\"\\\\ü]{0,3}".prop_map(|text| json!({"S": text})),
        1 => proptest::collection::vec(any::<u8>(), 1..4).prop_map(|bytes| json!({"B": base64_simd::STANDARD.encode_to_string(bytes)})),
        1 => any::<bool>().prop_map(|flag| json!({"BOOL": flag})),
        1 => Just(json!({"SS": ["x", "y"]})),
        1 => Just(json!({"M": {"inner": {"N": "1"}}})),
        1 => proptest::sample::select(vec!["1.50", "007", "1e3", "-0", "99999999999999999999999999999999999999"])
            .prop_map(|digits| json!({"N": digits})),
    ]
}

fn key() -> impl Strategy<Value = Value> {
    (0u8..2, 0u8..4).prop_map(|(pk, sk)| json!({"pk": {"S": format!("p{pk}")}, "sk": {"S": format!("s{sk}")}}))
}

/// A condition with the names and values that it needs.
fn condition() -> impl Strategy<Value = (Option<&'static str>, Value, Value)> {
    let simple = proptest::sample::select(vec![
        "attribute_exists(pk)",
        "attribute_not_exists(pk)",
        "attribute_exists(pk) AND attribute_not_exists(a)",
        "attribute_not_exists(a) OR attribute_exists(b)",
    ]);
    let named = proptest::sample::select(vec![
        "#n = :c",
        "attribute_exists(pk) AND #n = :c",
        "attribute_not_exists(#n) OR #n <= :c",
        "#n < :c AND (attribute_exists(a) OR #n > :c)",
        "#n >= :c",
        "#n <> :c",
        "size(#n) < :c",
    ]);
    let name = proptest::sample::select(vec!["a", "b", "reference"]);
    prop_oneof![
        2 => Just((None, json!({}), json!({}))),
        2 => simple.prop_map(|text| (Some(text), json!({}), json!({}))),
        4 => (named, name, value()).prop_map(|(text, name, value)| (Some(text), json!({"#n": name}), json!({":c": value}))),
        // names or values that are not used, or not there
        1 => Just((Some("attribute_exists(pk)"), json!({}), json!({":c": {"N": "1"}}))),
        1 => Just((Some("#n = :c"), json!({"#n": "a"}), json!({}))),
        1 => Just((Some("reference = :c"), json!({}), json!({":c": {"N": "1"}}))),
    ]
}

fn action() -> impl Strategy<Value = Value> {
    let change = proptest::sample::select(vec![
        ("SET a = :v", json!({}), true),
        ("SET a = :v, #m = :v", json!({"#m": "reference"}), true),
        ("ADD b :v", json!({}), true),
        ("SET a = :v ADD b :v REMOVE c", json!({}), true),
        ("REMOVE a, #m", json!({"#m": "b"}), false),
        ("SET a = if_not_exists(a, :v)", json!({}), true),
        ("SET #m = :v", json!({"#m": "sk"}), true),
        ("SET a = :v REMOVE a", json!({}), true),
    ]);
    let attributes =
        proptest::collection::btree_map(proptest::sample::select(vec!["a", "b", "c", "reference"]), value(), 0..4);
    (key(), condition(), change, value(), attributes, any::<bool>()).prop_map(
        |(key, (condition, mut names, mut values), (change, others, valued), value, attributes, puts)| {
            let mut action = json!({"TableName": TABLE, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"});
            if let Some(condition) = condition {
                action["ConditionExpression"] = condition.into();
            }
            if puts {
                action["Item"] = key;
                action["Item"]
                    .as_object_mut()
                    .unwrap()
                    .extend(attributes.into_iter().map(|(name, value)| (name.to_owned(), value)));
            } else {
                action["Key"] = key;
                action["UpdateExpression"] = change.into();
                names.as_object_mut().unwrap().extend(others.as_object().unwrap().clone());
                if valued {
                    values[":v"] = value;
                }
            }
            for (member, map) in [("ExpressionAttributeNames", names), ("ExpressionAttributeValues", values)] {
                if map.as_object().is_some_and(|map| !map.is_empty()) {
                    action[member] = map;
                }
            }
            json!({ if puts { "Put" } else { "Update" }: action })
        },
    )
}

fn read() -> impl Strategy<Value = (&'static str, Value)> {
    let batch = proptest::collection::vec(key(), 1..5)
        .prop_map(|keys| ("BatchGetItem", json!({"RequestItems": {TABLE: {"Keys": keys, "ConsistentRead": true}}})));
    let projection =
        proptest::sample::select(vec![None, Some("a, b"), Some("a, #r"), Some("sk"), Some("reference"), Some("a, a")]);
    let query = (0u8..2, 0u8..4, 0u8..4, proptest::option::of(1u32..4), any::<bool>(), projection).prop_map(
        |(pk, low, high, limit, forward, projection)| {
            let mut query = json!({
                "TableName": TABLE, "ConsistentRead": true, "ScanIndexForward": forward,
                "KeyConditionExpression": "pk = :p AND sk BETWEEN :l AND :h",
                "ExpressionAttributeValues": {
                    ":p": {"S": format!("p{pk}")}, ":l": {"S": format!("s{low}")}, ":h": {"S": format!("s{high}")},
                },
            });
            if let Some(limit) = limit {
                query["Limit"] = limit.into();
            }
            if let Some(projection) = projection {
                query["ProjectionExpression"] = projection.into();
                if projection.contains('#') {
                    query["ExpressionAttributeNames"] = json!({"#r": "reference"});
                }
            }
            ("Query", query)
        },
    );
    prop_oneof![batch, query]
}

/// An answer whose items are compared without regard to the order of their attributes.
fn shape(answer: &StoreAnswer) -> (u16, Value) {
    (answer.status, serde_json::from_str(&answer.text).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn they_answer_and_store_what_dynoxide_does(
        operations in proptest::collection::vec(
            prop_oneof![
                proptest::collection::vec(action(), 1..4).prop_map(|actions| ("TransactWriteItems", json!({"TransactItems": actions}))),
                read(),
            ],
            1..40,
        ),
    ) {
        let (usual, reference) = (store(true), store(false));
        for (operation, body) in operations {
            let (ours, theirs) = (ask(&usual, operation, &body), ask(&reference, operation, &body));
            prop_assert_eq!(shape(&ours), shape(&theirs), "{} {}", operation, body);
            prop_assert_eq!(usual.rows(TABLE), reference.rows(TABLE), "{} {}", operation, body);
        }
    }
}

/// The store's operations on the way of an upload, as the service sends them, the second time.
#[test]
fn what_the_service_sends_is_usual() {
    let (state, condition) =
        (store(true), "attribute_exists(pk) AND attribute_not_exists(closed) AND n = :seen AND #used = :used");
    let key = json!({"pk": {"S": "p"}, "sk": {"S": "ACCOUNT"}});
    let mut account = key.clone();
    account.as_object_mut().unwrap().extend([
        ("n".to_owned(), json!({"N": "1"})),
        ("used:2026-11-20".to_owned(), json!({"N": "1"})),
        ("shares".to_owned(), json!({"M": {"1": {"N": "0"}}})),
    ]);
    assert_eq!(ask(&state, "PutItem", &json!({"TableName": TABLE, "Item": account})).status, 200);
    let commit = |n: u64| {
        let update = json!({
            "TableName": TABLE, "Key": key, "ConditionExpression": condition,
            "UpdateExpression": "SET n = :next, #used = :next ADD #count :one",
            "ExpressionAttributeNames": {"#used": "used:2026-11-20", "#count": "count"},
            "ExpressionAttributeValues": {
                ":seen": {"N": n.to_string()}, ":used": {"N": n.to_string()}, ":next": {"N": (n + 1).to_string()}, ":one": {"N": "1"},
            },
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        });
        let put = json!({
            "TableName": TABLE, "ConditionExpression": "attribute_not_exists(pk)",
            "Item": {"pk": {"S": "p"}, "sk": {"S": format!("ANALYSIS#{n}")}, "finding": {"B": "AAEC"}, "file_size": {"N": "100"}},
        });
        json!({"TransactItems": [{"Update": update}, {"Put": put}], "ClientRequestToken": n.to_string()})
    };
    let query = json!({
        "TableName": TABLE, "ConsistentRead": true, "ScanIndexForward": false, "Limit": 20,
        "KeyConditionExpression": "pk = :p AND sk BETWEEN :l AND :h", "ProjectionExpression": "file_size, #r",
        "ExpressionAttributeNames": {"#r": "reference"},
        "ExpressionAttributeValues": {":p": {"S": "p"}, ":l": {"S": "ANALYSIS#0"}, ":h": {"S": "ANALYSIS#9"}},
    });
    let batch = json!({"RequestItems": {TABLE: {"Keys": [key], "ConsistentRead": true}}});
    let usual = |operation: &str, body: &Value| -> Result<String, Unusual> {
        state.usual_answer(&format!("DynamoDB_20120810.{operation}"), body.to_string().as_bytes())
    };
    assert_eq!(usual("TransactWriteItems", &commit(1)), Err(Unusual), "dynoxide has not accepted its conditions yet");
    assert_eq!(usual("Query", &query), Err(Unusual));
    for (operation, body) in [("TransactWriteItems", &commit(1)), ("Query", &query)] {
        let answer = ask(&state, operation, body);
        assert_eq!(answer.status, 200, "{}", answer.text);
    }
    assert_eq!(usual("TransactWriteItems", &commit(2)), Ok("{}".to_owned()));
    assert_eq!(usual("TransactWriteItems", &commit(2)), Err(Unusual), "its condition fails now");
    assert!(usual("Query", &query).unwrap().contains("\"Count\":2"));
    let account = usual("BatchGetItem", &batch).unwrap();
    assert!(
        account.contains(r#""count":{"N":"2"}"#) && account.contains(r#""used:2026-11-20":{"N":"3"}"#),
        "{account}"
    );
}

#[test]
fn a_table_with_an_index_or_other_keys_is_left_to_dynoxide() {
    let engine = Engine::open(None).unwrap();
    assert!(UsualOperations::new(&engine.storage, TABLE).table.is_none());
    let store = store(true);
    assert_eq!(
        ask(
            &store,
            "CreateTable",
            &json!({
                "TableName": "Others", "BillingMode": "PAY_PER_REQUEST",
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            })
        )
        .status,
        200
    );
    let batch = json!({"RequestItems": {TABLE: {"Keys": [{"pk": {"S": "p"}, "sk": {"S": "s"}}]}}});
    assert!(store.usual_answer("DynamoDB_20120810.BatchGetItem", batch.to_string().as_bytes()).is_err());
}
