//! The usual condition and update expressions: conditions of scalars joined by `AND` and `OR`, and changes of complete
//! attributes.

use super::Unusual;
use super::item::{Attributes, Value};
use super::request::Bindings;

/// A condition expression.
#[derive(Debug)]
pub(super) struct Condition {
    tree: Test,
    placeholders: Vec<String>,
}

#[derive(Debug)]
enum Test {
    Exists(String),
    Missing(String),
    /// An attribute, compared with a value.
    Compare(String, Comparison, String),
    And(Vec<Test>),
    Or(Vec<Test>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// An update expression.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) steps: Vec<Step>,
    placeholders: Vec<String>,
}

/// The change of an attribute, by name and, if it gets one, value.
#[derive(Debug)]
pub(super) enum Step {
    Set(String, String),
    Add(String, String),
    Remove(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// A word, `#name` or `:value`.
    Word(String),
    Sign(&'static str),
}

impl Condition {
    pub(super) fn parse(text: &str) -> Result<Self, Unusual> {
        let tokens = tokens(text)?;
        let mut parser = Parser { tokens: &tokens };
        let tree = parser.any()?;
        if parser.tokens.is_empty() { Ok(Self { tree, placeholders: placeholders(&tokens) }) } else { Err(Unusual) }
    }

    /// Whether it is true for an item; a missing item has no attributes.
    pub(super) fn holds(&self, item: &Attributes<'_>, bindings: Bindings<'_, '_>) -> Result<bool, Unusual> {
        self.tree.holds(item, bindings)
    }

    pub(super) fn placeholders(&self) -> impl Iterator<Item = &str> {
        self.placeholders.iter().map(String::as_str)
    }
}

impl Test {
    fn holds<'r>(&'r self, item: &Attributes<'_>, bindings: Bindings<'r, '_>) -> Result<bool, Unusual> {
        match self {
            Self::Exists(name) => Ok(item.get(bindings.name(name)?).is_some()),
            Self::Missing(name) => Ok(item.get(bindings.name(name)?).is_none()),
            Self::Compare(name, comparison, value) => {
                let value = Value::parse(bindings.value(value)?)?;
                match item.get(bindings.name(name)?) {
                    Some(found) => comparison.holds(&Value::parse(found)?, &value),
                    None => Ok(false),
                }
            }
            // all tests are evaluated, because a single unusual one makes the condition unusual
            Self::And(tests) => tests.iter().try_fold(true, |all, test| Ok(test.holds(item, bindings)? && all)),
            Self::Or(tests) => tests.iter().try_fold(false, |any, test| Ok(test.holds(item, bindings)? || any)),
        }
    }
}

impl Comparison {
    fn holds(self, left: &Value<'_>, right: &Value<'_>) -> Result<bool, Unusual> {
        if self == Self::Equal {
            return Ok(left == right);
        }
        let order = left.integer()?.cmp(&right.integer()?);
        Ok(match self {
            Self::Equal => order.is_eq(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
        })
    }
}

impl Change {
    pub(super) fn parse(text: &str) -> Result<Self, Unusual> {
        let tokens = tokens(text)?;
        let mut parser = Parser { tokens: &tokens };
        let mut steps = Vec::new();
        while let Some(section) = parser.word() {
            loop {
                let name = parser.name()?;
                steps.push(match section {
                    "SET" => {
                        parser.expect("=")?;
                        Step::Set(name, parser.value()?)
                    }
                    "ADD" => Step::Add(name, parser.value()?),
                    "REMOVE" => Step::Remove(name),
                    _ => return Err(Unusual),
                });
                if !parser.take(",") {
                    break;
                }
            }
        }
        if parser.tokens.is_empty() && !steps.is_empty() {
            Ok(Self { steps, placeholders: placeholders(&tokens) })
        } else {
            Err(Unusual)
        }
    }

    pub(super) fn placeholders(&self) -> impl Iterator<Item = &str> {
        self.placeholders.iter().map(String::as_str)
    }
}

impl Step {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Set(name, _) | Self::Add(name, _) | Self::Remove(name) => name,
        }
    }
}

struct Parser<'t> {
    tokens: &'t [Token],
}

impl<'t> Parser<'t> {
    fn any(&mut self) -> Result<Test, Unusual> {
        let mut tests = vec![self.all()?];
        while self.keyword("OR") {
            tests.push(self.all()?);
        }
        Ok(if tests.len() == 1 { tests.remove(0) } else { Test::Or(tests) })
    }

    fn all(&mut self) -> Result<Test, Unusual> {
        let mut tests = vec![self.one()?];
        while self.keyword("AND") {
            tests.push(self.one()?);
        }
        Ok(if tests.len() == 1 { tests.remove(0) } else { Test::And(tests) })
    }

    fn one(&mut self) -> Result<Test, Unusual> {
        if self.take("(") {
            let inner = self.any()?;
            self.expect(")")?;
            return Ok(inner);
        }
        let function = match self.tokens {
            [Token::Word(word), Token::Sign("("), ..] => Some(word.as_str()),
            _ => None,
        };
        if let Some(function) = function {
            self.tokens = self.tokens.get(2..).unwrap_or_default();
            let name = self.name()?;
            self.expect(")")?;
            return match function {
                "attribute_exists" => Ok(Test::Exists(name)),
                "attribute_not_exists" => Ok(Test::Missing(name)),
                _ => Err(Unusual),
            };
        }
        let name = self.name()?;
        let signs = [
            ("=", Comparison::Equal),
            ("<", Comparison::Less),
            ("<=", Comparison::LessOrEqual),
            (">", Comparison::Greater),
            (">=", Comparison::GreaterOrEqual),
        ];
        let found = signs.into_iter().find(|(sign, _)| self.take(sign)).ok_or(Unusual)?;
        Ok(Test::Compare(name, found.1, self.value()?))
    }

    /// The next token, if it is a word.
    fn word(&mut self) -> Option<&'t str> {
        let (Token::Word(word), rest) = self.tokens.split_first()? else { return None };
        self.tokens = rest;
        Some(word)
    }

    fn name(&mut self) -> Result<String, Unusual> {
        self.word().filter(|word| !word.starts_with(':')).map(ToOwned::to_owned).ok_or(Unusual)
    }

    fn value(&mut self) -> Result<String, Unusual> {
        self.word().filter(|word| word.starts_with(':')).map(ToOwned::to_owned).ok_or(Unusual)
    }

    fn keyword(&mut self, keyword: &str) -> bool {
        self.take_token(&Token::Word(keyword.to_owned()))
    }

    fn take(&mut self, sign: &'static str) -> bool {
        self.take_token(&Token::Sign(sign))
    }

    fn take_token(&mut self, token: &Token) -> bool {
        match self.tokens.split_first() {
            Some((first, rest)) if first == token => {
                self.tokens = rest;
                true
            }
            _ => false,
        }
    }

    fn expect(&mut self, sign: &'static str) -> Result<(), Unusual> {
        if self.take(sign) { Ok(()) } else { Err(Unusual) }
    }
}

fn placeholders(tokens: &[Token]) -> Vec<String> {
    let words = tokens.iter().filter_map(|token| match token {
        Token::Word(word) if word.starts_with(['#', ':']) => Some(word.clone()),
        _ => None,
    });
    words.collect()
}

/// The tokens of an expression. Paths into an attribute have other characters.
fn tokens(text: &str) -> Result<Vec<Token>, Unusual> {
    let (mut tokens, mut rest) = (Vec::new(), text.trim_start());
    while let Some(first) = rest.chars().next() {
        let length = if first.is_ascii_alphabetic() || "#:_".contains(first) {
            let end = rest.char_indices().skip(1).find(|(_, next)| !(next.is_ascii_alphanumeric() || *next == '_'));
            let end = end.map_or(rest.len(), |(end, _)| end);
            tokens.push(Token::Word(rest.get(..end).ok_or(Unusual)?.to_owned()));
            end
        } else {
            // "<>" is none of these
            let signs = ["<=", ">=", "(", ")", ",", "=", "<", ">"];
            let sign =
                signs.into_iter().find(|sign| rest.starts_with(sign) && !rest.starts_with("<>")).ok_or(Unusual)?;
            tokens.push(Token::Sign(sign));
            sign.len()
        };
        rest = rest.get(length..).ok_or(Unusual)?.trim_start();
    }
    Ok(tokens)
}
