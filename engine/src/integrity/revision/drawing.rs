//! Where a content stream draws text and fills areas (ISO 32000-1, 8.5 and 9.4): as near as it takes to tell whether one
//! thing lies over another. Widths of text are guessed, clipping is left out.

use crate::syntax::lexer::{Lexer, Token};
use crate::syntax::name::Name;
use crate::syntax::object::Object;

/// Things noted of one stream.
const NOTED: usize = 5_000;
/// Saved graphics states.
const SAVED: usize = 64;
/// Operands kept; an operator has at most six.
const OPERANDS: usize = 64;
/// The width of a glyph, and how far it reaches below and above its line, in sizes of the font.
const WIDTH: f64 = 0.5;
const BELOW: f64 = 0.2;
const ABOVE: f64 = 0.8;

/// An area, with its sides parallel to those of the page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Area {
    pub(crate) left: f64,
    pub(crate) bottom: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
}

/// `[a b c d e f]` as 8.3.3 has it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Matrix(pub(crate) [f64; 6]);

/// What is drawn.
#[derive(Debug, Default)]
pub(crate) struct Drawn {
    pub(crate) texts: Vec<Area>,
    /// Filled areas, with the name of the graphics state they are filled in.
    pub(crate) fills: Vec<(Area, Option<Name>)>,
    /// External objects by their names, with the matrix they are drawn with.
    pub(crate) objects: Vec<(Name, Matrix)>,
}

#[derive(Debug, Clone)]
struct State {
    matrix: Matrix,
    name: Option<Name>,
}

impl Area {
    /// A rectangle (7.9.5), whichever corners it names.
    pub(crate) fn read(object: &Object) -> Option<Self> {
        let [one, two, three, four] = object.elements() else { return None };
        let corners = [(one.as_number()?, two.as_number()?), (three.as_number()?, four.as_number()?)];
        Self::around(corners)
    }

    fn around(points: impl IntoIterator<Item = (f64, f64)>) -> Option<Self> {
        points.into_iter().map(|(x, y)| Self { left: x, bottom: y, right: x, top: y }).reduce(Self::with)
    }

    fn with(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            bottom: self.bottom.min(other.bottom),
            right: self.right.max(other.right),
            top: self.top.max(other.top),
        }
    }

    /// What both have in common; none if they do not meet.
    pub(crate) fn common(self, other: Self) -> Option<Self> {
        let common = Self {
            left: self.left.max(other.left),
            bottom: self.bottom.max(other.bottom),
            right: self.right.min(other.right),
            top: self.top.min(other.top),
        };
        (common.left < common.right && common.bottom < common.top).then_some(common)
    }

    pub(crate) fn size(self) -> f64 {
        (self.right - self.left) * (self.top - self.bottom)
    }
}

impl Matrix {
    pub(crate) const SAME: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// Of six numbers; that which changes nothing, if they are not.
    pub(crate) fn read(object: &Object) -> Self {
        let numbers: Vec<f64> = object.elements().iter().filter_map(Object::as_number).collect();
        numbers.try_into().map_or(Self::SAME, Self)
    }

    /// That which makes one rectangle another.
    pub(crate) fn between(from: Area, to: Area) -> Self {
        let scale = |from: f64, to: f64| if from > 0.0 { to / from } else { 1.0 };
        let across = scale(from.right - from.left, to.right - to.left);
        let up = scale(from.top - from.bottom, to.top - to.bottom);
        Self([across, 0.0, 0.0, up, to.left - from.left * across, to.bottom - from.bottom * up])
    }

    /// First this, then the other.
    pub(crate) fn then(self, other: Self) -> Self {
        let (Self([a, b, c, d, e, f]), Self([k, l, m, n, o, p])) = (self, other);
        Self([a * k + b * m, a * l + b * n, c * k + d * m, c * l + d * n, e * k + f * m + o, e * l + f * n + p])
    }

    fn point(self, x: f64, y: f64) -> (f64, f64) {
        let Self([a, b, c, d, e, f]) = self;
        (a * x + c * y + e, b * x + d * y + f)
    }

    /// The area that a rectangle becomes.
    pub(crate) fn area(self, area: Area) -> Area {
        let Area { left, bottom, right, top } = area;
        let corners = [(left, bottom), (left, top), (right, bottom), (right, top)].map(|(x, y)| self.point(x, y));
        Area::around(corners).unwrap_or(area)
    }
}

/// What a content stream draws in a system of coordinates.
pub(crate) fn drawn(content: &[u8], matrix: Matrix) -> Drawn {
    let mut pen = Pen {
        drawn: Drawn::default(),
        state: State { matrix, name: None },
        saved: Vec::new(),
        path: None,
        line: Matrix::SAME,
        place: Matrix::SAME,
        size: 0.0,
        leading: 0.0,
        is_unseen: false,
    };
    let mut lexer = Lexer::new(content);
    let (mut numbers, mut names, mut glyphs) = (Vec::new(), Vec::new(), 0);
    loop {
        match lexer.token() {
            Token::Integer(number) if numbers.len() < OPERANDS => numbers.push(number as f64),
            Token::Real(number) if numbers.len() < OPERANDS => numbers.push(number),
            Token::Name(name) if names.len() < OPERANDS => names.push(name),
            // lines to write on are no text
            Token::String(text) if text.iter().any(|byte| !b" _.-".contains(byte)) => glyphs += text.len(),
            Token::Keyword(operator) => {
                pen.execute(operator, &numbers, names.pop(), glyphs);
                if operator == b"ID" {
                    // an image in the stream itself (8.9.7)
                    let end = memchr::memmem::find(lexer.rest(), b"EI").map_or(content.len(), |end| lexer.at + end + 2);
                    lexer.set_position(end);
                }
                numbers.clear();
                names.clear();
                glyphs = 0;
            }
            Token::End => return pen.drawn,
            _ => {}
        }
    }
}

struct Pen {
    drawn: Drawn,
    state: State,
    saved: Vec<State>,
    path: Option<Area>,
    /// The matrices of the text line and of the next glyph (9.4.1).
    line: Matrix,
    place: Matrix,
    size: f64,
    leading: f64,
    is_unseen: bool,
}

impl Pen {
    fn execute(&mut self, operator: &[u8], numbers: &[f64], name: Option<Name>, glyphs: usize) {
        match (operator, numbers) {
            (b"q", _) if self.saved.len() < SAVED => self.saved.push(self.state.clone()),
            (b"Q", _) => self.state = self.saved.pop().unwrap_or_else(|| self.state.clone()),
            (b"cm", &[a, b, c, d, e, f]) => self.state.matrix = Matrix([a, b, c, d, e, f]).then(self.state.matrix),
            (b"gs", _) => self.state.name = name,
            (b"re", &[x, y, width, height]) => {
                self.extend(x, y);
                self.extend(x + width, y + height);
            }
            (b"m" | b"l", &[x, y]) => self.extend(x, y),
            (b"c", &[.., x, y]) | (b"v" | b"y", &[_, _, x, y]) => self.extend(x, y),
            (b"f" | b"F" | b"f*" | b"B" | b"B*" | b"b" | b"b*", _) => self.fill(),
            (b"S" | b"s" | b"n", _) => self.path = None,
            (b"Do", _) if self.drawn.objects.len() < NOTED => {
                self.drawn.objects.extend(name.map(|name| (name, self.state.matrix)));
            }
            (b"BT", _) => self.start(Matrix::SAME),
            (b"Tf", &[.., size]) => self.size = size,
            (b"TL", &[leading]) => self.leading = leading,
            // text that a recognition laid under a scan (9.3.6, table 106)
            (b"Tr", &[mode]) => self.is_unseen = mode == 3.0 || mode == 7.0,
            (b"Tm", &[a, b, c, d, e, f]) => self.start(Matrix([a, b, c, d, e, f])),
            (b"Td", &[x, y]) => self.next(x, y),
            (b"TD", &[x, y]) => {
                self.leading = -y;
                self.next(x, y);
            }
            (b"T*", _) => self.next(0.0, -self.leading),
            (b"Tj" | b"TJ", _) => self.show(glyphs),
            (b"'" | b"\"", _) => {
                self.next(0.0, -self.leading);
                self.show(glyphs);
            }
            _ => {}
        }
    }

    fn extend(&mut self, x: f64, y: f64) {
        let (x, y) = self.state.matrix.point(x, y);
        let point = Area { left: x, bottom: y, right: x, top: y };
        self.path = Some(self.path.map_or(point, |path| path.with(point)));
    }

    fn fill(&mut self) {
        if let Some(path) = self.path.take().filter(|_| self.drawn.fills.len() < NOTED) {
            self.drawn.fills.push((path, self.state.name.clone()));
        }
    }

    fn start(&mut self, matrix: Matrix) {
        self.line = matrix;
        self.place = matrix;
    }

    fn next(&mut self, x: f64, y: f64) {
        self.start(Matrix([1.0, 0.0, 0.0, 1.0, x, y]).then(self.line));
    }

    fn show(&mut self, glyphs: usize) {
        if glyphs == 0 || self.is_unseen || self.drawn.texts.len() >= NOTED {
            return;
        }
        let width = glyphs as f64 * WIDTH * self.size;
        let glyphs = Area { left: 0.0, bottom: -BELOW * self.size, right: width, top: ABOVE * self.size };
        self.drawn.texts.push(self.place.then(self.state.matrix).area(glyphs));
        self.place = Matrix([1.0, 0.0, 0.0, 1.0, width, 0.0]).then(self.place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(left: f64, bottom: f64, right: f64, top: f64) -> Area {
        Area { left, bottom, right, top }
    }

    #[test]
    fn text_is_where_the_matrices_put_it() {
        let cases: [(&[u8], Area); 5] = [
            (b"BT /F1 10 Tf 100 200 Td (ab) Tj ET", area(100.0, 198.0, 110.0, 208.0)),
            (b"q 2 0 0 2 50 50 cm BT /F1 10 Tf 1 0 0 1 5 5 Tm [(a) -20 (b)] TJ ET Q", area(60.0, 56.0, 80.0, 76.0)),
            (b"BT /F1 10 Tf 14 TL 0 100 Td T* (a) Tj ET", area(0.0, 84.0, 5.0, 94.0)),
            (b"BI /W 1 /H 1 ID \x00(EI BT /F1 10 Tf 0 0 Td (a) Tj ET", area(0.0, -2.0, 5.0, 8.0)),
            (b"BT 0 1 -1 0 100 0 Tm /F1 10 Tf (a) Tj ET", area(92.0, 0.0, 102.0, 5.0)),
        ];
        for (content, expected) in cases {
            let drawn = drawn(content, Matrix::SAME);
            assert_eq!(drawn.texts.len(), 1, "{}", content.escape_ascii());
            let found = drawn.texts[0];
            let far = [
                found.left - expected.left,
                found.bottom - expected.bottom,
                found.right - expected.right,
                found.top - expected.top,
            ];
            assert!(far.iter().all(|far| far.abs() < 1e-6), "{}: {found:?}", content.escape_ascii());
        }
        for unseen in [&b"BT /F1 10 Tf (  ) Tj ET"[..], b"BT /F1 10 Tf (____) Tj ET", b"BT 3 Tr /F1 10 Tf (a) Tj ET"] {
            assert!(drawn(unseen, Matrix::SAME).texts.is_empty(), "{}", unseen.escape_ascii());
        }
    }

    #[test]
    fn only_filled_paths_cover() {
        let fills = |content: &[u8]| drawn(content, Matrix::SAME).fills;
        assert_eq!(fills(b"1 g 10 10 20 5 re f"), [(area(10.0, 10.0, 30.0, 15.0), None)]);
        assert_eq!(fills(b"0 0 m 9 0 l 9 9 l h B*"), [(area(0.0, 0.0, 9.0, 9.0), None)]);
        assert_eq!(fills(b"10 10 20 5 re S 1 1 2 2 re W n"), []);
        let [(_, Some(state))] = &fills(b"q /GS gs 0 0 1 1 re f Q")[..] else { panic!("one area") };
        assert_eq!(state.as_bytes(), b"GS");
    }

    #[test]
    fn nonsense_ends() {
        for content in [&b"Q Q Q"[..], b"BI ID", b"((((", b"1 2 3 re f", b"/A /B Do", &[0xff; 100]] {
            drawn(content, Matrix::SAME);
        }
        let deep = b"q ".repeat(10_000);
        assert!(drawn(&deep, Matrix::SAME).fills.is_empty());
    }
}
