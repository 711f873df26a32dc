//! Encrypted files that are signed: which streams are encrypted follows from their places, and what cannot be decrypted
//! is not understood.

use engine::Verdict;
use samples::pdf::{Cipher, FIRST_PAGE, Form, Pdf, encrypted_object, stream};
use samples::signed::{Key, SignedPdf, Signing};

use crate::bill::*;
use crate::support::encrypt;

const COVER: &str = "1 g 0 0 100 20 re f";
/// Places over the amount and on empty ground.
const OVER: &str = "/Rect [160 695 260 715]";
const BESIDE: &str = "/Rect [400 300 500 320]";

/// A signed bill that permits notes, encrypted, with these further objects.
fn signed(cipher: Cipher, others: impl FnOnce(Pdf) -> Pdf) -> SignedPdf {
    signed_with(cipher, "", others)
}

/// The same with these entries of the catalog.
fn signed_with(cipher: Cipher, catalog: &str, others: impl FnOnce(Pdf) -> Pdf) -> SignedPdf {
    let mut document = bill("", |pdf| others(pdf.with(MARK, look([9, 14], ""))));
    catalog.clone_into(&mut document.catalog);
    encrypt(&mut document, cipher);
    document.signed(&Signing::by(Key::Ed25519).certifying(3))
}

/// The verdict after a note with this appearance, as an encrypted file has it, was added there.
fn noted(document: &SignedPdf, place: &str, look: impl AsRef<[u8]>, form: Form) -> (Verdict, String) {
    let note = format!("<< /Type /Annot /Subtype /Stamp /F 4 {place} /AP << /N {} 0 R >> >>", NEW + 1);
    let page = page(&format!("{NEW} 0 R"));
    let changes = Pdf::changes().with(FIRST_PAGE, page).with(NEW, note).with(NEW + 1, look);
    let changes = changes.trailer(&document.trailer);
    verdict(&changes.update_as(document.file.clone(), form))
}

fn encrypted_look(content: &str, cipher: Cipher) -> Vec<u8> {
    encrypted_object(NEW + 1, look([100, 20], content), cipher)
}

#[test]
fn an_appearance_is_decrypted_whatever_type_it_states() {
    for cipher in [Cipher::Rc4Of128, Cipher::Aes128, Cipher::Aes256, Cipher::Aes256ClearMetadata] {
        let document = signed(cipher, |pdf| pdf);
        let cover = encrypted_look(COVER, cipher);
        for kind in ["XObject", "XRef", "Metadata"] {
            let cover = replaced(&cover, "/Type/XObject", &format!("/Type/{kind}"));
            let (found, summary) = noted(&document, OVER, &cover, Form::Table);
            assert_eq!(found, CHANGED, "{cipher:?} {kind}: {summary}");
        }
        for form in [Form::Table, Form::Stream] {
            let (found, summary) = noted(&document, BESIDE, encrypted_look(COVER, cipher), form);
            assert_eq!(found, PERMITTED, "{cipher:?} {form:?}: {summary}");
        }
    }
}

fn replaced(bytes: &[u8], old: &str, new: &str) -> Vec<u8> {
    let at = bytes.windows(old.len()).position(|window| window == old.as_bytes()).expect("it is there");
    [&bytes[..at], new.as_bytes(), &bytes[at + old.len()..]].concat()
}

/// An appearance that draws a form of the signed file.
fn encrypted_form(cipher: Cipher) -> Vec<u8> {
    let resources = format!("/Resources << /XObject << /X {} 0 R >> >>", NEW + 5);
    let dictionary = format!("/Type /XObject /Subtype /Form /BBox [0 0 100 20] {resources}");
    encrypted_object(NEW + 1, stream(&dictionary, b"/X Do"), cipher)
}

#[test]
fn clear_metadata_that_an_appearance_draws_are_not_understood() {
    let cipher = Cipher::Aes256ClearMetadata;
    for (catalog, expected) in [("", PERMITTED), ("/Metadata 905 0 R", UNKNOWN)] {
        let document = signed_with(cipher, catalog, |pdf| pdf.with(NEW + 5, look([100, 20], "q Q")));
        let (found, summary) = noted(&document, BESIDE, encrypted_form(cipher), Form::Table);
        assert_eq!(found, expected, "{catalog}: {summary}");
    }
}

#[test]
fn an_appearance_with_a_crypt_filter_is_not_understood() {
    for cipher in [Cipher::Rc4Of128, Cipher::Aes128, Cipher::Aes256] {
        for filter in [
            "/Filter /Crypt",
            "/Filter /Crypt /DecodeParms << /Name /Identity >>",
            "/Filter [/Crypt] /DecodeParms [<< /Name /StdCF >>]",
            "/Filter [/Crypt] /DecodeParms [<< /Name /Unknown >>]",
        ] {
            let clear = String::from_utf8(look([100, 20], "q Q")).expect("text");
            let clear = clear.replace("/Type /XObject", &format!("/Type /XObject {filter}"));
            let (found, summary) = noted(&signed(cipher, |pdf| pdf), BESIDE, &clear, Form::Table);
            assert_eq!(found, UNKNOWN, "{cipher:?} {filter}: {summary}");
            assert!(summary.contains("viewers decrypt"), "{cipher:?} {filter}: {summary}");
            // in the signed file, and drawn by what was added
            let document = signed(cipher, |pdf| pdf.with(NEW + 5, &clear));
            let look = encrypted_form(cipher);
            let (found, summary) = noted(&document, BESIDE, &look, Form::Table);
            assert_eq!(found, UNKNOWN, "{cipher:?} {filter}: {summary}");
        }
    }
}

#[test]
fn a_value_that_cannot_be_decrypted_is_not_understood() {
    for cipher in [Cipher::Aes128, Cipher::Aes256] {
        let filled = |damage: &dyn Fn(&str) -> String| {
            let entries = format!("/FT /Tx /V <39373030> /Rect [72 500 172 520] /AP << /N {VALUE} 0 R >>");
            let field = encrypted_object(FIELD, field(FIELD, &entries), cipher);
            let start = field.windows(3).position(|window| window == b"/V<").expect("a value") + 3;
            let end = start + field[start..].iter().position(|byte| *byte == b'>').expect("an end");
            let digits = damage(std::str::from_utf8(&field[start..end]).expect("digits"));
            let field = [&field[..start], digits.as_bytes(), &field[end..]].concat();
            let shown = look([100, 20], "/Tx BMC BT /F 12 Tf 2 5 Td (9700) Tj ET EMC");
            let changes = Pdf::changes().with(FIELD, field).with(VALUE, encrypted_object(VALUE, shown, cipher));
            let document = signed(cipher, |pdf| pdf);
            let changes = changes.trailer(&document.trailer);
            verdict(&changes.update(document.file))
        };
        assert_eq!(filled(&|digits| digits.to_owned()).0, PERMITTED, "{cipher:?}");
        for damage in [
            // the vector alone, a part of a block, another padding
            &|digits: &str| digits[..32].to_owned(),
            &|digits: &str| digits[..10].to_owned(),
            &|digits: &str| {
                let last = if &digits[30..32] == "00" { "01" } else { "00" };
                format!("{}{last}{}", &digits[..30], &digits[32..])
            },
        ] as [&dyn Fn(&str) -> String; 3]
        {
            let (found, summary) = filled(damage);
            assert_eq!(found, UNKNOWN, "{cipher:?}: {summary}");
        }
    }
}

#[test]
fn an_encryption_dictionary_may_be_written_again_with_the_same_values() {
    let document = signed(Cipher::Aes128, |pdf| pdf);
    let text = String::from_utf8_lossy(&document.file).into_owned();
    let (number, _) = text.split_once("/Encrypt ").and_then(|(_, rest)| rest.split_once(' ')).expect("a reference");
    let at = |from: usize, word: &str| {
        let mut words = document.file[from..].windows(word.len());
        from + words.position(|window| window == word.as_bytes()).expect("it is there")
    };
    let header = format!("\n{number} 0 obj");
    let start = at(0, &header) + header.len();
    let dictionary = &document.file[start..at(start, "endobj")];
    let number = number.parse().expect("a number");
    let again = |dictionary: &[u8]| {
        let changes = Pdf::changes().with(number, dictionary).trailer(&document.trailer);
        verdict(&changes.update_as(document.file.clone(), Form::Table))
    };
    let (found, summary) = again(dictionary);
    assert_eq!(found, Verdict::UnchangedSinceSigning, "{summary}");
    let (found, summary) = again(&replaced(dictionary, "<<", "<< /Note (another)"));
    assert_eq!(found, CHANGED, "{summary}");
}

/// The verdict after the bill's content and the value's appearance were written again like this.
fn rewritten(cipher: Cipher, content: Vec<u8>, look: Vec<u8>) -> (Verdict, String) {
    let document = signed(cipher, |pdf| pdf);
    let changes = Pdf::changes().with(CONTENT, content).with(VALUE, look).trailer(&document.trailer);
    verdict(&changes.update(document.file))
}

/// The object, encrypted once more, with this replacement in its data and with these entries.
fn again(number: u32, cipher: Cipher, (old, new): (&str, &str), is_compressed: bool) -> Vec<u8> {
    let signed = bill("", |pdf| pdf).file;
    let text = String::from_utf8(signed_object(&signed, number)).expect("text");
    let (head, rest) = text.split_once("stream\n").expect("a stream");
    let data = rest.rsplit_once("\nendstream").expect("an end").0.replace(old, new);
    let head = head.trim().trim_start_matches("<<").trim_end_matches(">>");
    let head: String = match head.split_once("/Length") {
        Some((before, after)) => {
            format!("{before} {}", after.trim_start().trim_start_matches(|digit: char| digit.is_ascii_digit()))
        }
        None => head.to_owned(),
    };
    let object = if is_compressed {
        stream(&format!("{head} /Filter /FlateDecode"), &samples::pdf::deflate(data.as_bytes()))
    } else {
        stream(&head, data.as_bytes())
    };
    encrypted_object(number, object, cipher)
}

fn signed_object(file: &[u8], number: u32) -> Vec<u8> {
    let find = |word: &str, from: usize| {
        let found = file[from..].windows(word.len()).position(|window| window == word.as_bytes());
        from + found.expect("it is there")
    };
    let header = format!("\n{number} 0 obj\n");
    let start = find(&header, 0) + header.len();
    file[start..find("\nendobj", start)].to_vec()
}

#[test]
fn streams_are_compared_by_what_they_decrypt_and_decode_to() {
    let same = ("Tj", "Tj");
    for cipher in [Cipher::Rc4Of128, Cipher::Aes128, Cipher::Aes256] {
        for is_compressed in [false, true] {
            let [content, look] = [CONTENT, VALUE].map(|number| again(number, cipher, same, is_compressed));
            let (found, summary) = rewritten(cipher, content, look);
            assert_eq!(found, Verdict::UnchangedSinceSigning, "{cipher:?} {is_compressed}: {summary}");
            let content = again(CONTENT, cipher, ("1,250", "9,250"), is_compressed);
            let look = again(VALUE, cipher, same, is_compressed);
            let (found, summary) = rewritten(cipher, content, look);
            assert_ne!(found, Verdict::UnchangedSinceSigning, "{cipher:?} {is_compressed}: {summary}");
            assert_ne!(found, PERMITTED, "{cipher:?} {is_compressed}: {summary}");
        }
        // a type for which some viewers do not decrypt
        let typed = replaced(&again(VALUE, cipher, same, true), "/Type/XObject", "/Type/XRef");
        let (found, summary) = rewritten(cipher, again(CONTENT, cipher, same, true), typed);
        assert!(found != Verdict::UnchangedSinceSigning && found != PERMITTED, "{cipher:?}: {summary}");
    }
}
