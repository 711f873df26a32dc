"""Twelve editors, and what each of them can change. An editor gets a file and writes another, in its own usual way."""

import io, random, shutil, subprocess
from dataclasses import dataclass

import pikepdf

import contents, documents, updates
from contents import Failed

SEEN = ["amount", "name", "date"]  # a value is replaced by another


@dataclass
class Edit:
    kind: str
    page: int = 0
    old: str = ""
    new: str = ""
    box: tuple = ()  # of the old text: left, bottom, right, top
    at: tuple = ()  # left end of the baseline
    size: float = 10
    field: str = ""
    seed: int = 0


def locate(path, text, page=0):
    """Box, baseline and size of a text that the page shows once."""
    import pymupdf

    with pymupdf.open(path) as file:
        sheet = file[page]
        found = sheet.search_for(text)
        if len(found) != 1:
            raise Failed(f"the text occurs {len(found)} times")
        box, height = found[0], sheet.rect.height
        spans = [span for block in sheet.get_text("dict")["blocks"] for line in block.get("lines", []) for span in line["spans"]]
        middle = (box.y0 + box.y1) / 2
        near = [
            span
            for span in spans
            if span["bbox"][1] <= middle <= span["bbox"][3] and span["bbox"][0] <= box.x0 + 1 <= span["bbox"][2] + 2
        ]
        if not near:
            raise Failed("the text has no span")
        baseline = height - near[0]["origin"][1]
        size = min(near[0]["size"], 30)
        return (box.x0 - 0.5, baseline - 0.25 * size, box.x1 + 0.5, baseline + 0.85 * size), (box.x0, baseline), size


def planned(path, document, kind, rng):
    """The edit of this kind for this document."""
    if kind in SEEN:
        old = document.values[kind]
        box, at, size = locate(path, old)
        return Edit(kind, 0, old, documents.changed_value(rng, kind, old), box, at, size, seed=rng.randint(0, 1 << 30))
    if kind == "added line":
        text = rng.choice(
            [
                "Paid in full.",
                "This replaces all earlier versions.",
                f"Discount: {documents.amount(rng)} EUR",
                "The guarantee is extended to ten years.",
            ]
        )
        lowest = min(line.y for line in document.pages[0])
        return Edit(kind, 0, "", text, (), (72, lowest - 22), 11)
    if kind == "covered line":
        text = rng.choice([text for text in documents.TERMS if [line.text for line in document.pages[0]].count(text) == 1])
        box, at, size = locate(path, text)
        return Edit(kind, 0, text, "", box, at, size)
    if kind == "removed page":
        return Edit(kind, len(document.pages) - 1)
    if kind == "replaced image":
        return Edit(kind, 0, seed=rng.randint(0, 1 << 30))
    raise KeyError(kind)


def new_image(edit):
    """Another picture, as width, height and RGB samples."""
    from PIL import Image

    picture = Image.open(io.BytesIO(documents.logo(random.Random(edit.seed)))).convert("RGB")
    return picture


def overlay(edit, path, maker):
    """A page with the white box and the new text, to be laid over."""
    left, bottom, right, top = edit.box or (0, 0, 0, 0)
    if maker == "reportlab":
        from reportlab.pdfgen import canvas

        sheet = canvas.Canvas(str(path), pagesize=(documents.WIDTH, documents.HEIGHT))
        if edit.box:
            sheet.setFillColorRGB(1, 1, 1)
            sheet.rect(left, bottom, right - left, top - bottom, stroke=0, fill=1)
        sheet.setFillColorRGB(0, 0, 0)
        sheet.setFont("Helvetica", edit.size)
        if edit.new:
            sheet.drawString(*edit.at, edit.new)
        sheet.save()
    else:
        from fpdf import FPDF

        sheet = FPDF(unit="pt", format=(documents.WIDTH, documents.HEIGHT))
        sheet.add_page()
        if edit.box:
            sheet.set_fill_color(255, 255, 255)
            sheet.rect(left, documents.HEIGHT - top, right - left, top - bottom, style="F")
        sheet.set_font("Helvetica", "", edit.size)
        if edit.new:
            sheet.text(edit.at[0], documents.HEIGHT - edit.at[1], edit.new)
        sheet.output(str(path))


# ---- the editors


def with_pypdf(source, out, edit, node, incremental=False):
    import pypdf
    from pypdf.generic import DecodedStreamObject, NameObject

    writer = pypdf.PdfWriter(source, incremental=True) if incremental else pypdf.PdfWriter(clone_from=source)
    if edit.kind == "removed page":
        writer.remove_page(edit.page)
    elif edit.kind == "form value":
        writer.update_page_form_field_values(writer.pages[0], {edit.field: edit.new}, auto_regenerate=False)
    else:
        with pikepdf.open(source) as pdf:
            content, missing = contents.replace(pdf, edit.page, edit)
        page = writer.pages[edit.page]
        if missing:
            content = b"q\n" + content + b"\nQ\n" + contents.drawn(edit)
            font = pypdf.generic.DictionaryObject(
                {
                    NameObject("/" + key): NameObject("/" + value)
                    for key, value in [
                        ("Type", "Font"),
                        ("Subtype", "Type1"),
                        ("BaseFont", "Helvetica"),
                        ("Encoding", "WinAnsiEncoding"),
                    ]
                }
            )
            fonts = page["/Resources"].get_object().setdefault(NameObject("/Font"), pypdf.generic.DictionaryObject()).get_object()
            fonts[NameObject("/FEdit")] = font
        stream = DecodedStreamObject()
        stream.set_data(content)
        page[NameObject("/Contents")] = writer._add_object(stream.flate_encode())
    writer.write(out)


def with_pikepdf(source, out, edit, node):
    with pikepdf.open(source) as pdf:
        if edit.kind == "removed page":
            del pdf.pages[edit.page]
        elif edit.kind == "replaced image":
            images = pdf.pages[0].images
            if not images:
                raise Failed("the page has no image")
            picture, image = new_image(edit), next(iter(images.values()))
            for key in ("/SMask", "/Mask", "/Decode", "/DecodeParms", "/Intent"):
                if key in image:
                    del image[key]
            image.ColorSpace, image.BitsPerComponent = pikepdf.Name.DeviceRGB, 8
            image.Width, image.Height = picture.size
            image.write(picture.tobytes())
        else:
            contents.in_place(pdf, edit)
        pdf.save(out)


def with_pymupdf(source, out, edit, node, incremental=False):
    import pymupdf

    if incremental:
        shutil.copy(source, out)
    with pymupdf.open(out if incremental else source) as file:
        page = file[edit.page]
        height = page.rect.height
        if edit.box:
            left, bottom, right, top = edit.box
            box = pymupdf.Rect(left, height - top, right, height - bottom)
        if edit.kind == "replaced image":
            images = page.get_images()
            if not images:
                raise Failed("the page has no image")
            page.replace_image(images[0][0], stream=documents.logo(random.Random(edit.seed)))
        elif edit.kind == "form value":
            for widget in page.widgets():
                if widget.field_name == edit.field:
                    widget.field_value = edit.new
                    widget.update()
        else:
            if edit.kind in SEEN and edit.seed % 2:  # removed, not only covered
                page.add_redact_annot(box, fill=(1, 1, 1))
                page.apply_redactions()
            elif edit.box:
                page.draw_rect(box, color=None, fill=(1, 1, 1))
            if edit.new:
                page.insert_text((edit.at[0], height - edit.at[1]), edit.new, fontsize=edit.size)
        file.saveIncr() if incremental else file.save(out)


def with_pdfium(source, out, edit, node):
    import ctypes
    import pypdfium2
    import pypdfium2.raw as raw

    file = pypdfium2.PdfDocument(source)
    page = file[edit.page]

    def put(text, matrix, size):
        item = raw.FPDFPageObj_NewTextObj(file.raw, b"Helvetica", size)
        data = (text + "\0").encode("utf-16-le")
        raw.FPDFText_SetText(item, (ctypes.c_ushort * (len(data) // 2)).from_buffer_copy(data))
        raw.FPDFPageObj_SetMatrix(item, matrix)
        raw.FPDFPage_InsertObject(page.raw, item)

    if edit.old:
        words = page.get_textpage()
        left, bottom, right, top = edit.box
        hit = []
        for index in range(raw.FPDFPage_CountObjects(page.raw)):
            item = raw.FPDFPage_GetObject(page.raw, index)
            if raw.FPDFPageObj_GetType(item) != raw.FPDF_PAGEOBJ_TEXT:
                continue
            length = raw.FPDFTextObj_GetText(item, words.raw, None, 0)
            buffer = ctypes.create_string_buffer(length)
            raw.FPDFTextObj_GetText(item, words.raw, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), length)
            text = buffer.raw.decode("utf-16-le").rstrip("\0")
            edges = [ctypes.c_float() for _ in range(4)]
            raw.FPDFPageObj_GetBounds(item, *edges)
            l, b, r, t = (edge.value for edge in edges)
            if edit.old in text or (left - 2 <= l and r <= right + 2 and bottom <= (b + t) / 2 <= top and text.strip()):
                hit.append((item, text))
        if not hit:
            raise Failed("no text object has the text")
        for item, _ in hit:
            raw.FPDFPage_RemoveObject(page.raw, item)
        line = hit[0][1].replace(edit.old, edit.new) if edit.old in hit[0][1] else edit.new
        edges = [ctypes.c_float() for _ in range(4)]
        raw.FPDFPageObj_GetBounds(hit[0][0], *edges)
        put(line, raw.FS_MATRIX(1, 0, 0, 1, edges[0].value, edit.at[1]), edit.size)
        for item, _ in hit:
            raw.FPDFPageObj_Destroy(item)
    else:
        put(edit.new, raw.FS_MATRIX(1, 0, 0, 1, *edit.at), edit.size)
    page.gen_content()
    file.save(str(out))
    file.close()


def with_pdf_lib(source, out, edit, node):
    steps = []
    if edit.kind == "removed page":
        steps.append({"what": "remove", "page": edit.page})
    elif edit.kind == "form value":
        steps.append({"what": "fill", "name": edit.field, "value": edit.new})
    if edit.box:
        steps.append({"what": "cover", "page": edit.page, "box": edit.box})
    if edit.new and edit.at:
        steps.append({"what": "text", "page": edit.page, "at": edit.at, "size": edit.size, "text": edit.new})
    documents.run_node(node, {"program": "edit", "from": str(source), "out": str(out), "steps": steps})


def with_reportlab(source, out, edit, node):
    """A page of reportlab's, merged by pypdf as its documentation shows."""
    import pypdf

    over = out.with_suffix(".over.pdf")
    overlay(edit, over, "reportlab")
    writer = pypdf.PdfWriter(clone_from=source)
    writer.pages[edit.page].merge_page(pypdf.PdfReader(over).pages[0])
    writer.write(out)
    over.unlink()


def with_qpdf(source, out, edit, node):
    over = out.with_suffix(".over.pdf")
    overlay(edit, over, "fpdf2")
    run(["qpdf", "--warning-exit-0", source, "--overlay", over, f"--to={edit.page + 1}", "--", out])
    over.unlink()


def with_pdfrw(source, out, edit, node):
    import pdfrw

    reader = pdfrw.PdfReader(str(source))
    if edit.kind == "removed page":
        writer = pdfrw.PdfWriter(str(out))
        writer.addpages(page for number, page in enumerate(reader.pages) if number != edit.page)
        writer.write()
        return
    over = out.with_suffix(".over.pdf")
    overlay(edit, over, "reportlab")
    merge = pdfrw.PageMerge(reader.pages[edit.page])
    merge.add(pdfrw.PdfReader(str(over)).pages[0]).render()
    pdfrw.PdfWriter(str(out), trailer=reader).write()
    over.unlink()


def with_bytes(source, out, edit, node, incremental=True):
    """No library writes: the page's content stream is replaced in an update appended by hand."""
    data = source.read_bytes()
    with pikepdf.open(source) as pdf:
        last = int(pdf.trailer.Size) - 1
        page = pdf.pages[edit.page].obj
        contents.in_place(pdf, edit)
        touched = {page.objgen[0]} | updates.made_since(pdf, last)
        out.write_bytes(updates.append(data, pdf, touched, updates.kind(data), dated=False))


def with_pyhanko(source, out, edit, node, incremental=True):
    from pyhanko.pdf_utils import generic
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter

    writer = IncrementalPdfFileWriter(io.BytesIO(source.read_bytes()), strict=False)
    name = generic.pdf_name
    helvetica = generic.DictionaryObject(
        {name("/Type"): name("/Font"), name("/Subtype"): name("/Type1"), name("/BaseFont"): name("/Helvetica")}
    )
    if edit.kind == "form value":
        for field in writer.root["/AcroForm"]["/Fields"]:
            if field.get_object().get("/T") == edit.field:
                field = field.get_object()
                widget = field["/Kids"][0].get_object() if "/Kids" in field else field
                left, bottom, right, top = (float(edge) for edge in widget["/Rect"])
                look = generic.StreamObject(
                    stream_data=f"/Tx BMC q BT /Helv 11 Tf 0 g 2 6 Td ({contents.escape(edit.new)}) Tj ET Q EMC".encode()
                )
                look[name("/Type")], look[name("/Subtype")] = name("/XObject"), name("/Form")
                look[name("/BBox")] = generic.ArrayObject(map(generic.FloatObject, (0, 0, right - left, top - bottom)))
                look[name("/Resources")] = generic.DictionaryObject(
                    {name("/Font"): generic.DictionaryObject({name("/Helv"): helvetica})}
                )
                field[name("/V")] = generic.pdf_string(edit.new)
                widget[name("/AP")] = generic.DictionaryObject({name("/N"): writer.add_object(look)})
                writer.update_container(field)
                writer.update_container(widget)
    elif edit.kind in SEEN and edit.seed % 2:
        with pikepdf.open(source) as pdf:
            content, missing = contents.replace(pdf, edit.page, edit)
        if missing:
            raise Failed("the font lacks a letter")
        page = writer.find_page_for_modification(edit.page)[0].get_object()
        page[name("/Contents")] = writer.add_object(generic.StreamObject(stream_data=content))
        writer.update_container(page)
    else:
        content = (contents.covered(edit) + b"\n" if edit.box else b"") + (contents.drawn(edit) if edit.new else b"")
        fonts = generic.DictionaryObject({name("/Font"): generic.DictionaryObject({name("/FEdit"): writer.add_object(helvetica)})})
        # whatever the page's own content does to the coordinates ends before
        writer.add_stream_to_page(edit.page, writer.add_object(generic.StreamObject(stream_data=b"q\n")), prepend=True)
        writer.add_stream_to_page(
            edit.page, writer.add_object(generic.StreamObject(stream_data=b"\nQ\n" + content)), resources=fonts
        )
    with open(out, "wb") as file:
        writer.write(file)


def with_ghostscript(source, out, edit, node):
    """Printed to a new PDF, with the box and the text painted when the page ends."""
    paint = "gsave initgraphics "
    if edit.box:
        left, bottom, right, top = edit.box
        paint += f"1 setgray {left:.2f} {bottom:.2f} {right - left:.2f} {top - bottom:.2f} rectfill 0 setgray "
    if edit.new:
        paint += f"/Helvetica findfont {edit.size:g} scalefont setfont {edit.at[0]:.2f} {edit.at[1]:.2f} moveto ({contents.escape(edit.new)}) show "
    hook = f"<< /EndPage {{ 2 eq {{ pop false }} {{ {edit.page} eq {{ {paint} grestore }} if true }} ifelse }} >> setpagedevice"
    run(["gs", "-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-sDEVICE=pdfwrite", f"-sOutputFile={out}", "-c", hook, "-f", source])


def with_poppler(source, out, edit, node):
    """The pages taken apart and put together again: without one, or with one of a forged document."""
    parts = out.with_suffix(".parts")
    parts.mkdir(exist_ok=True)
    run(["pdfseparate", source, parts / "%d.pdf"])
    pages = sorted(parts.glob("*.pdf"), key=lambda page: int(page.stem))
    if edit.kind == "removed page":
        del pages[edit.page]
    else:
        forged = out.with_suffix(".forged.pdf")
        run(["pdfseparate", "-f", edit.page + 1, "-l", edit.page + 1, forged, parts / "forged.pdf"])
        pages[edit.page] = parts / "forged.pdf"
        forged.unlink()
    run(["pdfunite", *pages, out] if len(pages) > 1 else ["cp", pages[0], out])
    shutil.rmtree(parts)


def run(command):
    done = subprocess.run(["timeout", "120", *map(str, command)], capture_output=True)
    if done.returncode:
        raise Failed(f"{command[0]}: {done.stderr.decode(errors='replace')[-200:]}")


COVERED = [*SEEN, "added line", "covered line"]
# editor -> function, what it changes, and whether it also appends updates by itself
EDITORS = {
    "pypdf": (with_pypdf, [*SEEN, "removed page", "form value"], True),
    "pikepdf": (with_pikepdf, [*SEEN, "removed page", "replaced image"], False),
    "PyMuPDF": (with_pymupdf, [*COVERED, "replaced image", "form value"], True),
    "PDFium": (with_pdfium, [*SEEN, "added line"], False),
    "pdf-lib": (with_pdf_lib, [*COVERED, "removed page", "form value"], False),
    "reportlab and pypdf": (with_reportlab, COVERED, False),
    "qpdf": (with_qpdf, COVERED, False),
    "pdfrw": (with_pdfrw, [*COVERED, "removed page"], False),
    "bytes": (with_bytes, SEEN, True),
    "pyHanko": (with_pyhanko, [*COVERED, "form value"], True),
    "Ghostscript": (with_ghostscript, COVERED, False),
    "Poppler": (with_poppler, [*SEEN, "removed page"], False),
}
