//! The frame of every page: head, navigation, footer.

use lambda_http::http::StatusCode;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use shared::http::Reply;

use crate::assets::{Asset, ICON, SCRIPT, STYLE};
use crate::session::Session;

/// The navigation of a page.
#[derive(Clone, Copy)]
pub(crate) enum Nav<'a> {
    /// For visitors: registration and log-in.
    Visitor,
    /// For a session; the path is the current page's.
    Session(&'a Session, &'a str),
    /// For pages that do not read the session.
    Neutral,
    /// None.
    None,
}

impl<'a> Nav<'a> {
    pub(crate) fn of(session: Option<&'a Session>, path: &'a str) -> Self {
        session.map_or(Self::Visitor, |session| Self::Session(session, path))
    }
}

const HTML: &str = "text/html; charset=utf-8";
const PRODUCT: &str = "PDF Analysis Service";

/// A page, with status 200.
pub(crate) fn page(title: &str, nav: Nav<'_>, content: &Markup) -> Reply {
    styled(title, nav, &[], content)
}

/// A page with one message and the next step.
pub(crate) fn message(title: &str, nav: Nav<'_>, lead: &str, next: &Markup) -> Reply {
    page(title, nav, &html! { section.narrow { h1 { (title) } p.lead { (lead) } (next) } })
}

/// A page with additional stylesheets and scripts.
pub(crate) fn styled(title: &str, nav: Nav<'_>, assets: &[&Asset], content: &Markup) -> Reply {
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { @if title.is_empty() { (PRODUCT) } @else { (title) " · " (PRODUCT) } }
                link rel="icon" type="image/svg+xml" href=(ICON.path);
                @for asset in [&*STYLE, &*SCRIPT].iter().chain(assets) { (linked(asset)) }
            }
            body {
                a.skip href="#main" { "Skip to content" }
                header.top {
                    a.brand href="/" { img src=(ICON.path) alt="" width="26" height="26"; "PDF Analysis" }
                    (navigation(nav))
                }
                main #main tabindex="-1" { (content) }
                footer.bottom {
                    p { "See what changed in a PDF, with evidence. In the browser or by API." }
                    p { a href="/docs" { "Documentation" } " · " a href="/docs/privacy" { "What is kept" } }
                }
            }
        }
    };
    Reply::page(StatusCode::OK, HTML, markup.into_string())
}

/// A self-contained page: with inline styles, without elements that work only in the console.
pub(crate) fn alone(title: &str, styles: &[&Asset], content: &Markup) -> String {
    let text = |asset: &&Asset| String::from_utf8_lossy(asset.content).into_owned();
    let styles = styles.iter().map(text).chain([".unprinted { display: none !important; }".to_owned()]);
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · " (PRODUCT) }
                style { (PreEscaped(styles.collect::<Vec<_>>().join("\n"))) }
            }
            body { main { (content) } }
        }
    };
    markup.into_string()
}

fn linked(asset: &Asset) -> Markup {
    html! {
        @if asset.path.ends_with(".css") { link rel="stylesheet" href=(asset.path); } @else { script src=(asset.path) defer {} }
    }
}

fn navigation(nav: Nav<'_>) -> Markup {
    let link = |path: &str, text: &str| {
        let current = matches!(nav, Nav::Session(_, current) if current == path);
        html! { a href=(path) aria-current=[current.then_some("page")] { (text) } }
    };
    if matches!(nav, Nav::None) {
        return html! {};
    }
    html! {
        nav aria-label="Main" {
            @match nav {
                Nav::None => {}
                Nav::Session(session, _) => {
                    (link("/dashboard", "Dashboard"))
                    (link("/tokens", "Tokens"))
                    (link("/docs", "Docs"))
                    (link("/account", "Account"))
                    form method="post" action="/logout" {
                        (csrf(session))
                        button.link type="submit" { "Log out" }
                    }
                }
                Nav::Visitor => {
                    (link("/docs", "Docs"))
                    (link("/login", "Log in"))
                    a.button.slim href="/register" { "Sign up" }
                }
                Nav::Neutral => {
                    (link("/docs", "Docs"))
                    (link("/dashboard", "Dashboard"))
                }
            }
        }
    }
}

/// The CSRF field of a session's forms.
pub(crate) fn csrf(session: &Session) -> Markup {
    html! { input type="hidden" name="csrf" value=(session.csrf.reveal()); }
}

/// The notice in place of a feature that needs a confirmed address.
pub(crate) fn confirm_first(without: &str) -> Markup {
    html! {
        p.notice role="status" {
            "Open the link in the mail that you got: until your address is confirmed, your account " (without) ". "
            a href="/account" { "Send another mail" }
        }
    }
}

/// A message at the top of a page, announced by screen readers.
pub(crate) fn alert(message: &str) -> Markup {
    html! { p.notice.bad role="alert" { (message) } }
}
