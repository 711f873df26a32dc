//! Texts of the document, which are written in Markdown, as HTML.

use maud::{Markup, PreEscaped};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};

/// Paragraphs, lists and tables.
pub(crate) fn blocks(text: &str) -> Markup {
    render(Parser::new_ext(text, Options::ENABLE_TABLES))
}

/// A text on one line: its only paragraph without the element around it.
pub(crate) fn line(text: &str) -> Markup {
    let paragraph = |event: &Event<'_>| matches!(event, Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph));
    render(Parser::new(text).filter(|event| !paragraph(event)))
}

fn render<'t>(events: impl Iterator<Item = Event<'t>>) -> Markup {
    let mut markup = String::new();
    html::push_html(&mut markup, events);
    PreEscaped(markup)
}
