"""An amount in an unsigned invoice edited by many means, the old one still in the file, and the file saved anew.

Every edit leaves a trace: the old words lie under, beside or behind the new ones. Edits that leave none are not made here.
"""

import dataclasses
import io
import random
import re

import pikepdf
import pymupdf
import pypdf

from forge_paint import PAINTS, paint_resources
from honest import run

OLD, NEW = "1,250.00", "9,250.00"


@dataclasses.dataclass
class Edit:
    family: str
    what: str
    base: bytes
    file: bytes


# --- invoices, whose content shows the amount as a literal string ---


def by_reportlab(rng):
    from reportlab.pdfgen import canvas

    output = io.BytesIO()
    page = canvas.Canvas(output, pageCompression=rng.randrange(2))
    lines(page.drawString, rng)
    page.save()
    return output.getvalue()


def by_fpdf2(rng):
    import fpdf

    document = fpdf.FPDF(unit="pt", format="A4")
    document.add_page()
    document.set_font("Helvetica", size=12)
    lines(lambda x, y, words: document.text(x, 842 - y, words), rng)
    return bytes(document.output())


def by_ghostscript(rng):
    shown = []
    lines(lambda x, y, words: shown.append(f"{x} {y} moveto ({words}) show"), rng)
    source = (
        "%!PS\n<< /PageSize [595 842] >> setpagedevice /Helvetica findfont 12 scalefont setfont\n"
        + "\n".join(shown)
        + "\nshowpage\n"
    )
    return run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", "-sOutputFile=OUT", "IN"], source.encode())


def by_cairo(rng):
    return run(["pdftocairo", "-pdf", "IN", "OUT"], by_reportlab(rng))


def by_pymupdf(rng):
    document = pymupdf.open()
    page = document.new_page()
    lines(lambda x, y, words: page.insert_text((x, 842 - y), words, fontsize=12), rng)
    return document.tobytes(deflate=True)


def lines(draw, rng):
    draw(72, 780, "Invoice 4711")
    for number in range(rng.randint(2, 8)):
        draw(72, 720 - 20 * number, f"Position {number}")
        draw(430, 720 - 20 * number, f"{rng.randint(100, 999)}.00")
    draw(72, 500, "Total")
    draw(430, 500, OLD)
    draw(72, 460, "Pay within 30 days to account 4242.")


BIRTHS = (by_reportlab, by_fpdf2, by_ghostscript, by_cairo, by_pymupdf)


# --- edits ---


def place_of(file):
    """The box of the old amount: left, bottom, width, height."""
    page = pymupdf.open(stream=file)[0]
    found = page.search_for(OLD)[0]
    return found.x0, page.rect.height - found.y1, found.width, found.height


def resources(pdf):
    """The resources that the paints use, in this file."""
    text, streams = paint_resources()
    numbers = {}
    for name, body in streams.items():
        dictionary, data = body.split(b"\nstream\n", 1)
        made = pikepdf.Stream(pdf, data.removesuffix(b"\nendstream"))
        for key, value in pikepdf.Object.parse(re.sub(rb"/Length \d+", b"", dictionary)).items():
            made[key] = value
        numbers[name] = pdf.make_indirect(made)
    font = pdf.make_indirect(
        pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
    )
    holder = pikepdf.Object.parse(
        re.sub(rb"(%\((\w+)\)d|10) 0 R", lambda found: b"(@%s)" % (found[2] or b"font"), text)
    )
    replace(holder, {**numbers, "font": font})
    return holder


def replace(value, named):
    for key in list(value.keys()):
        item = value[key]
        if isinstance(item, pikepdf.String) and str(item).startswith("@"):
            value[key] = named[str(item)[1:]]
        elif isinstance(item, pikepdf.Dictionary):
            replace(item, named)


def add_content(pdf, content):
    page = pdf.pages[0]
    used = page.obj.get("/Resources")
    used = pikepdf.Dictionary(used) if used is not None else pikepdf.Dictionary()
    for kind, entries in resources(pdf).items():
        merged = pikepdf.Dictionary(used.get(kind, pikepdf.Dictionary()))
        for key, value in entries.items():
            merged[key] = value
        used[kind] = merged
    page.obj.Resources = used
    page.contents_add(b"q", prepend=True)
    page.contents_add(b"Q\n" + content)


def retype(place, rng):
    x, y, width, height = place
    return b"BT 0 g /Helv 12 Tf 1 0 0 1 %.2f %.2f Tm (%s) Tj ET" % (
        x + rng.choice((0, 0, 0.4, -0.5)),
        y + height * 0.22,
        NEW.encode(),
    )


# The paints of `forge` that cover and write nothing themselves.
COVERS = [
    name
    for name in PAINTS
    if name
    not in ("box and sum", "nine", "black", "nothing", "highlight", "underline", "words beside", "multiply black")
]


def covered(file, rng):
    """Something painted over the old amount, the new one on top."""
    name = rng.choice(COVERS)
    place = place_of(file)
    with pikepdf.open(io.BytesIO(file)) as pdf:
        x, y, width, height = place
        add_content(
            pdf,
            b"q %.4f 0 0 %.4f %.2f %.2f cm %s Q %s" % (width / 70, height / 16, x, y, PAINTS[name], retype(place, rng)),
        )
        return "cover: " + name, saved(pdf)


HIDING = {
    "invisible": (b"3 Tr ", b" 0 Tr"),
    "clipping": (b"7 Tr ", b" 0 Tr"),
    "no scale": (b"0 Tz ", b" 100 Tz"),
    "white": (b"1 g ", b" 0 g"),
    "white rgb": (b"1 1 1 rg ", b" 0 g"),
    "white cmyk": (b"0 0 0 0 k ", b" 0 g"),
    "spot of no ink": (b"/Sep cs 0 scn ", b" 0 g"),
    "transparent": (b"/Clear gs ", b" /Opaque gs"),
    "tiny": (b"0.001 0 0 0.001 430 500 Tm ", b""),
    "as its cell": (b"0.8 0.9 1 rg ", b" 0 g"),
    "gray on gray": (b"0.9 g ", b" 0 g"),
    "risen": (b"2000 Ts ", b" 0 Ts"),
    "stroked white": (b"1 G 1 Tr ", b" 0 Tr 0 G"),
    "lighten": (b"/Light gs ", b" /Normal gs"),
    "layer": (b"/OC /Off BDC ", b" EMC"),
}


def hidden(file, rng):
    """The old amount painted with nothing, the new one in its place."""
    name = rng.choice(list(HIDING))
    before, after = HIDING[name]
    place = place_of(file)
    with pikepdf.open(io.BytesIO(file)) as pdf:
        page = pdf.pages[0]
        page.contents_coalesce()
        content = page.obj.Contents.read_bytes()
        shown = re.search(
            rb"(\(1,250\.00\) ?'?Tj|\[\(1,250\.00\)\] ?TJ|<312c3235302e3030> ?Tj|\[<312c3235302e3030>\] ?TJ)", content
        )
        if not shown:
            raise ValueError("the amount is no literal")
        page.obj.Contents = pdf.make_stream(
            content[: shown.start()] + before + shown[0] + after + content[shown.end() :]
        )
        grounds = {"as its cell": b"0.8 0.9 1 rg", "gray on gray": b"0.9 g"}
        if name in grounds:
            x, y, width, height = place
            ground = b"q %s %.1f %.1f %.1f %.1f re f Q" % (grounds[name], x - 3, y - 2, width + 6, height + 4)
            page.contents_add(ground, prepend=True)
        add_content(pdf, retype(place, rng))
        states = page.obj.Resources.ExtGState
        states["/Clear"] = pikepdf.Dictionary(ca=0, CA=0)
        states["/Opaque"] = pikepdf.Dictionary(ca=1, CA=1)
        states["/Normal"] = pikepdf.Dictionary(BM=pikepdf.Name.Normal)
        if name == "layer":
            layer = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.OCG, Name=pikepdf.String("old")))
            pdf.Root.OCProperties = pikepdf.Dictionary(OCGs=[layer], D=pikepdf.Dictionary(OFF=[layer], Order=[layer]))
            page.obj.Resources.Properties = pikepdf.Dictionary(Off=layer)
        return "hidden: " + name, saved(pdf)


def by_annotation(file, rng):
    """An annotation over the amount that shows the new one, or covers it for words on the page."""
    place = place_of(file)
    x, y, width, height = place
    document = pymupdf.open(stream=file)
    page = document[0]
    box = page.search_for(OLD)[0]
    kind = rng.choice(("FreeText", "Square", "Stamp", "Widget", "Ink", "Line"))
    if kind == "FreeText":
        page.add_freetext_annot(box, NEW, fontsize=11, fill_color=(1, 1, 1))
    elif kind == "Square":
        note = page.add_rect_annot(box)
        note.set_colors(stroke=(1, 1, 1), fill=(1, 1, 1))
        note.update()
        page.insert_text((x + width + 4, 842 - y - 3), NEW, fontsize=12)
    elif kind == "Widget":
        widget = pymupdf.Widget()
        widget.field_name, widget.field_type, widget.field_value, widget.rect, widget.fill_color = (
            "total",
            pymupdf.PDF_WIDGET_TYPE_TEXT,
            NEW,
            box,
            (1, 1, 1),
        )
        page.add_widget(widget)
    else:
        document.close()
        with pikepdf.open(io.BytesIO(file)) as pdf:
            rect = [x, y, x + width, y + height]
            middle = y + height / 2
            quad = [x, y + height, x + width, y + height, x, y, x + width, y]
            note = pikepdf.Dictionary(
                Type=pikepdf.Name.Annot,
                Subtype=pikepdf.Name("/" + kind),
                Rect=rect,
                F=4,
                C=[1, 1, 1],
                BS=pikepdf.Dictionary(W=height),
                QuadPoints=quad,
                InkList=[[x, middle, x + width, middle]],
                L=[x, middle, x + width, middle],
            )
            form = pdf.make_stream(
                (b"1 g 0 0 70 16 re f " if kind == "Stamp" else b"")
                + b"0 g BT /Helv 12 Tf 1 4 Td ("
                + NEW.encode()
                + b") Tj ET"
            )
            form.Type, form.Subtype, form.BBox, form.Resources = (
                pikepdf.Name.XObject,
                pikepdf.Name.Form,
                [0, 0, 70, 16],
                resources(pdf),
            )
            words = pikepdf.Dictionary(
                Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Stamp, Rect=rect, F=4, AP=pikepdf.Dictionary(N=form)
            )
            made = [pdf.make_indirect(item) for item in ((note, words) if kind != "Stamp" else (words,))]
            pdf.pages[0].obj.Annots = pikepdf.Array([*pdf.pages[0].obj.get("/Annots", []), *made])
            return "annotation: " + kind, saved(pdf)
    return "annotation: " + kind, document.tobytes(garbage=3)


def replaced(file, rng):
    """The content exchanged; the old stream or page stays in the file, where nothing leads to it."""
    way = rng.choice(("redaction by PyMuPDF", "clean contents by PyMuPDF", "pypdf"))
    if way == "pypdf":
        writer = pypdf.PdfWriter(clone_from=io.BytesIO(file))
        page = writer.pages[0]
        content = page.get_contents()
        data = content.get_data()
        changed = data.replace(OLD.encode(), NEW.encode())
        if changed == data:
            raise ValueError("the amount is no literal")
        stream = pypdf.generic.DecodedStreamObject()
        stream.set_data(changed)
        page[pypdf.generic.NameObject("/Contents")] = writer._add_object(stream)
        output = io.BytesIO()
        writer.write(output)
        return "left behind: pypdf", output.getvalue()
    document = pymupdf.open(stream=file)
    page = document[0]
    box = page.search_for(OLD)[0]
    page.add_redact_annot(box, fill=(1, 1, 1))
    page.apply_redactions()
    page.insert_text((box.x0, box.y1 - 3), NEW, fontsize=12)
    return "left behind: " + way, document.tobytes()


def saved(pdf):
    output = io.BytesIO()
    pdf.save(output)
    return output.getvalue()


def again_by_pypdf(file):
    output = io.BytesIO()
    pypdf.PdfWriter(clone_from=io.BytesIO(file)).write(output)
    return output.getvalue()


AGAIN = {
    "as it is": lambda file: file,
    "gs": lambda file: run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", "-sOutputFile=OUT", "IN"], file),
    "qpdf": lambda file: run(["qpdf", "--object-streams=generate", "IN", "OUT"], file),
    "mutool": lambda file: run(["mutool", "clean", "-gg", "-z", "IN", "OUT"], file),
    "pikepdf": lambda file: saved(pikepdf.open(io.BytesIO(file))),
    "pypdf": again_by_pypdf,
    "PyMuPDF": lambda file: pymupdf.open(stream=file).tobytes(garbage=3, deflate=True),
}


def has_trace(file):
    """Whether the old amount is still anywhere: as text on a page, seen or not, or in a content stream."""
    with pymupdf.open(stream=file) as document:
        if any(OLD in page.get_text(clip=pymupdf.INFINITE_RECT()) for page in document):
            return True
        for number in range(1, document.xref_length()):
            if document.xref_is_stream(number) and re.search(
                rb"1,250\.00|312c3235302e3030", document.xref_stream(number) or b"", re.I
            ):
                return True
    return False


def edits(seed, count):
    """So many edits; one that viewers do not show is no edit (which the caller finds out)."""
    rng = random.Random(f"edits {seed}")
    for _ in range(count):
        birth = rng.choice(BIRTHS)
        file = birth(rng)
        means = rng.choice((covered, covered, covered, hidden, hidden, by_annotation, replaced))
        again = rng.choice(list(AGAIN)) if means is not replaced else "as it is"
        try:
            what, edited = means(file, rng)
            edited = AGAIN[again](edited)
            if not has_trace(edited):
                what = "no trace: " + what
        except Exception as error:
            yield Edit("passed over", f"{means.__name__}, {birth.__name__}, {again}: {error!r}"[:150], b"", b"")
            continue
        yield Edit(what, f"{birth.__name__}, {again}", file, edited)
