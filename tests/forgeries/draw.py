"""Draws every file of a folder with two viewers, and holds what they show against the verdicts that `cases.jsonl` lists.

A forgery shows if either viewer draws any page of it differently from the file that was signed. Fails if one that shows is
called clean, or is said to be harmless by the tests' own table.
"""

import collections
import hashlib
import json
import multiprocessing
import pathlib
import subprocess
import sys

import pymupdf

CLEAN = ("unchanged_since_signing", "saved_again", "no_signs")
SECONDS = 30
PAGES = 8

pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)


def by_mupdf(path):
    """What MuPDF draws, as a digest for each page; none if it cannot open the file."""
    try:
        with pymupdf.open(path) as document:
            pages = []
            for number in range(min(document.page_count, PAGES)):
                try:
                    image = document[number].get_pixmap(dpi=72)
                    pages.append((image.width, image.height, hashlib.sha256(image.samples).hexdigest()))
                except Exception:  # a page that cannot be drawn looks like no other
                    pages.append(None)
            return [document.page_count, *pages]
    except Exception:
        return None


def by_poppler(path):
    """The same by Poppler."""
    command = ["pdftoppm", "-r", "72", "-l", str(PAGES), path]
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None
    return hashlib.sha256(done.stdout).hexdigest() if done.stdout else None


def drawn(path):
    return by_mupdf(path), by_poppler(path)


def main(folder):
    cases = [json.loads(line) for line in (folder / "cases.jsonl").open()]
    builds = sorted({case["build"] for case in cases})
    files = [str(folder / f"{build}.pdf") for build in builds] + [str(folder / case["file"]) for case in cases]
    with multiprocessing.Pool(maxtasksperchild=500) as pool:
        images = pool.map(drawn, files, chunksize=20)
    signed = dict(zip(builds, images))
    unreadable = [build for build in builds if None in signed[build]]
    rows = collections.defaultdict(collections.Counter)
    wrong = []
    for case, (mupdf, poppler) in zip(cases, images[len(builds):]):
        shows = [mupdf != signed[case["build"]][0], poppler != signed[case["build"]][1]]
        row = rows[case["deed"]]
        row.update(all=1, mupdf=shows[0], poppler=shows[1], shown=any(shows))
        row["closed"] += mupdf is None or poppler is None
        if any(shows) and case["verdict"] in CLEAN:
            row["clean"] += 1
        if any(shows) and (case["may_be_clean"] or case["verdict"] in CLEAN):
            wrong.append((case, shows))
    head = ("all", "mupdf", "poppler", "shown", "closed", "clean")
    print("".join(f"{name:>8}" for name in head), "  drawn differently by, in all; not opened; drawn differently and called clean")
    for deed in [*sorted(rows), "in all"]:
        row = rows[deed] if deed in rows else sum(rows.values(), collections.Counter())
        print("".join(f"{row[name]:8}" for name in head), "", deed)
    for case, shows in wrong[:60]:
        table = " though harmless by the table" if case["may_be_clean"] else ""
        print(f"{case['file']}: {case['build']}: {case['deed']} {case['what']}: {case['verdict']}{table}, shown by {shows}")
    for build in unreadable:
        print(f"{build}: not drawn")
    if wrong or unreadable:
        sys.exit(f"{len(wrong)} forgeries show and are called clean or harmless; the files are in {folder}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
