//! The report of a comparison for a model.

use ::report::untrusted::{schema as untrusted, separated};
use ::report::withheld::withhold_differences;
use engine::{Comparison, PlacedWords};
use serde_json::{Map, Value, json};

use super::{DetailLevel, within};

/// Maximum page numbers in a list.
const MAX_PAGES: usize = 16;

/// A comparison to report. Missing keys are omitted.
#[derive(Clone, Debug)]
pub struct ReportedComparison {
    /// Its id.
    pub id: Option<String>,
    /// Its time.
    pub analyzed_at: Option<String>,
    /// The earlier file and the later one, as the API answers them.
    pub files: Value,
    /// The comparison.
    pub comparison: Comparison,
    /// The quota left right after it was stored.
    pub remaining_checks: Option<u64>,
}

impl ReportedComparison {
    /// The answer: at most 4,096 bytes of JSON.
    #[must_use]
    pub fn report(mut self) -> Value {
        // words that a file hides may be instructions to models
        withhold_differences(&mut self.comparison);
        within(|step| separated(self.at(step), step.text))
    }

    fn at(&self, step: DetailLevel) -> Value {
        let found = &self.comparison;
        let is_detailed = step.places > 0;
        let (most_words, most_others) = if is_detailed { (step.signals, step.signals) } else { (step.signals / 2, 2) };
        let side = |words: &Option<PlacedWords>| {
            let reported = words.as_ref().map(|words| {
                let r#box = is_detailed.then_some(words.r#box);
                json!({ "page": words.page, "text": words.text, "box": r#box })
            });
            reported.unwrap_or_default()
        };
        let changes = found.words.iter().take(most_words);
        let words: Vec<_> =
            changes.map(|change| json!({ "before": side(&change.before), "after": side(&change.after) })).collect();
        let left_out = found.words_total - words.len();
        let some = |pages: &[u32]| pages.iter().take(MAX_PAGES).copied().collect::<Vec<_>>();
        let moved: Vec<_> = found.pages_moved.iter().take(MAX_PAGES / 2).collect();
        let metadata: Vec<_> = found.metadata.iter().take(most_others).collect();
        let form: Vec<_> = found.form.iter().take(most_others).collect();
        let answer = json!({
            "id": self.id,
            "analyzed_at": self.analyzed_at,
            "files": self.files,
            "remaining_checks": self.remaining_checks,
            "relation": found.relation,
            "grown": found.grown,
            "pages": found.pages,
            "words": words,
            "words_left_out": left_out,
            "pages_added": some(&found.pages_added),
            "pages_removed": some(&found.pages_removed),
            "pages_moved": moved,
            "metadata": metadata,
            "form": form,
            "form_left_out": found.form.len() - form.len(),
            "withheld": found.withheld,
            "examined": found.examined,
            "without_text": found.without_text.each_ref().map(|pages| some(pages)),
            "too_different": found.too_different
        });
        let own = ["id", "analyzed_at", "remaining_checks"];
        let is_told = |(key, value): &(String, Value)| !value.is_null() || !own.contains(&key.as_str());
        answer.as_object().cloned().unwrap_or_default().into_iter().filter(is_told).collect::<Map<_, _>>().into()
    }
}

/// The schema of [`ReportedComparison::report`].
#[must_use]
pub fn comparison_schema() -> Value {
    let pages = json!({ "type": "array", "items": { "type": "integer" } });
    json!({
        "type": "object",
        "properties": {
            "id": { "type": "string", "description": "Its id, for get_analysis." },
            "analyzed_at": { "type": "string", "description": "ISO 8601, UTC." },
            "files": { "type": "array", "description": "The earlier file and the later one.", "items": { "type": "object" } },
            "remaining_checks": { "type": "integer", "minimum": 0, "description": "Analyses still allowed today." },
            "relation": {
                "type": ["string", "null"], "enum": ["identical", "appended", "same_document", "other", null],
                "description": "Null where too little can be read to say."
            },
            "grown": { "type": ["string", "null"], "description": "Which of them is the other one with something appended." },
            "pages": pages,
            "words": {
                "type": "array", "items": { "type": "object" },
                "description": "Words that differ, by page and box; their texts are under `untrusted`."
            },
            "words_left_out": { "type": "integer", "minimum": 0 },
            "pages_added": pages,
            "pages_removed": pages,
            "pages_moved": { "type": "array", "items": pages },
            "metadata": { "type": "array", "items": { "type": "object" }, "description": "What they say about themselves and differs." },
            "form": { "type": "array", "items": { "type": "object" }, "description": "Form fields whose values differ." },
            "form_left_out": { "type": "integer", "minimum": 0 },
            "withheld": { "type": "integer", "minimum": 0, "description": "Differences in words that either file hides: only the account's owner is told of them." },
            "examined": { "type": "string", "enum": ["all", "part", "none"], "description": "How much could be compared: tell it with the rest." },
            "without_text": { "type": "array", "items": pages, "description": "Pages of each that were not compared, such as scans." },
            "too_different": { "type": "boolean", "description": "So much differs that it is not told word by word." },
            "untrusted": untrusted()
        },
        "required": ["files", "relation", "words", "examined", "untrusted"]
    })
}
