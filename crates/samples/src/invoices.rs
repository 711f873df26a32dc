//! One invoice in three copies, to try the service with: as its writer signed it, with another amount and account added after
//! that, and written anew with the amount painted over. Dates are past on any day.

use crate::pdf::{FIRST_PAGE, PAGES, Pdf};
use crate::signed::{Certificate, Cms, Key, SignedPdf, Signing};

const CONTENT: u32 = 500;
const LATER: u32 = 501;
const FONTS: u32 = 502;

/// The names that the files have, and the files.
#[must_use]
pub fn all() -> [(&'static str, Vec<u8>); 3] {
    [("invoice-genuine.pdf", genuine().file), ("invoice-forged.pdf", forged()), ("invoice-rewritten.pdf", rewritten())]
}

/// What the invoice says: across, up, size, bold, and the text.
const LINES: [(u32, u32, u32, bool, &str); 25] = [
    (72, 770, 20, true, "Northwind Glass"),
    (72, 752, 9, false, "Harbour Road 12, 20457 Hamburg"),
    (400, 770, 9, false, "Invoice 2025-0417"),
    (400, 756, 9, false, "6 March 2025"),
    (400, 742, 9, false, "Customer 20114"),
    (72, 690, 11, false, "Ann Example"),
    (72, 675, 11, false, "Linden Street 4"),
    (72, 660, 11, false, "22765 Hamburg"),
    (72, 610, 14, true, "Repair of a shop window after storm damage"),
    (72, 575, 9, true, "Item"),
    (330, 575, 9, true, "Quantity"),
    (450, 575, 9, true, "Amount"),
    (72, 552, 10, false, "Laminated glass, 2.40 m by 1.80 m"),
    (330, 552, 10, false, "1"),
    (450, 552, 10, false, "862.00 EUR"),
    (72, 534, 10, false, "Emergency boarding on 2 March"),
    (330, 534, 10, false, "1"),
    (450, 534, 10, false, "145.00 EUR"),
    (72, 516, 10, false, "Fitting, two people"),
    (330, 516, 10, false, "3 hours"),
    (450, 516, 10, false, "243.00 EUR"),
    (330, 484, 11, true, "Total"),
    (450, 484, 11, true, "1,250.00 EUR"),
    (72, 430, 10, false, "Please pay within 14 days to the account below."),
    (72, 412, 10, false, "IBAN DE02 1203 0000 0000 2020 51"),
];

fn drawn(lines: &[(u32, u32, u32, bool, &str)]) -> Vec<u8> {
    let line = |(x, y, size, bold, text): &(u32, u32, u32, bool, &str)| {
        format!("BT /{} {size} Tf {x} {y} Td ({text}) Tj ET\n", if *bold { "B" } else { "R" })
    };
    let rules = "0.8 G 72 566 m 523 566 l S 72 500 m 523 500 l S\n";
    format!("{}{rules}", lines.iter().map(line).collect::<String>()).into_bytes()
}

/// The page, which draws these streams.
fn page(contents: &str, entries: &str) -> String {
    format!(
        "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595.28 841.89] /Contents [{contents}] \
         /Resources << /Font {FONTS} 0 R >> {entries} >>"
    )
}

fn info(producer: &str, modified: &str) -> String {
    format!(
        "/Title (Invoice 2025-0417) /Author (Northwind Glass) /Creator (Ledger 8) /Producer ({producer}) \
         /CreationDate (D:20250306091200+01'00') {modified}"
    )
}

fn invoice() -> Pdf {
    let font = |name: &str| format!("<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>");
    Pdf::new(1)
        .info(info("Ledger 8", ""))
        .with(FIRST_PAGE, page(&format!("{CONTENT} 0 R"), ""))
        .with_compressed(CONTENT, "", &drawn(&LINES))
        .with(FONTS, format!("<< /R {} /B {} >>", font("Helvetica"), font("Helvetica-Bold")))
}

/// As its writer signed it.
fn genuine() -> SignedPdf {
    let certificate =
        Certificate::self_signed(Key::P256, "Northwind Glass").issued_by("Example Trust Services", Key::Rsa);
    let cms = Cms { signed_at: Some("250306081500Z".to_owned()), ..Cms::new(certificate) };
    SignedPdf::new(&invoice()).signed(&Signing::new(cms).field("Northwind"))
}

/// The same file, to which somebody added another total and another account.
fn forged() -> Vec<u8> {
    let lines = LINES.map(|(x, y, size, bold, text)| match text {
        "1,250.00 EUR" => (x, y, size, bold, "4,250.00 EUR"),
        "IBAN DE02 1203 0000 0000 2020 51" => (x, y, size, bold, "IBAN DE89 3704 0044 0532 0130 00"),
        text => (x, y, size, bold, text),
    });
    let later = Pdf::changes().info(info("Pocket Editor 3.1", "/ModDate (D:20250311221900+01'00')")).with_compressed(
        CONTENT,
        "",
        &drawn(&lines),
    );
    genuine().updated(&later).file
}

/// Written anew without a signature, with another total upon the first one.
fn rewritten() -> Vec<u8> {
    let patch = b"1 g 446 480 80 15 re f 0 g BT /B 11 Tf 450 484 Td (4,250.00 EUR) Tj ET\n";
    invoice()
        .info(info("Pocket Editor 3.1", "/ModDate (D:20250311221900+01'00')"))
        .with(FIRST_PAGE, page(&format!("{CONTENT} 0 R {LATER} 0 R"), ""))
        .with_compressed(LATER, "", patch)
        .classic()
}
