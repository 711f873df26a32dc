"""Makes an invoice in each kind of font, and the list of edits: make.py FOLDER.

Every value stands 100 points right of its label, so that it can be found in fonts that say nothing of their letters.
"""

import json
import pathlib
import sys

import pymupdf
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

DEJAVU = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
LABEL, VALUE, SIZE = 60, 160, 11
LINES = [
    ("Invoice", "2026-0117", 760),
    ("Customer", "Ann Example", 730),
    ("Account", "DE02 1203 0000 0000 2020 51", 700),
    ("Due on", "18 November 2026", 670),
    ("Total", "1,250.00 EUR", 640),
    ("Letters", "0123456789 abcdefghijklmnopqrstuvwxyz EDNXM.,", 600),
]
# what is changed, from and to, where
EDITS = [
    ("name", "Customer", "Ann Example", "Eve Example", 730),
    ("account", "Account", "DE02 1203 0000 0000 2020 51", "DE02 5001 0517 0137 0750 30", 700),
    ("date", "Due on", "18 November 2026", "28 November 2027", 670),
    ("amount", "Total", "1,250.00 EUR", "9,250.00 EUR", 640),
]


# the labels in letters that are read from right to left
HEBREW = {
    "Invoice": "\u05d7\u05e9\u05d1\u05d5\u05e0\u05d9\u05ea",
    "Customer": "\u05dc\u05e7\u05d5\u05d7",
    "Account": "\u05d7\u05e9\u05d1\u05d5\u05df",
    "Due on": "\u05ea\u05d0\u05e8\u05d9\u05da",
    "Total": "\u05e1\u05d4\u05db \u05dc\u05ea\u05e9\u05dc\u05d5\u05dd",
}


def with_reportlab(path, font, labels={}):
    canvas = Canvas(str(path), pagesize=(595, 842), pageCompression=0)
    canvas.setFont(font, SIZE)
    for label, value, line in LINES:
        # letters stand on the page from left to right, whichever way they are read
        canvas.drawString(LABEL, line, labels[label][::-1] if label in labels else label)
        canvas.drawString(VALUE, line, value)
    canvas.save()


def with_pymupdf(path, name, file=None, maps=True):
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    for label, value, line in LINES:
        page.insert_text((LABEL, 842 - line), label, fontname=name, fontfile=file, fontsize=SIZE)
        page.insert_text((VALUE, 842 - line), value, fontname=name, fontfile=file, fontsize=SIZE)
    if not maps:
        for xref in range(1, document.xref_length()):
            if document.xref_get_key(xref, "ToUnicode")[0] != "null":
                document.xref_set_key(xref, "ToUnicode", "null")
    document.save(path)


def type3(path, names):
    """A font whose glyphs are boxes; with letters for their names, or with numbers."""
    codes = sorted({ord(letter) for label, value, _ in LINES for letter in label + value})
    special = {" ": "space", ",": "comma", ".": "period", "-": "hyphen", **dict(zip("0123456789", "zero one two three four five six seven eight nine".split()))}
    name = {code: special.get(chr(code), chr(code)) if names else f"g{code}" for code in codes}
    procedures = " ".join(f"/{name[code]} 5 0 R" for code in codes)
    differences = " ".join(f"{code} /{name[code]}" for code in codes)
    content = "BT /F %d Tf " % SIZE + " ".join(
        f"1 0 0 1 {left} {line} Tm ({text}) Tj" for label, value, line in LINES for left, text in ((LABEL, label), (VALUE, value))
    ) + " ET"
    glyph = "600 0 50 0 550 700 d1 50 0 500 700 re f"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 6 0 R >> >> >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        f"<< /Length {len(glyph)} >>\nstream\n{glyph}\nendstream",
        f"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 600 700] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar {codes[0]} "
        f"/LastChar {codes[-1]} /Widths [{' '.join(['600'] * (codes[-1] - codes[0] + 1))}] /CharProcs << {procedures} >> "
        f"/Encoding << /Type /Encoding /Differences [{differences}] >> /Resources << >> >>",
    ]
    file, offsets = "%PDF-1.7\n", []
    for number, text in enumerate(objects, 1):
        offsets.append(len(file))
        file += f"{number} 0 obj\n{text}\nendobj\n"
    start = len(file)
    file += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n" + "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    file += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    path.write_bytes(file.encode())


def main():
    folder = pathlib.Path(sys.argv[1])
    pdfmetrics.registerFont(TTFont("DejaVu", DEJAVU))
    with_reportlab(folder / "standard.pdf", "Helvetica")
    with_reportlab(folder / "truetype.pdf", "DejaVu")
    with_reportlab(folder / "hebrew.pdf", "DejaVu", HEBREW)
    with_pymupdf(folder / "times.pdf", "tiro")
    with_pymupdf(folder / "cid.pdf", "dejavu", DEJAVU)
    with_pymupdf(folder / "cid-unmapped.pdf", "dejavu", DEJAVU, maps=False)
    type3(folder / "type3.pdf", names=True)
    type3(folder / "type3-unnamed.pdf", names=False)
    fonts = sorted(path.stem for path in folder.glob("*.pdf"))
    keys = "font", "edit", "label", "before", "after", "line"
    edits = [dict(zip(keys, (font, *edit))) for font in fonts for edit in EDITS]
    (folder / "edits.json").write_text(json.dumps(edits))


if __name__ == "__main__":
    main()
