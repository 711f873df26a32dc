//! The guides: each is a page, and every link of the documentation leads somewhere.

use std::collections::{BTreeMap, BTreeSet};

use tests::browser::Browser;
use tests::service::TestService;

/// The targets of a page's links, without those to other hosts.
fn links(page: &str) -> BTreeSet<String> {
    let found = page.split(" href=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    found.filter(|link| !link.contains("://")).map(str::to_owned).collect()
}

#[tokio::test]
async fn every_guide_opens_and_every_link_of_the_documentation_leads_somewhere() {
    let service = TestService::start().await;
    let visitor = Browser::new(&service);
    let mut pages: BTreeMap<String, String> = BTreeMap::new();
    let mut open = vec!["/docs".to_owned()];
    while let Some(path) = open.pop() {
        if pages.contains_key(&path) {
            continue;
        }
        let page = visitor.get(&path).await.expect(200).text;
        // other parts of the console are known to be there, and lead elsewhere
        if path.starts_with("/docs") {
            open.extend(links(&page).into_iter().map(|link| link.split('#').next().unwrap().to_owned()));
            open.retain(|path| !path.is_empty() && !["/dashboard", "/tokens"].contains(&path.as_str()));
        }
        pages.insert(path, page);
    }
    for (path, page) in pages.iter().filter(|(path, _)| path.starts_with("/docs")) {
        for link in links(page) {
            let Some((target, anchor)) = link.split_once('#') else { continue };
            let target = if target.is_empty() { page } else { &pages[target] };
            assert!(target.contains(&format!(" id=\"{anchor}\"")), "{path}: {link}");
        }
    }
    let guides = std::fs::read_to_string(tests::events::root().join("README.md")).unwrap();
    let (_, guides) = guides.split_once("\n- **Check files:** ").unwrap();
    let guides = guides.split("\n- **Run it:**").next().unwrap().split("](docs/").skip(1);
    let names: Vec<&str> = guides.map(|rest| rest.split(".md)").next().unwrap()).collect();
    assert!(names.len() >= 10, "{names:?}");
    for name in names {
        let page = &pages[&format!("/docs/{name}")];
        assert!(
            page.contains("<article class=\"prose guide\">") && page.matches("<h1>").count() == 1,
            "{name}: {page}"
        );
        // nothing of Markdown and no comment is left, in words or code
        assert!(!page.contains("<!--") && !page.contains("run --&gt;") && !page.contains(".md)"), "{name}: {page}");
    }
}

#[tokio::test]
async fn guides_are_found_where_questions_come_up() {
    let service = TestService::start().await;
    let visitor = Browser::new(&service);
    for (path, guide) in [
        ("/docs", "<a href=\"/docs/integrity\">Verdicts for engineers</a>"),
        ("/docs/integrity", "<li><a href=\"#the-verdicts\">The verdicts</a></li>"),
        ("/docs/integrity", "<a href=\"/docs/integrity\" aria-current=\"page\">"),
        ("/docs/integrity", "<a href=\"/docs/analyze-pdf\">Analyze a PDF</a>"),
        ("/docs/list-analyses", "<a href=\"/docs/comparing\">Comparing and evidence</a>"),
        ("/docs/create-token", "<a href=\"/docs/api\">The API</a>"),
        ("/", "<a href=\"/docs/privacy\">"),
    ] {
        let page = visitor.get(path).await.expect(200).text;
        assert!(page.contains(guide), "{path}: {page}");
    }
    for none in ["/docs/architecture", "/docs/glossary", "/docs/nowhere", "/docs/integrity.md", "/docs/"] {
        visitor.get(none).await.expect(404);
    }
}
