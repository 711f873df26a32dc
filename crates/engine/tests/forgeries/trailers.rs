//! Where sections are, what leads to them, and what lies between (ISO 32000-1, 7.5.5 and 7.5.6).

use samples::builds::Build;
use samples::pdf::{CATALOG, FIRST_PAGE, Form, PAGES, start_of_xref};
use samples::section::Row;

use crate::deeds::evil;
use crate::structural::Made;
use crate::subject::{Subject, find, number_at};
use crate::values::replaced;

/// The object that a page's content is in, and a page: what is worth forging.
fn targets(subject: &Subject) -> Vec<u32> {
    let content = subject.having("Tj").into_iter();
    content.chain([FIRST_PAGE, CATALOG]).collect()
}

/// What an update appends that makes a target evil.
fn appended(subject: &Subject, number: u32, form: Form) -> Vec<u8> {
    let file = subject.section().with(number, evil(subject, number)).write(subject.build.file.clone(), form);
    file[subject.build.file.len()..].to_vec()
}

/// Each target, as `append` makes what is behind the signed end of what an update would append.
fn each(subject: &Subject, what: &str, append: impl Fn(u32, Vec<u8>) -> Option<Vec<u8>>) -> Made {
    let forms = Form::ALL.into_iter().cycle();
    let made = targets(subject).into_iter().zip(forms).filter_map(|(number, form)| {
        let tail = append(number, appended(subject, number, form))?;
        Some((format!("{what}, object {number} [{form:?}]"), [&subject.build.file[..], &tail].concat()))
    });
    made.collect()
}

fn cut(tail: &[u8], before: &str) -> Option<Vec<u8>> {
    let at = tail.windows(before.len()).rposition(|window| window == before.as_bytes())?;
    Some(tail[..at].to_vec())
}

fn changed(tail: &[u8], old: &str, new: &str) -> Option<Vec<u8>> {
    let at = tail.windows(old.len()).rposition(|window| window == old.as_bytes())?;
    Some(replaced(tail, &(at..at + old.len()), new.as_bytes()))
}

pub(crate) fn hidden_table(subject: &Subject) -> Made {
    let empty = "xref\n0 1\n0000000000 65535 f \n";
    let made = targets(subject).into_iter().filter_map(|number| {
        let tail = changed(&appended(subject, number, Form::Hybrid), empty, "xref\n0 0\n")?;
        Some((format!("object {number}"), [&subject.build.file[..], &tail].concat()))
    });
    made.collect()
}

pub(crate) fn off(subject: &Subject) -> Made {
    let by = |step: i64| {
        let moved = move |_, tail: Vec<u8>| {
            let start = start_of_xref(&tail);
            changed(&tail, &format!("startxref\n{start}\n"), &format!("startxref\n{}\n", start as i64 + step))
        };
        each(subject, &format!("by {step}"), moved)
    };
    [by(-1), by(1), by(-7), by(3)].concat()
}

pub(crate) fn endless(subject: &Subject) -> Made {
    [
        each(subject, "no %%EOF", |_, tail| cut(&tail, "%%EOF")),
        each(subject, "no startxref", |_, tail| cut(&tail, "startxref")),
        each(subject, "half a %%EOF", |_, tail| cut(&tail, "OF\n")),
    ]
    .concat()
}

/// What published attacks append for readers that look for objects anyway.
pub(crate) fn behind(subject: &Subject) -> Made {
    let old = start_of_xref(&subject.build.file);
    let objects = |number| [format!("{number} 0 obj\n").as_bytes(), &evil(subject, number), b"\nendobj\n"].concat();
    let trailer = format!("trailer\n<< /Size 99 {} /Prev {old} >>\n", Build::TRAILER);
    let ends = [
        ("objects", String::new()),
        ("objects and an end", "%%EOF\n".to_owned()),
        ("objects and a trailer", trailer.clone()),
        ("objects, a trailer and an end", format!("{trailer}%%EOF\n")),
        ("objects and the old start", format!("startxref\n{old}\n%%EOF\n")),
        ("objects, a trailer and the old start", format!("{trailer}startxref\n{old}\n%%EOF\n")),
        ("objects, a trailer and no start", format!("{trailer}startxref\n0\n%%EOF\n")),
    ];
    let with = |(what, end): &(&str, String)| {
        each(subject, what, |number, _| Some([&objects(number), end.as_bytes()].concat()))
    };
    ends.iter().flat_map(with).collect()
}

pub(crate) fn loose(subject: &Subject) -> Made {
    let made = targets(subject).into_iter().zip(Form::ALL).map(|(number, form)| {
        let object = [format!("{number} 0 obj\n").as_bytes(), &evil(subject, number), b"\nendobj\n"].concat();
        let file = subject.section().loose(object).write(subject.build.file.clone(), form);
        (format!("object {number} [{form:?}]"), file)
    });
    made.collect()
}

pub(crate) fn out_of_sight(subject: &Subject) -> Made {
    let behind = |what: &str, filler: &[u8]| each(subject, what, |_, tail| Some([&tail[..], filler].concat()));
    let between = |what: &str, filler: &[u8]| {
        each(subject, what, |_, tail| {
            let start = start_of_xref(&tail);
            let moved = [filler, &tail].concat();
            // what is said of places moves along; in streams it would have to be written anew
            if !tail.windows(5).any(|window| window == b"xref\n") || find(&tail, b"/Type /XRef").is_some() {
                return None;
            }
            let moved =
                changed(&moved, &format!("startxref\n{start}\n"), &format!("startxref\n{}\n", start + filler.len()))?;
            let old = find(&tail, b" 0 obj\n").map(|_| subject.build.file.len())?;
            changed(&moved, &format!("{old:010}"), &format!("{:010}", old + filler.len()))
        })
    };
    [
        behind("1,500 blanks", &[b' '; 1_500]),
        behind("70,000 blanks", &[b' '; 70_000]),
        behind("2,000 zeros", &[0; 2_000]),
        behind("a comment", &[b"%", &[b'x'; 3_000][..]].concat()),
        between("3,000 blanks in front", &[b' '; 3_000]),
    ]
    .concat()
}

/// Where the sections are, oldest first.
fn sections(file: &[u8]) -> Vec<usize> {
    let starts = file.windows(10).enumerate().filter(|(_, window)| *window == b"startxref\n");
    starts.map(|(at, _)| number_at(&file[at + 10..]) as usize).filter(|start| *start > 0).collect()
}

/// A trailer that leads to the state before the signature, as it was or forged.
pub(crate) fn back(subject: &Subject) -> Made {
    let sections = sections(&subject.build.file);
    let [first, .., _] = sections[..] else { return Vec::new() };
    let start = format!("startxref\n{first}\n%%EOF\n");
    let mut made = vec![("startxref alone".to_owned(), [&subject.build.file[..], start.as_bytes()].concat())];
    for form in Form::ALL {
        let mut section = subject.section();
        section.previous = Some(first);
        made.push((format!("as it was [{form:?}]"), section.write(subject.build.file.clone(), form)));
        let forged = section.with(FIRST_PAGE, evil(subject, FIRST_PAGE)).write(subject.build.file.clone(), form);
        made.push((format!("forged [{form:?}]"), forged));
    }
    made
}

/// The same, with all that was signed listed anew.
pub(crate) fn around(subject: &Subject) -> Made {
    let sections = sections(&subject.build.file);
    let [first, .., _] = sections[..] else { return Vec::new() };
    let made = targets(subject).into_iter().zip(Form::ALL).map(|(number, form)| {
        let mut section = subject.section();
        section.previous = Some(first);
        for (other, offset) in
            subject.offsets.range(..900).filter(|(other, offset)| **other != number && **offset > first)
        {
            section = section.row(*other, Row::At(*offset, 0));
        }
        let file = section.with(number, evil(subject, number)).write(subject.build.file.clone(), form);
        (format!("object {number} [{form:?}]"), file)
    });
    made.collect()
}

pub(crate) fn another_root(subject: &Subject) -> Made {
    let number = subject.build.unused();
    let root = evil(subject, CATALOG);
    let pages = String::from_utf8_lossy(subject.text(CATALOG)).replace(
        &format!("/Pages {PAGES} 0 R"),
        &format!("/Pages << /Type /Pages /Count 1 /Kids [{FIRST_PAGE} 0 R] >>"),
    );
    let made = Form::ALL.into_iter().flat_map(|form| {
        [("evil", root.clone()), ("other pages", pages.clone().into_bytes())].map(|(what, text)| {
            let mut section = subject.section().with(number, text);
            section.trailer = format!("/Root {number} 0 R /Info 3 0 R");
            (format!("{what} [{form:?}]"), section.write(subject.build.file.clone(), form))
        })
    });
    made.collect()
}

/// A stream that a page draws, written again with entries of an Info dictionary, and called so by the trailer.
pub(crate) fn info(subject: &Subject) -> Made {
    let streams = subject.objects.iter().filter(|(_, (_, text))| find(text, b"Tj").is_some());
    let made = streams.zip(Form::ALL.into_iter().cycle()).map(|((number, _), form)| {
        let text = evil(subject, *number);
        let text = replaced(&text, &(2..2), b" /Producer (Writer 1) /ModDate (D:20250113100000Z)");
        let mut section = subject.section().with(*number, text);
        section.trailer = format!("/Root {CATALOG} 0 R /Info {number} 0 R");
        (format!("object {number} [{form:?}]"), section.write(subject.build.file.clone(), form))
    });
    made.collect()
}

/// Numbers from `/Size` on are missing (7.5.5).
pub(crate) fn small(subject: &Subject) -> Made {
    let made = [Form::Table, Form::Stream].into_iter().filter_map(|form| {
        let file = subject.section().write(subject.build.file.clone(), form);
        let tail = &file[subject.build.file.len()..];
        let at = find(tail, b"/Size ")? + 6;
        let digits = tail[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let tail = replaced(tail, &(at..at + digits), format!("{:<digits$}", 6).as_bytes());
        Some((format!("[{form:?}]"), [&subject.build.file[..], &tail].concat()))
    });
    made.collect()
}

pub(crate) fn encrypted(subject: &Subject) -> Made {
    let number = subject.build.unused();
    let digits = "00".repeat(32);
    let made = Form::ALL.into_iter().map(|form| {
        let text = format!("<< /Filter /Standard /V 1 /R 2 /O <{digits}> /U <{digits}> /P -4 >>");
        let mut section = subject.section().with(number, text);
        section.trailer.push_str(&format!(" /Encrypt {number} 0 R /ID [<00> <00>]"));
        (format!("[{form:?}]"), section.write(subject.build.file.clone(), form))
    });
    made.collect()
}
