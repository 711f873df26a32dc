//! Encryption and permissions, as the unlocked file has them.

use lopdf::Permissions as Flags;

use crate::metadata::{Permissions, Security};
use pdf_syntax::encryption::handler::SecurityHandler;

/// Describes the encryption of a file; `None` if it has none.
pub(crate) fn describe(handler: Option<&SecurityHandler>) -> Security {
    let algorithm = handler.and_then(SecurityHandler::algorithm);
    Security {
        encrypted: handler.is_some(),
        algorithm,
        key_bits: handler.filter(|_| algorithm.is_some()).map(SecurityHandler::key_bits),
        permissions: permissions(handler),
        permissions_verified: handler.and_then(|handler| handler.confirms_permissions),
    }
}

fn permissions(handler: Option<&SecurityHandler>) -> Permissions {
    let flags = handler.map_or(Flags::all(), |handler| handler.permissions);
    // revision 2 has only four flags; they include the permissions that have separate flags later
    let fine = handler.is_none_or(|handler| handler.revision >= 3);
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
