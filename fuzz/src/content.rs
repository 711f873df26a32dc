//! What pages draw: any content, any CMap and any entries of fonts and annotations, in an intact file.

use engine::{Memory, Options, PageText, page_texts};
use samples::texts::{CONTENT, FREE, composite, page};

/// Runs and areas of a page.
const MAX_RUNS_AND_AREAS: usize = 50_000;

/// A page: its content, a CMap, the entries of a simple font, of a composite one's descendant, and of an annotation,
/// between bytes 0xFF.
pub(crate) fn drawn(bytes: &[u8]) {
    let mut parts = bytes.splitn(5, |byte| *byte == 0xff);
    let mut part = || parts.next().unwrap_or_default();
    let (content, cmap) = (part(), part());
    let mut entries = || String::from_utf8_lossy(part()).into_owned();
    let (simple, descendant, annotation) = (entries(), entries(), entries());
    let (font, descendant) = composite("/Encoding 31 0 R /ToUnicode 31 0 R", &descendant);
    let resources = format!(
        "/Font << /F << /Type /Font /Subtype /Type1 {simple} >> /C {font} >> /XObject << /X 32 0 R >> \
         /ExtGState << /A << /ca 0.5 /BM /Multiply >> >> /Properties << /A 33 0 R >>"
    );
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 50 50] /Matrix [0 1 1 0 3 3]";
    let pdf = page("/Annots [33 0 R]", &resources, "")
        .with_compressed(CONTENT, "", content)
        .with(FREE, descendant)
        .with_compressed(31, "", cmap)
        .with_compressed(32, form, content)
        .with(33, format!("<< /Type /Annot /Rect [0 0 50 50] /AP << /N 32 0 R >> {annotation} >>"));
    for page in page_texts(&Memory(pdf.classic().into()), &Options::default(), 0..2).unwrap_or_default() {
        check(&page);
    }
}

/// What goes for every page.
pub(crate) fn check(page: &PageText) {
    assert!(page.runs.len() + page.areas.len() <= MAX_RUNS_AND_AREAS);
    let boxes =
        page.runs.iter().flat_map(|run| [run.bounds, run.clip]).chain(page.areas.iter().map(|area| area.bounds));
    for bounds in boxes {
        assert!(bounds.corners().iter().all(|corner| corner.is_finite()), "{bounds:?}");
        assert!(bounds.left <= bounds.right && bounds.bottom <= bounds.top, "{bounds:?}");
    }
    for word in page.lines().iter().flat_map(|line| &line.words) {
        assert!(!word.text.is_empty() && word.runs.iter().all(|run| *run < page.runs.len()), "{word:?}");
        assert_eq!(word.text.matches(char::REPLACEMENT_CHARACTER).count(), word.undecoded as usize, "{word:?}");
        assert!(!word.text.contains(char::is_control), "{word:?}");
    }
}
