"""Incremental updates, conforming or with one thing spelled otherwise."""

import io
import re

import pikepdf

from signed import packed_row, stream

# Bytes that a cross-reference table, a trailer or an object may be spelled with; used by the random mutations.
SPELLINGS = (
    b" ",
    b"\n",
    b"\r",
    b"\0",
    b"\t",
    b"%",
    b"(",
    b")",
    b"<",
    b">",
    b"[",
    b"]",
    b"/",
    b"{",
    b"0",
    b"1",
    b"9",
    b"-",
    b"+",
    b".",
    b"#",
    b"R",
    b"obj",
    b"endobj",
    b"xref",
    b"%%EOF",
)


class State:
    """The newest objects of a file, to be changed and appended."""

    def __init__(self, file):
        self.pdf = pikepdf.open(io.BytesIO(file), inherit_page_attributes=False)

    def get(self, number):
        return self.pdf.get_object(number, 0)

    def body(self, number):
        return written(self.get(number))

    def numbers(self):
        """Those of all objects that the newest state has, cross-reference and object streams excepted."""
        found = []
        for value in self.pdf.objects:
            if isinstance(value, pikepdf.Object) and value.is_indirect and not is_container(value):
                found.append(value.objgen[0])
        return found


def is_container(value):
    return isinstance(value, pikepdf.Stream) and str(value.get("/Type", "")) in ("/XRef", "/ObjStm")


def written(value):
    """The value as an object's body."""
    if value is None:
        return b"null"
    if not isinstance(value, pikepdf.Object):
        return plain(value)
    if not isinstance(value, pikepdf.Stream):
        return value.unparse(resolved=True)
    data = value.read_raw_bytes()
    entries = b"".join(
        b" %s %s" % (pikepdf.Name(key).unparse(), item.unparse() if isinstance(item, pikepdf.Object) else plain(item))
        for key, item in value.items()
        if key != "/Length"
    )
    return b"<< /Length %d%s >>\nstream\n%s\nendstream" % (len(data), entries, data)


def plain(item):
    return str(item).lower().encode() if isinstance(item, bool) else str(item).encode()


class Section:
    """An update of a file. `objects` are (number, body); every other field spells one place and may be exchanged."""

    def __init__(self, file, objects, xref_stream, start, size):
        self.file, self.objects, self.xref_stream, self.start = file, list(objects), xref_stream, start
        catalog = re.findall(rb"/Root (\d+ 0 R)", file)[-1]
        info = re.findall(rb"/Info (\d+ 0 R)", file)
        ids = re.findall(rb"/ID ?(\[.*?\])", file, re.S)
        self.size = max([size, *(number + 1 for number, _ in self.objects)])
        self.trailer = [(b"/Root", catalog), (b"/Prev", b"%d" % start)]
        self.trailer += [(b"/Info", info[-1])] if info else []
        self.trailer += [(b"/ID", ids[-1])] if ids else []
        self.lead = b"" if file.endswith(b"\n") else b"\n"
        self.header = b"%d 0 obj\n"
        self.behind_objects = b""
        self.rows = None  # number → (kind, second, third), before they are written; None: those of the objects
        self.extra_rows = {}
        self.generation = 0
        self.subsection = b"%d %d\n"
        self.row = b"%010d %05d %c \n"
        self.keyword = b"xref\n"
        self.before_trailer = b""
        self.start_keyword = b"startxref\n"
        self.offset = None
        self.end = b"\n%%EOF\n"
        self.widths = b"[1 4 2]"
        self.index = None
        self.stream_type = b"/Type /XRef "
        self.stream_extra = b""
        self.more_rows = b""

    def entry(self, key, value):
        self.trailer = [item for item in self.trailer if item[0] != key]
        self.trailer += [(key, value)] if value is not None else []
        return self

    def written(self):
        file = self.file + self.lead
        rows = {}
        for number, body in self.objects:
            rows[number] = (1, len(file), self.generation)
            file += (self.header % number if b"%d" in self.header else self.header) + body + b"\nendobj\n"
        file += self.behind_objects
        rows.update(self.extra_rows)
        rows = rows if self.rows is None else self.rows
        start = len(file)
        if self.xref_stream:
            own = self.size
            rows = {**rows, own: (1, start, 0)}
            index = self.index or b"[%s]" % b" ".join(b"%d %d" % run for run in runs(rows))
            table = b"".join(packed_row(rows[number]) for number in sorted(rows)) + self.more_rows
            size = dict(self.trailer).get(b"/Size", b"%d" % (own + 1))
            entries = b"%s/Size %s /W %s /Index %s %s %s" % (
                self.stream_type,
                size,
                self.widths,
                index,
                self.stream_extra,
                b" ".join(b"%s %s" % item for item in self.trailer if item[0] != b"/Size"),
            )
            file += b"%d 0 obj\n%s\nendobj\n" % (own, stream(table, entries))
        else:
            file += self.keyword
            for first, count in runs(rows):
                file += self.subsection % (first, count)
                for number in range(first, first + count):
                    kind, second, third = rows[number]
                    file += self.row % (second, third, b"n" if kind else b"f")
            size = dict(self.trailer).get(b"/Size", b"%d" % self.size)
            file += self.before_trailer + b"trailer\n<< /Size %s %s >>\n" % (
                size,
                b" ".join(b"%s %s" % item for item in self.trailer if item[0] != b"/Size"),
            )
        offset = b"%d" % start if self.offset is None else self.offset
        return file + self.start_keyword + offset + self.end


def runs(rows):
    """The subsections of the numbers: (first, count)."""
    found = []
    for number in sorted(rows):
        if found and found[-1][0] + found[-1][1] == number:
            found[-1][1] += 1
        else:
            found.append([number, 1])
    return [tuple(run) for run in found]
