//! `GET /`: what this is and where the API is.

use lambda_http::http::StatusCode;
use lambda_http::http::header::ALLOW;
use shared::http::Reply;

pub(crate) const HTML: &str = "text/html; charset=utf-8";

pub(crate) fn page() -> Reply {
    Reply::page(StatusCode::OK, HTML, include_str!("home.html").to_owned())
}

pub(crate) fn method_not_allowed() -> Reply {
    let page = "<!doctype html><title>405</title><p>This page can only be read (GET).</p>\n".to_owned();
    Reply::page(StatusCode::METHOD_NOT_ALLOWED, HTML, page).header(ALLOW, "GET")
}
