"""Scores what the engine says of the edits in words: score.py SERVER FOLDER [--list].

SERVER is the built server. Of each edit the evidence of its line counts: letters of the line before and after that are told in
order, of all of them; and words that are told and stand in no state of the file. What is said to be unreadable is told apart from both.
"""

import collections
import difflib
import json
import pathlib
import re
import subprocess
import sys

from make import HEBREW

UNREAD = re.compile(r"\[\d+ characters? that cannot be read\]")
FLOOR = 95.0


def words_of(text):
    return UNREAD.sub(" ", text or "").replace("…", " ").split()


def letters(expected, told):
    """How many letters of a text are told in order."""
    expected, told = expected.replace(" ", ""), UNREAD.sub("", told or "").replace(" ", "")
    matcher = difflib.SequenceMatcher(None, expected, told, autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks())


def score(edit, line, known):
    """Letters told and all of them, before and after; wrong words; how many texts are said to be unreadable."""
    told = [
        evidence
        for signal in line["metadata"]["integrity"]["signals"]
        for evidence in signal["evidence"]
        if evidence["place"] in ("text", "text moved") and not signal["id"].startswith(("forbidden", "permitted"))
    ]
    wrong = [word for evidence in told for side in ("before", "after") for word in words_of(evidence[side]) if word not in known]
    unread = any(UNREAD.search(evidence[side] or "") for evidence in told for side in ("before", "after"))
    expected = [edit["before"], edit["after"]]
    found = [max((letters(text, evidence[side]) for evidence in told), default=0) for text, side in zip(expected, ("before", "after"))]
    return found, [len(text.replace(" ", "")) for text in expected], wrong, unread, told


def main():
    server, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    edits = json.loads((folder / "edits.json").read_text())
    by_name = {f"{edit['font']}+{edit['edit']}": edit for edit in edits}
    known = {word for edit in edits for key in ("label", "before", "after") for word in edit[key].split()}
    known |= {word for label in HEBREW.values() for word in label.split()}
    known |= {"Invoice", "2026-0117", "Letters", "0123456789", "abcdefghijklmnopqrstuvwxyz", "EDNXM.,"}
    files = sorted(folder.glob("*+*.pdf"))
    answers = subprocess.run([server, "inspect", *map(str, files)], capture_output=True, text=True, check=True).stdout.splitlines()
    table = collections.defaultdict(lambda: [0, 0, 0, 0, 0])
    failed = False
    for file, answer in zip(files, map(json.loads, answers), strict=True):
        font, name, editor = file.stem.split("+")
        found, whole, wrong, unread, told = score(by_name[f"{font}+{name}"], answer, known)
        is_readable = "un" not in font
        if "--list" in sys.argv and (wrong or is_readable and sum(found) < sum(whole)):
            print(file.name, wrong, [(one["place"], one["before"], one["after"]) for one in told])
        for key in (("all",), ("editor", editor), ("font", font)):
            row = table[key]
            row[0] += 1
            row[1] += sum(found) if is_readable else 0
            row[2] += sum(whole) if is_readable else 0
            row[3] += len(wrong)
            row[4] += unread
        failed |= bool(wrong)
    print(f"{'':26}{'edits':>6}{'letters':>16}{'':>10}{'wrong words':>13}{'said unreadable':>17}")
    for key, (count, found, whole, wrong, unread) in sorted(table.items()):
        percent = f"{100 * found / whole:.2f} %" if whole else "–"
        print(f"{' '.join(key):26}{count:6}{f'{found} / {whole}':>16}{percent:>10}{wrong:13}{unread:17}")
    _, found, whole, *_ = table["all",]
    sys.exit(failed or 100 * found < FLOOR * whole)


main()
