"""Incremental updates, written by hand: the objects that an edit touched behind the file as it was."""

import datetime, io, re, zlib

import pikepdf

from contents import Failed, inherited


def kind(data):
    """`table` or `stream`: the newest cross-reference section of a file."""
    start = int(re.findall(rb"startxref\s+(\d+)", data)[-1])
    return "table" if data[start : start + 20].lstrip().startswith(b"xref") else "stream"


def pdf_date():
    return datetime.datetime.now(datetime.timezone.utc).strftime("D:%Y%m%d%H%M%SZ")


def made_since(pdf, last):
    """The numbers of the objects that an open file got behind this one."""
    # the next free number shows how far they go; numbers alone are no objects of pikepdf's
    return set(range(last + 1, pdf.make_indirect(pikepdf.Dictionary()).objgen[0]))


def body(item):
    """An object as it stands in a file."""
    if not isinstance(item, pikepdf.Object):
        return str(item).encode()
    if not isinstance(item, pikepdf.Stream):
        return item.unparse(resolved=True)
    raw = item.read_raw_bytes()
    entries = pikepdf.Dictionary(dict(item.stream_dict.items()))
    if "/Filter" not in entries:
        raw, entries["/Filter"] = zlib.compress(raw), pikepdf.Name.FlateDecode
    entries["/Length"] = len(raw)
    return entries.unparse() + b"\nstream\n" + raw + b"\nendstream"


def append(data, pdf, numbers, section, dated):
    """The file with these objects of `pdf` behind it, and a section of this kind."""
    size, trailer = int(pdf.trailer.Size), pdf.trailer
    bodies = {number: body(pdf.get_object(number, 0)) for number in numbers}
    if dated and "/Info" in trailer:
        info = pikepdf.Dictionary(dict(trailer.Info.items()))
        info["/ModDate"] = pdf_date()
        bodies[trailer.Info.objgen[0]] = info.unparse()
    size = max([size, *(number + 1 for number in bodies)])
    previous = int(re.findall(rb"startxref\s+(\d+)", data)[-1])
    out, offsets = bytearray(data if data.endswith(b"\n") else data + b"\n"), {}
    for number, written in sorted(bodies.items()):
        offsets[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, written)
    start = len(out)
    kept = b"".join(
        f"{key} ".encode() + (value.unparse() + b"\n") for key, value in trailer.items() if key in ("/Root", "/Info", "/ID")
    )
    if section == "table":
        out += b"xref\n"
        for number, offset in sorted(offsets.items()):
            out += b"%d 1\n%010d 00000 n \n" % (number, offset)
        out += b"trailer\n<< /Size %d /Prev %d %s>>\n" % (size, previous, kept)
    else:
        offsets[size] = start
        rows = b"".join(b"\1" + offset.to_bytes(4, "big") + b"\0" for _, offset in sorted(offsets.items()))
        index = b" ".join(b"%d 1" % number for number in sorted(offsets))
        packed = zlib.compress(rows)
        out += (
            b"%d 0 obj\n<< /Type /XRef /Size %d /Prev %d /W [1 4 1] /Index [%s] %s/Filter /FlateDecode /Length %d >>\nstream\n"
            % (size, size + 1, previous, index, kept, len(packed))
            + packed
            + b"\nendstream\nendobj\n"
        )
    return bytes(out + b"startxref\n%d\n%%%%EOF\n" % start)


def widgets(pdf):
    """Name -> field and its widget, through the pages' annotations."""
    found = {}
    for widget in (note for page in pdf.pages for note in page.obj.get("/Annots", []) if note.get("/Subtype") == "/Widget"):
        field = widget if "/T" in widget else widget.get("/Parent", widget)
        found[str(field.get("/T", ""))] = field, widget
    return found


def transplant(genuine, edited, edit, section, dated):
    """The genuine file with an update that makes it what the edited one shows."""
    pdf, other = pikepdf.open(io.BytesIO(genuine)), pikepdf.open(io.BytesIO(edited))
    touched = set()
    last = int(pdf.trailer.Size) - 1
    if edit.kind == "removed page":
        page = pdf.pages[edit.page].obj
        node = page.Parent
        kids = [kid for kid in node.Kids if kid.objgen != page.objgen]
        if len(kids) + 1 != len(node.Kids):
            raise Failed("the page is not among its parent's kids")
        node["/Kids"] = pikepdf.Array(kids)
        while node is not None:
            node["/Count"] = int(node.Count) - 1
            touched.add(node.objgen[0])
            node = node.get("/Parent")
    elif edit.kind == "form value":
        (field, widget), (source, drawn) = widgets(pdf)[edit.field], widgets(other)[edit.field]
        field["/V"] = str(source.V)
        if "/AP" in drawn:
            widget["/AP"] = pikepdf.Dictionary(N=pdf.copy_foreign(other.make_indirect(drawn.AP.N)))
        touched |= {field.objgen[0], widget.objgen[0]}
    else:
        page, source = pdf.pages[edit.page].obj, other.pages[edit.page]
        source.contents_coalesce()
        page["/Contents"] = pdf.copy_foreign(source.obj.Contents)
        page["/Resources"] = pdf.copy_foreign(other.make_indirect(inherited(source.obj, "/Resources")))
        touched.add(page.objgen[0])
    if 0 in touched:
        raise Failed("an object to be changed is a direct one")
    return append(genuine, pdf, touched | made_since(pdf, last), section, dated)
