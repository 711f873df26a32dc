//! Two files side by side: which words, pages and metadata differ, and what cannot be told.

use std::time::Duration;

use bytes::Bytes;
use engine::{Comparison, ExaminedContent, Failure, Memory, Options, Reason, Relation, Side, compare};
use samples::pdf::{FIRST_PAGE, Pdf};

/// The object with what the first page shows; others follow.
const CONTENT: u32 = 2_000;

/// A document of these pages, each of these lines.
fn document(pages: &[&[&str]]) -> Pdf {
    let mut pdf = Pdf::new(pages.len() as u32).info("/Title (Contract)");
    for (number, lines) in (0..).zip(pages) {
        let shown: String =
            (1..).zip(*lines).map(|(line, text)| format!("1 0 0 1 40 {} Tm ({text}) Tj ", 800 - 20 * line)).collect();
        let page = format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {} 0 R /Resources << /Font << /F << /Type /Font \
             /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
            CONTENT + number
        );
        pdf = pdf.with(FIRST_PAGE + number, page);
        pdf = pdf.with_stream(CONTENT + number, "", format!("BT /F 10 Tf {shown} ET").as_bytes());
    }
    pdf
}

/// A page of these texts at their places, painted in this order.
fn placed(texts: &[(i32, i32, String)]) -> Vec<u8> {
    let shown: String = texts.iter().map(|(x, y, text)| format!("1 0 0 1 {x} {y} Tm ({text}) Tj ")).collect();
    document(&[&[]]).with_stream(CONTENT, "", format!("BT /F 10 Tf {shown} ET").as_bytes()).classic()
}

fn compared(before: &[u8], after: &[u8]) -> Comparison {
    let [before, after] = [before, after].map(|file| Memory(Bytes::copy_from_slice(file)));
    compare((&before, None), (&after, None), &Options::default()).expect("both open")
}

/// `page: before > after` of each difference.
fn words(compared: &Comparison) -> Vec<String> {
    let told = compared.words.iter().map(|change| {
        let text = |side: &Option<engine::PlacedWords>| side.as_ref().map_or("", |words| &words.text).to_owned();
        let page = change.after.as_ref().or(change.before.as_ref()).map_or(0, |words| words.page);
        format!("{page}: {} > {}", text(&change.before), text(&change.after))
    });
    told.collect()
}

const TERMS: &[&str] = &["The price is 1,250.00 EUR", "to be paid by 12.03.2024", "in one sum and no other"];
const END: &[&str] = &["Signed in Berlin", "by both of them"];

#[test]
fn words_that_differ_are_told_with_their_places() {
    let before = document(&[TERMS, END]).classic();
    let other = ["The price is 9,250.00 EUR", "to be paid by 12.03.2024", "in one sum and not any other"];
    let found = compared(&before, &document(&[&other, END]).compressed());
    assert_eq!(found.relation, Some(Relation::SameDocument));
    assert_eq!(words(&found), ["1: 1,250.00 > 9,250.00", "1: no > not any"]);
    assert_eq!((found.words_total, found.examined, found.too_different), (2, ExaminedContent::All, false));
    let after = found.words[0].after.as_ref().unwrap();
    assert_eq!(after.line, other[0]);
    let [left, bottom, right, top] = after.r#box.corners();
    assert!(left > 80.0 && right < 200.0 && bottom > 770.0 && top < 800.0, "{left} {bottom} {right} {top}");
}

#[test]
fn the_same_written_anew_shows_no_differences() {
    let before = document(&[TERMS, END]);
    assert_eq!(compared(&before.classic(), &before.classic()).relation, Some(Relation::Identical));
    // pieces of words and another order of painting are a writer's own business
    let mut anew = document(&[TERMS, END]);
    let pieces = "BT /F 10 Tf 1 0 0 1 40 760 Tm (to be paid by 12.03) Tj (.2024) Tj 1 0 0 1 40 740 Tm (in one sum and no other) Tj \
                  1 0 0 1 40 780 Tm [(The pr) 1 (ice) -278 (is 1,250.00 EUR)] TJ ET";
    anew = anew.with_stream(CONTENT, "", pieces.as_bytes());
    let found = compared(&before.classic(), &anew.classic());
    assert_eq!(words(&found), Vec::<String>::new());
    assert_eq!(found.relation, Some(Relation::SameDocument));
}

#[test]
fn pages_come_go_and_move() {
    let third: &[&str] = &["An annex of its own", "with quite other words"];
    let before = document(&[TERMS, third, END]).classic();
    let found = compared(&before, &document(&[TERMS, END]).classic());
    assert_eq!((found.pages_removed.as_slice(), found.pages, words(&found).len()), (&[2][..], [3, 2], 0));
    let found = compared(&document(&[TERMS, END]).classic(), &before);
    assert_eq!(found.pages_added, [2]);
    let found = compared(&before, &document(&[third, TERMS, END]).classic());
    assert_eq!((found.pages_moved.len(), words(&found).len()), (1, 0));
}

#[test]
fn text_that_flows_on_to_the_next_page_is_the_same_text() {
    let lines: Vec<String> = (0..60).map(|line| format!("line {line} of a letter that goes on")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let mut longer = lines.clone();
    longer.insert(10, "and something that came");
    let (one, other) = ([&lines[..30], &lines[30..]], [&longer[..30], &longer[30..]]);
    let found = compared(&document(&one).classic(), &document(&other).classic());
    assert_eq!(words(&found), ["1:  > and something that came"]);
}

#[test]
fn what_was_appended_is_said_to_be() {
    let before = document(&[TERMS]).classic();
    let after = samples::pdf::Pdf::changes().info("/Title (Another)").update(before.clone());
    let found = compared(&before, &after);
    assert_eq!((found.relation, found.grown), (Some(Relation::Appended), Some(Side::After)));
    assert_eq!(compared(&after, &before).grown, Some(Side::Before));
    assert_eq!(found.metadata.iter().map(|change| change.field.as_str()).collect::<Vec<_>>(), ["document.title"]);
}

#[test]
fn of_pictures_nothing_is_guessed() {
    let scan = Pdf::new(1).classic();
    let found = compared(&document(&[TERMS]).classic(), &scan);
    assert_eq!((found.relation, found.examined, words(&found).len()), (None, ExaminedContent::None, 0));
    assert_eq!(found.without_text, [vec![], vec![1]]);
    // nor of one among others
    let partly = compared(&document(&[TERMS, END]).classic(), &document(&[TERMS, &[]]).classic());
    assert_eq!((partly.examined, words(&partly).len()), (ExaminedContent::Part, 0));
    assert_eq!(partly.without_text, [vec![], vec![2]]);
}

#[test]
fn other_documents_are_others_and_the_wrong_one_is_named() {
    let other: &[&str] = &["Nothing here is in the first of them", "so that they differ throughout"];
    assert_eq!(compared(&document(&[TERMS]).classic(), &document(&[other]).classic()).relation, Some(Relation::Other));
    let (good, bad) = (Memory(Bytes::from(document(&[END]).classic())), Memory(Bytes::from_static(b"no PDF")));
    let refused = compare((&good, None), (&bad, None), &Options::default());
    assert_eq!(refused.err().map(|(side, _)| side), Some(Side::After));
}

#[test]
fn words_beside_those_that_cannot_be_read_are_told() {
    let shown = |codes: &str, amount: &str| {
        let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Own /Encoding << /Differences [1 /unknown] >> >>";
        let page = format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 200 0 R /Resources << /Font << /O {font} >> >> >>"
        );
        let shown = format!("BT /O 10 Tf 40 700 Td <{codes}> Tj ( {amount} EUR) Tj ET");
        Pdf::new(1).with(FIRST_PAGE, page).with_stream(200, "", shown.as_bytes()).classic()
    };
    // "of?ce" and "office"
    let (unread, read) = (shown("6f66016365", "100"), shown("6f6666696365", "100"));
    let found = compared(&read, &unread);
    assert_eq!((words(&found).len(), found.examined), (0, ExaminedContent::Part));
    let found = compared(&read, &shown("6f66016365", "900"));
    assert_eq!(words(&found), ["1: office 100 > of\u{fffd}ce 900"]);
}

#[test]
fn brackets_from_right_to_left_are_the_same_whichever_way_they_look() {
    let shown = |bracket: &str| {
        let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Own /Encoding << /Differences [1 /alef /bet] >> /ToUnicode 300 0 R >>";
        let page = format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 200 0 R /Resources << /Font << /O {font} >> >> >>"
        );
        let map = b"1 beginbfrange <01> <02> <05d0> endbfrange 1 beginbfrange <20> <7e> <0020> endbfrange";
        let shown = format!("BT /O 10 Tf 40 700 Td ({bracket}7 ) Tj <0102> Tj ( ) Tj <0201> Tj ET");
        Pdf::new(1).with(FIRST_PAGE, page).with_stream(200, "", shown.as_bytes()).with_stream(300, "", map).classic()
    };
    assert_eq!(words(&compared(&shown("\\("), &shown("\\)"))), Vec::<String>::new());
}

#[test]
fn what_both_files_cost_is_limited_as_one() {
    let file = Memory(Bytes::from(document(&[TERMS]).classic()));
    let none = Options { processor_time: Some(Duration::ZERO), ..Options::default() };
    let refused = compare((&file, None), (&file, None), &none);
    assert!(matches!(refused, Err((Side::Before, Failure::Rejected(Reason::TooComplex)))), "{refused:?}");
}

#[test]
fn many_pages_of_quite_other_words_end() {
    let words = |file: usize, pages: usize| {
        let page = |page| (0..40).map(|line| format!("w{file}x{page}x{line} of")).collect::<Vec<String>>();
        (0..pages).map(page).collect::<Vec<_>>()
    };
    let written = |pages: &[Vec<String>]| {
        let pages: Vec<Vec<&str>> = pages.iter().map(|page| page.iter().map(String::as_str).collect()).collect();
        document(&pages.iter().map(Vec::as_slice).collect::<Vec<_>>()).classic()
    };
    let found = compared(&written(&words(1, 90)), &written(&words(2, 80)));
    assert_eq!((found.pages, found.examined, found.pages_added.len()), ([90, 80], ExaminedContent::All, 0));
    assert!(found.too_different, "{} words", found.words_total);
}

/// A page with so many codes, of which the font makes forty words each: of one kind, and then of the other one.
fn multiplied(codes: usize, kinds: [char; 2]) -> Vec<u8> {
    let [one, other] = kinds.map(|kind| format!("{:04x}0020", u32::from(kind)).repeat(40));
    let map = format!("2 beginbfchar <41> <{one}> <42> <{other}> endbfchar");
    let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 40000 842] /Contents 200 0 R /Resources << /Font << /F << /Type /Font \
        /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 300 0 R >> >> >> >>";
    let shown = format!("BT /F 12 Tf 72 700 Td ({}{}) Tj ET", "A".repeat(codes), "B".repeat(codes));
    Pdf::new(1)
        .with(FIRST_PAGE, page)
        .with_stream(200, "", shown.as_bytes())
        .with_stream(300, "", map.as_bytes())
        .classic()
}

#[test]
fn words_beyond_those_that_are_compared_are_not_called_compared() {
    for (codes, examined) in [(1_000, ExaminedContent::All), (2_000, ExaminedContent::None)] {
        let found = compared(&multiplied(codes, ['x', 'y']), &multiplied(codes, ['y', 'x']));
        assert_eq!(found.examined, examined, "{codes} codes");
        assert_eq!(found.relation.is_some(), examined == ExaminedContent::All);
    }
}

/// A form whose field has this value, and no look of its own.
fn form(value: &str) -> Vec<u8> {
    let fields = format!("[<< /FT /Tx /T (amount) /V {value} /Subtype /Widget /Rect [0 0 9 9] >>]");
    document(&[TERMS]).catalog(&format!("/AcroForm << /NeedAppearances true /Fields {fields} >>")).classic()
}

#[test]
fn what_a_viewer_draws_of_a_form_is_compared_by_its_values() {
    let found = compared(&form("(1,250.00)"), &form("(9,250.00)"));
    let told: Vec<_> = found.form.iter().map(|change| (change.name.as_str(), change.after.as_deref())).collect();
    assert_eq!((told, words(&found).len()), (vec![("amount", Some("9,250.00"))], 0));
    assert_eq!(compared(&form("(1)"), &form("(1)")).form, []);
    assert_eq!(compared(&form("(1)"), &form("[(1) (2)]")).examined, ExaminedContent::Part);
}

#[test]
fn pages_beyond_those_that_are_read_are_not_called_compared() {
    let pages = |last: &'static str| {
        let mut pages: Vec<&[&str]> = vec![END; 500];
        let last: &'static [&'static str] = Box::leak(Box::new([last]));
        pages.push(last);
        document(&pages).classic()
    };
    let found = compared(&pages("one thing"), &pages("and another"));
    assert_eq!((words(&found).len(), found.examined), (0, ExaminedContent::Part));
}

#[test]
fn words_that_neither_file_lets_read_are_not_called_the_same() {
    let drawn = |codes: &str| {
        let font = "<< /Type /Font /Subtype /Type0 /BaseFont /Own /Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype \
                    /CIDFontType2 /BaseFont /Own /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>] >>";
        let page = format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 200 0 R /Resources << /Font << /O {font} /F << /Type \
             /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>"
        );
        let shown = format!("BT /F 10 Tf 40 700 Td (The price is) Tj /O 10 Tf 100 0 Td <{codes}> Tj ET");
        Pdf::new(1).with(FIRST_PAGE, page).with_stream(200, "", shown.as_bytes()).classic()
    };
    let found = compared(&drawn("00110012"), &drawn("00190012"));
    assert_eq!((words(&found).len(), found.examined), (0, ExaminedContent::Part));
}

#[test]
fn words_that_a_line_parts_are_whole() {
    let one = document(&[&["the seller shall re-", "turn the well-", "known goods in Ber-", "lin"]]).classic();
    let other = document(&[&["the seller shall return the", "well-known goods in Berlin"]]).classic();
    assert_eq!(words(&compared(&one, &other)), Vec::<String>::new());
    let other = document(&[&["the seller shall retain the", "well-known goods in Berlin"]]).classic();
    assert_eq!(words(&compared(&one, &other)), ["1: return > retain"]);
    // writers of justified text set the hyphen apart
    let one = placed(&[(40, 700, "in".to_owned()), (52, 700, "-".to_owned()), (40, 685, "voice of March".to_owned())]);
    assert_eq!(words(&compared(&one, &document(&[&["invoice of March"]]).classic())), Vec::<String>::new());
    // a hyphen within a line is one
    let [one, other] = ["they re-sign it", "they resign it"].map(|line| document(&[&[line]]).classic());
    assert_eq!(words(&compared(&one, &other)), ["1: re-sign > resign"]);
}

#[test]
fn columns_are_read_one_after_the_other() {
    let columns = |words: &[String]| {
        let lines: Vec<String> = words.chunks(3).map(|line| line.join(" ")).collect();
        let middle = lines.len().div_ceil(2);
        let place =
            |line| if line < middle { (40, 800 - 15 * line as i32) } else { (300, 800 - 15 * (line - middle) as i32) };
        placed(&(0..).zip(lines).map(|(line, text)| (place(line).0, place(line).1, text)).collect::<Vec<_>>())
    };
    let text: Vec<String> = (0..90).map(|word| format!("word{word}")).collect();
    let mut shorter = text.clone();
    shorter.remove(10);
    assert_eq!(words(&compared(&columns(&text), &columns(&shorter))), ["1: word10 > "]);
    let lines: Vec<String> = text.chunks(6).map(|line| line.join(" ")).collect();
    let one_column = document(&[&lines.iter().map(String::as_str).collect::<Vec<_>>()]).classic();
    assert_eq!(words(&compared(&columns(&text), &one_column)), Vec::<String>::new());
}

#[test]
fn words_that_moved_among_others_are_told_whenever_they_were_painted() {
    let amount_at = |place| {
        let text = |x, y, text: &str| (x, y, text.to_owned());
        placed(&[
            text(40, 760, "Deposit:"),
            text(40, 740, "Rent:"),
            text(200, place, "500 EUR"),
            text(40, 720, "in sum"),
        ])
    };
    assert_eq!(words(&compared(&amount_at(740), &amount_at(740))), Vec::<String>::new());
    assert_ne!(words(&compared(&amount_at(740), &amount_at(760))), Vec::<String>::new());
}

/// Five pages of their own words each, in this order, with a head and their numbers.
fn numbered(order: &[usize], edit: (&str, &str)) -> Vec<u8> {
    let line = |page, line| (0..6).map(|word| format!("w{page}x{line}x{word}")).collect::<Vec<_>>().join(" ");
    let page = |(number, page): (usize, &usize)| {
        let own = (0..8).map(|at| line(*page, at).replace(edit.0, edit.1));
        let number = format!("Page {} of {}", number + 1, order.len());
        std::iter::once("Offer of March".to_owned()).chain(own).chain([number]).collect::<Vec<String>>()
    };
    let pages: Vec<Vec<String>> = order.iter().enumerate().map(page).collect();
    let pages: Vec<Vec<&str>> = pages.iter().map(|page| page.iter().map(String::as_str).collect()).collect();
    document(&pages.iter().map(Vec::as_slice).collect::<Vec<_>>()).classic()
}

#[test]
fn pages_come_go_and_move_whatever_their_numbers_are_then() {
    let before = numbered(&[0, 1, 2, 3, 4], ("", ""));
    let told = |after: &[u8]| {
        let found = compared(&before, after);
        (found.pages_moved.clone(), found.pages_removed.clone(), found.pages_added.clone(), words(&found))
    };
    assert_eq!(told(&numbered(&[0, 2, 3, 1, 4], ("", ""))), (vec![[2, 4]], vec![], vec![], vec![]));
    assert_eq!(told(&numbered(&[0, 1, 3, 4], ("", ""))), (vec![], vec![3], vec![], vec![]));
    assert_eq!(told(&numbered(&[0, 1, 2, 3, 4, 5], ("", ""))), (vec![], vec![], vec![6], vec![]));
    // with other words on one of them, or on its neighbour
    let edit = ("w1x3x2", "other");
    assert_eq!(
        told(&numbered(&[0, 2, 3, 1, 4], edit)),
        (vec![[2, 4]], vec![], vec![], vec!["4: w1x3x2 > other".to_owned()])
    );
    assert_eq!(told(&numbered(&[0, 1, 3, 4], edit)), (vec![], vec![3], vec![], vec!["2: w1x3x2 > other".to_owned()]));
}

#[test]
fn a_page_without_text_that_came_is_told() {
    let found = compared(&document(&[TERMS]).classic(), &document(&[TERMS, &[]]).classic());
    assert_eq!(
        (found.pages_added.as_slice(), found.examined, words(&found).len()),
        (&[2][..], ExaminedContent::Part, 0)
    );
}

#[test]
fn what_may_come_behind_what_was_read_is_not_called_gone() {
    let pages = |first: usize| {
        let pages: Vec<String> = (first..502).map(|page| format!("page{page} of many")).collect();
        let pages: Vec<[&str; 1]> = pages.iter().map(|page| [page.as_str()]).collect();
        document(&pages.iter().map(<[_; 1]>::as_slice).collect::<Vec<_>>()).classic()
    };
    let found = compared(&pages(1), &pages(0));
    assert_eq!((found.pages_added.as_slice(), found.pages_removed.as_slice()), (&[1][..], &[][..]));
    assert_eq!((words(&found).len(), found.examined), (0, ExaminedContent::Part));
}

#[test]
fn what_an_annotation_showed_may_be_the_pages_own() {
    let note = "<< /Type /Annot /Subtype /FreeText /Rect [40 700 300 720] /F 4 /AP << /N 300 0 R >> >>";
    let look = "/Type /XObject /Subtype /Form /BBox [0 0 260 20] /Resources << /Font << /F << /Type /Font /Subtype /Type1 \
                /BaseFont /Helvetica >> >> >>";
    let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 200 0 R /Resources << /Font << /F << /Type /Font \
                /Subtype /Type1 /BaseFont /Helvetica >> >> >>";
    let lines = "1 0 0 1 40 740 Tm (above it) Tj 1 0 0 1 40 680 Tm (below it) Tj";
    let filled = Pdf::new(1)
        .with(FIRST_PAGE, format!("{page} /Annots [{note}] >>"))
        .with_stream(200, "", format!("BT /F 10 Tf {lines} ET").as_bytes())
        .with_stream(300, look, b"BT /F 10 Tf 2 5 Td (Paid by the buyer) Tj ET");
    let flat = Pdf::new(1).with(FIRST_PAGE, format!("{page} >>")).with_stream(
        200,
        "",
        format!("BT /F 10 Tf {lines} 1 0 0 1 42 705 Tm (Paid by the buyer) Tj ET").as_bytes(),
    );
    assert_eq!(words(&compared(&filled.classic(), &flat.classic())), Vec::<String>::new());
}

#[test]
fn documents_of_the_same_words_in_other_sentences_are_others() {
    let text = |step: usize| -> Vec<String> {
        let word = |at: usize| {
            ["the", "seller", "pays", "of", "goods", "in", "time", "and", "buyer", "not", "price"][at * step % 11]
        };
        (0..12).map(|line| (line * 8..line * 8 + 8).map(word).collect::<Vec<_>>().join(" ")).collect()
    };
    let written =
        |lines: &[String]| document(&[&lines.iter().map(String::as_str).collect::<Vec<_>>()]).info("").classic();
    let found = compared(&written(&text(1)), &written(&text(3)));
    assert_eq!(found.relation, Some(Relation::Other));
    assert_eq!(compared(&written(&text(1)), &written(&text(1)[..8])).relation, Some(Relation::SameDocument));
}
