//! Prints what the pages of PDF files draw, one JSON object a page: `page_text [--pages N] [--password PASSWORD] [--time] FILE…`.

use std::time::Instant;
use std::{env, fs};

use engine::{Memory, Options, PageText, page_texts};
use serde_json::{Value, json};

fn main() {
    let (mut paths, mut most, mut password, mut is_timed) = (Vec::new(), 20, None, false);
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--pages" => most = arguments.next().and_then(|pages| pages.parse().ok()).expect("--pages takes a number"),
            "--password" => password = arguments.next(),
            "--time" => is_timed = true,
            path => paths.push(path.to_owned()),
        }
    }
    for path in paths {
        let source = Memory(fs::read(&path).expect("a readable file").into());
        let options = Options { password: password.as_deref(), ..Options::default() };
        let start = Instant::now();
        let result = page_texts(&source, &options, 0..most);
        let time = start.elapsed().as_micros();
        match result {
            Ok(pages) if is_timed => {
                let runs: usize = pages.iter().map(|page| page.runs.len()).sum();
                println!("{}", json!({ "file": path, "pages": pages.len(), "runs": runs, "microseconds": time }));
            }
            Ok(pages) => pages.iter().enumerate().for_each(|(number, page)| println!("{}", shown(&path, number, page))),
            Err(failure) => println!("{}", json!({ "file": path, "failure": failure.to_string() })),
        }
    }
}

fn shown(path: &str, number: usize, page: &PageText) -> Value {
    let lines = page.lines();
    let words = lines.iter().flat_map(|line| &line.words);
    let words: Vec<Value> = words.map(|word| json!([word.text, word.bounds, word.undecoded])).collect();
    let areas =
        page.areas.iter().map(|area| json!([format!("{:?}", area.kind), area.bounds, area.color, area.is_opaque]));
    json!({
        "file": path,
        "page": number,
        "size": page.size,
        "is_part": page.is_part,
        "lines": lines.iter().map(engine::Line::text).collect::<Vec<_>>(),
        "words": words,
        "areas": areas.collect::<Vec<_>>(),
    })
}
