//! Stylesheets, scripts and icon: inside the binary, under names that carry their hash, so that a
//! browser may keep them for ever.

use std::sync::LazyLock;

use lambda_http::http::StatusCode;
use lambda_http::http::header::CACHE_CONTROL;
use sha2::{Digest, Sha256};
use shared::error::Error;
use shared::http::{Call, Reply};

use crate::app::App;

/// A file and its address.
pub(crate) struct Asset {
    /// `/assets/style-0123456789abcdef.css`
    pub(crate) path: String,
    content_type: &'static str,
    content: &'static str,
}

pub(crate) static STYLE: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("style", "css", "text/css; charset=utf-8", include_str!("assets/style.css")));
/// What pages of the documentation have beside it, which others need not carry.
pub(crate) static DOCS_STYLE: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("docs", "css", "text/css; charset=utf-8", include_str!("assets/docs.css")));
/// The same for the dashboard.
pub(crate) static DASHBOARD_STYLE: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("dashboard", "css", "text/css; charset=utf-8", include_str!("assets/dashboard.css")));
/// The same for the start page.
pub(crate) static HOME_STYLE: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("home", "css", "text/css; charset=utf-8", include_str!("assets/home.css")));
pub(crate) static SCRIPT: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("script", "js", "text/javascript; charset=utf-8", include_str!("assets/script.js")));
/// A module that pages load when they have a file to hash.
pub(crate) static HASHER: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("sha256", "mjs", "text/javascript; charset=utf-8", include_str!("assets/sha256.mjs")));
pub(crate) static ICON: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("icon", "svg", "image/svg+xml", include_str!("assets/icon.svg")));

impl Asset {
    fn new(name: &str, ending: &str, content_type: &'static str, content: &'static str) -> Self {
        let hash: String = Sha256::digest(content).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        Self { path: format!("/assets/{name}-{hash}.{ending}"), content_type, content }
    }
}

/// `GET /assets/{name}`. Another hash is another file: not found.
pub(crate) async fn asset(_: &App, call: &mut Call) -> Result<Reply, Error> {
    let name = call.parameter("name");
    let assets = [&*STYLE, &*DASHBOARD_STYLE, &*DOCS_STYLE, &*HOME_STYLE, &*SCRIPT, &*HASHER, &*ICON];
    let asset = assets.into_iter().find(|asset| asset.path.strip_prefix("/assets/") == Some(name));
    let asset = asset.ok_or(Error::NotFound)?;
    let reply = Reply::page(StatusCode::OK, asset.content_type, asset.content.to_owned());
    Ok(reply.header(CACHE_CONTROL, "public, max-age=31536000, immutable"))
}
