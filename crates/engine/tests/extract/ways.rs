//! One file, one answer: what is said of a file depends on its bytes alone, not on the way in which it is read.

use std::path::{Path, PathBuf};
use std::{env, fs};

use engine::{Failure, FileDigest, LocalFile, Metadata, Options, analyze};
use samples::pdf::Pdf;
use samples::signed::attacks;
use samples::{builds, histories, hostile, kinds};

use crate::remote::Remote;
use crate::support::{Sparse, memory};

/// What is said of a file, but for its hash, which not everybody knows.
fn told(answer: Result<Metadata, Failure>) -> String {
    match answer {
        Ok(metadata) => format!("{:#?}", Metadata { file: FileDigest::default(), ..metadata }),
        Err(failure) => failure.to_string(),
    }
}

/// Panics at the first line that differs between two ways.
fn assert_one_answer(name: &str, file: &[u8], password: Option<&str>) {
    for skip_content in [false, true] {
        let options = Options { password, skip_content, ..Options::default() };
        let in_memory = told(analyze(&memory(file), &options));
        for (way, other) in
            [("in ranges", analyze(&Remote(file), &options)), ("sparely", analyze(&Sparse(file), &options))]
        {
            let other = told(other);
            let first = in_memory.lines().zip(other.lines()).find(|(one, other)| one != other);
            assert_eq!(first, None, "{name}, {way}");
            assert_eq!(in_memory.len(), other.len(), "{name}, {way}");
        }
    }
}

#[test]
fn every_kind_of_file_is_judged_the_same_whichever_way_it_comes() {
    for (name, file) in kinds::kinds() {
        assert_one_answer(name, &file, None);
    }
    for history in histories::all() {
        assert_one_answer(history.name, &history.file, None);
    }
    for build in builds::all() {
        assert_one_answer(build.name, &build.file, None);
    }
    for attack in attacks::all() {
        assert_one_answer(attack.name, &attack.file, None);
    }
    for file in hostile::every_form() {
        assert_one_answer("a form of it", &file, None);
    }
}

#[test]
fn scattered_files_are_too() {
    let pdf =
        Pdf::new(30).info("/Title (Spread) /ModDate (D:20250115103000Z)").xmp("<pdf:Producer>Maker</pdf:Producer>");
    let pdf = pdf.spread(20_000);
    for file in [pdf.classic(), pdf.compressed(), pdf.hybrid(&[3]), pdf.linearized(), pdf.update(pdf.classic())] {
        assert_one_answer("scattered", &file, None);
        assert_one_answer("scattered and cut", &file[..file.len() - 20], None);
    }
}

/// The examples of the documentation, and the PDFs of the folders that `PDF_CORPUS` and `PDF_FOLDERS` name, the latter
/// parted by colons.
fn real_files() -> Vec<PathBuf> {
    let folders = ["PDF_CORPUS", "PDF_FOLDERS"].into_iter().filter_map(env::var_os).collect::<Vec<_>>();
    let mut open: Vec<PathBuf> =
        folders.iter().flat_map(env::split_paths).map(|folder| Path::new("..").join(folder)).collect();
    open.push(Path::new("../../docs/examples").to_owned());
    let mut files = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).expect("a readable folder").map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|extension| extension == "pdf") {
            files.push(path);
        }
    }
    files
}

#[test]
fn real_files_are_too() {
    let files = real_files();
    for path in &files {
        let (name, file) = (path.display().to_string(), fs::read(path).expect("a readable file"));
        assert_one_answer(&name, &file, None);
        let local = analyze(&LocalFile::open(path).expect("a readable file"), &Options::default());
        assert!(told(local) == told(analyze(&memory(&file), &Options::default())), "{name}, from its disk");
    }
    assert!(files.len() >= 3, "{files:?}");
    println!("{} files; others are compared where PDF_CORPUS or PDF_FOLDERS names folders of them", files.len());
}
