//! The JSON bodies of `POST /pdf/uploads` and `POST /pdf/analyze`.

use reqwest::Method;
use samples::small::pdf;
use serde_json::json;
use shared::ids::UploadId;

use super::case::Case;
use super::world::World;

pub(super) async fn cases(world: &World) -> Vec<Case> {
    let mut cases = tickets(world);
    cases.extend(upload_ids(world).await);
    cases.extend(bodies(world));
    cases
}

fn post(world: &World, path: &str, body: &str) -> Case {
    let request = world.ada.request(Method::POST, path).header("content-type", "application/json");
    Case::http(format!("{path} {body:?}"), request.body(body.to_owned()))
}

fn tickets(world: &World) -> Vec<Case> {
    let sizes = [
        "0",
        "-1",
        "-0",
        "1.5",
        "1e400",
        "\"01\"",
        "null",
        "true",
        "[1]",
        "{}",
        "18446744073709551616",
        "-9223372036854775809",
    ];
    let with_size = |size: &str| post(world, "/pdf/uploads", &format!(r#"{{"filename":"a.pdf","file_size":{size}}}"#));
    let mut cases: Vec<Case> = sizes
        .into_iter()
        .map(|size| match size {
            // no JSON number: it has no value
            "1e400" => with_size(size).gives(400, "bad_request"),
            _ => with_size(size).gives(422, "validation_failed").holding("file_size"),
        })
        .collect();
    for size in ["104857601", "18446744073709551615"] {
        cases.push(with_size(size).gives(413, "file_too_large"));
    }
    for body in [
        "{}",
        r#"{"file_size":1}"#,
        r#"{"filename":null,"file_size":1}"#,
        r#"{"filename":7,"file_size":1}"#,
        r#"{"filename":["a"],"file_size":1}"#,
    ] {
        cases.push(post(world, "/pdf/uploads", body).gives(422, "validation_failed"));
    }
    cases
}

async fn upload_ids(world: &World) -> Vec<Case> {
    let foreign = world.bob.stage("bob.pdf", pdf("Bob's")).await;
    let own = world.ada.stage("ada.pdf", pdf("Ada's")).await;
    let unfilled = world.ada.ticket("a.pdf", 5).await["upload_id"].as_str().unwrap().to_owned();
    let ids = [
        foreign.clone(),
        unfilled,
        UploadId::new(chrono::Utc::now()).to_string(),
        own.to_uppercase(),
        own.replace('-', ""),
        format!(" {own}"),
        format!("{own}/"),
        format!("../{}/{foreign}", world.bob.user()),
        format!("..%2F{}%2F{foreign}", world.bob.user()),
        format!("uploads/{}/{own}", world.ada.user()),
        String::new(),
        "x".repeat(300),
        "\u{0}".to_owned(),
        "*".to_owned(),
    ];
    let analyze = |body: serde_json::Value| post(world, "/pdf/analyze", &body.to_string());
    let mut cases: Vec<Case> =
        ids.map(|id| analyze(json!({ "upload_id": id })).gives(404, "not_found")).into_iter().collect();
    for body in [
        json!({}),
        json!({ "upload_id": null }),
        json!({ "upload_id": 5 }),
        json!({ "upload_id": [own] }),
        json!({ "upload_id": { "id": own } }),
        json!({ "upload_id": true }),
        json!({ "upload_id": own, "password": 5 }),
        json!({ "upload_id": own, "password": ["a"] }),
        json!({ "Upload_Id": own }),
        json!({ "file": "JVBERi0xLjQ=" }),
        json!({ "url": "http://169.254.169.254/latest/meta-data/" }),
    ] {
        cases.push(analyze(body).gives(422, "validation_failed"));
    }
    let twice = format!(r#"{{"upload_id":"{own}","upload_id":"{own}"}}"#);
    cases.push(post(world, "/pdf/analyze", &twice).gives(400, "bad_request"));
    let keyed = |key: &str| {
        let request = world.ada.request(Method::POST, "/pdf/analyze").header("idempotency-key", key);
        Case::http(format!("staged with key {key:?}"), request.json(&json!({ "upload_id": own })))
    };
    cases.push(keyed("taken").gives(422, "idempotency_key_reused"));
    cases.push(keyed(&"k".repeat(256)).gives(422, "validation_failed"));
    cases
}

fn bodies(world: &World) -> Vec<Case> {
    let mut cases = Vec::new();
    for path in ["/pdf/uploads", "/pdf/analyze"] {
        for body in ["{", "{\"a\":1,\"a\":2}", "{\"password\":\"\\udfff\"}"] {
            cases.push(post(world, path, body).gives(400, "bad_request"));
        }
        cases.push(post(world, path, "").gives(415, "unsupported_media_type"));
        let large = format!(r#"{{"x":"{}"}}"#, "x".repeat(64 * 1024));
        cases.push(post(world, path, &large).gives(413, "file_too_large"));
    }
    cases
}
