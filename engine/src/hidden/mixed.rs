//! Figures among words of another font: what was written into a line later is often drawn in the font that a program had at
//! hand, or stands a little higher or lower.

use std::collections::BTreeMap;

use super::sight::Sight;
use crate::content::{Line, Run, Word, legible};
use crate::text::shorten;

/// Words that a line must have.
const WORDS: usize = 3;
/// Words with figures in the font that most of the page's are in.
const USUAL: usize = 5;
/// Words with figures in an odd one, of which a page that is set so has more.
const ODD: usize = 3;
/// Runs that one word may be made of.
const PIECES: usize = 4;
/// Places told of on one page.
const TOLD: usize = 10;
/// How much larger or smaller figures are that someone tried to make alike.
const SIZES: std::ops::Range<f64> = 0.03..0.3;
/// The tag of a subset (9.6.4) before the name of a font.
const TAG: usize = 6;

/// Figures that are drawn otherwise than the words around them.
#[derive(Debug)]
pub(crate) struct Mixed {
    /// From 1.
    pub(crate) page: u32,
    pub(crate) bounds: [f64; 4],
    /// The line, and the words in it.
    pub(crate) line: String,
    pub(crate) words: String,
    /// What they are drawn in, and what the words around them are.
    pub(crate) font: String,
    pub(crate) usual: String,
}

/// What words look like: the family of the font, and its size in hundredths of a point.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct TextStyle {
    family: String,
    size: u32,
}

/// The odd figures of a page.
pub(super) fn find(sight: &Sight, number: u32) -> Vec<Mixed> {
    if !has_odd_runs(sight) {
        return Vec::new();
    }
    let seen: Vec<usize> = sight.seen().filter(|(_, run)| run.annotation.is_none()).map(|(place, _)| place).collect();
    let lines = sight.lines(&seen);
    let mut counts: BTreeMap<TextStyle, usize> = BTreeMap::new();
    for word in lines.iter().flat_map(|line| &line.words).filter(|word| has_figures(word)) {
        if let Some(look) = look(sight, word) {
            *counts.entry(look).or_default() += 1;
        }
    }
    let count = |look: &TextStyle| counts.get(look).copied().unwrap_or(0);
    let mut found = Vec::new();
    for line in lines.iter().filter(|line| line.words.len() >= WORDS) {
        for (place, word) in line.words.iter().enumerate().filter(|(_, word)| has_figures(word)) {
            let Some((own, usual)) = look(sight, word).zip(beside(sight, line, place)) else { continue };
            if is_odd(&own, &usual) && count(&own) <= ODD && count(&usual) >= USUAL && found.len() < TOLD {
                found.push(mixed(sight, number, line, word, &usual));
            }
        }
    }
    found
}

/// Whether few of the runs with figures look otherwise than many: it costs little to know, and most pages have none.
fn has_odd_runs(sight: &Sight) -> bool {
    let mut counts: BTreeMap<(u16, u64), (&Run, usize)> = BTreeMap::new();
    for (_, run) in sight.seen().filter(|(_, run)| sight.page.text(run).bytes().any(|byte| byte.is_ascii_digit())) {
        counts.entry((run.font, run.size.to_bits())).or_insert((run, 0)).1 += 1;
    }
    let mut looks: BTreeMap<TextStyle, usize> = BTreeMap::new();
    for (run, count) in counts.into_values() {
        if let Some(look) = look_of_run(sight, run) {
            *looks.entry(look).or_default() += count;
        }
    }
    let few = || looks.iter().filter(|(_, count)| **count <= ODD * PIECES);
    let many = || looks.iter().filter(|(_, count)| **count >= USUAL);
    few().any(|(own, _)| many().any(|(usual, _)| is_odd(own, usual)))
}

/// What the words on both sides look like, if they look alike; of a word at an end that on its one side.
fn beside(sight: &Sight, line: &Line, place: usize) -> Option<TextStyle> {
    let before = place.checked_sub(1).and_then(|before| line.words.get(before));
    let mut looks = [before, line.words.get(place + 1)].into_iter().flatten().map(|word| look(sight, word));
    let first = looks.next()??;
    looks.all(|other| other.as_ref() == Some(&first)).then_some(first)
}

/// Whether figures of this look do not belong among words of the other.
fn is_odd(own: &TextStyle, usual: &TextStyle) -> bool {
    let larger = f64::from(own.size) / f64::from(usual.size.max(1)) - 1.0;
    match own.family == usual.family {
        true => SIZES.contains(&larger.abs()),
        // a line in another size is a heading, a note, or a power
        false => larger.abs() < SIZES.end,
    }
}

fn look(sight: &Sight, word: &Word) -> Option<TextStyle> {
    let runs = word.runs.iter().filter_map(|place| sight.page.runs.get(*place));
    let mut looks = runs.map(|run| look_of_run(sight, run));
    let first = looks.next()??;
    looks.all(|other| other.as_ref() == Some(&first)).then_some(first)
}

fn look_of_run(sight: &Sight, run: &Run) -> Option<TextStyle> {
    Some(TextStyle { family: family(sight.page.font(run))?, size: (run.size * 100.0).round() as u32 })
}

/// The family of a font by its name: without the tag of a subset, without what says how bold or slanted it is; none for
/// names that say nothing.
fn family(name: &str) -> Option<String> {
    let name = match name.as_bytes().get(TAG) {
        Some(b'+') => name.get(TAG + 1..)?,
        _ => name,
    };
    let family = name.split(['-', ',']).next().unwrap_or(name);
    // numbers were given by a program, to many parts of one font
    if family.contains(|character: char| character.is_ascii_digit()) {
        return None;
    }
    let family = family.trim_end_matches("MT").trim_end_matches("PS").to_ascii_lowercase();
    let family: String = family.chars().filter(char::is_ascii_alphabetic).collect();
    let family =
        ["bold", "italic", "regular", "oblique"].iter().fold(family, |family, style| family.replace(style, ""));
    // those of TeX are many for one text, and short
    (family.len() > 4).then_some(family)
}

/// Whether a word is made of figures for the most part, as amounts, dates and account numbers are.
fn has_figures(word: &Word) -> bool {
    let figures = word.text.chars().filter(char::is_ascii_digit).count();
    let letters = word.text.chars().filter(|character| character.is_alphabetic()).count();
    figures > letters
}

fn mixed(sight: &Sight, page: u32, line: &Line, word: &Word, usual: &TextStyle) -> Mixed {
    let run = |word: &Word| word.runs.first().and_then(|place| sight.page.runs.get(*place));
    let named =
        |run: Option<&Run>| run.map_or_else(String::new, |run| format!("{} {}", sight.page.font(run), run.size));
    let other = line.words.iter().find(|other| look(sight, other).as_ref() == Some(usual));
    let mut text = legible(&line.text());
    shorten(&mut text);
    Mixed {
        page,
        bounds: word.bounds,
        line: text,
        words: legible(&word.text),
        font: named(run(word)),
        usual: named(other.and_then(run)),
    }
}

#[cfg(test)]
mod tests {
    use super::family;

    #[test]
    fn a_family_is_told_by_its_name() {
        for (name, expected) in [
            ("ABCDEF+Calibri-Light", Some("calibri")),
            ("Arial,Bold", Some("arial")),
            ("ArialMT", Some("arial")),
            ("TimesNewRomanPS-BoldMT", Some("timesnewroman")),
            ("TimesNewRomanPSMT", Some("timesnewroman")),
            ("CMR10", None),
            ("GAIJMG+AdvPS7DA6", None),
            ("F1", None),
            ("", None),
        ] {
            assert_eq!(family(name).as_deref(), expected, "{name}");
        }
    }
}
