// A note that MuPDF lays over an invoice's value.
import * as mupdf from "mupdf";

const [VALUE, SIZE] = [160, 11];

/** Lays a note of this width over the value that says another, and saves in this way. */
export function noted(bytes, edit, width, way) {
  const document = mupdf.Document.openDocument(bytes, "application/pdf");
  const note = document.loadPage(0).createAnnotation("FreeText");
  const base = 842 - edit.line;
  note.setRect([VALUE - 3, base - 13, VALUE + width, base + 5]);
  note.setDefaultAppearance("Helv", SIZE, [0, 0, 0]);
  note.setColor([1, 1, 1]);
  note.setBorderWidth(0);
  note.setContents(edit.after);
  note.update();
  return document.saveToBuffer(way).asUint8Array();
}
