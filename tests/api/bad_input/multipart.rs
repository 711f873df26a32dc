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
    cases.extend(odd_bytes(world));
    cases.extend(quoting(world));
    cases.extend(no_pdfs(world));
    cases.extend(transfers(world));
    cases
}

/// A form of these parts, closed.
pub(super) fn form(parts: &[Vec<u8>]) -> Vec<u8> {
    [parts.concat(), b"--b--\r\n".to_vec()].concat()
}

/// A part with these header lines.
fn part(headers: impl AsRef<[u8]>, content: &[u8]) -> Vec<u8> {
    [b"--b\r\n", headers.as_ref(), b"\r\n\r\n", content, b"\r\n"].concat()
}

/// A good file part.
pub(super) fn file() -> Vec<u8> {
    part("Content-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"", &pdf("A"))
}

fn field(name: &str, content: &[u8]) -> Vec<u8> {
    part(format!("Content-Disposition: form-data; name=\"{name}\""), content)
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
        form(&[part(headers, &pdf("A"))])
    };
    let long = |size: usize| form(&[part(format!("{disposition}\r\nX-Long: {}", "h".repeat(size)), &pdf("A"))]);
    let headers = |count: usize| form(&[part(format!("{disposition}{}", "\r\nX: y".repeat(count)), &pdf("A"))]);
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
        ("LF and a header in a name", with_name("a\nX: b.pdf")),
        ("CR at the end of a line", form(&[part(format!("{disposition}\r"), &pdf("A"))])),
        ("a folded header", form(&[part(disposition.replace(' ', "\r\n "), &pdf("A"))])),
        ("NUL in another header", form(&[part(format!("{disposition}\r\nX-Y: a\0b"), &pdf("A"))])),
        ("CR in another header", form(&[part(format!("{disposition}\r\nX-Y: a\rb"), &pdf("A"))])),
        ("LF in another header", form(&[part(format!("{disposition}\r\nX-Y: a\nb"), &pdf("A"))])),
        ("a line without a colon", form(&[part(format!("{disposition}\r\nX"), &pdf("A"))])),
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
        ("8 KB of part headers", form(&[part(format!("{disposition}\r\nX-Long: {}", "h".repeat(8_192)), &pdf("A"))])),
        ("the file first, then a field", form(&[file(), field("other", b"x")])),
        ("an epilogue", [good.clone(), b"behind the end\r\n--b\r\n".to_vec()].concat()),
        ("no line end at the end", good[..good.len() - 2].to_vec()),
        ("another content type", form(&[part(format!("{disposition}\r\nContent-Type: image/png"), &pdf("A"))])),
        ("64 KB beside the file", form(&[field("other", &[b'x'; 65_536]), file()])),
        ("a password nobody asked for", form(&[field("password", b"secret"), file()])),
        ("an unknown field", form(&[field("verify_signatures", b"perhaps"), file()])),
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
        ("filename=\"C:\\x\\\u{dc}.pdf\"", "\u{dc}.pdf"),
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
    .map(|(name, stored)| named(world, name.as_bytes(), stored))
    .collect()
}

/// A file whose disposition goes on like this, and the name it is stored under.
fn named(world: &World, parameters: &[u8], stored: &str) -> Case {
    let headers = [b"Content-Disposition: form-data; name=\"file\"; ", parameters].concat();
    stored_as(world, &format!("{}", parameters.escape_ascii()), headers, stored)
}

fn stored_as(world: &World, what: &str, headers: impl AsRef<[u8]>, stored: &str) -> Case {
    let case = send(world, what, form(&[part(headers, &pdf("A"))]));
    case.analyses().holding(format!("\"filename\":{}", serde_json::json!(stored)))
}

/// Bytes that no header of HTTP may have, or that are no UTF-8.
fn odd_bytes(world: &World) -> Vec<Case> {
    let controls: Vec<u8> = (1..0x20).chain([0x7f]).filter(|byte| !b"\r\n".contains(byte)).collect();
    let plain = b"Content-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"";
    let mut cases: Vec<Case> = [
        (b"filename=\"caf\xe9.pdf\"".as_slice(), "caf\u{e9}.pdf"),
        (b"filename=\"\x80 \x93\xfc\x94.pdf\"", "\u{20ac} \u{201c}\u{fc}\u{201d}.pdf"),
        (b"filename=\"\x81\x8d\x8f\x90\x9d.pdf\"", ".pdf"),
        (b"filename=\"\xff\xfe\"", "\u{ff}\u{fe}"),
        (b"filename=\"\xc3\xa9 caf\xe9.pdf\"", "\u{c3}\u{a9} caf\u{e9}.pdf"),
        (b"filename=\"\xed\xa0\x80.pdf\"", "\u{ed}\u{a0}\u{20ac}.pdf"),
        (b"filename=\"\xef\xbb\xbfa.pdf\"", "a.pdf"),
        (b"filename=\"C:\\\xdcbungen\\\xe9.pdf\"", "\u{e9}.pdf"),
        (b"filename=\xe9.pdf", "\u{e9}.pdf"),
        (b"filename=\"a\x1b[31mb.pdf\"", "a[31mb.pdf"),
        (b"filename=\"a\x7fb.pdf\"", "ab.pdf"),
        (b"filename=\"\x1b\"", "document.pdf"),
        (&[b"filename=\"a", controls.as_slice(), b"b.pdf\""].concat(), "ab.pdf"),
        (b"filename*=UTF-8''caf%E9.pdf", "caf\u{e9}.pdf"),
        (b"filename*=UTF-8''caf\xe9.pdf", "caf\u{e9}.pdf"),
        (b"filename*=ISO-8859-1''%80.pdf", "\u{20ac}.pdf"),
        (b"filename*=windows-1251''%C0.pdf", "\u{410}.pdf"),
        (b"filename*=unheard-of''%C3%A9.pdf", "\u{e9}.pdf"),
        (b"x=\"\xe9\x1b\"; filename=\"a.pdf\"", "a.pdf"),
    ]
    .into_iter()
    .map(|(parameters, stored)| named(world, parameters, stored))
    .collect();
    for line in [
        b"X-Owner: Ren\xe9".as_slice(),
        b"X-Owner: Ren\xc3\xa9",
        b"X-Owner: \x1b[0m\x7f",
        b"X-Own\xe9r: me",
        b"X-\x1b: me",
        b"Content-Type: application/pdf; x=\"\xe9\x08\"",
    ] {
        let what = format!("a header {}", line.escape_ascii());
        cases.push(stored_as(world, &what, [plain, b"\r\n".as_slice(), line].concat(), "a.pdf"));
    }
    let field = part(b"Content-Disposition: form-data; name=\"n\xe9\x1b\"", b"x");
    cases.push(send(world, "another field of an odd name", form(&[field, file()])).analyses());
    let named = |name: &[u8]| [b"Content-Disposition: form-data; name=\"", name, b"\"; filename=\"a.pdf\""].concat();
    cases.push(stored_as(world, "a control character in file", named(b"fi\x1ble"), "a.pdf"));
    let other = send(world, "a file of an odd name", form(&[part(named(b"fil\xe9"), &pdf("A"))]));
    cases.push(other.gives(422, "validation_failed").holding("\"file\":["));
    cases
}

/// Names as clients quote them, well or badly.
fn quoting(world: &World) -> Vec<Case> {
    let disposition = |parameters: &str| format!("Content-Disposition: form-data; {parameters}");
    let mut cases: Vec<Case> = [
        (r#"filename="a \"b\".pdf""#, r#"a "b".pdf"#),
        (r#"filename="a\\""#, "document.pdf"),
        (r#"filename="dir\\\"a\".pdf""#, r#""a".pdf"#),
        (r#"filename="\\server\share\a.pdf""#, "a.pdf"),
        (r#"filename="a%22b.pdf""#, "a%22b.pdf"),
        (r#"filename="a;b.pdf""#, "a;b.pdf"),
        (r#"filename="a; filename*=UTF-8''b.pdf""#, "a; filename*=UTF-8''b.pdf"),
        (r#"filename="a; name=b.pdf""#, "a; name=b.pdf"),
        (r#"filename="a=b.pdf""#, "a=b.pdf"),
        (r#"filename="a.pdf"#, "a.pdf"),
        (r#"filename="a.pdf\""#, r#"a.pdf""#),
        (r#"filename="a.pdf" "#, "a.pdf"),
        (r#"filename="a.pdf";"#, "a.pdf"),
        (r#"filename="a.pdf"b; x=y"#, "a.pdf"),
        (r#"filename="a.pdf"; filename="b.pdf""#, "a.pdf"),
        (r#"filename=my file.pdf"#, "my file.pdf"),
        (r#"filename=a.pdf ; x=y"#, "a.pdf"),
        (r#"filename = "a.pdf""#, "a.pdf"),
        (r#"FileName="a.pdf""#, "a.pdf"),
        (r#"x; y=; =z; filename="a.pdf""#, "a.pdf"),
        (r#"x-filename="b.pdf"; filename="a.pdf""#, "a.pdf"),
        (r#"filename*="UTF-8''a%20b.pdf""#, "a b.pdf"),
        (r#"filename*=a%20b.pdf"#, "a b.pdf"),
        (r#"filename*=utf-8'en'it's.pdf"#, "it's.pdf"),
        (r#"filename*=UTF-8''%zz%.pdf"#, "%zz%.pdf"),
        (r#"filename*=UTF-8''a.pdf; filename=b.pdf"#, "b.pdf"),
        ("filename=", "document.pdf"),
        ("filename*=", "document.pdf"),
    ]
    .into_iter()
    .map(|(parameters, stored)| named(world, parameters.as_bytes(), stored))
    .collect();
    for (parameters, stored) in [
        (r#"filename="a; name=b.pdf"; name="file""#, "a; name=b.pdf"),
        (r#"filename="a \"; name=\"b.pdf"; name="file""#, r#"a "; name="b.pdf"#),
        (r#"filename=a.pdf; name=file"#, "a.pdf"),
        (r#"name="file" filename="a.pdf""#, "a.pdf"),
        (r#"NAME="file";filename="a.pdf""#, "a.pdf"),
    ] {
        cases.push(stored_as(world, parameters, disposition(parameters), stored));
    }
    let good = disposition(r#"name="file"; filename="a.pdf""#);
    let lower = good.replace("Content-Disposition: form-data", "content-disposition:form-data");
    cases.push(stored_as(world, "a header in lower case", lower, "a.pdf"));
    let twice = format!("{good}\r\n{}", disposition("name=\"x\""));
    cases.push(stored_as(world, "two dispositions", twice, "a.pdf"));
    let attachment = good.replace("form-data", "attachment");
    cases.push(stored_as(world, "another disposition", attachment, "a.pdf"));
    cases
}

/// Forms in order with something in them that is no PDF.
fn no_pdfs(world: &World) -> Vec<Case> {
    let disposition = "Content-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"";
    let nested = "--c\r\nContent-Disposition: file; filename=\"a.pdf\"\r\n\r\nx\r\n--c--";
    let mixed = format!("{disposition}\r\nContent-Type: multipart/mixed; boundary=c");
    let encoded = format!("{disposition}\r\nContent-Transfer-Encoding: base64");
    let file = |content: &[u8]| form(&[part(disposition, content)]);
    [
        ("a form in the form", form(&[part(mixed, nested.as_bytes())])),
        ("a file in base64", form(&[part(encoded, b"JVBERi0xLjQK")])),
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
