//! Identifiers, and metadata that is missing.

use super::layers::Layers;
use crate::integrity::findings::Findings;
use crate::integrity::report::{Evidence, Strength};
use crate::integrity::signal::SignalId;
use crate::metadata::Structure;

pub(super) fn examine(layers: &Layers, structure: &Structure, findings: &mut Findings) {
    let id = &structure.document_id;
    if let (Some(original), Some(current)) = (&id.original, &id.current)
        && original != current
    {
        let (before, after) = (Some(original.clone()), Some(current.clone()));
        let evidence = Evidence { place: Some("ID".to_owned()), before, after, ..Evidence::default() };
        findings.add(SignalId::IdChanged, Strength::Weak, evidence);
    }
    if layers.has_no_date() {
        findings.note(SignalId::MetadataMissing, Strength::Neutral);
    }
}
