//! The report as text for a terminal.

use std::fmt::{Display, Formatter, Result};

use engine::{HiddenItem, Signature, SignatureStatus};

use crate::difference::pieces;
use crate::model::{FoundSignal, Report};
use crate::place::{EvidenceSide, coordinates, named, sides};
use crate::sentences::{all_changes, describe_revision, facts, trust_note, when};
use crate::words::{self, is_right_to_left, is_unseen, width};

/// Lines of text, indented by two spaces: verdict, evidence, revisions, signatures, other findings.
impl Display for Report {
    fn fmt(&self, output: &mut Formatter<'_>) -> Result {
        let mut lines = Vec::new();
        self.write(&mut lines);
        // text from a file must not move the cursor or change the direction of the line
        lines.iter().try_for_each(|line| {
            let shown: String = line.chars().filter(|&letter| !is_unseen(letter)).collect();
            writeln!(output, "{}", shown.trim_end())
        })
    }
}

impl Report {
    fn write(&self, lines: &mut Vec<String>) {
        lines.push(format!("  {} {}", words::verdict_sign(self.shown_verdict()), words::verdict(self.shown_verdict())));
        lines.push(format!("  {}", self.summary));
        lines.extend(self.is_truncated.then(|| format!("  {}", words::TRUNCATED)));
        let meaning = words::verdict_meaning(self.verdict);
        if !meaning.is_empty() {
            lines.push(format!("  {meaning}"));
        }
        self.write_hidden(lines);
        self.write_signals(lines, "What shows it", self.deciding().collect());
        if !self.revisions.is_empty() {
            heading(lines, "Saves");
            lines.push(format!("    {}", all_changes(self)));
        }
        for revision in &self.revisions {
            let when = when(self, revision);
            let with = revision
                .producer
                .as_deref()
                .map_or_else(String::new, |producer| format!(" · {}", words::program(producer)));
            lines.push(format!("    {:>2}  {when}{with}", revision.number));
            lines.push(format!("        {}", describe_revision(self, revision)));
        }
        if !self.signatures.is_empty() {
            heading(lines, "Signatures");
        }
        for signature in &self.signatures {
            self.write_signature(lines, signature);
        }
        self.write_signals(lines, "Also found, which did not decide", self.others().collect());
        lines.push(String::new());
        let examined = words::examined(self);
        lines.push(format!("  {examined} Rules: version {}.", self.rules));
    }

    fn write_signals(&self, lines: &mut Vec<String>, title: &str, signals: Vec<&FoundSignal>) {
        if !signals.is_empty() {
            heading(lines, title);
        }
        for signal in signals {
            let strength = words::strength(signal.strength).to_lowercase();
            let strength = (!self.is_plain(signal)).then_some(strength);
            let basis = signal.id.filter(|_| strength.is_some()).map(|id| words::basis(id.basis()).to_owned());
            let marks: Vec<String> =
                strength.into_iter().chain(basis).chain(signal.id.map(|id| id.to_string())).collect();
            lines.push(format!("    {} ({})", signal.summary, marks.join("; ")));
            if let Some(other) = self.same_before(signal) {
                let other = other.id.map_or_else(|| other.summary.clone(), |id| id.to_string());
                lines.push(format!("      The same places as for {other}."));
                continue;
            }
            if self.lists_hidden(signal) {
                lines.push("      Listed above, with what the pages hide.".to_owned());
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
                for side in sides(signal.id, evidence) {
                    lines.extend(side_lines(&side));
                }
            }
            let more = (signal.evidence_total as usize).saturating_sub(signal.evidence.len());
            if more > 0 {
                lines.push(format!("      … and {}.", words::count(more, "more place")));
            }
        }
    }

    fn write_hidden(&self, lines: &mut Vec<String>) {
        let Some(hidden) = self.hidden.as_ref().filter(|hidden| !hidden.items.is_empty()) else { return };
        heading(lines, "What the pages hide");
        for item in &hidden.items {
            let HiddenItem { page, characters, .. } = item;
            let characters = words::count(*characters as usize, "character");
            lines.push(format!("      - {} · page {page} · {characters}", words::hidden(item.kind)));
            lines.extend(item.text.as_ref().map(|text| format!("          Text: {text}")));
        }
        let more = (hidden.total as usize).saturating_sub(hidden.items.len());
        if more > 0 {
            lines.push(format!("      … and {}.", words::count(more, "more place")));
        }
    }

    fn write_signature(&self, lines: &mut Vec<String>, signature: &Signature) {
        let sign = match signature.status {
            SignatureStatus::Intact => '✓',
            SignatureStatus::Broken => '✗',
            SignatureStatus::Unchecked => '?',
        };
        let kind = words::signature_kind(signature.kind);
        let meaning = words::status_meaning(signature.status, signature.reason);
        lines.push(format!("    {sign} {kind}, {}: {meaning}.", words::status(signature.status)));
        for (label, value) in facts(self, signature) {
            lines.push(format!("        {label}: {value}"));
        }
        lines.extend(trust_note(signature).map(|note| format!("        {note}")));
    }
}

/// A side of evidence, with its differences underlined in a second line.
fn side_lines(side: &EvidenceSide<'_>) -> Vec<String> {
    let text = side.shown();
    let start = format!("          {}: ", side.label);
    let mut marks = " ".repeat(start.chars().count());
    for (piece, is_changed) in pieces(text, &side.changed) {
        let mark = if is_changed { "^" } else { " " };
        marks.extend(std::iter::repeat_n(mark, width(piece)));
    }
    let line = format!("{start}{text}");
    // columns don't match in right-to-left text
    if side.changed.is_empty() || text.chars().any(is_right_to_left) { vec![line] } else { vec![line, marks] }
}

fn heading(lines: &mut Vec<String>, title: &str) {
    lines.push(String::new());
    lines.push(format!("  {title}"));
}
