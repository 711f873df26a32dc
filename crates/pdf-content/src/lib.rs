//! Page content as text with positions, in painting order: runs with their appearance and filled areas; from these,
//! words and lines. Nothing is rendered, and no character is guessed.
//!
//! [`ContentReader::new`] for a document, then [`ContentReader::pages`] and [`ContentReader::page`]
//! for any page in any revision. Reading has its own budget; when that is exhausted, [`PageText::is_part`] is set and
//! the file is not rejected as too complex. Content is read on demand only.

#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod annotation_text;
mod appearance;
mod area;
mod blend;
mod border;
mod color;
mod combo_arrow;
mod content_reader;
mod coverage;
mod default_appearance;
mod default_drawing;
mod default_line;
mod default_text;
mod direction;
mod even_image;
mod evenness;
mod field_frame;
mod font;
mod fonts;
mod form;
mod frame;
mod generated_widget;
mod geometry;
mod glyph_painting;
mod graphics;
mod ground;
pub mod hidden;
mod image;
mod image_layout;
mod image_painting;
mod image_samples;
mod jpeg;
mod jpeg_scan;
mod layer;
mod letter_ink;
mod line;
mod mark;
mod mark_grid;
mod marked;
mod occlusion;
mod operation;
mod page;
mod page_annotations;
mod page_cache;
mod page_diff;
mod page_model;
mod page_painting;
mod paint;
mod painter;
mod path;
mod path_operators;
mod path_painting;
mod pattern;
mod piece;
mod reading;
mod replacement_text;
mod resource;
mod run;
mod same_drawing;
mod scan_line;
mod see_through;
mod shading;
mod shown_glyphs;
mod stroke;
mod subpath;
mod text_contrast;
mod text_only_appearance;
mod text_operators;
mod text_showing;
mod visibility;

pub use appearance::normal_appearance;
pub use area::{Area, AreaKind};
pub use border::Border;
pub use color::component_sum;
pub use content_reader::{ContentReader, read_pages};
pub use coverage::{Covered, Visibility};
pub use default_appearance::GeneratedAppearance;
pub use default_text::DefaultAppearance;
pub use field_frame::{is_framed, is_larger_than_a_sign};
pub use font::{StandardFont, max_width};
pub use geometry::Rectangle;
pub use ground::DarkGrounds;
pub use letter_ink::{RowVisibility, letters_within_sides, row_visibility};
pub use line::{Line, Word};
pub use mark::{PathMark, is_unmarked, path_mark};
pub use occlusion::{Overlaid, Painted, overlaid};
pub use page_diff::{PageDifference, page_diff};
pub use page_model::{AnnotationKind, PageText};
pub use path_operators::marked_height;
#[cfg(test)]
use pdf_syntax::budget::TimeLimit;
#[cfg(test)]
use pdf_syntax::document::Document;
#[cfg(test)]
use pdf_syntax::input::source::Memory;
pub use piece::{Ink, Piece};
pub(crate) use reading::Reading;
pub use run::{BaselineKey, Run};
pub use same_drawing::is_same_drawing;
pub use subpath::subpath_boxes;
pub use text_only_appearance::{Expected, ExpectedGlyphs, cell_texts, is_reliable_font};
pub use visibility::{Areas, Bands, covered_part, legible};

/// The content of the first page of a file in memory.
#[cfg(test)]
fn first_page(file: Vec<u8>) -> PageText {
    let source = Memory(file.into());
    let mut document = Document::open(&source, TimeLimit::new(None, None)).unwrap();
    document.load(None).unwrap();
    read_pages(&mut document, &(0..1)).unwrap().remove(0)
}

#[cfg(test)]
mod tests;
