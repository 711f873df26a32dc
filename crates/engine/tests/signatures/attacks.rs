//! Published attacks: what is broken is called so, and no file that was changed since is called unchanged.

use engine::{SignalId, SignatureStatus, Verdict};
use samples::pdf::{FIRST_PAGE, PAGES, Pdf};
use samples::signed::attacks::{Effect, all};
use samples::signed::{Key, SignedPdf, Signing};

use crate::support::metadata;

#[test]
fn published_attacks_are_seen() {
    let mut wrong = Vec::new();
    for attack in all() {
        let integrity = metadata(&attack.file).integrity;
        let is_broken = integrity.signatures.iter().any(|found| found.status == SignatureStatus::Broken);
        println!("{:50} {:?} {:?}", attack.name, integrity.verdict, integrity.because);
        let is_as_expected = !integrity.signatures.is_empty()
            && is_broken == (attack.effect == Effect::Broken)
            && match attack.effect {
                Effect::Broken | Effect::Forbidden => integrity.verdict == Verdict::ChangedSinceSigning,
                Effect::Gone => integrity.verdict == Verdict::Undetermined,
                Effect::ByTheLetter => integrity.verdict != Verdict::NoSigns,
            };
        if !is_as_expected {
            wrong.push((attack.name, integrity.verdict, integrity.signatures));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_hides_what_was_signed_is_told() {
    for name in ["shadow: hide", "shadow: replace", "shadow: hide and replace", "evil annotation", "sneaky signature"] {
        let attacks = all();
        let attack = attacks.iter().find(|attack| attack.name == name).expect("it is there");
        let integrity = metadata(&attack.file).integrity;
        assert_eq!(integrity.verdict, Verdict::ChangedSinceSigning, "{name}");
        let shadow = integrity.signals.iter().find(|signal| signal.id == SignalId::ShadowContent);
        assert!(
            shadow.is_some_and(|shadow| shadow.evidence[0].revision >= Some(3)),
            "{name}: {:#?}",
            integrity.signals
        );
    }
}

#[test]
fn only_what_lies_over_text_and_cannot_be_seen_through_hides_it() {
    const TEXT: &str = "60 690 300 720";
    const WHITE: &str = "60 90 300 120";
    let filled = "1 g 0 0 240 30 re f";
    const HIDES: Verdict = Verdict::ChangedSinceSigning;
    const CLEAR: Verdict = Verdict::PermittedChangesSinceSigning;
    // what can be seen through, and words on words
    const UNCLEAR: Verdict = Verdict::Undetermined;
    // 0.3 of the light is lost in each
    let layers = |count| "/Faint gs 1 g ".to_owned() + &"0 0 240 30 re f ".repeat(count);
    let (opaque, transparent) = (layers(7), layers(4));
    let cases = [
        ("/Subtype /Square", TEXT, filled, HIDES),
        ("/Subtype /Square", TEXT, &opaque, HIDES),
        ("/Subtype /Square", TEXT, &transparent, UNCLEAR),
        ("/Subtype /Square", WHITE, filled, CLEAR),
        ("/Subtype /Square", "60 690 506 0 R 720", filled, HIDES),
        ("/Subtype /Square", TEXT, "0 G 0 0 240 30 re S", CLEAR),
        ("/Subtype /Square", TEXT, "1 g 0 0 24 30 re f", HIDES),
        ("/Subtype /Highlight", TEXT, "/Multiply gs 1 1 0 rg 0 0 240 30 re f", CLEAR),
        ("/Subtype /Square", TEXT, "/Faint gs 1 1 0 rg 0 0 240 30 re f", UNCLEAR),
        ("/Subtype /Highlight", TEXT, "1 1 0 rg 0 0 240 30 re f", HIDES),
        ("/Subtype /Square", TEXT, "q 240 0 0 30 0 0 cm /Image Do Q", HIDES),
        ("/Subtype /Square /F 2", TEXT, filled, CLEAR),
        ("/Subtype /Stamp", TEXT, "", CLEAR),
        ("/Subtype /Stamp", TEXT, filled, HIDES),
        ("/Subtype /Stamp", WHITE, "", CLEAR),
        ("/Subtype /Text", "60 690 80 710", "1 g 0 0 240 30 re f", HIDES),
        ("/Subtype /Square", TEXT, "BT /F 12 Tf 12 10 Td (You pay 999) Tj ET", UNCLEAR),
        ("/Subtype /Square", TEXT, "BT /F 4 Tf 200 1 Td (a) Tj ET", CLEAR),
    ];
    let page = |annotations: &str| {
        format!(
            "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Contents 500 0 R /Annots [{annotations}] >>"
        )
    };
    let base = Pdf::new(1).with(FIRST_PAGE, page("")).with_compressed(
        500,
        "",
        b"q 1 0 0 1 72 0 cm BT /F 12 Tf 14 TL 0 714 Td T* (You pay 100) Tj ET Q",
    );
    let signed = SignedPdf::new(&base).signed(&Signing::by(Key::Ed25519).certifying(3));
    for (entries, rectangle, content, expected) in cases {
        let resources = "/Resources << /ExtGState << /Multiply << /BM /Multiply >> /Faint << /ca 0.3 >> >> \
                         /XObject << /Image 505 0 R >> >>";
        let form = format!("/Type /XObject /Subtype /Form /BBox [0 0 240 30] {resources}");
        let changes = Pdf::changes()
            .with(FIRST_PAGE, page("503 0 R"))
            .with(503, format!("<< /Type /Annot {entries} /Rect [{rectangle}] /AP << /N 504 0 R >> >>"))
            .with_stream(504, &form, content.as_bytes())
            .with_stream(505, "/Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8", b"x")
            .with(506, "300");
        let integrity = metadata(&signed.clone().updated(&changes).file).integrity;
        assert_eq!(integrity.verdict, expected, "{entries} {rectangle} {content}: {:?}", integrity.because);
    }
}

#[test]
fn filling_in_a_form_is_permitted_however_the_field_is_written_anew() {
    let field = |entries: &str| {
        format!(
            "<< /Type /Annot /Subtype /Widget /FT /Tx /T (Name) /Rect [72 600 172 620] /P {FIRST_PAGE} 0 R {entries} >>"
        )
    };
    let mut document = SignedPdf::new(&Pdf::new(1).with(500, field("/TU (Time) /Contents <FEFF00540069006D0065>")));
    document.fields = "500 0 R".to_owned();
    let signed = document.signed(&Signing::by(Key::Ed25519));
    let after =
        |entries: &str| metadata(&signed.clone().updated(&Pdf::changes().with(500, field(entries))).file).integrity;
    let filled = after("/TU <FEFF00540069006D0065> /Contents (Time) /Ff 0 /BS << /S /S /W 1 >> /Q 0 /V (Ann)");
    assert_eq!(filled.verdict, Verdict::PermittedChangesSinceSigning, "{:#?}", filled.signals);
    let described = after("/TU (Time) /Contents (Date) /V (Ann)");
    assert_ne!(described.verdict, Verdict::PermittedChangesSinceSigning, "{:#?}", described.signals);
    let renamed = after("/TU (Date) /V (Ann)");
    assert_eq!(renamed.verdict, Verdict::ChangedSinceSigning);
    let forbidden = renamed.signals.iter().find(|signal| signal.id == SignalId::ForbiddenChangeAfterSigning);
    assert_eq!(forbidden.and_then(|signal| signal.evidence[0].place.as_deref()), Some("Name /TU"));
}

#[test]
fn an_appearance_made_anew_is_permitted_where_it_plainly_shows_the_value() {
    const FONT: &str = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
    let boxed =
        |corner: u32, entries: &str| format!("/Type /XObject /Subtype /Form /BBox [{corner} 0 100 20] {entries}");
    let form = |entries: &str| boxed(0, entries);
    let fonts = |fonts: &str| format!("/Resources << /Font << /F {FONT} {fonts} >> >>");
    let embedded = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 503 0 R \
                    /FontDescriptor << /Flags 32 /FontFile 504 0 R >> >>";
    let field = format!(
        "<< /Type /Annot /Subtype /Widget /FT /Tx /T (Sum) /V (Total 66) /Rect [72 600 172 620] /P {FIRST_PAGE} 0 R \
         /AP << /N 501 0 R >> >>"
    );
    let page = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Annots [500 0 R] >>");
    let old = "/Tx BMC BT /F 8 Tf 2 5 Td (Total 66) Tj ET EMC";
    let base = Pdf::new(1).with(FIRST_PAGE, page).with(500, field).with_stream(501, &form(&fonts("")), old.as_bytes());
    let mut document = SignedPdf::new(&base);
    document.fields = "500 0 R".to_owned();
    let signed = document.signed(&Signing::by(Key::Ed25519));
    let cases = [
        ("in another size", fonts(""), "/Tx BMC BT /F 12 Tf 2 5 Td (Total 66) Tj ET EMC", true),
        ("in two pieces", fonts(""), "BT /F 9 Tf 2 5 Td (Total ) Tj [(6) 20 (6)] TJ ET", true),
        (
            "upon a ground with a border",
            fonts(""),
            "1 g 0 0 100 20 re f 0 G 0 0 100 20 re S BT 0 g /F 9 Tf 2 5 Td (Total 66) Tj ET",
            true,
        ),
        ("another text", fonts(""), "BT /F 8 Tf 2 5 Td (Total 99) Tj ET", false),
        ("more text", fonts(""), "BT /F 8 Tf 2 5 Td (Total 66,000) Tj ET", false),
        ("nothing", fonts(""), "", false),
        ("painted over", fonts(""), "BT /F 8 Tf 2 5 Td (Total 66) Tj ET 1 g 0 0 100 20 re f", false),
        ("letters drawn as paths", fonts(""), "2 2 m 9 9 l S BT /F 8 Tf 2 5 Td (Total 66) Tj ET", false),
        ("white upon white", fonts(""), "1 g BT /F 8 Tf 2 5 Td (Total 66) Tj ET", false),
        ("dark upon dark", fonts(""), "0 g 0 0 100 20 re f BT /F 8 Tf 2 5 Td (Total 66) Tj ET", false),
        ("in a mode that paints nothing", fonts(""), "BT 3 Tr /F 8 Tf 2 5 Td (Total 66) Tj ET", false),
        ("too small to be read", fonts(""), "BT /F 1 Tf 2 5 Td (Total 66) Tj ET", false),
        ("out of sight", fonts(""), "BT /F 8 Tf 90 5 Td (Total 66) Tj ET", false),
        ("upside down", fonts(""), "BT /F 8 Tf -1 0 0 -1 60 15 Tm (Total 66) Tj ET", false),
        ("letters that change places", fonts(""), "BT /F 8 Tf 2 5 Td [(Total 6) 2000 (6)] TJ ET", false),
        ("one upon the other", fonts(""), "BT /F 8 Tf 2 5 Td (Total 66) Tj 0 0 Td (Total 66) Tj ET", false),
        (
            "by a text that stands for it",
            fonts(""),
            "/Span << /ActualText (Total 66) >> BDC BT /F 8 Tf 2 5 Td (Total 99) Tj ET EMC",
            false,
        ),
        ("in a font that says so", fonts(&format!("/G {embedded}")), "BT /G 8 Tf 2 5 Td (Total 66) Tj ET", false),
        (
            "with an image",
            format!("{} /XObject << /I 505 0 R >> >>", fonts("").trim_end_matches(" >>")),
            "/I Do BT /F 8 Tf 2 5 Td (Total 66) Tj ET",
            false,
        ),
    ];
    // forms that are none, or that are drawn otherwise than they are written
    let whole = form(&fonts(""));
    let odd =
        [whole.replace("/Form", "/Formx"), boxed(50, &fonts("")), form(&(fonts("") + " /Matrix [1 0 0.5 1 0 0]"))];
    let odd = odd.into_iter().map(|entries| ("an odd form", entries, old.replace('8', "9"), false));
    let cases = cases
        .into_iter()
        .map(|(name, resources, content, is_permitted)| (name, form(&resources), content.to_owned(), is_permitted));
    for (name, entries, content, is_permitted) in cases.chain(odd) {
        let changes = Pdf::changes().with_stream(501, &entries, content.as_bytes());
        let integrity = metadata(&signed.clone().updated(&changes).file).integrity;
        let expected = if is_permitted { Verdict::PermittedChangesSinceSigning } else { Verdict::ChangedSinceSigning };
        assert_eq!(integrity.verdict, expected, "{name}: {:#?}", integrity.signals);
    }
}
