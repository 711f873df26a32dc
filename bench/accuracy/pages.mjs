// What pdf-lib and PDFKit make and edit; one JSON object on standard input says what.
import { readFileSync, writeFileSync, createWriteStream } from "node:fs";
import { once } from "node:events";
import { PDFDocument, StandardFonts, rgb } from "pdf-lib";
import PDFKit from "pdfkit";

const said = JSON.parse(readFileSync(0, "utf8"));

async function madeByPdfLib() {
  const made = await PDFDocument.create();
  made.setTitle(said.title);
  made.setAuthor(said.author);
  const [regular, bold] = said.serif
    ? [StandardFonts.TimesRoman, StandardFonts.TimesRomanBold]
    : [StandardFonts.Helvetica, StandardFonts.HelveticaBold];
  const fonts = [await made.embedFont(regular), await made.embedFont(bold)];
  for (const [number, lines] of said.pages.entries()) {
    const page = made.addPage(said.size);
    if (number === 0) {
      const [x, y, width, height] = said.box;
      page.drawImage(await made.embedPng(said.image), { x, y, width, height });
      page.drawLine({ start: { x: 72, y: 735 }, end: { x: 523, y: 735 } });
    }
    for (const { x, y, size, text, bold } of lines) page.drawText(text, { x, y, size, font: fonts[Number(bold)] });
  }
  writeFileSync(said.out, await made.save());
}

async function madeByPdfKit() {
  const made = new PDFKit({ size: said.size, margin: 0, autoFirstPage: false, info: { Title: said.title, Author: said.author } });
  const file = made.pipe(createWriteStream(said.out));
  const fonts = said.serif ? ["Times-Roman", "Times-Bold"] : ["Helvetica", "Helvetica-Bold"];
  for (const [number, lines] of said.pages.entries()) {
    made.addPage();
    if (number === 0) {
      const [x, y, width, height] = said.box;
      made.image(Buffer.from(said.image, "base64"), x, said.size[1] - y - height, { width, height });
      made.moveTo(72, said.size[1] - 735).lineTo(523, said.size[1] - 735).stroke();
    }
    for (const { x, y, size, text, bold } of lines) {
      made.font(fonts[Number(bold)]).fontSize(size).text(text, x, said.size[1] - y, { baseline: "alphabetic", lineBreak: false });
    }
  }
  made.end();
  await once(file, "finish");
}

async function madeForm() {
  const made = await PDFDocument.create();
  made.setTitle(said.title);
  const page = made.addPage(said.size);
  const font = await made.embedFont(StandardFonts.Helvetica);
  page.drawText(said.title, { x: 72, y: 760, size: 18, font });
  for (const [row, [name, label, value]] of said.fields.entries()) {
    page.drawText(label, { x: 72, y: 700 - 40 * row, size: 11, font });
    const text = made.getForm().createTextField(name);
    text.setText(value);
    text.addToPage(page, { x: 220, y: 692 - 40 * row, width: 240, height: 22, font });
    text.setFontSize(11);
  }
  page.drawText(said.term, { x: 72, y: 480, size: 11, font });
  writeFileSync(said.out, await made.save());
}

async function edited() {
  const file = await PDFDocument.load(readFileSync(said.from), { ignoreEncryption: true });
  for (const { what, page: number, box, at, size, text, name, value } of said.steps) {
    const page = file.getPage(number ?? 0);
    if (what === "cover") {
      page.drawRectangle({ x: box[0], y: box[1], width: box[2] - box[0], height: box[3] - box[1], color: rgb(1, 1, 1) });
    } else if (what === "text") {
      page.drawText(text, { x: at[0], y: at[1], size, font: await file.embedFont(StandardFonts.Helvetica) });
    } else if (what === "remove") {
      file.removePage(number);
    } else if (what === "fill") {
      file.getForm().getTextField(name).setText(value);
    }
  }
  writeFileSync(said.out, await file.save(said.options ?? {}));
}

await { "pdf-lib": madeByPdfLib, pdfkit: madeByPdfKit, form: madeForm, edit: edited }[said.program]();
