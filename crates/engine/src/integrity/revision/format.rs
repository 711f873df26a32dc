//! The displayed text of a field with a format action (ISO 32000-1, 12.6.3, `/F`), for those functions of Acrobat's
//! form library that only format a value.

/// Separators of thousands and decimals, by their number in `AFNumber_Format`.
const SEPARATORS: [(&str, char); 5] = [(",", '.'), ("", '.'), (".", ','), ("", ','), ("'", '.')];
/// Maximum decimals.
const DECIMALS: usize = 12;

/// Whether a text is the formatted value; `None` if that is unknown.
pub(super) fn is_formatted(script: &str, value: &str, shown: &str) -> Option<bool> {
    let (name, arguments) = call(script)?;
    match name {
        "AFNumber_Format" => Some(is_number(&arguments, value, shown)),
        "AFPercent_Format" => Some(is_percentage(&arguments, value, shown)),
        "AFSpecial_Format" => Some(signs(value, char::is_alphanumeric) == signs(shown, char::is_alphanumeric)),
        _ => None,
    }
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

fn is_number(arguments: &[String], value: &str, shown: &str) -> bool {
    let argument = |place: usize| arguments.get(place).map_or("", String::as_str);
    let number = |place: usize| argument(place).parse::<usize>().unwrap_or(0);
    let Some(plain) = plain_number(value) else { return compact(value) == compact(shown) };
    let written = written(plain.abs(), number(0).min(DECIMALS), number(1));
    let currency = compact(argument(4));
    let is_before = argument(5) == "true";
    let with_currency = if is_before { format!("{currency}{written}") } else { format!("{written}{currency}") };
    let is_negative = plain < 0.0 && written.chars().any(|digit| digit.is_ascii_digit() && digit != '0');
    let shown = compact(shown);
    if !is_negative {
        return shown == with_currency;
    }
    // with a minus sign, in red, or in parentheses
    [format!("-{with_currency}"), format!("{currency}-{written}"), format!("({with_currency})"), with_currency.clone()]
        .contains(&shown)
        && (shown != with_currency || matches!(argument(2), "1"))
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
    signs(text, |letter| !letter.is_whitespace())
}

fn signs(text: &str, is_wanted: fn(char) -> bool) -> String {
    text.chars().filter(|letter| is_wanted(*letter)).collect()
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
            ("AFNumber_Format(2,0,1,0,\"\",true)", "-12.5", "12.50", Some(true)),
            ("AFPercent_Format(1,0)", "0.195", "19.5%", Some(true)),
            ("AFPercent_Format(1,0)", "0.195", "195%", Some(false)),
            ("AFSpecial_Format(2)", "5551234567", "(555) 123-4567", Some(true)),
            ("AFSpecial_Format(2)", "5551234567", "(555) 123-4568", Some(false)),
            ("AFNumber_Format(2,0,0,0,\"\",true); app.alert(1)", "1", "1.00", None),
            ("event.value = 'x'", "1", "x", None),
        ] {
            assert_eq!(is_formatted(script, value, shown), expected, "{script} {value} {shown}");
        }
    }
}
