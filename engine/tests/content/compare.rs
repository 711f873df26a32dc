//! Two files side by side: which words, pages and metadata differ, and what cannot be told.

use std::time::Duration;

use bytes::Bytes;
use engine::{Comparison, ExaminedContent, Failure, Memory, Options, Reason, Relation, Side, compare};
use samples::pdf::{FIRST_PAGE, Pdf};

/// A document of these pages, each of these lines.
fn document(pages: &[&[&str]]) -> Pdf {
    let mut pdf = Pdf::new(pages.len() as u32).info("/Title (Contract)");
    for (number, lines) in (0..).zip(pages) {
        let shown: String =
            (1..).zip(*lines).map(|(line, text)| format!("1 0 0 1 40 {} Tm ({text}) Tj ", 800 - 20 * line)).collect();
        let page = format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {} 0 R /Resources << /Font << /F << /Type /Font \
             /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
            200 + number
        );
        pdf = pdf.with(FIRST_PAGE + number, page);
        pdf = pdf.with_stream(200 + number, "", format!("BT /F 10 Tf {shown} ET").as_bytes());
    }
    pdf
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
    anew = anew.with_stream(200, "", pieces.as_bytes());
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
