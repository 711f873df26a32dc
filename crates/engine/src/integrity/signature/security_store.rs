//! Reading the document security store (ISO 32000-2, 12.8.4.3).

use std::collections::BTreeSet;

use pdf_signature::validation::StoredValidation;
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::{Fault, tried};
use pdf_syntax::syntax::dictionary::Dictionary;

/// Maximum streams of a store that are read, and their bytes in all.
const MAX_STREAMS: usize = 200;
const MAX_BYTES: usize = 4 << 20;
/// The store's keys of certificates, CRLs and OCSP responses, for all signatures and in a VRI dictionary.
const STORE_KEYS: [&[u8]; 3] = [b"Certs", b"CRLs", b"OCSPs"];
const VRI_KEYS: [&[u8]; 3] = [b"Cert", b"CRL", b"OCSP"];

/// Reads the newest store. Unreadable data, and data beyond half of the remaining budget, is skipped.
///
/// # Errors
/// Only if the source cannot be read.
pub(crate) fn read(document: &mut Document, catalog: &Dictionary) -> Result<StoredValidation, Fault> {
    let mut store = StoredValidation::default();
    if !catalog.has(b"DSS") {
        return Ok(store);
    }
    let reserve = document.budget.steps_left() / 2;
    let filled = tried(fill(&mut store, &mut document.view_within(State(0), reserve), catalog))?;
    store.is_unread |= filled.is_none();
    Ok(store)
}

fn fill(store: &mut StoredValidation, view: &mut View, catalog: &Dictionary) -> Result<(), Fault> {
    let own = view.resolve(catalog.get(b"DSS"))?.into_owned();
    // VRI dictionaries may reference data that the store's own arrays omit
    let singles = view.resolve(own.entry(b"VRI"))?.into_owned();
    let singles = singles.as_dictionary().unwrap_or(Dictionary::empty());
    let mut holders = vec![(own.clone(), STORE_KEYS)];
    for (_, single) in singles.iter().take(MAX_STREAMS) {
        holders.push((view.resolve(single)?.into_owned(), VRI_KEYS));
    }
    let (mut known, mut left) = (BTreeSet::new(), MAX_BYTES);
    for (holder, keys) in &holders {
        for (kind, (key, found)) in keys.iter().zip(&mut store.found).enumerate() {
            let list = view.resolve(holder.entry(key))?.into_owned();
            for reference in list.elements() {
                if reference.as_reference().is_some_and(|id| known.contains(&id.number)) {
                    continue;
                }
                let stream = match reference.as_reference() {
                    Some(id) if known.len() < MAX_STREAMS && known.insert(id.number) => view.stream(reference, left)?,
                    _ => None,
                };
                match stream.filter(|stream| !stream.is_part) {
                    Some(stream) => {
                        left -= stream.content.len();
                        found.push(stream.content);
                    }
                    None => store.is_unread |= kind > 0,
                }
            }
        }
    }
    Ok(())
}
