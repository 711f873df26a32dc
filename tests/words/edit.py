"""Edits the invoices with PyMuPDF, pyHanko, pypdf and pdfium, each by an incremental save: edit.py FOLDER."""

import ctypes
import io
import json
import pathlib
import sys

import pymupdf
import pypdf
import pypdfium2
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pypdfium2 import raw
from reportlab.pdfgen.canvas import Canvas

VALUE, SIZE, WIDTH = 160, 11, 300


def pymupdf_redacts(source, target, edit):
    """Takes the value out of the page and writes another in its place."""
    target.write_bytes(source.read_bytes())
    document = pymupdf.open(target)
    page = document[0]
    base = 842 - edit["line"]
    page.add_redact_annot(pymupdf.Rect(VALUE - 2, base - 10, VALUE + WIDTH, base + 3))
    page.apply_redactions()
    page.insert_text((VALUE, base), edit["after"], fontsize=SIZE)
    document.saveIncr()


def pyhanko_rewrites(source, target, edit):
    """Exchanges the string in the content; where there is none, paints over it."""
    writer = IncrementalPdfFileWriter(io.BytesIO(source.read_bytes()))
    page = writer.root["/Pages"]["/Kids"][0].get_object()
    contents = page.raw_get("/Contents")
    streams = contents.get_object() if isinstance(contents.get_object(), generic.ArrayObject) else [contents]
    for reference in streams:
        stream = reference.get_object()
        old, new = (f"({edit[key]})".encode() for key in ("before", "after"))
        if old in stream.data:
            stream._data = stream.data.replace(old, new)
            stream._encoded_data = None
            writer.mark_update(reference.reference)
            break
    else:
        font = generic.DictionaryObject({
            generic.NameObject("/Type"): generic.NameObject("/Font"),
            generic.NameObject("/Subtype"): generic.NameObject("/Type1"),
            generic.NameObject("/BaseFont"): generic.NameObject("/Helvetica"),
        })
        line, after = edit["line"], edit["after"]
        over = f"q 1 g {VALUE - 2} {line - 3} {WIDTH} 14 re f Q BT /Over {SIZE} Tf {VALUE} {line} Td ({after}) Tj ET"
        resources = generic.DictionaryObject({
            generic.NameObject("/Font"): generic.DictionaryObject({generic.NameObject("/Over"): writer.add_object(font)})
        })
        stream = writer.add_object(generic.StreamObject(stream_data=over.encode()))
        writer.add_stream_to_page(0, stream, resources)
    with open(target, "wb") as file:
        writer.write(file)


def pypdf_stamps(source, target, edit):
    """Lays a page of reportlab over it that paints the value over and writes another."""
    over = io.BytesIO()
    canvas = Canvas(over, pagesize=(595, 842))
    canvas.setFillColorRGB(1, 1, 1)
    canvas.rect(VALUE - 2, edit["line"] - 3, WIDTH, 14, stroke=0, fill=1)
    canvas.setFillColorRGB(0, 0, 0)
    canvas.setFont("Times-Roman", SIZE)
    canvas.drawString(VALUE, edit["line"], edit["after"])
    canvas.save()
    writer = pypdf.PdfWriter(str(source), incremental=True)
    writer.pages[0].merge_page(pypdf.PdfReader(over).pages[0])
    writer.write(str(target))


def pdfium_sets(source, target, edit):
    """Sets the text of the object, which stays in its font; but takes all text out that is in Type 3 fonts."""
    if edit["font"].startswith("type3"):
        return
    document = pypdfium2.PdfDocument(str(source))
    page = document[0]
    for found in page.get_objects([raw.FPDF_PAGEOBJ_TEXT]):
        left, bottom, *_ = found.get_bounds()
        if abs(left - VALUE) < 3 and abs(bottom - edit["line"]) < 5:
            text = (edit["after"] + "\0").encode("utf-16-le")
            buffer = ctypes.create_string_buffer(text)
            assert raw.FPDFText_SetText(found.raw, ctypes.cast(buffer, raw.FPDF_WIDESTRING))
            break
    else:
        raise LookupError("no text there")
    page.gen_content()
    document.save(str(target), flags=raw.FPDF_INCREMENTAL)


EDITORS = [pymupdf_redacts, pyhanko_rewrites, pypdf_stamps, pdfium_sets]


def main():
    folder = pathlib.Path(sys.argv[1])
    for edit in json.loads((folder / "edits.json").read_text()):
        for editor in EDITORS:
            name = editor.__name__.split("_")[0]
            source, target = folder / f"{edit['font']}.pdf", folder / f"{edit['font']}+{edit['edit']}+{name}.pdf"
            try:
                editor(source, target, edit)
            except Exception as error:
                target.unlink(missing_ok=True)
                print(f"{target.name}: {type(error).__name__} {error}"[:160], file=sys.stderr)


main()
