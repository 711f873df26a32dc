//! Texts that both layers of metadata have (ISO 32000-1, 14.3.2).

use super::layers::MetadataLayers;
use crate::integrity::findings::Findings;
use crate::integrity::report::{Evidence, Strength};
use crate::integrity::signal::SignalId;

pub(super) fn examine(layers: &MetadataLayers, findings: &mut Findings) {
    let (Some(info), Some(xmp)) = (&layers.info, &layers.xmp) else { return };
    let pairs = [
        ("producer", &info.producer, &xmp.producer, Strength::Strong),
        ("creator", &info.creator, &xmp.creator, Strength::Weak),
        ("title", &info.title, &xmp.title, Strength::Weak),
        ("author", &info.author, &xmp.author, Strength::Weak),
    ];
    for (key, one, other, strength) in pairs {
        if let (Some(one), Some(other)) = (one, other)
            && one != other
            && differ(one, other)
        {
            findings.add(SignalId::InfoXmpContradict, strength, Evidence::of(key, Some(one), Some(other)));
        }
    }
}

/// Whether neither text contains the other, ignoring case, spaces and punctuation.
fn differ(one: &str, other: &str) -> bool {
    let folded = |text: &str| -> String {
        text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let (one, other) = (folded(one), folded(other));
    // undecodable text cannot be compared
    let is_decoded = !one.is_empty() && !other.is_empty();
    is_decoded && !one.contains(&other) && !other.contains(&one)
}
