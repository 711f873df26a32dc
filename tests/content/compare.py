"""Compares the words of a folder's pages with what PyMuPDF and pdfium find: compare.py EXAMPLE FOLDER [--list N] [FILE...].

EXAMPLE is the built example `page_text`. A word counts if both find it about where the other does. Told apart: those that we miss, and
those that we have and neither of them does."""

import collections
import json
import pathlib
import re
import subprocess
import sys
import unicodedata

import pymupdf
import pypdfium2

PAGES = 10
# beside words, only letters and digits are compared: quotes, dashes and blanks are drawn and read in many ways
LETTERS = re.compile(r"[^\W_]+")

pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)


def normal(text):
    text = unicodedata.normalize("NFKC", text).replace("\u00ad", "-").replace("\u2011", "-").replace("\u2010", "-")
    text = text.replace("\u2206", "\u0394").replace("\u2126", "\u03a9").replace("\u200b", "").replace("\u200e", "").replace("\u200f", "")
    return text.replace("\u2212", "-").replace("\u2018", "'").replace("\u2019", "'").replace("\u201c", '"').replace("\u201d", '"').replace("\u2219","\u00b7")


def is_word(text):
    return LETTERS.search(text) is not None and "\ufffd" not in text


def mupdf_words(document, number):
    page = document[number]
    page.remove_rotation() if False else None
    flags = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE * 0 | pymupdf.TEXT_MEDIABOX_CLIP * 0
    found = []
    matrix = page.transformation_matrix
    derotate = page.derotation_matrix
    height = page.cropbox.height
    for x0, y0, x1, y1, word, *_ in page.get_text("words", flags=flags):
        box = pymupdf.Rect(x0, y0, x1, y1) * derotate
        found.append((normal(word), [box.x0, height - box.y1, box.x1, height - box.y0]))
    return found


def pdfium_words(document, number):
    page = document[number]
    crop = page.get_cropbox()
    text = page.get_textpage()
    raw = pypdfium2.raw
    import ctypes

    words, word, box = [], "", None
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))

    def end():
        nonlocal word, box
        if word and box:
            words.append((normal(word), box))
        word, box = "", None

    for index in range(text.count_chars()):
        character = raw.FPDFText_GetUnicode(text.raw, index)
        if 0xD800 <= character < 0xE000:
            continue
        character = chr(character) if character < 0x110000 else "\ufffd"
        if character == "\x02" or character == "\ufffe":
            character = "-"
        if character.isspace() or character == "\0":
            end()
            continue
        word += character
        if raw.FPDFText_GetCharBox(text.raw, index, left, right, bottom, top):
            one = [left.value - crop[0], bottom.value - crop[1], right.value - crop[0], top.value - crop[1]]
            if not raw.FPDFText_IsGenerated(text.raw, index):
                box = one if box is None else [min(box[0], one[0]), min(box[1], one[1]), max(box[2], one[2]), max(box[3], one[3])]
    end()
    text.close()
    page.close()
    return words


def meet(one, other):
    slack = 2.0
    return (
        one[0] <= other[2] + slack
        and other[0] <= one[2] + slack
        and one[1] <= other[3] + slack
        and other[1] <= one[3] + slack
    )


class Words:
    """The words of a page by their text, each taken once."""

    def __init__(self, words):
        self.places = collections.defaultdict(list)
        for word, box in words:
            self.places[word].append(box)

    def take(self, word, box):
        for index, place in enumerate(self.places.get(word, ())):
            if meet(place, box):
                return self.places[word].pop(index)
        return None


def fragments(words, box):
    """What stands where a box is."""
    return [word for word, place in words if meet(place, box)]


def compare(ours, mupdf, pdfium):
    agreed = []
    others = Words(pdfium)
    for word, box in mupdf:
        if is_word(word):
            place = others.take(word, box)
            if place:
                agreed.append((word, box, place))
    own = Words(ours)
    missed = []
    for word, box, place in agreed:
        if not (own.take(word, box) or own.take(word, place)):
            missed.append((word, box))
    mu, pd = Words(mupdf), Words(pdfium)
    odd = []
    for word, box in ours:
        if is_word(word) and not mu.take(word, box) and not pd.take(word, box):
            odd.append((word, box))
    return agreed, missed, odd


def main():
    arguments = sys.argv[1:]
    listed = 0
    if "--list" in arguments:
        at = arguments.index("--list")
        listed = int(arguments[at + 1])
        del arguments[at : at + 2]
    example, folder, *only = arguments
    files = sorted(path for path in pathlib.Path(folder).iterdir() if path.is_file())
    files = [path for path in files if not only or any(name in path.name for name in only)]
    totals = collections.Counter()
    for path in files:
        output = subprocess.run([example, "--pages", str(PAGES), str(path)], capture_output=True, timeout=120)
        pages = [json.loads(line) for line in output.stdout.splitlines()]
        pages = [page for page in pages if "failure" not in page]
        try:
            document = pymupdf.open(path)
            other = pypdfium2.PdfDocument(path)
            other.init_forms()
            count = min(len(document), len(other), PAGES)
            if document.needs_pass:
                continue
        except Exception:
            totals["files that one cannot open"] += 1
            continue
        totals["files"] += 1
        for number in range(count):
            try:
                mupdf, pdfium = mupdf_words(document, number), pdfium_words(other, number)
            except Exception:
                continue
            ours, part = [], False
            if number < len(pages):
                ours = [(normal(word), box) for word, box, _ in pages[number]["words"]]
                part = pages[number]["is_part"]
            else:
                totals["pages that we lack"] += 1
            agreed, missed, odd = compare(ours, mupdf, pdfium)
            totals["pages"] += 1
            totals["parts"] += part
            totals["mupdf"] += len(mupdf)
            totals["pdfium"] += len(pdfium)
            totals["ours"] += len(ours)
            totals["ours with undecoded"] += sum("\ufffd" in word for word, _ in ours)
            totals["agreed"] += len(agreed)
            totals["missed"] += len(missed)
            totals["odd"] += len(odd)
            if listed and (missed or odd):
                print(path.name, number, f"agreed {len(agreed)} missed {len(missed)} odd {len(odd)}", "part" if part else "")
                for word, box in missed[:listed]:
                    print("   missed", repr(word), [round(x) for x in box], "ours there:", fragments(ours, box)[:6])
                for word, box in odd[:listed]:
                    print("   odd", repr(word), [round(x) for x in box], "mupdf:", fragments(mupdf, box)[:4], "pdfium:", fragments(pdfium, box)[:4])
    for name, count in totals.items():
        print(f"{name}: {count}")
    if totals["agreed"]:
        print(f"found: {100 * (1 - totals['missed'] / totals['agreed']):.3f} %")


main()
