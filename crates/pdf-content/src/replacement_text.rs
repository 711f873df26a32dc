//! Replacement text of marked content (14.9.4, `/ActualText`).

use super::geometry::Rectangle;
use super::page_model::{PageText, UntrustedText};
use super::run::Run;

/// Maximum replacement texts kept that contradict the text that is shown.
const MAX_UNTRUSTED: usize = 100;

impl PageText {
    /// Replaces the text of the runs from `first` with `/ActualText` (14.9.4): word by word if the counts match,
    /// otherwise all in the first run.
    pub(super) fn replace(&mut self, first: usize, text: &str) {
        let count = self.runs.len().saturating_sub(first);
        let words: Vec<&str> = text.split_whitespace().collect();
        let own: String = self.runs.iter().skip(first).map(|run| self.text(run)).collect();
        // replacement text that drops words or changes digits is not trusted
        if contradicts(&own, text) {
            let bounds = self.runs.iter().skip(first).map(|run| run.bounds).reduce(Rectangle::with);
            if let Some(bounds) = bounds.filter(|_| self.untrusted.len() < MAX_UNTRUSTED) {
                self.untrusted.push(UntrustedText { text: text.to_owned(), shown: own, bounds });
            }
            return;
        }
        // their runs are joined
        self.marked.retain(|(_, runs)| runs.end <= first || words.len() == count);
        if words.is_empty() {
            self.runs.truncate(first);
            return;
        }
        let mut texts = Vec::with_capacity(words.len());
        if words.len() == count {
            texts.extend(words);
        } else {
            texts.push(text.trim());
            self.join(first);
        }
        for (index, text) in (first..).zip(texts) {
            let start = self.text.len();
            text.chars().for_each(|character| self.push_char(character));
            let end = self.text.len();
            if let Some(run) = self.runs.get_mut(index) {
                run.text = start as u32..end as u32;
                (run.undecoded, run.codes) = (0, 0);
                run.is_actual = true;
            }
        }
    }

    /// Joins the runs from `first`.
    fn join(&mut self, first: usize) {
        let Some((run, others)) = self.runs.get_mut(first..).and_then(<[Run]>::split_first_mut) else { return };
        for other in others.iter() {
            run.bounds = run.bounds.with(other.bounds).rounded();
            run.before_blank = other.before_blank;
            let (from, _) = run.line.measure(other.line.start);
            let (length, reach) = (run.line.measure(run.line.end).0, run.line.measure(other.line.end).0);
            let is_on_line = run.line.is_followed_by(&other.line);
            let before = if is_on_line { from.min(0.0) } else { 0.0 };
            if is_on_line {
                let (start, end) = (run.line.point(before, 0.0), run.line.point(length.max(reach), 0.0));
                (run.line.start, run.line.end) = (start, end);
            }
            let (own, others) = (run.glyphs.clone(), other.glyphs.clone());
            for (range, shift) in [(own, -before), (others, from - before)] {
                for glyph in self.glyphs.get_mut(range.start as usize..range.end as usize).unwrap_or_default() {
                    // glyphs on another baseline have no position on this one
                    let moved = |at: f32| if is_on_line || shift == 0.0 { at + shift as f32 } else { 0.0 };
                    (glyph.start, glyph.end) = (moved(glyph.start), moved(glyph.end));
                }
            }
            run.glyphs.end = other.glyphs.end;
        }
        self.runs.truncate(first + 1);
    }
}

/// Whether replacement text drops all letters of a text or changes its digits.
fn contradicts(own: &str, text: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).count();
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    (letters(own) > 1 && letters(text) == 0) || (!digits(own).is_empty() && digits(own) != digits(text))
}
