//! What pages hide: text that is in the file and cannot be seen there. Only its owner is shown the text itself: often it is
//! the mistake of whoever made the file, and whoever finds it must not publish it.

use std::collections::BTreeMap;

use maud::{Markup, html};
use serde::Deserialize;
use serde_json::Value;
use shared::withheld::{RETYPED, is_quoting};

use super::outline::{Paper, outline};
use super::{bounds, words};

/// `metadata.hidden` as the engine answers it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct HiddenView {
    items: Vec<HiddenText>,
    total: u32,
}

/// A text that cannot be seen.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct HiddenText {
    page: u32,
    #[serde(deserialize_with = "bounds")]
    r#box: Option<[f64; 4]>,
    kind: String,
    characters: u32,
    text: Option<String>,
}

impl HiddenView {
    pub(super) fn of(metadata: &Value) -> Self {
        metadata.get("hidden").and_then(|hidden| Self::deserialize(hidden).ok()).unwrap_or_default()
    }

    /// Whether all that this signal rests on is told here; of what was retyped, that is only the half that is hidden.
    pub(super) fn tells(&self, signal: &str) -> bool {
        !self.items.is_empty() && is_quoting(signal) && signal != RETYPED
    }

    /// Lines for a terminal.
    pub(super) fn lines(&self) -> Vec<String> {
        let told = |item: &HiddenText| {
            let place = format!("      - {} · {}", words::hidden(&item.kind), coordinates(item).join(" · "));
            let text = item.text.as_ref().map(|text| format!("          Text: {text}"));
            [Some(place), text].into_iter().flatten()
        };
        let more = (self.more() > 0).then(|| format!("      … and {}.", words::count(self.more(), "more place")));
        self.items.iter().flat_map(told).chain(more).collect()
    }

    fn more(&self) -> usize {
        (self.total as usize).saturating_sub(self.items.len())
    }
}

/// All of it, page by page; nothing if nothing was found.
pub(super) fn section(hidden: &HiddenView, first_page: Paper) -> Markup {
    let mut pages: BTreeMap<u32, Vec<(usize, &HiddenText)>> = BTreeMap::new();
    for (place, item) in hidden.items.iter().enumerate() {
        pages.entry(item.page).or_default().push((place + 1, item));
    }
    html! {
        @if !pages.is_empty() {
            section.card.hides {
                h2 { "What the pages hide" }
                p.small.muted {
                    "Text that is in the file and is not seen. Whoever copies it, or lets a program read the file, has it. "
                    "Shared and printed reports do not show it."
                }
                @for (page, items) in &pages {
                    div.touched {
                        @let marks: Vec<_> = items.iter().filter_map(|(number, item)| Some((*number, item.r#box?))).collect();
                        (outline(*page, &marks, "hidden text", first_page))
                        ul.evidence { @for (number, item) in items { (row(*number, item)) } }
                    }
                }
                @if hidden.more() > 0 { p.small.muted { "… and " (words::count(hidden.more(), "more place")) "." } }
            }
        }
    }
}

fn row(number: usize, item: &HiddenText) -> Markup {
    html! {
        li {
            p.where {
                span.number-of { (number) }
                " " bdi { (words::hidden(&item.kind)) }
                span.coordinates { (coordinates(item).join(" · ")) }
            }
            @if let Some(text) = &item.text {
                dl.sides.unprinted { div { dt { "Text" } dd { bdi { (text) } } } }
            }
        }
    }
}

fn coordinates(item: &HiddenText) -> [String; 2] {
    [format!("page {}", item.page), words::count(item.characters as usize, "character")]
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use shared::withheld::withhold;

    use crate::integrity::{Report, section};

    #[test]
    fn hidden_text_is_for_its_owner_alone() {
        let mut metadata = json!({
            "integrity": {
                "verdict": "signs_of_change",
                "summary": "On page 1 'Balance 412.07' lies under a white area, and '4,412.07' is written over it.",
                "because": ["text_retyped"],
                "signals": [
                    {
                        "id": "text_retyped", "strength": "strong", "summary": "Another text lies under it.", "evidence_total": 1,
                        "evidence": [{ "page": 1, "place": "under a white area", "before": "Balance 412.07", "after": "4,412.07" }],
                    },
                    {
                        "id": "text_invisible", "strength": "neutral", "summary": "Nobody sees it.", "evidence_total": 1,
                        "evidence": [{ "page": 2, "place": "invisible", "before": "Read this", "after": null }],
                    },
                ],
            },
            "hidden": {
                "examined": "all", "total": 4,
                "items": [
                    { "page": 1, "box": [60, 700, 160, 712], "kind": "retyped", "characters": 13, "text": "Balance 412.07" },
                    { "page": 2, "box": "none", "kind": "invisible", "characters": 8, "text": "Read this" },
                    { "page": 2, "kind": "eaten_by_mice" },
                ],
            },
        });
        let report = Report::of(&metadata).unwrap();
        let (page, text) = (section(&report, 1_000).into_string(), report.to_string());
        for words in
            ["Balance 412.07", "Read this", "13 characters", "Eaten by mice", "1 more place", "What the pages hide"]
        {
            assert!(page.contains(words) && text.contains(words), "{words}: {page} {text}");
        }
        // on paper it is left out
        let printed: String = page.split("unprinted").skip(1).map(|rest| rest.split_once("</d").unwrap().1).collect();
        assert!(page.contains("printed-only") && !printed.is_empty(), "{page}");
        withhold(&mut metadata);
        let report = Report::of(&metadata).unwrap();
        let shown = format!("{}{report}{metadata}", section(&report, 1_000).into_string());
        for words in ["Balance", "412.07 ", "Read this"] {
            assert!(!shown.contains(words), "{words}: {shown}");
        }
        for words in ["13 characters", "4,412.07", "It bears signs of a change: another text lies under it."] {
            assert!(shown.contains(words), "{words}: {shown}");
        }
    }
}
