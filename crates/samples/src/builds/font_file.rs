//! A TrueType font of a few glyphs, made by the specification's tables.

/// The corners of a contour, in thousandths of an em.
pub type Corners = [(i16, i16)];

/// The file of a font whose `A` is a box, and `B` a triangle.
pub fn truetype() -> Vec<u8> {
    let boxed = [(100, 0), (100, 700), (600, 700), (600, 0)];
    truetype_with(&[(b'A', &boxed), (b'B', &[(100, 0), (350, 700), (600, 0)])])
}

/// The file of a font that draws these contours for codes of one byte.
pub fn truetype_with(glyphs: &[(u8, &Corners)]) -> Vec<u8> {
    let outlines: Vec<Vec<u8>> = glyphs.iter().map(|(_, corners)| glyph(corners)).collect();
    let count = glyphs.len() as i16 + 1;
    let mut ends = vec![0, 0];
    for outline in &outlines {
        ends.push(ends.last().copied().unwrap_or_default() + outline.len());
    }
    let advances: Vec<i16> = [700, 0].into_iter().chain(glyphs.iter().flat_map(|_| [700, 100])).collect();
    let tables = [
        (b"cmap", cmap(glyphs)),
        (b"glyf", outlines.concat()),
        (b"head", head()),
        (b"hhea", words(&[1, 0, 800, -200, 0, 700, 0, 0, 700, 1, 0, 0, 0, 0, 0, 0, 0, count])),
        (b"hmtx", words(&advances)),
        (b"loca", ends.iter().flat_map(|end| (*end as u32).to_be_bytes()).collect()),
        (b"maxp", words(&[1, 0, count, 16, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])),
    ];
    let mut file = words(&[1, 0, tables.len() as i16, 64, 2, 48]);
    let mut offset = 12 + 16 * tables.len();
    for (name, table) in &tables {
        file.extend_from_slice(*name);
        for number in [checksum(table), offset as u32, table.len() as u32] {
            file.extend(number.to_be_bytes());
        }
        offset += table.len().next_multiple_of(4);
    }
    for (_, mut table) in tables {
        table.resize(table.len().next_multiple_of(4), 0);
        file.extend(table);
    }
    file
}

/// A glyph of one contour, padded.
fn glyph(points: &[(i16, i16)]) -> Vec<u8> {
    let mut glyph = words(&[1, 100, 0, 600, 700, points.len() as i16 - 1, 0]);
    glyph.extend(points.iter().map(|_| 1));
    let steps = |numbers: Vec<i16>| {
        let from = [&[0], &numbers[..]].concat();
        words(&numbers.iter().zip(from).map(|(to, from)| to - from).collect::<Vec<_>>())
    };
    glyph.extend(steps(points.iter().map(|point| point.0).collect()));
    glyph.extend(steps(points.iter().map(|point| point.1).collect()));
    glyph.resize(glyph.len().next_multiple_of(4), 0);
    glyph
}

/// Codes of one byte.
fn cmap(glyphs: &[(u8, &Corners)]) -> Vec<u8> {
    let mut table = words(&[0, 1, 1, 0, 0, 12, 0, 262, 0]);
    let glyph = |code| glyphs.iter().position(|(known, _)| *known == code).map_or(0, |place| place as u8 + 1);
    table.extend((0..=u8::MAX).map(glyph));
    table
}

fn head() -> Vec<u8> {
    let mut table = words(&[1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 0, 1_000]);
    table.extend([0; 16]);
    table.extend(words(&[0, 0, 700, 700, 0, 8, 2, 1, 0]));
    table
}

fn words(numbers: &[i16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

fn checksum(table: &[u8]) -> u32 {
    let word =
        |bytes: &[u8]| bytes.iter().fold(0_u32, |sum, byte| sum << 8 | u32::from(*byte)) << (8 * (4 - bytes.len()));
    table.chunks(4).map(word).fold(0, u32::wrapping_add)
}
