//! The file of an analysis: the source of its bytes and of its hash.

use bytes::Bytes;
use engine::{DigestSource, FileDigest, Memory, Source};

use crate::file_hash::FileHash;
use crate::uploads::StagedFile;

/// A file to analyze.
pub(super) enum OpenedFile {
    /// In memory, hashed on arrival.
    Direct { filename: String, file: Bytes, hash: FileHash },
    /// In the bucket.
    Staged(StagedFile),
}

/// A file's hash, and its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hashed {
    pub(super) hash: FileHash,
    source: DigestSource,
}

impl OpenedFile {
    pub(super) fn filename(&self) -> &str {
        match self {
            Self::Direct { filename, .. } => filename,
            Self::Staged(file) => file.filename(),
        }
    }

    /// For the engine to read.
    pub(super) fn source(&self) -> Box<dyn Source + Send> {
        match self {
            Self::Direct { file, .. } => Box::new(Memory(file.clone())),
            Self::Staged(file) => Box::new(file.object().clone()),
        }
    }

    /// The hash before the file is read, if known: computed in memory, or verified by the store.
    pub(super) fn hashed(&self) -> Option<Hashed> {
        let (computed, compared) = match self {
            Self::Direct { hash, .. } => (Some(*hash), None),
            Self::Staged(file) => (file.hash(), file.compared_hash()),
        };
        let computed = computed.map(|hash| Hashed { hash, source: DigestSource::Computed });
        computed.or(compared.map(|hash| Hashed { hash, source: DigestSource::Upload }))
    }
}

impl Hashed {
    /// The engine's hash, if it had to read the complete file.
    pub(super) fn read(digest: &FileDigest) -> Option<Self> {
        let hash = FileHash::parse(digest.sha256.as_deref()?)?;
        Some(Self { hash, source: digest.source? })
    }

    /// The metadata's value.
    pub(super) fn digest(&self) -> FileDigest {
        FileDigest { sha256: Some(self.hash.to_string()), source: Some(self.source) }
    }
}
