//! The form of `POST /pdf/analyze`: boundaries, parts, their headers, and how the body gets here.

use reqwest::{Method, RequestBuilder};
use samples::small::pdf;

use super::case::Case;
use super::world::World;

pub(super) const FORM: &str = "multipart/form-data; boundary=b";

pub(super) fn cases(world: &World) -> Vec<Case> {
    let mut cases = boundaries(world);
    cases.extend(parts(world));
    cases.extend(accepted(world));
    cases.extend(file_names(world));
    cases.extend(no_pdfs(world));
    cases.extend(transfers(world));
    cases
}

/// A form of these parts, closed.
pub(super) fn form(parts: &[Vec<u8>]) -> Vec<u8> {
    [parts.concat(), b"--b--\r\n".to_vec()].concat()
}

/// A part with these header lines.
fn part(headers: &str, content: &[u8]) -> Vec<u8> {
    [format!("--b\r\n{headers}\r\n\r\n").as_bytes(), content, b"\r\n"].concat()
}

/// A good file part.
pub(super) fn file() -> Vec<u8> {
    part("Content-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"", &pdf("A"))
}

fn field(name: &str, content: &[u8]) -> Vec<u8> {
    part(&format!("Content-Disposition: form-data; name=\"{name}\""), content)
}

fn typed(world: &World, content_type: &str, body: Vec<u8>) -> RequestBuilder {
    world.ada.request(Method::POST, "/pdf/analyze").header("content-type", content_type).body(body)
}

fn send(world: &World, what: &str, body: Vec<u8>) -> Case {
    Case::http(format!("form: {what}"), typed(world, FORM, body))
}

fn boundaries(world: &World) -> Vec<Case> {
    let with = |content_type: &str| {
        let what = format!("type {content_type:?}");
        Case::http(what, typed(world, content_type, form(&[file()])))
    };
    let long = format!("multipart/form-data; boundary={}", "b".repeat(71));
    let mut cases: Vec<Case> = [
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=\"\"",
        "multipart/form-data; boundary=b; boundary=c",
        "multipart/form-data; boundary=b; BOUNDARY=b",
        "multipart/form-data; boundary=other",
        "multipart/form-data; boundary=\"b",
        "multipart/form-data; =b",
        &long,
    ]
    .map(|content_type| with(content_type).gives(400, "bad_request"))
    .into();
    for content_type in [
        "multipart/mixed; boundary=b",
        "application/pdf",
        "text/plain",
        "application/octet-stream",
        "",
        "multipart/form-data; boundary=b\u{e9}",
    ] {
        cases.push(with(content_type).gives(415, "unsupported_media_type"));
    }
    cases.push(with("multipart/form-data; boundary=\"b\"").analyses());
    cases.push(with("Multipart/Form-Data; charset=utf-8; Boundary=b").analyses());
    let seventy = "b".repeat(70);
    let body = String::from_utf8(form(&[file()])).unwrap().replace("--b", &format!("--{seventy}"));
    let request = typed(world, &format!("multipart/form-data; boundary={seventy}"), body.into_bytes());
    cases.push(Case::http("a boundary of 70", request).analyses());
    for encoding in ["gzip", "deflate", "br", "identity", "aws-chunked"] {
        let request = typed(world, FORM, form(&[file()])).header("content-encoding", encoding);
        cases.push(Case::http(format!("form as {encoding}"), request).gives(415, "unsupported_media_type"));
    }
    cases
}

fn parts(world: &World) -> Vec<Case> {
    let disposition = "Content-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"";
    let with_name = |name: &str| {
        let headers = format!("Content-Disposition: form-data; name=\"file\"; filename=\"{name}\"");
        form(&[part(&headers, &pdf("A"))])
    };
    let long = |size: usize| form(&[part(&format!("{disposition}\r\nX-Long: {}", "h".repeat(size)), &pdf("A"))]);
    let headers = |count: usize| form(&[part(&format!("{disposition}{}", "\r\nX: y".repeat(count)), &pdf("A"))]);
    let many = |count: usize| form(&[field("other", b"x").repeat(count), file()]);
    let nothing = |body: &[u8]| body.to_vec();
    let malformed = [
        ("only text", nothing(b"hello")),
        ("a bare PDF", pdf("A")),
        ("no final boundary", file()),
        ("cut in the content", form(&[file()])[..200].to_vec()),
        ("cut in the headers", nothing(b"--b\r\nContent-Disposition: form-da")),
        ("cut behind the headers", nothing(b"--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n")),
        ("line feeds alone", String::from_utf8_lossy(&form(&[file()])).replace("\r\n", "\n").into_bytes()),
        ("a part without headers", form(&[part("", b"x"), file()])),
        ("a part without a disposition", form(&[part("Content-Type: text/plain", b"x"), file()])),
        ("a part without a name", form(&[part("Content-Disposition: form-data", b"x"), file()])),
        ("a header without a colon", form(&[part("Content-Disposition", b"x")])),
        ("a header name with a space", form(&[part("Content Disposition: form-data; name=\"file\"", b"x")])),
        ("NUL in a name", with_name("a\0b.pdf")),
        ("CR in a name", with_name("a\rb.pdf")),
        ("LF in a name", with_name("a\nb.pdf")),
        ("17 KB of headers", long(17_000)),
        ("1 MB of headers", long(1 << 20)),
        ("3,000 headers", headers(3_000)),
        ("21 parts", many(20)),
        ("10,000 parts", many(10_000)),
        ("65 KB beside the file", form(&[field("other", &[b'x'; 65_537]), file()])),
        ("65 KB in many fields", form(&[field("other", &[b'x'; 33_000]), field("more", &[b'x'; 33_000]), file()])),
    ];
    let missing = [
        ("no parts", form(&[])),
        ("no file", form(&[field("other", b"x")])),
        ("a file without a file name", form(&[field("file", &pdf("A"))])),
        (
            "another field's file",
            form(&[part("Content-Disposition: form-data; name=\"File\"; filename=\"a.pdf\"", &pdf("A"))]),
        ),
        ("an empty file input", form(&[part("Content-Disposition: form-data; name=\"file\"; filename=\"\"", b"")])),
        ("two files", form(&[file(), file()])),
        ("a file in twenty pieces", form(&vec![file(); 20])),
        ("two passwords", form(&[field("password", b"a"), field("password", b"a"), file()])),
        ("a password that is no text", form(&[field("password", b"\xff"), file()])),
    ];
    let malformed = malformed.map(|(what, body)| send(world, what, body).gives(400, "bad_request"));
    let missing = missing.map(|(what, body)| send(world, what, body).gives(422, "validation_failed"));
    let empty = send(world, "empty", Vec::new()).gives(415, "unsupported_media_type");
    malformed.into_iter().chain(missing).chain([empty]).collect()
}

/// Odd, but allowed.
fn accepted(world: &World) -> Vec<Case> {
    let good = form(&[file()]);
    let disposition = "Content-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"";
    [
        ("20 parts", form(&[field("other", b"x").repeat(19), file()])),
        ("8 KB of part headers", form(&[part(&format!("{disposition}\r\nX-Long: {}", "h".repeat(8_192)), &pdf("A"))])),
        ("the file first, then a field", form(&[file(), field("other", b"x")])),
        ("an epilogue", [good.clone(), b"behind the end\r\n--b\r\n".to_vec()].concat()),
        ("no line end at the end", good[..good.len() - 2].to_vec()),
        ("another content type", form(&[part(&format!("{disposition}\r\nContent-Type: image/png"), &pdf("A"))])),
        ("64 KB beside the file", form(&[field("other", &[b'x'; 65_536]), file()])),
        ("a password nobody asked for", form(&[field("password", b"secret"), file()])),
    ]
    .into_iter()
    .map(|(what, body)| send(world, what, body).analyses())
    .collect()
}

fn file_names(world: &World) -> Vec<Case> {
    let long = "n".repeat(300);
    let cut = "n".repeat(255);
    [
        ("filename=\"../../etc/passwd\"", "passwd"),
        ("filename=\"C:\\\\x\\\\y.pdf\"", "y.pdf"),
        ("filename=\"a/\"", "document.pdf"),
        ("filename=\"..\"", "document.pdf"),
        ("filename=\"\u{202e}fdp.exe\"", "fdp.exe"),
        ("filename=\"a\tb.pdf\"", "ab.pdf"),
        ("filename=\"x.pdf\"; filename*=UTF-8''y.pdf", "x.pdf"),
        ("filename*=UTF-8''%2e%2e%2fy.pdf", "y.pdf"),
        ("filename*=UTF-8''a%00%0Ab.pdf", "ab.pdf"),
        ("filename*=ISO-8859-1'en'%E9.pdf", "\u{e9}.pdf"),
        ("filename=\"<img src=x onerror=alert(1)>.pdf\"", "<img src=x onerror=alert(1)>.pdf"),
        (&format!("filename=\"{long}\""), &cut),
    ]
    .into_iter()
    .map(|(name, stored)| {
        let headers = format!("Content-Disposition: form-data; name=\"file\"; {name}");
        let case = send(world, name, form(&[part(&headers, &pdf("A"))]));
        case.analyses().holding(format!("\"filename\":{}", serde_json::json!(stored)))
    })
    .collect()
}

/// Forms in order with something in them that is no PDF.
fn no_pdfs(world: &World) -> Vec<Case> {
    let disposition = "Content-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"";
    let nested = "--c\r\nContent-Disposition: file; filename=\"a.pdf\"\r\n\r\nx\r\n--c--";
    let mixed = format!("{disposition}\r\nContent-Type: multipart/mixed; boundary=c");
    let encoded = format!("{disposition}\r\nContent-Transfer-Encoding: base64");
    let file = |content: &[u8]| form(&[part(disposition, content)]);
    [
        ("a form in the form", form(&[part(&mixed, nested.as_bytes())])),
        ("a file in base64", form(&[part(&encoded, b"JVBERi0xLjQK")])),
        ("an empty file", file(b"")),
        ("one byte", file(b"%")),
        ("a header alone", file(b"%PDF-1.7")),
        ("a header too far behind", file(&[[b' '; 1_025].as_slice(), &pdf("A")].concat())),
        ("zeros", file(&[0; 100_000])),
        ("a ZIP archive", file(b"PK\x03\x04 and so on")),
        ("a page of HTML", file(b"<html><body>404</body></html>")),
    ]
    .into_iter()
    .map(|(what, body)| send(world, what, body).fails())
    .collect()
}

/// How the bytes come.
fn transfers(world: &World) -> Vec<Case> {
    let token = world.ada.token();
    let head = |length: &str| {
        format!(
            "POST /api/v1/pdf/analyze HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: {FORM}\r\n{length}\r\n\r\n"
        )
    };
    let body = form(&[file()]);
    let declared = |length: usize| head(&format!("Content-Length: {length}"));
    let chunked = |chunks: &[u8]| [head("Transfer-Encoding: chunked").as_bytes(), chunks].concat();
    let whole = [format!("{:x}\r\n", body.len()).as_bytes(), &body, b"\r\n0\r\n\r\n"].concat();
    let drip: Vec<&[u8]> = body.chunks(40).collect();
    let dripped: Vec<Vec<u8>> =
        drip.iter().map(|chunk| [format!("{:x}\r\n", chunk.len()).as_bytes(), chunk, b"\r\n"].concat()).collect();
    let start = chunked(b"");
    let pieces: Vec<&[u8]> = [start.as_slice()]
        .into_iter()
        .chain(dripped.iter().map(Vec::as_slice))
        .chain([b"0\r\n\r\n".as_slice()])
        .collect();
    let first = declared(body.len());
    let slow: Vec<&[u8]> = [first.as_bytes()].into_iter().chain(drip).collect();
    vec![
        Case::raw("a length too short", &[declared(body.len() - 40).as_bytes(), &body]).gives(400, "bad_request"),
        Case::cut("a length too long", &[declared(body.len() + 40).as_bytes(), &body].concat()).gives(400, ""),
        Case::raw("a length below zero", &[head("Content-Length: -1").as_bytes(), &body]).gives(400, ""),
        Case::raw("a length in words", &[head("Content-Length: many").as_bytes(), &body]).gives(400, ""),
        Case::raw("two lengths", &[head("Content-Length: 5\r\nContent-Length: 6").as_bytes(), &body]).gives(400, ""),
        Case::raw("no length", &[head("X: y").as_bytes(), &body]).gives(415, "unsupported_media_type"),
        Case::raw("length and chunks", &[head("Content-Length: 5\r\nTransfer-Encoding: chunked").as_bytes(), &whole])
            .analyses(),
        Case::raw("chunks that are none", &[&chunked(b"zz\r\nhello\r\n0\r\n\r\n")]).gives(400, ""),
        Case::raw("a chunk larger than it says", &[&chunked(b"1\r\nhello\r\n0\r\n\r\n")]).gives(400, ""),
        Case::cut("chunks without an end", &chunked(b"5\r\nhello\r\n")).gives(400, ""),
        Case::raw("an unknown coding", &[head("Transfer-Encoding: gzip").as_bytes(), &body]).gives(400, ""),
        Case::raw("chunked", &[&chunked(&whole)]).analyses(),
        Case::raw("a slow drip", &slow).analyses(),
        Case::raw("a slow drip in chunks", &pieces).analyses(),
    ]
}
