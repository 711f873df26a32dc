//! Certificate policies along a path (RFC 5280, 6.1.2 to 6.1.5), where any policy will do: whether one is left at all matters
//! only if an authority says that there must be one.

use std::collections::BTreeSet;

use super::extensions::Extensions;

/// `anyPolicy` (4.2.1.4).
const ANY: &[u8] = &[0x55, 0x1d, 0x20, 0];

/// What is left of policies on the way from the anchor down.
#[derive(Debug)]
pub(crate) struct Policies<'a> {
    /// The policies that are expected next; none if no policy is left.
    expected: Option<BTreeSet<&'a [u8]>>,
    /// How many certificates may follow until a policy is needed, mapping ends, `anyPolicy` ends.
    needed: u32,
    mapping: u32,
    any: u32,
}

impl<'a> Policies<'a> {
    /// For a path of so many certificates.
    pub(crate) fn new(length: u32) -> Self {
        let never = length + 1;
        Self { expected: Some(BTreeSet::from([ANY])), needed: never, mapping: never, any: never }
    }

    /// Takes what an authority says for all that is below it.
    pub(crate) fn demand(&mut self, extensions: &Extensions<'a>) {
        let least = |known: u32, said: Option<u32>| said.map_or(known, |said| known.min(said));
        self.needed = least(self.needed, extensions.policy_needed);
        self.mapping = least(self.mapping, extensions.mapping_ends);
        self.any = least(self.any, extensions.any_policy_ends);
    }

    /// Goes on to a certificate; whether it may be there.
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

    /// Prepares for the next certificate, below an authority; whether it may say what it says.
    pub(crate) fn descend(&mut self, extensions: &Extensions<'a>, is_self_issued: bool) -> bool {
        if extensions.mappings.iter().any(|(own, other)| *own == ANY || *other == ANY) {
            return false;
        }
        if let Some(expected) = &mut self.expected {
            let mapped: BTreeSet<&[u8]> = extensions.mappings.iter().map(|(own, _)| *own).collect();
            // what is mapped is expected under the other names alone, also where it is itself one of them (6.1.4, b)
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

    /// Whether the last certificate, with what it says itself, ends the path well.
    pub(crate) fn end(&self, extensions: &Extensions) -> bool {
        let is_needed = self.needed <= 1 || extensions.policy_needed == Some(0);
        !is_needed || self.expected.is_some()
    }
}
