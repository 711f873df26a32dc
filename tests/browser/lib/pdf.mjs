// PDFs made in code.

/** A one-page PDF with a title, at least `size` bytes long. */
export function pdf(title = "Title", { size = 0, author = "Ada Lovelace" } = {}) {
  const text = (value) => `<FEFF${[...Buffer.from(value, "utf16le").swap16()].map((byte) => byte.toString(16).padStart(2, "0")).join("")}>`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R /Lang (en) /MarkInfo << /Marked true >> >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
    `<< /Title ${text(title)} /Author ${text(author)} /Subject (Quarterly figures) /Creator (Writer) /Producer (LibreOffice 24.2)` +
      " /CreationDate (D:20250115103000+01'00') /ModDate (D:20250117164200+01'00') >>",
    `<< /Length ${size} >>\nstream\n${"x".repeat(size)}\nendstream`,
  ];
  let file = "%PDF-1.7\n";
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const xref = file.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const id = "5f0c1e7a9b3d4e2f8a6c0b1d2e3f4a5b";
  file += `xref\n0 6\n0000000000 65535 f \n${entries}trailer\n<< /Size 6 /Root 1 0 R /Info 4 0 R /ID [<${id}> <${id}>] >>\nstartxref\n${xref}\n%%EOF\n`;
  return Buffer.from(file, "latin1");
}

/** The same as a browser's file input takes it. */
export function file(name, title, options) {
  return { name, mimeType: "application/pdf", buffer: pdf(title, options) };
}
