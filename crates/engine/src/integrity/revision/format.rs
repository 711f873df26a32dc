//! What Acrobat's form library makes of values: the displayed text of a field with a format action (ISO 32000-1, 12.6.3,
//! `/F`), for those functions that only format a value, and the result of a simple calculation (`/C`).

/// Separators of thousands and decimals, by their number in `AFNumber_Format`.
const SEPARATORS: [(&str, char); 5] = [(",", '.'), ("", '.'), (".", ','), ("", ','), ("'", '.')];
/// Maximum decimals.
const DECIMALS: usize = 12;

/// Whether a text is the formatted value; `None` if that is unknown.
pub(super) fn is_formatted(script: &str, value: &str, shown: &str) -> Option<bool> {
    let (name, arguments) = call(script)?;
    let digits: Vec<char> = shown.trim().chars().collect();
    // no format separates digits by blanks, which `compact` ignores
    let is_apart = |part: &[char]| matches!(part, [one, blank, two] if one.is_ascii_digit() && blank.is_whitespace() && two.is_ascii_digit());
    if name != "AFSpecial_Format" && digits.windows(3).any(is_apart) {
        return None;
    }
    match name {
        "AFNumber_Format" => is_number(&arguments, value, shown),
        "AFPercent_Format" => Some(is_percentage(&arguments, value, shown)),
        "AFSpecial_Format" => Some(masked(arguments.first()?, value)? == shown.trim()),
        _ => None,
    }
}

/// Whether a value is the result of the script, given the values of the fields with a name or below it; `None` if that is
/// unknown.
pub(super) fn is_result(script: &str, value: &str, operands: impl Fn(&str) -> Vec<String>) -> Option<bool> {
    // `new Array ("a", "b")` is `["a", "b"]`
    let plain = script.split_once("new Array").and_then(|(head, list)| {
        let list = list.trim_start().strip_prefix('(')?;
        let (names, tail) = list.rsplit_once(')')?.0.rsplit_once(')')?;
        Some(format!("{head}[{names}]{tail})"))
    });
    let (name, arguments) = call(plain.as_deref().unwrap_or(script))?;
    let ("AFSimple_Calculate", [function, names @ ..]) = (name, &arguments[..]) else { return None };
    let names = names.iter().flat_map(|names| names.split(','));
    let names = names.map(|name| name.trim_matches(|letter: char| letter.is_whitespace() || "[]".contains(letter)));
    let texts: Vec<String> = names.flat_map(operands).collect();
    let is_empty = |text: &&String| text.trim().is_empty();
    let numbers: Vec<f64> =
        texts.iter().filter(|text| !is_empty(text)).map(|text| plain_number(text)).collect::<Option<_>>()?;
    let empty = texts.iter().filter(is_empty).count();
    let given = plain_number(value)?;
    let decimals = value.trim().rsplit_once(['.', ',']).map_or(0, |(_, decimals)| decimals.len()).min(DECIMALS);
    // viewers skip an empty operand or take it as 0
    let results = [numbers.clone(), numbers.iter().copied().chain(std::iter::repeat_n(0.0, empty)).collect()];
    let results = results.iter().map(|numbers| result(function, numbers)).collect::<Option<Vec<f64>>>()?;
    // three digits behind a separator may be thousands, unless scripts write the result so
    let is_ambiguous = value
        .trim()
        .rsplit_once(['.', ','])
        .is_some_and(|(whole, rest)| rest.len() == 3 && !whole.contains(['.', ',']));
    if is_ambiguous && !results.iter().any(|result| value.trim() == scripted(*result)) {
        return None;
    }
    let tolerance = |result: f64| 0.5 * 10_f64.powi(-(decimals as i32)) + result.abs() * 1e-9;
    Some(results.iter().any(|result| (result - given).abs() <= tolerance(*result)))
}

/// A number as scripts write it, without the noise of binary fractions.
fn scripted(number: f64) -> String {
    let rounded = (number * 1e9).round() / 1e9;
    format!("{rounded}")
}

fn result(function: &str, numbers: &[f64]) -> Option<f64> {
    let sum = || numbers.iter().sum::<f64>();
    Some(match function {
        "SUM" => sum(),
        "AVG" => sum() / numbers.len().max(1) as f64,
        "PRD" => numbers.iter().product(),
        "MIN" => numbers.iter().copied().reduce(f64::min).unwrap_or(0.0),
        "MAX" => numbers.iter().copied().reduce(f64::max).unwrap_or(0.0),
        _ => return None,
    })
}

/// The digits of a value in a mask: a postal code, a longer one, a telephone or a social security number; `None` if the
/// value has other characters than these masks.
fn masked(mask: &str, value: &str) -> Option<String> {
    let is_separator = |letter: char| letter.is_whitespace() || "()-".contains(letter);
    let digits: Vec<char> = value.chars().filter(char::is_ascii_digit).collect();
    let is_plain = value.trim().chars().all(|letter| letter.is_ascii_digit() || is_separator(letter));
    let mask = match (mask, digits.len()) {
        ("0", 5) => "99999",
        ("1", 9) => "99999-9999",
        ("2", 7) => "999-9999",
        ("2", 10) => "(999) 999-9999",
        ("3", 9) => "999-99-9999",
        _ => return None,
    };
    if !is_plain || value.trim().starts_with('-') {
        return None;
    }
    let mut digits = digits.into_iter();
    Some(mask.chars().filter_map(|letter| if letter == '9' { digits.next() } else { Some(letter) }).collect())
}

/// The only call of a script, with its arguments.
fn call(script: &str) -> Option<(&str, Vec<String>)> {
    let script = script.trim().trim_end_matches(';').trim_end();
    let (name, rest) = script.split_once('(')?;
    let inner = rest.strip_suffix(')')?;
    let is_name = name.trim().chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    let (mut arguments, mut quote, mut current) = (Vec::new(), None, String::new());
    let mut letters = inner.chars();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            ('\\', Some(_)) => current.push(escaped(&mut letters)?),
            (letter, Some(open)) if letter == open => quote = None,
            (letter, Some(_)) => current.push(letter),
            ('"' | '\'', None) => quote = Some(letter),
            (',', None) => arguments.push(std::mem::take(&mut current)),
            ('(' | ')' | ';' | '+', None) => return None,
            (letter, None) if letter.is_whitespace() => {}
            (letter, None) => current.push(letter),
        }
    }
    arguments.push(current);
    (is_name && quote.is_none()).then_some((name.trim(), arguments))
}

fn escaped(letters: &mut std::str::Chars) -> Option<char> {
    match letters.next()? {
        'u' => {
            let digits: String = letters.by_ref().take(4).collect();
            char::from_u32(u32::from_str_radix(&digits, 16).ok()?)
        }
        letter => Some(letter),
    }
}

fn is_number(arguments: &[String], value: &str, shown: &str) -> Option<bool> {
    let argument = |place: usize| arguments.get(place).map_or("", String::as_str);
    let number = |place: usize| argument(place).parse::<usize>().unwrap_or(0);
    let currency = compact(argument(4));
    // such a currency is no sign of its own
    let is_currency = currency.is_empty() || currency.chars().any(|letter| !letter.is_ascii_punctuation());
    if !is_currency || currency.chars().any(|letter| letter.is_numeric() || "-\u{2212}".contains(letter)) {
        return None;
    }
    let Some(plain) = plain_number(value) else { return Some(compact(value) == compact(shown)) };
    let written = written(plain.abs(), number(0).min(DECIMALS), number(1));
    let is_before = argument(5) == "true";
    let with_currency = if is_before { format!("{currency}{written}") } else { format!("{written}{currency}") };
    let is_negative = plain < 0.0 && written.chars().any(|digit| digit.is_ascii_digit() && digit != '0');
    let shown = compact(shown);
    if !is_negative {
        return Some(shown == with_currency);
    }
    // with a minus sign or in parentheses; in red alone, which is not read
    let negatives = [format!("-{with_currency}"), format!("{currency}-{written}"), format!("({with_currency})")];
    if shown == with_currency && argument(2) == "1" { None } else { Some(negatives.contains(&shown)) }
}

fn is_percentage(arguments: &[String], value: &str, shown: &str) -> bool {
    let number = |place: usize| arguments.get(place).and_then(|it| it.parse::<usize>().ok()).unwrap_or(0);
    let Some(plain) = plain_number(value) else { return compact(value) == compact(shown) };
    let sign = if plain < 0.0 { "-" } else { "" };
    let written = written((plain * 100.0).abs(), number(0).min(DECIMALS), number(1));
    [format!("{sign}{written}%"), format!("%{sign}{written}")].contains(&compact(shown))
}

/// A number with grouped thousands.
fn written(number: f64, decimals: usize, style: usize) -> String {
    let (thousands, point) = SEPARATORS.get(style).copied().unwrap_or((",", '.'));
    // half is rounded up, as scripts do
    let rounded = format!("{:.decimals$}", number + 1e-9);
    let (whole, fraction) = rounded.split_once('.').unwrap_or((&rounded, ""));
    let mut grouped = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            grouped.push_str(thousands);
        }
        grouped.push(digit);
    }
    if fraction.is_empty() { grouped } else { format!("{grouped}{point}{fraction}") }
}

/// The number in a value with a decimal point or comma.
fn plain_number(value: &str) -> Option<f64> {
    let value = value.trim();
    let is_known = value.chars().all(|letter| letter.is_ascii_digit() || "+-.,'".contains(letter));
    let digits = value.chars().any(|letter| letter.is_ascii_digit());
    if !is_known || !digits {
        return None;
    }
    // the last of several separators is the decimal one
    let last = value.rfind(['.', ',']);
    let is_repeated = last.is_some_and(|last| value.matches(value.get(last..=last).unwrap_or_default()).count() > 1);
    let number: String = value
        .char_indices()
        .filter_map(|(place, letter)| match letter {
            '.' | ',' if Some(place) == last && !is_repeated => Some('.'),
            '.' | ',' | '\'' => None,
            letter => Some(letter),
        })
        .collect();
    number.parse().ok()
}

fn compact(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_their_format_does() {
        for (script, value, shown, expected) in [
            ("AFNumber_Format(2,0,0,0,\"EUR\",false);", "1250.00", "1,250.00 EUR", Some(true)),
            ("AFNumber_Format(2,0,0,0,\"EUR\",true);", "1250.00", "EUR1,250.00", Some(true)),
            ("AFNumber_Format(2, 2, 0, 0, \" \\u20AC\", false)", "1234567.5", "1.234.567,50 €", Some(true)),
            ("AFNumber_Format(2,0,0,0,\"EUR\",true);", "1250.00", "125,000 EUR", Some(false)),
            ("AFNumber_Format(2,3,0,0,\"EUR\",false);", "1250.00", "1250,00 million EUR", Some(false)),
            ("AFNumber_Format(0,1,0,0,\"\",true)", "1249.5", "1250", Some(true)),
            ("AFNumber_Format(2,0,2,0,\"\",true)", "-12.5", "(12.50)", Some(true)),
            ("AFNumber_Format(2,0,0,0,\"\",true)", "-12.5", "12.50", Some(false)),
            ("AFNumber_Format(2,0,1,0,\"\",true)", "-12.5", "12.50", None),
            ("AFNumber_Format(2,0,0,0,\"9\",true)", "250", "9250.00", None),
            ("AFNumber_Format(0,1,0,0,\"00\",false)", "1250", "125000", None),
            ("AFNumber_Format(0,1,0,0,\".\",true)", "1250", ".1250", None),
            ("AFNumber_Format(2,1,0,0,\"\",true)", "1250", "12 50.00", None),
            ("AFPercent_Format(1,0)", "0.195", "19.5%", Some(true)),
            ("AFPercent_Format(1,0)", "0.195", "195%", Some(false)),
            ("AFSpecial_Format(2)", "5551234567", "(555) 123-4567", Some(true)),
            ("AFSpecial_Format(2)", "5551234567", "(555) 123-4568", Some(false)),
            ("AFSpecial_Format(3)", "123456789", "123-45-6789", Some(true)),
            ("AFSpecial_Format(0)", "1,250.00", "125000", None),
            ("AFSpecial_Format(2)", "-1250", "1250", None),
            ("AFNumber_Format(2,0,0,0,\"\",true); app.alert(1)", "1", "1.00", None),
            ("event.value = 'x'", "1", "x", None),
        ] {
            assert_eq!(is_formatted(script, value, shown), expected, "{script} {value} {shown}");
        }
    }

    #[test]
    fn results_are_those_of_simple_scripts() {
        let operands = |name: &str| match name {
            "a" => vec!["100".to_owned()],
            "b" => vec!["200.5".to_owned(), String::new()],
            "c" => vec!["many".to_owned()],
            "d" => vec!["9.25".to_owned()],
            "e" => vec!["0.5".to_owned()],
            _ => Vec::new(),
        };
        for (script, value, expected) in [
            ("AFSimple_Calculate(\"SUM\", [\"a\", \"b\"]);", "300.5", Some(true)),
            ("AFSimple_Calculate(\"SUM\", new Array (\"a\", \"b\"));", "300.50", Some(true)),
            ("AFSimple_Calculate('SUM', 'a, b')", "9300.5", Some(false)),
            ("AFSimple_Calculate(\"PRD\", [\"a\", \"b\"])", "20050", Some(true)),
            ("AFSimple_Calculate(\"AVG\", [\"a\", \"b\"])", "150.25", Some(true)),
            // a comma or further zeros may turn decimals into thousands
            ("AFSimple_Calculate(\"SUM\", [\"d\"])", "9.25", Some(true)),
            ("AFSimple_Calculate(\"SUM\", [\"d\"])", "9,25", Some(true)),
            ("AFSimple_Calculate(\"SUM\", [\"d\"])", "9.250", None),
            ("AFSimple_Calculate(\"SUM\", [\"d\"])", "9,250", None),
            ("AFSimple_Calculate(\"PRD\", [\"d\", \"e\"])", "4.625", Some(true)),
            ("AFSimple_Calculate(\"MAX\", [\"a\"])", "100", Some(true)),
            ("AFSimple_Calculate(\"SUM\", [\"a\", \"c\"])", "100", None),
            ("AFSimple_Calculate(\"SUM\", [\"a\"]); event.value = 1", "100", None),
            ("event.value = 300", "300", None),
        ] {
            assert_eq!(is_result(script, value, operands), expected, "{script} {value}");
        }
    }
}
