//! Values and texts that viewers draw themselves: they are understood where all viewers draw the same.

use engine::{Integrity, Verdict};
use samples::pdf::{FIRST_PAGE, PAGES, Pdf, stream, utf16};
use samples::signed::{Key, SignedPdf, Signing};

use crate::support::metadata;

/// The page's content, the form's field, and what is free for an update.
const CONTENT: u32 = 500;
const FIELD: u32 = 510;
const OTHER: u32 = 511;
const LOOK: u32 = 512;
const FREE: u32 = 900;

/// A field with a default appearance; later entries replace nothing.
fn field(name: &str, kind: &str, entries: &str) -> String {
    let bottom = if name == "Name" { 600 } else { 500 };
    format!(
        "<< /Type /Annot /Subtype /Widget /FT /{kind} /T ({name}) /P {FIRST_PAGE} 0 R \
         /Rect [72 {bottom} 172 {}] {entries} >>",
        bottom + 20
    )
}

fn signed(fields: [&str; 2], form: &str) -> SignedPdf {
    signed_with(fields, form, "Ann")
}

/// The form with these fields and entries, and an appearance that shows a text.
fn signed_with(fields: [&str; 2], form: &str, shown: &str) -> SignedPdf {
    let page = format!(
        "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Resources << >> /Contents {CONTENT} 0 R \
         /Annots [{FIELD} 0 R {OTHER} 0 R] >>"
    );
    let [one, other] = fields;
    let pdf = Pdf::new(1)
        .with(FIRST_PAGE, page)
        .with_stream(CONTENT, "", b"")
        .with(FIELD, one)
        .with(OTHER, other)
        .with(LOOK, look(shown));
    let mut document = SignedPdf::new(&pdf);
    document.fields = format!("{FIELD} 0 R {OTHER} 0 R] {form} /PTEX.Unused [");
    document.signed(&Signing::by(Key::Ed25519).certifying(2))
}

fn look(text: &str) -> Vec<u8> {
    let content = format!("BT /Helv 10 Tf 2 2 Td ({text}) Tj ET");
    let resources = "/Resources << /Font << /Helv << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>";
    stream(&format!("/Type /XObject /Subtype /Form /BBox [0 0 100 20] {resources}"), content.as_bytes())
}

const HELV: &str = "/Helv << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";
const DARK: &str = "/DA (0 g /Helv 10 Tf)";

/// After a field of this kind, with these entries, was filled in without an appearance.
fn filled(kind: &str, entries: &str, value: &str) -> Integrity {
    let other = field("Other", "Tx", DARK);
    let document = signed([&field("Name", kind, entries), &other], &format!("/DR << /Font << {HELV} >> >>"));
    let changes = Pdf::changes().with(FIELD, field("Name", kind, &format!("{entries} {value}")));
    metadata(&document.updated(&changes).file).integrity
}

#[test]
fn a_value_is_understood_if_all_viewers_draw_it() {
    let permitted = Verdict::PermittedChangesSinceSigning;
    for (entries, value) in [
        (DARK, "/V (1,250.00)"),
        (DARK, "/V (Zo\\353)"),
        ("/DA (0 0 0.5 rg /Helv 0 Tf)", "/V (A text that is longer than its field)"),
        ("/DA (0 g /Helv 7 Tf) /Ff 4096", "/V (Two\nlines)"),
        (DARK, "/V (MAXIMUM 100000)"),
        ("/DA (1 g /Helv 10 Tf) /MK << /BG [0] >>", "/V (Bob)"),
        ("/DA (0 g /Helv 10 Tf) /MaxLen 3", "/V (Bob)"),
    ] {
        let answer = filled("Tx", entries, value);
        assert_eq!(answer.verdict, permitted, "{entries} {value}: {}", answer.summary);
    }
    let minus = format!("/V {}", utf16("\u{2212}250"));
    for (entries, value) in [
        (DARK, &*minus),
        // viewers take the first or the last of two
        ("/DA (/ZaDb 10 Tf /Helv 10 Tf 0 g)", "/V (Bob)"),
        ("/DA (/Helv 1 Tf /Helv 10 Tf 0 g)", "/V (Bob)"),
        ("/DA (1 1 1 rg /Helv 10 Tf 0 g)", "/V (Bob)"),
        ("/DA (1 0 g /Helv 10 Tf)", "/V (Bob)"),
        // wide letters, and lines that end below the field
        (DARK, "/V (MAXIMUM EUR 100000)"),
        ("/DA (0 g /Helv 10 Tf) /BS << /W 12 >>", "/V (MAXIMUM 100000)"),
        ("/DA (0 g /Helv 8 Tf) /Ff 4096", "/V (Two\nlines)"),
        ("/DA (1 g /Helv 10 Tf)", "/V (Bob)"),
        ("/DA (0 g /Helv 1 Tf)", "/V (Bob)"),
        ("/DA (0 g /Helv 30 Tf)", "/V (Bob)"),
        ("/DA (0 g /Helv 10 Tf 3 Tr)", "/V (Bob)"),
        ("/DA (0 g /Own 10 Tf)", "/V (Bob)"),
        ("/DA (0 g /Helv 10 Tf) /MaxLen 2", "/V (Bob)"),
        ("/DA (0 g /Helv 10 Tf) /MK << /R 90 >>", "/V (Bob)"),
        (DARK, "/V (1,250.00 EUR of the total of 9,250.00 EUR)"),
        // lines that a field of one line does not show
        (DARK, "/V (1,250.00\r\nper day)"),
        (DARK, "/V (1,250.00\tper day)"),
        ("/DA (0 g /Helv 0 Tf) /Ff 4096", "/V (1,250.00\r\nper day)"),
    ] {
        let answer = filled("Tx", entries, value);
        assert_eq!(answer.verdict, Verdict::Undetermined, "{entries} {value}");
        assert!(answer.summary.contains("of the form field “Name” differently"), "{}", answer.summary);
    }
}

#[test]
fn a_rich_text_is_understood_if_it_is_drawn_as_the_value() {
    let rich = |markup: &str| filled("Tx", DARK, &format!("/V (9,250) /RV ({markup})"));
    for plain in [
        "<body><p>9,250</p></body>",
        "<?xml version=\"1.0\"?><body xmlns=\"http://www.w3.org/1999/xhtml\" \
         xmlns:xfa=\"http://www.xfa.org/schema/xfa-data/1.0/\" xfa:APIVersion=\"Acrobat:11.0.0\" xfa:spec=\"2.0.2\" \
         style=\"font-size:10.0pt;text-align:left;color:#000000;font-weight:normal;font-family:Helvetica,sans-serif\">\
         <p dir=\"ltr\"><span style=\"font-family:Helvetica\">9,250</span></p></body>",
    ] {
        let answer = rich(plain);
        assert_eq!(answer.verdict, Verdict::PermittedChangesSinceSigning, "{plain}: {}", answer.summary);
    }
    for styled in [
        "<body><p>9<span style=\"display:none\">,250</span></p></body>",
        "<body><p><span style=\"font-size:0pt\">9,</span>250</p></body>",
        "<body><p><span style=\"color:#ffffff\">9,</span>250</p></body>",
        "<body><p style=\"margin-left:500pt\">9,250</p></body>",
        "<body dir=\"rtl\"><p>9,250</p></body>",
        "<body><p><bdo dir=\"rtl\">9,250</bdo></p></body>",
        "<body><ol start=\"1\"><li>9,250</li></ol></body>",
        "<body><p>9,250</p><p>0</p></body>",
        "9,250",
    ] {
        assert_eq!(rich(styled).verdict, Verdict::Undetermined, "{styled}");
    }
    // one that says another value than the one that was filled in
    let old = format!("{DARK} /RV (<body><p>1</p></body>)");
    assert_eq!(filled("Tx", &old, "/V (9,250)").verdict, Verdict::Undetermined);
}

#[test]
fn an_option_is_understood_if_it_is_the_only_one_of_its_name() {
    let plain = format!("{DARK} /Ff 131072 /Opt [(Gold) (Silver)]");
    let swapped = format!("{DARK} /Ff 131072 /Opt [[(Gold) (Silver)] [(Silver) (Gold)]]");
    assert_eq!(filled("Ch", &plain, "/V (Silver) /I [1]").verdict, Verdict::PermittedChangesSinceSigning);
    assert_eq!(filled("Ch", &plain, "/V (Silver) /I [0]").verdict, Verdict::Undetermined);
    assert_eq!(filled("Ch", &plain, "/V (Silver) /TI 1").verdict, Verdict::Undetermined);
    assert_eq!(filled("Ch", &swapped, "/V (Silver)").verdict, Verdict::Undetermined);
}

/// After the form gained this font.
fn gained(fields: [&str; 2], font: &str) -> Verdict {
    let mut document = signed(fields, &format!("/DR << /Font << {HELV} >> >>"));
    let program = "/FontDescriptor << /Type /FontDescriptor /FontName /Own /Flags 32 >>";
    let descriptor = font.replace("PROGRAM", program);
    document.fields = format!("{FIELD} 0 R {OTHER} 0 R] /DR << /Font << {HELV} {descriptor} >> >> /PTEX.Unused [");
    let changes = document.with_catalog(Pdf::changes());
    metadata(&document.updated(&changes).file).integrity.verdict
}

#[test]
fn a_font_that_the_form_gains_is_not_one_that_viewers_draw_with() {
    let named = field("Name", "Tx", "/DA (0 g /Own 10 Tf) /V (1250)");
    let shown = field("Name", "Tx", &format!("/DA (0 g /Own 10 Tf) /V (1250) /AP << /N {LOOK} 0 R >>"));
    let other = field("Other", "Tx", DARK);
    let button = field("Other", "Btn", "/Ff 65536 /DA (0 g /Own 10 Tf) /MK << /CA (Pay 1250) >>");
    let own = "/Own << /Type /Font /Subtype /TrueType /BaseFont /Own PROGRAM >>";
    let standard = "/Own << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
    assert_eq!(gained([&shown, &other], own), Verdict::PermittedChangesSinceSigning);
    assert_eq!(gained([&named, &other], own), Verdict::Undetermined);
    assert_eq!(gained([&shown, &button], own), Verdict::Undetermined);
    assert_eq!(gained([&named, &button], standard), Verdict::PermittedChangesSinceSigning);
}

/// Viewers look for some fonts by names of their own.
#[test]
fn a_font_that_the_form_gains_draws_what_its_name_says() {
    let gained = |entries: [&str; 2], had: &str, name: &str, base: &str| {
        let fields = [field("Name", "Tx", entries[0]), field("Other", "Btn", entries[1])];
        let mut document = signed([&fields[0], &fields[1]], &format!("/DR << /Font << {had} >> >>"));
        let font = format!("/{name} << /Type /Font /Subtype /Type1 /BaseFont /{base} >>");
        document.fields = format!("{FIELD} 0 R {OTHER} 0 R] /DR << /Font << {had} {font} >> >> /PTEX.Unused [");
        let changes = document.with_catalog(Pdf::changes());
        metadata(&document.updated(&changes).file).integrity.verdict
    };
    const OTHER_FONT: &str = "/Other << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
    const VALUE: &str = "/DA (0 g /Helv 10 Tf) /V (1,250.00)";
    const TICKED: &str = "/V /Yes /AS /Yes";
    let [permitted, unknown] = [Verdict::PermittedChangesSinceSigning, Verdict::Undetermined];
    assert_eq!(gained([VALUE, ""], OTHER_FONT, "Helv", "Helvetica"), permitted);
    assert_eq!(gained([VALUE, ""], OTHER_FONT, "Helv", "ZapfDingbats"), unknown);
    assert_eq!(gained([VALUE, ""], OTHER_FONT, "Helv", "Courier-Bold"), unknown);
    let digits = "Helvetica /Encoding << /Type /Encoding /Differences [49 /nine] >>";
    let quotes = "Helvetica /Encoding << /Type /Encoding /Differences [39 /quotesingle 48 /zero /one] >>";
    assert_eq!(gained([VALUE, ""], OTHER_FONT, "Helv", digits), unknown);
    assert_eq!(gained([VALUE, ""], OTHER_FONT, "Helv", quotes), permitted);
    // viewers draw without a default appearance as well
    assert_eq!(gained(["/V (1,250.00)", ""], OTHER_FONT, "Helv", "ZapfDingbats"), unknown);
    assert_eq!(gained(["", TICKED], HELV, "ZaDb", "ZapfDingbats"), permitted);
    assert_eq!(gained(["", TICKED], HELV, "ZaDb", "Helvetica"), unknown);
    assert_eq!(gained(["", "/MK << /CA (4) >> /V /Yes /AS /Yes"], HELV, "ZaDb", "Helvetica"), unknown);
}

#[test]
fn a_number_that_a_field_showed_without_a_value_does_not_vanish() {
    let replaced = |kind: &str, prompt: &str| {
        let shown = format!("{DARK} /AP << /N {LOOK} 0 R >>");
        let fields = [&field("Name", kind, &shown), &field("Other", "Tx", DARK)];
        let document = signed_with(fields.map(String::as_str), "", prompt);
        let changes = Pdf::changes().with(FIELD, field("Name", kind, &format!("{shown} /V (Bob)")));
        metadata(&document.updated(&changes.with(LOOK, look("Bob"))).file).integrity.verdict
    };
    assert_eq!(replaced("Tx", "Your name"), Verdict::PermittedChangesSinceSigning);
    assert_eq!(replaced("Tx", "at most 5,000"), Verdict::Undetermined);
}

#[test]
fn a_private_key_that_a_viewer_reads_is_not_understood() {
    let noted = |key: &str| {
        let document = signed([&field("Name", "Tx", DARK), &field("Other", "Tx", DARK)], "");
        let changes = Pdf::changes().with(FIELD, field("Name", "Tx", &format!("{DARK} /{key} true")));
        metadata(&document.updated(&changes.with(FREE, "null")).file).integrity.verdict
    };
    assert_eq!(noted("ACME_Checked"), Verdict::UnchangedSinceSigning);
    assert_eq!(noted("PDFIUM_HasGeneratedAP"), Verdict::Undetermined);
}
