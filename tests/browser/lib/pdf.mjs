// PDFs made in code.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { SERVER } from "./console.mjs";

/** Files whose history is known, as `samples` writes them: by name, as a browser's file input takes them. */
export function histories() {
  const folder = mkdtempSync(path.join(tmpdir(), "histories-"));
  try {
    execFileSync(path.join(path.dirname(SERVER), "histories"), [folder]);
    return readdirSync(folder).map((name) => ({ name, mimeType: "application/pdf", buffer: readFileSync(path.join(folder, name)) }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A PDF that opens with `password` only (RC4, 40 bits: ISO 32000-1, algorithms 2 to 4). */
export function locked(title, password) {
  const filler = Buffer.from("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A", "hex");
  const padded = (text) => Buffer.concat([Buffer.from(text, "latin1"), filler]).subarray(0, 32);
  const md5 = (...parts) => createHash("md5").update(Buffer.concat(parts)).digest();
  const id = Buffer.from("00112233445566778899aabbccddeeff", "hex");
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
  const owner = rc4(md5(padded(password)).subarray(0, 5), padded(password));
  const key = md5(padded(password), owner, permissions, id).subarray(0, 5);
  const text = rc4(md5(key, Buffer.from([4, 0, 0, 0, 0])).subarray(0, 10), Buffer.from(title, "latin1"));
  const hex = (bytes) => `<${bytes.toString("hex")}>`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
    `<< /Title ${hex(text)} >>`,
    `<< /Filter /Standard /V 1 /R 2 /O ${hex(owner)} /U ${hex(rc4(key, filler))} /P -4 >>`,
  ];
  return written(objects, `/Info 4 0 R /Encrypt 5 0 R /ID [${hex(id)} ${hex(id)}]`);
}

function rc4(key, data) {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + state[i] + key[i % key.length]) & 255;
    [state[i], state[j]] = [state[j], state[i]];
  }
  let [i, j] = [0, 0];
  return Buffer.from(data.map((byte) => {
    i = (i + 1) & 255;
    j = (j + state[i]) & 255;
    [state[i], state[j]] = [state[j], state[i]];
    return byte ^ state[(state[i] + state[j]) & 255];
  }));
}

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
  const id = "5f0c1e7a9b3d4e2f8a6c0b1d2e3f4a5b";
  return written(objects, `/Info 4 0 R /ID [<${id}> <${id}>]`);
}

/** The objects as a file with a cross-reference table; the first is the catalog. */
function written(objects, trailer) {
  let file = "%PDF-1.7\n";
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const xref = file.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  file += `xref\n0 6\n0000000000 65535 f \n${entries}trailer\n<< /Size 6 /Root 1 0 R ${trailer} >>\nstartxref\n${xref}\n%%EOF\n`;
  return Buffer.from(file, "latin1");
}

/** The same as a browser's file input takes it. */
export function file(name, title, options) {
  return { name, mimeType: "application/pdf", buffer: pdf(title, options) };
}
