//! Whatever is done to a signed file, its signatures are judged, and none is intact that does not fit.

use std::sync::OnceLock;

use engine::SignatureStatus;
use proptest::collection::vec;
use proptest::prelude::*;
use samples::signed::{Certificate, Cms, Encoding, Key, Signing};

use crate::support::{position, signatures, signed};

fn files() -> &'static [Vec<u8>] {
    static FILES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    FILES.get_or_init(|| {
        let stamp = Cms::time_stamp(Certificate::self_signed(Key::P256, "Clock"), "20261104081600Z");
        let cms = Cms::new(Certificate::self_signed(Key::Ed25519, "Ann Signer"));
        vec![
            signed(&Signing::new(Cms { time_stamp: Some(Box::new(stamp.clone())), ..cms.clone() }).certifying(2)),
            signed(&Signing::new(Cms { encoding: Encoding::BerThroughout, ..cms })),
            signed(&Signing::new(stamp).sub_filter("ETSI.RFC3161")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_value_may_be_anything(
        file in 0..3_usize,
        changes in vec((any::<prop::sample::Index>(), prop::sample::select(b"0123456789abcdef".to_vec())), 1..8),
    ) {
        let mut file = files()[file].clone();
        let start = position(&file, "/Contents <") + "/Contents <".len();
        let length = position(&file[start..], &"0".repeat(64));
        for (place, digit) in changes {
            file[start + place.index(length)] = digit;
        }
        let _ = signatures(&file);
    }

    #[test]
    fn signed_bytes_may_not_change(file in 0..3_usize, place in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let file = &files()[file];
        let start = position(file, "/Contents <") + "/Contents ".len();
        let end = start + position(&file[start..], ">") + 1;
        let place = place.index(file.len());
        let mut changed = file.clone();
        changed[place] = byte;
        if (start..end).contains(&place) || changed == *file {
            return Ok(());
        }
        let options = engine::Options::default();
        if let Ok(metadata) = engine::analyze(&engine::Memory(changed.into()), &options) {
            let intact = metadata.integrity.signatures.iter().any(|found| found.status == SignatureStatus::Intact);
            prop_assert!(!intact, "{place}");
        }
    }
}
