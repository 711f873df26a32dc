//! Stylesheets, scripts, icon and sample files: inside the binary, under names that carry their hash, so that a browser
//! may cache them permanently.

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
    pub(crate) content: &'static [u8],
}

const CSS: &str = "text/css; charset=utf-8";
const SCRIPTS: &str = "text/javascript; charset=utf-8";
const PDF: &str = "application/pdf";

/// An asset from a file of this folder or another one, by its name and ending.
macro_rules! asset {
    ($name:literal, $ending:literal, $type:expr) => {
        asset!("assets/", $name, $ending, $type)
    };
    ($folder:literal, $name:literal, $ending:literal, $type:expr) => {
        LazyLock::new(|| Asset::new($name, $ending, $type, include_bytes!(concat!($folder, $name, ".", $ending))))
    };
}

pub(crate) static STYLE: LazyLock<Asset> = asset!("style", "css", CSS);
/// The additional style of reports.
pub(crate) static REPORT_STYLE: LazyLock<Asset> = asset!("report", "css", CSS);
/// The additional style of the documentation.
pub(crate) static DOCS_STYLE: LazyLock<Asset> = asset!("docs", "css", CSS);
/// The additional style of the dashboard.
pub(crate) static DASHBOARD_STYLE: LazyLock<Asset> = asset!("dashboard", "css", CSS);
/// The additional style of the start page.
pub(crate) static HOME_STYLE: LazyLock<Asset> = asset!("home", "css", CSS);
pub(crate) static SCRIPT: LazyLock<Asset> = asset!("script", "js", SCRIPTS);
/// The additional script of the dashboard.
pub(crate) static DASHBOARD_SCRIPT: LazyLock<Asset> = asset!("dashboard", "js", SCRIPTS);
/// The additional script of reports.
pub(crate) static REPORT_SCRIPT: LazyLock<Asset> = asset!("report", "js", SCRIPTS);
/// The additional script of the page of trusted issuers.
pub(crate) static TRUST_SCRIPT: LazyLock<Asset> = asset!("trust", "js", SCRIPTS);
/// The module that hashes files.
pub(crate) static HASHER: LazyLock<Asset> = asset!("sha256", "mjs", SCRIPTS);
/// The module that compares files on a report's page.
pub(crate) static COMPARER: LazyLock<Asset> = asset!("comparing", "mjs", SCRIPTS);
/// The module that builds evidence packages.
pub(crate) static PACKER: LazyLock<Asset> = asset!("package", "mjs", SCRIPTS);
pub(crate) static ICON: LazyLock<Asset> = asset!("icon", "svg", "image/svg+xml");
/// Sample files.
pub(crate) static GENUINE: LazyLock<Asset> = asset!("../../../docs/examples/", "invoice-genuine", "pdf", PDF);
pub(crate) static FORGED: LazyLock<Asset> = asset!("../../../docs/examples/", "invoice-forged", "pdf", PDF);
pub(crate) static REWRITTEN: LazyLock<Asset> = asset!("../../../docs/examples/", "invoice-rewritten", "pdf", PDF);

impl Asset {
    fn new(name: &str, ending: &str, content_type: &'static str, content: &'static [u8]) -> Self {
        let hash: String = Sha256::digest(content).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        Self { path: format!("/assets/{name}-{hash}.{ending}"), content_type, content }
    }
}

/// `GET /assets/{name}`. Another hash is another file: not found.
pub(crate) async fn asset(_: &App, call: &mut Call) -> Result<Reply, Error> {
    let name = call.parameter("name");
    let styles = [&*STYLE, &*REPORT_STYLE, &*DASHBOARD_STYLE, &*DOCS_STYLE, &*HOME_STYLE];
    let scripts = [&*SCRIPT, &*DASHBOARD_SCRIPT, &*REPORT_SCRIPT, &*TRUST_SCRIPT, &*HASHER, &*COMPARER, &*PACKER];
    let others = [&*ICON, &*GENUINE, &*FORGED, &*REWRITTEN];
    let mut assets = styles.into_iter().chain(scripts).chain(others);
    let asset = assets.find(|asset| asset.path.strip_prefix("/assets/") == Some(name)).ok_or(Error::NotFound)?;
    let reply = Reply::page(StatusCode::OK, asset.content_type, asset.content.to_vec());
    Ok(reply.header(CACHE_CONTROL, "public, max-age=31536000, immutable"))
}
