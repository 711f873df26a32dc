use samples::pdf::{FIRST_PAGE, Pdf, stream};
use samples::texts::{CONTENT, drawing, page};

use super::{Border, ContentReader, GeneratedAppearance, Line, Rectangle};
use pdf_syntax::budget::TimeLimit;
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::document::pages::{Leaf, PageLeaf, Pages};
use pdf_syntax::input::source::Memory;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::syntax::parser::parse_object;

#[test]
fn a_page_is_read_as_in_each_revision() {
    let before = drawing("BT /F 10 Tf 20 100 Td (Total 1,250.00) Tj ET", "");
    let changes = Pdf::changes().with_stream(CONTENT, "", b"BT /F 10 Tf 20 100 Td (Total 9,250.00) Tj ET");
    for file in [changes.update(before.classic()), changes.update(before.compressed())] {
        let source = Memory(file.into());
        let mut document = Document::open(&source, TimeLimit::new(None, None)).unwrap();
        document.load(None).unwrap();
        let mut contents = ContentReader::new(&document);
        let mut text = |state| {
            let pages = contents.pages(&mut document, State(state), 9).unwrap();
            let [page] = &pages.leaves[..] else { panic!("it has one page") };
            assert_eq!((page.object(), pages.is_cut), (Some(FIRST_PAGE), false));
            let page = contents.page(&mut document, State(state), page).unwrap();
            assert!(!page.is_part);
            page.lines().iter().map(Line::text).collect::<Vec<_>>()
        };
        assert_eq!((text(0), text(1)), (vec!["Total 9,250.00".to_owned()], vec!["Total 1,250.00".to_owned()]));
    }
}

fn first_page(document: &mut Document, state: State) -> PageLeaf {
    Pages::read(&mut document.view(state), 1).unwrap().leaves.remove(0)
}

/// Objects that a page draws by: with the second text of any of them it draws something else.
fn parts() -> Vec<(u32, [Vec<u8>; 2])> {
    let form = |entries: &str, content: &str| stream(&format!("/Subtype /Form {entries}"), content.as_bytes());
    let inner = "/BBox [0 0 90 90] /Resources << /Font << /F 31 0 R >> >>";
    let outer = "/BBox [0 0 90 90] /Resources << /XObject << /N 34 0 R >> >>";
    let font = |name: &str| format!("<< /Type /Font /Subtype /Type1 /BaseFont /{name} /ToUnicode 32 0 R >>").into();
    let meanings = |code: &str| stream("", format!("1 beginbfchar <41> <{code}> endbfchar").as_bytes());
    let layers = |state: &str| format!("<< /OCGs [38 0 R] /D << /{state} [38 0 R] >> >>").into();
    let content = |text: &str| {
        let text = format!("BT /F 10 Tf 20 100 Td /G gs {text} Tj ET /Form Do");
        let marked = "/Span /Text BDC BT /F 10 Tf 20 50 Td (x) Tj ET EMC /OC /Layer BDC 50 50 20 20 re f EMC";
        stream("", format!("{text} {marked}").as_bytes())
    };
    vec![
        (31, [font("Helvetica"), font("Courier")]),
        (32, [meanings("0042"), meanings("0043")]),
        (33, [form(outer, "/N Do"), form(outer, "0 0 9 9 re f /N Do")]),
        (34, [form(inner, "BT /F 9 Tf 9 9 Td (AB) Tj ET"), form(inner, "BT /F 9 Tf 9 9 Td (ABB) Tj ET")]),
        (35, [b"<< /ca 1 >>".to_vec(), b"<< /ca 0.5 >>".to_vec()]),
        (36, [b"<< /ActualText (A) >>".to_vec(), b"<< /ActualText (B) >>".to_vec()]),
        (37, [layers("ON"), layers("OFF")]),
        (CONTENT, [content("(A)"), content("(AA)")]),
    ]
}

#[test]
fn cached_page_content_equals_that_of_the_revision() {
    let resources = "/Font << /F 31 0 R >> /XObject << /Form 33 0 R >> /ExtGState << /G 35 0 R >> \
                     /Properties << /Text 36 0 R /Layer 38 0 R >>";
    let note = "<< /Type /Annot /Subtype /Square /Rect [0 0 9 9] /AP << /N 40 0 R >> >>";
    let mut base = page("/Annots [39 0 R]", resources, "").catalog("/OCProperties 37 0 R");
    base = base.with(38, "<< /Type /OCG /Name (Layer) >>").with(39, note);
    base = base.with_stream(40, "/Subtype /Form /BBox [0 0 9 9]", b"0 0 9 9 re f");
    for (number, [before, _]) in parts() {
        base.set(number, before);
    }
    for (number, [_, after]) in parts() {
        let source = Memory(Pdf::changes().with(number, after).update(base.classic()).into());
        let mut document = Document::open(&source, TimeLimit::new(None, None)).unwrap();
        document.load(None).unwrap();
        let states = [State(1), State(0)];
        let apart = states.map(|state| {
            let mut contents = ContentReader::new(&document);
            let page = first_page(&mut document, state);
            format!("{:?}", contents.page(&mut document, state, &page).unwrap().within(0))
        });
        let mut contents = ContentReader::new(&document);
        // a font that is known already counts for the page that is kept
        let pages = states.map(|state| first_page(&mut document, state));
        contents.page(&mut document, states[0], &pages[0]).unwrap();
        let both = contents.page_in_both(&mut document, states, pages.each_ref()).unwrap();
        assert_eq!(both.map(|page| format!("{:?}", page.within(0))), apart, "{number}");
        assert!(apart[0] != apart[1], "{number}");
    }
}

#[test]
fn unreadable_content_is_marked_incomplete() {
    let source = Memory(drawing("", "").classic().into());
    let mut document = Document::open(&source, TimeLimit::new(None, None)).unwrap();
    document.load(None).unwrap();
    let mut contents = ContentReader::new(&document);
    let page = first_page(&mut document, State(0));
    let missing = PageLeaf { leaf: Leaf::Object(999), ..page.clone() };
    assert!(contents.page(&mut document, State(0), &missing).unwrap().is_part);
    assert!(!contents.page(&mut document, State(0), &page).unwrap().is_part);
}

/// What is read from an annotation with these entries.
fn of_annotation<T>(entries: &str, read: impl FnOnce(&mut Document, &Dictionary) -> T) -> T {
    let source = Memory(drawing("", "").classic().into());
    let mut document = Document::open(&source, TimeLimit::new(None, None)).unwrap();
    document.load(None).unwrap();
    let annotation = parse_object(format!("<< {entries} >>").as_bytes()).unwrap().object;
    let Object::Dictionary(annotation) = annotation else { panic!("it is a dictionary") };
    read(&mut document, &annotation)
}

#[test]
fn a_border_style_precedes_the_border() {
    for (entries, expected) in [
        ("", (1.0, false)),
        ("/Border [0 0 3]", (3.0, false)),
        ("/BS << /W 2 >> /Border [0 0 3]", (2.0, false)),
        ("/BS << >> /Border [0 0 3]", (3.0, false)),
        // viewers differ
        ("/BS << /S /D >> /Border [0 0 3]", (3.0, true)),
        ("/BS << /W -2 >>", (0.0, true)),
        ("/BS /D", (1.0, true)),
        ("/Border [0 0]", (1.0, true)),
    ] {
        let border = of_annotation(entries, |document, it| Border::read(&mut document.newest(), it).unwrap());
        assert_eq!((border.width, border.is_ambiguous), expected, "{entries}");
    }
}

#[test]
fn annotations_without_an_appearance_hide_what_their_lines_are_thicker_than() {
    let glyph = Rectangle { left: 20.0, bottom: 0.0, right: 26.0, top: 10.0 };
    let line = |entries: &str| format!("/Subtype /Line /Rect [0 0 100 10] /C [0] /L [0 5 100 5] {entries}");
    let square = |entries: &str| format!("/Subtype /Square /Rect [0 0 100 10] /C [0] {entries}");
    let colorless = "/Subtype /Ink /Rect [0 0 100 10] /InkList [[0 5 100 5]] /BS << /W 12 >>".to_owned();
    for (entries, is_hidden, is_certain, is_thin) in [
        (line(""), false, true, true),
        (line("/BS << /W 12 >>"), true, true, false),
        // viewers draw it in black, or not at all
        (colorless, true, true, false),
        // they differ in the side of leader lines, and in the place of a caption
        (line("/LL 20"), false, false, true),
        (line("/Cap true /Contents (A caption of some words)"), true, false, false),
        (line("/LE [/None /Circle] /IC [1]"), false, true, false),
        (square(""), false, true, true),
        (square("/IC [1]"), true, true, false),
        (square("/BS << /W 10 >>"), true, true, false),
        ("/Subtype /Highlight /Rect [0 0 100 10] /C [1 0 0]".to_owned(), true, true, false),
        ("/Subtype /StrikeOut /Rect [0 0 100 10]".to_owned(), false, true, true),
        ("/Subtype /Stamp /Rect [0 0 100 10]".to_owned(), true, false, false),
        ("/Subtype /FreeText /Rect [0 0 100 10]".to_owned(), true, false, false),
        ("/Subtype /FreeText /Rect [0 0 100 10] /C [1]".to_owned(), true, true, false),
        ("/Subtype /Popup /Rect [0 0 100 10]".to_owned(), false, true, true),
    ] {
        let generated: GeneratedAppearance = of_annotation(&entries, |document, annotation| {
            let mut contents = ContentReader::new(document);
            contents.generated(document, State(0), annotation, (0.0, 0.0)).unwrap()
        });
        let found = (generated.paint.painted_part(glyph) >= 0.5, generated.is_certain, generated.is_thin);
        assert_eq!(found, (is_hidden, is_certain, is_thin), "{entries}");
        let red = Some([255, 0, 0]);
        assert!(generated.hides(red), "{entries}");
        assert_eq!(generated.hides(Some([0, 0, 0])), !entries.contains("Highlight"), "{entries}");
    }
}
