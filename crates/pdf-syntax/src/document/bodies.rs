//! Bodies of streams, decrypted as their places call for and decoded.

use super::Document;
use super::objects::{Body, State};
use crate::budget::Budget;
use crate::encryption::decryption::Decryption;
use crate::failure::Fault;
use crate::stream::{body, filter};
use crate::syntax::dictionary::Dictionary;
use crate::syntax::name::Name;

impl Document<'_> {
    /// Returns the decoded body of a stream, truncated soon after `wanted` bytes; none if it is not a stream.
    pub fn decoded(&mut self, state: State, body: &Body, wanted: usize) -> Result<Option<Vec<u8>>, Fault> {
        self.decrypted(state, body, wanted, Decryption::default())
    }

    /// Returns the rows of a cross-reference stream, which is not encrypted (7.5.8.2).
    pub fn rows(&mut self, state: State, body: &Body) -> Result<Option<Vec<u8>>, Fault> {
        self.decrypted(state, body, usize::MAX, Decryption::None)
    }

    pub(super) fn decrypted(
        &mut self,
        state: State,
        body: &Body,
        wanted: usize,
        decryption: Decryption,
    ) -> Result<Option<Vec<u8>>, Fault> {
        self.with_encoded(state, (body, decryption), |encoded, coding, budget| match encoded {
            Some(encoded) => filter::decode(coding, encoded, wanted, budget),
            None => Ok(Vec::new()),
        })
    }

    /// Whether the body of a stream encodes nothing: a damaged one, or one that cannot be decrypted, may encode more than
    /// is decoded.
    pub(super) fn encodes_nothing(&mut self, state: State, body: &Body, decryption: Decryption) -> Result<bool, Fault> {
        let encodes_nothing = self.with_encoded(state, (body, decryption), |encoded, coding, _| {
            Ok(encoded.is_some_and(|encoded| filter::encodes_nothing(coding, encoded)))
        })?;
        Ok(encodes_nothing.unwrap_or(true))
    }

    /// Reads the encoded body of a stream, decrypted; none in it if it cannot be decrypted. Its dictionary has the
    /// filters.
    fn with_encoded<T>(
        &mut self,
        state: State,
        (body, decryption): (&Body, Decryption),
        read: impl FnOnce(Option<&[u8]>, &Dictionary, &mut Budget) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        let (Some(start), Some(dictionary)) = (body.stream, body.dictionary()) else { return Ok(None) };
        let length = self.view(state).integer(dictionary.get(b"Length"))?;
        let coding = self.coding(state, dictionary)?;
        let encoded = body::body(&mut self.reader, &mut self.budget, start, length)?;
        let security = self.security.as_ref();
        match security.and_then(|handler| Some((handler, handler.cipher(&coding, decryption)?))) {
            Some((handler, cipher)) => {
                read(handler.decrypt_body(cipher, body.id, encoded).as_deref(), &coding, &mut self.budget)
            }
            None => read(Some(encoded), &coding, &mut self.budget),
        }
        .map(Some)
    }

    /// Resolves the filters of a stream and their parameters.
    fn coding(&mut self, state: State, dictionary: &Dictionary) -> Result<Dictionary, Fault> {
        let mut coding = Dictionary::default();
        for key in [b"Filter".as_slice(), b"DecodeParms"] {
            coding.push(Name::new(key), self.view(state).settled(dictionary.get(key))?);
        }
        Ok(coding)
    }

    /// Whether viewers decrypt the body of a stream differently.
    pub fn is_decrypted_differently(&mut self, state: State, body: &Body) -> Result<bool, Fault> {
        let (Some(encrypts_metadata), Some(_), Some(dictionary)) =
            (self.security.as_ref().map(|handler| handler.encrypts_metadata), body.stream, body.dictionary())
        else {
            return Ok(false);
        };
        let coding = self.coding(state, dictionary)?;
        if self.security.as_ref().is_some_and(|handler| handler.is_decrypted_differently(&coding)) {
            return Ok(true);
        }
        // PDFium does not decrypt the object that is the newest catalog's `/Metadata`, wherever it is used
        let metadata = if encrypts_metadata { None } else { self.metadata_number()? };
        Ok(metadata == Some(body.id.number))
    }

    fn metadata_number(&mut self) -> Result<Option<u32>, Fault> {
        let catalog = self.view(State(0)).catalog()?;
        Ok(catalog.get(b"Metadata").as_reference().map(|id| id.number))
    }
}
