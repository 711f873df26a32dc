"""What is painted over signed words, and fields that show something else than their value."""

import dataclasses
import re

import pikepdf

import signed
from mutant import Mutant, update
from section import Section, State
from signed import TOTAL_BOX, look, stream

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
    "image mask": b"1 g q 70 0 0 16 0 0 cm BI /IM true /W 1 /H 1 /BPC 1 ID \x00 EI Q",
    "masked image": b"q 70 0 0 16 0 0 cm /Masked Do Q",
    "hatching": b"1 G 1 w " + b"".join(b"%.1f 0 m %.1f 16 l S " % (x / 10, x / 10) for x in range(0, 700, 8)),
    "scaled": b"q 0.01 0 0 0.01 0 0 cm 1 g 0 0 7000 1600 re f Q",
    "blob": b"1 g -4 8 m -4 34 74 34 74 8 c 74 -18 -4 -18 -4 8 c f",
    "many strips": b"1 g " + b"".join(b"0 %.1f 70 1.1 re f " % y for y in range(16)),
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
        b" /XObject << /White %(white)d 0 R /Masked %(masked)d 0 R /Inner %(inner)d 0 R >> /Shading << /Sh << /ShadingType 2 /ColorSpace /DeviceGray"
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
            "masked": stream(
                b"\xff\xff\xff",
                b"/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceRGB",
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
    objects = {}
    if any(word in paint for word in (b"/T3", b"/Mask", b"/White", b"/Masked", b"/Inner", b"/Mesh", b"/Tile")):
        objects = {numbers[name]: body for name, body in streams.items()}
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


def lying_form(rng, base):
    """Fields with a format, a comb, several lines or buttons whose look is not that of the value."""
    state = State(base.file)
    new = base.size

    def filled(number, appearance, value, shown, width=100, more=b""):
        body = re.sub(rb"/V \(.*?\)", b"/V (%s)" % value, state.body(number))[:-2] + more + b" >>"
        return {number: body, appearance: look(shown, width, 16)}

    way, changed = rng.choice(
        (
            ("format with words", filled(48, 49, b"1250", b"1,250.00 paid")),
            ("format with another amount", filled(48, 49, b"1350", b"9,350.00")),
            ("format and point", filled(48, 49, b"12.50", b"1,250.00")),
            ("format alone", {49: look(b"9,250.00", 100, 16)}),
            ("value alone", {48: re.sub(rb"/V \(.*?\)", b"/V (9250)", state.body(48))}),
            ("date", filled(50, 51, b"02.03.2024", b"02.03.2025")),
            ("comb", filled(43, 44, b"1234", b"4321", 120)),
            ("lines", filled(52, 53, b"Paid", b"Not paid", 200)),
            ("radio value alone", {45: state.body(45).replace(b"/V /Card", b"/V /Cash")}),
            ("radio state alone", {47: state.body(47).replace(b"/AS /Off", b"/AS /Cash")}),
            ("radio look", {46: state.body(46).replace(b"15 0 R", b"%d 0 R" % new), new: look(b"x", 14, 14)}),
            ("check box look", {14: state.body(14).replace(b"/Off 16 0 R", b"/Off 15 0 R")}),
            ("check box value alone", {14: state.body(14).replace(b"/V /Off", b"/V /Yes")}),
            (
                "list shows another",
                {17: re.sub(rb"/V \(.*?\)", b"/V (Spain)", state.body(17)), 18: look(b"Italy", 100, 16)},
            ),
            ("index", {17: state.body(17)[:-2] + b"/I [1] >>", 18: look(b"Spain", 100, 16)}),
            ("rich text", filled(52, 53, b"Paid", b"Paid", 200, b" /RV (<body>Not paid</body>) ")),
            ("calculated", filled(48, 49, b"9250", b"9,250.00", 100, b" /Ff 1 ")),
            (
                "format changed",
                {48: state.body(48).replace(b"AFNumber", b"AFPercent"), 49: look(b"125,000.00%", 100, 16)},
            ),
            ("length", {43: state.body(43).replace(b"/MaxLen 6", b"/MaxLen 12")}),
            ("kind", {12: state.body(12)[:-2] + b"/Ff 8192 >>"}),
            ("order of calculation", {11: state.body(11).replace(b"/CO [ 48 0 R ]", b"/CO [ 12 0 R 48 0 R ]")}),
        )
    )
    honest = ("radio value alone", "check box value alone", "calculated", "value alone")
    permitted = (0, 2, 3) if way in honest else ()
    yield Mutant("paint: lying form", way, base, update(base, changed), permitted)


def standing_signed(rng, base):
    """The signature field that stood empty is made to cover something, and then really signed."""
    if base.level == 1:
        return
    new = base.size
    state = State(base.file)
    name = rng.choice(list(PAINTS))
    place, objects = painted(new, PAINTS[name])
    extra = rng.choice(
        (
            b"/MK << /BG [0] /BC [0] /CA (9,250.00) >>",
            b"/AP << /N << >> >> /MK << /BG [0] >>",
            b"/AP << /N null >> /MK << /BG [0] >>",
            b"/AP << /N << /Off null /On %d 0 R >> >> /AS /On" % place,
            b"/AP << /N %d 0 R >> /MK << /BG [0] >>" % place,
            b"/AP << /N %d 0 R /D %d 0 R >> /BS << /W 30 >>" % (place, place),
        )
    )
    body = state.body(19)[:-2] + extra + b" >>"
    if rng.random() < 0.4:
        body = re.sub(rb"/Rect \[.*?\]", b"/Rect [72 684 300 704]", body)
    file = update(base, {19: body, **(objects if b"%d 0 R" % place in extra else {})})
    try:
        file = signed.sign(file, 0, "Standing", signed.SECOND_SIGNER)
    except Exception:  # pyHanko does not take every field
        return
    yield Mutant(
        "paint: standing field, signed", f"{extra[:40]!r} {name}", base, file, (0, 2, 3) if b"684" not in body else ()
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
    (annotation, 8),
    (standing, 3),
    (lying_look, 1),
    (lying_form, 3),
    (standing_signed, 2),
    (second_signature, 1),
    (signed_over, 2),
)
