//! Bodies of streams, decrypted as their places call for and decoded.

use super::Document;
use super::objects::{Body, State};
use crate::budget::Budget;
use crate::encryption::decryption::Decryption;
use crate::encryption::handler::SecurityHandler;
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

    /// Returns the body of a stream, decrypted but still encoded; none if it is not a stream, or viewers may decrypt it
    /// differently.
    pub fn exactly_decrypted(&mut self, state: State, body: &Body) -> Result<Option<Vec<u8>>, Fault> {
        if self.is_decrypted_differently(state, body)? || self.is_clear_to_some(body) {
            return Ok(None);
        }
        let cipher = self.security.as_ref().and_then(SecurityHandler::algorithm);
        let place = self.stream_place(state, body)?;
        let length = place.map_or(0, |place| place.end - place.start);
        // viewers disagree on a vector without a block, and on a part of a block
        let is_whole = cipher.is_none_or(|cipher| cipher.is_complete(length));
        let decrypted = self.with_encoded(state, (body, Decryption::default()), |encoded, _, _| {
            Ok(encoded.filter(|_| is_whole).map(<[u8]>::to_vec))
        })?;
        Ok(decrypted.flatten())
    }

    /// Whether some viewers do not decrypt a stream because of its type: cross-reference streams are never encrypted, and
    /// metadata not always (7.5.8.2, 7.6.3.2).
    fn is_clear_to_some(&self, body: &Body) -> bool {
        let Some(handler) = &self.security else { return false };
        body.dictionary().is_some_and(|entries| {
            entries.is_type(b"XRef") || !handler.encrypts_metadata && entries.is_type(b"Metadata")
        })
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
