"""Draws files with MuPDF, PDFium and Poppler, and lists what else a person sees or uses by them."""

import concurrent.futures
import hashlib
import json
import multiprocessing
import os
import signal
import subprocess

import numpy
import pymupdf
import pypdfium2

DPI = 48
PAGES = 3
SECONDS = 20

pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)


def digest(value):
    data = value if isinstance(value, bytes) else json.dumps(value, sort_keys=True, default=str).encode()
    return hashlib.sha256(data).hexdigest()[:16]


def by_mupdf(path):
    """The pages, and what else there is: words, links, notes, values, attachments, outlines, metadata."""
    with pymupdf.open(path) as document:
        pages, seen = [], {}
        for number in range(min(document.page_count, PAGES)):
            page = document[number]
            pixels = page.get_pixmap(dpi=DPI)
            pages.append(numpy.frombuffer(pixels.samples, numpy.uint8).reshape(pixels.height, pixels.width, pixels.n))
            seen.setdefault("words", []).append(page.get_text())
            seen.setdefault("links", []).append(
                [(link.get("uri"), link.get("page"), tuple(link["from"])) for link in page.get_links()]
            )
            seen.setdefault("notes", []).append([(note.type[1], note.info.get("content")) for note in page.annots()])
            seen.setdefault("values", []).append(
                [(field.field_name, field.field_value, field.script, field.script_format) for field in page.widgets()]
            )
        seen["attachments"] = [(name, digest(document.embfile_get(name))) for name in document.embfile_names()]
        seen["outlines"] = document.get_toc()
        seen["metadata"] = [document.metadata.get(key) for key in ("title", "author", "subject", "keywords")]
        return document.page_count, pages, {key: digest(value) for key, value in seen.items()}


def by_pdfium(path, **options):
    document = pypdfium2.PdfDocument(path)
    try:
        document.init_forms()
        pages = [
            document[number].render(scale=DPI / 72, **options).to_numpy().copy()
            for number in range(min(len(document), PAGES))
        ]
        return len(document), pages, {}
    finally:
        document.close()


def printed(path):
    return by_pdfium(path, extra_flags=pypdfium2.raw.FPDF_PRINTING)


def by_poppler(path):
    command = ["pdftoppm", "-r", str(DPI), "-l", str(PAGES), path]
    done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    if not done.stdout:
        raise ValueError("nothing drawn")
    pages, rest = [], done.stdout
    while rest:
        _, size, _, rest = rest.split(b"\n", 3)
        width, height = map(int, size.split())
        pages.append(numpy.frombuffer(rest[: width * height * 3], numpy.uint8).reshape(height, width, 3))
        rest = rest[width * height * 3 :]
    return len(pages), pages, {}


VIEWERS = {"mupdf": by_mupdf, "pdfium": by_pdfium, "pdfium, printed": printed, "poppler": by_poppler}


def gray_box(page, box):
    left, bottom, right, top = (round(value * DPI / 72) for value in box)
    height = page.shape[0]
    part = page[max(0, height - top) : height - bottom, left:right, :3].astype(numpy.float32)
    return part.mean(axis=2)


def drawn(task):
    """What each viewer shows of a file: (pages, digest, gray pixels of the box) or None where it does not open."""
    path, box = task
    signal.alarm(60)
    shown = {}
    for name, draw in VIEWERS.items():
        try:
            count, pages, seen = draw(path)
            images = digest(b"".join(digest(page.tobytes()).encode() + str(page.shape).encode() for page in pages))
            part = gray_box(pages[0], box) if box and pages else None
            shown[name] = (count, images, part, seen)
        except Exception:
            shown[name] = None
    signal.alarm(0)
    return shown


def draw_all(tasks):
    """The same for all, on every core; a file at which a viewer crashes opens in none."""
    workers = os.cpu_count() or 1
    results = {}
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(workers, mp_context=context) as pool:
        futures = {pool.submit(drawn, task): place for place, task in enumerate(tasks)}
        for future, place in futures.items():
            try:
                results[place] = future.result()
            except concurrent.futures.process.BrokenProcessPool:
                break
    for place, task in enumerate(tasks):
        if place not in results:
            with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
                try:
                    results[place] = pool.submit(drawn, task).result()
                except concurrent.futures.process.BrokenProcessPool:
                    results[place] = dict.fromkeys(VIEWERS)
    return [results[place] for place in range(len(tasks))]


def differ(signed, now):
    """Which viewers show another picture or another number of pages, and which other things differ."""
    by = []
    for name in VIEWERS:
        if signed[name] is None:
            continue
        if now[name] is None:
            by.append(f"{name} (refuses)")
        elif now[name][:2] != signed[name][:2]:
            by.append(name)
    things = []
    if signed["mupdf"] and now["mupdf"]:
        things = [key for key, value in signed["mupdf"][3].items() if now["mupdf"][3].get(key) != value]
    return by, things


def hides(signed, now):
    """Whether a letter in the box is no longer what it was in any of the viewers."""
    return any(
        signed[name] and now[name] and signed[name][2] is not None and is_hidden(signed[name][2], now[name][2])
        for name in VIEWERS
    )


def is_hidden(before, after, width=6):
    """Whether the ink of a letter no longer stands out from its ground, or something else stands in its place."""
    if after is None or before.shape != after.shape:
        return True
    for left in range(0, before.shape[1] - width + 1, width // 2):
        letter, other = before[:, left : left + width], after[:, left : left + width]
        ink, ground = letter < 128, letter > 200
        if letter.std() <= 20 or not ink.any() or not ground.any():
            continue
        contrast = letter[ground].mean() - letter[ink].mean()
        if other[ground].mean() - other[ink].mean() < 0.35 * contrast:
            return True
        if numpy.corrcoef(letter.ravel(), other.ravel())[0, 1] < 0.25:
            return True
    return False
