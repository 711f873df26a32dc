//! Which objects a revision touched: those whose entries lead elsewhere than before.

use super::span::Span;
use crate::document::Document;
use crate::document::states::Body;
use crate::failure::Fault;
use crate::xref::entries::Entry;

/// Objects compared in one revision.
const COMPARED: usize = 1_000;

/// An object that a revision touched.
#[derive(Debug)]
pub(crate) struct Delta {
    pub(crate) number: u32,
    /// As the revision found it.
    pub(crate) old: Option<Body>,
    /// As the revision left it.
    pub(crate) new: Option<Body>,
    /// Whether the new place lies inside an earlier revision, where nobody writes any more.
    pub(crate) is_repointed: bool,
}

impl Delta {
    /// Its newest body.
    pub(crate) fn body(&self) -> Option<&Body> {
        self.new.as_ref().or(self.old.as_ref())
    }
}

/// What a revision touched; and whether that is all.
pub(crate) fn deltas(document: &mut Document, span: &Span) -> Result<(Vec<Delta>, bool), Fault> {
    let touched = touched(document, span)?;
    prefetch(document, span, &touched)?;
    let mut deltas = Vec::new();
    for &(number, old_entry, new_entry) in touched.iter().take(COMPARED) {
        let old = document.body_at(span.before(), number, old_entry)?;
        let new = document.body_at(span.state(), number, new_entry)?;
        if new.as_ref().or(old.as_ref()).is_none_or(is_wrapping) {
            continue;
        }
        let is_repointed = matches!(new_entry, Entry::At(offset) if offset < span.start);
        deltas.push(Delta { number, old, new, is_repointed });
    }
    Ok((deltas, touched.len() <= COMPARED && !span.is_cut))
}

/// Numbers whose entries differ, with both entries.
fn touched(document: &mut Document, span: &Span) -> Result<Vec<(u32, Entry, Entry)>, Fault> {
    let mut touched = Vec::new();
    for &number in span.numbers.iter().filter(|&&number| number > 0) {
        let new = document.entry_in(span.state(), number)?;
        let old = document.entry_in(span.before(), number)?;
        let is_moved = match (old, new) {
            // its container may be another by the same number
            (Entry::In { stream, .. }, Entry::In { .. }) if old == new => {
                document.entry_in(span.before(), stream)? != document.entry_in(span.state(), stream)?
            }
            _ => old != new,
        };
        if is_moved {
            touched.push((number, old, new));
        }
        if touched.len() > COMPARED {
            break;
        }
    }
    Ok(touched)
}

/// Reads the old states in one round.
fn prefetch(document: &mut Document, span: &Span, touched: &[(u32, Entry, Entry)]) -> Result<(), Fault> {
    const OLD: u64 = 1 << 10;
    if document.reader.is_in_memory() {
        return Ok(());
    }
    let mut places = Vec::new();
    for (_, old, _) in touched.iter().take(COMPARED) {
        let entry = match old {
            Entry::In { stream, .. } => document.entry_in(span.before(), *stream)?,
            entry => *entry,
        };
        if let Entry::At(offset) = entry {
            places.push(offset..offset.saturating_add(OLD));
        }
    }
    document.reader.prefetch(&places)
}

/// Whether it only holds other objects, or the cross-reference (7.5.7, 7.5.8).
fn is_wrapping(body: &Body) -> bool {
    body.dictionary().is_some_and(|dictionary| dictionary.is_type(b"ObjStm") || dictionary.is_type(b"XRef"))
}
