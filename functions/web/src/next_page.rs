//! The page that a visitor asked for and comes to after the log-in.

use shared::http::Call;
use shared::ids::AnalysisId;
use url::form_urlencoded::{byte_serialize, parse};

/// Most bytes of a path with its query.
const MAX_BYTES: usize = 1000;
/// The log-in's parameter and field.
pub(crate) const NEXT: &str = "next";
/// Pages that only a session opens, besides those of analyses.
const PAGES: [&str; 4] = ["/dashboard", "/tokens", "/account", "/trust"];

/// A path of this console, with its query. Nothing else is read, so that no link leads from the log-in to another site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NextPage(String);

impl NextPage {
    /// The page that a request asks for.
    pub(crate) fn asked_by(call: &Call) -> Option<Self> {
        let query = if call.query().is_empty() { String::new() } else { format!("?{}", call.query()) };
        Self::parse(&format!("{}{query}", call.path())).filter(|_| call.route().starts_with("GET "))
    }

    /// The page that the log-in's address names.
    pub(crate) fn named_in(query: &str) -> Option<Self> {
        parse(query.as_bytes()).find(|(name, _)| name == NEXT).and_then(|(_, next)| Self::parse(&next))
    }

    /// Reads a path with its query.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let path = text.split_once('?').map_or(text, |(path, _)| path);
        let is_analysis = path.strip_prefix("/analyses/").is_some_and(|id| AnalysisId::parse(id).is_some());
        let is_safe = text.len() <= MAX_BYTES && text.bytes().all(|byte| byte.is_ascii_graphic());
        (is_safe && (is_analysis || PAGES.contains(&path))).then(|| Self(text.to_owned()))
    }

    /// The path with its query.
    pub(crate) fn path(&self) -> &str {
        &self.0
    }

    /// The address of the log-in that leads to it.
    pub(crate) fn login(next: Option<&Self>) -> String {
        match next {
            // comes anyway
            Some(Self(path)) if path != "/dashboard" => {
                format!("/login?{NEXT}={}", byte_serialize(path.as_bytes()).collect::<String>())
            }
            _ => "/login".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::NextPage;

    const REPORT: &str = "/analyses/00000000-0007-8614-bd98-f44607e6fa02";

    #[test]
    fn only_pages_of_this_console_come_next() {
        for page in ["/dashboard?page=2&search=a%20b", "/account", REPORT] {
            assert_eq!(NextPage::parse(page).unwrap().path(), page);
        }
        for other in [
            "",
            "/",
            "//evil.example",
            "https://evil.example/dashboard",
            "/\\evil.example",
            "/dashboard/../s/x",
            "/dashboard/",
            "/dashboard@evil.example",
            "/dashboard?a\r\nset-cookie: a=b",
            "/logout",
            "/analyses/x",
            &format!("{REPORT}/json"),
            &format!("/dashboard?{}", "x".repeat(1000)),
        ] {
            assert_eq!(NextPage::parse(other), None, "{other}");
        }
    }

    #[test]
    fn a_query_comes_back_as_it_was() {
        let next = NextPage::parse("/dashboard?page=2&search=a%20b").unwrap();
        let login = NextPage::login(Some(&next));
        assert_eq!(login, "/login?next=%2Fdashboard%3Fpage%3D2%26search%3Da%2520b");
        assert_eq!(NextPage::named_in(login.split_once('?').unwrap().1), Some(next));
        assert_eq!(NextPage::login(NextPage::parse("/dashboard").as_ref()), "/login");
    }
}
