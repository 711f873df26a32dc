//! Encryption and permissions, as the unlocked file has them.

use lopdf::Permissions as Flags;

use crate::encryption::handler::Crypt;
use crate::metadata::{Permissions, Security};

/// Describes the encryption of a file; `None` if it has none.
pub(crate) fn describe(crypt: Option<&Crypt>) -> Security {
    let algorithm = crypt.and_then(Crypt::algorithm);
    Security {
        encrypted: crypt.is_some(),
        algorithm,
        key_bits: crypt.filter(|_| algorithm.is_some()).map(Crypt::key_bits),
        permissions: permissions(crypt),
    }
}

fn permissions(crypt: Option<&Crypt>) -> Permissions {
    let flags = crypt.map_or(Flags::all(), |crypt| crypt.permissions);
    // Revision 2 has four flags only; each of them covers what later got a flag of its own.
    let fine = crypt.is_none_or(|crypt| crypt.revision >= 3);
    let granted = |flag: Flags, coarse: Flags| flags.contains(if fine { flag } else { coarse });
    let print = flags.contains(Flags::PRINTABLE);
    Permissions {
        print,
        print_high_quality: print && granted(Flags::PRINTABLE_IN_HIGH_QUALITY, Flags::PRINTABLE),
        modify: flags.contains(Flags::MODIFIABLE),
        copy: flags.contains(Flags::COPYABLE),
        annotate: flags.contains(Flags::ANNOTABLE),
        fill_forms: flags.contains(Flags::ANNOTABLE) || granted(Flags::FILLABLE, Flags::ANNOTABLE),
        accessibility: granted(Flags::COPYABLE_FOR_ACCESSIBILITY, Flags::COPYABLE),
        assemble: flags.contains(Flags::MODIFIABLE) || granted(Flags::ASSEMBLABLE, Flags::MODIFIABLE),
    }
}
