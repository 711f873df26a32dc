//! Text that is written from right to left: glyphs stand on a page from left to right, and are put into the order of reading
//! (Unicode Standard Annex 9, the other way round).

/// Which way a character or a word is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Direction {
    LeftToRight,
    RightToLeft,
    /// As what stands around it.
    Neutral,
}

/// Which way a character is written.
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

/// Which way a word is written: by its first character that says so; right to left, if any does.
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

/// The characters of a word from right to left that stand in `visual` from left to right.
pub(super) fn logical(visual: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut was_left_to_right = false;
    for character in visual.chars() {
        let direction = of_char(character);
        let is_left_to_right = direction == Direction::LeftToRight;
        // digits and Latin letters stay in order, with what stands between digits; marks stay with their letters
        let joins = (is_left_to_right && was_left_to_right) || is_mark(character);
        match parts.last_mut() {
            Some(part) if joins => part.push(character),
            _ => parts.push(mirrored(character).to_string()),
        }
        if !is_mark(character) {
            was_left_to_right = is_left_to_right || (was_left_to_right && matches!(character, '.' | ',' | ':' | '/'));
            if was_left_to_right && !is_left_to_right && parts.len() > 1 {
                let separator = parts.pop().unwrap_or_default();
                if let Some(part) = parts.last_mut() {
                    part.push_str(&separator);
                }
            }
        }
    }
    parts.reverse();
    parts.concat()
}

/// The places of words in the order of reading, whose places from left to right have these directions.
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
    // words of the other direction that stand together turn around, with what is neutral between them
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

fn is_mark(character: char) -> bool {
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

fn mirrored(character: char) -> char {
    match character {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '<' => '>',
        '>' => '<',
        '«' => '»',
        '»' => '«',
        character => character,
    }
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
            ("ב\u{5b0}א", "אב\u{5b0}"),
            (".םולש", "שלום."),
        ] {
            assert_eq!(logical(visual), expected, "{visual}");
        }
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
