//! `Debug` that shows the type's name and none of its content.

/// Implements such a `Debug` for a type.
#[macro_export]
macro_rules! redact_debug {
    ($name:ident) => {
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    };
}

pub use redact_debug;
