"""Honest work by many programs: none of it may be accused of anything.

Every workflow is a function that takes its file and returns the new one. Whatever a program cannot take is passed over.
"""

import dataclasses
import io
import pathlib
import random
import re
import subprocess
import tempfile

import pikepdf
import pymupdf
import pypdf
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.serialization import pkcs12
from cryptography.x509 import load_der_x509_certificate
from pyhanko.pdf_utils.generic import pdf_name
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import fields, signers
from pyhanko.sign.validation.dss import DocumentSecurityStore
from pyhanko.stamp import TextStampStyle

import signed
from section import Section, State

BLANK = (300, 100, 480, 150)  # a place on every page of the signed files where nothing stands


@dataclasses.dataclass
class Work:
    family: str
    what: str
    file: bytes
    signed: bool
    level: int = 0


# --- behind a signature ---


def sign(file, field, style=None, spec=None, signer=None, timestamper=None, **more):
    output = io.BytesIO()
    metadata = signers.PdfSignatureMetadata(field_name=field, md_algorithm="sha256", **more)
    writer = IncrementalPdfFileWriter(io.BytesIO(file), strict=False)
    made = signers.PdfSigner(
        metadata, signer or signed.SECOND_SIGNER, stamp_style=style, new_field_spec=spec, timestamper=timestamper
    )
    made.sign_pdf(writer, output=output)
    return output.getvalue()


def second(file, rng):
    return sign(file, "Second")


def second_seen(file, rng):
    style = TextStampStyle(stamp_text="Signed by %(signer)s\nTime: %(ts)s", background_opacity=0.5)
    return sign(file, "Second", style=style, spec=fields.SigFieldSpec("Second", on_page=rng.randrange(2), box=BLANK))


def second_seen_plain(file, rng):
    return sign(
        file,
        "Second",
        style=TextStampStyle(stamp_text="Signed", border_width=rng.choice((0, 1, 3))),
        spec=fields.SigFieldSpec("Second", on_page=0, box=BLANK),
    )


def second_standing(file, rng):
    return sign(file, "Standing", style=TextStampStyle(stamp_text="%(signer)s"))


def second_with_time(file, rng):
    return sign(file, "Second", timestamper=signed.STAMPER)


def second_pades(file, rng):
    return sign(file, "Second", subfilter=fields.SigSeedSubFilter.PADES)


def second_reasons(file, rng):
    return sign(file, "Second", reason="I agree", location="Bonn", contact_info="a@b.example", name="Second Signer")


def empty_then_signed(file, rng):
    """The field is appended empty with a tooltip, and signed later."""
    writer = IncrementalPdfFileWriter(io.BytesIO(file), strict=False)
    fields.append_signature_field(
        writer, fields.SigFieldSpec("Later", on_page=0, box=BLANK, readable_field_name="Sign here")
    )
    output = io.BytesIO()
    writer.write(output)
    return sign(output.getvalue(), "Later", style=TextStampStyle(stamp_text="%(signer)s"))


def three(file, rng):
    return sign(
        second(file, rng),
        "Third",
        spec=fields.SigFieldSpec("Third", on_page=1, box=(300, 200, 450, 240)),
        style=TextStampStyle(stamp_text="Third"),
    )


def second_with_lock(file, rng):
    spec = fields.SigFieldSpec(
        "Second", field_mdp_spec=fields.FieldMDPSpec(fields.FieldMDPAction.INCLUDE, fields=["None of these"])
    )
    return sign(file, "Second", spec=spec)


def time_stamp(file, rng):
    output = io.BytesIO()
    signers.PdfTimeStamper(signed.STAMPER).timestamp_pdf(
        IncrementalPdfFileWriter(io.BytesIO(file), strict=False), "sha256", None, output=output
    )
    return output.getvalue()


def validation_data(file, rng):
    output = io.BytesIO()
    writer = IncrementalPdfFileWriter(io.BytesIO(file), strict=False)
    DocumentSecurityStore.supply_dss_in_writer(
        writer,
        b"a signature" if rng.random() < 0.5 else None,
        certs=[signed.SIGNER.signing_cert, signed.SECOND_SIGNER.signing_cert][: rng.randint(1, 2)],
    )
    writer.write(output)
    return output.getvalue()


def long_term(file, rng):
    return time_stamp(validation_data(file, rng), rng)


def longer_term(file, rng):
    return time_stamp(validation_data(long_term(file, rng), rng), rng)


def fill_hanko(file, rng):
    """Values alone, as pyHanko writes them; the look is left to the viewer."""
    writer = IncrementalPdfFileWriter(io.BytesIO(file), strict=False)
    for reference in writer.root["/AcroForm"]["/Fields"]:
        field = reference.get_object()
        if field.get("/T") == "Agree":
            field[pdf_name("/V")] = field[pdf_name("/AS")] = pdf_name("/Yes")
            writer.update_container(field)
    output = io.BytesIO()
    writer.write(output)
    return output.getvalue()


def on_disk(change):
    """PyMuPDF appends only to files on disk."""

    def work(file, rng):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "file.pdf"
            path.write_bytes(file)
            document = pymupdf.open(path)
            change(document, rng)
            document.saveIncr()
            document.close()
            return path.read_bytes()

    work.__name__ = change.__name__
    return work


@on_disk
def fill_by_mupdf(document, rng):
    for page in document:
        for widget in page.widgets():
            kind = widget.field_type
            if kind == pymupdf.PDF_WIDGET_TYPE_TEXT:
                widget.field_value = rng.choice(("750", "Six hundred", "1,250.00", "a"))
            elif kind == pymupdf.PDF_WIDGET_TYPE_CHECKBOX:
                widget.field_value = True
            elif kind in (pymupdf.PDF_WIDGET_TYPE_COMBOBOX, pymupdf.PDF_WIDGET_TYPE_LISTBOX):
                widget.field_value = "Spain"
            else:
                continue
            widget.update()


@on_disk
def nothing_by_mupdf(document, rng):
    pass


@on_disk
def date_by_mupdf(document, rng):
    document.set_metadata({**document.metadata, "modDate": "D:20240301120000Z"})


@on_disk
def notes_by_mupdf(document, rng):
    page = document[0]
    kind = rng.randrange(8)
    blank = pymupdf.Rect(300, 692, 480, 742)
    if kind == 0:
        page.add_text_annot((500, 400), "Please check")
    elif kind == 1:
        page.add_highlight_annot(page.search_for("1,250.00")[0])
    elif kind == 2:
        page.add_underline_annot(page.search_for("Total")[0])
    elif kind == 3:
        page.add_freetext_annot(blank, "Seen", fontsize=11)
    elif kind == 4:
        page.add_ink_annot([[(300, 700), (350, 720), (400, 700)]])
    elif kind == 5:
        page.add_rect_annot(blank)
    elif kind == 6:
        page.add_squiggly_annot(page.search_for("Travel")[0])
    else:
        page.add_stamp_annot(blank, stamp=rng.randrange(5))


@on_disk
def form_by_mupdf(document, rng):
    values = {"Code": "123456", "Due": "02.04.2024", "Remarks": "First line\nSecond line", "Amount": "750"}
    chosen = rng.choice(list(values))
    for widget in document[2].widgets():
        if widget.field_name == chosen:
            widget.field_value = values[chosen]
            widget.update()


def by_pypdf(change):
    def work(file, rng):
        writer = pypdf.PdfWriter(io.BytesIO(file), incremental=True)
        change(writer, rng)
        output = io.BytesIO()
        writer.write(output)
        return output.getvalue()

    work.__name__ = change.__name__
    return work


@by_pypdf
def fill_by_pypdf(writer, rng):
    writer.update_page_form_field_values(
        writer.pages[0], {"Limit": rng.choice(("750", "12")), "Agree": "/Yes"}, auto_regenerate=False
    )


@by_pypdf
def form_by_pypdf(writer, rng):
    values = {"Code": "123456", "Due": "02.04.2024", "Remarks": "First line\nSecond line", "Amount": "750"}
    name = rng.choice(list(values))
    writer.update_page_form_field_values(writer.pages[2], {name: values[name]}, auto_regenerate=False)


@by_pypdf
def list_by_pypdf(writer, rng):
    writer.update_page_form_field_values(writer.pages[0], {"Country": "Spain"}, auto_regenerate=False)


@by_pypdf
def notes_by_pypdf(writer, rng):
    from pypdf.annotations import FreeText, Highlight, Text
    from pypdf.generic import ArrayObject, FloatObject

    kind = rng.randrange(3)
    if kind == 0:
        note = Text(text="Please check", rect=(520, 400, 540, 420))
    elif kind == 1:
        note = FreeText(text="Seen", rect=BLANK)
    else:
        note = Highlight(
            rect=(430, 588, 500, 604),
            quad_points=ArrayObject(map(FloatObject, (430, 604, 500, 604, 430, 588, 500, 588))),
        )
    writer.add_annotation(page_number=0, annotation=note)


@by_pypdf
def nothing_by_pypdf(writer, rng):
    pass


def appended(file, changed, rng):
    """An update in the form of the file's own sections."""
    start = int(re.findall(rb"startxref\s+(\d+)", file)[-1])
    size = max(map(int, re.findall(rb"/Size (\d+)", file)))
    is_table = file[start : start + 4] == b"xref"
    made = Section(file, sorted(changed.items()), not is_table, start, size)
    made.size = max(size, *(number + 1 for number in changed))
    return made.written()


def same_again(file, rng):
    state = State(file)
    numbers = [
        number
        for number in state.numbers()
        if isinstance(state.get(number), pikepdf.Dictionary) and "/ByteRange" not in state.get(number)
    ]
    return appended(
        file,
        {number: state.body(number) for number in rng.sample(numbers, min(len(numbers), rng.choice((1, 5, 50))))},
        rng,
    )


def private_key(file, rng):
    state = State(file)
    number = rng.choice((1, 2, 4, 6))
    key = rng.choice(
        (
            b"/ITXT (2.1.7)",
            b"/PTEX.Fullbanner (This is pdfTeX)",
            b"/ADBE_Something 1",
            b"/PieceInfo << /App << /LastModified (D:20240101) /Private << /A 1 >> >> >>",
            b"/LastModified (D:20240301)",
        )
    )
    return appended(file, {number: state.body(number)[:-2] + key + b" >>"}, rng)


def formatted(file, rng):
    """An amount filled in, and shown as its format has it."""
    state = State(file)
    value, shown = rng.choice(((b"9250", b"9,250.00"), (b"75.5", b"75.50"), (b"1000000", b"1,000,000.00")))
    body = re.sub(rb"/V \(.*?\)", b"/V (%s)" % value, state.body(48))
    return appended(file, {48: body, 49: signed.look(shown, 100, 16)}, rng)


def comb(file, rng):
    """Digits that each have a cell of their own."""
    state = State(file)
    content = b"/Tx BMC q BT /Helv 10 Tf 0 g 6 4 Td (1) Tj 20 0 Td (2) Tj 20 0 Td (3) Tj 20 0 Td (4) Tj ET Q EMC"
    entries = b"/Type /XObject /Subtype /Form /BBox [0 0 120 16] /Resources << /Font << /Helv 10 0 R >> >>"
    body = re.sub(rb"/V \(.*?\)", b"/V (1234)", state.body(43))
    return appended(file, {43: body, 44: signed.stream(content, entries)}, rng)


def radio(file, rng):
    state = State(file)
    other = state.body(45).replace(b"/V /Card", b"/V /Cash")
    buttons = {
        46: state.body(46).replace(b"/AS /Card", b"/AS /Off"),
        47: state.body(47).replace(b"/AS /Off", b"/AS /Cash"),
    }
    return appended(file, {45: other, **buttons}, rng)


def several_lines(file, rng):
    state = State(file)
    content = b"/Tx BMC q BT /Helv 10 Tf 0 g 2 38 Td 12 TL (Please deliver to the) Tj T* (back door.) Tj ET Q EMC"
    entries = b"/Type /XObject /Subtype /Form /BBox [0 0 200 50] /Resources << /Font << /Helv 10 0 R >> >>"
    body = re.sub(rb"/V \(.*?\)", b"/V (Please deliver to the back door.)", state.body(52))
    return appended(file, {52: body, 53: signed.stream(content, entries)}, rng)


def date_alone(file, rng):
    state = State(file)
    return appended(file, {22: state.body(22).replace(b"(D:20240101120000Z) /P", b"(D:20240301120000Z) /P")}, rng)


ALWAYS = (
    time_stamp,
    validation_data,
    long_term,
    longer_term,
    same_again,
    private_key,
    date_alone,
    nothing_by_mupdf,
    nothing_by_pypdf,
)
FILLING = (
    second,
    second_seen,
    second_seen_plain,
    second_standing,
    second_with_time,
    second_pades,
    second_reasons,
    empty_then_signed,
    three,
    second_with_lock,
    fill_hanko,
    fill_by_mupdf,
    fill_by_pypdf,
    list_by_pypdf,
    form_by_pypdf,
    form_by_mupdf,
    formatted,
    comb,
    radio,
    several_lines,
)
NOTES = (notes_by_mupdf, notes_by_pypdf)


def behind_signatures(seed, rounds):
    """Every workflow that the level permits, over signed files of several kinds; some two, one behind the other."""
    rng = random.Random(f"honest {seed}")
    for turn in range(rounds):
        for level in (0, 1, 2, 3):
            base = signed.base(f"{seed} {turn} {level}", level=level, xref_stream=turn % 2 == 1, trap=False)
            allowed = ALWAYS + (FILLING if level != 1 else ()) + (NOTES if level == 3 else ())
            for first in allowed:
                chain = [first] if rng.random() < 0.7 else [rng.choice(allowed), first]
                file = base.file
                try:
                    for step in chain:
                        file = step(file, rng)
                except Exception as error:
                    yield Work("passed over", f"{first.__name__}: {error!r}"[:120], b"", True)
                    continue
                yield Work(
                    "signed: " + first.__name__,
                    "+".join(step.__name__ for step in chain) + " " + base.name,
                    file,
                    True,
                    level,
                )
            yield Work("signed: alone", base.name, base.file, True, level)


# --- unsigned ---


def by_reportlab(rng):
    from reportlab.lib import colors
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

    output = io.BytesIO()
    styles = getSampleStyleSheet()
    rows = [["Item", "Qty", "Amount"]] + [
        [f"Part {n}", str(rng.randint(1, 9)), f"{rng.randint(10, 999)}.{rng.randint(10, 99)}"]
        for n in range(rng.randint(4, 30))
    ]
    table = Table(rows, colWidths=[200, 60, 100])
    table.setStyle(
        TableStyle(
            [
                ("BACKGROUND", (0, 0), (-1, 0), colors.darkblue),
                ("TEXTCOLOR", (0, 0), (-1, 0), colors.white),
                ("ROWBACKGROUNDS", (0, 1), (-1, -1), [colors.white, colors.lightgrey]),
                ("GRID", (0, 0), (-1, -1), 0.25, colors.grey),
            ]
        )
    )
    SimpleDocTemplate(output, pagesize=A4, title="Invoice").build(
        [
            Paragraph("Invoice 4711", styles["Title"]),
            Spacer(1, 20),
            table,
            Paragraph("Pay within 30 days. " * 20, styles["Normal"]),
        ]
    )
    return output.getvalue()


def by_fpdf2(rng):
    import fpdf

    document = fpdf.FPDF()
    document.add_page()
    document.set_font("Helvetica", size=12)
    document.set_fill_color(220, 220, 255)
    for number in range(rng.randint(5, 40)):
        document.cell(100, 8, f"Position {number}", border=1, fill=number % 2 == 0)
        document.cell(40, 8, f"{rng.randint(10, 9999)}.00 EUR", border=1, align="R", new_x="LMARGIN", new_y="NEXT")
    return bytes(document.output())


def by_pymupdf(rng):
    document = pymupdf.open()
    page = document.new_page()
    page.insert_htmlbox(
        pymupdf.Rect(50, 50, 550, 750),
        "<h1>Invoice 4711</h1><table style='background:#eee'><tr><td>Advice</td><td>950.00</td></tr></table>"
        + "<p>Payment within 30 days.</p>" * rng.randint(1, 9),
    )
    return document.tobytes(deflate=True)


def by_ghostscript(rng):
    lines = "".join(f"72 {700 - 20 * n} moveto (Item {n}   {rng.randint(10, 999)}.00) show\n" for n in range(12))
    return run(
        ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", "-sOutputFile=OUT", "IN"],
        ("%!PS\n/Helvetica findfont 12 scalefont setfont\n" + lines + "showpage\n").encode(),
    )


def a_scan(rng):
    """A page that is a picture of another."""
    pixels = pymupdf.open(stream=by_reportlab(rng))[0].get_pixmap(dpi=100)
    document = pymupdf.open()
    page = document.new_page()
    page.insert_image(page.rect, stream=pixels.tobytes("jpeg"))
    return document.tobytes()


def a_form(rng):
    from reportlab.pdfgen import canvas

    output = io.BytesIO()
    page = canvas.Canvas(output)
    page.drawString(72, 780, "Application")
    for number in range(4):
        page.drawString(72, 700 - 40 * number, f"Field {number}")
        page.acroForm.textfield(name=f"field{number}", x=160, y=692 - 40 * number, width=200, height=24, value="")
    page.acroForm.checkbox(name="agree", x=160, y=500, checked=False)
    page.acroForm.choice(
        name="country", value="France", options=["France", "Spain"], x=160, y=460, width=100, height=24
    )
    page.save()
    return output.getvalue()


BIRTHS = (by_reportlab, by_fpdf2, by_pymupdf, by_ghostscript, a_scan, a_form)


def run(command, file):
    """A program's output for the file; IN and OUT in the command are replaced by paths."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = f"{folder}/in.pdf", f"{folder}/out.pdf"
        pathlib.Path(source).write_bytes(file)
        command = [
            part.replace("IN", source) if part.endswith("IN") else part.replace("OUT", target) for part in command
        ]
        subprocess.run(command, capture_output=True, timeout=60, check=False)
        return pathlib.Path(target).read_bytes()


def program(name, *command):
    def work(file, rng):
        return run(list(command), file)

    work.__name__ = name
    return work


def pikepdf_work(name, change=lambda pdf, rng: None, **options):
    def work(file, rng):
        with pikepdf.open(io.BytesIO(file)) as pdf:
            change(pdf, rng)
            output = io.BytesIO()
            pdf.save(output, **options)
            return output.getvalue()

    work.__name__ = name
    return work


def mupdf_work(name, change=lambda document, rng: None, **options):
    def work(file, rng):
        with pymupdf.open(stream=file) as document:
            changed = change(document, rng) or document
            return changed.tobytes(**options)

    work.__name__ = name
    return work


def pypdf_work(name, change):
    def work(file, rng):
        writer = change(file, rng)
        output = io.BytesIO()
        writer.write(output)
        return output.getvalue()

    work.__name__ = name
    return work


def overlay_page(rng, words="COPY", gray=0.7, size=60):
    from reportlab.pdfgen import canvas

    output = io.BytesIO()
    page = canvas.Canvas(output)
    page.saveState()
    page.setFillGray(gray, alpha=0.3)
    page.setFont("Helvetica", size)
    page.translate(200, 300)
    page.rotate(45)
    page.drawString(0, 0, words)
    page.restoreState()
    page.setFont("Helvetica", 8)
    page.drawString(500, 20, f"Page {rng.randint(1, 99)}")
    page.save()
    return pypdf.PdfReader(output).pages[0]


def letterhead(rng):
    from reportlab.lib import colors
    from reportlab.pdfgen import canvas

    output = io.BytesIO()
    page = canvas.Canvas(output)
    page.setFillColor(colors.lightblue)
    page.rect(0, 790, 600, 60, stroke=0, fill=1)
    page.setFillColor(colors.black)
    page.drawString(72, 815, "ACME Ltd, 1 Main Street")
    page.save()
    return pypdf.PdfReader(output).pages[0]


def merged(file, rng):
    writer = pypdf.PdfWriter()
    writer.append(io.BytesIO(file))
    writer.append(io.BytesIO(rng.choice(BIRTHS)(rng)))
    return writer


def stamped(file, rng):
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(file))
    for page in writer.pages:
        page.merge_page(overlay_page(rng))
    return writer


def on_letterhead(file, rng):
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(file))
    for page in writer.pages:
        page.merge_page(letterhead(rng), over=False)
    return writer


def on_a_sheet(file, rng):
    reader = pypdf.PdfReader(io.BytesIO(file))
    writer = pypdf.PdfWriter()
    page = writer.add_blank_page(842, 595)
    for place, part in enumerate(reader.pages[:2] if len(reader.pages) > 1 else [reader.pages[0]] * 2):
        page.merge_transformed_page(part, pypdf.Transformation().scale(0.7).translate(421 * place, 0))
    return writer


def compressed(file, rng):
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(file))
    for page in writer.pages:
        page.compress_content_streams()
    return writer


def rotated(file, rng):
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(file))
    for page in writer.pages:
        page.rotate(90)
    return writer


def filled(file, rng):
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(file))
    for page in writer.pages:
        writer.update_page_form_field_values(
            page, {f"field{n}": rng.choice(("Alice", "42", "Main Street 1")) for n in range(4)}, auto_regenerate=False
        )
    return writer


def filled_by_mupdf(document, rng):
    for page in document:
        for widget in page.widgets():
            if widget.field_type == pymupdf.PDF_WIDGET_TYPE_TEXT:
                widget.field_value = rng.choice(("Alice", "42"))
                widget.update()


def flattened_by_mupdf(document, rng):
    filled_by_mupdf(document, rng)
    document.bake()


def stamp_by_mupdf(document, rng):
    for page in document:
        page.insert_text((450, 30), f"Received {rng.randint(1, 28)} March 2024", fontsize=9, color=(1, 0, 0))


def sheet_by_mupdf(document, rng):
    sheet = pymupdf.open()
    page = sheet.new_page(width=842, height=595)
    for place in range(2):
        page.show_pdf_page(
            pymupdf.Rect(421 * place, 0, 421 * place + 421, 595), document, min(place, len(document) - 1)
        )
    return sheet


def text_layer(document, rng):
    """As text recognition adds it: invisible words over the picture."""
    for page in document:
        for line in range(20):
            page.insert_text(
                (72, 80 + 30 * line),
                f"recognised words of line {line} {rng.randint(1, 999)}.00",
                fontsize=10,
                render_mode=3,
            )


def links(document, rng):
    document[0].insert_link(
        {"kind": pymupdf.LINK_URI, "from": pymupdf.Rect(50, 50, 100, 70), "uri": "https://example.com"}
    )
    document.set_toc([[1, "Start", 1]])


def attachment(document, rng):
    document.embfile_add("data.csv", b"4 0 obj\nno object, but a text\nendobj\n")


def notes(document, rng):
    page = document[0]
    page.add_text_annot((500, 400), "Please check")
    words = page.get_text("words")
    if words:
        page.add_highlight_annot(pymupdf.Rect(rng.choice(words)[:4]))


def overlay_by_pikepdf(pdf, rng):
    with pikepdf.open(io.BytesIO(one_page(overlay_page(rng)))) as other:
        for page in pdf.pages:
            page.add_overlay(other.pages[0])


def underlay_by_pikepdf(pdf, rng):
    with pikepdf.open(io.BytesIO(one_page(letterhead(rng)))) as other:
        for page in pdf.pages:
            page.add_underlay(other.pages[0])


GS = ("gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite")
PROGRAMS = (
    program("linearize by qpdf", "qpdf", "--linearize", "IN", "OUT"),
    program("object streams by qpdf", "qpdf", "--object-streams=generate", "--recompress-flate", "IN", "OUT"),
    program("uncompress by qpdf", "qpdf", "--qdf", "--object-streams=disable", "IN", "OUT"),
    program("encrypt by qpdf", "qpdf", "--encrypt", "", "owner", "256", "--", "IN", "OUT"),
    program("flatten by qpdf", "qpdf", "--flatten-annotations=all", "--generate-appearances", "IN", "OUT"),
    program("compress by gs", *GS, "-dPDFSETTINGS=/ebook", "-sOutputFile=OUT", "IN"),
    program("archive by gs", *GS, "-dPDFA=2", "-sColorConversionStrategy=RGB", "-sOutputFile=OUT", "IN"),
    program("sheet by gs", *GS, "-sNupControl=2x1", "-sOutputFile=OUT", "IN"),
    program("print by cairo", "pdftocairo", "-pdf", "IN", "OUT"),
    program("clean by mutool", "mutool", "clean", "-gggz", "IN", "OUT"),
    program("linear by mutool", "mutool", "clean", "-s", "IN", "OUT"),
    program("merge by poppler", "pdfunite", "IN", "IN", "OUT"),
    program("merge by mutool", "mutool", "merge", "-o", "OUT", "IN", "IN"),
    pikepdf_work("save by pikepdf"),
    pikepdf_work("linearize by pikepdf", linearize=True),
    pikepdf_work(
        "object streams by pikepdf", object_stream_mode=pikepdf.ObjectStreamMode.generate, recompress_flate=True
    ),
    pikepdf_work("overlay by pikepdf", overlay_by_pikepdf),
    pikepdf_work("letterhead by pikepdf", underlay_by_pikepdf),
    mupdf_work("save by PyMuPDF", garbage=4, deflate=True),
    mupdf_work("save plainly by PyMuPDF"),
    mupdf_work("stamp by PyMuPDF", stamp_by_mupdf),
    mupdf_work("sheet by PyMuPDF", sheet_by_mupdf),
    mupdf_work("text layer by PyMuPDF", text_layer),
    mupdf_work("links by PyMuPDF", links),
    mupdf_work("attachment by PyMuPDF", attachment),
    mupdf_work("notes by PyMuPDF", notes),
    mupdf_work("fill by PyMuPDF", filled_by_mupdf),
    mupdf_work("fill and flatten by PyMuPDF", flattened_by_mupdf, garbage=3),
    pypdf_work("merge by pypdf", merged),
    pypdf_work("stamp by pypdf", stamped),
    pypdf_work("letterhead by pypdf", on_letterhead),
    pypdf_work("sheet by pypdf", on_a_sheet),
    pypdf_work("compress by pypdf", compressed),
    pypdf_work("rotate by pypdf", rotated),
    pypdf_work("fill by pypdf", filled),
)


def unsigned(seed, rounds):
    rng = random.Random(f"unsigned {seed}")
    for _ in range(rounds):
        for birth in BIRTHS:
            file = birth(rng)
            yield Work("unsigned: alone", birth.__name__, file, False)
            for work in PROGRAMS:
                if (
                    "text layer" in work.__name__
                    and birth is not a_scan
                    or "fill" in work.__name__
                    and birth is not a_form
                ):
                    continue
                chain = (
                    [work]
                    if rng.random() < 0.7
                    else [
                        rng.choice(
                            [other for other in PROGRAMS if not re.search("text layer|fill|encrypt", other.__name__)]
                        ),
                        work,
                    ]
                )
                made = file
                try:
                    for step in chain:
                        made = step(made, rng)
                except Exception as error:
                    yield Work("passed over", f"{work.__name__}: {error!r}"[:120], b"", False)
                    continue
                yield Work(
                    "unsigned: " + work.__name__,
                    birth.__name__ + ", " + ", ".join(step.__name__ for step in chain),
                    made,
                    False,
                )


def one_page(page):
    output = io.BytesIO()
    writer = pypdf.PdfWriter()
    writer.add_page(page)
    writer.write(output)
    return output.getvalue()


def pem_files(folder):
    """The same in two files."""
    key = serialization.load_der_private_key(signed.SECOND_SIGNER.signing_key.dump(), None)
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "key.pem").write_bytes(key.private_bytes(serialization.Encoding.PEM, *plain))
    certificate = load_der_x509_certificate(signed.SECOND_SIGNER.signing_cert.dump())
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))


def key_file(path, password=b"forge"):
    """The key and certificate of the second signer for programs that are not Python's, as old as these can read."""
    key = serialization.load_der_private_key(signed.SECOND_SIGNER.signing_key.dump(), None)
    certificate = load_der_x509_certificate(signed.SECOND_SIGNER.signing_cert.dump())
    encryption = serialization.PrivateFormat.PKCS12.encryption_builder().kdf_rounds(1000)
    encryption = (
        encryption.key_cert_algorithm(pkcs12.PBES.PBESv1SHA1And3KeyTripleDESCBC)
        .hmac_hash(hashes.SHA1())
        .build(password)
    )
    path.write_bytes(pkcs12.serialize_key_and_certificates(b"second", key, certificate, None, encryption))
