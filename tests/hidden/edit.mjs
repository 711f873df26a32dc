// Paints over the invoices' values with pdf-lib and MuPDF, and writes each file anew: edit.mjs FOLDER.
import fs from "node:fs";
import path from "node:path";
import { PDFDocument, StandardFonts, rgb } from "@cantoo/pdf-lib";
import { noted } from "./note.mjs";

const [VALUE, SIZE, WIDTH] = [160, 11, 190];
const folder = process.argv[2];

/** An area over the value, and perhaps another one upon it. */
async function pdflib(bytes, edit, way) {
  const document = await PDFDocument.load(bytes);
  const font = await document.embedFont(StandardFonts.Courier);
  const page = document.getPages()[0];
  const shade = way === "retyped" ? 1 : 0;
  page.drawRectangle({ x: VALUE - 2, y: edit.line - 3, width: WIDTH, height: 14, color: rgb(shade, shade, shade) });
  if (way === "retyped") page.drawText(edit.after, { x: VALUE, y: edit.line, size: SIZE, font });
  return document.save();
}

/** A note over the value that says another. */
async function mupdfjs(bytes, edit) {
  return noted(bytes, edit, WIDTH, "garbage");
}

for (const edit of JSON.parse(fs.readFileSync(path.join(folder, "edits.json")))) {
  for (const [way, editor] of [["retyped", pdflib], ["blackened", pdflib], ["retyped", mupdfjs]]) {
    if (way === "blackened" && edit.edit !== "amount") continue;
    const source = fs.readFileSync(path.join(folder, `${edit.font}.pdf`));
    fs.writeFileSync(path.join(folder, `${edit.font}+${edit.edit}+${way}+${editor.name}.pdf`), await editor(source, edit, way));
  }
}
