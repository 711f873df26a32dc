//! Embedded files (ISO 32000-1, 7.11.4) that contradict themselves: the checksum is that of another file, or readers save
//! different files under one name.

use std::collections::BTreeMap;
use std::ops::Range;

use md5::{Digest, Md5};

use crate::integrity::findings::Findings;
use crate::integrity::report::{Evidence, Strength};
use crate::integrity::signal::SignalId;
use pdf_signature::text::hexadecimal;
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Maximum file specifications examined, nodes of their name tree, and its depth.
const MAX_FILES: usize = 50;
const MAX_NODES: usize = 100;
const MAX_DEPTH: usize = 8;
/// Maximum bytes of an embedded file, encoded or decoded, and of all of them: further ones are not examined.
const MAX_FILE_BYTES: usize = 1 << 20;
const MAX_ALL_BYTES: usize = 4 << 20;
/// Bytes of the budget for decoded streams that other stages need.
const DECODING_RESERVE_BYTES: u64 = 32 << 20;

/// A name in the tree, if there is one, and the file specification.
type NamedFile = (Option<Vec<u8>>, Object);

pub(super) fn examine(document: &mut Document, catalog: &Dictionary, findings: &mut Findings) -> Result<(), Fault> {
    let mut view = document.view(State(0));
    let names = view.dictionary(catalog.get(b"Names"))?;
    let (tree, associated) = (names.get(b"EmbeddedFiles"), catalog.get(b"AF"));
    if tree.is_null() && associated.is_null() {
        return Ok(());
    }
    let mut files = named(&mut view, tree)?;
    let associated = view.resolve(associated)?;
    files.extend(associated.elements().iter().map(|file| (None, file.clone())));
    files.truncate(MAX_FILES);
    view.prefetch_many(files.iter().map(|(_, file)| file))?;
    let mut embedded = Embedded { document, left: MAX_ALL_BYTES, read: BTreeMap::new() };
    let mut known = BTreeMap::new();
    for (name, file) in files {
        let Some([first, second]) = embedded.of(&file, findings)? else { continue };
        compare("attachment /F and /UF", &first, &second, findings);
        if let Some(name) = name {
            let other = known.entry(name).or_insert_with(|| first.clone());
            compare("attachments of one name", other, &first, findings);
        }
    }
    Ok(())
}

/// Returns the file specifications of a name tree (7.9.6), with their names.
fn named(view: &mut View, tree: &Object) -> Result<Vec<NamedFile>, Fault> {
    let (mut found, mut level, mut visited) = (Vec::new(), vec![tree.clone()], 0);
    for _ in 0..MAX_DEPTH {
        view.prefetch_many(&level)?;
        let mut next = Vec::new();
        for node in &level {
            visited += 1;
            if visited > MAX_NODES || found.len() > MAX_FILES {
                return Ok(found);
            }
            let node = view.dictionary(node)?.into_owned();
            for pair in view.resolve(node.get(b"Names"))?.elements().chunks_exact(2).take(MAX_FILES) {
                let [name, file] = pair else { continue };
                found.push((name.as_string().map(<[u8]>::to_vec), file.clone()));
            }
            next.extend(view.resolve(node.get(b"Kids"))?.elements().iter().take(MAX_NODES).cloned());
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    Ok(found)
}

/// The bytes of an embedded file.
#[derive(Debug, Clone, PartialEq)]
struct Contents {
    object: Option<u32>,
    size: usize,
    checksum: [u8; 16],
}

/// The embedded files read so far.
struct Embedded<'d, 's> {
    document: &'d mut Document<'s>,
    /// Bytes that may still be decoded.
    left: usize,
    read: BTreeMap<u32, Option<Contents>>,
}

impl Embedded<'_, '_> {
    /// Returns what older and newer readers save for a file specification; none if it cannot be read.
    fn of(&mut self, file: &Object, findings: &mut Findings) -> Result<Option<[Contents; 2]>, Fault> {
        let mut view = self.document.view(State(0));
        let file = view.dictionary(file)?.into_owned();
        let files = view.dictionary(file.get(b"EF"))?.into_owned();
        let [older, newer] = [self.contents(files.get(b"F"), findings)?, self.contents(files.get(b"UF"), findings)?];
        Ok(match (older, newer) {
            (Some(older), Some(newer)) => Some([older, newer]),
            (Some(one), None) if !files.has(b"UF") => Some([one.clone(), one]),
            (None, Some(one)) if !files.has(b"F") => Some([one.clone(), one]),
            _ => None,
        })
    }

    /// Reads an embedded file once, and compares it with its checksum; none if it is too large, or not there.
    fn contents(&mut self, stream: &Object, findings: &mut Findings) -> Result<Option<Contents>, Fault> {
        let Some(number) = stream.as_reference().map(|id| id.number) else { return Ok(None) };
        if let Some(known) = self.read.get(&number) {
            return Ok(known.clone());
        }
        let contents = self.decode(stream, number, findings)?;
        self.read.insert(number, contents.clone());
        Ok(contents)
    }

    fn decode(&mut self, stream: &Object, number: u32, findings: &mut Findings) -> Result<Option<Contents>, Fault> {
        let most = self.left.min(MAX_FILE_BYTES);
        if self.document.budget.decoding_left() < DECODING_RESERVE_BYTES {
            return Ok(None);
        }
        let mut view = self.document.view(State(0));
        let length = view.dictionary(stream)?.get(b"Length").clone();
        let length = view.integer(&length)?.and_then(|length| usize::try_from(length).ok());
        if length.is_none_or(|length| length > most) {
            return Ok(None);
        }
        let Some(body) = view.body(stream)? else { return Ok(None) };
        let encoded = view.document.stream_place(State(0), &body)?;
        let Some(stream) = view.content(body, most)?.filter(|stream| !stream.is_part) else { return Ok(None) };
        let parameters = view.dictionary(stream.dictionary().get(b"Params"))?;
        let stated = view.resolve(parameters.get(b"CheckSum"))?;
        let contents = Contents {
            object: Some(number),
            size: stream.content.len(),
            checksum: Md5::digest(&stream.content).into(),
        };
        let stated = stated.as_string().filter(|stated| contents.contradicts(stated)).map(<[u8]>::to_vec);
        if let Some(stated) = stated
            && !self.is_encoded(encoded, &stated)?
        {
            let stated = format!("the checksum {}", hexadecimal(&stated));
            let evidence = Evidence::of("attachment /CheckSum", Some(&stated), Some(&contents.description()));
            let evidence = Evidence { object: Some(number), ..evidence };
            findings.add(SignalId::AttachmentContradictory, Strength::Strong, evidence);
        }
        self.left = self.left.saturating_sub(contents.size);
        Ok(Some(contents))
    }

    /// Whether a checksum is that of the encoded bytes, which some programs write.
    fn is_encoded(&mut self, place: Option<Range<u64>>, stated: &[u8]) -> Result<bool, Fault> {
        let Some(place) = place else { return Ok(false) };
        let length = usize::try_from(place.end - place.start).unwrap_or(usize::MAX);
        let encoded = self.document.reader.view(place.start, length.min(MAX_FILE_BYTES))?;
        Ok(stated == Md5::digest(encoded).as_slice())
    }
}

impl Contents {
    /// Whether an MD5 checksum (table 46) is another file's. Some programs write its hexadecimal digits; zeros are none.
    fn contradicts(&self, stated: &[u8]) -> bool {
        stated.len() == self.checksum.len() && stated != self.checksum && stated.iter().any(|byte| *byte != 0)
    }

    fn description(&self) -> String {
        format!("{} bytes with the checksum {}", self.size, hexadecimal(&self.checksum))
    }
}

/// Records two files that readers save for one.
fn compare(place: &str, one: &Contents, other: &Contents, findings: &mut Findings) {
    if (one.size, one.checksum) != (other.size, other.checksum) {
        let evidence = Evidence::of(place, Some(&one.description()), Some(&other.description()));
        let evidence = Evidence { object: other.object, ..evidence };
        findings.add(SignalId::AttachmentContradictory, Strength::Strong, evidence);
    }
}
