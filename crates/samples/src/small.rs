//! The smallest PDFs that the API tests need.

/// A one-page PDF 1.4 with a title and dates; classic cross-reference table.
#[must_use]
pub fn pdf(title: &str) -> Vec<u8> {
    pdf_of_size(title, 0)
}

/// The same, at least `size` bytes long: a stream in its middle fills it up.
#[must_use]
pub fn pdf_of_size(title: &str, size: usize) -> Vec<u8> {
    let info = format!(
        "<< /Title ({title}) /Author (Ada) /Producer (tests) \
         /CreationDate (D:20250115103000+01'00') /ModDate (D:20250116103000+01'00') >>"
    );
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut offsets = Vec::new();
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>".to_owned(),
        info,
    ];
    for (index, object) in objects.iter().enumerate() {
        offsets.push(file.len());
        file.extend(format!("{} 0 obj\n{object}\nendobj\n", index + 1).into_bytes());
    }
    offsets.push(file.len());
    let tail = 400;
    let length = size.saturating_sub(file.len() + tail);
    file.extend(format!("5 0 obj\n<< /Length {length} >>\nstream\n").into_bytes());
    file.resize(file.len() + length, b'x');
    file.extend(b"\nendstream\nendobj\n");
    let xref = file.len();
    file.extend(b"xref\n0 6\n0000000000 65535 f \n");
    for offset in offsets {
        file.extend(format!("{offset:010} 00000 n \n").into_bytes());
    }
    file.extend(format!("trailer\n<< /Size 6 /Root 1 0 R /Info 4 0 R >>\nstartxref\n{xref}\n%%EOF\n").into_bytes());
    // spaces after the end belong to the file; they make its size exact
    file.resize(file.len().max(size), b'\n');
    file
}
