"""Forgeries behind signatures: mutations of an update's bytes, of the graph, and of what is painted.

Every generator yields `Mutant`s. Whether one is a forgery, viewers say: it is one if any of them shows something else than the
signed state, and no permission covers it.
"""

import dataclasses
import random
import re

import pikepdf

import signed
from section import SPELLINGS, Section, State, written
from signed import FORGED, TOTAL_BOX, Base, evil_content, look, stream, text


@dataclasses.dataclass
class Mutant:
    family: str
    what: str
    base: Base
    file: bytes
    # the levels at which what was done is permitted, as long as it hides no signed words
    permitted: tuple = ()


# --- bytes ------------------------------------------------------------------------------------------------------------

EVIL = b"5 0 obj\n%s\nendobj\n" % evil_content()


def carrier(rng, base, evil):
    """Objects that an honest update may hold, and the forged copy where the update hides it."""
    state = State(base.file)
    catalog = state.body(1)
    size = base.size
    kind = rng.choice(("dss", "info", "same", "new", "none"))
    hidden = evil if rng.random() < 0.6 else b""
    if kind == "dss":
        catalog = catalog[:-2].rstrip() + b" /DSS %d 0 R >>" % size
        certificate = stream(b"0\x82" + rng.randbytes(40) + b"\n" + hidden + rng.randbytes(8))
        return [(1, catalog), (size, b"<< /Type /DSS /Certs [%d 0 R] >>" % (size + 1)), (size + 1, certificate)]
    if kind == "info":
        return [(22, state.body(22).replace(b"20240101120000Z", b"20240201120000Z"))]
    if kind == "same":
        return [
            (number, state.body(number)) for number in sorted(rng.sample([4, 6, 8, 10, 12, 20, 24], rng.randint(1, 3)))
        ]
    if kind == "new":
        return [(size, stream(b"x\n" + hidden))]
    return []


def section(rng, base, objects=None):
    """An update, with the forged copy in or beside it more often than not."""
    hidden = (
        rng.choice(("stream", "loose", "nowhere")) if not base.trap else rng.choice(("stream", "nowhere", "nowhere"))
    )
    made = carrier(rng, base, EVIL if hidden == "stream" else b"") if objects is None else objects
    made = Section(base.file, made, base.xref_stream, base.start, base.size)
    if hidden == "loose":
        made.behind_objects = rng.choice((EVIL, b"%" + EVIL.replace(b"\n", b"\r"), b"(" + EVIL + b")\n"))
    return made


def number_of(rng):
    return rng.choice(
        (
            b"99999999",
            b"8388609",
            b"8388607",
            b"2147483648",
            b"4294967297",
            b"-1",
            b"0",
            b"1",
            b"3.5",
            b"+9",
            b"1e3",
            b"null",
            b"9 0 R",
            b"99999999999999999999",
            b"(9)",
            b"--5",
            b"0x9",
        )
    )


def spell_size(rng, made):
    made.entry(b"/Size", number_of(rng))


def spell_prev(rng, made):
    value = b"%d" % made.start
    made.entry(
        b"/Prev",
        rng.choice(
            (
                value + b".0",
                b"+" + value,
                b"0" * 12 + value,
                value + b".5",
                b"-" + value,
                b"%d 0 R" % 9,
                b"%d" % (made.start + 1),
                b"0",
                b"null",
                None,
            )
        ),
    )


def spell_root(rng, made):
    made.entry(
        b"/Root",
        rng.choice(
            (
                b"1 1 R",
                b"1 0 R /Root 2 0 R",
                b"null",
                b"<< /Type /Catalog /Pages 2 0 R >>",
                b"01 0 R",
                b"1 00000 R",
                b"+1 0 R",
                None,
            )
        ),
    )


def spell_index(rng, made):
    if made.xref_stream:
        made.index = rng.choice(
            (
                b"[%d 1 3 99999999]",
                b"[%d 1 3 -4]",
                b"[%d 1 99999999 0]",
                b"[%d 1 4 0]",
                b"[%d 1.0]",
                b"[%d 1 5]",
                b"[%d (1)]",
                b"[%d 1]",
                b"%d",
                b"[]",
                b"[%d 2]",
                b"[0 1 %d 1]",
            )
        )
        made.index = made.index % made.size if b"%d" in made.index else made.index
    else:
        made.subsection = rng.choice(
            (
                b"%d %d  \n",
                b"%d  %d\n",
                b" %d %d\n",
                b"%d %d \n",
                b"+%d %d\n",
                b"%d %d\n0 1\n",
                b"%d %d\r",
                b"%d %d\n\n",
                b"%d %d%%\n",
                b"0%d %d\n",
                b"%d\n%d\n",
                b"%d %d.0\n",
            )
        )


def spell_widths(rng, made):
    if made.xref_stream:
        made.widths = rng.choice(
            (
                b"[1 4 1 (x)]",
                b"[1 4 2 -1]",
                b"[1 4 2 99]",
                b"[1 4 2 0]",
                b"[1.0 4 2]",
                b"[1 4]",
                b"[0 5 2]",
                b"[1 4 2.0]",
                b"[9 4 2]",
                b"null",
                b"[1 4 2147483649]",
            )
        )
    else:
        made.row = rng.choice(
            (
                b"%010d %05d %c\n",
                b"%010d %05d %c  \n",
                b"%010d %05d %c\r\n",
                b"%09d %05d %c \n",
                b"%010d %05d %c\n ",
                b"+%09d %05d %c \n",
                b"%010d %05d %cx\n",
                b"%010d  %04d %c \n",
                b"%010d %05d %c \n0000000000 00000 n \n",
            )
        )


def spell_type(rng, made):
    if made.xref_stream:
        made.stream_type = rng.choice(
            (
                b"",
                b"/Type /Xref ",
                b"/Type /ObjStm ",
                b"/Type /XRef /Type /ObjStm ",
                b"/Type (XRef) ",
                b"/#54ype /XRef ",
            )
        )
    else:
        made.keyword = rng.choice(
            (
                b"xref \n",
                b"xref\r",
                b"xref\n\n",
                b"xref%\n",
                b" xref\n",
                b"Xref\n",
                b"xref 0 0\n",
                b"xref\n0 0\n",
                b"xrefx\n",
                b"xref",
            )
        )


def spell_filter(rng, made):
    if made.xref_stream:
        made.stream_extra = rng.choice(
            (
                b"/Filter /Crypt",
                b"/Filter []",
                b"/Filter /ASCIIHexDecode",
                b"/Filter null",
                b"/DecodeParms << /Predictor 12 /Columns 7 >>",
                b"/F (x)",
                b"/Length 3",
                b"/Filter [/Crypt]",
                b"/XRefStm 10",
            )
        )
    else:
        made.entry(b"/XRefStm", b"%d" % rng.choice((made.start, 0, 10, len(made.file) + 10)))


def spell_rows(rng, made):
    made.extra_rows[rng.choice((0, 32, 36, 95, made.size + 5, 8388608, 4, 5))] = rng.choice(
        (
            (0, 0, 0),
            (1, 0, 0),
            (1, 10, 0),
            (1, len(made.file) - 5, 0),
            (0, 5, 65535),
            (2, 77, 0),
            (0, 0, 65535),
            (3, 0, 0),
            (1, 99999999, 0),
        )
    )
    made.size = max(made.size, *(number + 1 for number in made.extra_rows))


def spell_more_rows(rng, made):
    if made.xref_stream:
        made.more_rows = rng.choice((b"\x01", bytes(7), bytes(14), b"\x01\0\0\0\x0f\0\0", b"\xff" * 7))
    else:
        made.before_trailer = rng.choice(
            (
                b"%\n",
                b"\n",
                b"0 0\n",
                b"5 0 obj\n",
                b"%d 1\n0000000015 00000 n \n" % 5,
                b"startxref\n0\n",
                b"%%EOF\n",
                b"\0",
                b"% trailer\n",
                b"trailer\n<<>>\n",
            )
        )


def spell_start(rng, made):
    offset = made.written().rsplit(b"startxref", 1)[1].split()[0]
    made.offset = rng.choice(
        (
            b"%" + offset,
            offset + b" ",
            b"+" + offset,
            b"00" + offset,
            b"-" + offset,
            b"%d" % (int(offset) + 1),
            b"%d" % (int(offset) - 1),
            b"%d" % made.start,
            b"0",
            b"",
            b"\n" + offset,
            offset + b".0",
            b"%d" % (int(offset) + 2**32),
            offset + b"x",
            b"% c\n" + offset,
        )
    )


def spell_start_keyword(rng, made):
    made.start_keyword = rng.choice(
        (
            b"startxref ",
            b"startxref",
            b"startxref\r",
            b"startxref%\n",
            b"Startxref\n",
            b" startxref\n",
            b"startxref\n\n\n",
            b"startxref\0",
            b"startxref\n0\nstartxref\n",
        )
    )


def spell_end(rng, made):
    made.end = rng.choice(
        (
            b"\n%%EOF",
            b"\n%%EOF\n\n\n",
            b"\n%EOF\n",
            b"\n",
            b"",
            b"\n%%EOF\n" + b" " * 600,
            b"\n%%EOF\n%%EOF\n",
            b"\n%%EOF\n" + EVIL,
            b"\n%%EOF\nstartxref\n0\n%%EOF\n",
            b"\n%%EOF\n" + b"\0" * 1100,
            b"\n%% EOF\n",
            b" %%EOF\n",
            b"\n%%EOFx\n",
        )
    )


def spell_header(rng, made):
    made.header = rng.choice(
        (
            b"%d 0  obj\n",
            b"%d  0 obj\n",
            b"%d 0 obj",
            b"%d\n0 obj\n",
            b"%d 0\nobj\n",
            b"%d 00 obj\n",
            b"0%d 0 obj\n",
            b"+%d 0 obj\n",
            b"%d 0 obj%%x\n",
            b"%d 0 % x\nobj\n",
            b"%d 1 obj\n",
            b"%d 0 obj obj\n",
            b"%d 0 obj\n5 0 obj\n",
            b"%d -0 obj\n",
            b"%d 0.0 obj\n",
            b" %d 0 obj\n",
        )
    )
    if b"% x" in made.header:
        made.header = b"%d 0 %% x\nobj\n"


def spell_lead(rng, made):
    made.lead += rng.choice(
        (
            b"\0",
            b"x",
            b"%\n",
            b"%%EOF\n",
            b"startxref\n0\n%%EOF\n",
            b"\n\n",
            b"endobj\n",
            b"5 0 obj\nnull\nendobj\n",
            b"trailer\n<< /Root 1 0 R >>\n",
            b"xref\n",
            b"% 5 0 obj\n",
            b"\r",
        )
    )


def hidden_header(rng, made):
    """Headers as only one reader finds them: signs, blanks, comments, wrapped numbers, at the edge of a buffer."""
    body = EVIL.split(b"obj\n", 1)[1]
    page = b"4 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>\nendobj\n"
    header = rng.choice(
        (
            b"+5 0 obj\n",
            b"5  0  obj\n",
            b"5%s0 obj\n" % (b" " * 300),
            b"5 0%sobj\n" % (b"\n" * 300),
            b"5 % c\n0 obj\n",
            b"5 %" + b"c" * 400 + b"\n0 obj\n",
            b"4294967301 0 obj\n",
            b"5 4294967296 obj\n",
            b"5 --0 obj\n",
            b"5 0. obj\n",
            b"5.0 0 obj\n",
            b"005 0 obj\n",
            b"5 0 obj",
            b"5\0" + b"0 obj\n",
            b"5 0 OBJ\n",
            b"5 0 objx\n",
            b"x5 0 obj\n",
            b"5 65535 obj\n",
            b"5 1 obj\n",
            b"5 0 R 5 0 obj\n",
            b"endobj5 0 obj\n",
        )
    )
    evil = header + body if rng.random() < 0.7 else page.replace(b"4 0 obj\n", header.replace(b"5", b"4", 1))
    place = rng.choice(("loose", "stream", "string", "comment", "length"))
    if place == "loose":
        made.behind_objects = evil
    elif place == "stream":
        made.objects.append((made.size, stream(b"q\n" + evil + b"Q")))
    elif place == "string":
        made.objects.append(
            (
                made.size,
                b"("
                + b"a" * rng.choice((0, 1000, 1020, 4090))
                + b"\n"
                + evil.replace(b"(", b"\\(").replace(b")", b"\\)")
                + b")",
            )
        )
    elif place == "comment":
        made.behind_objects = b"% " + evil.replace(b"\n", b"\r")
    else:
        made.objects.append(
            (
                made.size,
                b"<< /Length %d >>\nstream\nab\nendstream\nendobj\n%s"
                % (rng.choice((2, 2 + len(evil), 5)), evil.removesuffix(b"endobj\n")),
            )
        )
    made.size += 1
    spoil = rng.choice((None, None, spell_size, spell_index, spell_rows, spell_prev, spell_start, spell_widths))
    if spoil:
        spoil(rng, made)


SPELLERS = (
    spell_size,
    spell_prev,
    spell_root,
    spell_index,
    spell_widths,
    spell_type,
    spell_filter,
    spell_rows,
    spell_more_rows,
    spell_start,
    spell_start_keyword,
    spell_end,
    spell_header,
    spell_lead,
    hidden_header,
)


def spelled(rng, base):
    """One or two places of an update spelled otherwise."""
    made = section(rng, base)
    chosen = rng.sample(SPELLERS, rng.choice((1, 1, 1, 2)))
    for spell in chosen:
        spell(rng, made)
    yield Mutant("bytes: " + chosen[0].__name__, "+".join(spell.__name__ for spell in chosen), base, made.written())


def random_bytes(rng, base):
    """Some bytes of an update exchanged, removed, repeated or inserted."""
    made = section(rng, base).written()
    signed_end = len(base.file)
    tail = bytearray(made[signed_end:])
    if not tail:
        return
    what = []
    focus = rng.random() < 0.6
    start = max(0, tail.rfind(b"startxref") - 300) if focus else 0
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(min(start, len(tail) - 1), len(tail))
        deed = rng.choice(("insert", "replace", "delete", "repeat", "digit"))
        if deed == "insert":
            tail[at:at] = rng.choice(SPELLINGS)
        elif deed == "replace":
            tail[at : at + 1] = rng.choice(SPELLINGS)
        elif deed == "delete":
            del tail[at : at + rng.choice((1, 1, 2, 10))]
        elif deed == "repeat":
            span = tail[at : at + rng.choice((1, 5, 20, 60))]
            tail[at:at] = span
        else:
            digits = [place for place in range(start, len(tail)) if 48 <= tail[place] <= 57]
            if digits:
                tail[rng.choice(digits)] = rng.choice(b"0123456789")
        what.append(f"{deed}@{at}")
        if not tail:
            break
    yield Mutant("bytes: random", " ".join(what), base, base.file + bytes(tail))


def tail_only(rng, base):
    """Something behind the signed end that is no update: rubbish, a copy, a second trailer, the file's own bytes."""
    tail = rng.choice(
        (
            b"\n",
            b"\n" * 600,
            EVIL,
            b"%" + EVIL,
            b"trailer\n<< /Root 1 0 R /Size 60 >>\n",
            b"startxref\n0\n%%EOF\n",
            EVIL + b"startxref\n0\n%%EOF\n",
            EVIL + b"trailer\n<< /Root 1 0 R /Size 60 >>\nstartxref\n0\n%%EOF\n",
            b"xref\n0 0\ntrailer\n<< /Root 1 0 R /Size 60 /Prev %d >>\nstartxref\n%d\n%%%%EOF\n"
            % (base.start, len(base.file)),
            EVIL + b"startxref\n%d\n%%%%EOF\n" % base.start,
            base.file,
            b"\0" * 2000,
            b"%%EOF\n",
            b"\x1a",
        )
    )
    yield Mutant("bytes: behind the end", repr(tail[:40]), base, base.file + tail)


def object_in_stream(rng, base):
    """The forged objects in an object stream that the section mentions wrongly or not at all."""
    if not base.xref_stream:
        return
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 7 0 R >>"
    node = b"<< /Type /Pages /Kids [6 0 R] /Count 1 /MediaBox [0 0 595 842] /Resources 40 0 R >>"
    members = rng.choice(({4: page}, {2: node}, {4: page, 2: node}))
    holder = signed.object_stream(members)
    made = Section(base.file, [(base.size, holder)], True, base.start, base.size)
    way = rng.choice(("unlisted", "wrong index", "listed free", "extends", "n too small", "other holder"))
    if way == "wrong index":
        made.extra_rows[30] = (2, base.size, 0)
    elif way == "listed free":
        made.extra_rows[4] = (0, 0, 1)
    elif way == "extends":
        made.objects.append(
            (
                base.size + 1,
                signed.object_stream({33: b"<< /ca 1 >>"}).replace(
                    b"/Type /ObjStm", b"/Type /ObjStm /Extends %d 0 R" % base.size
                ),
            )
        )
        made.extra_rows[33] = (2, base.size + 1, 0)
        made.size += 1
    elif way == "n too small":
        made.objects[0] = (base.size, holder.replace(b"/N %d" % len(members), b"/N 0"))
    elif way == "other holder":
        made.extra_rows[next(iter(members))] = (2, 77, 0)
    if rng.random() < 0.5:
        rng.choice((spell_size, spell_index, spell_prev))(rng, made)
    yield Mutant("bytes: object streams", way, base, made.written())


TRAILER = b"/Root 1 0 R /Info 22 0 R /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]"


def hidden_update(rng, base):
    """A conforming update in one of whose streams a forged copy lies as data: validation data, a font, an attachment."""
    state = State(base.file)
    new = base.size
    page = b"4 0 obj\n<< /Type /Page /Parent 2 0 R /Contents 7 0 R >>\nendobj\n"
    data = (
        rng.choice((b"", b"0\x82\x01\x02\n"))
        + rng.choice((EVIL, b"endstream\nendobj\n" + EVIL, page, b"\n" * 40 + EVIL))
        + b"\n"
    )
    changed = {
        1: state.body(1)[:-2].rstrip() + b" /DSS %d 0 R >>" % new,
        new: b"<< /Type /DSS /Certs [%d 0 R] >>" % (new + 1),
        new + 1: stream(data),
    }
    if rng.random() < 0.3:
        changed = {23: stream(data, b"/Type /Metadata /Subtype /XML"), 22: state.body(22)}
    return update(base, changed)


def repaired(rng, base):
    """The signed file is such that some viewers repair it at once, and so take what lies hidden in a conforming update."""
    objects = dict(base.objects)
    missing = 300
    way = rng.choice(
        (
            "annotation",
            "content",
            "resource",
            "parent",
            "offset",
            "length",
            "font",
            "outline",
            "field",
            "junk",
            "header",
            "gap",
        )
    )
    if way == "annotation":
        objects[4] = objects[4].replace(b"/Annots [", b"/Annots [%d 0 R " % missing)
    elif way == "content":
        objects[8] = objects[8].replace(b"34 0 R]", b"34 0 R %d 0 R]" % missing)
    elif way == "resource":
        objects[40] = objects[40].replace(b"/ExtGState", b"/Pattern %d 0 R /ExtGState" % missing)
    elif way == "parent":
        objects[6] = objects[6].replace(b"/Parent 3 0 R", b"/Parent %d 0 R" % missing)
    elif way == "length":
        objects[35] = objects[35].replace(b"/Length 192", b"/Length 190")
    elif way == "font":
        objects[10] = objects[10].replace(b">>", b"/FontDescriptor %d 0 R >>" % missing)
    elif way == "outline":
        objects[28] = objects[28].replace(b"/First 29 0 R", b"/First %d 0 R" % missing)
    elif way == "field" and 11 in objects:
        objects[11] = objects[11].replace(b"/Fields [", b"/Fields [%d 0 R " % missing)
    file = signed.write(objects, TRAILER, base.xref_stream)
    if way == "offset":
        at = rng.choice((b"35", b"34", b"33", b"10"))
        file = file.replace(b"\n%s 0 obj" % at, b" %s 0 obj" % at, 1)
    elif way == "header":
        file = file.replace(b"\n35 0 obj", b"\n36 0 obj", 1)
    elif way == "gap":
        file = file.replace(b"\nendobj\n35 0 obj", b"\n endob\n35 0 obj", 1)
    elif way == "junk":
        file = b"junk\n" + file
    try:
        file = signed.sign(file, base.level, "Signed")
        ready = Base(f"{base.name}-{way}", file, objects, base.level, base.xref_stream, None)
        made = hidden_update(rng, ready)
    except Exception:  # no program takes every such file
        return
    yield Mutant("bytes: signed file that viewers repair", way, ready, made)


def rolled_back(rng, base):
    """A draft lies in the file; what is appended leads viewers back to it, past what was signed."""
    objects = {**base.objects, 5: evil_content()}
    draft = signed.write(objects, TRAILER, base.xref_stream)
    before = Base("draft", draft, objects, base.level, base.xref_stream, None)
    file = signed.sign(update(before, {5: base.objects[5]}), base.level, "Signed")
    ready = Base(base.name + "-draft", file, objects, base.level, base.xref_stream, None)
    starts = [int(start) for start in re.findall(rb"startxref\s+(\d+)", file)]
    way = rng.choice(("startxref", "prev", "prev and objects", "middle", "repeated", "whole"))
    if way == "startxref":
        made = file + b"startxref\n%d\n%%%%EOF\n" % starts[0]
    elif way == "repeated":
        made = file + file[starts[0] : len(draft)]
    elif way == "whole":
        made = file + draft
    else:
        objects = {"prev": [], "middle": [], "prev and objects": [(1, State(file).body(1))]}[way]
        section = Section(file, objects, base.xref_stream, starts[1] if way == "middle" else starts[0], ready.size)
        made = section.written()
    yield Mutant("bytes: rolled back to a draft", way, ready, made)


def many_updates(rng, base):
    """The forged update among many that do nothing, before or behind them."""
    file, place, count = base.file, rng.choice(("first", "middle", "last")), rng.choice((3, 30, 120))
    evil_at = {"first": 0, "middle": count // 2, "last": count - 1}[place]
    for turn in range(count):
        state = dataclasses.replace(base, file=file)
        changed = {5: evil_content()} if turn == evil_at else {33: b"<< /Type /ExtGState /ca 1 >>"}
        file = update(state, changed)
    yield Mutant("graph: among many updates", f"{place} of {count}", base, file)


# --- graph ------------------------------------------------------------------------------------------------------------


def update(base, changed):
    """A conforming update that writes these objects: number → body."""
    made = Section(base.file, sorted(changed.items()), base.xref_stream, base.start, base.size)
    made.size = max(base.size, *(number + 1 for number in changed))
    return made.written()


VALUES = (
    b"null",
    b"true",
    b"false",
    b"0",
    b"1",
    b"2",
    b"-1",
    b"4",
    b"90",
    b"180",
    b"132",
    b"0.5",
    b"[]",
    b"<<>>",
    b"()",
    b"(9,250.00)",
    b"(Mallory)",
    b"[0 0 595 842]",
    b"[0 0 100 100]",
    b"[100 500 400 800]",
    b"/Off",
    b"/Yes",
    b"/OFF",
    b"/N",
    b"/Widget",
    b"/Stamp",
    b"/Page",
    b"/Pages",
    b"/Screen",
    b"/P",
    b"/Form",
    b"/Helv",
    b"(\\376\\377)",
    b"[4 0 R /Fit]",
    b"<< /S /JavaScript /JS (app.alert\\(1\\)) >>",
    b"<< /S /URI /URI (https://mallory.example) >>",
    b"<< /S /GoTo /D [8 0 R /Fit] >>",
    b"<< /S /Launch /F (x.exe) >>",
    b"<< /S /Named /N /NextPage >>",
    b"<< /W 200 >>",
    b"[0 0 200]",
    b"<< /BC [0] /BG [1 1 1] /CA (9,250.00) >>",
    b"(/Helv 0 Tf 1 1 1 rg)",
    b"[72 600 500 700]",
)
KEYS = """
    /Type /Subtype /F /Ff /Rect /AP /AS /MK /BS /Border /C /CA /ca /DA /DR /Q /V /DV /RV /I /Opt /MaxLen /A /AA
    /Dest /OpenAction /OC /OCProperties /Rotate /MediaBox /CropBox /UserUnit /Resources /Contents /Annots /Group
    /Thumb /B /Dur /Trans /PieceInfo /LastModified /Metadata /StructParents /StructParent /Tabs
    /TemplateInstantiated /PresSteps /VP /AF /Parent /Kids /Count /Popup /P /NM /M /T /TU /TM /FT /SigFlags
    /NeedAppearances /CO /XFA /Names /Dests /Outlines /PageLabels /PageLayout /PageMode /ViewerPreferences /URI
    /StructTreeRoot /MarkInfo /Lang /SpiderInfo /OutputIntents /Perms /Legal /Requirements /Collection
    /NeedsRendering /DSS /Version /Extensions /ActualText /Alt /E /K /S /Pg /RoleMap /ClassMap /ParentTree /IDTree
    /Font /XObject /ExtGState /ColorSpace /Pattern /Encoding /ToUnicode /BaseFont /FontDescriptor /Widths /FirstChar
    /LastChar /BBox /Matrix /Filter /DecodeParms /SMask /BM /TR /D /R /N /H /Lock /SV /QuadPoints /IC /L /LE
    /InkList /Vertices /CL /IRT /RT /ExData /Title /EF /UF /Desc /Private /ITXT /PTEX.x /ADBE_x
""".split()


def paths(value, trail=(), depth=0):
    """(container, key) of every entry of a value, references not followed."""
    if isinstance(value, (pikepdf.Dictionary, pikepdf.Stream)):
        for key in list(value.keys()):
            yield value, key, (*trail, key)
            item = value[key]
            if depth < 4 and isinstance(item, pikepdf.Object) and not item.is_indirect:
                yield from paths(item, (*trail, key), depth + 1)
    elif isinstance(value, pikepdf.Array):
        for place in range(len(value)):
            yield value, place, (*trail, place)
            item = value[place]
            if depth < 4 and isinstance(item, pikepdf.Object) and not item.is_indirect:
                yield from paths(item, (*trail, place), depth + 1)


def containers(value):
    found = [value] if isinstance(value, (pikepdf.Dictionary, pikepdf.Stream)) else []
    for holder, key, _ in list(paths(value)):
        item = holder[key]
        if isinstance(item, pikepdf.Dictionary) and not item.is_indirect:
            found.append(item)
    return found


def some_value(rng, state, numbers):
    """A value: of the list, a reference to anything, or one that stands elsewhere."""
    kind = rng.random()
    if kind < 0.4:
        return state.get(rng.choice(numbers))
    if kind < 0.5:  # a new object
        return rng.choice(
            (
                pikepdf.Dictionary(Type=pikepdf.Name.Page, MediaBox=[0, 0, 200, 200]),
                pikepdf.Array([]),
                pikepdf.Dictionary(),
            )
        )
    return parsed(state, rng.choice(VALUES))


def parsed(state, text):
    """The value, references in it to this file's objects."""
    if b" 0 R" not in text:
        return pikepdf.Object.parse(text)
    number = int(re.search(rb"(\d+) 0 R", text)[1])
    kinds = pikepdf.Object.parse(re.sub(rb"\d+ 0 R", b"null", text))
    for holder, key, _ in list(paths(kinds)):
        if isinstance(holder, pikepdf.Array) and holder[key] is None:
            holder[key] = state.get(number)
    return kinds


def edit(rng, state, number, numbers):
    """One entry of an object changed, added, removed or exchanged with another; what was done."""
    value = state.get(number)
    places = list(paths(value))
    deed = rng.choice(("change", "change", "add", "add", "remove", "repoint", "copy"))
    if deed == "add" and containers(value):
        holder, key = rng.choice(containers(value)), rng.choice(KEYS)
        holder[key] = some_value(rng, state, numbers)
        return f"{number} {key} added"
    if not places:
        return None
    holder, key, trail = rng.choice(places)
    if isinstance(holder, pikepdf.Stream) and key in ("/Length", "/Filter"):
        return None
    name = f"{number} {'/'.join(str(step).strip('/') for step in trail)} {deed}"
    if deed == "remove":
        del holder[key]
    elif deed == "repoint":
        holder[key] = state.get(rng.choice(numbers))
    elif deed == "copy":  # as it stands in another object
        other = state.get(rng.choice(numbers))
        found = [(h, k) for h, k, _ in paths(other)]
        if not found:
            return None
        h, k = rng.choice(found)
        holder[key] = h[k]
    else:
        holder[key] = some_value(rng, state, numbers)
    return name


FIELD_KEYS = {"V", "AS", "AP", "I", "RV", "M", "MK"}


def permission_of(state, number, what):
    """At which levels a change of this entry is what the signature permits."""
    value = state.get(number)
    if not isinstance(value, pikepdf.Dictionary):
        return ()
    key = what.split()[1].split("/")[0]
    if value.get("/Subtype") == "/Widget" or "/FT" in value:
        return (0, 2, 3) if key in ("V", "AS") else ()
    if value.get("/Type") == "/Annot" and value.get("/Subtype") not in ("/Link", "/Screen", "/Widget"):
        return (3,)
    return ()


def entry(rng, base):
    """Any entry of any object changed."""
    try:
        state = State(base.file)
        numbers = state.numbers()
        changed, what, permitted = {}, [], {0, 1, 2, 3}
        for _ in range(rng.choice((1, 1, 1, 2))):
            number = rng.choice(numbers)
            done = edit(rng, state, number, numbers)
            if done:
                what.append(done)
                permitted &= set(permission_of(state, number, done))
                changed[number] = written(state.get(number))
    except (ValueError, TypeError, KeyError, RuntimeError, pikepdf.PdfError):
        return
    if changed:
        yield Mutant("graph: entry", "; ".join(what), base, update(base, changed), tuple(permitted))


def replaced(rng, base):
    """An object that existed becomes what another role has: a stream, a page, a list, another's body."""
    state = State(base.file)
    numbers = state.numbers()
    number = rng.choice(numbers)
    body = rng.choice(
        (
            evil_content(),
            look(b"9,250.00", 100, 16),
            b"null",
            b"[]",
            b"<<>>",
            b"<< /Type /Page /Parent 2 0 R >>",
            b"(x)",
            b"/N",
            b"0",
            state.body(rng.choice(numbers)),
            state.body(rng.choice(numbers)),
            b"[4 0 R]",
            b"<< /Names [(a) 26 0 R] >>",
            stream(text((72, 680, FORGED)), state.body(number)[2:-2])
            if state.body(number).startswith(b"<<") and not signed.is_stream(state.body(number))
            else b"null",
        )
    )
    yield Mutant("graph: other role", f"{number}: {body[:40]!r}", base, update(base, {number: body}))


HOUSEKEEPING = {
    1: (
        "/Metadata",
        "/PieceInfo",
        "/Version",
        "/Extensions",
        "/DSS",
        "/Lang",
        "/MarkInfo",
        "/Names",
        "/Outlines",
        "/Private",
        "/Perms",
    ),
    4: (
        "/LastModified",
        "/PieceInfo",
        "/Metadata",
        "/StructParents",
        "/Tabs",
        "/Thumb",
        "/ID",
        "/Private",
        "/ITXT",
        "/Parent",
        "/AF",
    ),
    2: ("/ITXT", "/Type", "/Private", "/Parent"),
    12: ("/NM", "/M", "/P", "/TU", "/StructParent", "/Type"),
    20: ("/NM", "/M", "/P", "/Popup", "/StructParent"),
    22: ("/ModDate", "/Producer", "/Trapped"),
    19: ("/MK", "/P", "/Lock", "/SV", "/DA", "/NM", "/M"),
}


def housekeeping(rng, base):
    """A key of housekeeping that leads to an object which draws; that object is exchanged."""
    state = State(base.file)
    number = rng.choice(list(HOUSEKEEPING))
    key = rng.choice(HOUSEKEEPING[number])
    target = rng.choice((5, 7, 9, 10, 13, 35, 40, 33, 4, 6, 41))
    try:
        state.get(number)[key] = state.get(target) if target in state.numbers() else state.get(5)
    except (ValueError, TypeError):
        return
    changed = {number: written(state.get(number))}
    if rng.random() < 0.8:
        changed[target] = rng.choice(
            (evil_content(), look(b"9,250.00", 100, 16), b"<< /Font << /F1 10 0 R >> >>", state.body(target))
        )
    yield Mutant("graph: housekeeping by reference", f"{number} {key} -> {target}", base, update(base, changed))


def prepared(rng, base):
    """The author writes odd references before the signature; the objects are exchanged behind it."""
    objects = dict(base.objects)
    landmark = rng.choice(
        (
            "/Names",
            "/AcroForm",
            "/PieceInfo",
            "/Metadata",
            "/StructTreeRoot",
            "/Outlines",
            "/PageLabels",
            "/Legal",
            "/DSS",
            "/Perms",
            "/Extensions",
        )
    )
    place = rng.choice((1, 2, 4, 6, 12, 20, 25, 24, 26))
    target = rng.choice((5, 5, 5, 7, 10, 40, 13, 27, 35))
    if target not in objects or place not in objects:
        return
    body = objects[place]
    key = landmark.encode()
    # a stream is a dictionary too, so that it can be form, names or a node and the page's content at once
    roles = rng.choice(
        (
            {
                place: re.sub(rb"%s (\d+ 0 R|<<.*?>>)" % re.escape(key), b"", body)[:-2]
                + b"%s %d 0 R >>" % (key, target)
            },
            {place: body[:-2] + b"/LastModified %d 0 R >>" % target},
            {place: body[:-2] + b"/NM %d 0 R /M %d 0 R >>" % (target, target)},
            {place: body[:-2] + b"/PieceInfo << /X << /Private %d 0 R /LastModified (D:2024) >> >> >>" % target},
        )
    )
    objects.update(roles)
    if target == 5:
        entries = rng.choice(
            (
                b"/Fields []",
                b"/Names [(a) 26 0 R]",
                b"/Type /Pages /Kids [] /Count 0",
                b"/FT /Tx /T (x) /V (y)",
                b"/Certs []",
            )
        )
        objects[5] = objects[5].replace(b"<< ", b"<< %s " % entries, 1)
    trailer = b"/Root 1 0 R /Info 22 0 R /ID [<%s> <%s>]" % ((b"%032x" % rng.getrandbits(128),) * 2)
    try:
        file = signed.sign(signed.write(objects, trailer, base.xref_stream), base.level, "Signed")
    except Exception:  # pyHanko does not take every file
        return
    ready = Base(base.name + "-prepared", file, objects, base.level, base.xref_stream, None)
    exchanged = objects[target]
    evil = (
        evil_content()
        if target in (5, 7)
        else look(b"9,250.00", 100, 16)
        if target == 13
        else stream(b"Total 9,250.00", b"/Type /EmbeddedFile")
    )
    if target == 5:
        evil = evil.replace(b"<< ", b"<< %s " % entries, 1)
    if target in (10, 40, 35):
        evil = {
            10: b"<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>",
            40: b"<< /Font << /F1 10 0 R >> >>",
            35: exchanged.replace(b"\xc8\x1e\x1e", b"\x1e\x1e\xc8"),
        }[target]
    changed = {target: evil}
    if rng.random() < 0.3:
        changed[place] = State(file).body(place)
    yield Mutant("graph: prepared roles", f"{place} {roles[place][-60:]!r} -> {target}", ready, update(ready, changed))


def shadowed(rng, base):
    """An entry that says nothing (null, a reference to nothing, an empty value) and yet may shadow what is inherited."""
    state = State(base.file)
    number = rng.choice((4, 4, 6, 3, 2, 12, 19, 24))
    key = rng.choice(
        (
            b"/MediaBox",
            b"/CropBox",
            b"/Resources",
            b"/Rotate",
            b"/Contents",
            b"/Annots",
            b"/Parent",
            b"/AP",
            b"/Rect",
            b"/V",
            b"/DA",
            b"/FT",
            b"/UserUnit",
        )
    )
    nothing = rng.choice(
        (
            b"null",
            b"%d 0 R" % (base.size + 7),
            b"5 1 R",
            b"[]",
            b"<<>>",
            b"[null null null null]",
            b"%d 0 R" % base.size,
        )
    )
    body = (
        re.sub(rb"%s ?(\d+ 0 R|\[[^\]]*\]|<<.*?>>|\(.*?\)|/?\w+)" % re.escape(key), b"", state.body(number))
        if rng.random() < 0.5
        else state.body(number)
    )
    changed = {number: body[:-2] + b"%s %s >>" % (key, nothing)}
    if b"%d 0 R" % base.size == nothing:
        changed[base.size] = b"null"
    yield Mutant("graph: entries that say nothing", f"{number} {key} {nothing}", base, update(base, changed))


KEY_SPELLINGS = (
    b"%s#00",
    b"%s#00_x",
    b"%s#00:x",
    b"%s#0",
    b"%s#",
    b"%s#20",
    b"#%s",
    b"%s\0_x",
    b"%s.x",
    b"AAA_%s",
    b"%s_x",
    b"%s" + b"a" * 130,
    b"%s#0a",
    b"%s#zz",
    b"%s#00#00",
)


def key_spelled(rng, base):
    """An entry whose key one reader takes for another: it ends early, is escaped, or stands twice."""
    state = State(base.file)
    new = base.size
    number, key, value, objects = rng.choice(
        (
            (4, b"Contents", b"%d 0 R" % new, {new: evil_content()}),
            (6, b"Contents", b"%d 0 R" % new, {new: evil_content()}),
            (4, b"Resources", b"<< /Font << >> >>", {}),
            (4, b"Rotate", b"90", {}),
            (4, b"MediaBox", b"[0 0 300 300]", {}),
            (4, b"CropBox", b"[0 0 300 300]", {}),
            (4, b"Annots", b"[]", {}),
            (2, b"Kids", b"[4 0 R]", {}),
            (2, b"Rotate", b"180", {}),
            (1, b"Pages", b"3 0 R", {}),
            (12, b"AP", b"<< /N %d 0 R >>" % new, {new: look(b"9000", 100, 16)}),
            (12, b"Rect", b"[%d %d %d %d]" % TOTAL_BOX, {}),
            (20, b"AP", b"<< /N %d 0 R >>" % new, {new: look(b"9000", 20, 20)}),
        )
    )
    spelling = rng.choice(KEY_SPELLINGS)
    if spelling == b"#%s":
        name = b"#%02x%s" % (key[0], key[1:])
    else:
        name = spelling % key
    body = state.body(number)
    body = body[:-2] + b"/%s %s >>" % (name, value) if rng.random() < 0.5 else b"<< /%s %s " % (name, value) + body[2:]
    yield Mutant("graph: keys", f"{number} {name!r}", base, update(base, {number: body, **objects}))


def generations(rng, base):
    """Objects of another generation than the references to them have."""
    made = Section(base.file, [(5, evil_content())], base.xref_stream, base.start, base.size)
    generation = rng.choice((1, 65535, 65534, 2))
    way = rng.choice(("row and header", "row", "header", "free"))
    made.header = b"%%d %d obj\n" % generation if "header" in way else b"%d 0 obj\n"
    if way in ("row", "row and header"):
        made.generation = generation
    if way == "free":
        made.extra_rows[5] = (0, 0, generation)
        made.objects = [(base.size, evil_content())]
        made.size = base.size + 1
    yield Mutant("bytes: generations", f"{way} {generation}", base, made.written())


def page_tree(rng, base):
    """Pages that vanish, come, move or are counted otherwise."""
    state = State(base.file)
    new = base.size
    page, root, node = (state.body(number) for number in (4, 2, 3))
    evil_page = b"<< /Type /Page /Parent 2 0 R /Contents %d 0 R >>" % (new + 1)
    way, changed = rng.choice(
        (
            ("count", {2: root.replace(b"/Count 3", b"/Count 1")}),
            ("count large", {2: root.replace(b"/Count 3", b"/Count 9")}),
            ("count by reference", {2: root.replace(b"/Count 3", b"/Count %d 0 R" % new), new: b"1"}),
            ("order", {2: re.sub(rb"/Kids \[.*?\]", b"/Kids [3 0 R 4 0 R]", root)}),
            (
                "twice",
                {2: re.sub(rb"/Kids \[.*?\]", b"/Kids [4 0 R 4 0 R 3 0 R]", root).replace(b"/Count 3", b"/Count 4")},
            ),
            (
                "kids elsewhere",
                {
                    2: re.sub(rb"/Kids \[.*?\]", b"/Kids %d 0 R" % new, root).replace(b"/Count 3", b"/Count 1"),
                    new: b"[4 0 R 3 0 R]",
                },
            ),
            ("kids in kids", {2: re.sub(rb"/Kids \[.*?\]", b"/Kids [[4 0 R] 3 0 R]", root)}),
            (
                "new page",
                {
                    2: re.sub(rb"/Kids \[.*?\]", b"/Kids [%d 0 R 3 0 R]" % new, root),
                    new: evil_page,
                    new + 1: evil_content(),
                },
            ),
            (
                "new node",
                {
                    3: re.sub(rb"/Kids \[.*?\]", b"/Kids [%d 0 R 8 0 R]" % new, node),
                    new: b"<< /Type /Pages /Kids [6 0 R] /Count 1 /Parent 3 0 R >>",
                },
            ),
            ("node as page", {3: node.replace(b"/Pages", b"/Page", 1)}),
            ("node without type", {3: node.replace(b"/Type /Pages", b"")}),
            ("page as node", {4: page.replace(b"/Page", b"/Pages", 1)}),
            ("page without type", {4: page.replace(b"/Type /Page ", b"")}),
            ("page freed", {4: b"null"}),
            ("node rotated", {3: node[:-2] + b"/Rotate 90 >>"}),
            (
                "other root",
                {
                    1: state.body(1).replace(b"/Pages 2 0 R", b"/Pages %d 0 R" % new),
                    new: root.replace(b"4 0 R", b"%d 0 R" % (new + 2)),
                    new + 2: evil_page,
                    new + 1: evil_content(),
                },
            ),
            (
                "parent",
                {
                    4: page.replace(b"/Parent 2 0 R", b"/Parent %d 0 R" % new),
                    new: b"<< /Type /Pages /Kids [4 0 R] /Count 1 /MediaBox [0 0 300 300] /Resources << >> >>",
                },
            ),
            ("template", {1: state.body(1)[:-2] + b" /Names << /Pages << /Names [(a) 4 0 R] >> >> >>"}),
        )
    )
    yield Mutant("graph: page tree", way, base, update(base, changed))


def things(rng, base):
    """What is not drawn but used: thumbs, actions, words for copying, links, attachments, labels, layers, metadata."""
    state = State(base.file)
    new = base.size
    catalog, page = state.body(1), state.body(4)
    thumb = stream(bytes([255, 0, 0] * 64), b"/Width 8 /Height 8 /ColorSpace /DeviceRGB /BitsPerComponent 8")
    choices = [
        ("thumb", {4: page[:-2] + b"/Thumb %d 0 R >>" % new, new: thumb}),
        ("page action", {4: page[:-2] + b"/AA << /O << /S /URI /URI (https://mallory.example) >> >> >>"}),
        ("open action", {1: catalog[:-2] + b"/OpenAction << /S /JavaScript /JS (app.alert\\(9\\)) >> >>"}),
        ("document action", {1: catalog[:-2] + b"/AA << /WP << /S /JavaScript /JS (app.alert\\(9\\)) >> >> >>"}),
        ("link", {24: state.body(24).replace(b"bank", b"mall")}),
        ("note action", {20: state.body(20)[:-2] + b"/A << /S /URI /URI (https://mallory.example) >> >>"}),
        ("field action", {12: state.body(12)[:-2] + b"/AA << /K << /S /JavaScript /JS (event.value=9) >> >> >>"}),
        ("tooltip", {12: state.body(12)[:-2] + b"/TU (Pay Mallory) >>"}),
        ("attachment", {27: stream(b"Total 9,250.00", b"/Type /EmbeddedFile")}),
        ("attachment name", {26: state.body(26).replace(b"data.txt", b"evil.txt")}),
        (
            "attachment added",
            {
                25: b"<< /EmbeddedFiles << /Names [(data.txt) 26 0 R (z.txt) %d 0 R] >> >>" % new,
                new: b"<< /Type /Filespec /F (z.txt) /EF << /F 27 0 R >> >>",
            },
        ),
        (
            "script",
            {
                25: state.body(25)[:-2]
                + b"/JavaScript << /Names [(a) << /S /JavaScript /JS (app.alert\\(1\\)) >>] >> >>"
            },
        ),
        ("outline", {29: state.body(29).replace(b"Terms", b"Terns").replace(b"6 0 R", b"8 0 R")}),
        ("labels", {42: b"<< /Nums [0 << /S /r /St 7 >>] >>"}),
        (
            "layers",
            {
                1: catalog[:-2] + b"/OCProperties << /OCGs [%d 0 R] /D << /OFF [%d 0 R] >> >> >>" % (new, new),
                new: b"<< /Type /OCG /Name (x) >>",
                4: page[:-2] + b"/OC %d 0 R >>" % new,
            },
        ),
        ("language", {1: catalog.replace(b"(en)", b"(de)")}),
        ("title", {22: state.body(22).replace(b"Invoice 4711", b"Invoice 4712")}),
        ("xmp title", {23: state.body(23).replace(b"Invoice 4711", b"Invoice 4712")}),
        ("viewer", {1: catalog[:-2] + b"/ViewerPreferences << /DisplayDocTitle true >> /PageMode /UseOutlines >>"}),
        ("calculation", {12: state.body(12)[:-2] + b"/AA << /C << /S /JavaScript /JS (event.value=900) >> >> >>"}),
        ("read only", {12: state.body(12)[:-2] + b"/Ff 1 >>"}),
        ("default value", {12: state.body(12)[:-2] + b"/DV (900) >>"}),
        ("export value", {17: re.sub(rb"/Opt \[.*?\]\s*", b"/Opt [[(9) (France)] (Spain)] ", state.body(17))}),
        (
            "article",
            {
                1: catalog[:-2] + b"/Threads [%d 0 R] >>" % new,
                new: b"<< /Type /Thread /F %d 0 R >>" % (new + 1),
                new + 1: b"<< /P 4 0 R /R [0 0 100 100] >>",
            },
        ),
    ]
    if 31 in state.numbers() and b"/StructTreeRoot" in catalog:
        choices += [
            ("actual text", {31: state.body(31)[:-2] + b"/ActualText (Pay 900 EUR to Mallory) >>"}),
            ("alternate", {31: state.body(31)[:-2] + b"/Alt (Pay 900 EUR to Mallory) >>"}),
            ("role map", {30: state.body(30)[:-2] + b"/RoleMap << /P /Artifact >> >>"}),
        ]
    way, changed = rng.choice(choices)
    yield Mutant("graph: things used", way, base, update(base, changed))


# --- paint ------------------------------------------------------------------------------------------------------------

SUBTYPES = """
    Text Link FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Stamp Caret Ink
    Popup FileAttachment Redact Watermark Screen Widget PrinterMark TrapNet 3D Sound Movie Projection RichMedia
    Private
""".split()

# Appearances that lie over the total: white box and other sum, by many means.
PAINTS = {
    "box": b"1 g 0 0 70 16 re f",
    "box and sum": b"1 g 0 0 70 16 re f 0 g BT /Helv 12 Tf 0 4 Td (9,250.00) Tj ET",
    "nine": b"1 g 0 0 8 16 re f 0 g BT /Helv 12 Tf 0 4 Td (9) Tj ET",
    "black": b"0 g 0 0 70 16 re f",
    "wide stroke": b"1 G 20 w 0 8 m 70 8 l S",
    "dashed": b"1 G 20 w [3 0.01] 0 d 0 8 m 70 8 l S",
    "glyph": b"BT 1 g /Zapf 30 Tf -3 -3 Td (nnnn) Tj ET",
    "stroked glyph": b"BT 1 G 1 Tr 30 w /Helv 12 Tf 0 4 Td (MMMMMM) Tj ET",
    "difference": b"/Diff gs 1 g 0 0 70 16 re f",
    "exclusion": b"/Excl gs 1 g 0 0 70 16 re f",
    "screen": b"/Scr gs 1 g 0 0 70 16 re f",
    "lighten": b"/Light gs 1 g 0 0 70 16 re f",
    "dodge": b"/Dodge gs 1 g 0 0 70 16 re f",
    "luminosity": b"/Lum gs 1 g 0 0 70 16 re f",
    "alpha layers": b"/Half gs 1 g " + b"0 0 70 16 re f " * 8,
    "clip": b"q 0 0 70 16 re W n 1 g -100 -100 400 400 re f Q",
    "text clip": b"q BT 7 Tr /Zapf 30 Tf -3 -3 Td (nnnn) Tj ET 1 g 0 0 70 16 re f Q",
    "inline image": b"q 70 0 0 16 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \xff EI Q",
    "image": b"q 70 0 0 16 0 0 cm /White Do Q",
    "form": b"/Inner Do",
    "shading": b"q 0 0 70 16 re W n /Sh sh Q",
    "mesh": b"/Mesh sh",
    "pattern": b"/Pattern cs /Tile scn 0 0 70 16 re f",
    "soft mask": b"/Mask gs 1 g 0 0 70 16 re f",
    "separation": b"/Sep cs 0 scn 0 0 70 16 re f",
    "type 3": b"BT /T3 16 Tf 0 0 Td (aaaaa) Tj ET",
    "multiply black": b"/Mult gs 0 g 0 0 70 16 re f",
    "highlight": b"/Mult gs 1 1 0 rg 0 0 70 16 re f",
    "underline": b"1 0 0 RG 0.5 w 0 2 m 70 2 l S",
    "words beside": b"0 g BT /Helv 12 Tf 50 4 Td (0) Tj ET",
    "nothing": b"",
}


def paint_resources():
    """The resources that the appearances use, all inline or in streams of new objects: (bytes, {name: stream})."""
    return (
        b"<< /Font << /Helv 10 0 R /Zapf << /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >> /T3 << /Type /Font /Subtype /Type3"
        b" /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 /Widths [1] /Encoding << /Differences [97 /a] >>"
        b" /CharProcs << /a %(glyph)d 0 R >> /Resources << >> >> >>"
        b" /ExtGState << /Diff << /BM /Difference >> /Excl << /BM /Exclusion >> /Scr << /BM /Screen >> /Light << /BM /Lighten >>"
        b" /Dodge << /BM /ColorDodge >> /Lum << /BM /Luminosity >> /Half << /ca 0.4 >> /Mult << /BM /Multiply >>"
        b" /Mask << /SMask << /S /Luminosity /G %(group)d 0 R >> >> >>"
        b" /XObject << /White %(white)d 0 R /Inner %(inner)d 0 R >> /Shading << /Sh << /ShadingType 2 /ColorSpace /DeviceGray"
        b" /Coords [0 0 70 0] /Extend [true true] /Function << /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [1] /N 1 >> >> /Mesh %(mesh)d 0 R >>"
        b" /Pattern << /Tile %(tile)d 0 R >> /ColorSpace << /Sep [/Separation /Spot /DeviceGray << /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1 >>] >> >>",
        {
            "glyph": stream(b"1 0 d0 1 g 0 0 1 1 re f"),
            "group": stream(
                b"1 g -10 -10 200 200 re f",
                b"/Type /XObject /Subtype /Form /BBox [-10 -10 200 200] /Group << /S /Transparency /CS /DeviceGray >>",
            ),
            "white": stream(
                b"\xff",
                b"/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray",
            ),
            "inner": stream(b"1 g 0 0 70 16 re f", b"/Type /XObject /Subtype /Form /BBox [0 0 70 16]"),
            "mesh": stream(
                b"".join(
                    bytes([0]) + x.to_bytes(2, "big") + y.to_bytes(2, "big") + b"\xff"
                    for x, y in ((0, 0), (65535, 0), (0, 65535), (65535, 0), (0, 65535), (65535, 65535))
                ),
                b"/ShadingType 4 /ColorSpace /DeviceGray /BitsPerCoordinate 16 /BitsPerComponent 8 /BitsPerFlag 8 /Decode [0 70 0 16 0 1]",
            ),
            "tile": stream(
                b"1 g 0 0 5 5 re f",
                b"/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 5 5] /XStep 5 /YStep 5 /Resources << >>",
            ),
        },
    )


def painted(new, paint, extra=b"", bbox=b"[0 0 70 16]"):
    """An appearance over the total and what it needs: (its number, objects)."""
    resources, streams = paint_resources()
    numbers = {name: new + place for place, name in enumerate(streams)}
    number = new + len(streams)
    objects = {
        numbers[name]: body
        for name, body in streams.items()
        if b"/"
        + {"glyph": b"T3", "group": b"Mask", "white": b"White", "inner": b"Inner", "mesh": b"Mesh", "tile": b"Tile"}[
            name
        ]
        in paint
    }
    used = resources % {name.encode(): value for name, value in numbers.items()}
    if not objects:  # nothing that would dangle
        used = re.sub(rb" /T3 <<.*?/Resources << >> >> >>", b" >>", used)
        used = re.sub(rb" /Mask << .*? >> >> >>", b" >>", used)
        used = re.sub(rb" /XObject <<.*", b" >>", used)
    body = stream(paint, b"/Type /XObject /Subtype /Form /BBox %s /Resources %s %s" % (bbox, used, extra))
    return number, {**objects, number: body}


def geometry(kind, box):
    """The entries with which a subtype says where it is."""
    left, bottom, right, top = box
    middle = (bottom + top) / 2
    quad = b"/QuadPoints [%d %d %d %d %d %d %d %d]" % (left, top, right, top, left, bottom, right, bottom)
    return {
        "Line": b"/L [%d %d %d %d]" % (left, middle, right, middle),
        "Polygon": b"/Vertices [%d %d %d %d %d %d %d %d]" % (left, bottom, right, bottom, right, top, left, top),
        "PolyLine": b"/Vertices [%d %d %d %d]" % (left, middle, right, middle),
        "Ink": b"/InkList [[%d %d %d %d]]" % (left, middle, right, middle),
        "Highlight": quad,
        "Underline": quad,
        "Squiggly": quad,
        "StrikeOut": quad,
        "Redact": quad,
        "FreeText": b"/DA (1 g /Helv 12 Tf)",
        "Widget": b"/FT /Tx /T (n%d) /DA (/Helv 12 Tf 0 g) /V (9,250.00)" % left,
        "Stamp": b"/Name /Approved",
        "Screen": b"",
        "FileAttachment": b"/FS 26 0 R",
    }.get(kind, b"")


def annots_of(state, page=4):
    return re.search(rb"/Annots (\[.*?\])", state.body(page))[1]


def with_annotation(state, new, page=4):
    body = state.body(page)
    return body.replace(annots_of(state, page), annots_of(state, page)[:-1] + b" %d 0 R ]" % new)


NOTES = """
    Text FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Stamp Caret Ink Popup
    FileAttachment
""".split()


def annotation(rng, base):
    """A new annotation over the total: each subtype, with and without an appearance, by many paints, in one step or two."""
    kind = rng.choice(SUBTYPES)
    new = base.size
    state = State(base.file)
    box = TOTAL_BOX
    entries = b"/Type /Annot /Subtype /%s /F %d /P 4 0 R /Rect [%d %d %d %d] %s" % (
        kind.encode(),
        rng.choice((4, 4, 4, 0, 68, 132, 28)),
        *box,
        geometry(kind, box),
    )
    changed = {4: with_annotation(state, new)}
    if kind == "Widget" and 11 in state.numbers():
        changed[11] = (
            state.body(11)
            .replace(b"/Fields [", b"/Fields [%d 0 R " % new)
            .replace(b"/Fields [ ", b"/Fields [%d 0 R " % new)
        )
    what = kind
    if rng.random() < 0.6:
        name = rng.choice(list(PAINTS))
        if rng.random() < 0.2:  # to be seen in print, or once a layer is on
            entries = re.sub(rb"/F \d+", b"/F 36", entries)
        extra = rng.choice(
            (
                b"",
                b"",
                b"",
                b"/Matrix [1 0 0 1 0 0]",
                b"/Group << /S /Transparency /I true >>",
                b"/Matrix [3 0 0 3 0 0]",
            )
        )
        number, objects = painted(new + 1, PAINTS[name], extra)
        changed.update(objects)
        entries += b" /AP << /N %d 0 R >>" % number
        what += f", {name}"
    else:
        entries += rng.choice(
            (
                b" /C [1 1 1] /IC [1 1 1]",
                b" /C [1 1 1] /BS << /W 20 >>",
                b" /C [0 0 0] /Border [0 0 20]",
                b" /IC [1 1 1] /C [1 1 1] /Border [0 0 14] /CA 1",
                b" /MK << /BG [1 1 1] /CA (9,250.00) >>",
                b" /MK << /BC [0] /BG [0] >> /BS << /W 9 >>",
                b" /Contents (9,250.00) /C [1 1 1]",
                b" /C [0 0 0] /BS << /W 14 /S /D /D [3 1] >>",
                b" /BE << /S /C /I 2 >> /IC [1 1 1]",
                b"",
            )
        )
        what += ", no appearance " + entries.split(b"]")[-2][-30:].decode()
    changed[new] = b"<< " + entries + b" >>"
    steps = rng.random()
    if steps < 0.7:
        file = update(base, changed)
    else:  # first somewhere else, hidden or tiny, then here
        first = dict(changed)
        first[new] = rng.choice(
            (
                changed[new].replace(b"/Rect [%d %d %d %d]" % box, b"/Rect [10 10 12 12]"),
                re.sub(rb"/F \d+", b"/F 2", changed[new]),
                re.sub(rb"/AP <<.*?>>", b"", changed[new]),
            )
        )
        file = update(base, first)
        between = dataclasses.replace(base, file=file)
        file = Section(file, [(new, changed[new])], base.xref_stream, between.start, between.size).written()
        what += ", in two steps"
    yield Mutant("paint: annotation", what, base, file, (3,) if kind in NOTES else ())


def standing(rng, base):
    """What stood there at signing gets another appearance, place or flags."""
    state = State(base.file)
    new = base.size
    number = rng.choice((12, 14, 17, 20, 21, 24, 19))
    body = state.body(number)
    name = rng.choice(list(PAINTS))
    place, objects = painted(new, PAINTS[name])
    looked = (
        re.sub(rb"/AP <<(.*?>>)? ?/N.*?>>|/AP << /N \d+ 0 R >>", b"", body)[:-2] + b"/AP << /N %d 0 R >> >>" % place
    )
    moved = re.sub(rb"/Rect \[.*?\]", b"/Rect [%d %d %d %d]" % TOTAL_BOX, body)
    way, changed = rng.choice(
        (
            ("look", {number: looked, **objects}),
            ("moved", {number: moved}),
            (
                "moved and look",
                {number: re.sub(rb"/Rect \[.*?\]", b"/Rect [%d %d %d %d]" % TOTAL_BOX, looked), **objects},
            ),
            ("hidden", {number: re.sub(rb"/F 4", b"/F 2", body)}),
            ("border", {number: body[:-2] + b"/BS << /W 30 >> /C [1 1 1] >>"}),
            ("characteristics", {number: body[:-2] + b"/MK << /BG [0] /BC [0] /CA (x) >> >>"}),
            ("look stream", {13: look(b"5000", 100, 16)} if 13 in state.numbers() else {number: moved}),
            (
                "value hidden",
                {12: re.sub(rb"/V \(.*?\)", b"/V (500 )", state.body(12)), 13: look(b"5000", 100, 16)}
                if 13 in state.numbers()
                else {number: moved},
            ),
            (
                "needs appearances",
                {
                    11: state.body(11)[:-2] + b"/NeedAppearances true >>",
                    12: re.sub(rb"/V \(.*?\)", b"/V (9000)", state.body(12)),
                }
                if 11 in state.numbers()
                else {number: moved},
            ),
            ("popup", {21: state.body(21)[:-2] + b"/Open true >>"}),
        )
    )
    permitted = (
        (3,)
        if number in (20, 21)
        and way in ("moved", "look", "moved and look", "hidden", "border", "characteristics")
        or way == "popup"
        else ()
    )
    if way == "needs appearances":
        permitted = (0, 2, 3)
    yield Mutant(
        "paint: standing", f"{number} {way} {name if 'look' in way else ''}", base, update(base, changed), permitted
    )


def lying_look(rng, base):
    """A field filled in whose appearance shows something else than its value."""
    state = State(base.file)
    new = base.size
    if 13 not in state.numbers():
        return
    value, shown = rng.choice(
        ((b"1,250.00", b"9,250.00"), (b"500", b"5000"), (b"600", b"900"), (b"100 EUR", b"900 EUR"))
    )
    cmap = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange"
        b" 1 beginbfchar <39> <0031> endbfchar 1 beginbfrange <30> <38> <0030> endbfrange endcmap"
    )
    field = re.sub(rb"/V \(.*?\)", b"/V (%s)" % value, state.body(12))
    fonts = {
        "plain": (b"10 0 R", {}),
        "to unicode": (
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode %d 0 R >>" % new,
            {new: stream(cmap)},
        ),
        "encoding": (
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [%d /nine] >> >>"
            % value[0],
            {},
        ),
        "type 3": (
            b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 49 /LastChar 49 /Widths [1] /Encoding"
            b" << /Differences [49 /one] >> /CharProcs << /one %d 0 R >> /Resources << >> >>" % new,
            {new: stream(b"1 0 d0 0 0 1 1 re f")},
        ),
        "widths": (
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 48 /LastChar 57 /Widths [0 0 0 0 0 0 0 0 0 0] /Encoding /WinAnsiEncoding >>",
            {},
        ),
    }
    way = rng.choice(list(fonts))
    font, objects = fonts[way]
    words = shown if way in ("plain",) else shown if way == "to unicode" else value
    extra = rng.choice(
        (
            b"",
            b"",
            b" 0.5 g 0 0 100 16 re f",
            b"/Span << /ActualText (%s) >> BDC EMC" % value,
            b" BT /Helv 10 Tf 1 g 2 4 Td (%s) Tj ET" % value,
        )
    )
    content = b"/Tx BMC q BT /Helv 10 Tf 0 g 2 4 Td (%s) Tj ET%s Q EMC" % (words, extra)
    body = stream(
        content, b"/Type /XObject /Subtype /Form /BBox [0 0 100 16] /Resources << /Font << /Helv %s >> >>" % font
    )
    truth = way == "plain" and words == value
    yield Mutant(
        "paint: lying look",
        f"{value} as {words} by {way} {extra[:20]!r}",
        base,
        update(base, {12: field, 13: body, **objects}),
        (0, 2, 3) if truth else (),
    )


def second_signature(rng, base):
    """A second signature, by pyHanko, whose widget or its look does more than it may."""
    if base.level == 1:
        return
    standing_field = rng.random() < 0.5
    box = TOTAL_BOX if not standing_field else None
    spec = None if standing_field else signed.SigFieldSpec("Second", on_page=0, box=box)
    file = signed.sign(
        base.file,
        0,
        "Standing" if standing_field else "Second",
        signed.SECOND_SIGNER,
        **({"new_field_spec": spec} if spec else {}),
    )
    after = dataclasses.replace(base, file=file)
    # the look or the widget is exchanged while the second signature is made: signed again over another widget
    state = State(file)
    fields = [
        number
        for number in state.numbers()
        if isinstance(state.get(number), pikepdf.Dictionary)
        and str(state.get(number).get("/T", "")) in ("Standing", "Second")
        and "/V" in state.get(number)
    ]
    if not fields:
        return
    number = fields[0]
    name = rng.choice(list(PAINTS))
    body = state.body(number)
    place, objects = painted(after.size, PAINTS[name])
    body = re.sub(rb"/AP <<.*?>>", b"", body)
    way, body = rng.choice(
        (
            (
                "no look but characteristics",
                body[:-2]
                + rng.choice(
                    (
                        b"/AP << /N << >> >>",
                        b"/AP << >>",
                        b"/AP << /N null >>",
                        b"/AP << /N << /Off null >> >> /AS /Off",
                    )
                )
                + b" /MK << /BG [1 1 1] /BC [0] /CA (9,250.00) >> >>",
            ),
            ("look " + name, body[:-2] + b"/AP << /N %d 0 R >> >>" % place),
            ("mk", body[:-2] + b"/MK << /BG [1 1 1] /BC [0 0 0] /CA (9,250.00) >> >>"),
            ("border", body[:-2] + b"/BS << /W 20 >> /MK << /BC [1 1 1] >> >>"),
            (
                "moved",
                re.sub(rb"/Rect \[.*?\]", b"/Rect [%d %d %d %d]" % TOTAL_BOX, body)[:-2]
                + b"/AP << /N %d 0 R >> >>" % place,
            ),
        )
    )
    objects = objects if b"/AP" in body else {}
    # as one update: the signature's objects are kept, so that the second signature breaks, or stands behind the change
    changed = Section(file, sorted({number: body, **objects}.items()), base.xref_stream, after.start, after.size)
    changed.size = max(after.size, *(n + 1 for n in [number, *objects]))
    yield Mutant(
        "paint: second signature, then its look",
        way,
        base,
        changed.written(),
        (0, 2, 3) if way.startswith("look") and standing_field else (),
    )


def signed_over(rng, base):
    """A second signature that is really made over a field which covers: the field is prepared empty, then signed."""
    if base.level == 1:
        return
    new = base.size
    state = State(base.file)
    if 11 not in state.numbers():
        return
    name = rng.choice(list(PAINTS))
    place, objects = painted(new + 1, PAINTS[name])
    field = b"<< /Type /Annot /Subtype /Widget /FT /Sig /T (Second) /F %d /P 4 0 R /Rect [%d %d %d %d] %s >>" % (
        rng.choice((4, 132)),
        *TOTAL_BOX,
        rng.choice(
            (
                b"/AP << /N %d 0 R >>" % place,
                b"/MK << /BG [1 1 1] >>",
                b"/AP << /N << >> >> /MK << /BG [1 1 1] /CA (9,250.00) >>",
                b"/AP << >> /BS << /W 9 >> /MK << /BC [1 1 1] >>",
                b"/MK << /BC [0] /BG [1] /CA (9) >> /AP << /N %d 0 R >>" % place,
            )
        ),
    )
    form = state.body(11).replace(b"/Fields [", b"/Fields [%d 0 R " % new)
    file = update(base, {4: with_annotation(state, new), 11: form, new: field, **(objects if b"/AP" in field else {})})
    what = name if b"/AP" in field else "mk"
    if rng.random() < 0.7:
        try:
            file = signed.sign(file, 0, "Second", signed.SECOND_SIGNER)
            what += ", signed"
        except Exception:
            return
    yield Mutant("paint: signature field over words", what, base, file, (0, 2, 3))


FAMILIES = (
    (spelled, 9),
    (random_bytes, 6),
    (tail_only, 1),
    (object_in_stream, 1),
    (repaired, 4),
    (rolled_back, 1),
    (many_updates, 1),
    (entry, 8),
    (replaced, 2),
    (housekeeping, 2),
    (prepared, 3),
    (page_tree, 2),
    (key_spelled, 3),
    (generations, 1),
    (shadowed, 2),
    (things, 2),
    (annotation, 8),
    (standing, 3),
    (lying_look, 1),
    (second_signature, 1),
    (signed_over, 2),
)


def mutants(seed, count):
    """So many mutants of bases that are made anew for every sixty of them."""
    rng = random.Random(f"forge {seed}")
    makers = [maker for maker, weight in FAMILIES for _ in range(weight)]
    bases = []
    made = 0
    while made < count:
        if made % 60 == 0 or not bases:
            bases = [signed.base(rng.getrandbits(32)) for _ in range(8)]
        for mutant in rng.choice(makers)(rng, rng.choice(bases)):
            made += 1
            yield mutant
