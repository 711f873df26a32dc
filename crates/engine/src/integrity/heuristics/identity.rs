//! File identifiers, and missing metadata.

use super::layers::MetadataLayers;
use crate::integrity::findings::Findings;
use crate::integrity::report::{Evidence, Strength};
use crate::integrity::signal::SignalId;

pub(super) fn examine(layers: &MetadataLayers, identifier: [Option<&str>; 2], findings: &mut Findings) {
    if let [Some(original), Some(current)] = identifier
        && original != current
    {
        findings.add(SignalId::IdChanged, Strength::Weak, Evidence::of("ID", Some(original), Some(current)));
    }
    if layers.has_no_date() {
        findings.record(SignalId::MetadataMissing, Strength::Neutral);
    }
}
