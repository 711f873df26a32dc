//! Certificate policies along a path (RFC 5280, 6.1.2 to 6.1.5) with `anyPolicy` as the initial set: an empty result
//! matters only if a CA requires an explicit policy.

use std::collections::BTreeSet;

use crate::extensions::Extensions;

/// `anyPolicy` (4.2.1.4).
const ANY: &[u8] = &[0x55, 0x1d, 0x20, 0];

/// The policy state on the way from the anchor down.
#[derive(Debug)]
pub(crate) struct Policies<'a> {
    /// The policies expected next; `None` if none is left.
    expected: Option<BTreeSet<&'a [u8]>>,
    /// The certificates that may follow until an explicit policy is required, mapping is inhibited, `anyPolicy` is
    /// inhibited.
    needed: u32,
    mapping: u32,
    any: u32,
}

impl<'a> Policies<'a> {
    /// The initial state for a path of this length.
    pub(crate) fn new(length: u32) -> Self {
        let never = length + 1;
        Self { expected: Some(BTreeSet::from([ANY])), needed: never, mapping: never, any: never }
    }

    /// Applies the requirements of a CA.
    pub(crate) fn demand(&mut self, extensions: &Extensions<'a>) {
        let least = |known: u32, said: Option<u32>| said.map_or(known, |said| known.min(said));
        self.needed = least(self.needed, extensions.policy_needed);
        self.mapping = least(self.mapping, extensions.mapping_ends);
        self.any = least(self.any, extensions.any_policy_ends);
    }

    /// Processes a certificate; returns whether it is acceptable.
    pub(crate) fn enter(&mut self, extensions: &Extensions<'a>, is_last: bool, is_self_issued: bool) -> bool {
        let expected = self.expected.take();
        self.expected = match (expected, &extensions.policies) {
            (Some(expected), Some(policies)) => {
                let is_any = policies.contains(&ANY) && (self.any > 0 || !is_last && is_self_issued);
                let named = policies.iter().copied().filter(|policy| *policy != ANY);
                let mut left: BTreeSet<&[u8]> =
                    named.filter(|policy| expected.contains(policy) || expected.contains(ANY)).collect();
                if is_any {
                    left.extend(&expected);
                }
                Some(left).filter(|left| !left.is_empty())
            }
            _ => None,
        };
        self.needed > 0 || self.expected.is_some()
    }

    /// Prepares for the next certificate (RFC 5280, 6.1.4); returns whether the mappings are acceptable.
    pub(crate) fn descend(&mut self, extensions: &Extensions<'a>, is_self_issued: bool) -> bool {
        if extensions.mappings.iter().any(|(own, other)| *own == ANY || *other == ANY) {
            return false;
        }
        if let Some(expected) = &mut self.expected {
            let mapped: BTreeSet<&[u8]> = extensions.mappings.iter().map(|(own, _)| *own).collect();
            // mapped policies are expected only under their new names (6.1.4, b)
            let mut next: BTreeSet<&[u8]> = expected.difference(&mapped).copied().collect();
            if self.mapping > 0 {
                let is_valid = |own: &[u8]| expected.contains(own) || expected.contains(ANY);
                next.extend(extensions.mappings.iter().filter(|(own, _)| is_valid(own)).map(|(_, other)| *other));
            }
            *expected = next;
        }
        self.expected.take_if(|expected| expected.is_empty());
        if !is_self_issued {
            self.needed = self.needed.saturating_sub(1);
            self.mapping = self.mapping.saturating_sub(1);
            self.any = self.any.saturating_sub(1);
        }
        self.demand(extensions);
        true
    }

    /// Whether the path is acceptable with the last certificate's own requirements.
    pub(crate) fn end(&self, extensions: &Extensions) -> bool {
        let is_needed = self.needed <= 1 || extensions.policy_needed == Some(0);
        !is_needed || self.expected.is_some()
    }
}
