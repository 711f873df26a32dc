//! Files that are two things at once, or not quite what they say.

use crate::pdf::{Cipher, Pdf, encrypted};

use super::Hostile;

/// A document in every form that a file can have.
pub(super) fn every_form() -> Vec<Vec<u8>> {
    let pdf = Pdf::new(5).info("/Title (Title) /Author (Author)").xmp("<pdf:Producer>Maker</pdf:Producer>");
    vec![
        pdf.classic(),
        pdf.compressed(),
        pdf.hybrid(&[3]),
        pdf.linearized(),
        pdf.update(pdf.classic()),
        encrypted(&pdf.classic(), Cipher::Aes256, "", "owner"),
    ]
}

pub(super) fn files() -> Vec<Hostile> {
    let behind = |head: &'static [u8]| move || [head, &Pdf::new(1).info("/Title (T)").classic()].concat();
    vec![
        Hostile::new("a page of HTML in front", behind(b"<html><script>alert(1)</script><!--\n")).opens(),
        Hostile::new("a program in front", behind(b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0")).opens(),
        Hostile::new("a shell script in front", behind(b"#!/bin/sh\nrm -rf /\nexit\n")).opens(),
        Hostile::new("a picture in front", behind(b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\xff\xfe\x02\0")).opens(),
        Hostile::new("a GIF in front", behind(b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0!\xfe\xff")).opens(),
        Hostile::new("a ZIP archive in front", behind(b"PK\x03\x04\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0")).opens(),
        Hostile::new("a ZIP archive behind", || {
            [Pdf::new(1).classic(), b"PK\x05\x06\0\0\0\0\x01\0\x01\0\0\0\0\0\0\0\0\0\0\0".to_vec()].concat()
        })
        .opens(),
        Hostile::new("two documents in a row", || [Pdf::new(1).classic(), Pdf::new(2).classic()].concat()),
        Hostile::new("a document in a stream of another", || {
            Pdf::new(1).with_stream(70, "/Type /EmbeddedFile", &Pdf::new(7).classic()).classic()
        })
        .opens(),
        Hostile::new("a document in a stream of a broken one", || {
            let mut file = Pdf::new(1).with_stream(70, "/Type /EmbeddedFile", &Pdf::new(7).classic()).classic();
            file.truncate(file.len() - 20);
            file
        })
        .opens(),
        Hostile::new("only its header", || b"%PDF-1.7\n".to_vec()).refused("corrupt"),
        Hostile::new("nothing at all", Vec::new).refused("not_a_pdf"),
        Hostile::new("a header and 10 MB of zeros", || [b"%PDF-1.7\n".as_slice(), &vec![0; 10 << 20]].concat()),
        Hostile::new("carriage returns only", || {
            String::from_utf8_lossy(&Pdf::new(1).classic()).replace('\n', "\r").into_bytes()
        }),
        Hostile::new("every byte doubled", || Pdf::new(1).classic().iter().flat_map(|byte| [*byte, *byte]).collect()),
        Hostile::new("backwards", || {
            [b"%PDF-1.7\n".to_vec(), Pdf::new(1).classic().into_iter().rev().collect()].concat()
        }),
        Hostile::new("in UTF-16", || {
            String::from_utf8_lossy(&Pdf::new(1).classic()).encode_utf16().flat_map(u16::to_be_bytes).collect()
        })
        .refused("not_a_pdf"),
        Hostile::new("without any white space", || {
            Pdf::new(1).classic().into_iter().filter(|byte| !byte.is_ascii_whitespace()).collect()
        }),
    ]
}
