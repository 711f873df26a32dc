"""Makes pairs of files and scores what is said of each: run.py PROGRAM FOLDER. Ends with 1 if a pair is told wrongly."""

import ctypes
import itertools
import json
import pathlib
import random
import subprocess
import sys

import fpdf
import pikepdf
import pymupdf
import pypdfium2
import typst
from pypdfium2 import raw
from reportlab.pdfgen.canvas import Canvas

PROGRAM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
WORDS = "the buyer pays price of goods when they are handed over and not before unless both agree on another day in writing".split()
DEJAVU = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
TOP, LEADING = 790, 18


def letter(seed, pages=2):
    """Pages of lines, with an amount, a date and a name at known places."""
    chance = random.Random(seed)
    lines = lambda: [" ".join(chance.choice(WORDS) for _ in range(9)) + f" {chance.randrange(10**6)}" for _ in range(14)]
    text = [lines() for _ in range(pages)]
    text[0][3] = f"Total due {chance.randrange(1, 99)},{chance.randrange(100, 999)}.50 EUR"
    text[0][6] = f"Payable by {chance.randrange(10, 28)}.0{chance.randrange(1, 9)}.2026 at the latest"
    text[-1][5] = "Signed by Henrietta Vogel for the seller"
    return text


def reportlab(pages, path):
    canvas = Canvas(str(path), pagesize=(595, 842))
    for lines in pages:
        canvas.setFont("Times-Roman", 11)
        for number, line in enumerate(lines):
            canvas.drawString(60, TOP - LEADING * number, line)
        canvas.showPage()
    canvas.save()


def fpdf2(pages, path):
    document = fpdf.FPDF(unit="pt", format=(595, 842))
    document.set_auto_page_break(False)
    document.set_font("Helvetica", size=12)
    for lines in pages:
        document.add_page()
        for number, line in enumerate(lines):
            document.text(50, 842 - TOP + LEADING * number, line)
    document.output(str(path))


def mupdf(pages, path):
    document = pymupdf.open()
    for lines in pages:
        page = document.new_page(width=595, height=842)
        page.insert_font(fontname="own", fontfile=DEJAVU)
        for number, line in enumerate(lines):
            page.insert_text((40, 842 - TOP + LEADING * number), line, fontname="own", fontsize=9)
    document.subset_fonts()
    document.save(path, garbage=3, deflate=True)


def pdfium(pages, path):
    """A word at a time, and the lines from the last one up."""
    document = pypdfium2.PdfDocument.new()
    for lines in pages:
        page = document.new_page(595, 842)
        for number, line in reversed(list(enumerate(lines))):
            left = 45.0
            for word in line.split():
                text = raw.FPDFPageObj_NewTextObj(document, b"Courier", 8.0)
                letters = (word + "\0").encode("utf-16-le")
                raw.FPDFText_SetText(text, ctypes.cast(letters, raw.FPDF_WIDESTRING))
                raw.FPDFPageObj_Transform(text, 1, 0, 0, 1, left, TOP - LEADING * number)
                raw.FPDFPage_InsertObject(page, text)
                left += 4.8 * (len(word) + 1)
        page.gen_content()
    document.save(str(path))


WRITERS = [reportlab, fpdf2, mupdf, pdfium]


def hebrew(pages, path):
    document = pymupdf.open()
    for lines in pages:
        page = document.new_page(width=595, height=842)
        page.insert_htmlbox((40, 40, 555, 800), "".join(f"<p dir=rtl>{line}</p>" for line in lines))
    document.save(path)


def typeset(pages, path, look):
    """Paragraphs, set by typst in this look."""
    text = "\n#pagebreak()\n".join("\n\n".join(page) for page in pages)
    path.with_suffix(".typ").write_text(f"{look}\n{text}")
    typst.compile(str(path.with_suffix(".typ")), output=str(path))


def prose(seed, paragraphs):
    """Long words, which lines part."""
    chance = random.Random(seed)
    long = [word + ending for word in ("agree", "ship", "require", "settle", "employ", "amend") for ending in ("ment", "ments", "mentally")]
    sentence = lambda: " ".join(chance.choice(WORDS + long) for _ in range(12)) + "."
    return [" ".join(sentence() for _ in range(5)) for _ in range(paragraphs)]


LOOKS = {
    "hyphenated": "#set text(size: 11pt, hyphenate: true)\n#set par(justify: true)",
    "narrow": "#set page(width: 300pt)\n#set text(size: 12pt, hyphenate: true)\n#set par(justify: true)",
    "columns": "#set page(columns: 2)\n#set text(size: 10pt, hyphenate: true)",
    "headed": '#set page(header: [Offer of March], numbering: "1 / 1")\n#set text(size: 13pt)',
}


def scan(source, path):
    document = pymupdf.open()
    for page in pymupdf.open(source):
        own = document.new_page(width=595, height=842)
        own.insert_image(own.rect, pixmap=page.get_pixmap(dpi=50))
    document.save(path)


def append(source, path):
    path.write_bytes(source.read_bytes())
    document = pymupdf.open(path)
    document.set_metadata({"title": "Another"})
    document.saveIncr()


def edited(pages, before, after):
    return [[line.replace(before, after) for line in lines] for lines in pages]


def changes(found):
    side = lambda words: words["text"] if words else None
    return [(side(change["before"]), side(change["after"])) for change in found["words"]]


def pairs():
    """What is tried, the two files, and what has to be said of them."""
    for seed in range(10):
        files = {}
        for writer in WRITERS:
            files[writer] = FOLDER / f"{seed}-{writer.__name__}.pdf"
            writer(letter(seed), files[writer])
        for one, other in itertools.combinations(WRITERS, 2):
            yield "the same by another writer", files[one], files[other], lambda found: not found["words_total"] and not found["pages_differ"]
        text = letter(seed)
        amount, date = text[0][3].split()[2], text[0][6].split()[2]
        for number, (before, after) in enumerate([(amount, "9" + amount), (date, "01.01.2027"), ("Henrietta", "Ernestine")]):
            one, other = (WRITERS[(seed + number + step) % 4] for step in (0, 1))
            path = FOLDER / f"{seed}-edit-{number}.pdf"
            other(edited(text, before, after), path)
            yield "a word, an amount, a date", files[one], path, lambda found, told=(before, after): changes(found) == [told]
    for seed in range(20, 24):
        text, writer, other = letter(seed, 4), WRITERS[seed % 4], WRITERS[(seed + 1) % 4]
        whole, path = FOLDER / f"{seed}.pdf", lambda name: FOLDER / f"{seed}-{name}.pdf"
        writer(text, whole)
        other([text[2], text[0], text[1], text[3]], path("moved"))
        yield "a page moved", whole, path("moved"), lambda found: len(found["pages_moved"]) == 1 and not found["words_total"]
        other(text[:1] + text[2:], path("fewer"))
        yield "a page removed", whole, path("fewer"), lambda found: found["pages_removed"] == [2] and not found["words_total"]
        yield "a page added", path("fewer"), whole, lambda found: found["pages_added"] == [2] and not found["words_total"]
        append(whole, path("appended"))
        yield "something appended", whole, path("appended"), lambda found: found["relation"] == "appended" and found["grown"] == "after"
        scan(whole, path("scan"))
        yield "a scan", whole, path("scan"), lambda found: found["examined"] == "none" and found["relation"] is None and not found["words"]
        lines = [["המחיר הוא 1,250 שקלים", "ישולם עד סוף החודש"]]
        hebrew(lines, path("rtl"))
        hebrew(edited(lines, "1,250", f"{seed},900"), path("rtl-edited"))
        yield "from right to left", path("rtl"), path("rtl-edited"), lambda found, seed=seed: changes(found) == [("1,250", f"{seed},900")]


def set_anew():
    """Text that another look sets on other lines, columns and pages, and pages whose numbers follow their order."""
    nothing = lambda found: not found["words_total"] and not found["pages_differ"]
    for seed in range(30, 34):
        text, path = prose(seed, 14), lambda name: FOLDER / f"{seed}-{name}.pdf"
        word = next(word for word in text[6].split() if len(word) > 9)
        other = text[:6] + [text[6].replace(word, "Ernestine", 1)] + text[7:]
        for name, look in LOOKS.items():
            typeset([text], path(name), look)
            typeset([other], path(f"{name}-edited"), look)
        for one, two in itertools.permutations(["hyphenated", "narrow", "columns"], 2):
            yield "the same in another look", path(one), path(two), nothing
        for one, two in itertools.product(LOOKS, ["hyphenated", "columns"]):
            if "headed" not in (one, two):
                told = lambda found, word=word: changes(found) == [(word, "Ernestine")]
                yield "a word, in another look", path(one), path(f"{two}-edited"), told
        for name in LOOKS:
            with pikepdf.open(path(name)) as document:
                document.save(path(f"{name}-rewritten"), object_stream_mode=pikepdf.ObjectStreamMode.generate)
            yield "rewritten", path(name), path(f"{name}-rewritten"), nothing
        pages = [text[start : start + 2] for start in range(0, 10, 2)]
        start, word, end = pages[1][0].split(" ", 2)
        edited = [f"{start} Ernestine {end}", pages[1][1]]
        typeset(pages, path("pages"), LOOKS["headed"])
        for name, order, told in [
            ("moved", [0, 2, 3, 1, 4], {"pages_moved": [[2, 4]]}),
            ("fewer", [0, 1, 3, 4], {"pages_removed": [3]}),
            ("turned", [4, 1, 2, 3, 0], {"pages_moved": [[1, 5], [5, 1]]}),
        ]:
            typeset([pages[page] for page in order], path(name), LOOKS["headed"])
            differ = sorted(told.values())[0]
            yield "numbered pages", path("pages"), path(name), lambda found, told=told, differ=differ: (
                not found["words_total"] and found["pages_differ"] == differ and all(found[name] == pages for name, pages in told.items())
            )
        typeset([pages[0], edited, pages[3], pages[4]], path("fewer-edited"), LOOKS["headed"])
        yield "numbered pages, a word", path("pages"), path("fewer-edited"), lambda found, word=word: (
            found["pages_removed"] == [3] and changes(found) == [(word, "Ernestine")]
        )


def main():
    scores, wrong = {}, 0
    for kind, before, after, is_right in itertools.chain(pairs(), set_anew()):
        run = subprocess.run([PROGRAM, "inspect", "--compare", before, after], capture_output=True, text=True, check=True)
        found = json.loads(run.stdout)
        found["pages_differ"] = found["pages_added"] + found["pages_removed"] + found["pages_moved"]
        score = scores.setdefault(kind, [0, 0])
        score[1] += 1
        if is_right(found):
            score[0] += 1
        else:
            wrong += 1
            print(f"{kind}: {before.name} {after.name}: {json.dumps(found, ensure_ascii=False)[:600]}")
    for kind, (right, all_of_them) in scores.items():
        print(f"{kind}: {right} of {all_of_them}")
    sys.exit(wrong > 0)


main()
