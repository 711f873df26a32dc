//! Entries of fonts by their types (9.6 and 9.7). Viewers read malformed ones differently, and so draw other glyphs or at
//! other places.

use std::ops::RangeInclusive;

use super::simple::is_predefined;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// The codes of a simple font.
const CODES: RangeInclusive<i64> = 0..=255;

/// Whether a font's encoding and widths are such that every viewer reads the same, and no glyph moves the next one to its
/// left, so that letters are seen in their order.
pub(crate) fn is_well_formed(view: &mut View, font: &Dictionary) -> Result<bool, Fault> {
    if font.get(b"Subtype").is_name(b"Type0") {
        return is_composite(view, font);
    }
    Ok(is_encoding(view, font.get(b"Encoding"))? && has_widths(view, font)?)
}

/// Whether it is an encoding that all readers know, or one that differs from it as 9.6.6.1, table 114 has it.
fn is_encoding(view: &mut View, encoding: &Object) -> Result<bool, Fault> {
    let is_known = |name: &Object| name.is_null() || name.as_name().is_some_and(is_predefined);
    let encoding = view.resolve(encoding)?.into_owned();
    let Object::Dictionary(encoding) = &encoding else { return Ok(is_known(&encoding)) };
    Ok(is_known(&*view.resolve(encoding.get(b"BaseEncoding"))?)
        && are_differences(&*view.resolve(encoding.get(b"Differences"))?))
}

/// Whether these are codes, each followed by the names of the glyphs from there on.
fn are_differences(differences: &Object) -> bool {
    let mut next = None;
    let mut is_element = |element: &Object| match element {
        Object::Integer(code) => {
            next = Some(*code);
            CODES.contains(code)
        }
        Object::Name(_) => {
            let code = next;
            next = code.map(|code| code + 1);
            code.is_some_and(|code| CODES.contains(&code))
        }
        _ => false,
    };
    matches!(differences, Object::Null | Object::Array(_)) && differences.elements().iter().all(&mut is_element)
}

/// Whether there is a width for each code from `/FirstChar` to `/LastChar`, or none at all (9.6.2.1).
fn has_widths(view: &mut View, font: &Dictionary) -> Result<bool, Fault> {
    let [first, last] = [b"FirstChar".as_slice(), b"LastChar"].map(|key| font.get(key));
    let (first, last) = (view.resolve(first)?.into_owned(), view.resolve(last)?.into_owned());
    let widths = view.resolve(font.get(b"Widths"))?.into_owned();
    let is_code = |code: &Object| matches!(code, Object::Integer(code) if CODES.contains(code));
    if widths.is_null() {
        return Ok([first, last].iter().all(|code| code.is_null() || is_code(code)));
    }
    let count = last.as_integer().zip(first.as_integer()).map(|(last, first)| last - first + 1);
    Ok(is_code(&first)
        && is_code(&last)
        && count == i64::try_from(widths.elements().len()).ok()
        && are_widths(view, widths.elements())?)
}

fn are_widths(view: &mut View, widths: &[Object]) -> Result<bool, Fault> {
    view.work(widths.len())?;
    for width in widths {
        if view.resolve(width)?.as_number().is_none_or(|width| width < 0.0) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The same for a Type 0 font and its descendant (9.7.4 and 9.7.6).
fn is_composite(view: &mut View, font: &Dictionary) -> Result<bool, Fault> {
    let descendants = view.resolve(font.get(b"DescendantFonts"))?.into_owned();
    let [descendant] = descendants.elements() else { return Ok(false) };
    let descendant = view.dictionary(descendant)?.into_owned();
    let encoding = view.resolve(font.get(b"Encoding"))?;
    let is_encoding = encoding.as_name().is_some() || encoding.as_dictionary().is_some();
    let map = view.resolve(descendant.get(b"CIDToGIDMap"))?;
    let is_map = map.is_null() || map.is_name(b"Identity") || map.as_dictionary().is_some();
    let default = view.resolve(descendant.get(b"DW"))?;
    let is_default = default.is_null() || default.as_number().is_some_and(|width| width >= 0.0);
    Ok(is_encoding && is_map && is_default && has_glyph_widths(view, descendant.get(b"W"))?)
}

/// Whether these are `c [w w …]` and `first last w` (9.7.4.3).
fn has_glyph_widths(view: &mut View, widths: &Object) -> Result<bool, Fault> {
    let widths = view.resolve(widths)?.into_owned();
    let is_cid = |cid: &Object| matches!(cid, Object::Integer(cid) if u16::try_from(*cid).is_ok());
    let mut rest = widths.elements();
    while let [first, next, after @ ..] = rest {
        rest = after;
        let next = view.resolve(next)?.into_owned();
        let is_next = match (&next, rest) {
            (Object::Array(list), _) => are_widths(view, list)?,
            (last, [width, after @ ..]) => {
                rest = after;
                is_cid(last) && are_widths(view, std::slice::from_ref(width))?
            }
            _ => false,
        };
        if !is_cid(&*view.resolve(first)?) || !is_next {
            return Ok(false);
        }
    }
    Ok(matches!(widths, Object::Null | Object::Array(_)) && rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::are_differences;
    use pdf_syntax::syntax::name::Name;
    use pdf_syntax::syntax::object::Object;

    #[test]
    fn differences_are_codes_and_names() {
        let name = || Object::Name(Name::new(b"one"));
        let is_read = |elements: Vec<Object>| are_differences(&Object::Array(elements));
        assert!(are_differences(&Object::Null) && is_read(vec![]));
        assert!(is_read(vec![Object::Integer(49), name(), name(), Object::Integer(255), name()]));
        for odd in [Object::Real(57.0), Object::Null, Object::Integer(256), Object::Integer(-1), Object::Boolean(true)]
        {
            assert!(!is_read(vec![Object::Integer(49), name(), odd.clone(), name()]), "{odd:?}");
        }
        assert!(!is_read(vec![name()]) && !is_read(vec![Object::Integer(255), name(), name()]));
        assert!(!are_differences(&name()));
    }
}
