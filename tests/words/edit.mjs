// Edits the invoices with pdf-lib and MuPDF, each by an incremental save: edit.mjs FOLDER.
import fs from "node:fs";
import path from "node:path";
import { PDFDocument, StandardFonts, rgb } from "@cantoo/pdf-lib";
import { noted } from "./note.mjs";

const [VALUE, SIZE, WIDTH] = [160, 11, 300];
const folder = process.argv[2];

/** Paints the value over and writes another. */
async function pdflib(bytes, edit) {
  const document = await PDFDocument.load(bytes, { forIncrementalUpdate: true });
  const font = await document.embedFont(StandardFonts.Courier);
  const page = document.getPages()[0];
  page.drawRectangle({ x: VALUE - 2, y: edit.line - 3, width: WIDTH, height: 14, color: rgb(1, 1, 1) });
  page.drawText(edit.after, { x: VALUE, y: edit.line, size: SIZE, font });
  return document.save();
}

/** Lays a note over the value that says another. */
async function mupdfjs(bytes, edit) {
  return noted(bytes, edit, WIDTH, "incremental");
}

for (const edit of JSON.parse(fs.readFileSync(path.join(folder, "edits.json")))) {
  for (const editor of [pdflib, mupdfjs]) {
    const source = fs.readFileSync(path.join(folder, `${edit.font}.pdf`));
    const target = path.join(folder, `${edit.font}+${edit.edit}+${editor.name}.pdf`);
    try {
      fs.writeFileSync(target, await editor(source, edit));
    } catch (error) {
      console.error(`${path.basename(target)}: ${error}`.slice(0, 160));
    }
  }
}
