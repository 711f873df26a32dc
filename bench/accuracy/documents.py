"""Genuine documents: invoices, contracts, certificates and forms with random content, by twelve libraries and programs."""

import html, io, json, random, subprocess
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
WIDTH, HEIGHT = 595, 842  # A4 in points

GIVEN = "Anna Boris Clara David Elena Farid Greta Hugo Irina Jonas Karla Leon Mara Nadia Oskar Petra Rosa Simon Tara Viktor".split()
FAMILY = "Adler Berger Costa Dietz Engel Fischer Garcia Hansen Ivanov Jensen Keller Lorenz Moser Novak Olsen Pohl Richter Santos Tanner Weber".split()
TOWNS = "Aachen Bern Cork Dresden Essen Faro Graz Halle Izola Jena Kiel Linz Mainz Namur Ostrava Porto".split()
TRADES = "Glass Timber Logistics Catering Software Textiles Bakery Masonry Print Solar".split()
GOODS = [
    "Oak panels",
    "Site survey",
    "Delivery to site",
    "Consulting hours",
    "Window frames",
    "Annual license",
    "Spare parts",
    "Training day",
    "Cable drums",
    "Maintenance visit",
    "Packing material",
    "Night shift",
    "Steel brackets",
    "Translation",
    "Floor tiles",
    "Data backup",
]
MONTHS = "January February March April May June July August September October November December".split()
TERMS = [
    "Payment is due within thirty days of receipt without deduction.",
    "Goods remain the property of the seller until they are paid in full.",
    "Complaints are to be made in writing within two weeks of delivery.",
    "The parties keep confidential what they learn about each other.",
    "Changes of this agreement have to be made in writing.",
    "Should a provision be void, the others remain in force.",
    "Deliveries are insured from dispatch until they are accepted.",
    "The contractor may employ subcontractors with the client's consent.",
    "Either party may end the agreement with three months' notice.",
    "The courts at the seller's registered office have jurisdiction.",
    "Prices are net of value added tax, which is charged in addition.",
    "Force majeure releases both parties for as long as it lasts.",
]


@dataclass
class Line:
    """One line of text: left end of the baseline in points from the lower left corner."""

    x: float
    y: float
    size: float
    text: str
    bold: bool = False


@dataclass
class Document:
    kind: str
    title: str
    author: str
    pages: list = field(default_factory=list)  # lists of Line
    # what a person would change: kind of edit -> text that occurs once, on the first page
    values: dict = field(default_factory=dict)
    image: bytes = b""  # PNG, shown on the first page
    image_box: tuple = (430, 745, 110, 55)  # left, bottom, width, height
    serif: bool = False


def amount(rng):
    return f"{rng.randint(1, 9)},{rng.randint(100, 999)}.{rng.randint(10, 99)}"


def date(rng):
    return f"{rng.randint(1, 28)} {rng.choice(MONTHS)} {rng.randint(2019, 2025)}"


def person(rng):
    return f"{rng.choice(GIVEN)} {rng.choice(FAMILY)}"


def logo(rng, size=(220, 110)):
    """A picture of random shapes as PNG."""
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", size, tuple(rng.randint(180, 250) for _ in range(3)))
    draw = ImageDraw.Draw(picture)
    for _ in range(5):
        x, y = rng.randint(0, size[0] - 50), rng.randint(0, size[1] - 40)
        draw.ellipse((x, y, x + rng.randint(20, 80), y + rng.randint(20, 60)), fill=tuple(rng.randint(0, 200) for _ in range(3)))
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def compose(seed, kind):
    """The content of a genuine document."""
    rng = random.Random(seed)
    company = f"{rng.choice(FAMILY)} {rng.choice(TRADES)} {rng.choice(['Ltd', 'GmbH', 'AG', 'SA'])}"
    who, total, day = person(rng), amount(rng), date(rng)
    town, number = rng.choice(TOWNS), f"{rng.randint(2019, 2025)}-{rng.randint(10000, 99999)}"
    size = rng.choice([9.5, 10, 10.5, 11, 12])
    lines, y = [], 0

    def put(text, x=72, leading=1.5, size=size, bold=False):
        nonlocal y
        lines.append(Line(x, y, size, text, bold))
        y -= size * leading

    def text(count):
        for sentence in rng.sample(TERMS, count):
            put(sentence)

    y = 780
    put(company, size=15, bold=True)
    put(f"{rng.randint(1, 99)} Station Road, {rng.randint(10000, 99999)} {town}", size=9)
    put(f"Phone +49 {rng.randint(100, 999)} {rng.randint(1000000, 9999999)}", size=9)
    y = 680
    if kind == "invoice":
        put(f"Invoice {number}", size=18, bold=True)
        put(f"Date: {day}")
        put(f"Customer: {who}", leading=2.5)
        for good in rng.sample(GOODS, rng.randint(4, 9)):
            lines.append(Line(430, y, size, f"{rng.randint(10, 899)}.{rng.randint(10, 99)} EUR"))
            put(good)
        y -= size
        put(f"Total due: {total} EUR", size=size + 1, bold=True, leading=2.5)
        put(f"IBAN DE{rng.randint(10, 99)} {' '.join(str(rng.randint(1000, 9999)) for _ in range(4))} {rng.randint(10, 99)}")
        text(2)
    elif kind == "contract":
        put("Service agreement", size=18, bold=True)
        put(f"between {company}, {town}")
        put(f"and {who}, called the contractor.", leading=2.5)
        text(4)
        put(f"The fee is {total} EUR for each month.")
        put(f"The agreement begins on {day} and has the number {number}.")
        text(4)
    else:
        put("Certificate", size=26, bold=True, leading=2.5)
        put("We confirm that", leading=2)
        put(who, size=20, bold=True, leading=2)
        put(f"has passed the final examination on {day}", leading=2)
        put(f"with {total} points. The number of the certificate is {number}.", leading=2)
        text(2)
    pages = [lines]
    for page in range({"invoice": 1, "contract": 2, "certificate": 1}[kind]):
        lines, y = [], 770
        put(
            f"Annex {page + 1}: {rng.choice(['General terms', 'Schedule', 'Conditions', 'Details'])}", size=14, bold=True, leading=2
        )
        for paragraph in range(rng.randint(6, 14)):
            put(f"{paragraph + 1}. {rng.choice(TERMS)}")
            if rng.random() < 0.4:
                put(f"    Limit: {amount(rng)} EUR, until {date(rng)}.")
        pages.append(lines)
    title = f"{kind.capitalize()} {number}"
    return Document(kind, title, company, pages, {"amount": total, "name": who, "date": day}, logo(rng), serif=rng.random() < 0.3)


def changed_value(rng, kind, old):
    """Another value of that kind, of the same length where that is possible."""
    while True:
        if kind == "name":
            same = [f"{given} {family}" for given in GIVEN for family in FAMILY if len(given) + len(family) + 1 == len(old)]
            new = rng.choice(same)
        elif kind == "date":
            day, month, year = old.split()
            new = f"{day} {month} {rng.randint(2019, 2025)}"
        else:
            new = f"{rng.randint(1, 9)}{old[1:]}" if rng.random() < 0.6 else amount(rng)
        if new != old:
            return new


def fonts():
    """A TrueType font, regular and bold."""
    import matplotlib

    folder = Path(matplotlib.get_data_path()) / "fonts/ttf"
    return folder / "DejaVuSans.ttf", folder / "DejaVuSans-Bold.ttf"


# ---- the makers: each writes the document to a path


def reportlab(document, path, node):
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.pdfgen import canvas

    regular, bold = ("Times-Roman", "Times-Bold") if document.serif else ("Sans", "Sans-Bold")
    if not document.serif:
        for name, file in zip((regular, bold), fonts()):
            pdfmetrics.registerFont(TTFont(name, file))
    sheet = canvas.Canvas(str(path), pagesize=(WIDTH, HEIGHT))
    sheet.setTitle(document.title)
    sheet.setAuthor(document.author)
    for number, lines in enumerate(document.pages):
        if not number:
            sheet.drawImage(ImageReader(io.BytesIO(document.image)), *document.image_box)
            sheet.line(72, 735, 523, 735)
        for line in lines:
            sheet.setFont(bold if line.bold else regular, line.size)
            sheet.drawString(line.x, line.y, line.text)
        sheet.showPage()
    sheet.save()


def fpdf2(document, path, node):
    from fpdf import FPDF

    sheet = FPDF(unit="pt", format=(WIDTH, HEIGHT))
    sheet.set_auto_page_break(False)
    family = "Times" if document.serif else "Sans"
    if not document.serif:
        for style, file in zip(("", "B"), fonts()):
            sheet.add_font(family, style, file)
    sheet.set_title(document.title)
    sheet.set_author(document.author)
    for number, lines in enumerate(document.pages):
        sheet.add_page()
        if not number:
            x, y, w, h = document.image_box
            sheet.image(io.BytesIO(document.image), x, HEIGHT - y - h, w, h)
            sheet.line(72, HEIGHT - 735, 523, HEIGHT - 735)
        for line in lines:
            sheet.set_font(family, "B" if line.bold else "", line.size)
            sheet.text(line.x, HEIGHT - line.y, line.text)
    sheet.output(str(path))


def borb(document, path, node):
    import borb.pdf as borb

    made = borb.Document()
    for number, lines in enumerate(document.pages):
        page = borb.Page(width_in_points=WIDTH, height_in_points=HEIGHT)
        made.append_page(page)
        if not number:
            from PIL import Image

            x, y, w, h = document.image_box
            borb.Image(Image.open(io.BytesIO(document.image)), size=(w, h)).paint((x, y, w, h), page)
        for line in lines:
            family = borb.Standard14Fonts
            font = family.get("Helvetica-Bold" if line.bold else "Helvetica")
            text = borb.Paragraph(line.text, font=font, font_size=round(line.size))
            text.paint((int(line.x), int(line.y), 480, round(line.size * 1.2)), page)
    borb.PDF.write(what=made, where_to=str(path))


def pymupdf(document, path, node):
    import pymupdf

    made = pymupdf.open()
    regular, bold = ("tiro", "tibo") if document.serif else ("helv", "hebo")
    for number, lines in enumerate(document.pages):
        page = made.new_page(width=WIDTH, height=HEIGHT)
        if not number:
            x, y, w, h = document.image_box
            page.insert_image((x, HEIGHT - y - h, x + w, HEIGHT - y), stream=document.image)
            page.draw_line((72, HEIGHT - 735), (523, HEIGHT - 735))
        for line in lines:
            page.insert_text((line.x, HEIGHT - line.y), line.text, fontsize=line.size, fontname=bold if line.bold else regular)
    made.set_metadata(
        {
            "title": document.title,
            "author": document.author,
            "creator": "Ledger",
            "creationDate": pymupdf.get_pdf_now(),
            "modDate": pymupdf.get_pdf_now(),
        }
    )
    made.save(str(path), garbage=3, deflate=True)


def typst(document, path, node):
    import typst

    quoted = lambda text: json.dumps(text, ensure_ascii=False)
    source = [
        f"#set document(title: {quoted(document.title)}, author: {quoted(document.author)})",
        f"#set page(width: {WIDTH}pt, height: {HEIGHT}pt, margin: 0pt)",
        '#set text(font: "Libertinus Serif", top-edge: "baseline", bottom-edge: "baseline")',
    ]
    picture = path.with_suffix(".png")
    picture.write_bytes(document.image)
    for number, lines in enumerate(document.pages):
        if number:
            source.append("#pagebreak()")
        else:
            x, y, w, h = document.image_box
            source.append(
                f'#place(top + left, dx: {x}pt, dy: {HEIGHT - y - h}pt, image("{picture.name}", width: {w}pt, height: {h}pt))'
            )
            source.append(f"#place(top + left, dx: 72pt, dy: {HEIGHT - 735}pt, line(length: 451pt))")
        for line in lines:
            weight = ', weight: "bold"' if line.bold else ""
            source.append(
                f"#place(top + left, dx: {line.x}pt, dy: {HEIGHT - line.y}pt, text(size: {line.size}pt{weight}, {quoted(line.text)}))"
            )
    file = path.with_suffix(".typ")
    file.write_text("\n".join(source))
    typst.compile(str(file), output=str(path))
    file.unlink()
    picture.unlink()


def skia(document, path, node):
    import skia

    stream = skia.FILEWStream(str(path))
    said = skia.PDF.Metadata()
    said.fTitle, said.fAuthor, said.fCreator = document.title, document.author, "Ledger"
    made = skia.PDF.MakeDocument(stream, said)
    regular, bold = (skia.Typeface.MakeFromFile(str(file)) for file in fonts())
    picture = skia.Image.MakeFromEncoded(skia.Data(document.image))
    for number, lines in enumerate(document.pages):
        canvas = made.beginPage(WIDTH, HEIGHT)
        if not number:
            x, y, w, h = document.image_box
            canvas.drawImageRect(picture, skia.Rect.MakeXYWH(x, HEIGHT - y - h, w, h))
            canvas.drawLine(72, HEIGHT - 735, 523, HEIGHT - 735, skia.Paint())
        for line in lines:
            canvas.drawString(
                line.text, line.x, HEIGHT - line.y, skia.Font(bold if line.bold else regular, line.size), skia.Paint()
            )
        made.endPage()
    made.close()
    stream.flush()


def matplotlib(document, path, node):
    import matplotlib

    matplotlib.use("pdf")
    matplotlib.rcParams["pdf.fonttype"] = 3 if document.serif else 42
    from matplotlib import image
    from matplotlib.backends.backend_pdf import PdfPages
    from matplotlib.figure import Figure
    from matplotlib.backends.backend_pdf import FigureCanvasPdf

    with PdfPages(str(path), metadata={"Title": document.title, "Author": document.author}) as made:
        for number, lines in enumerate(document.pages):
            figure = Figure(figsize=(WIDTH / 72, HEIGHT / 72))
            FigureCanvasPdf(figure)
            if not number:
                x, y, w, h = document.image_box
                axes = figure.add_axes((x / WIDTH, y / HEIGHT, w / WIDTH, h / HEIGHT))
                axes.axis("off")
                axes.imshow(image.imread(io.BytesIO(document.image)), aspect="auto")
            for line in lines:
                figure.text(line.x / WIDTH, line.y / HEIGHT, line.text, size=line.size, weight="bold" if line.bold else "normal")
            made.savefig(figure)


def weasyprint(document, path, node):
    import base64, logging
    from weasyprint import HTML

    logging.getLogger("weasyprint").setLevel(logging.CRITICAL)
    logging.getLogger("fontTools").setLevel(logging.CRITICAL)
    regular, bold = fonts()
    x, y, w, h = document.image_box
    parts = [
        f"""<html lang="en"><head><title>{html.escape(document.title)}</title><meta name="author" content="{html.escape(document.author)}"><style>
        @page {{ size: {WIDTH}pt {HEIGHT}pt; margin: 0 }} body {{ margin: 0; font-family: S }}
        @font-face {{ font-family: S; src: url(file://{regular}) }} @font-face {{ font-family: S; font-weight: bold; src: url(file://{bold}) }}
        section {{ position: relative; height: {HEIGHT - 1}pt; break-after: page }} section:last-child {{ break-after: auto }}
        p, img {{ position: absolute; margin: 0; white-space: pre; line-height: 1 }}</style></head><body>"""
    ]
    for number, lines in enumerate(document.pages):
        parts.append("<section>")
        if not number:
            data = base64.b64encode(document.image).decode()
            parts.append(
                f'<img style="left:{x}pt;top:{HEIGHT - y - h}pt;width:{w}pt;height:{h}pt" src="data:image/png;base64,{data}">'
            )
        for line in lines:
            weight = ";font-weight:bold" if line.bold else ""
            parts.append(
                f'<p style="left:{line.x}pt;top:{HEIGHT - line.y - line.size:.1f}pt;font-size:{line.size}pt{weight}">{html.escape(line.text)}</p>'
            )
        parts.append("</section>")
    HTML(string="".join(parts)).write_pdf(str(path), full_fonts=False)


def by_node(program):
    def make(document, path, node):
        import base64

        said = {
            "program": program,
            "title": document.title,
            "author": document.author,
            "serif": document.serif,
            "out": str(path),
            "image": base64.b64encode(document.image).decode(),
            "box": document.image_box,
            "size": [WIDTH, HEIGHT],
            "pages": [[vars(line) for line in lines] for lines in document.pages],
        }
        run_node(node, said)

    return make


def run_node(node, said):
    # Python's own limits of time wait by a clock that faketime has moved
    subprocess.run(
        ["timeout", "120", "node", node / "pages.mjs"], input=json.dumps(said), text=True, check=True, capture_output=True
    )


def ghostscript(document, path, node):
    """From PostScript, as printers' drivers hand it over."""
    regular, bold = ("Times-Roman", "Times-Bold") if document.serif else ("Helvetica", "Helvetica-Bold")
    escape = lambda text: text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    source = [
        "%!PS-Adobe-3.0",
        f"%%Title: {document.title}",
        "%%Creator: Ledger",
        f"%%Pages: {len(document.pages)}",
        "%%EndComments",
    ]
    for number, lines in enumerate(document.pages, 1):
        source += [f"%%Page: {number} {number}", f"<< /PageSize [{WIDTH} {HEIGHT}] >> setpagedevice"]
        if number == 1:
            from PIL import Image

            picture = Image.open(io.BytesIO(document.image)).convert("RGB")
            x, y, w, h = document.image_box
            source += [
                f"gsave {x} {y} translate {w} {h} scale {picture.width} {picture.height} 8 [{picture.width} 0 0 -{picture.height} 0 {picture.height}]",
                "currentfile /ASCIIHexDecode filter false 3 colorimage",
                picture.tobytes().hex() + ">",
                "grestore",
                "newpath 72 735 moveto 523 735 lineto stroke",
            ]
        for line in lines:
            source.append(
                f"/{bold if line.bold else regular} findfont {line.size} scalefont setfont {line.x} {line.y} moveto ({escape(line.text)}) show"
            )
        source.append("showpage")
    file = path.with_suffix(".ps")
    file.write_text("\n".join(source) + "\n%%EOF\n", encoding="latin-1")
    subprocess.run(
        ["timeout", "120", "gs", "-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-sDEVICE=pdfwrite", f"-sOutputFile={path}", file],
        check=True,
        capture_output=True,
    )
    file.unlink()


def cairo(document, path, node):
    """Printed to a file by Poppler, as desktops do."""
    draft = path.with_suffix(".draft.pdf")
    (fpdf2 if document.serif else reportlab)(document, draft, node)
    subprocess.run(["timeout", "120", "pdftocairo", "-pdf", draft, path], check=True, capture_output=True)
    draft.unlink()


MAKERS = {
    "reportlab": reportlab,
    "fpdf2": fpdf2,
    "borb": borb,
    "PyMuPDF": pymupdf,
    "Typst": typst,
    "Skia": skia,
    "Matplotlib": matplotlib,
    "WeasyPrint": weasyprint,
    "pdf-lib": by_node("pdf-lib"),
    "PDFKit": by_node("pdfkit"),
    "Ghostscript": ghostscript,
    "cairo": cairo,
}


# ---- forms


def form(seed, path, maker, node):
    """A form whose fields are filled in as `values` say; returns them."""
    rng = random.Random(seed)
    values = {"name": person(rng), "amount": f"{amount(rng)} EUR", "date": date(rng), "note": rng.choice(GOODS)}
    labels = {"name": "Applicant", "amount": "Amount claimed", "date": "Day of purchase", "note": "Item"}
    title = f"Claim form {rng.randint(1000, 9999)}"
    if maker == "reportlab":
        from reportlab.pdfgen import canvas

        sheet = canvas.Canvas(str(path), pagesize=(WIDTH, HEIGHT))
        sheet.setTitle(title)
        sheet.setFont("Helvetica-Bold", 18)
        sheet.drawString(72, 760, title)
        sheet.setFont("Helvetica", 11)
        for row, (name, value) in enumerate(values.items()):
            sheet.drawString(72, 700 - 40 * row, labels[name])
            sheet.acroForm.textfield(
                name=name, value=value, x=220, y=692 - 40 * row, width=240, height=22, fontSize=11, borderWidth=1
            )
        sheet.drawString(72, 480, rng.choice(TERMS))
        sheet.save()
    elif maker == "PyMuPDF":
        import pymupdf

        made = pymupdf.open()
        page = made.new_page(width=WIDTH, height=HEIGHT)
        page.insert_text((72, 82), title, fontsize=18, fontname="hebo")
        for row, (name, value) in enumerate(values.items()):
            page.insert_text((72, 142 + 40 * row), labels[name])
            widget = pymupdf.Widget()
            widget.field_name, widget.field_type, widget.field_value = name, pymupdf.PDF_WIDGET_TYPE_TEXT, value
            widget.rect, widget.text_fontsize, widget.border_width = pymupdf.Rect(220, 128 + 40 * row, 460, 150 + 40 * row), 11, 1
            page.add_widget(widget)
        page.insert_text((72, 362), rng.choice(TERMS))
        made.set_metadata({"title": title, "creationDate": pymupdf.get_pdf_now()})
        made.save(str(path), garbage=3, deflate=True)
    else:
        run_node(
            node,
            {
                "program": "form",
                "title": title,
                "out": str(path),
                "size": [WIDTH, HEIGHT],
                "term": rng.choice(TERMS),
                "fields": [[name, labels[name], value] for name, value in values.items()],
            },
        )
    return values


FORM_MAKERS = ["reportlab", "PyMuPDF", "pdf-lib"]
