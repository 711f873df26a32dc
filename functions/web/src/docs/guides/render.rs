//! A file of `docs` as a part of a page: headings that can be linked to, links that lead to the console's pages.

use maud::Markup;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::events::{plain, rendered, until};
use super::table::table;
use super::{call, guide};
use crate::docs::samples::code;

/// A rendered guide.
#[derive(Debug)]
pub(super) struct RenderedGuide {
    /// Anchor and heading of each part.
    pub(super) parts: Vec<(String, String)>,
    pub(super) body: Markup,
}

/// The page of a text in Markdown. Its title and comments are omitted.
pub(super) fn page(text: &str) -> RenderedGuide {
    let mut events = served(Parser::new_ext(text, Options::ENABLE_TABLES));
    let (mut parts, mut body) = (Vec::new(), Vec::new());
    while let Some(event) = events.next() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let inside = until(&mut events, |end| matches!(end, TagEnd::Heading(_)));
                let anchor = anchor(&plain(&inside));
                if level == HeadingLevel::H2 {
                    parts.push((anchor.clone(), plain(&inside)));
                }
                if level != HeadingLevel::H1 {
                    let heading = rendered(inside).into_string();
                    body.push(raw(format!("<{level} id=\"{anchor}\">{heading}</{level}>\n")));
                }
            }
            Event::Start(Tag::CodeBlock(_)) => {
                let text = plain(&until(&mut events, |end| matches!(end, TagEnd::CodeBlock)));
                body.push(raw(code(text.trim_end()).into_string()));
            }
            Event::Start(Tag::Table(_)) => {
                let inside = until(&mut events, |end| matches!(end, TagEnd::Table));
                body.push(raw(table(inside).into_string()));
            }
            other => body.push(other),
        }
    }
    RenderedGuide { parts, body: rendered(body) }
}

/// The events without comments and pictures, and with links to served pages; other links become text.
fn served<'t>(events: impl Iterator<Item = Event<'t>>) -> impl Iterator<Item = Event<'t>> {
    let mut open = Vec::new();
    events.filter_map(move |event| match event {
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let target = target(&dest_url);
            open.push(target.is_some());
            Some(Event::Start(Tag::Link { link_type, dest_url: target?.into(), title, id }))
        }
        Event::End(TagEnd::Link) => open.pop().filter(|is_served| *is_served).map(|_| event),
        // sections that can be expanded
        Event::Html(html) if html.starts_with("<details") || html.starts_with("</details>") => Some(Event::Html(html)),
        Event::Html(_) | Event::InlineHtml(_) => None,
        Event::Start(Tag::HtmlBlock | Tag::Image { .. }) | Event::End(TagEnd::HtmlBlock | TagEnd::Image) => None,
        other => Some(other),
    })
}

/// The console's address of a link between the files; `None` if it is not served.
fn target(link: &str) -> Option<String> {
    if link.starts_with('#') || link.contains("://") {
        return Some(link.to_owned());
    }
    let (file, anchor) = link.find('#').map_or((link, ""), |at| link.split_at(at));
    if file == "openapi.json" {
        return Some("/api/v1/openapi.json".to_owned());
    }
    let name = file.strip_suffix(".md")?.rsplit('/').next()?;
    let guide = guide(name).or_else(|| call(name))?;
    Some(format!("{}{anchor}", guide.path()))
}

/// A heading's anchor, as GitHub makes it.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|&letter| letter.is_alphanumeric() || matches!(letter, '_' | '-' | ' '));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

fn raw<'t>(markup: String) -> Event<'t> {
    Event::Html(markup.into())
}

#[cfg(test)]
mod tests {
    use super::page;

    #[test]
    fn headings_can_be_linked_to_and_the_title_is_left_out() {
        let page = page("# Title\n\nText.\n\n## The file's `sha256`, and *more*\n\n### Below\n");
        assert_eq!(page.parts, [("the-files-sha256-and-more".to_owned(), "The file's sha256, and more".to_owned())]);
        let body = page.body.into_string();
        assert_eq!(
            body,
            "<p>Text.</p>\n<h2 id=\"the-files-sha256-and-more\">The file's <code>sha256</code>, and <em>more</em></h2>\n\
             <h3 id=\"below\">Below</h3>\n"
        );
    }

    #[test]
    fn links_lead_to_pages_of_the_console_or_are_none() {
        for (link, shown) in [
            ("[a](api.md)", "<a href=\"/docs/api\">a</a>"),
            ("[a](integrity.md#the-verdicts)", "<a href=\"/docs/integrity#the-verdicts\">a</a>"),
            (
                "[a](../../docs/fields.md), [b](analyze-pdf.md)",
                "<a href=\"/docs/fields\">a</a>, <a href=\"/docs/analyze-pdf\">b</a>",
            ),
            ("[a](#here)", "<a href=\"#here\">a</a>"),
            ("[a](openapi.json)", "<a href=\"/api/v1/openapi.json\">a</a>"),
            ("[a](https://example.com/b)", "<a href=\"https://example.com/b\">a</a>"),
            ("[`a` b](deploying.md#mail)", "<code>a</code> b"),
            ("[a](../CHANGELOG.md), [b](trust.md)", "a, <a href=\"/docs/trust\">b</a>"),
            ("![a](images/tokens.png)", "a"),
        ] {
            assert_eq!(page(link).body.into_string(), format!("<p>{shown}</p>\n"), "{link}");
        }
    }

    #[test]
    fn comments_are_left_out_and_what_is_folded_stays_so() {
        let page =
            page("<!-- a\nb -->\n\n<details class=\"c\"><summary>More</summary>\n\n*d*\n\n</details>\n\n<p>e</p>\n");
        let expected = "<details class=\"c\"><summary>More</summary>\n<p><em>d</em></p>\n</details>\n";
        assert_eq!(page.body.into_string(), expected);
    }

    #[test]
    fn comments_are_left_out_and_code_is_text() {
        let body = page("<!-- run -->\n```sh\ncurl <a>\n```\n\n```\nb\n```\n").body.into_string();
        assert!(!body.contains("run"), "{body}");
        assert!(body.contains("<pre><code>curl &lt;a&gt;</code></pre>") && body.contains("<code>b</code>"), "{body}");
    }
}
