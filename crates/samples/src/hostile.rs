//! Hostile PDFs, made in code: to crash, stall or bloat whoever reads them.

mod bombs;
mod certificates;
mod contents;
mod encryption;
mod forms;
mod nesting;
mod references;
mod repair;
mod signatures;
mod texts;
mod trees;
mod xmp;

/// A hostile file, to be made when its turn comes.
pub struct Hostile {
    /// What is special about it.
    pub name: &'static str,
    /// Opened, or refused for the reason with this code; `None` where either is fine.
    pub expected: Option<Result<(), &'static str>>,
    /// The password to try.
    pub password: Option<&'static str>,
    /// Certificates of the issuers to trust, as DER.
    pub anchors: Vec<Vec<u8>>,
    make: Box<dyn Fn() -> Vec<u8> + Send + Sync>,
}

/// All of them.
#[must_use]
pub fn all() -> Vec<Hostile> {
    let themes = [
        bombs::files(),
        certificates::files(),
        contents::files(),
        encryption::files(),
        forms::files(),
        nesting::files(),
        references::files(),
        repair::files(),
        signatures::files(),
        texts::files(),
        trees::files(),
        xmp::files(),
    ];
    themes.into_iter().flatten().collect()
}

/// Those whose certificates, revocation lists and OCSP responses are made to be too many.
#[must_use]
pub fn certificates() -> Vec<Hostile> {
    certificates::files()
}

/// Those whose pages are made to be too much.
#[must_use]
pub fn contents() -> Vec<Hostile> {
    contents::files()
}

/// The one of this name.
///
/// # Panics
/// When there is none.
#[must_use]
pub fn named(name: &str) -> Hostile {
    all().into_iter().find(|file| file.name == name).unwrap_or_else(|| panic!("no file is called {name:?}"))
}

/// A good document in every form that a file can have.
#[must_use]
pub fn every_form() -> Vec<Vec<u8>> {
    forms::every_form()
}

impl Hostile {
    /// The file.
    #[must_use]
    pub fn make(&self) -> Vec<u8> {
        (self.make)()
    }

    fn new(name: &'static str, make: impl Fn() -> Vec<u8> + Send + Sync + 'static) -> Self {
        Self { name, make: Box::new(make), expected: None, password: None, anchors: Vec::new() }
    }

    /// It opens all the same.
    fn opens(self) -> Self {
        Self { expected: Some(Ok(())), ..self }
    }

    /// It is refused for the reason with this code.
    fn refused(self, reason: &'static str) -> Self {
        Self { expected: Some(Err(reason)), ..self }
    }

    /// Whoever reads it trusts the issuer with this certificate.
    fn trusting(mut self, certificate: Vec<u8>) -> Self {
        self.anchors.push(certificate);
        self
    }

    fn with_password(self, password: &'static str) -> Self {
        Self { password: Some(password), ..self }
    }
}

impl std::fmt::Debug for Hostile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hostile").field("name", &self.name).finish_non_exhaustive()
    }
}
