//! Texts withheld from readers other than the owner: words that pages hide, or that are no longer visible. Often they
//! are a mistake of the file's author, such as a failed redaction, which its finder must not publish.

use engine::{
    Comparison, PublicTexts, SignalId, Signature, TextOrigin, Verdict, is_trusted_by_account, joined,
    rebuilt_for_others,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Removes non-public texts from an analysis' metadata: texts of findings and evidence, and the summary if it quotes
/// them. Text without a `public` mark is not public.
pub fn withhold(metadata: &mut Value) {
    remove_withheld(metadata, &["before", "after"]);
}

/// The same for agents. The name of a place without public texts is also removed, as the file's author may have chosen
/// it to influence an agent.
pub fn withhold_from_agents(metadata: &mut Value) {
    remove_withheld(metadata, &["before", "after", "place"]);
}

/// Removes non-public texts from a comparison: words and values hidden on pages of either file. Their number is kept.
pub fn withhold_differences(compared: &mut Comparison) {
    let count = |compared: &Comparison| compared.words.len() + compared.form.len() + compared.hidden_words.len();
    let (all, words) = (count(compared), compared.words.len());
    compared.words.retain(|change| change.public);
    compared.form.retain(|change| change.public);
    compared.hidden_words.clear();
    compared.withheld += all - count(compared);
    compared.words_total -= words - compared.words.len();
}

/// Whether something was removed from an analysis' metadata.
#[must_use]
pub fn has_withheld(metadata: &Value) -> bool {
    let list =
        |pointer: &str| metadata.pointer(pointer).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let signals = list("/integrity/signals").iter();
    let mut evidence =
        signals.flat_map(|signal| signal.get("evidence").and_then(Value::as_array).into_iter().flatten());
    let is_partly = |evidence: &Value| evidence.get("public").is_some_and(|public| public != "both");
    !list("/hidden/items").is_empty() || evidence.any(is_partly)
}

/// Removes non-public texts; `texts` are the keys removed from evidence without public texts.
fn remove_withheld(metadata: &mut Value, texts: &[&str]) {
    let items = metadata.pointer_mut("/hidden/items").and_then(Value::as_array_mut).into_iter().flatten();
    items.filter_map(|item| item.get_mut("text")).for_each(|text| *text = Value::Null);
    let Some(integrity) = metadata.get_mut("integrity").filter(|integrity| !integrity.is_null()) else { return };
    let summary = public_summary(integrity);
    if let (Some(summary), Some(own)) = (summary, integrity.get_mut("summary")) {
        *own = summary.into();
    }
    name_trusting_account(integrity);
    let signals = integrity.get_mut("signals").and_then(Value::as_array_mut).into_iter().flatten();
    for signal in signals {
        let id = known(signal.get("id"));
        let evidence = signal.get_mut("evidence").and_then(Value::as_array_mut).into_iter().flatten();
        for evidence in evidence {
            let public = public_texts(id, evidence);
            let withheld: &[&str] = match public {
                PublicTexts::Both => &[],
                PublicTexts::Now => &["before"],
                PublicTexts::None => texts,
            };
            // readers can distinguish removed text from missing text
            if let (Some(evidence), Ok(public)) = (evidence.as_object_mut(), serde_json::to_value(public)) {
                evidence.insert("public".to_owned(), public);
            }
            for text in withheld {
                evidence.get_mut(text).into_iter().for_each(|text| *text = Value::Null);
            }
        }
    }
}

/// Names the account as the one who trusts the issuers, as the reader may be someone else.
fn name_trusting_account(integrity: &mut Value) {
    let stored = integrity.get("signatures").and_then(Value::as_array).into_iter().flatten();
    let signatures: Vec<Signature> = stored.filter_map(|signature| known(Some(signature))).collect();
    let shared = match integrity.get("summary_shared") {
        Some(shared) => shared.as_str().map(str::to_owned),
        // stored by an earlier version
        None => known(integrity.get("verdict")).and_then(|verdict| rebuilt_for_others(verdict, &signatures)),
    };
    if let (Some(shared), Some(integrity)) = (shared, integrity.as_object_mut()) {
        integrity.insert("summary".to_owned(), shared.into());
        integrity.insert("summary_shared".to_owned(), Value::Null);
    }
    let signal = known(integrity.pointer("/reason/signal"));
    if signal == Some(SignalId::SignatureIntact)
        && is_trusted_by_account(&signatures)
        && let Some(phrase) = integrity.pointer_mut("/reason/phrase")
    {
        *phrase = SignalId::SignatureIntact.phrase().into();
    }
    let signatures = integrity.get_mut("signatures").and_then(Value::as_array_mut).into_iter().flatten();
    for because in signatures.filter_map(|signature| signature.pointer_mut("/trust/because")) {
        let own = because.as_str().unwrap_or_default();
        *because = format!("By the issuers whom whoever shared this trusts: {own}").into();
    }
}

/// The public texts of a piece of evidence; if unmarked, as in earlier versions, only those that no page shows or
/// hides.
fn public_texts(id: Option<SignalId>, evidence: &Value) -> PublicTexts {
    if let Some(public) = evidence.get("public") {
        return known(Some(public)).unwrap_or_default();
    }
    match id.map(SignalId::origin) {
        Some(TextOrigin::Metadata) => PublicTexts::Both,
        Some(TextOrigin::HiddenText) => PublicTexts::Now,
        Some(TextOrigin::Revisions | TextOrigin::Unknown) | None => PublicTexts::None,
    }
}

/// The summary without quotations, from the meanings of the deciding signals; `None` if the existing one is public.
fn public_summary(integrity: &Value) -> Option<String> {
    if integrity.get("summary_public").and_then(Value::as_bool) == Some(true) {
        return None;
    }
    let opening = match known(integrity.get("verdict")) {
        Some(Verdict::Changed) => "The file was changed",
        Some(Verdict::ChangedSinceSigning) => "The file was changed since it was signed",
        Some(Verdict::SignsOfChange) => "Signs of modification found",
        // these quote no page text
        Some(
            Verdict::SavedAgain
            | Verdict::NoSigns
            | Verdict::UnchangedSinceSigning
            | Verdict::PermittedChangesSinceSigning
            | Verdict::Undetermined,
        ) => return None,
        None => "The file was examined",
    };
    let because = integrity.get("because").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let signals = integrity.get("signals").and_then(Value::as_array).into_iter().flatten();
    let deciding = signals.filter(|signal| signal.get("id").is_some_and(|id| because.contains(id)));
    Some(joined(opening, deciding.filter_map(|signal| signal.get("summary")?.as_str()).take(2)))
}

/// A value of a closed list, if this version knows it.
fn known<T: DeserializeOwned>(value: Option<&Value>) -> Option<T> {
    serde_json::from_value(value?.clone()).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::withhold;

    fn withheld(mut metadata: Value) -> Value {
        withhold(&mut metadata);
        metadata
    }

    fn analysis(verdict: &str, id: &str, evidence: &Value) -> Value {
        json!({
            "integrity": {
                "verdict": verdict, "summary": "On page 1, 'secret' was removed.", "because": [id],
                "signals": [{ "id": id, "summary": "A save changed it.", "evidence": [evidence] }],
            },
            "hidden": { "items": [{ "kind": "covered", "text": "secret" }, { "kind": "tiny" }] },
        })
    }

    #[test]
    fn what_is_not_said_to_be_public_is_withheld_whoever_stored_it() {
        let sides = |public: Value| json!({ "before": "secret", "after": "seen", "public": public });
        let old = json!({ "before": "secret", "after": "seen" });
        for (id, evidence, shown) in [
            ("page_content_changed", sides(json!("both")), [true, true]),
            ("page_content_changed", sides(json!("now")), [false, true]),
            ("page_content_changed", sides(json!("none")), [false, false]),
            ("page_content_changed", sides(json!("everything")), [false, false]),
            ("page_content_changed", sides(Value::Null), [false, false]),
            ("page_content_changed", old.clone(), [false, false]),
            ("text_retyped", old.clone(), [false, true]),
            ("modified_later", old.clone(), [true, true]),
            ("bytes_after_end", old.clone(), [false, false]),
            ("eaten_by_mice", old, [false, false]),
        ] {
            let metadata = withheld(analysis("changed", id, &evidence));
            let evidence = metadata.pointer("/integrity/signals/0/evidence/0").unwrap();
            assert_eq!([evidence["before"] == "secret", evidence["after"] == "seen"], shown, "{id}: {metadata}");
            assert_eq!(metadata["integrity"]["summary"], "The file was changed: a save changed it.");
            assert_eq!(metadata["hidden"]["items"][0], json!({ "kind": "covered", "text": null }));
        }
    }

    #[test]
    fn a_sentence_is_shown_if_it_may_be_or_can_quote_nothing() {
        for (verdict, public, is_shown) in [
            ("changed", json!(true), true),
            ("changed", json!(false), false),
            ("changed_since_signing", Value::Null, false),
            ("signs_of_change", Value::Null, false),
            ("eaten_by_mice", Value::Null, false),
            ("undetermined", Value::Null, true),
            ("unchanged_since_signing", Value::Null, true),
        ] {
            let mut metadata = analysis(verdict, "page_content_changed", &json!({}));
            metadata["integrity"]["summary_public"] = public;
            let metadata = withheld(metadata);
            assert_eq!(metadata["integrity"]["summary"].as_str().unwrap().contains("secret"), is_shown, "{metadata}");
        }
    }

    fn signed(verdict: &str, signer: &str, source: &str) -> Value {
        let anchor = json!({ "name": "Root", "sha256": "00", "source": source });
        let trust = json!({
            "status": "trusted", "anchor": anchor, "chain": [], "revocation": "good", "because": "a path leads to it."
        });
        let signature = json!({
            "kind": "approval", "status": "intact", "signer": signer, "issuer": "Root", "revision": 1,
            "covers": "file", "trust": trust,
        });
        json!({
            "verdict": verdict, "summary": "you trust its issuer", "summary_public": true,
            "reason": { "signal": "signature_intact", "phrase": "As signed; you trust its issuer" },
            "signatures": [signature],
        })
    }

    #[test]
    fn another_sentence_for_other_readers_is_the_one_they_read() {
        for (shared, expected) in [(json!("for others"), "for others"), (Value::Null, "you trust its issuer")] {
            let mut integrity = signed("unchanged_since_signing", "Ann", "account");
            integrity["summary_shared"] = shared;
            let integrity = &withheld(json!({ "integrity": integrity }))["integrity"];
            assert_eq!((&integrity["summary"], &integrity["summary_shared"]), (&json!(expected), &Value::Null));
            assert_eq!(integrity["reason"]["phrase"], "Signature matches the file");
        }
    }

    #[test]
    fn a_report_stored_without_that_sentence_gets_one_from_its_signatures() {
        let odd = "Bank; you trust its issuer, X";
        for (verdict, source, expected) in [
            (
                "unchanged_since_signing",
                "account",
                "The file is unchanged since \u{201c}Bank; you trust its issuer, X\u{201d} signed it; whoever shared it \
                 trusts its issuer, \u{201c}Root\u{201d}.",
            ),
            (
                "permitted_changes_since_signing",
                "account",
                "Since it was signed by \u{201c}Bank; you trust its issuer, X\u{201d} (whoever shared it trusts the \
                 issuer, \u{201c}Root\u{201d}), only changes that the signature permits were made.",
            ),
            ("undetermined", "account", "you trust its issuer"),
            ("unchanged_since_signing", "operator", "you trust its issuer"),
        ] {
            let integrity = &withheld(json!({ "integrity": signed(verdict, odd, source) }))["integrity"];
            assert_eq!(integrity["summary"], expected, "{verdict} {source}");
        }
    }

    #[test]
    fn an_analysis_without_a_report_is_left_as_it_is() {
        for metadata in [json!({}), json!({ "integrity": null, "hidden": null }), json!({ "hidden": { "items": [] } })]
        {
            assert_eq!(withheld(metadata.clone()), metadata);
        }
    }
}
