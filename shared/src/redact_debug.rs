//! `Debug` that shows the type's name and none of its content.

macro_rules! redact_debug {
    ($name:ident) => {
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    };
}

pub(crate) use redact_debug;
