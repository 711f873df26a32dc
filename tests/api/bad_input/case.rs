//! One bad request: how it is sent, what has to come back, what it may change.

use std::collections::HashMap;
use std::time::Duration;

use reqwest::RequestBuilder;
use serde_json::Value;
use tests::api::send;
use tests::events::invoke_text;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::world::{State, World};

/// How a request gets to the service.
enum Way {
    Http(Box<RequestBuilder>),
    /// Bytes on a connection, with a rest between the pieces.
    Raw(Vec<Vec<u8>>),
    /// The same, and then the client goes.
    Cut(Vec<u8>),
    /// An event's text for the function of a route.
    Event(String, String),
}

/// What a request may change.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Effect {
    Nothing,
    /// The day's count of failures goes up by one.
    Failed,
    /// An analysis is stored and counted.
    Analyzed,
    /// There is one more token.
    Token,
}

pub(super) struct Case {
    what: String,
    way: Way,
    status: u16,
    code: &'static str,
    effect: Effect,
    header: Option<(&'static str, String)>,
    holds: Option<String>,
    looks_up: bool,
}

struct Given {
    status: u16,
    headers: HashMap<String, String>,
    text: String,
}

impl Case {
    pub(super) fn http(what: impl Into<String>, request: RequestBuilder) -> Self {
        Self::new(&what.into(), Way::Http(Box::new(request)))
    }

    pub(super) fn raw(what: impl Into<String>, pieces: &[&[u8]]) -> Self {
        Self::new(&what.into(), Way::Raw(pieces.iter().map(|piece| piece.to_vec()).collect()))
    }

    pub(super) fn cut(what: impl Into<String>, bytes: &[u8]) -> Self {
        Self::new(&what.into(), Way::Cut(bytes.to_vec()))
    }

    pub(super) fn event(what: impl Into<String>, key: &str, event: &impl ToString) -> Self {
        Self::new(&what.into(), Way::Event(key.to_owned(), event.to_string()))
    }

    fn new(what: &str, way: Way) -> Self {
        let what = what.chars().take(80).collect();
        Self { what, way, status: 0, code: "", effect: Effect::Nothing, header: None, holds: None, looks_up: true }
    }

    /// The status and the error code; no code where the gateway itself refuses, or nobody does.
    pub(super) fn gives(self, status: u16, code: &'static str) -> Self {
        Self { status, code, ..self }
    }

    pub(super) fn fails(self) -> Self {
        Self { effect: Effect::Failed, ..self.gives(422, "analysis_failed") }
    }

    pub(super) fn analyses(self) -> Self {
        Self { effect: Effect::Analyzed, ..self.gives(200, "") }
    }

    pub(super) fn creates(self) -> Self {
        Self { effect: Effect::Token, ..self.gives(201, "") }
    }

    pub(super) fn with_header(self, name: &'static str, value: impl Into<String>) -> Self {
        Self { header: Some((name, value.into())), ..self }
    }

    /// The answer's text has this in it.
    pub(super) fn holding(self, part: impl Into<String>) -> Self {
        Self { holds: Some(part.into()), ..self }
    }

    /// Nothing is asked of storage.
    pub(super) fn without_look_up(self) -> Self {
        Self { looks_up: false, ..self }
    }

    /// Sends it and compares with the state `before`, which becomes the one after it; says what is different.
    pub(super) async fn run(self, world: &World, state: &mut State) -> Result<(), String> {
        let _ = world.service.wire.take();
        let given = match self.way {
            Way::Http(request) => http(*request).await,
            Way::Raw(pieces) => raw(world, &pieces, false).await,
            Way::Cut(bytes) => raw(world, &[bytes], true).await,
            Way::Event(key, text) => event(world, &key, &text).await,
        };
        let looked_up = !world.service.wire.take().operations.is_empty();
        let after = world.state(Some(state)).await;
        let before = std::mem::replace(state, after);
        let after = &*state;
        let mut wrong = Vec::new();
        let mut check = |right: bool, what: String| {
            if !right {
                wrong.push(what);
            }
        };
        let json: Value = serde_json::from_str(&given.text).unwrap_or_default();
        let code = json["error"]["code"].as_str().unwrap_or_default();
        check(given.status == self.status, format!("status {} instead of {}", given.status, self.status));
        check(code == self.code, format!("code {code:?} instead of {:?}", self.code));
        if !self.code.is_empty() && !given.text.is_empty() {
            check(is_envelope(&json, &given), format!("no proper envelope: {}", given.text));
        }
        // who sends too much is known by then
        check(self.code != "file_too_large" || tells_quota(&given), format!("no quota in {:?}", given.headers));
        if let Some((name, value)) = self.header {
            check(given.headers.get(name) == Some(&value), format!("{name}: {:?}", given.headers.get(name)));
        }
        if let Some(part) = self.holds {
            check(given.text.contains(&part), format!("no {part:?} in {}", given.text));
        }
        check(self.looks_up || !looked_up, "it asked storage".to_owned());
        let (failed, used) = (after.failed - before.failed, after.used - before.used);
        let changed = before.without_failures() != after.without_failures();
        let effect = match (failed, used, after.tokens.abs_diff(before.tokens)) {
            (0, 0, 0) if !changed => Some(Effect::Nothing),
            (1, 0, 0) if !changed => Some(Effect::Failed),
            (0, 1, 0) => Some(Effect::Analyzed),
            (0, 0, 1) => Some(Effect::Token),
            _ => None,
        };
        check(effect == Some(self.effect), format!("effect {effect:?} instead of {:?}", self.effect));
        if wrong.is_empty() { Ok(()) } else { Err(format!("{}: {}", self.what, wrong.join("; "))) }
    }
}

/// What the contract says of every refusal of ours.
fn is_envelope(json: &Value, given: &Given) -> bool {
    let error = &json["error"];
    let message = error["message"].as_str().unwrap_or_default();
    json["success"] == false
        && message.ends_with('.')
        && error["request_id"].as_str() == given.headers.get("x-request-id").map(String::as_str)
        && given.headers.get("x-content-type-options").is_some_and(|value| value == "nosniff")
        && given.headers.get("cache-control").is_some_and(|value| value == "no-store")
}

fn tells_quota(given: &Given) -> bool {
    let names = ["ratelimit-policy", "ratelimit", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];
    names.iter().all(|name| given.headers.contains_key(*name))
}

async fn http(request: RequestBuilder) -> Given {
    let answer = send(request).await;
    let headers = answer.headers.iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    Given { status: answer.status, headers: headers.collect(), text: answer.text }
}

async fn raw(world: &World, pieces: &[Vec<u8>], cut: bool) -> Given {
    let mut stream = TcpStream::connect(world.service.service().address()).await.unwrap();
    for (index, piece) in pieces.iter().enumerate() {
        if index > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        // a refused client may find the connection closed before it has sent everything
        let _ = stream.write_all(piece).await;
    }
    if cut {
        let _ = stream.shutdown().await;
    }
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, text) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok()).unwrap_or(0);
    let headers =
        lines.filter_map(|line| line.split_once(": ")).map(|(name, value)| (name.to_owned(), value.to_owned()));
    Given { status, headers: headers.collect(), text: text.to_owned() }
}

async fn event(world: &World, key: &str, text: &str) -> Given {
    let answer = invoke_text(&world.service, key, text).await;
    let headers = answer.headers().iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    Given {
        status: answer.status().as_u16(),
        headers: headers.collect(),
        text: String::from_utf8(answer.body().to_vec()).unwrap(),
    }
}
