//! One hostile file: its name, how it is made, and what has to come of it where that is certain.

use shared::extract::Reason;

/// A file to be made when its turn comes.
pub(crate) struct Hostile {
    pub(crate) name: &'static str,
    pub(crate) make: Box<dyn Fn() -> Vec<u8>>,
    /// Opened, or refused for this reason; `None` where either is fine.
    pub(crate) expected: Option<Result<(), Reason>>,
    pub(crate) password: Option<&'static str>,
}

impl Hostile {
    pub(crate) fn new(name: &'static str, make: impl Fn() -> Vec<u8> + 'static) -> Self {
        Self { name, make: Box::new(make), expected: None, password: None }
    }

    /// It opens all the same.
    pub(crate) fn opens(self) -> Self {
        Self { expected: Some(Ok(())), ..self }
    }

    /// It is refused for this reason.
    pub(crate) fn refused(self, reason: Reason) -> Self {
        Self { expected: Some(Err(reason)), ..self }
    }

    pub(crate) fn with_password(self, password: &'static str) -> Self {
        Self { password: Some(password), ..self }
    }
}
