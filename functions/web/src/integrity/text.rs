//! The report as text for a terminal.

use std::fmt::{Display, Formatter, Result};

use super::difference::pieces;
use super::evidence::is_plain;
use super::page::told_changes;
use super::place::{Side, coordinates, named, sides};
use super::revisions::{deed, when};
use super::words::{self, is_right_to_left, is_unseen, width};
use super::{Report, SignalView, SignatureView, signatures};

/// Lines of text, indented by two blanks: verdict, what shows it, saves, signatures, what else was found.
impl Display for Report {
    fn fmt(&self, output: &mut Formatter<'_>) -> Result {
        let mut lines = Vec::new();
        self.write(&mut lines);
        // what a file says must not move the cursor or turn the line around
        lines.iter().try_for_each(|line| {
            let shown: String = line.chars().filter(|&letter| !is_unseen(letter)).collect();
            writeln!(output, "{}", shown.trim_end())
        })
    }
}

impl Report {
    fn write(&self, lines: &mut Vec<String>) {
        lines.push(format!("  {} {}", mark(&self.verdict), words::verdict(&self.verdict)));
        lines.push(format!("  {}", self.summary));
        let meaning = words::verdict_meaning(&self.verdict);
        if !meaning.is_empty() {
            lines.push(format!("  {meaning}"));
        }
        let hidden = self.hidden.lines();
        if !hidden.is_empty() {
            heading(lines, "What the pages hide");
            lines.extend(hidden);
        }
        self.write_signals(lines, "What shows it", self.deciding().collect());
        if !self.revisions.is_empty() {
            heading(lines, "Saves");
            lines.push(format!("    {}", told_changes(self)));
        }
        for revision in &self.revisions {
            let when = when(revision);
            let with = revision.producer.as_deref().map_or_else(String::new, |producer| format!(" · {producer}"));
            lines.push(format!("    {:>2}  {when}{with}", revision.number));
            lines.push(format!("        {}", deed(self, revision)));
        }
        if !self.signatures.is_empty() {
            heading(lines, "Signatures");
        }
        for signature in &self.signatures {
            self.write_signature(lines, signature);
        }
        self.write_signals(lines, "Also found, which did not decide", self.others().collect());
        lines.push(String::new());
        let examined = words::examined(&self.examined);
        lines.push(format!("  {examined} Rules: version {}.", self.rules));
    }

    fn write_signals(&self, lines: &mut Vec<String>, title: &str, signals: Vec<&SignalView>) {
        if !signals.is_empty() {
            heading(lines, title);
        }
        for signal in signals {
            let strength = words::strength(&signal.strength).to_lowercase();
            let strength = if is_plain(self, signal) { String::new() } else { format!("{strength}; ") };
            lines.push(format!("    {} ({strength}{})", signal.summary, signal.id));
            if let Some(other) = self.same_before(signal) {
                lines.push(format!("      The same places as for {}.", other.id));
                continue;
            }
            if self.hidden.tells(&signal.id) {
                lines.push("      Told above, with what the pages hide.".to_owned());
                continue;
            }
            for evidence in &signal.evidence {
                let place = evidence.place.as_deref().map(named);
                let place =
                    place.map(|(words, name)| name.map_or_else(|| words.clone(), |name| format!("{words} ({name})")));
                let parts: Vec<String> = place.into_iter().chain(coordinates(evidence)).collect();
                if !parts.is_empty() {
                    lines.push(format!("      - {}", parts.join(" · ")));
                }
                for side in sides(signal, evidence) {
                    lines.extend(told(&side));
                }
            }
            let more = (signal.evidence_total as usize).saturating_sub(signal.evidence.len());
            if more > 0 {
                lines.push(format!("      … and {}.", words::count(more, "more place")));
            }
        }
    }

    fn write_signature(&self, lines: &mut Vec<String>, signature: &SignatureView) {
        let sign = match signature.status.as_str() {
            "intact" => '✓',
            "broken" => '✗',
            _ => '?',
        };
        let kind = words::signature_kind(&signature.kind);
        let status = words::status_meaning(&signature.status, signature.reason.as_deref());
        lines.push(format!("    {sign} {kind}, {}: {status}.", words::label(&signature.status).to_lowercase()));
        for (label, value) in signatures::facts(self, signature) {
            lines.push(format!("        {label}: {value}"));
        }
        lines.extend(signatures::claim(signature).map(|claim| format!("        {claim}")));
    }
}

/// A side of evidence, and below it what the other side has not, underlined.
fn told(side: &Side<'_>) -> Vec<String> {
    let text = side.text.as_deref().unwrap_or("nothing");
    let start = format!("          {}: ", side.label);
    let mut marks = " ".repeat(start.chars().count());
    for (piece, is_changed) in pieces(text, &side.changed) {
        let mark = if is_changed { "^" } else { " " };
        marks.extend(std::iter::repeat_n(mark, width(piece)));
    }
    let line = format!("{start}{text}");
    // columns say nothing where lines run to the left
    if side.changed.is_empty() || text.chars().any(is_right_to_left) { vec![line] } else { vec![line, marks] }
}

fn heading(lines: &mut Vec<String>, title: &str) {
    lines.push(String::new());
    lines.push(format!("  {title}"));
}

/// A sign for each verdict.
fn mark(verdict: &str) -> &'static str {
    match verdict {
        "changed" => "≠",
        "signs_of_change" => "≈",
        "no_signs" => "–",
        "unchanged_since_signing" => "✓",
        "permitted_changes_since_signing" => "✓+",
        "changed_since_signing" => "✗",
        _ => "?",
    }
}
