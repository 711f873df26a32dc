"""Whether an edited file can prove anything by itself. Decided when it is made, before anything has judged it."""

import io

import pikepdf

REVISION = "earlier revision"  # the genuine file is the beginning of the edited one
SIGNATURE = "signature"  # a signature over the genuine bytes is still in it
HIDDEN = "covered words"  # the words as they were are still on the page, out of sight
REMAINS = "remains"  # content of a page, or of a field, as it was is in the file, and no page shows it
NOTHING = "not provable"
PROVABLE = [REVISION, SIGNATURE, HIDDEN, REMAINS]


def reached(item, without=(), seen=None):
    """The numbers of the indirect objects that a value leads to."""
    seen = set() if seen is None else seen
    waiting = [item]
    while waiting:
        item = waiting.pop()
        if isinstance(item, pikepdf.Object) and item.is_indirect:
            if item.objgen in seen:
                continue
            seen.add(item.objgen)
        if isinstance(item, pikepdf.Array):
            waiting += list(item)
        elif isinstance(item, (pikepdf.Dictionary, pikepdf.Stream)):
            waiting += [value for key, value in item.items() if key not in without]
    return seen


def signatures(pdf):
    known = reached(pdf.Root)
    return sum(
        isinstance(item, pikepdf.Dictionary) and "/ByteRange" in item and "/Contents" in item and item.objgen in known
        for item in pdf.objects
    )


def contents_of(pdf):
    """The content streams of each page, in parts, and the appearances of its fields."""
    for page in pdf.pages:
        found = page.obj.get("/Contents")
        yield from list(found) if isinstance(found, pikepdf.Array) else [] if found is None else [found]
        for widget in page.obj.get("/Annots", []):
            look = widget.get("/AP", {}).get("/N")
            if isinstance(look, pikepdf.Stream):
                yield look


def drawn(pdf):
    """What pages may draw: everything that their content, resources and annotations lead to."""
    seen = set()
    for page in pdf.pages:
        node = page.obj
        while node is not None:
            for key in ("/Contents", "/Resources", "/Annots"):
                if key in node:
                    reached(node[key], ("/P", "/Parent", "/Dest", "/A", "/StructParent"), seen)
            node = node.get("/Parent")
    return seen


def classify(genuine, edited, edit):
    """The first of the classes that holds. Says nothing about how hard it is to see."""
    if edited.startswith(genuine):
        return REVISION
    with pikepdf.open(io.BytesIO(genuine)) as before, pikepdf.open(io.BytesIO(edited)) as after:
        if signatures(after):
            return SIGNATURE
        if edit.old and still_there(edited, edit):
            return HIDDEN
        known = drawn(after)
        left = {
            item.read_bytes()
            for item in after.objects
            if isinstance(item, pikepdf.Stream) and item.objgen not in known and readable(item)
        }
        if any(len(part.read_bytes()) > 20 and part.read_bytes() in left for part in contents_of(before)):
            return REMAINS
    return NOTHING


def readable(stream):
    try:
        stream.read_bytes()
        return True
    except pikepdf.PdfError:
        return False


def still_there(edited, edit):
    """Whether the words that were covered or replaced can still be extracted from their page."""
    import pymupdf

    with pymupdf.open(stream=edited, filetype="pdf") as file:
        squeeze = lambda text: "".join(text.split())
        return squeeze(edit.old) in squeeze(file[edit.page].get_text())
