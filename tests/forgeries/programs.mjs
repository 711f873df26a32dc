// Honest work by pdf-lib, pdf.js and @signpdf: `programs.mjs KEY.p12 IN OUT` does to every file of IN what its name permits
// (`P0-` to `P3-` are signed, others are not) and writes `WORK, NAME.pdf` into OUT. What fails is named on standard error.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plainAddPlaceholder } from "@signpdf/placeholder-plain";
import { P12Signer } from "@signpdf/signer-p12";
import { SignPdf } from "@signpdf/signpdf";
import { PDFDocument, StandardFonts, degrees, rgb } from "pdf-lib";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";

const [key, input, output] = process.argv.slice(2);
const signer = () => new P12Signer(readFileSync(key), { passphrase: "forge" });

const sign = (file, options = {}) => {
  const place = { reason: "I agree", contactInfo: "a@b.example", name: "Second Signer", location: "Bonn", signatureLength: 12000 };
  return new SignPdf().sign(plainAddPlaceholder({ pdfBuffer: Buffer.from(file), ...place, ...options }), signer());
};

const load = (file) => PDFDocument.load(file, { ignoreEncryption: false });

const plain = async (file) => (await load(file)).save({ useObjectStreams: false });

const works = {
  // @signpdf's placeholders know forms that it made itself, in files with a table
  "signature by @signpdf": async (file) => sign(await plain(file)),
  "two signatures by @signpdf": async (file) => sign(await sign(await plain(file))),
  "visible second signature by @signpdf": async (file) => sign(await sign(await plain(file)), { widgetRect: [300, 20, 480, 60] }),
  "save by pdf-lib": async (file) => (await load(file)).save(),
  "save plainly by pdf-lib": async (file) => plain(file),
  "stamp by pdf-lib": async (file) => {
    const document = await load(file);
    const font = await document.embedFont(StandardFonts.Helvetica);
    document.getPages().forEach((page, place) => {
      page.drawText(`Page ${place + 1}`, { x: 500, y: 12, size: 8, font });
      page.drawText("COPY", { x: 200, y: 300, size: 60, font, rotate: degrees(45), color: rgb(0.8, 0.8, 0.8), opacity: 0.3 });
    });
    return document.save();
  },
  "merge by pdf-lib": async (file) => {
    const [document, other] = [await PDFDocument.create(), await load(file)];
    for (let turn = 0; turn < 2; turn += 1) {
      (await document.copyPages(other, other.getPageIndices())).forEach((page) => document.addPage(page));
    }
    return document.save();
  },
  "sheet by pdf-lib": async (file) => {
    const document = await PDFDocument.create();
    const pages = await document.embedPdf(file, [0]);
    const sheet = document.addPage([842, 595]);
    [0, 421].forEach((x) => sheet.drawPage(pages[0], { x, y: 0, xScale: 0.7, yScale: 0.7 }));
    return document.save();
  },
  "fill by pdf-lib": async (file) => fill(file, false),
  "fill and flatten by pdf-lib": async (file) => fill(file, true),
  "invoice by pdf-lib": async (file) => {
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.Helvetica);
    const page = document.addPage([595, 842]);
    page.drawRectangle({ x: 50, y: 700, width: 495, height: 24, color: rgb(0.1, 0.2, 0.6) });
    page.drawText("Invoice 4711", { x: 60, y: 707, size: 14, font, color: rgb(1, 1, 1) });
    for (let row = 0; row < 3 + (file.length % 20); row += 1) {
      if (row % 2) page.drawRectangle({ x: 50, y: 672 - 20 * row, width: 495, height: 20, color: rgb(0.94, 0.94, 0.94) });
      page.drawText(`Part ${row}`, { x: 60, y: 678 - 20 * row, size: 11, font });
      page.drawText(`${row * 17}.00`, { x: 480, y: 678 - 20 * row, size: 11, font });
    }
    return document.save();
  },
};

async function fill(file, flatten) {
  const document = await load(file);
  const form = document.getForm();
  if (!form.getFields().length) throw new Error("no form");
  for (const field of form.getFields()) {
    if (field.constructor.name === "PDFTextField") field.setText("Alice");
    if (field.constructor.name === "PDFCheckBox") field.check();
    if (field.constructor.name === "PDFDropdown") field.select("Spain");
  }
  if (flatten) form.flatten();
  return document.save();
}

// Firefox's viewer, which appends what was filled in and noted.
const edit = (change) => async (file) => {
  const document = await getDocument({ data: new Uint8Array(file), verbosity: 0 }).promise;
  const fields = await document.getFieldObjects();
  await change(document.annotationStorage, (name) => fields[name][0].id);
  return document.saveDocument();
};

const editor = { pageIndex: 0, rotation: 0, structTreeParentId: null };

const fillings = {
  "fill by pdf.js": edit((storage, id) => storage.setValue(id("Limit"), { value: "750" })),
  "check by pdf.js": edit((storage, id) => storage.setValue(id("Agree"), { value: true })),
  "list by pdf.js": edit((storage, id) => storage.setValue(id("Country"), { value: "Spain" })),
  "comb by pdf.js": edit((storage, id) => storage.setValue(id("Code"), { value: "123456" })),
  "lines by pdf.js": edit((storage, id) => storage.setValue(id("Remarks"), { value: "First line\nSecond line" })),
};

const notes = {
  "text by pdf.js": edit((storage) => storage.setValue("pdfjs_internal_editor_0", {
    ...editor, annotationType: 3, color: [0, 0, 0], fontSize: 12, value: "Seen", rect: [300, 100, 400, 120],
  })),
  "highlight by pdf.js": edit((storage) => storage.setValue("pdfjs_internal_editor_1", {
    ...editor, annotationType: 9, color: [255, 255, 0], opacity: 1, thickness: 12, rect: [430, 588, 500, 604],
    quadPoints: [430, 604, 500, 604, 430, 588, 500, 588], outlines: [[430, 588, 430, 604, 500, 604, 500, 588]],
  })),
};

function permitted(name) {
  const level = /^P([0-3])-/.exec(name)?.[1];
  if (level === undefined) return works;
  return { ...(level !== "1" && fillings), ...(level === "3" && notes) };
}

// @signpdf writes the list of fields anew, so that a form would lose its own
const loses = (what, name) => what.includes("@signpdf") && name === "a_form.pdf";

for (const name of readdirSync(input).sort()) {
  for (const [what, work] of Object.entries(permitted(name))) {
    if (loses(what, name)) continue;
    try {
      writeFileSync(join(output, `${what}, ${name}`), await work(readFileSync(join(input, name))));
    } catch (error) {
      console.error(`${what}, ${name}: ${error}`);
    }
  }
}
