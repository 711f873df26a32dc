//! A browser as far as HTTP tests need one: it keeps the console's cookie and sends what a
//! browser sends with a form of the console's own.

use reqwest::multipart::{Form, Part};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};

use crate::api::{Answer, send};
use crate::service::TestService;

/// The password of every account that [`Browser::registered`] makes.
pub const PASSWORD: &str = "correct horse battery";

/// One browser at one console.
#[derive(Clone, Debug)]
pub struct Browser {
    http: Client,
    origin: String,
    /// `session=…`, if the console has set it.
    pub cookie: Option<String>,
}

impl Browser {
    /// A browser without cookies.
    #[must_use]
    pub fn new(service: &TestService) -> Self {
        Self::at(service.service().origin())
    }

    /// The same for a console that is not this process's.
    #[must_use]
    pub fn at(origin: String) -> Self {
        let http = Client::builder().redirect(Policy::none()).build().unwrap();
        Self { http, origin, cookie: None }
    }

    /// A browser whose user has just registered as `{name}@example.com`.
    pub async fn registered(service: &TestService, name: &str) -> Self {
        let mut browser = Self::new(service);
        let answer = browser.register(name, &format!("{name}@example.com"), PASSWORD).await.expect(303);
        assert_eq!(answer.header("location"), "/dashboard");
        browser
    }

    /// Sends the form of `/register`.
    pub async fn register(&mut self, name: &str, email: &str, password: &str) -> Answer {
        self.post("/register", &[("name", name), ("email", email), ("password", password)]).await
    }

    /// Sends the form of `/login`.
    pub async fn log_in(&mut self, email: &str, password: &str) -> Answer {
        self.post("/login", &[("email", email), ("password", password)]).await
    }

    /// The console's origin.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// A request with the cookie and nothing else.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.origin));
        match &self.cookie {
            Some(cookie) => request.header("cookie", cookie),
            None => request,
        }
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Answer {
        send(self.request(Method::GET, path)).await
    }

    /// Sends a form of the console's own, with the CSRF token if there is a session, and keeps
    /// the cookie that comes back.
    pub async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let mut fields = fields.to_vec();
        let csrf = self.csrf().await;
        fields.push(("csrf", &csrf));
        let answer = send(self.request(Method::POST, path).header("origin", &self.origin).form(&fields)).await;
        self.keep(&answer);
        answer
    }

    /// Sends the upload form that works without a script.
    pub async fn upload(&self, filename: &str, pdf: Vec<u8>) -> Answer {
        let form = Form::new().text("csrf", self.csrf().await);
        let form = form.part("file", Part::bytes(pdf).file_name(filename.to_owned()));
        let request = self.request(Method::POST, "/dashboard/analyses").header("origin", &self.origin);
        send(request.multipart(form)).await
    }

    /// The same from a page with this nonce.
    pub async fn upload_from_page(&self, nonce: &str, filename: &str, pdf: Vec<u8>) -> Answer {
        let form = Form::new().text("csrf", self.csrf().await).text("nonce", nonce.to_owned());
        let form = form.part("file", Part::bytes(pdf).file_name(filename.to_owned()));
        let request = self.request(Method::POST, "/dashboard/analyses").header("origin", &self.origin);
        send(request.multipart(form)).await
    }

    /// A POST as the dashboard's script sends it.
    pub async fn script(&self, path: &str, body: &Value) -> Answer {
        let request = self.request(Method::POST, path).header("sec-fetch-site", "same-origin");
        send(request.header("x-csrf-token", self.csrf().await).json(body)).await
    }

    /// The first two steps of an upload by script; gives the upload id.
    pub async fn stage(&self, filename: &str, file: Vec<u8>) -> String {
        let body = json!({ "filename": filename, "file_size": file.len() });
        let ticket = self.script("/dashboard/uploads", &body).await.expect(201).json["data"].clone();
        let url = ticket["url"].as_str().unwrap();
        let mut put =
            self.http.put(if url.starts_with('/') { format!("{}{url}", self.origin) } else { url.to_owned() });
        // the client counts the length itself
        for (name, value) in ticket["headers"].as_object().unwrap().iter().filter(|(name, _)| *name != "content-length")
        {
            put = put.header(name, value.as_str().unwrap());
        }
        send(put.body(file)).await.expect(200);
        ticket["upload_id"].as_str().unwrap().to_owned()
    }

    /// A new API token of the account.
    pub async fn token(&mut self) -> String {
        token_in(&self.post("/tokens", &[("name", "laptop")]).await.expect(200).text)
    }

    /// The session's CSRF token; empty without a session.
    pub async fn csrf(&self) -> String {
        if self.cookie.is_none() {
            return String::new();
        }
        csrf_in(&self.get("/account").await.text)
    }

    /// Takes over what the answer says of the cookie.
    pub fn keep(&mut self, answer: &Answer) {
        let set = answer.header("set-cookie");
        if let Some(cookie) = set.split(';').next().filter(|cookie| cookie.starts_with("session=")) {
            self.cookie = (cookie != "session=").then(|| cookie.to_owned());
        }
    }
}

/// The API token that a page shows.
///
/// # Panics
/// If it shows none.
#[must_use]
pub fn token_in(page: &str) -> String {
    let (_, rest) = page.split_once("pdfa_").expect("a page with a token");
    format!("pdfa_{}", &rest[..76])
}

/// The CSRF token in a page's first form; empty if it has none.
#[must_use]
pub fn csrf_in(page: &str) -> String {
    let rest = page.split_once("name=\"csrf\" value=\"").map_or("", |(_, rest)| rest);
    rest.split('"').next().unwrap_or_default().to_owned()
}
