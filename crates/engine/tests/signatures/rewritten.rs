//! What programs write again by another spelling after signing is not accused, and clean only if it is the same by value;
//! what looks like it and is another value is not clean.

use engine::{Integrity, Verdict};
use samples::pdf::{CATALOG, FIRST_PAGE, PAGES, Pdf, stream, utf16};
use samples::signed::{Key, SignedPdf, Signing, field_number};

use crate::support::metadata;

/// The page's content, its font, the form's field and button with their appearances, and what is free for an update.
const CONTENT: u32 = 500;
const FONT: u32 = 501;
const RESOURCES: u32 = 502;
const FIELD: u32 = 510;
const LOOK: u32 = 511;
const BUTTON: u32 = 520;
const MARK: u32 = 521;
const FREE: u32 = 900;

const WORDS: &[u8] = b"BT /F 12 Tf 72 700 Td (Total 1,250.00) Tj ET";

fn page(entries: &str) -> String {
    format!(
        "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Resources {RESOURCES} 0 R \
         /Annots [{FIELD} 0 R {BUTTON} 0 R] {entries} >>"
    )
}

fn field(entries: &str) -> String {
    format!("<< /Type /Annot /Subtype /Widget /FT /Tx /T (Name) /P {FIRST_PAGE} 0 R {entries} >>")
}

/// The field as it was signed, with these entries in place of its value and appearance.
fn filled(entries: &str) -> String {
    field(&format!("/Rect [72 600 172.126 620] /DA (/Helv 10 Tf) {entries}"))
}

fn button(entries: &str) -> String {
    format!(
        "<< /Type /Annot /Subtype /Widget /FT /Btn /T (Agree) /Rect [72 500 92 520] /P {FIRST_PAGE} 0 R \
         /DA (/ZaDb 0 Tf) /V /Yes /AS /Yes {entries} >>"
    )
}

fn look(font: &str, text: &str) -> Vec<u8> {
    let resources = format!("/Resources << /Font << /Helv << /Type /Font /Subtype /Type1 /BaseFont /{font} >> >> >>");
    let content = format!("BT /Helv 10 Tf 2 2 Td ({text}) Tj ET");
    stream(&format!("/Type /XObject /Subtype /Form /BBox [0 0 100 20] {resources}"), content.as_bytes())
}

fn invoice() -> SignedPdf {
    invoice_with(&filled(&format!("/V (Ann) /AP << /N {LOOK} 0 R >>")))
}

fn invoice_with(field: &str) -> SignedPdf {
    let pdf = Pdf::new(1)
        .with(FIRST_PAGE, page(&format!("/Contents {CONTENT} 0 R")))
        .with_stream(CONTENT, "", WORDS)
        .with(FONT, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
        .with(RESOURCES, format!("<< /Font << /F {FONT} 0 R >> >>"))
        .with(FIELD, field)
        .with(LOOK, look("Helvetica", "Ann"))
        .with(BUTTON, button(&format!("/AP << /N << /Yes {MARK} 0 R >> >>")))
        .with(MARK, look("ZapfDingbats", "4"));
    with_fields(&pdf, format!("{FIELD} 0 R {BUTTON} 0 R"))
}

fn with_fields(pdf: &Pdf, fields: String) -> SignedPdf {
    let mut document = SignedPdf::new(pdf);
    document.fields = fields;
    document
}

/// After these changes to the invoice, certified at this level.
fn since(level: u8, changes: &Pdf) -> Integrity {
    metadata(&invoice().signed(&Signing::by(Key::Ed25519).certifying(level)).updated(changes).file).integrity
}

fn verdict(changes: &Pdf) -> Verdict {
    since(2, changes).verdict
}

#[test]
fn numbers_and_rectangles_are_compared_by_value() {
    let ann = format!("/V (Ann) /AP << /N {LOOK} 0 R >>");
    let moved = |rectangle: &str| {
        let field = field(&format!("/Rect {rectangle} /DA (/Helv 10 Tf) {ann}"));
        verdict(&Pdf::changes().with(FIELD, field))
    };
    // single precision, and any two opposite corners
    assert_eq!(moved("[72.0 600 172.12600000000002 620]"), Verdict::UnchangedSinceSigning);
    assert_eq!(moved("[72 620 172.1259994507 600]"), Verdict::UnchangedSinceSigning);
    for rectangle in ["[72 600 172.2 620]", "[73 600 173 620]", "[72 600 172.126]", "[600 72 620 172.126]"] {
        let answer = moved(rectangle);
        assert_ne!(answer, Verdict::UnchangedSinceSigning, "{rectangle}");
        assert_ne!(answer, Verdict::PermittedChangesSinceSigning, "{rectangle}");
    }
    // content scales a difference that a rectangle would not show
    let drawn_at = |left: &str| {
        let entries = format!("/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Matrix [1 0 0 1 {left} 0]");
        stream(&entries, b"0 0 1 1 re f")
    };
    let page = page(&format!("/Contents {CONTENT} 0 R")).replacen(
        &format!("/Resources {RESOURCES} 0 R"),
        &format!("/Resources << /XObject << /X {FREE} 0 R >> >>"),
        1,
    );
    let content = b"1000 0 0 1000 -9999000 0 cm /X Do";
    let base = Pdf::changes().with(FIRST_PAGE, page).with_stream(CONTENT, "", content).with(FREE, drawn_at("10000"));
    let signed = invoice().updated(&base).signed(&Signing::by(Key::Ed25519).certifying(1));
    let moved = |left: &str| {
        metadata(&signed.clone().updated(&Pdf::changes().with(FREE, drawn_at(left))).file).integrity.verdict
    };
    assert_eq!(moved("10000.0001"), Verdict::UnchangedSinceSigning);
    assert_ne!(moved("10000.05"), Verdict::UnchangedSinceSigning);
}

#[test]
fn a_number_may_become_an_integer_where_every_reader_takes_both() {
    let states = |entries: &str| format!("<< /Font << /F {FONT} 0 R >> /ExtGState << /G << {entries} >> >> >>");
    for (old, new, is_same) in [
        ("/ca 1.0 /CA 1.0 /LW 2.0 /ML 10 /SM 0.0", "/ca 1 /CA 1 /LW 2 /ML 10.0 /SM 0", true),
        ("/ca 1.0", "/ca 0.9", false),
        // Poppler ignores a real where the standard has an integer
        ("/LJ 1", "/LJ 1.0", false),
        ("/ca 1.0 /LC 1", "/ca 1 /LC 1.0", false),
    ] {
        let base = Pdf::changes().with(RESOURCES, states(old));
        let signed = invoice().updated(&base).signed(&Signing::by(Key::Ed25519).certifying(1));
        let found = metadata(&signed.updated(&Pdf::changes().with(RESOURCES, states(new))).file).integrity;
        assert_eq!(found.verdict == Verdict::UnchangedSinceSigning, is_same, "{old} {new}: {}", found.summary);
    }
    // a resource may have the name of such an entry
    let named = |entry: &str| format!("<< /Font << /F {FONT} 0 R >> /ExtGState << /ca << /LJ {entry} >> >> >>");
    let signed = invoice().updated(&Pdf::changes().with(RESOURCES, named("1")));
    let signed = signed.signed(&Signing::by(Key::Ed25519).certifying(1));
    let found = metadata(&signed.updated(&Pdf::changes().with(RESOURCES, named("1.0"))).file).integrity;
    assert_ne!(found.verdict, Verdict::UnchangedSinceSigning, "{}", found.summary);
}

#[test]
fn content_that_every_reader_decodes_alike_may_be_encoded_otherwise() {
    let hexadecimal = |end: &str| WORDS.iter().map(|byte| format!("{byte:02X}")).collect::<String>() + end;
    let packed = |data: &[u8]| [&[(data.len() - 1) as u8], data, &[128]].concat();
    let hexadecimal_of = |data: &[u8]| data.iter().map(|byte| format!("{byte:02x}")).collect::<String>() + ">";
    let spaced = [b"     ".as_slice(), WORDS, b" \n"].concat();
    let other = WORDS.iter().map(|&byte| if byte == b'1' { b'9' } else { byte }).collect::<Vec<u8>>();
    let compressed = samples::pdf::deflate(WORDS);
    for (filters, old, new, is_same) in [
        ("/Filter /ASCIIHexDecode", hexadecimal(">").into_bytes(), &spaced, true),
        ("/Filter /RunLengthDecode", packed(WORDS), &spaced, true),
        ("/Filter [/ASCIIHexDecode /FlateDecode]", hexadecimal_of(&compressed).into_bytes(), &spaced, true),
        ("/Filter /ASCIIHexDecode", hexadecimal(">").into_bytes(), &other, false),
        // not complete, or followed by more, which some readers decode
        ("/Filter /ASCIIHexDecode", hexadecimal("").into_bytes(), &spaced, false),
        ("/Filter /ASCIIHexDecode", hexadecimal("> 20>").into_bytes(), &spaced, false),
        ("/Filter /RunLengthDecode", packed(WORDS)[..=WORDS.len()].to_vec(), &spaced, false),
        ("/Filter /AHx", hexadecimal(">").into_bytes(), &spaced, false),
        ("/Filter /ASCIIHexDecode /DecodeParms << /K 1 >>", hexadecimal(">").into_bytes(), &spaced, false),
    ] {
        let base = Pdf::changes().with_stream(CONTENT, filters, &old);
        let signed = invoice().updated(&base).signed(&Signing::by(Key::Ed25519).certifying(1));
        let changes = Pdf::changes().with(FIRST_PAGE, page(&format!("/Contents {FREE} 0 R")));
        let found = metadata(&signed.updated(&changes.with_compressed(FREE, "", new)).file).integrity;
        assert_eq!(found.verdict == Verdict::UnchangedSinceSigning, is_same, "{filters}: {}", found.summary);
    }
}

#[test]
fn a_widget_among_the_annotations_of_a_page_tree_node_is_no_page_content() {
    // node-signpdf's placeholder takes the first node of a nested tree for a page
    let node = |entries: &str| format!("<< /Type /Pages /Kids [{FIRST_PAGE} 0 R] /Count 1 {entries} >>");
    let page = |annotations: &str| page("").replace(&format!("{FIELD} 0 R {BUTTON} 0 R"), annotations);
    let widget = filled("").replace(&format!("/P {FIRST_PAGE} 0 R"), &format!("/P {PAGES} 0 R"));
    let base = Pdf::changes()
        .with(PAGES, node(&format!("/Annots [{FIELD} 0 R]")))
        .with(FIELD, widget)
        .with(FIRST_PAGE, page(&format!("{BUTTON} 0 R")));
    let note =
        format!("<< /Type /Annot /Subtype /Text /Rect [400 300 420 320] /P {FIRST_PAGE} 0 R /Contents (Seen) >>");
    let noted = Pdf::changes().with(FIRST_PAGE, page(&format!("{BUTTON} 0 R {FREE} 0 R"))).with(FREE, note);
    let signed = invoice().updated(&base).signed(&Signing::by(Key::Ed25519).certifying(3));
    let found = metadata(&signed.updated(&noted).file).integrity;
    assert_ne!(found.verdict, Verdict::ChangedSinceSigning, "{}", found.summary);
}

#[test]
fn content_is_compared_by_its_data() {
    let compressed = Pdf::changes().with_compressed(CONTENT, "", WORDS);
    assert_eq!(since(1, &compressed).verdict, Verdict::UnchangedSinceSigning);
    let divided = |second: &[u8]| {
        Pdf::changes()
            .with(FIRST_PAGE, page(&format!("/Contents [{FREE} 0 R {} 0 R]", FREE + 1)))
            .with_stream(FREE, "", b"   ")
            .with_compressed(FREE + 1, "", second)
    };
    assert_eq!(since(1, &divided(&[WORDS, b"\n"].concat())).verdict, Verdict::UnchangedSinceSigning);
    // several parts that were joined; but not in another order, and not within a string
    let parts = |first: &[u8], second: &[u8], newest: &[&[u8]]| {
        let two = page(&format!("/Contents [{CONTENT} 0 R {} 0 R]", CONTENT + 9));
        let base =
            Pdf::changes().with(FIRST_PAGE, two).with_stream(CONTENT, "", first).with_stream(CONTENT + 9, "", second);
        let signed = invoice().updated(&base).signed(&Signing::by(Key::Ed25519).certifying(1));
        let numbers = || FREE..;
        let list: String = numbers().take(newest.len()).map(|number| format!("{number} 0 R ")).collect();
        let changes = Pdf::changes().with(FIRST_PAGE, page(&format!("/Contents [{list}]")));
        let changes =
            numbers().zip(newest).fold(changes, |changes, (number, data)| changes.with_compressed(number, "", data));
        metadata(&signed.updated(&changes).file).integrity.verdict
    };
    assert_eq!(parts(b" 0 g", WORDS, &[&[b"0 g \n ", WORDS].concat()]), Verdict::UnchangedSinceSigning);
    assert_eq!(parts(b" 0 g", WORDS, &[b"0 g", WORDS]), Verdict::UnchangedSinceSigning);
    let image = b"BI /W 2 /H 1 /BPC 8 /CS /G ID a";
    for (first, second, newest) in [
        (b"0 g ".as_slice(), b" 1 w".as_slice(), [b"1 w 0 g".as_slice()].as_slice()),
        (b"0 g", b"1 w", &[b"0 g1 w"]),
        (b"BT (1", b"250) Tj ET", &[b"BT (1    250) Tj ET"]),
        (b"0 g", b"1 w", &[b"0 g 1 w 9 w"]),
        // a comment that comes to hide what follows
        (b"0 g % black\n", WORDS, &[&[b"0 g % black ", WORDS].concat()]),
        (b"0 g % black\n", WORDS, &[b"0 g % black", WORDS]),
        // strings and images that go on in the next part
        (b"% )\nBT (1", b"250) Tj ET", &[b"% )\nBT (1    250) Tj ET"]),
        (b"BT \\(1", b"250) Tj ET", &[b"BT \\(1    250) Tj ET"]),
        (image, b"b EI", &[&[image.as_slice(), b"    b EI"].concat()]),
    ] {
        assert_ne!(parts(first, second, newest), Verdict::UnchangedSinceSigning, "{first:?}");
    }
    // other data, data that not all readers decode alike, and an encoding that is another one for some
    let other = WORDS.iter().map(|&byte| if byte == b'1' { b'9' } else { byte }).collect::<Vec<u8>>();
    let [broken, longer] =
        [b" (9,250.00) Tj".as_slice(), b"\n"].map(|end| [&samples::pdf::deflate(WORDS), end].concat());
    for changes in [
        Pdf::changes().with_compressed(CONTENT, "", &other),
        divided(&other),
        Pdf::changes().with_stream(CONTENT, "/Filter /FlateDecode", &broken),
        Pdf::changes().with_stream(CONTENT, "/Filter /FlateDecode", &longer),
        Pdf::changes().with_compressed(CONTENT, "/DecodeParms << /Predictor 12 >>", WORDS),
        Pdf::changes().with_compressed(CONTENT, "/F (other.bin)", WORDS),
    ] {
        let answer = since(1, &changes);
        assert!(
            matches!(answer.verdict, Verdict::ChangedSinceSigning | Verdict::Undetermined),
            "{:?}: {}",
            answer.verdict,
            answer.summary
        );
    }
    assert_eq!(since(1, &divided(&other)).verdict, Verdict::ChangedSinceSigning);
}

#[test]
fn a_value_that_viewers_draw_is_filled_in() {
    // without an appearance
    let changes = Pdf::changes().with(FIELD, filled("/V (Bob)"));
    assert_eq!(verdict(&changes), Verdict::PermittedChangesSinceSigning);
    // but not without another value
    assert_eq!(verdict(&Pdf::changes().with(FIELD, filled("/V (Ann)"))), Verdict::ChangedSinceSigning);
    assert_eq!(since(1, &changes).verdict, Verdict::ChangedSinceSigning);
    // a state of an appearance that has none
    let stated = format!("/V (Bob) /AS /N /AP << /N {LOOK} 0 R >>");
    let changes = Pdf::changes().with(FIELD, filled(&stated)).with(LOOK, look("Helvetica", "Bob"));
    assert_eq!(verdict(&changes), Verdict::PermittedChangesSinceSigning);
    assert_eq!(verdict(&changes.with(LOOK, look("Helvetica", "9,250.00"))), Verdict::ChangedSinceSigning);
}

#[test]
fn a_value_in_a_font_that_cannot_be_read_is_quoted() {
    let resources = "/Resources << /Font << /Helv << /Type /Font /Subtype /Type0 /BaseFont /Foreign /Encoding /Identity-H \
         /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Foreign /CIDSystemInfo \
         << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>] >> >> >>";
    let content = b"BT /Helv 10 Tf 2 2 Td <000100020003> Tj ET";
    let look = stream(&format!("/Type /XObject /Subtype /Form /BBox [0 0 100 20] {resources}"), content);
    let value = filled(&format!("/V (Bob) /AP << /N {LOOK} 0 R >>"));
    let answer = since(2, &Pdf::changes().with(FIELD, value).with(LOOK, look));
    assert_eq!(answer.verdict, Verdict::Undetermined, "{:#?}", answer.signals);
    assert!(answer.summary.contains("“Name”, whose value is “Bob”"), "{}", answer.summary);
}

#[test]
fn resources_that_an_appearance_does_not_use_do_not_matter() {
    let shown = |resources: &str, content: &str| {
        let font = "/Type /Font /Subtype /Type1 /BaseFont";
        let fonts = format!("/Font << /Helv << {font} /Helvetica >> /ZaDb << {font} /ZapfDingbats >> >>");
        let entries = format!("/Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << {fonts} {resources} >>");
        let value = filled(&format!("/V (Bob) /AP << /N {LOOK} 0 R >>"));
        verdict(&Pdf::changes().with(FIELD, value).with(LOOK, stream(&entries, content.as_bytes())))
    };
    let bob = "BT /Helv 10 Tf 2 2 Td (Bob) Tj ET";
    // all resources of the form
    for resources in ["", "/Encoding << /E << /Type /Encoding >> >>", "/ExtGState << /G << /ca 0 >> >> /XObject << >>"]
    {
        assert_eq!(shown(resources, bob), Verdict::PermittedChangesSinceSigning, "{resources}");
    }
    // those that it uses, or that stand for what it uses
    for (resources, content) in [
        ("/ExtGState << /G << /ca 0 >> >>", "/G gs BT /Helv 10 Tf 2 2 Td (Bob) Tj ET"),
        ("/ColorSpace << /DefaultGray [/Indexed /DeviceGray 1 <FFFF>] >>", bob),
        ("", "BT /ZaDb 10 Tf 2 2 Td (Bob) Tj ET"),
        ("", "BT /Other 10 Tf 2 2 Td (Bob) Tj ET"),
    ] {
        let answer = shown(resources, content);
        assert_ne!(answer, Verdict::PermittedChangesSinceSigning, "{resources} {content}");
        assert_ne!(answer, Verdict::UnchangedSinceSigning, "{resources} {content}");
    }
}

#[test]
fn who_draws_values_is_no_difference_by_itself() {
    let form = |entries: &str| {
        let mut document = invoice().signed(&Signing::by(Key::Ed25519).certifying(2));
        document.fields = format!("{FIELD} 0 R {BUTTON} 0 R] {entries} /PTEX.Unused [");
        let catalog = document.with_catalog(Pdf::changes().with(FIELD, filled("/V (Bob)")));
        metadata(&document.updated(&catalog).file).integrity
    };
    for entries in ["/NeedAppearances true", "/DA (/Helv 9 Tf)"] {
        let answer = form(entries);
        assert_eq!(answer.verdict, Verdict::PermittedChangesSinceSigning, "{entries}: {:#?}", answer.signals);
    }
    // and back again, with the next signature
    let mut document = invoice().signed(&Signing::by(Key::Ed25519).certifying(2));
    document.fields = format!("{FIELD} 0 R {BUTTON} 0 R] /NeedAppearances true /PTEX.Unused [");
    let mut document = document.clone().updated(&document.with_catalog(Pdf::changes().with(FIELD, filled("/V (Bob)"))));
    document.fields = format!("{FIELD} 0 R {BUTTON} 0 R");
    let file = document.signed(&Signing::by(Key::P256).field("Second")).file;
    assert_eq!(metadata(&file).integrity.verdict, Verdict::PermittedChangesSinceSigning);
    // but where a field shows something else than its value, viewers then show another one
    let other = Pdf::changes().with(LOOK, look("Helvetica", "9,250.00"));
    let mut document = invoice().updated(&other).signed(&Signing::by(Key::Ed25519).certifying(2));
    document.fields = format!("{FIELD} 0 R {BUTTON} 0 R] /NeedAppearances true /PTEX.Unused [");
    let changes = document.with_catalog(Pdf::changes());
    assert_eq!(metadata(&document.updated(&changes).file).integrity.verdict, Verdict::ChangedSinceSigning);
}

#[test]
fn resources_that_gain_names_accuse_nobody() {
    let gained = format!("<< /Font << /F {FONT} 0 R >> /XObject << /X {FREE} 0 R >> >>");
    let form = stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9]", b"");
    let changes = Pdf::changes().with(RESOURCES, &gained).with(FREE, &form);
    assert_eq!(verdict(&changes), Verdict::Undetermined);
    // another font under the same name, or one that is missing now
    for resources in [format!("<< /Font << /F {FREE} 0 R >> >>"), "<< /XObject << >> >>".to_owned()] {
        let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>";
        let answer = verdict(&Pdf::changes().with(RESOURCES, &resources).with(FREE, font));
        assert_eq!(answer, Verdict::ChangedSinceSigning, "{resources}");
    }
}

#[test]
fn the_form_s_resources_may_gain_names_that_nothing_uses() {
    let gained = |content: &str, resources: &str, entries: &str| {
        let pdf = Pdf::new(1)
            .with(
                FIRST_PAGE,
                page(&format!("/Contents [{CONTENT} 0 R]")).replace(&format!("{FIELD} 0 R {BUTTON} 0 R"), ""),
            )
            .with_stream(CONTENT, "", content.as_bytes())
            .with(RESOURCES, format!("<< /XObject << /Y {FIELD} 0 R >> {resources} >>"))
            .with(FIELD, stream(&format!("/Type /XObject /Subtype /Form /BBox [0 0 9 9] {entries}"), b"/X Do"));
        let mut document = with_fields(&pdf, format!("] /DR {RESOURCES} 0 R /PTEX.Unused ["));
        document = document.signed(&Signing::by(Key::Ed25519).certifying(2));
        let form = stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9]", b"9 9 re f");
        let has = format!("<< /XObject << /Y {FIELD} 0 R /X {FREE} 0 R >> {resources} >>");
        let changes = Pdf::changes().with(RESOURCES, has).with(FREE, form);
        metadata(&document.updated(&changes).file).integrity.verdict
    };
    let own = format!("/Resources << /XObject << /X {LOOK} 0 R >> >>");
    assert_eq!(gained("/Y Do", "", &own), Verdict::UnchangedSinceSigning);
    // readers look up what a form lacks in the resources of the page
    assert_eq!(gained("/Y Do", "", "/Resources << >>"), Verdict::Undetermined);
    assert_eq!(gained("/X Do", "", "/Resources << >>"), Verdict::Undetermined);
    assert_eq!(gained("/#58 Do", "", "/Resources << >>"), Verdict::Undetermined);
    // a form without resources draws with those of the page
    assert_eq!(gained("/Y Do", "", ""), Verdict::Undetermined);
}

#[test]
fn a_value_is_shown_with_its_line_ends_and_on_any_light_ground() {
    let look = |ground: &str, text: &str| {
        let content = format!("{ground} g 0 0 100 20 re f BT 0 g /Helv 10 Tf 2 2 Td ({text}) Tj ET");
        let resources = "/Resources << /Font << /Helv << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>";
        stream(&format!("/Type /XObject /Subtype /Form /BBox [0 0 100 20] {resources}"), content.as_bytes())
    };
    let filled = |ground: &str, text: &str| {
        let field = filled(&format!("/V (Ann\nBob) /AP << /N {LOOK} 0 R >>"));
        verdict(&Pdf::changes().with(FIELD, field).with(LOOK, look(ground, text)))
    };
    assert_eq!(filled("1", "Ann\nBob"), Verdict::PermittedChangesSinceSigning);
    assert_eq!(filled("0.75", "Ann Bob"), Verdict::PermittedChangesSinceSigning);
    assert_eq!(filled("0.3", "Ann Bob"), Verdict::Undetermined);
    assert_eq!(filled("1", "Ann\\001Bob"), Verdict::Undetermined);
}

#[test]
fn a_list_shows_its_options_and_marks_the_chosen_one() {
    let list = |value: &str| {
        field(&format!("/Rect [72 600 172.126 660] /Opt [(One) [(2) (Two)] (Three)] {value} /AP << /N {LOOK} 0 R >>"))
            .replace("/FT /Tx", "/FT /Ch")
    };
    let look = |bar: &str, rows: &str| {
        let content = format!("{bar} BT /Helv 10 Tf 2 45 Td 15 TL {rows} ET");
        let resources = "/Resources << /Font << /Helv << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>";
        stream(&format!("/Type /XObject /Subtype /Form /BBox [0 0 100 60] {resources}"), content.as_bytes())
    };
    let rows = "(One) Tj 0 g T* (Two) Tj 0 g T* (Three) Tj";
    let bar = |row: u32| format!("0.6 0.75 0.85 rg 1 {} 98 14 re f 0 g", 41 - 15 * row);
    let chosen = |content: Vec<u8>| {
        let pdf = Pdf::new(1)
            .with(FIRST_PAGE, page("").replace(&format!(" {BUTTON} 0 R"), ""))
            .with(RESOURCES, "<< >>")
            .with(FIELD, list("/V (One)"))
            .with(LOOK, look(&bar(0), rows));
        let document = with_fields(&pdf, format!("{FIELD} 0 R")).signed(&Signing::by(Key::Ed25519).certifying(2));
        let changes = Pdf::changes().with(FIELD, list("/V (2)")).with(LOOK, content);
        metadata(&document.updated(&changes).file).integrity.verdict
    };
    assert_eq!(chosen(look(&bar(1), rows)), Verdict::PermittedChangesSinceSigning);
    assert_eq!(chosen(look("", rows)), Verdict::PermittedChangesSinceSigning);
    let white = rows.replacen("0 g T*", "1 g T*", 1);
    assert_eq!(
        chosen(look(&bar(1).replace("0.6 0.75 0.85", "0 0.1 0.4"), &white)),
        Verdict::PermittedChangesSinceSigning
    );
    // Poppler paints the bar after the rows above it, pypdf draws a frame around the row within the text
    let poppler =
        format!("(One) Tj {} T* 1 g (Two) Tj 0 g T* (Three) Tj", bar(1).replace("0.6 0.75 0.85", "0 0.1 0.4"));
    assert_eq!(chosen(look("", &poppler)), Verdict::PermittedChangesSinceSigning);
    assert_ne!(chosen(look("", &poppler.replace("1 26 98", "1 41 98"))), Verdict::PermittedChangesSinceSigning);
    let frame = |row: &str| rows.replacen("0 g T*", &format!("1 {row} 98 14 re 0.5 g s 0 g T*"), 1);
    assert_eq!(chosen(look("", &frame("26"))), Verdict::PermittedChangesSinceSigning);
    assert_ne!(chosen(look("", &frame("11"))), Verdict::PermittedChangesSinceSigning);
    assert_ne!(chosen(look("", &frame("20"))), Verdict::PermittedChangesSinceSigning);
    // rows larger than the list, in its frame
    let large = "/Helv 50 Tf 0 -40 Td (Two) Tj";
    assert_eq!(chosen(look("1 1 98 58 re s", large)), Verdict::PermittedChangesSinceSigning);
    let indices = |entries: &str| {
        let base = Pdf::new(1)
            .with(FIRST_PAGE, page("").replace(&format!(" {BUTTON} 0 R"), ""))
            .with(RESOURCES, "<< >>")
            .with(FIELD, list("/V (One) /I [0] /TI 0"))
            .with(LOOK, look(&bar(0), rows));
        let document = with_fields(&base, format!("{FIELD} 0 R")).signed(&Signing::by(Key::Ed25519).certifying(2));
        let changes = Pdf::changes().with(FIELD, list(&format!("/V (One) {entries}")));
        metadata(&document.updated(&changes).file).integrity.verdict
    };
    assert_eq!(indices("/TI 1"), Verdict::UnchangedSinceSigning);
    assert_eq!(indices("/I [1]"), Verdict::Undetermined);
    // another option is marked, or the rows are others
    assert_ne!(chosen(look(&bar(2), rows)), Verdict::PermittedChangesSinceSigning);
    assert_ne!(chosen(look(&bar(1), &rows.replace("Two", "Ten"))), Verdict::PermittedChangesSinceSigning);
    assert_ne!(chosen(look(&bar(1), &white)), Verdict::PermittedChangesSinceSigning);
}

#[test]
fn an_annotation_accuses_by_what_it_does() {
    let added = |level: u8, entries: &str| {
        let page = page(&format!("/Contents {CONTENT} 0 R")).replace("/Annots [", &format!("/Annots [{FREE} 0 R "));
        let note = format!("<< /Type /Annot /Rect [300 100 350 120] /P {FIRST_PAGE} 0 R {entries} >>");
        since(level, &Pdf::changes().with(FIRST_PAGE, page).with(FREE, note)).verdict
    };
    assert_eq!(added(3, "/Subtype /Link"), Verdict::PermittedChangesSinceSigning);
    assert_eq!(added(2, "/Subtype /Link"), Verdict::ChangedSinceSigning);
    assert_ne!(added(3, "/Subtype /Link /PA 1 0 R"), Verdict::PermittedChangesSinceSigning);
    assert_eq!(added(3, "/Subtype /Screen"), Verdict::Undetermined);
    let target = "/Subtype /Link /A << /S /URI /URI (https://example.com) >>";
    assert_eq!(added(3, target), Verdict::ChangedSinceSigning);
}

#[test]
fn a_value_in_another_encoding_is_the_same() {
    let after = |value: &str, shown: &str| {
        let field = filled(&format!("/V {value} /AP << /N {LOOK} 0 R >>"));
        verdict(&Pdf::changes().with(FIELD, field).with(LOOK, look("Helvetica", shown)))
    };
    assert_eq!(after(&utf16("Ann"), "Ann"), Verdict::UnchangedSinceSigning);
    assert_eq!(after(&utf16("Ann"), "Bob"), Verdict::ChangedSinceSigning);
    assert_eq!(after(&utf16("Bob"), "Bob"), Verdict::PermittedChangesSinceSigning);
}

/// A string that is none in its encoding is read differently (7.9.2.2): Poppler reads this as another digit or as nothing.
#[test]
fn a_value_that_is_no_string_in_its_encoding_is_another() {
    let signed = |again: &str| {
        let base = invoice_with(&filled("/V (1,250)"));
        let changes = Pdf::changes().with(FIELD, filled(&format!("/V {again}")));
        metadata(&base.signed(&Signing::by(Key::Ed25519).certifying(2)).updated(&changes).file).integrity.verdict
    };
    let whole = utf16("1,250");
    assert_eq!(signed(&whole), Verdict::UnchangedSinceSigning);
    let odd = whole.trim_end_matches(['>', ')']).to_owned() + "39>";
    assert!(matches!(signed(&odd), Verdict::Undetermined | Verdict::ChangedSinceSigning), "{odd}");
}

/// Properties are those of their namespaces (ISO 16684-1, 6.1).
#[test]
fn a_property_that_saving_programs_update_is_one_of_their_namespaces() {
    let packet = |namespace: &str, value: &str| {
        let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
        let text = format!(
            "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='{rdf}'><rdf:Description rdf:about='' \
             xmlns:p='{namespace}' p:Producer='{value}'/></rdf:RDF></x:xmpmeta>"
        );
        stream("/Type /Metadata /Subtype /XML", text.as_bytes())
    };
    for (namespace, expected) in [
        ("http://ns.adobe.com/pdf/1.3/", Verdict::UnchangedSinceSigning),
        ("http://example.org/contract/", Verdict::ChangedSinceSigning),
    ] {
        let pdf =
            Pdf::new(1).with(FIRST_PAGE, format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] >>"));
        let mut document = SignedPdf::new(&pdf.with(FREE, packet(namespace, "1,250.00")));
        document.catalog = format!("/Metadata {FREE} 0 R");
        let signed = document.signed(&Signing::by(Key::Ed25519).certifying(1));
        let again = signed.updated(&Pdf::changes().with(FREE, packet(namespace, "9,250.00")));
        assert_eq!(metadata(&again.file).integrity.verdict, expected, "{namespace}");
    }
}

/// As iText fills in a form that has both (12.7.8): it writes all packets again.
#[test]
fn packets_of_xfa_that_are_written_again_accuse_nobody() {
    for packet in ["datasets", "template"] {
        let pdf = Pdf::new(1)
            .with(FIRST_PAGE, page(&format!("/Contents {CONTENT} 0 R")))
            .with_stream(CONTENT, "", WORDS)
            .with(RESOURCES, "<< >>")
            .with(FIELD, filled(&format!("/V (Ann) /AP << /N {LOOK} 0 R >>")))
            .with(LOOK, look("Helvetica", "Ann"))
            .with(BUTTON, button(&format!("/AP << /N << /Yes {MARK} 0 R >> >>")))
            .with(MARK, look("ZapfDingbats", "4"))
            .with_stream(FREE, "", b"<packet/>");
        let document = with_fields(&pdf, format!("{FIELD} 0 R {BUTTON} 0 R] /XFA [({packet}) {FREE} 0 R"));
        let signed = document.signed(&Signing::by(Key::Ed25519).certifying(2));
        let filled = filled(&format!("/V (Bob) /AP << /N {LOOK} 0 R >>"));
        let changes = Pdf::changes().with(FIELD, filled).with(LOOK, look("Helvetica", "Bob"));
        let again = signed.updated(&changes.with_stream(FREE, "", b"<packet>Bob</packet>"));
        let answer = metadata(&again.file).integrity;
        assert_eq!(answer.verdict, Verdict::Undetermined, "{packet}: {} {:#?}", answer.summary, answer.signals);
    }
}

#[test]
fn a_field_is_written_again_as_older_programs_do() {
    let shown = format!("/AP << /N {LOOK} 0 R >>");
    let after = |entries: &str, text: &str| {
        let changes = Pdf::changes().with(FIELD, filled(&format!("/V (Bob) {shown} {entries}")));
        verdict(&changes.with(LOOK, look("Helvetica", text)))
    };
    assert_eq!(after("/TU ()", "Bob"), Verdict::PermittedChangesSinceSigning);
    assert_eq!(after("/TU (Amount)", "Bob"), Verdict::ChangedSinceSigning);
    // the flag Required, and another one
    assert_eq!(after("/Ff 2", "Bob"), Verdict::Undetermined);
    assert_eq!(after("/Ff 8192", "Bob"), Verdict::ChangedSinceSigning);
    // two decimals
    let moved = |right: &str| {
        let field = field(&format!("/Rect [72 600 {right} 620] /DA (/Helv 10 Tf) /V (Ann) {shown}"));
        verdict(&Pdf::changes().with(FIELD, field))
    };
    assert_eq!(moved("172.13"), Verdict::UnchangedSinceSigning);
    assert_eq!(moved("172.14"), Verdict::ChangedSinceSigning);
}

#[test]
fn the_state_of_a_button_is_written_as_a_string() {
    let box_in = |state: &str, value: &str| {
        button(&format!("/AP << /N << /Yes {MARK} 0 R >> >>"))
            .replace("/V /Yes /AS /Yes", &format!("/V {value} /AS {state}"))
    };
    let after = |state: &str, value: &str| {
        let pdf = Pdf::new(1)
            .with(FIRST_PAGE, page("").replace(&format!("{FIELD} 0 R "), ""))
            .with(RESOURCES, "<< >>")
            .with(BUTTON, box_in("/Off", "/Off"))
            .with(MARK, look("ZapfDingbats", "4"));
        let document = with_fields(&pdf, format!("{BUTTON} 0 R")).signed(&Signing::by(Key::Ed25519).certifying(2));
        metadata(&document.updated(&Pdf::changes().with(BUTTON, box_in(state, value))).file).integrity.verdict
    };
    for value in ["/Yes", "(Yes)", "(/Yes)"] {
        assert_eq!(after("/Yes", value), Verdict::PermittedChangesSinceSigning, "{value}");
    }
    assert_ne!(after("/Yes", "(/No)"), Verdict::PermittedChangesSinceSigning);
}

#[test]
fn a_widget_says_again_what_it_inherits() {
    let widget = |entries: &str| {
        format!(
            "<< /Type /Annot /Subtype /Widget /Parent {FREE} 0 R /Rect [72 600 172 620] /P {FIRST_PAGE} 0 R \
             /AP << /N {LOOK} 0 R >> {entries} >>"
        )
    };
    let above = format!("<< /FT /Tx /T (Name) /MaxLen 22 /Ff 4096 /DA (/Helv 10 Tf) /V (Ann) /Kids [{FIELD} 0 R] >>");
    let after = |entries: &str| {
        let pdf = Pdf::new(1)
            .with(FIRST_PAGE, page("").replace(&format!(" {BUTTON} 0 R"), ""))
            .with(RESOURCES, "<< >>")
            .with(FREE, &above)
            .with(FIELD, widget(""))
            .with(LOOK, look("Helvetica", "Ann"));
        let document = with_fields(&pdf, format!("{FREE} 0 R")).signed(&Signing::by(Key::Ed25519).certifying(2));
        metadata(&document.updated(&Pdf::changes().with(FIELD, widget(entries))).file).integrity.verdict
    };
    assert_eq!(after("/MaxLen 22 /Ff 4096 /DA (/Helv 10 Tf) /V (Ann)"), Verdict::UnchangedSinceSigning);
    assert_eq!(after("/Ff 8192"), Verdict::ChangedSinceSigning);
    assert_ne!(after("/V (Bob)"), Verdict::PermittedChangesSinceSigning);
    // options of its own, which no viewer shows
    assert_eq!(after("/Opt [() ()]"), Verdict::Undetermined);
}

#[test]
fn a_value_that_is_not_shown_is_no_other_value() {
    let after = |look: Vec<u8>| {
        let field = filled(&format!("/V (Bob) /AP << /N {LOOK} 0 R >>"));
        verdict(&Pdf::changes().with(FIELD, field).with(LOOK, look))
    };
    assert_eq!(after(look("Helvetica", "")), Verdict::Undetermined);
    assert_eq!(after(look("Helvetica", "Eve")), Verdict::ChangedSinceSigning);
}

#[test]
fn a_redaction_mark_without_words_is_a_note() {
    let mark = |level: u8, place: &str, entries: &str, paint: &str| {
        let page = page(&format!("/Contents {CONTENT} 0 R")).replace("/Annots [", &format!("/Annots [{FREE} 0 R "));
        let mark = format!("<< /Type /Annot /Subtype /Redact /Rect [{place}] /P {FIRST_PAGE} 0 R {entries} >>");
        let look = "/Type /XObject /Subtype /Form /BBox [0 0 50 20]";
        let changes = Pdf::changes().with(FIRST_PAGE, page).with(FREE, mark);
        since(level, &changes.with_stream(FREE + 1, look, paint.as_bytes())).verdict
    };
    let look = format!("/AP << /N {} 0 R >>", FREE + 1);
    let frame = "1 0 0 RG 1 1 48 18 re S";
    assert_eq!(mark(3, "300 100 350 120", &look, frame), Verdict::PermittedChangesSinceSigning);
    assert_eq!(mark(2, "300 100 350 120", &look, frame), Verdict::ChangedSinceSigning);
    // viewers draw it differently, or it is to write words
    assert_eq!(mark(3, "300 100 350 120", "", frame), Verdict::Undetermined);
    assert_eq!(mark(3, "300 100 350 120", &format!("{look} /OverlayText (Void)"), frame), Verdict::Undetermined);
    let words = "BT /F 12 Tf (Void) Tj ET";
    assert_eq!(mark(3, "300 100 350 120", &look, words), Verdict::ChangedSinceSigning);
    // it hides words
    assert_eq!(mark(3, "72 700 300 720", &look, "0 0 50 20 re f"), Verdict::ChangedSinceSigning);
}

#[test]
fn how_viewers_are_to_draw_a_field_accuses_nobody() {
    let after = |signed: &str, entries: &str| {
        let document = invoice_with(&filled(signed)).signed(&Signing::by(Key::Ed25519).certifying(2));
        let changes = Pdf::changes().with(FIELD, filled(&format!("/V (Bob) {entries}")));
        metadata(&document.updated(&changes).file).integrity.verdict
    };
    assert_eq!(after("", ""), Verdict::PermittedChangesSinceSigning);
    assert_eq!(after("", "/MK << /BG [1 1 0] >>"), Verdict::Undetermined);
    // the same color, by a program that rounds it
    let gray = "/MK << /BC [0.5 0.5 0.5] >>";
    assert_eq!(after(gray, "/MK << /BC [0.5019 0.502 .5] >>"), Verdict::PermittedChangesSinceSigning);
    assert_eq!(after(gray, "/MK << /BC [0.6 0.5 0.5] >>"), Verdict::Undetermined);
    assert_eq!(after(gray, "/MK << /BC [0.5 0.5 0.5] /BG [0] >>"), Verdict::Undetermined);
}

#[test]
fn a_box_that_viewers_draw_for_a_field_without_an_appearance_is_a_change() {
    let after = |entries: &str, box_entries: &str| {
        let document = invoice_with(&filled(entries)).signed(&Signing::by(Key::Ed25519).certifying(2));
        let changes = Pdf::changes().with(FIELD, filled(&format!("{entries} {box_entries}")));
        metadata(&document.updated(&changes).file).integrity.verdict
    };
    let (changed, undetermined) = (Verdict::ChangedSinceSigning, Verdict::Undetermined);
    for characteristics in ["/BG [1 1 0]", "/BC [0]", "/CA (Paid)"] {
        assert_eq!(after("", &format!("/MK << {characteristics} >>")), changed, "{characteristics}");
    }
    assert_eq!(after("", "/MK << /BG [] /CA () >>"), undetermined);
    // a hidden field
    assert_eq!(after("/F 2", "/MK << /BG [1 1 0] >>"), undetermined);
    // viewers draw the appearance
    assert_eq!(after(&format!("/AP << /N {LOOK} 0 R >>"), "/MK << /BG [1 1 0] >>"), undetermined);
}

#[test]
fn viewers_may_be_asked_to_draw_a_value_that_was_filled_in() {
    let asked = |value: &str, other: &str| {
        let mut document = invoice().signed(&Signing::by(Key::Ed25519).certifying(2));
        document.fields = format!("{FIELD} 0 R {BUTTON} 0 R] /NeedAppearances true /PTEX.Unused [");
        let field = filled(&format!("/V ({value}) /AP << /N {LOOK} 0 R >>"));
        let changes = document.with_catalog(Pdf::changes().with(FIELD, field).with(LOOK, look("Helvetica", other)));
        document.updated(&changes)
    };
    let answer = metadata(&asked("Bob", "Ann").file).integrity;
    assert_eq!(answer.verdict, Verdict::PermittedChangesSinceSigning, "{:#?}", answer.signals);
    // the flag is taken back: the file no longer shows the value
    let mut document = asked("Bob", "Ann");
    document.fields = format!("{FIELD} 0 R {BUTTON} 0 R");
    let changes = document.with_catalog(Pdf::changes());
    assert_eq!(metadata(&document.updated(&changes).file).integrity.verdict, Verdict::Undetermined);
    assert_ne!(metadata(&asked("Bob", "Mallory").file).integrity.verdict, Verdict::PermittedChangesSinceSigning);
}

/// As pypdf does whenever it fills in a field, in forms by PDFKit.
#[test]
fn a_missing_appearance_is_no_reason_not_to_ask_for_it() {
    let [push, other] = [530, 531];
    let annotation = |kind: &str, name: &str, entries: &str| {
        format!(
            "<< /Type /Annot /Subtype /Widget /FT /{kind} /T ({name}) /F 4 /Rect [300 600 400 620] /P {FIRST_PAGE} 0 R \
             /DA (/Helv 10 Tf) {entries} >>"
        )
    };
    let caption = "/Ff 65536 /MK << /CA (Reset) >>";
    let asked = |button: &str, value: &str| {
        let page = page(&format!("/Contents {CONTENT} 0 R"))
            .replace("/Annots [", &format!("/Annots [{push} 0 R {other} 0 R "));
        let fields = format!("{FIELD} 0 R {BUTTON} 0 R {push} 0 R {other} 0 R");
        let mut document = invoice();
        let added = Pdf::changes()
            .with(FIRST_PAGE, page)
            .with(push, annotation("Btn", "Reset", button))
            .with(other, annotation("Tx", "Other", value).replace("600 400 620", "500 400 520"))
            .with(FREE, look("Helvetica", "Other"));
        document.fields = fields.clone();
        let mut document = document.clone().updated(&document.with_catalog(added));
        document = document.signed(&Signing::by(Key::Ed25519).certifying(2));
        document.fields = format!("{fields}] /NeedAppearances true /PTEX.Unused [");
        let filled = Pdf::changes()
            .with(FIELD, filled(&format!("/V (Bob) /AP << /N {LOOK} 0 R >>")))
            .with(LOOK, look("Helvetica", "Bob"));
        let changes = document.with_catalog(filled);
        metadata(&document.updated(&changes).file).integrity
    };
    let shows_other = format!("/AP << /N {FREE} 0 R >>");
    for (button, value, expected) in [
        (caption, "/V (Max)", Verdict::PermittedChangesSinceSigning),
        (&format!("{caption} {shows_other}"), "", Verdict::Undetermined),
        (caption, &format!("/V (Max) {shows_other}"), Verdict::ChangedSinceSigning),
    ] {
        let answer = asked(button, value);
        assert_eq!(answer.verdict, expected, "{button} {value}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// As PyMuPDF draws a field again that has its value already.
#[test]
fn beside_an_appearance_that_shows_the_value_viewers_draw_nothing() {
    let given = |text: &str, entries: &str| {
        let document = invoice_with(&filled("/V (Ann)")).signed(&Signing::by(Key::Ed25519).certifying(2));
        let rest = "/Rect [72 600 172.126 620] /DA (0 g /Helv 0 Tf) /V (Ann)";
        let field = field(&format!("{rest} /AP << /N {FREE} 0 R >> {entries}"));
        let changes = Pdf::changes().with(FIELD, field).with(FREE, look("Helvetica", text));
        metadata(&document.updated(&changes).file).integrity
    };
    for (text, entries, is_permitted) in [
        ("Ann", "/BS << /S /S /W 1 >>", true),
        ("Ann", "/BS << /S /S /W 1 >> /Border [0 0 0]", true),
        ("Bob", "/BS << /S /S /W 1 >>", false),
        ("", "/BS << /S /S /W 40 >>", false),
    ] {
        let answer = given(text, entries);
        let is_clean = matches!(answer.verdict, Verdict::PermittedChangesSinceSigning | Verdict::UnchangedSinceSigning);
        assert_eq!(is_clean, is_permitted, "{text} {entries}: {} {:#?}", answer.summary, answer.signals);
    }
}

#[test]
fn the_same_mark_may_be_drawn_again() {
    let changes = |mark: &str| {
        let button = button(&format!("/AP << /N << /Yes {FREE} 0 R >> >>"));
        Pdf::changes().with(BUTTON, button).with(FREE, look("ZapfDingbats", mark))
    };
    assert_eq!(verdict(&changes("4")), Verdict::UnchangedSinceSigning);
    // words or paint that differ on the page are named
    assert_eq!(verdict(&changes("8")), Verdict::ChangedSinceSigning);
    let words = changes("4").with(FREE, look("Helvetica", "I do not agree"));
    assert_eq!(verdict(&words), Verdict::ChangedSinceSigning);
}

#[test]
fn an_empty_signature_field_shows_where_to_sign() {
    let with_field = |entries: &str, rectangle: &str, appearance: &[u8]| {
        let mut document = invoice().signed(&Signing::by(Key::Ed25519).certifying(2));
        document.fields = format!("{FIELD} 0 R {BUTTON} 0 R {FREE} 0 R");
        let field = format!(
            "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Later) /Rect {rectangle} /F 4 /P {FIRST_PAGE} 0 R {entries} >>"
        );
        let annotations = format!("/Annots [{FIELD} 0 R {BUTTON} 0 R {FREE} 0 R]");
        let page = page(&format!("/Contents {CONTENT} 0 R")).replacen(
            &format!("/Annots [{FIELD} 0 R {BUTTON} 0 R]"),
            &annotations,
            1,
        );
        let changes = document.with_catalog(Pdf::changes().with(FREE, field).with(FIRST_PAGE, page));
        let changes = if appearance.is_empty() { changes } else { changes.with(FREE + 1, appearance) };
        metadata(&document.updated(&changes).file).integrity
    };
    let box_entries = "/MK << /BC [0] /BG [1 1 1] >>";
    let own = format!("/AP << /N {} 0 R >>", FREE + 1);
    let drawn = |content: &[u8]| {
        let resources = "/Resources << /Font << /Helv << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>";
        stream(&format!("/Type /XObject /Subtype /Form /BBox [0 0 180 40] {resources}"), content)
    };
    let blank = "[300 100 480 140]";
    let permitted = Verdict::PermittedChangesSinceSigning;
    assert_eq!(with_field(box_entries, blank, b"").verdict, permitted);
    assert_eq!(with_field(&own, blank, &drawn(b"0.9 g 0 0 180 40 re f")).verdict, permitted);
    let frame = with_field(&own, blank, &drawn(b"0.5 w 0.5 0.5 179 39 re S"));
    assert_eq!(frame.verdict, permitted, "{:#?}", frame.signals);
    // a sign of its own: a cross, a line through everything, a dark field, and boxes like those to tick
    let small = "[300 100 309 109]";
    for (entries, rectangle, appearance) in [
        (&*own, blank, drawn(b"2 w 60 5 m 90 35 l S 60 35 m 90 5 l S")),
        (&own, blank, drawn(b"1.5 w 0 0 m 180 40 l S")),
        (&own, blank, drawn(b"0 g 1 1 178 38 re f")),
        (&own, small, drawn(b"1.2 w 0.6 0.6 178 38 re S")),
        ("/MK << /BC [0] >>", small, Vec::new()),
        ("/MK << /BG [0 0 0] >>", blank, Vec::new()),
    ] {
        let answer = with_field(entries, rectangle, &appearance);
        assert_eq!(answer.verdict, Verdict::Undetermined, "{entries} {rectangle}: {:#?}", answer.signals);
    }
    // a box over signed words, with words of its own, or with more than a box
    let over = "[60 690 300 720]";
    for (entries, rectangle, appearance) in [
        (box_entries, over, Vec::new()),
        (&own, over, drawn(b"1 g 0 0 180 40 re f")),
        (&own, blank, drawn(b"BT /Helv 12 Tf 2 2 Td (Approved) Tj ET")),
        (&own, blank, drawn(&b"0 0 9 9 re f ".repeat(9))),
    ] {
        let answer = with_field(entries, rectangle, &appearance);
        assert_eq!(answer.verdict, Verdict::ChangedSinceSigning, "{entries} {rectangle}: {:#?}", answer.signals);
    }
}

#[test]
fn a_signature_that_the_form_does_not_have_accuses_nobody() {
    let unlisted = |entries: &str| {
        let first = invoice().signed(&Signing::by(Key::Ed25519).certifying(2));
        let annotations = format!("[{FIELD} 0 R {BUTTON} 0 R {FREE} 0 R]");
        let page =
            page(&format!("/Contents {CONTENT} 0 R")).replacen(&format!("[{FIELD} 0 R {BUTTON} 0 R]"), &annotations, 1);
        let value = "<< /Type /Sig /Filter /F /SubFilter /adbe.pkcs7.detached /ByteRange [0 9 99 9] /Contents <30> >>";
        let field = format!("<< /Type /Annot /Subtype /Widget /FT /Sig /T (S) /V {} 0 R {entries} >>", FREE + 1);
        let changes = Pdf::changes().with(FIRST_PAGE, page).with(FREE, field).with(FREE + 1, value);
        metadata(&first.updated(&changes).file).integrity
    };
    // its value here is none, so that the file is changed anyway
    let id = engine::SignalId::ForbiddenChangeAfterSigning;
    let is_forbidden = |answer: &Integrity| answer.signals.iter().any(|signal| signal.id == id);
    let invisible = unlisted("/Rect [0 0 0 0] /F 132");
    assert!(!is_forbidden(&invisible), "{:#?}", invisible.signals);
    let look = format!("/Rect [300 100 480 140] /F 4 /AP << /N {LOOK} 0 R >>");
    assert!(is_forbidden(&unlisted(&look)));
}

#[test]
fn a_signature_that_only_its_page_has_is_judged_as_any() {
    let unlisted = |changes: Pdf| {
        let annotations = format!("[{FIELD} 0 R {BUTTON} 0 R {} 0 R]", field_number(0));
        let page =
            page(&format!("/Contents {CONTENT} 0 R")).replacen(&format!("[{FIELD} 0 R {BUTTON} 0 R]"), &annotations, 1);
        let own = Pdf::changes().with(FIRST_PAGE, page);
        let signing = Signing { is_listed: false, changes: own, ..Signing::by(Key::Ed25519) };
        metadata(&invoice().signed(&signing).updated(&changes).file).integrity
    };
    let filled = unlisted(Pdf::changes().with(FIELD, filled("/V (Bob)")));
    assert_eq!(filled.verdict, Verdict::PermittedChangesSinceSigning, "{:#?}", filled.signals);
    let page = unlisted(Pdf::changes().with_stream(CONTENT, "", b"BT /Helv 12 Tf 72 700 Td (Another) Tj ET"));
    assert_eq!(page.verdict, Verdict::ChangedSinceSigning, "{:#?}", page.signals);
}

#[test]
fn a_field_may_name_another_object_as_its_page() {
    let with_page = |page: u32| {
        let named = filled(&format!("/V (Ann) /AP << /N {LOOK} 0 R >>")).replacen(
            &format!("/P {FIRST_PAGE} 0 R"),
            &format!("/P {page} 0 R"),
            1,
        );
        let pdf = Pdf::new(1)
            .with(
                FIRST_PAGE,
                format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Annots [{FIELD} 0 R] >>"),
            )
            .with(FIELD, named)
            .with(LOOK, look("Helvetica", "Ann"));
        let document = with_fields(&pdf, format!("{FIELD} 0 R"));
        let signed = document.signed(&Signing::by(Key::Ed25519)).signed(&Signing::by(Key::P256).field("Second"));
        metadata(&signed.file).integrity.verdict
    };
    assert_eq!(with_page(FIRST_PAGE), Verdict::UnchangedSinceSigning);
    assert_eq!(with_page(CATALOG), Verdict::UnchangedSinceSigning);
    assert_eq!(with_page(PAGES), Verdict::UnchangedSinceSigning);
}
