"""Honest workflows: what offices, mail and archives do to a file without deceiving anyone.

Each makes a file from a genuine one. `OPEN` names those that add something visible to an unsigned file in a later revision: that the
file was changed is true of them, and nobody is deceived, so they are counted apart, as neither right nor wrong.
"""

import random, shutil
from dataclasses import dataclass, field
from pathlib import Path

import pikepdf

import documents, edits, signing, updates
from edits import run


@dataclass
class Job:
    source: Path
    out: Path
    rng: random.Random
    node: Path
    keys: Path
    document: object = None
    values: dict = field(default_factory=dict)  # of a form
    password: str = ""


WORKFLOWS = {}  # name -> (function, what it starts from)
OPEN = set()


def workflow(name, start="document", open_change=False):
    def register(function):
        WORKFLOWS[name] = (function, start)
        if open_change:
            OPEN.add(name)
        return function

    return register


def read(job):
    return job.source.read_bytes()


# ---- signing

BOX, OTHER_BOX = (330, 60, 520, 110), (80, 60, 270, 110)


@workflow("signed")
def _(job):
    job.out.write_bytes(signing.sign(read(job), job.keys, job.rng.choice(signing.SIGNERS), pades=job.rng.random() < 0.5))


@workflow("signed visibly")
def _(job):
    job.out.write_bytes(signing.sign(read(job), job.keys, box=BOX, stamped=job.rng.random() < 0.5))


@workflow("certified")
def _(job):
    job.out.write_bytes(signing.sign(read(job), job.keys, certify=job.rng.choice([1, 2, 3]), box=job.rng.choice([None, BOX])))


@workflow("signed by two")
def _(job):
    job.out.write_bytes(signing.sign(signing.sign(read(job), job.keys), job.keys, "second"))


@workflow("signed visibly by two")
def _(job):
    first = signing.sign(read(job), job.keys, box=BOX, certify=job.rng.choice([None, 2]))
    job.out.write_bytes(signing.sign(first, job.keys, "second", box=OTHER_BOX))


@workflow("template signed by two")
def _(job):
    data = signing.empty_fields(read(job), [BOX, OTHER_BOX])
    job.out.write_bytes(signing.sign(signing.sign(data, job.keys, field="Party1"), job.keys, "second", field="Party2"))


@workflow("signed, time-stamped")
def _(job):
    job.out.write_bytes(
        signing.time_stamp(signing.sign(read(job), job.keys, box=job.rng.choice([None, BOX]), pades=True), job.keys)
    )


@workflow("certified without changes, time-stamped")
def _(job):
    job.out.write_bytes(signing.time_stamp(signing.sign(read(job), job.keys, certify=1), job.keys))


@workflow("signed, validation data")
def _(job):
    job.out.write_bytes(signing.validation_data(signing.sign(read(job), job.keys, pades=True), job.keys))


@workflow("signed, validation data, time-stamped twice")
def _(job):
    data = signing.validation_data(signing.sign(read(job), job.keys, stamped=True, pades=True), job.keys)
    job.out.write_bytes(signing.time_stamp(signing.time_stamp(data, job.keys), job.keys))


@workflow("time-stamped")
def _(job):
    job.out.write_bytes(signing.time_stamp(read(job), job.keys))


@workflow("rewritten, then signed")
def _(job):
    between = job.out.with_suffix(".between.pdf")
    run(["qpdf", "--warning-exit-0", "--object-streams=generate", job.source, between])
    job.out.write_bytes(signing.sign(between.read_bytes(), job.keys))
    between.unlink()


@workflow("page numbers, then signed")
def _(job):
    between = job.out.with_suffix(".between.pdf")
    numbered(job, between)
    job.out.write_bytes(signing.sign(between.read_bytes(), job.keys, box=BOX))
    between.unlink()


def fill(job, data, editor):
    """A value of the form filled in, in an update."""
    source, out = job.out.with_suffix(".unfilled.pdf"), job.out.with_suffix(".filled.pdf")
    source.write_bytes(data)
    name = job.rng.choice(["name", "amount", "date"])
    new = documents.changed_value(job.rng, name, job.values[name].removesuffix(" EUR"))
    edit = edits.Edit("form value", field=name, old=job.values[name], new=new)
    edits.EDITORS[editor][0](source, out, edit, job.node, incremental=True)
    filled = out.read_bytes()
    source.unlink(), out.unlink()
    return filled


@workflow("form filled, then signed", "form")
def _(job):
    filled = job.out.with_suffix(".full.pdf")
    edits.with_pypdf(job.source, filled, edits.Edit("form value", field="note", new="Oak panels"), job.node)
    job.out.write_bytes(signing.sign(filled.read_bytes(), job.keys, certify=job.rng.choice([None, 1])))
    filled.unlink()


@workflow("form certified for filling, then filled", "form")
def _(job):
    job.out.write_bytes(fill(job, signing.sign(read(job), job.keys, certify=2), job.rng.choice(["pypdf", "PyMuPDF", "pyHanko"])))


@workflow("form certified for filling, filled, then signed", "form")
def _(job):
    data = fill(job, signing.sign(read(job), job.keys, certify=2), job.rng.choice(["pypdf", "PyMuPDF", "pyHanko"]))
    job.out.write_bytes(signing.sign(data, job.keys, "second", box=job.rng.choice([None, BOX])))


@workflow("certified for notes, then noted")
def _(job):
    signed = job.out.with_suffix(".signed.pdf")
    signed.write_bytes(signing.sign(read(job), job.keys, certify=3))
    noted(job, signed, incremental=True)
    signed.unlink()


# ---- written anew, with nothing to be seen


@workflow("linearized")
def _(job):
    run(["qpdf", "--warning-exit-0", "--linearize", job.source, job.out])


@workflow("packed into object streams")
def _(job):
    with pikepdf.open(job.source) as pdf:
        pdf.save(job.out, object_stream_mode=pikepdf.ObjectStreamMode.generate, recompress_flate=True)


@workflow("decompressed")
def _(job):
    run(["qpdf", "--warning-exit-0", "--qdf", job.source, job.out])


@workflow("compressed by PyMuPDF")
def _(job):
    import pymupdf

    with pymupdf.open(job.source) as file:
        file.save(job.out, garbage=4, deflate=True, clean=True)


@workflow("cleaned by MuPDF")
def _(job):
    run(["mutool", "clean", "-gggg", "-z", job.source, job.out])


@workflow("printed by Ghostscript")
def _(job):
    run(["gs", "-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-sDEVICE=pdfwrite", f"-sOutputFile={job.out}", job.source])


@workflow("reduced for mail by Ghostscript")
def _(job):
    run(
        [
            "gs",
            "-q",
            "-dBATCH",
            "-dNOPAUSE",
            "-dSAFER",
            "-sDEVICE=pdfwrite",
            "-dPDFSETTINGS=/ebook",
            f"-sOutputFile={job.out}",
            job.source,
        ]
    )


@workflow("printed by cairo")
def _(job):
    run(["pdftocairo", "-pdf", job.source, job.out])


@workflow("saved by pypdf")
def _(job):
    import pypdf

    pypdf.PdfWriter(clone_from=job.source).write(job.out)


@workflow("saved by pdf-lib")
def _(job):
    documents.run_node(job.node, {"program": "edit", "from": str(job.source), "out": str(job.out), "steps": []})


@workflow("saved by pdfrw")
def _(job):
    import pdfrw

    pdfrw.PdfWriter(str(job.out), trailer=pdfrw.PdfReader(str(job.source))).write()


@workflow("saved by PDFium")
def _(job):
    import pypdfium2

    file = pypdfium2.PdfDocument(job.source)
    file.save(str(job.out))
    file.close()


@workflow("saved by three in turn")
def _(job):
    import pypdf

    first, second = job.out.with_suffix(".1.pdf"), job.out.with_suffix(".2.pdf")
    pypdf.PdfWriter(clone_from=job.source).write(first)
    run(["mutool", "clean", first, second])
    run(["qpdf", "--warning-exit-0", "--linearize", second, job.out])
    first.unlink(), second.unlink()


# ---- metadata


@workflow("title set")
def _(job):
    with pikepdf.open(job.source) as pdf:
        with pdf.open_metadata() as metadata:
            metadata["dc:title"] = f"Filed {job.rng.randint(100, 999)}"
        pdf.docinfo["/Title"] = f"Filed {job.rng.randint(100, 999)}"
        pdf.save(job.out)


@workflow("metadata removed")
def _(job):
    with pikepdf.open(job.source) as pdf:
        for holder, key in [(pdf.trailer, "/Info"), (pdf.Root, "/Metadata")]:
            if key in holder:
                del holder[key]
        pdf.save(job.out)


@workflow("bookmarks added")
def _(job):
    import pypdf

    writer = pypdf.PdfWriter(clone_from=job.source)
    for number in range(len(writer.pages)):
        writer.add_outline_item(f"Page {number + 1}", number)
    writer.write(job.out)


@workflow("page labels and reading direction set in an update")
def _(job):
    data = read(job)
    with pikepdf.open(job.source) as pdf:
        pdf.Root["/PageLabels"] = pikepdf.Dictionary(Nums=pikepdf.Array([0, pikepdf.Dictionary(S=pikepdf.Name.D)]))
        pdf.Root["/PageMode"] = pikepdf.Name.UseNone
        job.out.write_bytes(updates.append(data, pdf, {pdf.Root.objgen[0]}, updates.kind(data), dated=True))


# ---- passwords


@workflow("permissions restricted")
def _(job):
    run(["qpdf", "--warning-exit-0", "--encrypt", "", "owner", "256", "--modify=none", "--", job.source, job.out])


@workflow("password set")
def _(job):
    job.password = f"open-{job.rng.randint(1, 9)}"
    run(["qpdf", "--warning-exit-0", "--encrypt", job.password, "owner", job.rng.choice(["256"]), "--", job.source, job.out])


@workflow("password removed")
def _(job):
    locked = job.out.with_suffix(".locked.pdf")
    with pikepdf.open(job.source) as pdf:
        pdf.save(locked, encryption=pikepdf.Encryption(user="x", owner="y", R=6))
    with pikepdf.open(locked, password="x") as pdf:
        pdf.save(job.out)
    locked.unlink()


# ---- pages


@workflow("merged by pypdf")
def _(job):
    import pypdf

    writer = pypdf.PdfWriter()
    writer.append(job.source)
    writer.append(another(job))
    writer.write(job.out)


@workflow("merged by Poppler")
def _(job):
    run(["pdfunite", job.source, another(job), job.out])


@workflow("merged by qpdf")
def _(job):
    run(["qpdf", "--warning-exit-0", "--empty", "--pages", job.source, another(job), "--", job.out])


def another(job):
    """Another genuine document beside the first."""
    path = job.out.with_suffix(".other.pdf")
    maker = job.rng.choice(["reportlab", "fpdf2", "PyMuPDF", "Typst"])
    documents.MAKERS[maker](documents.compose(job.rng.random(), job.rng.choice(["invoice", "contract"])), path, job.node)
    return path


@workflow("one page taken out")
def _(job):
    run(["pdfseparate", "-f", 1, "-l", 1, job.source, job.out])


@workflow("pages turned")
def _(job):
    with pikepdf.open(job.source) as pdf:
        pdf.pages[-1].rotate(90, relative=True)
        pdf.save(job.out)


@workflow("two pages on a sheet")
def _(job):
    import pymupdf

    with pymupdf.open(job.source) as file, pymupdf.open() as made:
        sheet = made.new_page(width=documents.HEIGHT, height=documents.WIDTH)
        half = documents.HEIGHT / 2
        for number in range(min(2, file.page_count)):
            sheet.show_pdf_page(pymupdf.Rect(number * half, 0, (number + 1) * half, documents.WIDTH), file, number)
        made.save(job.out, garbage=3, deflate=True)


# ---- what is put onto pages, openly


def sheet_with(path, draw):
    from reportlab.pdfgen import canvas

    sheet = canvas.Canvas(str(path), pagesize=(documents.WIDTH, documents.HEIGHT))
    draw(sheet)
    sheet.save()


def numbered(job, out):
    import pypdf

    writer = pypdf.PdfWriter(clone_from=job.source)
    for number, page in enumerate(writer.pages, 1):
        over = job.out.with_suffix(".over.pdf")
        sheet_with(over, lambda sheet: sheet.drawCentredString(documents.WIDTH / 2, 30, f"Page {number} of {len(writer.pages)}"))
        page.merge_page(pypdf.PdfReader(over).pages[0])
        over.unlink()
    writer.write(out)


@workflow("page numbers")
def _(job):
    numbered(job, job.out)


@workflow("letterhead under the page")
def _(job):
    under = job.out.with_suffix(".under.pdf")

    def draw(sheet):
        sheet.setFillColorRGB(0.9, 0.93, 1)
        sheet.rect(0, documents.HEIGHT - 30, documents.WIDTH, 30, stroke=0, fill=1)
        sheet.setFillColorRGB(0.2, 0.2, 0.5)
        sheet.drawString(72, 20, "Registered in Kiel, HRB 4711")

    sheet_with(under, draw)
    run(["qpdf", "--warning-exit-0", job.source, "--underlay", under, "--repeat=1", "--", job.out])
    under.unlink()


@workflow("stamp across the page")
def _(job):
    import pymupdf

    with pymupdf.open(job.source) as file:
        for page in file:
            page.insert_text(
                (150, 600),
                job.rng.choice(["COPY", "PAID", "DRAFT"]),
                fontsize=90,
                color=(0.85, 0.85, 0.85),
                overlay=False,
                morph=(pymupdf.Point(150, 600), pymupdf.Matrix(30)),
            )
        file.save(job.out, garbage=3, deflate=True)


@workflow("transparent watermark")
def _(job):
    import pypdf

    over = job.out.with_suffix(".over.pdf")

    def draw(sheet):
        sheet.setFillColorRGB(0.8, 0, 0)
        sheet.setFillAlpha(0.2)
        sheet.setFont("Helvetica-Bold", 70)
        sheet.translate(150, 300)
        sheet.rotate(40)
        sheet.drawString(0, 0, "Confidential")

    sheet_with(over, draw)
    writer = pypdf.PdfWriter(clone_from=job.source)
    for page in writer.pages:
        page.merge_page(pypdf.PdfReader(over).pages[0])
    writer.write(job.out)
    over.unlink()


@workflow("received stamp in the margin")
def _(job):
    steps = [
        {
            "what": "text",
            "page": 0,
            "at": [300, 815],
            "size": 8,
            "text": f"Received {documents.date(job.rng)}, no. {job.rng.randint(100, 9999)}",
        }
    ]
    documents.run_node(job.node, {"program": "edit", "from": str(job.source), "out": str(job.out), "steps": steps})


def noted(job, source, incremental):
    import pymupdf

    if incremental:
        shutil.copy(source, job.out)
    with pymupdf.open(job.out if incremental else source) as file:
        page = file[0]
        page.add_text_annot((520, 300), "Please check.")
        if job.rng.random() < 0.5 and job.document:
            page.add_highlight_annot(page.search_for(job.document.values["amount"])[0])
        file.saveIncr() if incremental else file.save(job.out)


@workflow("notes and highlights, written anew")
def _(job):
    noted(job, job.source, incremental=False)


@workflow("words removed and blacked out")
def _(job):
    import pymupdf

    with pymupdf.open(job.source) as file:
        page = file[0]
        page.add_redact_annot(page.search_for(job.document.values["name"])[0], fill=(0, 0, 0))
        page.apply_redactions()
        file.save(job.out, garbage=4, deflate=True)


@workflow("file attached")
def _(job):
    with pikepdf.open(job.source) as pdf:
        pdf.attachments["data.xml"] = pikepdf.AttachedFileSpec(
            pdf, b"<invoice><total>1</total></invoice>", filename="data.xml", mime_type="text/xml"
        )
        pdf.save(job.out)


@workflow("scanned, with recognized text")
def _(job):
    import pymupdf

    with pymupdf.open(job.source) as file, pymupdf.open() as made:
        for page in file:
            sheet = made.new_page(width=page.rect.width, height=page.rect.height)
            sheet.insert_image(sheet.rect, stream=page.get_pixmap(dpi=100).tobytes("jpeg"))
            for line in page.get_text("dict")["blocks"]:
                for span in (span for row in line.get("lines", []) for span in row["spans"]):
                    sheet.insert_text(span["origin"], span["text"], fontsize=span["size"], render_mode=3)
        made.save(job.out, garbage=3, deflate=True)


@workflow("form filled, written anew", "form")
def _(job):
    new = documents.changed_value(job.rng, "name", job.values["name"])
    edits.EDITORS[job.rng.choice(["pypdf", "PyMuPDF", "pdf-lib"])][0](
        job.source, job.out, edits.Edit("form value", field="name", new=new), job.node
    )


# ---- openly added to an unsigned file in a later revision


@workflow("notes in an update", open_change=True)
def _(job):
    noted(job, job.source, incremental=True)


@workflow("form filled in an update", "form", open_change=True)
def _(job):
    job.out.write_bytes(fill(job, read(job), job.rng.choice(["pypdf", "PyMuPDF", "pyHanko"])))


@workflow("received stamp in an update", open_change=True)
def _(job):
    edit = edits.Edit("added line", new=f"Received {documents.date(job.rng)}", at=(300, 815), size=8)
    edits.with_pyhanko(job.source, job.out, edit, job.node)
