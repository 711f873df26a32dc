//! Who is calling: everything that is not one good token in one header.

use lambda_http::http::HeaderValue;
use reqwest::{Method, RequestBuilder};
use samples::small::pdf;
use serde_json::json;
use shared::ids::TokenId;
use shared::secret::ApiToken;

use super::case::Case;
use super::world::World;

pub(super) async fn cases(world: &World) -> Vec<Case> {
    let token = world.ada.token();
    let mut cases: Vec<Case> = malformed(world, &token)
        .into_iter()
        .map(|value| {
            let what = format!("authorization {value:?}");
            refused(what, user(world).header("authorization", value)).without_look_up()
        })
        .collect();
    cases.extend(
        well_formed(world).await.into_iter().map(|(what, token)| {
            refused(what.to_owned(), user(world).header("authorization", format!("Bearer {token}")))
        }),
    );
    cases.extend(elsewhere(world, &token));
    for good in [format!("bearer {token}"), format!("BEARER     {token}"), format!("Bearer {token}  ")] {
        cases.push(Case::http(format!("{good:?}"), user(world).header("authorization", good)).gives(200, ""));
    }
    cases.extend(on_the_wire(&token));
    cases
}

fn user(world: &World) -> RequestBuilder {
    world.ada.anonymous(Method::GET, "/user")
}

fn refused(what: String, request: RequestBuilder) -> Case {
    Case::http(what, request).gives(401, "unauthenticated").with_header("www-authenticate", "Bearer")
}

/// Header values that no token can be read from.
fn malformed(world: &World, token: &str) -> Vec<String> {
    let typo = |at: usize| {
        let other = if &token[at..=at] == "x" { "y" } else { "x" };
        format!("Bearer {}{other}{}", &token[..at], &token[at + 1..])
    };
    vec![
        String::new(),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        token.to_owned(),
        format!("Basic {token}"),
        format!("Token {token}"),
        format!("Bearer: {token}"),
        format!("Bearer\t{token}"),
        format!("Bearer{token}"),
        format!("Bearer \"{token}\""),
        format!("Bearer <{token}>"),
        format!("Bearer {token},"),
        format!("Bearer {token} {token}"),
        format!("Bearer {token},Bearer {token}"),
        format!("Bearer Bearer {token}"),
        format!("Bearer token={token}"),
        format!("Bearer {}", token.to_lowercase()),
        format!("Bearer {}", token.replace('_', "%5F")),
        format!("Bearer {}", token.trim_start_matches("pdfa_")),
        format!("Bearer {token}\u{a0}"),
        format!("Bearer {}", world.ada.token_id()),
        format!("Bearer {}", world.ada.user()),
        format!("Bearer {}", stored_hash(token)),
        format!("Bearer pdfa_{}", stored_hash(token)),
        typo(5),
        typo(40),
        typo(80),
        format!("Bearer {}", &token[..80]),
        format!("Bearer {token}0"),
        format!("Bearer pdfa_{}", "0".repeat(8 * 1024)),
        format!("Bearer pdfa_{}", "0".repeat(76)),
        format!("Bearer pdfa_{}", "\u{e9}".repeat(38)),
        "Bearer null".to_owned(),
        "Bearer undefined".to_owned(),
        "Negotiate YII=".to_owned(),
    ]
}

/// The hash that the table keeps, in hexadecimal digits: who reads the table cannot log in.
fn stored_hash(token: &str) -> String {
    let hash = ApiToken::parse(token).unwrap().secret().hash();
    hash.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Tokens with a right checksum that open nothing.
async fn well_formed(world: &World) -> Vec<(&'static str, String)> {
    let forged = |user, id| ApiToken::new(user, id).unwrap().reveal();
    let (ada, bob) = (ApiToken::parse(&world.ada.token()).unwrap(), ApiToken::parse(&world.bob.token()).unwrap());
    vec![
        ("another secret", forged(ada.user, ada.id)),
        ("another user's token id", forged(ada.user, bob.id)),
        ("own token id of another user", forged(bob.user, ada.id)),
        ("nobody's token", forged(shared::ids::UserId::random(), TokenId::new(chrono::Utc::now()))),
        ("a revoked token", world.revoked.clone()),
    ]
}

/// The right token in the wrong place.
fn elsewhere(world: &World, token: &str) -> Vec<Case> {
    let api = &world.ada;
    let two = user(world).header("authorization", format!("Bearer {token}"));
    let form = reqwest::multipart::Form::new().text("token", token.to_owned());
    let file = reqwest::multipart::Part::bytes(pdf("A")).file_name("a.pdf");
    [
        ("no header", user(world)),
        ("two headers", two.header("authorization", format!("Bearer {token}"))),
        ("two headers, one of them empty", user(world).bearer_auth(token).header("authorization", "")),
        ("two different tokens", user(world).bearer_auth(token).bearer_auth(world.bob.token())),
        (
            "bytes that are no text",
            user(world).header("authorization", HeaderValue::from_bytes(b"Bearer \xff").unwrap()),
        ),
        ("token as a user name", user(world).basic_auth(token, Some(""))),
        ("token as a password", user(world).basic_auth("ada", Some(token))),
        ("query: token", api.anonymous(Method::GET, &format!("/user?token={token}"))),
        ("query: access_token", api.anonymous(Method::GET, &format!("/user?access_token={token}"))),
        ("query: authorization", api.anonymous(Method::GET, &format!("/user?authorization=Bearer%20{token}"))),
        ("cookie", user(world).header("cookie", format!("token={token}; session={token}; authorization={token}"))),
        ("x-api-key", user(world).header("x-api-key", token)),
        ("proxy-authorization", user(world).header("proxy-authorization", format!("Bearer {token}"))),
        ("x-forwarded-authorization", user(world).header("x-forwarded-authorization", format!("Bearer {token}"))),
        ("JSON body", api.anonymous(Method::POST, "/tokens").json(&json!({ "name": "n", "token": token }))),
        ("form", api.anonymous(Method::POST, "/tokens").form(&[("name", "n"), ("access_token", token)])),
        ("multipart form", api.anonymous(Method::POST, "/pdf/analyze").multipart(form.part("file", file))),
        ("delete", api.anonymous(Method::DELETE, &format!("/tokens/{}", api.token_id()))),
        ("a path that does not exist", api.anonymous(Method::GET, "/nowhere")),
        ("a method that does not exist", api.anonymous(Method::PUT, "/user")),
    ]
    .into_iter()
    .map(|(what, request)| refused(what.to_owned(), request).without_look_up())
    .collect()
}

/// What no HTTP client would send.
fn on_the_wire(token: &str) -> Vec<Case> {
    let request = |line: &str| format!("GET /api/v1/user HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{line}\r\n\r\n");
    let raw = |what, line: String| Case::raw(what, &[request(&line).as_bytes()]);
    vec![
        raw("NUL in the token", format!("Authorization: Bearer {token}\0")).gives(400, ""),
        raw("a folded header", format!("Authorization: Bearer\r\n {token}")).gives(400, ""),
        raw("a space before the colon", format!("Authorization : Bearer {token}")).gives(400, ""),
        raw("a bare CR", format!("Authorization: Bearer {token}\rX: y")).gives(400, ""),
        raw("no space after the colon", format!("AUTHORIZATION:Bearer {token}")).gives(200, ""),
    ]
}
