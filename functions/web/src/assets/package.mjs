// An evidence package: files in a ZIP archive that are stored as they are (PKWARE APPNOTE 6.3, method 0), and a report's page
// as one file that needs no other.

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

// The CRC-32 of a file, a piece at a time.
const checksum = async (blob) => {
  let crc = 0xffffffff;
  for (let at = 0; at < blob.size; at += 1 << 20) {
    const piece = new Uint8Array(await blob.slice(at, at + (1 << 20)).arrayBuffer());
    for (const byte of piece) crc = TABLE[(crc ^ byte) & 255] ^ (crc >>> 8);
  }
  return (crc ^ 0xffffffff) >>> 0;
};

// Numbers of two and four bytes, the lowest first.
const bytes = (...fields) => {
  const view = new DataView(new ArrayBuffer(fields.reduce((length, [size]) => length + size, 0)));
  let at = 0;
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(view.buffer);
};

// Sizes and places in an archive of this kind have four bytes.
const MOST = 0xffffffff;

/** A report's JSON from its address: what answers there may be another page, such as the one to log in. */
export async function reported(address) {
  const answer = await fetch(address);
  const type = answer.headers.get("content-type") ?? "";
  if (!answer.ok || answer.redirected || !type.startsWith("application/json")) {
    throw new Error("The report could not be read. Log in again, and reload the page.");
  }
  return answer.blob();
}

/** The archive of these files, each a name and a blob, that were made at this instant: less than 4 GiB in all. */
export async function zipped(files, made = new Date()) {
  if (files.reduce((size, [name, blob]) => size + blob.size + 2 * name.length + 128, 128) > MOST) {
    throw new Error("The versions of this file are over 4 GiB in all, more than a package holds. Save them one by one.");
  }
  // UTC, in steps of two seconds
  const time = (made.getUTCHours() << 11) | (made.getUTCMinutes() << 5) | (made.getUTCSeconds() >> 1);
  const date = (Math.max(0, made.getUTCFullYear() - 1980) << 9) | ((made.getUTCMonth() + 1) << 5) | made.getUTCDate();
  const [parts, directory] = [[], []];
  let at = 0;
  for (const [name, blob] of files) {
    const text = new TextEncoder().encode(name);
    // version, UTF-8 names, stored, time and date, checksum, both sizes, lengths of the name and of nothing more
    const common = [[2, 20], [2, 0x800], [2, 0], [2, time], [2, date], [4, await checksum(blob)], [4, blob.size], [4, blob.size], [2, text.length], [2, 0]];
    const head = bytes([4, 0x04034b50], ...common);
    directory.push(bytes([4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]), text);
    parts.push(head, text, blob);
    at += head.length + text.length + blob.size;
  }
  const size = directory.reduce((length, part) => length + part.length, 0);
  const end = bytes([4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, size], [4, at], [2, 0]);
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}

/** The page of a report by itself: with its styles in it, and without what only works where it came from. */
export async function page(document) {
  const copy = document.documentElement.cloneNode(true);
  const styles = [...document.querySelectorAll("link[rel=stylesheet]")].map((link) => link.href);
  const texts = await Promise.all(styles.map(async (address) => (await fetch(address)).text()));
  const gone = "script, link, form, input, button, nav, .top, .bottom, .skip, .crumb, .actions, .sharing, .comparing, .seen, .delete, .local, .with-script, .unprinted";
  for (const element of copy.querySelectorAll(gone)) element.remove();
  for (const link of copy.querySelectorAll("a")) link.replaceWith(...link.childNodes);
  const style = document.createElement("style");
  style.textContent = texts.join("\n");
  copy.querySelector("head").append(style);
  return new Blob(["<!DOCTYPE html>\n", copy.outerHTML], { type: "text/html" });
}

// What the package is, for whoever unpacks it.
export const readme = (file) => [
  "Evidence package of the PDF Analysis Service.",
  "",
  `${file.name}: the file that was analyzed, byte for byte.`,
  "... (version N).pdf: the earlier versions that are in it, each the first bytes of the file.",
  "report.html, report.json: what was found.",
  "SHA256SUMS: the hashes of all these files. Check them with: sha256sum --check SHA256SUMS",
  "",
].join("\n");
