//! Glyph widths of CIDFonts, horizontal and vertical (9.7.4.3): `/W` and `/W2`.

use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::object::Object;

/// Maximum ranges of glyphs.
const MAX_RANGES: usize = 1 << 16;

/// Measures by CID, `N` each, in thousandths.
#[derive(Debug, Default)]
pub(super) struct GlyphWidths<const N: usize> {
    ranges: Vec<(u32, u32, [f32; N])>,
    pub(super) is_cut: bool,
}

impl<const N: usize> GlyphWidths<N> {
    /// Reads `c [m m m …]` and `first last m`.
    pub(super) fn read(view: &mut View, object: &Object) -> Result<Self, Fault> {
        let object = view.resolve(object)?;
        let mut widths = Self { ranges: Vec::new(), is_cut: false };
        let mut rest = object.elements();
        while let [first, next, after @ ..] = rest {
            view.work(1)?;
            rest = after;
            let Some(first) = glyph(&*view.resolve(first)?) else { continue };
            match &*view.resolve(next)? {
                Object::Array(list) => {
                    for (cid, measures) in (first..).zip(list.chunks_exact(N)) {
                        widths.push(view, cid, cid, measures)?;
                    }
                }
                last => {
                    let Some((measures, after)) = rest.split_at_checked(N) else { break };
                    rest = after;
                    if let Some(last) = glyph(last) {
                        widths.push(view, first, last, measures)?;
                    }
                }
            }
        }
        widths.ranges.sort_by_key(|(first, ..)| *first);
        Ok(widths)
    }

    fn push(&mut self, view: &mut View, first: u32, last: u32, measures: &[Object]) -> Result<(), Fault> {
        if self.ranges.len() >= MAX_RANGES {
            self.is_cut = true;
            return Ok(());
        }
        let mut numbers = [0.0; N];
        for (number, measure) in numbers.iter_mut().zip(measures) {
            *number = view.number(measure)?.unwrap_or(0.0) as f32;
        }
        match self.ranges.last_mut() {
            Some((_, end, same)) if *same == numbers && end.checked_add(1) == Some(first) && last >= first => {
                *end = last;
            }
            _ => self.ranges.push((first, last, numbers)),
        }
        Ok(())
    }

    pub(super) fn get(&self, cid: u32) -> Option<[f64; N]> {
        let after = self.ranges.partition_point(|(first, ..)| *first <= cid);
        let (_, last, measures) = self.ranges.get(after.checked_sub(1)?)?;
        (cid <= *last).then(|| measures.map(f64::from))
    }

    pub(crate) fn len(&self) -> usize {
        self.ranges.len()
    }
}

fn glyph(object: &Object) -> Option<u32> {
    object.as_integer().and_then(|number| u32::try_from(number).ok())
}
