//! Right-to-left text: converts the visual order of glyphs on a page to logical order (the reverse of Unicode Standard
//! Annex 9).

/// Paired brackets.
const BRACKETS: [(&str, &str); 5] = [("(", ")"), ("[", "]"), ("{", "}"), ("<", ">"), ("«", "»")];

/// Direction of a character or a word.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Direction {
    LeftToRight,
    RightToLeft,
    /// Takes the direction of its surroundings.
    Neutral,
}

/// Returns the direction of a character.
pub(super) fn of_char(character: char) -> Direction {
    match character {
        '\u{590}'..='\u{8ff}'
        | '\u{fb1d}'..='\u{fdff}'
        | '\u{fe70}'..='\u{feff}'
        | '\u{10800}'..='\u{10fff}'
        | '\u{1e800}'..='\u{1eeff}' => match character {
            // Arabic digits
            '\u{660}'..='\u{669}' | '\u{6f0}'..='\u{6f9}' => Direction::LeftToRight,
            _ => Direction::RightToLeft,
        },
        character if character.is_alphanumeric() => Direction::LeftToRight,
        _ => Direction::Neutral,
    }
}

/// Returns the direction of a word: right to left if any character is.
pub(super) fn of_word(word: &str) -> Direction {
    if word.is_ascii() {
        let is_strong = word.bytes().any(|byte| byte.is_ascii_alphanumeric());
        return if is_strong { Direction::LeftToRight } else { Direction::Neutral };
    }
    let mut found = Direction::Neutral;
    for character in word.chars() {
        match of_char(character) {
            Direction::RightToLeft => return Direction::RightToLeft,
            Direction::LeftToRight => found = Direction::LeftToRight,
            Direction::Neutral => {}
        }
    }
    found
}

/// Visual to logical order for a right-to-left word, given the text of each glyph from left to right with its marks.
/// The text of a single glyph is in logical order already.
pub(super) fn logical(visual: &[String]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut was_left_to_right = false;
    for text in visual {
        let is_left_to_right = of_word(text) == Direction::LeftToRight;
        // numbers and Latin letters keep their order, including separators inside numbers
        match parts.last_mut() {
            Some(part) if is_left_to_right && was_left_to_right => part.push_str(text),
            _ => parts.push(text.clone()),
        }
        let is_between = was_left_to_right && matches!(text.as_str(), "." | "," | ":" | "/");
        was_left_to_right = is_left_to_right || is_between;
        if is_between && parts.len() > 1 {
            let separator = parts.pop().unwrap_or_default();
            if let Some(part) = parts.last_mut() {
                part.push_str(&separator);
            }
        }
    }
    parts.reverse();
    turn_brackets(&mut parts);
    parts.concat()
}

/// Makes brackets open at the start of a word and close at its end: writers encode mirrored brackets by meaning or by
/// appearance.
fn turn_brackets(parts: &mut [String]) {
    let last = parts.len().saturating_sub(1);
    let mut turned: Option<bool> = None;
    for (place, part) in parts.iter_mut().enumerate() {
        let Some((opening, closing)) = BRACKETS.iter().find(|(open, close)| [open, close].contains(&&part.as_str()))
        else {
            continue;
        };
        let is_opening = part == opening;
        // the first bracket decides for the others
        let turns = *turned.get_or_insert(if place == last { is_opening } else { !is_opening });
        let opens = is_opening != turns;
        *part = (if opens { *opening } else { *closing }).to_owned();
    }
}

/// Mirrors isolated brackets, or those around numbers, in a line with right-to-left text.
pub(super) fn turn_alone<'w>(words: impl Iterator<Item = &'w mut String>) {
    let mut open = 0_usize;
    for word in words {
        let kind = |character: Option<char>| {
            let text = character.map(String::from).unwrap_or_default();
            let pair =
                BRACKETS.iter().copied().find(|(opening, closing)| [*opening, *closing].contains(&text.as_str()))?;
            Some((pair, text == pair.0))
        };
        match (kind(word.chars().next()), kind(word.chars().next_back())) {
            (Some(((opening, closing), is_open)), _) if word.chars().count() == 1 => {
                let opens = open == 0;
                if opens != is_open {
                    *word = (if opens { opening } else { closing }).to_owned();
                }
                open = if opens { 1 } else { 0 };
            }
            (Some(((opening, closing), false)), Some((_, true))) if of_word(word) != Direction::RightToLeft => {
                *word = format!("{opening}{}{closing}", word.trim_matches(|end| kind(Some(end)).is_some()));
            }
            (first, last) => {
                open += usize::from(first.is_some_and(|(_, is_open)| is_open));
                open = open.saturating_sub(usize::from(last.is_some_and(|(_, is_open)| !is_open)));
            }
        }
    }
}

/// Returns word indices in reading order, given the directions from left to right.
pub(super) fn order(directions: &[Direction]) -> Vec<usize> {
    let count = |direction| directions.iter().filter(|found| **found == direction).count();
    let right_to_left = count(Direction::RightToLeft);
    let mut places: Vec<usize> = (0..directions.len()).collect();
    if right_to_left == 0 {
        return places;
    }
    let is_base = right_to_left >= count(Direction::LeftToRight);
    let other = if is_base { Direction::LeftToRight } else { Direction::RightToLeft };
    if is_base {
        places.reverse();
    }
    // adjacent words of the other direction are reversed, including neutral words between them
    let is_other = |place: &usize| directions.get(*place) == Some(&other);
    let is_neutral = |place: &usize| directions.get(*place) == Some(&Direction::Neutral);
    let mut start = 0;
    while let Some(from) = places.get(start..).and_then(|rest| rest.iter().position(is_other)) {
        let from = start + from;
        let rest = places.get(from..).unwrap_or_default();
        let length = rest.iter().take_while(|place| is_other(place) || is_neutral(place)).count();
        let last = rest.get(..length).and_then(|words| words.iter().rposition(is_other)).unwrap_or(0);
        if let Some(words) = places.get_mut(from..=from + last) {
            words.reverse();
        }
        start = from + last + 1;
    }
    places
}

/// Whether a character is a combining mark.
pub(super) fn is_mark(character: char) -> bool {
    matches!(
        character,
        '\u{300}'..='\u{36f}'
            | '\u{591}'..='\u{5bd}'
            | '\u{5bf}' | '\u{5c1}' | '\u{5c2}' | '\u{5c4}' | '\u{5c5}' | '\u{5c7}'
            | '\u{610}'..='\u{61a}'
            | '\u{64b}'..='\u{65f}'
            | '\u{670}'
    )
}

#[cfg(test)]
mod tests {
    use super::{Direction, logical, of_word, order};

    #[test]
    fn words_from_right_to_left_turn_around() {
        for (visual, expected) in [
            ("םולש", "שלום"),
            ("(םולש)", "(שלום)"),
            ("12.50םולש", "שלום12.50"),
            ("2024-םולש", "שלום-2024"),
            (")םולש(", "(שלום)"),
            ("(םולש", "שלום)"),
            ("םולש(", "(שלום"),
            (".םולש", "שלום."),
        ] {
            let visual: Vec<String> = visual.chars().map(String::from).collect();
            assert_eq!(logical(&visual), expected, "{visual:?}");
        }
        // a letter with its mark, and a ligature
        assert_eq!(logical(&["ב".to_owned(), "א\u{5b0}".to_owned()]), "א\u{5b0}ב");
        assert_eq!(logical(&["م".to_owned(), "لا".to_owned(), "س".to_owned()]), "سلام");
        assert_eq!(of_word("abc"), Direction::LeftToRight);
        assert_eq!(of_word("(םולש"), Direction::RightToLeft);
        assert_eq!(of_word("—"), Direction::Neutral);
    }

    #[test]
    fn lines_are_read_as_most_of_their_words() {
        use Direction::{LeftToRight as L, Neutral as N, RightToLeft as R};
        for (directions, expected) in [
            (&[L, N, L][..], &[0, 1, 2][..]),
            (&[R, R, R], &[2, 1, 0]),
            (&[R, L, L, R], &[3, 1, 2, 0]),
            (&[L, L, L, R, N, R, L], &[0, 1, 2, 5, 4, 3, 6]),
            (&[], &[]),
        ] {
            assert_eq!(order(directions), expected, "{directions:?}");
        }
    }
}
