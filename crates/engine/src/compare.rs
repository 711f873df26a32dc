//! Compares two files: whether one was derived from the other, and which words, pages and metadata differ.
//!
//! Visible words are compared in reading order, also where text moved to another page, regardless of lines, columns and
//! runs. Unreadable content, such as images, is reported as such and never considered equal.

mod concealed;
mod difference;
mod pages;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use chrono::{DateTime, FixedOffset, SecondsFormat};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::metadata::{self, Metadata};
use crate::{Options, analyze};
use concealed::{Concealed, is_public, is_state};
use pages::ComparedPage;
use pdf_content::hidden::report::ExaminedContent;
use pdf_content::{ContentReader, Rectangle};
use pdf_syntax::budget::{SHOWN, TimeLimit, spent};
use pdf_syntax::document::Document;
use pdf_syntax::document::form::FormFields;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::{Failure, Fault};
use pdf_syntax::input::source::Source;
use pdf_syntax::text::text_string;
use words::ComparedWord;

/// Maximum pages read of each file.
const MAX_PAGES: usize = 500;
/// Maximum words compared of each file.
const MAX_WORDS: usize = 100_000;
/// Maximum fields reported.
const MAX_FIELDS: usize = 100;
/// Maximum differences in hidden words reported, and maximum hidden words of a file that are compared.
const MAX_HIDDEN_CHANGES: usize = 100;
const MAX_HIDDEN_WORDS: usize = 5_000;
/// Bytes read at a time to compare files.
const READ_BYTES: u64 = 1 << 20;
/// Share of its word pairs that the shorter of two documents must have in common with the other to be the same
/// document.
const SAME_DOCUMENT_MIN_PART: f64 = 0.5;

/// The comparison of two files.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize, ToSchema)]
pub struct Comparison {
    /// How they are related; null if too little can be read.
    pub relation: Option<Relation>,
    /// Which file is the other one with appended data; null unless `relation` is `appended`.
    pub grown: Option<Side>,
    /// Number of pages of each.
    pub pages: [u64; 2],
    /// The words that differ, in reading order; at most 500.
    pub words: Vec<WordChange>,
    /// Number of places where words differ.
    pub words_total: usize,
    /// Differences in words of pages that cannot be seen, such as white ones; at most 100. Only the owner of the
    /// comparison sees them.
    #[serde(default)]
    #[schema(required = true)]
    pub hidden_words: Vec<WordChange>,
    /// Number of differences withheld from this reader: those in words that either file hides. 0 for the owner.
    #[serde(default)]
    #[schema(required = true)]
    pub withheld: usize,
    /// Pages of the later file that the earlier one lacks, numbered from 1.
    pub pages_added: Vec<u32>,
    /// Pages of the earlier file that the later one lacks.
    pub pages_removed: Vec<u32>,
    /// Pages in another order, equal or with differing words: the number in each file.
    pub pages_moved: Vec<[u32; 2]>,
    /// Metadata that differs.
    pub metadata: Vec<MetadataChange>,
    /// Values of form fields that differ, whether pages show them or not; at most 100.
    pub form: Vec<FieldChange>,
    /// How much of the page content could be compared; `none` if one of them shows no text, such as a scan.
    pub examined: ExaminedContent,
    /// Pages of each without text to compare, such as scans.
    pub without_text: [Vec<u32>; 2],
    /// Whether too much differs to list single words.
    pub too_different: bool,
}

/// How two files are related.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// They have the same bytes.
    Identical,
    /// One begins with all bytes of the other.
    Appended,
    /// They bear the same first identifier (ISO 32000-1, 14.4), or have at least half of their words in common, each with the
    /// one before it.
    SameDocument,
    /// They have less in common.
    Other,
}

/// One of the two files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The one that was given first.
    Before,
    /// The other one.
    After,
}

/// Words that differ.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, ToSchema)]
pub struct WordChange {
    /// The words of the first file; null if none.
    pub before: Option<PlacedWords>,
    /// The words of the other file in their place.
    pub after: Option<PlacedWords>,
    /// Whether readers other than the owner may see it: neither file hides any of these words.
    #[serde(default)]
    #[schema(required = true)]
    pub public: bool,
}

/// Words and their place.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, ToSchema)]
pub struct PlacedWords {
    /// The page, from 1, on which they begin.
    pub page: u32,
    /// The words, separated by spaces; at most 500 characters.
    pub text: String,
    /// The complete line on which they begin; at most 200 characters.
    pub line: String,
    /// The box around those on that page: `[left, bottom, right, top]` in points of the page before rotation.
    #[schema(value_type = [f64; 4])]
    pub r#box: Rectangle,
}

/// A difference in metadata.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct MetadataChange {
    /// The field, as in an analysis.
    pub field: String,
    /// The value in the first file.
    pub before: Option<String>,
    /// The value in the other file.
    pub after: Option<String>,
}

/// A value of a form field. Values that are not displayed, such as passwords, are not compared.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct FieldChange {
    /// The field's full name (ISO 32000-1, 12.7.3.2), at most 200 characters.
    pub name: String,
    /// The value in the first one, at most 200 characters; null if it has none.
    pub before: Option<String>,
    /// The value in the other one.
    pub after: Option<String>,
    /// Whether readers other than the owner may see it: pages show both values.
    #[serde(default)]
    #[schema(required = true)]
    pub public: bool,
}

/// The compared contents of a file.
struct ReadFile {
    pages: Vec<ComparedPage>,
    /// Values of form fields by their names.
    fields: BTreeMap<String, String>,
    /// Whether there is more of either than was read.
    is_part: bool,
}

/// Compares two files, the earlier one first, each with its password. `options` apply to both together, except their
/// password.
///
/// # Errors
/// As [`analyze`], for the first file that fails.
pub fn compare(
    before: (&dyn Source, Option<&str>),
    after: (&dyn Source, Option<&str>),
    options: &Options,
) -> Result<Comparison, (Side, Failure)> {
    let began = spent().unwrap_or_default();
    let left = |password| {
        let used = spent().unwrap_or_default().saturating_sub(began);
        let processor_time = options.processor_time.map(|all| all.saturating_sub(used));
        Options { password, processor_time, skip_content: true, ..*options }
    };
    let described = |(source, password), side| analyze(source, &left(password)).map_err(|failure| (side, failure));
    let (old, new) = (described(before, Side::Before)?, described(after, Side::After)?);
    let old_read = guarded(Side::Before, || read(before.0, &left(before.1)))?;
    let new_read = guarded(Side::After, || read(after.0, &left(after.1)))?;
    let limit = left(None).time_limit();
    let bytes = guarded(Side::After, || grown(before.0, after.0, limit))?;
    guarded(Side::After, || comparison(bytes, (&old, &old_read), (&new, &new_read), limit))
}

/// Runs `work` for one of the files; a panic is a failure of that file.
fn guarded<T>(side: Side, work: impl FnOnce() -> Result<T, Fault>) -> Result<T, (Side, Failure)> {
    let done = catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(Fault::Damaged));
    done.map_err(|fault| (side, fault.into()))
}

/// Compares two files by their contents and `bytes`: equal, or the side that appends to the other one's bytes.
fn comparison(
    bytes: Option<Option<Side>>,
    (old, old_read): (&Metadata, &ReadFile),
    (new, new_read): (&Metadata, &ReadFile),
    limit: TimeLimit,
) -> Result<Comparison, Fault> {
    let go_on = [(old, old_read), (new, new_read)].map(|(file, read)| file.basic.pages > read.pages.len() as u64);
    let mut comparison = difference::compared(&old_read.pages, &new_read.pages, go_on, limit)?;
    let is_same_id = old.structure.document_id.original.is_some()
        && old.structure.document_id.original == new.structure.document_id.original;
    comparison.relation = match bytes {
        Some(None) => Some(Relation::Identical),
        Some(Some(_)) => Some(Relation::Appended),
        None if is_same_id => Some(Relation::SameDocument),
        None if comparison.examined == ExaminedContent::None => None,
        None => pages::in_common(&old_read.pages, &new_read.pages)
            .map(|part| if part >= SAME_DOCUMENT_MIN_PART { Relation::SameDocument } else { Relation::Other }),
    };
    comparison.grown = bytes.flatten();
    comparison.pages = [old.basic.pages, new.basic.pages];
    comparison.metadata = differing(old, new);
    comparison.hidden_words = hidden(&old_read.pages, &new_read.pages);
    let concealed = [old_read, new_read].map(|read| Concealed::of(&read.pages, read.fields.values()));
    let [old_concealed, new_concealed] = concealed.each_ref();
    for change in &mut comparison.words {
        limit.check()?;
        change.public = is_public(change, [old_concealed, new_concealed]);
    }
    comparison.form = fields((&old_read.fields, old_concealed), (&new_read.fields, new_concealed));
    // an XFA form is rendered by its viewer
    let is_part = |read: &ReadFile, file: &Metadata| {
        read.is_part || file.basic.pages != read.pages.len() as u64 || file.features.form == metadata::Form::Xfa
    };
    if is_part(old_read, old) || is_part(new_read, new) {
        comparison.examined = difference::incomplete(comparison.examined);
    }
    Ok(comparison)
}

/// Returns differing metadata.
fn differing(old: &Metadata, new: &Metadata) -> Vec<MetadataChange> {
    let date = |date: &Option<DateTime<FixedOffset>>| date.map(|date| date.to_rfc3339_opts(SecondsFormat::Secs, false));
    let fields = |of: &Metadata| {
        let texts = &of.document;
        [
            ("document.title", texts.title.clone()),
            ("document.author", texts.author.clone()),
            ("document.subject", texts.subject.clone()),
            ("document.keywords", texts.keywords.clone()),
            ("document.creator", texts.creator.clone()),
            ("document.producer", texts.producer.clone()),
            ("dates.created", date(&of.dates.created.iso8601)),
            ("dates.modified", date(&of.dates.modified.iso8601)),
            ("basic.pages", Some(of.basic.pages.to_string())),
            ("basic.pdf_version", of.basic.pdf_version.clone()),
        ]
    };
    let pairs = fields(old).into_iter().zip(fields(new));
    let differing = pairs.filter(|((_, before), (_, after))| before != after);
    differing.map(|((field, before), (_, after))| MetadataChange { field: field.to_owned(), before, after }).collect()
}

/// Returns differences in hidden words; none if there are too many words.
fn hidden(old: &[ComparedPage], new: &[ComparedPage]) -> Vec<WordChange> {
    let words = |pages: &'_ [ComparedPage]| pages.iter().flat_map(|page| &page.hidden).cloned().collect::<Vec<_>>();
    let (old, new) = (words(old), words(new));
    let [old, new] = [&old, &new].map(|words| words.iter().collect::<Vec<&ComparedWord>>());
    if old.len().max(new.len()) > MAX_HIDDEN_WORDS {
        return Vec::new();
    }
    words::differing(&old, &new).into_iter().map(|(change, _)| change).take(MAX_HIDDEN_CHANGES).collect()
}

/// Whether others may see the value of a field, if there is one: a page shows it, or it is a button's state.
fn is_shown(value: Option<&String>, concealed: &Concealed) -> bool {
    value.is_none_or(|value| is_state(value) || concealed.shows(value))
}

/// Returns differing field values.
fn fields(
    (old, old_concealed): (&BTreeMap<String, String>, &Concealed),
    (new, new_concealed): (&BTreeMap<String, String>, &Concealed),
) -> Vec<FieldChange> {
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let changes = names.into_iter().map(|name| (name, old.get(name), new.get(name)));
    // an empty value is displayed like none
    let changes =
        changes.filter(|(_, before, after)| before.map_or("", String::as_str) != after.map_or("", String::as_str));
    let cut = |text: &String| text.chars().take(SHOWN).collect::<String>();
    let reported = changes.map(|(name, before, after)| FieldChange {
        name: cut(name),
        before: before.map(cut),
        after: after.map(cut),
        public: is_shown(before, old_concealed) && is_shown(after, new_concealed),
    });
    reported.take(MAX_FIELDS).collect()
}

/// Reads the words of a file's pages and its field values.
fn read(source: &dyn Source, options: &Options) -> Result<ReadFile, Fault> {
    let mut document = Document::open(source, options.time_limit())?;
    match document.load(options.password).and_then(|()| read_document(&mut document)) {
        Err(Fault::Damaged) => {
            document.repair(options.password)?;
            read_document(&mut document)
        }
        read => read,
    }
}

fn read_document(document: &mut Document) -> Result<ReadFile, Fault> {
    let mut contents = ContentReader::new(document);
    let pages = contents.pages(document, State(0), MAX_PAGES)?;
    if pages.is_cut && pages.leaves.len() < MAX_PAGES && !document.xref.is_repaired() {
        return Err(Fault::Damaged);
    }
    let (mut read, mut words) = (Vec::new(), 0);
    for (number, page) in pages.numbered() {
        let page = contents.page(document, State(0), page)?;
        words += page.runs.iter().map(|run| page.text(run).split_whitespace().count()).sum::<usize>();
        // the file has more words than are read
        if words > MAX_WORDS {
            break;
        }
        read.push(ComparedPage::of(number, page));
    }
    let mut view = document.view(State(0));
    let form = FormFields::read(&mut view)?;
    let (mut fields, mut is_part) = (BTreeMap::new(), form.is_cut);
    for field in form.fields.iter().filter(|field| !field.is_secret() && !field.is_signature()) {
        let value = view.resolve(&field.value)?;
        let name = || value.as_name().map(|name| String::from_utf8_lossy(name).into_owned());
        let text = value.as_string().and_then(text_string::decode).or_else(name);
        is_part |= text.is_none() && !value.is_null();
        fields.extend(text.map(|text| (field.name.clone(), text)));
    }
    Ok(ReadFile { pages: read, fields, is_part })
}

/// Returns which of two files starts with all bytes of the other; the outer option is none if neither does, the inner
/// one if they are identical.
fn grown(before: &dyn Source, after: &dyn Source, limit: TimeLimit) -> Result<Option<Option<Side>>, Fault> {
    let common = before.len().min(after.len());
    for start in (0..common).step_by(READ_BYTES as usize) {
        limit.check()?;
        let piece = start..common.min(start + READ_BYTES);
        if before.read(std::slice::from_ref(&piece))? != after.read(&[piece])? {
            return Ok(None);
        }
    }
    Ok(Some(match before.len().cmp(&after.len()) {
        std::cmp::Ordering::Less => Some(Side::After),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(Side::Before),
    }))
}
