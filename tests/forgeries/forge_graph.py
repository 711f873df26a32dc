"""Mutations of the graph: any entry of any object, roles, page tree, keys, and what is used without being drawn."""

import re

import pikepdf

import signed
from mutant import Mutant, update
from section import Section, State, written
from signed import FORGED, TOTAL_BOX, Base, evil_content, look, stream, text

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


FAMILIES = (
    (entry, 8),
    (replaced, 2),
    (housekeeping, 2),
    (prepared, 3),
    (shadowed, 2),
    (key_spelled, 3),
    (generations, 1),
    (page_tree, 2),
    (things, 2),
)
