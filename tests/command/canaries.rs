//! Secrets on a whole journey, with the log as talkative as it can be: none of them is written down anywhere.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder};
use samples::pdf::{Cipher, Pdf, encrypted};
use serde_json::{Value, json};
use tests::api::{Answer, patiently, persistently, send};
use tests::browser::{csrf_in, token_in};
use tests::clock::shift;
use tests::smtp::{FROM, LOGIN, Mood, Received, SmtpServer};

const PASSWORD: &str = "canary-of-the-first-password";
const CHANGED: &str = "canary-of-the-second-password";
const FORGOTTEN: &str = "canary-of-the-third-password";
const WRONG: &str = "canary-of-a-wrong-password";
const OPENING: &str = "canary-that-opens-a-file";

/// The binary `pdf-analysis`, everything it says going to files.
pub(crate) struct Talkative {
    child: Child,
    pub(crate) origin: String,
}

impl Talkative {
    pub(crate) fn start(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let file = |name: &str| File::create(folder.join(name)).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_command"));
        for option in ["--listen", "--dynamodb-listen", "--s3-listen"] {
            command.args([option, "127.0.0.1:0"]);
        }
        command.arg("--data").arg(folder.join("data")).env_clear().envs(shift()).env("RUST_LOG", "trace");
        command.args(arguments).envs(environment.iter().copied());
        let child = command.stdout(file("stdout")).stderr(file("stderr")).spawn().unwrap();
        let origin = (0..600).find_map(|_| {
            std::thread::sleep(Duration::from_millis(50));
            let said = fs::read_to_string(folder.join("stdout")).unwrap();
            said.contains("Ctrl-C").then_some(())?;
            said.lines().find_map(|line| Some(line.trim().strip_prefix("Console   ")?.trim_end_matches('/').to_owned()))
        });
        Self { child, origin: origin.unwrap() }
    }

    pub(crate) fn stop(mut self) {
        assert!(Command::new("kill").arg(self.child.id().to_string()).status().unwrap().success());
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Talkative {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The secrets that a journey used.
#[derive(Default)]
struct Secrets {
    /// Found nowhere at all.
    everywhere: Vec<(&'static str, String)>,
    /// Kept in the table, but not logged.
    in_logs: Vec<(&'static str, String)>,
}

/// A client with the actions and some mistakes of users. It is patient: a server that logs everything is slow.
struct Journey {
    http: Client,
    origin: String,
    cookie: String,
    csrf: String,
    token: String,
    secrets: Secrets,
}

impl Journey {
    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.origin))
    }

    fn api(&self, method: Method, path: &str) -> RequestBuilder {
        self.request(method, &format!("/api/v1{path}")).bearer_auth(&self.token)
    }

    async fn form(&mut self, path: &str, fields: &[(&str, &str)], status: u16) -> Answer {
        let mut fields = fields.to_vec();
        fields.push(("csrf", &self.csrf));
        let request = self.request(Method::POST, path).header("origin", &self.origin).header("cookie", &self.cookie);
        let answer = patiently(request.form(&fields)).await.expect(status);
        let set = answer.header("set-cookie").split(';').next().unwrap_or_default().to_owned();
        if let Some(value) = set.strip_prefix("session=").filter(|value| !value.is_empty()) {
            self.secrets.everywhere.push(("session", value.to_owned()));
            self.secrets.everywhere.push(("part of a session", value[50..].to_owned()));
            self.cookie = set;
            let page = patiently(self.request(Method::GET, "/account").header("cookie", &self.cookie)).await;
            self.csrf = csrf_in(&page.text);
            self.secrets.in_logs.push(("CSRF token", self.csrf.clone()));
        }
        answer
    }

    fn take_token(&mut self, token: String) {
        // its end is all that the table keeps of it in clear, as a hint
        self.secrets.everywhere.push(("token", token.clone()));
        self.secrets.everywhere.push(("part of a token", token[50..76].to_owned()));
        self.token = token;
    }

    async fn in_the_console(&mut self) {
        self.form("/register", &[("name", "Ada"), ("email", "ada@example.com"), ("password", PASSWORD)], 200).await;
        self.form("/login", &[("email", "ada@example.com"), ("password", WRONG)], 422).await;
        self.form("/login", &[("email", "ada@example.com"), ("password", PASSWORD)], 303).await;
        let changed = [("current_password", PASSWORD), ("password", CHANGED)];
        self.form("/account/password", &changed, 303).await;
        self.new_token().await;
    }

    async fn new_token(&mut self) {
        let page = self.form("/tokens", &[("name", "laptop")], 200).await.text;
        self.take_token(token_in(&page));
    }

    /// Every kind of link in mails, opened and used.
    async fn by_mail(&mut self, mail: &SmtpServer) {
        let link = async |journey: &mut Self, to: &str| {
            let mut next = mail.next().await;
            let has_link =
                |mail: &Received| ["Confirm", "Set"].iter().any(|verb| mail.header("Subject").starts_with(verb));
            while next.to != [to] || !has_link(&next) {
                next = mail.next().await;
            }
            let path = next.path(&journey.origin);
            let secret = path.rsplit('/').next().unwrap().to_owned();
            journey.secrets.everywhere.push(("part of a mail's secret", secret[25..].to_owned()));
            journey.secrets.everywhere.push(("mail's secret", secret));
            path
        };
        let confirm = link(self, "ada@example.com").await;
        self.form(&confirm, &[], 200).await;
        // that has ended every session and token
        (self.cookie, self.csrf) = (String::new(), String::new());
        self.form("/login", &[("email", "ada@example.com"), ("password", CHANGED)], 303).await;
        self.new_token().await;
        let fields = [("email", "ada@example.org"), ("email_password", CHANGED)];
        self.form("/account/email", &fields, 303).await;
        let address = link(self, "ada@example.org").await;
        patiently(self.request(Method::GET, &address)).await.expect(200);
        self.form(&address, &[], 200).await;
        self.form("/forgot", &[("email", "ada@example.org")], 200).await;
        let reset = link(self, "ada@example.org").await;
        patiently(self.request(Method::GET, &reset)).await.expect(200);
        self.form(&reset, &[("password", FORGOTTEN)], 200).await;
        self.form(&reset, &[("password", FORGOTTEN)], 404).await;
        let fields = [("email", "ada@example.org"), ("password", FORGOTTEN)];
        (self.cookie, self.csrf) = (String::new(), String::new());
        self.form("/login", &fields, 303).await;
        // one that nobody uses
        self.form("/forgot", &[("email", "ada@example.org")], 200).await;
        link(self, "ada@example.org").await;
    }

    async fn at_the_api(&mut self) {
        let created = patiently(self.api(Method::POST, "/tokens").json(&json!({ "name": "second" }))).await.expect(201);
        let (first, second) = (self.token.clone(), created.json["data"]["token"].as_str().unwrap().to_owned());
        self.take_token(second);
        let ours = created.json["data"]["id"].as_str().unwrap();
        patiently(self.api(Method::GET, "/user")).await.expect(200);
        patiently(self.api(Method::GET, "/tokens")).await.expect(200);
        // secrets where they do not belong
        patiently(self.request(Method::GET, &format!("/api/v1/user?token={first}"))).await.expect(401);
        patiently(self.request(Method::GET, "/api/v1/user").header("cookie", &self.token)).await.expect(401);
        patiently(self.request(Method::GET, "/api/v1/user").header("authorization", format!("Bearer {first}x")))
            .await
            .expect(401);
        patiently(self.api(Method::POST, "/tokens").json(&json!({ "name": ["n"], "password": CHANGED })))
            .await
            .expect(422);
        patiently(self.api(Method::GET, &format!("/pdf/{first}"))).await.expect(404);
        self.files().await;
        self.as_an_agent().await;
        patiently(self.api(Method::DELETE, &format!("/tokens/{ours}"))).await.expect(200);
        patiently(self.api(Method::GET, "/user")).await.expect(401);
    }

    /// Makes a link and opens it, and one that is none.
    async fn link(&mut self, id: &str) {
        let share = patiently(self.api(Method::POST, &format!("/pdf/{id}/share")).json(&json!({}))).await.expect(201);
        let url = share.json["data"]["url"].as_str().unwrap().to_owned();
        let secret = url.rsplit('/').next().unwrap().to_owned();
        let part: String = secret.chars().skip(4).take(30).collect();
        let wrong: String = secret.chars().rev().collect();
        for (path, status) in [(&secret, 200), (&format!("{secret}/json"), 200), (&wrong, 404)] {
            patiently(self.request(Method::GET, &format!("/s/{path}"))).await.expect(status);
        }
        self.secrets.everywhere.push(("link", secret));
        self.secrets.everywhere.push(("part of a link", part));
        self.secrets.everywhere.push(("guessed link", wrong));
    }

    async fn files(&mut self) {
        let locked = encrypted(&Pdf::new(2).classic(), Cipher::Aes256, OPENING, "owner");
        for (password, status) in [(WRONG, 422), (OPENING, 200)] {
            let upload = || {
                let file = reqwest::multipart::Part::bytes(locked.clone()).file_name("locked.pdf");
                let form = reqwest::multipart::Form::new().text("password", password).part("file", file);
                send(self.api(Method::POST, "/pdf/analyze").multipart(form))
            };
            let answer = persistently(upload).await.expect(status);
            if let Some(id) = answer.json["data"]["id"].as_str() {
                self.link(id).await;
            }
        }
        let announced = json!({ "filename": "locked.pdf", "file_size": locked.len() });
        let ticket =
            patiently(self.api(Method::POST, "/pdf/uploads").json(&announced)).await.expect(201).json["data"].clone();
        let url = ticket["url"].as_str().unwrap();
        let query = url.split_once('?').unwrap().1.to_owned();
        let signature = query.split('&').find_map(|pair| pair.strip_prefix("X-Amz-Signature=")).unwrap();
        self.secrets.everywhere.push(("presigned signature", signature.to_owned()));
        self.secrets.everywhere.push(("presigned query", query.clone()));
        let mut put = self.http.put(url).body(locked);
        for (name, value) in ticket["headers"].as_object().unwrap().iter().filter(|(name, _)| *name != "content-length")
        {
            put = put.header(name, value.as_str().unwrap());
        }
        patiently(put).await.expect(200);
        let upload = ticket["upload_id"].clone();
        let with = |password: Value| json!({ "upload_id": upload, "password": password });
        for (password, status) in [(json!(null), 422), (json!(WRONG), 422), (json!(5), 422), (json!(OPENING), 200)] {
            patiently(self.api(Method::POST, "/pdf/analyze").json(&with(password))).await.expect(status);
        }
    }

    /// The same by tools, as an agent does it.
    async fn as_an_agent(&mut self) {
        let locked = encrypted(&Pdf::new(3).classic(), Cipher::Aes256, OPENING, "owner");
        let ticket = self.tool("prepare_upload", &json!({ "filename": "b.pdf", "size": locked.len() })).await;
        let url = ticket["url"].as_str().unwrap().to_owned();
        self.secrets.everywhere.push(("presigned query of a tool", url.split_once('?').unwrap().1.to_owned()));
        let headers = ticket["headers"].as_object().unwrap().iter().filter(|(name, _)| *name != "content-length");
        let put = headers
            .fold(self.http.put(url).body(locked), |put, (name, value)| put.header(name, value.as_str().unwrap()));
        patiently(put).await.expect(200);
        let with = |password: Value| json!({ "upload_id": ticket["upload_id"], "password": password });
        for (password, verdict) in [(json!(WRONG), false), (json!([OPENING]), false), (json!(OPENING), true)] {
            let told = self.tool("analyze", &with(password)).await;
            assert_eq!(told["verdict"].is_string(), verdict, "{told}");
        }
        let broken = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{}\",\"password\":\"{OPENING}", self.token);
        let broken = self.request(Method::POST, "/mcp").bearer_auth(&self.token).body(broken);
        patiently(broken.header("content-type", "application/json")).await.expect(400);
    }

    /// The answer of a tool.
    async fn tool(&self, name: &str, arguments: &Value) -> Value {
        let params = json!({ "name": name, "arguments": arguments });
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let answer = patiently(self.request(Method::POST, "/mcp").bearer_auth(&self.token).json(&message)).await;
        let text = answer.expect(200).json["result"]["content"][0]["text"].as_str().unwrap().to_owned();
        serde_json::from_str(&text).unwrap()
    }
}

#[tokio::test]
async fn no_secret_of_a_whole_journey_is_written_down() {
    let folder = tempfile::tempdir().unwrap();
    let mail = SmtpServer::start().await;
    let server = Talkative::start(folder.path(), &[], &[("MAIL_URL", &mail.url()), ("MAIL_FROM", FROM)]);
    let mut journey = Journey {
        http: Client::builder().redirect(Policy::none()).build().unwrap(),
        origin: server.origin.clone(),
        cookie: String::new(),
        csrf: String::new(),
        token: String::new(),
        secrets: Secrets::default(),
    };
    journey.in_the_console().await;
    journey.by_mail(&mail).await;
    journey.at_the_api().await;
    // and mail that cannot be sent
    mail.set(Mood::Answering("AUTH", "535 who are you"));
    let _ = mail.commands();
    let forgot = journey.request(Method::POST, "/forgot").header("origin", &journey.origin);
    send(forgot.form(&[("email", "ada@example.org")])).await.expect(200);
    while !mail.commands().iter().any(|command| command == "AUTH") {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    server.stop();

    let mut secrets = std::mem::take(&mut journey.secrets);
    for password in [PASSWORD, CHANGED, WRONG, OPENING, FORGOTTEN, LOGIN.1, &LOGIN.1.replace(' ', "%20")] {
        secrets.everywhere.push(("password", password.to_owned()));
    }
    let logs: Vec<(String, Vec<u8>)> =
        ["stdout", "stderr"].map(|name| (name.to_owned(), fs::read(folder.path().join(name)).unwrap())).into();
    let logged: usize = logs.iter().map(|(_, log)| log.len()).sum();
    let stored = files(&folder.path().join("data"));
    assert!(logged > 50_000, "it was not talkative: {logged} bytes");
    assert!(stored.iter().any(|(_, bytes)| contains(bytes, b"ada@example.org")), "the table was not looked at");

    let mut hits = Vec::new();
    let everywhere =
        logs.iter().chain(&stored).flat_map(|place| secrets.everywhere.iter().map(move |secret| (place, secret)));
    let in_logs = logs.iter().flat_map(|place| secrets.in_logs.iter().map(move |secret| (place, secret)));
    let mut looked = 0;
    for ((place, bytes), (kind, secret)) in everywhere.chain(in_logs) {
        for form in forms(secret) {
            looked += 1;
            if contains(bytes, form.as_bytes()) {
                hits.push(format!("{kind} in {place} as {form}{}", around(bytes, form.as_bytes())));
            }
        }
    }
    println!("{looked} searches in {logged} bytes of log and {} files: {} hits", stored.len(), hits.len());
    assert!(hits.is_empty(), "{}", hits.join("\n"));
}

/// A secret as it is, and as it is often written.
fn forms(secret: &str) -> Vec<String> {
    let hexadecimal: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
    let escaped: String = secret.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let encoded = secret.replace('_', "%5F").replace('&', "%26").replace('=', "%3D");
    let numbers = secret.bytes().map(|byte| byte.to_string()).collect::<Vec<_>>().join(", ");
    let mut forms = vec![secret.to_owned(), hexadecimal.to_uppercase(), hexadecimal, escaped, encoded, numbers];
    // base64 looks different at each of the three places in a group where it may start
    for start in 0..3 {
        for engine in [STANDARD, URL_SAFE] {
            let text = engine.encode([&b"xxx"[..start], secret.as_bytes()].concat());
            let (from, to) = (if start == 0 { 0 } else { 4 }, text.len() - 4);
            forms.push(text[from..to].to_owned());
        }
    }
    forms
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    find(bytes, wanted).is_some()
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    memchr::memmem::find(bytes, wanted)
}

/// The beginning of the line in which something was found.
fn around(bytes: &[u8], wanted: &[u8]) -> String {
    let at = find(bytes, wanted).unwrap_or_default();
    let start = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |line| line + 1);
    format!(": {}", String::from_utf8_lossy(&bytes[start..(start + 160).min(at)]))
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push((path.display().to_string(), fs::read(&path).unwrap()));
        }
    }
    found
}
