//! What others than an analysis' owner are not shown: text that pages hide. Often that is a mistake of whoever made the file, such
//! as a redaction that only paints, and whoever finds it must not publish it.

use engine::joined;
use serde_json::Value;

/// The signal whose text the answer's one sentence quotes.
pub const RETYPED: &str = "text_retyped";
/// Others whose evidence quotes hidden text.
const QUOTING: [&str; 3] = ["text_covered", "text_invisible", "redaction_unapplied"];

/// Whether the evidence of the signal with this id quotes hidden text.
#[must_use]
pub fn is_quoting(signal: &str) -> bool {
    signal == RETYPED || QUOTING.contains(&signal)
}

/// Leaves hidden text out of an analysis' metadata: of the findings, of the evidence, and of the answer's one sentence.
pub fn withhold(metadata: &mut Value) {
    let summary = public_summary(metadata);
    let items = metadata.pointer_mut("/hidden/items").and_then(Value::as_array_mut).into_iter().flatten();
    items.filter_map(|item| item.get_mut("text")).for_each(|text| *text = Value::Null);
    let signals = metadata.pointer_mut("/integrity/signals").and_then(Value::as_array_mut).into_iter().flatten();
    let quoting = signals.filter(|signal| id(signal).is_some_and(is_quoting));
    let evidence = quoting.filter_map(|signal| signal.get_mut("evidence")?.as_array_mut()).flatten();
    evidence.filter_map(|evidence| evidence.get_mut("before")).for_each(|text| *text = Value::Null);
    if let (Some(summary), Some(own)) = (summary, metadata.pointer_mut("/integrity/summary")) {
        *own = Value::String(summary);
    }
}

/// The answer in one sentence that quotes no hidden text, if the one that there is may do so.
#[must_use]
pub fn public_summary(metadata: &Value) -> Option<String> {
    let integrity = metadata.get("integrity")?;
    let because: Vec<&str> = integrity.get("because")?.as_array()?.iter().filter_map(Value::as_str).collect();
    if !because.contains(&RETYPED) {
        return None;
    }
    let signals = integrity.get("signals")?.as_array()?.iter();
    let deciding = signals.filter(|signal| id(signal).is_some_and(|id| because.contains(&id)));
    let meanings = deciding.filter_map(|signal| signal.get("summary")?.as_str());
    Some(joined("It bears signs of a change", meanings))
}

fn id(signal: &Value) -> Option<&str> {
    signal.get("id")?.as_str()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{public_summary, withhold};

    #[test]
    fn only_what_hides_text_is_left_out() {
        let signal = |id: &str| json!({ "id": id, "summary": "It does.", "evidence": [{ "before": "secret", "after": "seen" }] });
        let mut metadata = json!({
            "integrity": {
                "summary": "'secret' lies under a white area, and 'seen' is written over it.", "because": ["text_retyped"],
                "signals": [signal("text_retyped"), signal("text_covered"), signal("text_invisible"), signal("redaction_unapplied")],
            },
            "hidden": { "items": [{ "kind": "covered", "text": "secret" }, { "kind": "tiny" }] },
        });
        withhold(&mut metadata);
        let told = metadata.to_string();
        assert!(!told.contains("secret") && told.contains("It bears signs of a change: it does."), "{told}");
        assert_eq!(told.matches("seen").count(), 4, "{told}");
        for others in [
            json!({ "integrity": { "summary": "Page 1 was changed.", "because": ["page_content_changed"], "signals": [signal("page_content_changed")] }, "hidden": null }),
            json!({ "integrity": null }),
            json!({}),
        ] {
            let mut same = others.clone();
            withhold(&mut same);
            assert_eq!((same, public_summary(&others)), (others.clone(), None), "{others}");
        }
    }
}
