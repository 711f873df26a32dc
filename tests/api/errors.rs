//! Authentication, unknown paths and other methods.

use chrono::Utc;
use reqwest::Method;
use samples::small::pdf;
use shared::quota::timestamp;
use tests::api::send;
use tests::invariants::Snapshot;
use tests::service::TestService;

#[tokio::test]
async fn every_address_of_the_api_wants_a_token() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    for (method, path) in [
        (Method::GET, "/user"),
        (Method::PUT, "/user"),
        (Method::POST, "/pdf/analyze"),
        (Method::POST, "/pdf/compare"),
        (Method::POST, "/pdf/uploads"),
        (Method::GET, "/pdf"),
        (Method::GET, "/pdf/x"),
        (Method::GET, "/tokens"),
        (Method::POST, "/tokens"),
        (Method::DELETE, "/tokens/x"),
        (Method::GET, ""),
        (Method::GET, "/nowhere"),
    ] {
        let answer = send(ada.anonymous(method.clone(), path)).await.expect(401);
        assert_eq!(answer.code(), "unauthenticated", "{method} {path}");
        assert_eq!(answer.header("www-authenticate"), "Bearer");
        assert_eq!(answer.json["success"], false);
        assert_eq!(answer.json["error"]["request_id"], answer.header("x-request-id"));
        assert!(answer.header("ratelimit").is_empty());
    }
}

#[tokio::test]
async fn only_a_whole_known_token_opens() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let token = ada.token();
    let authorized =
        async |value: String| send(ada.anonymous(Method::GET, "/user").header("authorization", value)).await.status;
    for good in [format!("Bearer {token}"), format!("bearer {token}"), format!("BEARER    {token}")] {
        assert_eq!(authorized(good.clone()).await, 200, "{good}");
    }
    let typo = token.replace(&token[20..21], if &token[20..21] == "x" { "y" } else { "x" });
    for bad in [
        String::new(),
        "Bearer".to_owned(),
        token.clone(),
        format!("Basic {token}"),
        format!("Bearer {typo}"),
        format!("Bearer {token}x"),
        format!("Bearer {token} {token}"),
        format!("Bearer {}", ada.token_id()),
        format!("Bearer {}", "a".repeat(8_000)),
    ] {
        assert_eq!(authorized(bad.clone()).await, 401, "{bad}");
    }
    let twice = ada.request(Method::GET, "/user").header("authorization", format!("Bearer {token}"));
    assert_eq!(send(twice).await.status, 401);
    for elsewhere in [format!("/user?token={token}"), format!("/user?access_token={token}")] {
        send(ada.anonymous(Method::GET, &elsewhere)).await.expect(401);
    }
    send(ada.anonymous(Method::GET, "/user").header("cookie", format!("token={token}"))).await.expect(401);
}

#[tokio::test]
async fn a_closed_account_is_refused_at_once() {
    for mark in ["disabled", "deleting"] {
        let service = TestService::start().await;
        let ada = service.account("ada").await;
        ada.get("/user").await.expect(200);
        let text = |text: String| aws_sdk_dynamodb::types::AttributeValue::S(text);
        let table = &service.service().template().table.name;
        let account = service.service().dynamodb().update_item().table_name(table);
        let account = account.key("pk", text(format!("USER#{}", ada.user()))).key("sk", text("ACCOUNT".to_owned()));
        let closed = account.update_expression("SET #mark = :now").expression_attribute_names("#mark", mark);
        closed.expression_attribute_values(":now", text(timestamp(Utc::now()))).send().await.unwrap();
        for path in ["/user", "/pdf", "/tokens"] {
            ada.get(path).await.expect(401);
        }
        ada.analyze("a.pdf", pdf("A")).await.expect(401);
        Snapshot::of(&service).await.check();
    }
}

#[tokio::test]
async fn a_malformed_token_costs_no_look_up() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let token = ada.token();
    let _ = service.wire.take();
    let mut typo = token.into_bytes();
    typo[30] = if typo[30] == b'x' { b'y' } else { b'x' };
    let value = format!("Bearer {}", String::from_utf8(typo).unwrap());
    send(ada.anonymous(Method::GET, "/user").header("authorization", value)).await.expect(401);
    assert_eq!(service.wire.take().operations, Vec::<String>::new());
}

#[tokio::test]
async fn other_methods_are_told_which_ones_there_are() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let id = ada.token_id();
    for (method, path, allowed) in [
        (Method::POST, "/user".to_owned(), "GET, HEAD"),
        (Method::HEAD, "/pdf/analyze".to_owned(), "POST"),
        (Method::GET, "/pdf/analyze".to_owned(), "POST"),
        (Method::GET, "/pdf/compare".to_owned(), "POST"),
        (Method::GET, "/pdf/uploads".to_owned(), "POST"),
        (Method::DELETE, "/pdf".to_owned(), "GET, HEAD"),
        (Method::PUT, format!("/pdf/{id}"), "GET, HEAD, DELETE"),
        (Method::PATCH, "/tokens".to_owned(), "GET, HEAD, POST"),
        (Method::GET, format!("/tokens/{id}"), "DELETE"),
    ] {
        let answer = send(ada.request(method.clone(), &path)).await.expect(405);
        assert_eq!(answer.header("allow"), allowed, "{method} {path}");
        assert_eq!(answer.text.is_empty(), method == Method::HEAD);
        assert!(!answer.header("ratelimit").is_empty());
    }
}

#[tokio::test]
async fn head_is_answered_as_get_without_a_body() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let analyzed = ada.analyze("a.pdf", pdf("A")).await.expect(200);
    let id = analyzed.json["data"]["id"].as_str().unwrap();
    for path in
        ["/user", "/pdf", &format!("/pdf/{id}"), "/tokens", "/trust", "/openapi.json", "/pdf/nothing", "/pdf?page=0"]
    {
        let (get, head) = (ada.get(path).await, send(ada.request(Method::HEAD, path)).await);
        assert_eq!((head.status, head.text.as_str()), (get.status, ""), "{path}");
        for name in ["content-type", "content-length", "link", "x-ratelimit-remaining"] {
            assert_eq!(head.header(name), get.header(name), "{path}: {name}");
        }
    }
    let origin = service.service().origin();
    for (path, status) in [("/health", 200), ("/", 200), ("/docs", 200), ("/login", 200), ("/nowhere", 404)] {
        let head =
            tests::api::Answer::of(reqwest::Client::new().head(format!("{origin}{path}")).send().await.unwrap()).await;
        assert_eq!((head.status, head.text.as_str()), (status, ""), "{path}");
        assert_ne!(head.header("content-length"), "0", "{path}");
    }
    send(ada.anonymous(Method::HEAD, "/user")).await.expect(401);
}

#[tokio::test]
async fn clients_that_print_the_message_at_the_top_print_that_of_the_error() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    for path in ["/pdf?page=0", "/pdf/nothing", "/nowhere"] {
        let answer = ada.get(path).await;
        assert!(answer.status >= 400 && answer.json["message"].is_string(), "{path}: {}", answer.text);
        assert_eq!(answer.json["message"], answer.json["error"]["message"], "{path}");
    }
}

#[tokio::test]
async fn pages_outside_the_api_answer_in_html() {
    let service = TestService::start().await;
    let origin = service.service().origin();
    for (path, status) in [("/", 200), ("/nowhere", 404), ("/api", 404), ("/api/v2/user", 404), ("/api/v10", 404)] {
        let answer = tests::api::Answer::of(reqwest::get(format!("{origin}{path}")).await.unwrap()).await;
        assert_eq!(answer.status, status, "{path}");
        assert!(answer.header("content-type").starts_with("text/html"), "{path}");
    }
}

#[tokio::test]
async fn browsers_of_any_origin_may_call_the_api() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let preflight = ada
        .anonymous(Method::OPTIONS, "/pdf/analyze")
        .header("origin", "https://example.org")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "authorization,content-type,idempotency-key");
    let answer = send(preflight).await.expect(204);
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    assert!(answer.header("access-control-allow-methods").contains("POST"));
    assert!(answer.header("access-control-allow-headers").contains("idempotency-key"));

    let answer = send(ada.request(Method::GET, "/user").header("origin", "https://example.org")).await.expect(200);
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    assert!(answer.header("access-control-expose-headers").contains("ratelimit"));
    assert!(answer.header("access-control-allow-credentials").is_empty());
}
