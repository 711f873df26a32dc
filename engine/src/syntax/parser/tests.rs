//! Values that are passed over end where they would if they were parsed.

use std::path::{Path, PathBuf};
use std::{env, fs};

use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, any, prop, prop_assert_eq, prop_oneof, proptest};
use proptest::strategy::Strategy;

use super::{DEPTH, Parser};

/// Where parsing the value of an entry ends that begins with `text`, white space aside.
fn parsed(text: &[u8]) -> usize {
    let mut parser = Parser::new(text);
    parser.entry_value(DEPTH, Parser::value).expect("few values");
    parser.lexer.skip_space();
    parser.lexer.position()
}

/// Where passing over it ends.
fn passed_over(text: &[u8]) -> usize {
    let mut parser = Parser::new(text);
    parser.lexer.skip_entry(DEPTH);
    parser.lexer.skip_space();
    parser.lexer.position()
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    let word = prop::sample::select(vec![
        "[", "]", "<<", ">>", "<", ">", "(", ")", "\\", "{", "}", "%", "\n", "\r", " ", "/", "/Kids", "/Other", "/CF",
        "#", "1", "12 0 R", "0 R", "R", "0", ".", "+", "-", "-1.5", "obj", "endobj", "stream", "xref", "true", "null",
        "x", "41",
    ]);
    let part = prop_oneof![
        20 => word.prop_map(|word| word.as_bytes().to_vec()),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
    ];
    vec(part, 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_passed_over_ends_where_it_would_be_parsed_to(text in text()) {
        // numbers in a row are passed over at once; in an array or dictionary that makes no difference
        for open in ["[", "<<", "<</A "] {
            let text = [open.as_bytes(), &text].concat();
            prop_assert_eq!(parsed(&text), passed_over(&text), "{}", text.escape_ascii());
        }
    }
}

/// The same for all that looks like an array or a dictionary in real files.
#[test]
fn so_does_everything_in_real_files() {
    /// How much of a file such a value may take here.
    const LONGEST: usize = 4 << 10;
    let Some(corpus) = env::var_os("PDF_CORPUS").map(PathBuf::from) else {
        println!("skipped: PDF_CORPUS names no corpus of real PDFs");
        return;
    };
    // tests run in their package's folder, the variable counts from the workspace's
    let corpus = if corpus.is_relative() { Path::new("..").join(corpus) } else { corpus };
    let mut values = 0;
    for entry in fs::read_dir(corpus.join("files")).expect("the corpus has a folder `files`") {
        let path = entry.expect("a file").path();
        let file = fs::read(&path).expect("a readable file");
        let starts =
            memchr::memchr2_iter(b'[', b'<', &file).filter(|&at| file[at] == b'[' || file[at..].starts_with(b"<<"));
        for start in starts {
            let text = &file[start..file.len().min(start + LONGEST)];
            assert_eq!(parsed(text), passed_over(text), "{} at {start}", path.display());
            values += 1;
        }
    }
    println!("{values} values");
}
