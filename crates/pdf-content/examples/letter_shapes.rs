//! Writes the reference shapes of letters from installed fonts: `cargo run -p pdf-content --example letter_shapes`. With
//! files of fonts that no reference is of as arguments, measures how their letters are recognized.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ttf_parser::{Face, OutlineBuilder};

use shape::{Outline, Shape};
use shape_match::{Match, RECORD_BYTES, UNITS, box_distance, cells_distance, compare};

#[path = "../src/font/shape.rs"]
#[expect(dead_code, reason = "fonts need more of it")]
mod shape;
#[path = "../src/font/shape_match.rs"]
mod shape_match;

/// The fonts whose letters are references: a file's name; `+` if all alphabets are taken, and not ASCII alone; license.
const FONTS: &str = include_str!("../src/data/shape_fonts.txt");
/// Minimum distance of a reference shape from the letter's others.
const ASCII_MIN_DISTANCE: f32 = 0.11;
const OTHER_MIN_DISTANCE: f32 = 0.09;

fn characters() -> impl Iterator<Item = char> {
    let ranges = ['!'..='~', '\u{a1}'..='\u{17f}', '\u{218}'..='\u{21b}', '\u{386}'..='\u{3ce}', '\u{400}'..='\u{45f}'];
    let more = ['\u{490}'..='\u{491}', '\u{5d0}'..='\u{5ea}', '\u{2013}'..='\u{2014}', '\u{2018}'..='\u{201e}'];
    let signs = "\u{2020}\u{2022}\u{2026}\u{2030}\u{2039}\u{203a}\u{20ac}\u{2116}\u{2122}\u{2212}";
    ranges.into_iter().chain(more).flatten().filter(|letter| *letter != '\u{ad}').chain(signs.chars())
}

fn files() -> BTreeMap<String, PathBuf> {
    let (mut waiting, mut files) = (vec![PathBuf::from("/usr/share/fonts")], BTreeMap::new());
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.path().is_dir() {
                waiting.push(entry.path());
            } else {
                files.insert(entry.file_name().to_string_lossy().into_owned(), entry.path());
            }
        }
    }
    files
}

fn shapes(path: &Path) -> Vec<(char, Shape)> {
    let data = std::fs::read(path).expect("font");
    let face = Face::parse(&data, 0).expect("face");
    let shape = |letter| {
        let mut outline = Outline::default();
        face.outline_glyph(face.glyph_index(letter)?, &mut outline)?;
        outline.close();
        Some((letter, Shape::of(&outline, f32::from(face.units_per_em()))?))
    };
    characters().filter_map(shape).collect()
}

/// What is stored of a shape.
fn record(letter: char, shape: &Shape) -> Vec<u8> {
    let units = |size: f32| (size * UNITS).round();
    let mut record = u16::try_from(u32::from(letter)).expect("plane 0").to_be_bytes().to_vec();
    record.push((units(shape.bottom) as i8).cast_unsigned());
    record.extend([shape.height, shape.width].map(|size| units(size) as u8));
    record.extend(
        shape
            .cells
            .chunks(4)
            .map(|cells| cells.iter().fold(0, |byte: u8, cell| byte << 2 | ((u32::from(*cell) * 3 + 127) / 255) as u8)),
    );
    assert_eq!(record.len(), RECORD_BYTES);
    record
}

fn main() {
    let fonts: Vec<String> = std::env::args().skip(1).collect();
    if fonts.is_empty() { write() } else { fonts.iter().for_each(|path| measure(Path::new(path))) }
}

/// Writes the shapes, without those that are near another one of the same letter.
fn write() {
    let files = files();
    let mut kept: BTreeMap<char, Vec<Shape>> = BTreeMap::new();
    for line in FONTS.lines().filter(|line| !line.starts_with('#')) {
        let name = line.split_whitespace().next().expect("name");
        for (letter, shape) in shapes(files.get(name).unwrap_or_else(|| panic!("{name} is not installed"))) {
            let least = if letter.is_ascii() { ASCII_MIN_DISTANCE } else { OTHER_MIN_DISTANCE };
            let known = kept.entry(letter).or_default();
            let is_near = |other: &Shape| {
                let distance = cells_distance(&other.blurred(), &shape.blurred()) + box_distance(other, &shape);
                distance < least
            };
            if (letter.is_ascii() || line.contains(" + ")) && !known.iter().any(is_near) {
                known.push(shape);
            }
        }
    }
    let records = kept.iter().flat_map(|(letter, shapes)| shapes.iter().flat_map(|shape| record(*letter, shape)));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/data/shapes.bin");
    std::fs::write(path, records.collect::<Vec<u8>>()).expect("written");
}

/// Prints how many letters of a font are recognized, and which are taken for others.
fn measure(path: &Path) {
    let (mut same, mut all, mut wrong) = (0, 0, String::new());
    let (mut forged, mut pairs) = (String::new(), 0);
    for (letter, shape) in shapes(path) {
        all += 1;
        match compare(letter, &shape) {
            Match::Same => same += 1,
            Match::Other(other) => wrong.extend([letter, other, ' ']),
            Match::Unknown => {}
        }
        for said in ('0'..='9').filter(|said| letter.is_ascii_digit() && *said != letter) {
            pairs += 1;
            if compare(said, &shape) == Match::Same {
                forged.extend([letter, said, ' ']);
            }
        }
    }
    let path = path.display();
    println!("{path}: {same} of {all} the same, others: {wrong}; of {pairs} pairs of digits the same: {forged}");
}
