//! Numbers of saves in words.

pub(super) fn ordinal(number: u32) -> String {
    const WORDS: [&str; 11] =
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"];
    let word = number.checked_sub(1).and_then(|index| WORDS.get(index as usize));
    let ending = match (number % 10, number % 100) {
        (1..=3, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    word.map_or_else(|| format!("{number}{ending}"), |word| (*word).to_owned())
}

pub(super) fn cardinal(number: u32) -> String {
    const WORDS: [&str; 11] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"];
    let word = number.checked_sub(1).and_then(|index| WORDS.get(index as usize));
    word.map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

#[cfg(test)]
mod tests {
    use super::ordinal;

    #[test]
    fn ordinals_end_as_they_are_spoken() {
        let numbers = [1, 11, 12, 13, 20, 21, 22, 23, 24, 101, 111, 112, 113, 122].map(ordinal);
        let expected = [
            "first", "eleventh", "12th", "13th", "20th", "21st", "22nd", "23rd", "24th", "101st", "111th", "112th",
            "113th", "122nd",
        ];
        assert_eq!(numbers, expected);
    }
}
