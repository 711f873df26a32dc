"""Compares the words of a folder's pages with those on which PyMuPDF and pdfium agree.

compare.py EXAMPLE FOLDER [--list N] [--floor PERCENT] [NAME...]

EXAMPLE is the built example `page_text`; of the names only files are taken that have them in theirs. A word is there if it stands about
where another says. Told apart: words that we miss, and words that we have and neither of the others; --list prints N of each for every page.
A text that is drawn twice in one place is one. With --floor it fails below so many per cent.
"""

import argparse
import collections
import ctypes
import json
import pathlib
import re
import subprocess
import sys
import unicodedata

import pymupdf
import pypdfium2
from pypdfium2 import raw

PAGES = 10
BROKEN = RuntimeError, pymupdf.mupdf.FzErrorBase, pypdfium2.PdfiumError
# words of nothing but signs are left out: dots and lines are read in many ways
LETTERS = re.compile(r"[^\W_]+")

pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)


# signs that are one to those who read, and marks that nobody sees
SAME = str.maketrans("\u2010\u2011\u00ad\u2212\u2018\u2019\u201c\u201d\u2219\u2206\u2126", "----''\"\"\u00b7\u0394\u03a9", "\u200b\u200e\u200f")


def normal(text):
    return unicodedata.normalize("NFKC", text.translate(SAME))


def is_word(text):
    return LETTERS.search(text) is not None and "\ufffd" not in text


def mupdf_words(document, number):
    page = document[number]
    height = page.cropbox.height
    words = []
    for left, top, right, bottom, word, *_ in page.get_text("words"):
        box = pymupdf.Rect(left, top, right, bottom) * page.derotation_matrix
        words.append((normal(word), [box.x0, height - box.y1, box.x1, height - box.y0]))
    return words


def pdfium_words(document, number):
    page = document[number]
    crop = page.get_cropbox()
    text = page.get_textpage()
    words, word, box = [], "", None
    for index in range(text.count_chars()):
        character = raw.FPDFText_GetUnicode(text.raw, index)
        # half a character, and the hyphen at the end of a line
        if 0xD800 <= character < 0xE000:
            continue
        character = "-" if character in (0x02, 0xFFFE) else chr(character)
        if character.isspace() or character == "\0":
            if box:
                words.append((normal(word), box))
            word, box = "", None
            continue
        word += character
        corners = [ctypes.c_double() for _ in range(4)]
        if raw.FPDFText_GetCharBox(text.raw, index, *corners) and not raw.FPDFText_IsGenerated(text.raw, index):
            left, right, bottom, top = (corner.value for corner in corners)
            one = [left - crop[0], bottom - crop[1], right - crop[0], top - crop[1]]
            box = around(box, one) if box else one
    if box:
        words.append((normal(word), box))
    text.close()
    page.close()
    return words


def once(words):
    """Of words that are drawn twice in one place, for boldness or a shadow, one."""
    places = collections.defaultdict(list)
    for word, box in words:
        if not any(max(abs(a - b) for a, b in zip(box, other)) < 1.5 for other in places[word]):
            places[word].append(box)
            yield word, box


def around(one, other):
    return [min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])]


def meet(one, other, slack=2.0):
    return (
        one[0] <= other[2] + slack
        and other[0] <= one[2] + slack
        and one[1] <= other[3] + slack
        and other[1] <= one[3] + slack
    )


def common(one, other):
    """The part of the smaller box that lies in the other."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    size = min((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    return max(width, 0) * max(height, 0) / size if size > 0 else float(meet(one, other))


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


def compare(ours, mupdf, pdfium):
    """The words on which both agree, those of them that we miss, those that only we have, and how many boxes lie alike."""
    others, own = Words(pdfium), Words(ours)
    agreed, missed, alike = 0, [], 0
    for word, box in mupdf:
        place = others.take(word, box) if is_word(word) else None
        if place:
            agreed += 1
            found = own.take(word, box) or own.take(word, place)
            if not found:
                missed.append((word, box))
            elif common(found, box) >= 0.5:
                alike += 1
    either = [Words(mupdf), Words(pdfium)]
    odd = [(word, box) for word, box in ours if is_word(word) and not any(words.take(word, box) for words in either)]
    return agreed, missed, odd, alike


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("example")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--list", type=int, default=0)
    parser.add_argument("--floor", type=float, default=0)
    return parser.parse_args()


def opened(path):
    """The document by both; none if one of them does not open it."""
    try:
        mupdf, pdfium = pymupdf.open(path), pypdfium2.PdfDocument(path)
        pdfium.init_forms()
        return None if mupdf.needs_pass else (mupdf, pdfium, min(len(mupdf), len(pdfium), PAGES))
    except BROKEN:
        return None


def main():
    chosen = options()
    totals = collections.Counter()
    for path in sorted(chosen.folder.iterdir()):
        if chosen.names and not any(name in path.name for name in chosen.names):
            continue
        documents = opened(path)
        if not documents:
            totals["files left out"] += 1
            continue
        totals["files"] += 1
        mupdf, pdfium, count = documents
        output = subprocess.run([chosen.example, "--pages", str(PAGES), path], capture_output=True, check=True).stdout
        pages = [page for page in map(json.loads, output.splitlines()) if "failure" not in page]
        for number in range(count):
            try:
                others = list(once(mupdf_words(mupdf, number))), list(once(pdfium_words(pdfium, number)))
            except BROKEN:
                totals["pages left out"] += 1
                continue
            page = pages[number] if number < len(pages) else {"words": [], "is_part": True}
            ours = [(normal(word), box) for word, box, _ in page["words"]]
            agreed, missed, odd, alike = compare(ours, *others)
            totals.update({"pages": 1, "parts": page["is_part"], "our words": len(ours), "agreed": agreed})
            totals.update({"missed": len(missed), "odd": len(odd), "boxes alike": alike})
            if chosen.list and (missed or odd):
                print(path.name, number, f"agreed {agreed} missed {len(missed)} odd {len(odd)}")
                for word, box in missed[: chosen.list]:
                    print("   missed", repr(word), [round(corner) for corner in box], "ours:", near(ours, box))
                for word, box in odd[: chosen.list]:
                    print("   odd", repr(word), [round(corner) for corner in box], "theirs:", *(near(words, box) for words in others))
    for name, total in totals.items():
        print(f"{name}: {total}")
    found = 100 * (1 - totals["missed"] / max(totals["agreed"], 1))
    print(f"found: {found:.3f} %")
    sys.exit(found < chosen.floor)


def near(words, box):
    return [word for word, place in words if meet(place, box)][:6]


main()
