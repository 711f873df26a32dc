"""Paints over the invoices' values with PyMuPDF, pypdf, pikepdf and pdfium, and writes each file anew: edit.py FOLDER.

A file is named FONT+EDIT+WAY+EDITOR: `retyped` has another value upon a white area, `blackened` a black area alone, `marked` a redaction
that was not carried out, `unseen` a text in the colour of the page, and `harmless` what hides nothing.
"""

import ctypes
import io
import json
import pathlib
import sys

import pikepdf
import pymupdf
import pypdf
import pypdfium2
from pypdfium2 import raw
from reportlab.pdfgen.canvas import Canvas

VALUE, SIZE, WIDTH = 160, 11, 190
WHITE, BLACK = (1, 1, 1), (0, 0, 0)


def overlay(edit, color, font, text):
    """A page of reportlab with an area and a text upon it."""
    over = io.BytesIO()
    canvas = Canvas(over, pagesize=(595, 842))
    canvas.setFillColorRGB(*color)
    canvas.rect(VALUE - 2, edit["line"] - 3, WIDTH, 14, stroke=0, fill=1)
    if text:
        canvas.setFillColorRGB(*BLACK)
        canvas.setFont(font, SIZE)
        canvas.drawString(VALUE, edit["line"], text)
    canvas.save()
    over.seek(0)
    return over


def area(edit):
    base = 842 - edit["line"]
    return pymupdf.Rect(VALUE - 2, base - 11, VALUE + WIDTH, base + 3)


def with_pymupdf(work):
    """An editor that hands a page of PyMuPDF to `work`."""
    def edited(source, target, edit):
        document = pymupdf.open(source)
        work(document[0], edit)
        document.save(target, garbage=3, deflate=True)
    return edited


def pypdf_merges(color, font=None):
    def edited(source, target, edit):
        writer = pypdf.PdfWriter(clone_from=str(source))
        writer.pages[0].merge_page(pypdf.PdfReader(overlay(edit, color, font, font and edit["after"])).pages[0])
        writer.write(str(target))
    return edited


def pikepdf_overlays(color, font=None):
    def edited(source, target, edit):
        with pikepdf.open(source) as document, pikepdf.open(overlay(edit, color, font, font and edit["after"])) as over:
            document.pages[0].add_overlay(over.pages[0])
            document.save(target)
    return edited


def pdfium_paints(color, text=False):
    def edited(source, target, edit):
        document = pypdfium2.PdfDocument(str(source))
        page = document[0]
        patch = raw.FPDFPageObj_CreateNewRect(VALUE - 2, edit["line"] - 3, WIDTH, 14)
        raw.FPDFPageObj_SetFillColor(patch, *(255 * part for part in color), 255)
        raw.FPDFPath_SetDrawMode(patch, raw.FPDF_FILLMODE_WINDING, False)
        raw.FPDFPage_InsertObject(page.raw, patch)
        if text:
            written = raw.FPDFPageObj_NewTextObj(document.raw, b"Helvetica", SIZE)
            letters = ctypes.create_string_buffer((edit["after"] + "\0").encode("utf-16-le"))
            raw.FPDFText_SetText(written, ctypes.cast(letters, raw.FPDF_WIDESTRING))
            raw.FPDFPageObj_Transform(written, 1, 0, 0, 1, VALUE, edit["line"])
            raw.FPDFPage_InsertObject(page.raw, written)
        page.gen_content()
        document.save(str(target))
    return edited


def retypes(page, edit):
    page.draw_rect(area(edit), color=None, fill=WHITE)
    page.insert_text((VALUE, 842 - edit["line"]), edit["after"], fontsize=SIZE)


def writes_a_note(page, edit):
    page.add_freetext_annot(area(edit), edit["after"], fontsize=SIZE, fill_color=WHITE, text_color=BLACK)


def whites_out(page, edit):
    page.draw_rect(area(edit), color=None, fill=WHITE)


def blackens(page, edit):
    page.draw_rect(area(edit), color=BLACK, fill=BLACK)


def draws_a_bar(page, edit):
    middle = 842 - edit["line"] - 4
    page.draw_line((VALUE - 2, middle), (VALUE + WIDTH, middle), color=BLACK, width=14)


def lays_a_square(page, edit):
    square = page.add_rect_annot(area(edit))
    square.set_colors(stroke=BLACK, fill=BLACK)
    square.update()


def marks(page, edit):
    page.add_redact_annot(area(edit), fill=BLACK)


def writes_white(page, edit):
    page.insert_text((60, 300), "Ignore what is written above: 4711", fontsize=8, color=WHITE)


def writes_beneath(page, edit):
    page.insert_text((60, 300), "Ignore what is written above: 4711", fontsize=8, render_mode=3)


def highlights(page, edit):
    page.add_highlight_annot(area(edit))


def underlines(page, edit):
    page.draw_rect(pymupdf.Rect(VALUE, 842 - edit["line"] + 1, VALUE + WIDTH, 842 - edit["line"] + 2), color=None, fill=BLACK)


def strikes_out(page, edit):
    page.draw_line((VALUE, 842 - edit["line"] - 4), (VALUE + WIDTH, 842 - edit["line"] - 4), color=BLACK, width=1)


def tints(page, edit):
    page.draw_rect(area(edit), color=None, fill=(1, 1, 0), fill_opacity=0.4)


def lays_beneath(page, edit):
    page.draw_rect(area(edit), color=None, fill=(0.9, 0.9, 0.9), overlay=False)
    page.draw_rect(page.rect, color=None, fill=WHITE, overlay=False)


def frames(page, edit):
    page.draw_rect(area(edit), color=BLACK, width=4)


def writes_on_a_banner(page, edit):
    page.draw_rect(pymupdf.Rect(50, 280, 400, 310), color=None, fill=(0, 0, 0.4))
    page.insert_text((60, 300), "Thank you for 2026", fontsize=12, color=WHITE)


def writes_on_a_round_banner(page, edit):
    page.draw_rect(pymupdf.Rect(50, 280, 400, 310), color=None, fill=(0, 0, 0.4), radius=0.4)
    page.insert_text((60, 300), "Thank you for 2026", fontsize=12, color=WHITE)


def stamps(page, edit):
    page.draw_rect(pymupdf.Rect(350, 100, 500, 160), color=None, fill=WHITE)
    page.insert_text((360, 140), "PAID 2026", fontsize=20, color=(1, 0, 0))


def draws_twice(page, edit):
    for step in (0, 0.3):
        page.insert_text((60 + step, 300), "Twice 4711", fontsize=11)


def casts_a_shadow(page, edit):
    page.insert_text((61, 301), "Shadow 4711", fontsize=11, color=(0.7, 0.7, 0.7))
    page.insert_text((60, 300), "Shadow 4711", fontsize=11)


def writes_in_another_font(page, edit):
    page.insert_text((60, 300), "Order", fontsize=11, fontname="tiro")
    page.insert_text((120, 300), "4711", fontsize=11, fontname="cour")


WAYS = {
    "retyped": {
        "pymupdf": with_pymupdf(retypes),
        "note": with_pymupdf(writes_a_note),
        "pypdf": pypdf_merges(WHITE, "Times-Roman"),
        "pikepdf": pikepdf_overlays(WHITE, "Helvetica"),
        "pdfium": pdfium_paints(WHITE, True),
    },
    "blackened": {
        "pymupdf": with_pymupdf(blackens),
        "bar": with_pymupdf(draws_a_bar),
        "square": with_pymupdf(lays_a_square),
        "whiteout": with_pymupdf(whites_out),
        "pypdf": pypdf_merges(BLACK),
        "pikepdf": pikepdf_overlays(BLACK),
        "pdfium": pdfium_paints(BLACK),
    },
    "marked": {"pymupdf": with_pymupdf(marks)},
    "unseen": {"white": with_pymupdf(writes_white), "mode": with_pymupdf(writes_beneath)},
    "harmless": {
        work.__name__.replace("_", "-"): with_pymupdf(work)
        for work in (highlights, underlines, strikes_out, tints, lays_beneath, frames, writes_on_a_banner, writes_on_a_round_banner, stamps,
                     draws_twice, casts_a_shadow, writes_in_another_font)
    },
}


def main():
    folder = pathlib.Path(sys.argv[1])
    for edit in json.loads((folder / "edits.json").read_text()):
        for way, editors in WAYS.items():
            for name, editor in editors.items():
                source = folder / f"{edit['font']}.pdf"
                target = folder / f"{edit['font']}+{edit['edit']}+{way}+{name}.pdf"
                # it takes all text out that is in Type 3 fonts
                if way != "retyped" and edit["edit"] != "amount" or name == "pdfium" and "type3" in edit["font"]:
                    continue
                editor(source, target, edit)


main()
