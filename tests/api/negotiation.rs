//! What client and service agree on by headers: JSON whatever `Accept` says, names in UTF-8, CORS.

use reqwest::Method;
use samples::small::pdf;
use tests::api::send;
use tests::service::TestService;

#[tokio::test]
async fn answers_are_json_whatever_accept_says() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    for accept in ["text/html", "application/xml", "*/*", "application/json;q=0", "nonsense", ""] {
        for (path, status) in [("/user", 200), ("/pdf/x", 404), ("/openapi.json", 200), ("/nowhere", 404)] {
            let answer = send(ada.request(Method::GET, path).header("accept", accept)).await.expect(status);
            assert_eq!(answer.header("content-type"), "application/json", "{accept} {path}");
            assert!(answer.json.is_object(), "{accept} {path}");
        }
    }
    let anonymous = send(ada.anonymous(Method::GET, "/user").header("accept", "text/html")).await.expect(401);
    assert_eq!(anonymous.header("content-type"), "application/json");
}

#[tokio::test]
async fn the_document_is_open_and_takes_get_and_head_only() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let answer = send(ada.anonymous(Method::GET, "/openapi.json")).await.expect(200);
    assert_eq!(answer.json["openapi"], "3.1.0");
    assert!(answer.header("ratelimit").is_empty() && !answer.header("x-request-id").is_empty());
    let refused = send(ada.anonymous(Method::POST, "/openapi.json")).await.expect(405);
    assert_eq!((refused.code(), refused.header("allow")), ("method_not_allowed", "GET, HEAD"));
}

#[tokio::test]
async fn a_body_that_is_no_object_is_told_what_this_call_takes() {
    let service = TestService::start().await;
    for (path, status) in [("/pdf/analyze", 404), ("/pdf/uploads", 201), ("/tokens", 201)] {
        // five tickets are open at most
        for (index, body) in ["[]", "null", "5", "true", "\"x\"", "[{\"name\":\"x\"}]"].into_iter().enumerate() {
            let ada = service.account(&format!("ada{index}{}", path.replace('/', "."))).await;
            let post = |body: &str| {
                let request = ada.request(Method::POST, path).header("content-type", "application/json");
                send(request.body(body.to_owned()))
            };
            let refused = post(body).await.expect(400);
            assert_eq!(refused.code(), "bad_request", "{path} {body}");
            let message = refused.json["error"]["message"].as_str().unwrap();
            let (_, example) = message.split_once('{').unwrap();
            let (example, _) = example.rsplit_once('}').unwrap();
            // what it says to send is taken; there only is no such upload
            post(&format!("{{{example}}}")).await.expect(status);
        }
    }
}

#[tokio::test]
async fn names_in_any_script_come_back_as_they_were_sent() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let names =
        ["\u{dc}bersicht.pdf", "\u{8acb}\u{6c42}\u{66f8}.pdf", "\u{1f4c4} r\u{e9}sum\u{e9}.pdf", "a b+c%20.pdf"];
    for name in names {
        let direct = ada.analyze(name, pdf("A")).await.expect(200);
        assert_eq!(direct.json["data"]["filename"], name, "multipart");
        let upload = ada.stage(name, pdf("A")).await;
        let staged = ada.analyze_staged(&upload).await.expect(200);
        assert_eq!(staged.json["data"]["filename"], name, "staged");
        let id = staged.json["data"]["id"].as_str().unwrap();
        let again = ada.get(&format!("/pdf/{id}")).await.expect(200);
        // as UTF-8, not as escapes
        assert!(again.text.contains(name), "{}", again.text);
    }
    let boundary = "boundary";
    let mut body = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename*=UTF-8''%C3%9Cbersicht%20%E2%82%AC.pdf\r\n\r\n"
    )
    .into_bytes();
    body.extend(pdf("A"));
    body.extend(format!("\r\n--{boundary}--\r\n").into_bytes());
    let kind = format!("multipart/form-data; boundary={boundary}");
    let request = ada.request(Method::POST, "/pdf/analyze").header("content-type", kind).body(body);
    assert_eq!(send(request).await.expect(200).json["data"]["filename"], "\u{dc}bersicht \u{20ac}.pdf");
}

#[tokio::test]
async fn locations_and_links_lead_there() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let origin = service.service().origin();
    let follow = async |target: &str| {
        let url = url_of(&origin, target);
        send(reqwest::Client::new().get(url).bearer_auth(ada.token())).await
    };
    let analyzed = ada.analyze("a.pdf", pdf("A")).await.expect(200);
    assert_eq!(follow(analyzed.header("location")).await.expect(200).json["data"], analyzed.json["data"]);
    ada.analyze("b.pdf", pdf("B")).await.expect(200);
    let first = ada.get("/pdf?per_page=1").await.expect(200);
    let next = first.header("link").split(", ").find(|link| link.ends_with("rel=\"next\"")).unwrap();
    let target = next.split(['<', '>']).nth(1).unwrap();
    assert_eq!(follow(target).await.expect(200).json["data"][0]["filename"], "a.pdf");
}

fn url_of(origin: &str, target: &str) -> String {
    assert!(target.starts_with("/api/v1/"), "{target}");
    format!("{origin}{target}")
}

#[tokio::test]
async fn every_header_that_the_document_speaks_of_may_be_read_by_scripts() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let answer = send(ada.request(Method::GET, "/user").header("origin", "https://example.org")).await.expect(200);
    let exposed: Vec<&str> = answer.header("access-control-expose-headers").split(',').collect();
    let document: serde_json::Value = serde_json::from_str(include_str!("../../docs/openapi.json")).unwrap();
    for name in document["components"]["headers"].as_object().unwrap().keys() {
        // scripts may always read this one; the other is for browsers
        let own = ["Cache-Control", "X-Content-Type-Options"].contains(&name.as_str());
        assert!(own || exposed.contains(&name.to_lowercase().as_str()), "{name}");
    }
    let refused = send(ada.anonymous(Method::GET, "/user").header("origin", "https://example.org")).await.expect(401);
    assert_eq!(refused.header("access-control-allow-origin"), "*");
}

#[tokio::test]
async fn options_without_a_preflight_is_a_method_like_any_other() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let answer = send(ada.request(Method::OPTIONS, "/pdf/analyze")).await.expect(405);
    assert_eq!(answer.header("allow"), "POST");
    let preflight = ada
        .anonymous(Method::OPTIONS, "/tokens/x")
        .header("origin", "https://example.org")
        .header("access-control-request-method", "DELETE");
    let answer = send(preflight).await.expect(204);
    assert!(answer.header("access-control-allow-methods").contains("DELETE"));
    assert_eq!(answer.header("access-control-max-age"), "86400");
}
