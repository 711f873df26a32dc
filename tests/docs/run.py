"""Runs every command of the documentation that can be run, and follows every relative link.

A block of commands is run if `<!-- run -->` stands before it, in a folder of its own with a `document.pdf`, with API and
TOKEN set as the guides say; what a `console` shows below its commands is what they have to print, where `…` is anything.
`<!-- not run: reason -->` says why another is not. Needs what the samples need.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "examples"))

from service import ROOT, SERVER, Service, pdf  # noqa: E402

FOLDERS = [ROOT, ROOT / "docs", ROOT / "crates/reference/calls", ROOT / "bench", ROOT / "tests/sam-local", ROOT / "crates/engine/tests/forgeries"]
PAGES = sorted(page for folder in FOLDERS for page in folder.glob("*.md"))
BLOCK = re.compile(r"(?:<!-- (run|not run: [^>]+?) -->\n+)?```(sh|console)\n(.*?)```", re.S)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"```.*?```|`[^`\n]*`", re.S)


def commands(block, language):
    """What a person would type."""
    if language == "sh":
        return block
    return "\n".join(line[2:] for line in block.splitlines() if line.startswith("$ "))


def run(page, service, folder):
    """Runs a page's blocks one after the other; returns how many, and how many nobody spoke of."""
    ran = unspoken = 0
    tools = folder / "bin"
    environment = {**os.environ, "API": service.api, "TOKEN": service.token}
    environment["PATH"] = f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    for mark, language, block in BLOCK.findall(page.read_text()):
        unspoken += not mark
        if mark != "run":
            continue
        text = commands(block, language)
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", text], cwd=folder, env=environment, capture_output=True, text=True, timeout=120
        )
        failed = done.returncode != 0 or '"success":false' in done.stdout
        if failed or not done.stdout.strip():
            sys.exit(f"{page.relative_to(ROOT)}:\n{text}\nended with {done.returncode}:\n{done.stdout}{done.stderr}")
        shown = [line for line in block.splitlines() if not line.startswith("$ ")] if language == "console" else []
        expected = re.escape("\n".join(shown)).replace("…", ".*")
        if shown and not re.fullmatch(expected, done.stdout.strip("\n"), re.S):
            sys.exit(f"{page.relative_to(ROOT)}:\n{text}\nprints something else than it shows:\n{done.stdout}")
        ran += 1
    return ran, unspoken


def anchors(page):
    """The anchors that a page's headings have."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub(lambda found: found[0].strip("`") if "\n" not in found[0] else "", page.read_text()), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page):
    """The relative links of a page that lead nowhere."""
    for target in LINK.findall(FENCE.sub("", page.read_text())):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            yield target


def prepare(folder):
    """A folder as the guides take it for given: documents, and a cargo that has built already."""
    (folder / "docs").symlink_to(ROOT / "docs")
    for name in ("document.pdf", "big.pdf"):
        (folder / name).write_bytes(pdf(name))
    (folder / "bin").mkdir()
    cargo = folder / "bin/cargo"
    cargo.write_text(f'#!/bin/sh\n[ "$1" = run ] || exit 1\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "{SERVER}" "$@"\n')
    cargo.chmod(0o755)


def main():
    lost = [f"{page.relative_to(ROOT)}: {target}" for page in PAGES for target in links(page)]
    if lost:
        sys.exit("links that lead nowhere:\n" + "\n".join(lost))
    total = 0
    with Service() as service, tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        prepare(folder)
        service.limit_to(10_000)
        for page in PAGES:
            ran, unspoken = run(page, service, folder)
            total += ran
            if unspoken:
                print(f"{page.relative_to(ROOT)}: {unspoken} blocks without <!-- run --> or <!-- not run: reason -->")
    print(f"{total} blocks of commands work; every relative link of {len(PAGES)} pages leads somewhere")


if __name__ == "__main__":
    main()
