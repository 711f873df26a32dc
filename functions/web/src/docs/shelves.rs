//! The navigation of the documentation: guides by audience, all calls, and a search in headings.

use maud::{Markup, html};
use shared::http::{BASE_PATH, Reply};

use super::guides::{CALLS, Guide, SHELVES};
use super::samples::CLIENT;
use crate::assets::DOCS_STYLE;
use crate::layout::{self, Nav};

/// A documentation page with this navigation; `path` is the page's.
pub(crate) fn page(title: &str, nav: Nav<'_>, path: &str, content: &Markup) -> Reply {
    let content = html! { div.docs { (shelves(path)) (content) } };
    layout::styled(title, nav, &[&DOCS_STYLE], &content)
}

fn shelves(path: &str) -> Markup {
    let entry = |link: &str, title: &str, words: &str| {
        html! { li data-find=(words) { a href=(link) aria-current=[(link == path).then_some("page")] { (title) } } }
    };
    html! {
        nav.shelves aria-label="Documentation" {
            details {
                summary { "All pages, and search" }
                input #find.with-script type="search" aria-label="Search pages and their headings" placeholder="Search";
                p #found-none hidden { "No page has these words." }
                ul { (entry("/docs", "Documentation", "overview first call ids")) }
                @for shelf in &SHELVES {
                    h2 { (shelf.title) }
                    ul { @for guide in shelf.guides { (entry(&guide.path(), guide.title(), &headings(guide))) } }
                }
                h2 { "Calls" }
                ul {
                    @for call in &CALLS { (entry(&call.path(), call.title(), call.route())) }
                    (entry(&format!("/docs/{CLIENT}"), "A complete client", "samples python javascript php curl"))
                    (entry(&format!("{BASE_PATH}/openapi.json"), "openapi.json", "OpenAPI 3.1"))
                }
            }
        }
    }
}

fn headings(guide: &Guide) -> String {
    guide.parts().iter().map(|(_, heading)| heading.as_str()).collect::<Vec<_>>().join(" ")
}
