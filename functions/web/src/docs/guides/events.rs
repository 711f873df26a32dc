//! Helpers for the events of the Markdown parser.

use maud::{Markup, PreEscaped};
use pulldown_cmark::{Event, TagEnd, html};

/// All events up to and including this end.
pub(super) fn until<'t>(
    events: &mut impl Iterator<Item = Event<'t>>,
    is_it: impl Fn(&TagEnd) -> bool,
) -> Vec<Event<'t>> {
    events.take_while(|event| !matches!(event, Event::End(end) if is_it(end))).collect()
}

/// The plain text.
pub(super) fn plain(events: &[Event<'_>]) -> String {
    let words = events.iter().filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) => Some(&**text),
        Event::SoftBreak => Some(" "),
        _ => None,
    });
    words.collect()
}

pub(super) fn rendered(events: Vec<Event<'_>>) -> Markup {
    let mut markup = String::new();
    html::push_html(&mut markup, events.into_iter());
    PreEscaped(markup)
}
