"""Mutations of an update's bytes: what some reader repairs, takes for something else or finds by itself."""

import dataclasses
import re

import signed
from mutant import Mutant, update
from section import SPELLINGS, Section, State
from signed import Base, evil_content, stream

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


FAMILIES = (
    (spelled, 9),
    (random_bytes, 6),
    (tail_only, 1),
    (object_in_stream, 1),
    (repaired, 4),
    (rolled_back, 1),
    (many_updates, 1),
)
