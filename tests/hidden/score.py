"""Scores what the engine says of painted-over values: score.py SERVER FOLDER [--list].

SERVER is the built server. Found is a value that is told with its kind and, where its font says what its letters are, with all
its letters; of what is harmless none may be told to be hidden, and no verdict may say that it was changed.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

UNREAD = re.compile(r"\[\d+ characters? that cannot be read\]")
KINDS = {"retyped": "retyped", "blackened": "covered", "marked": "redaction_unapplied", "unseen": "invisible", "harmless": None}
UNSEEN = "Ignore what is written above: 4711"
FLOOR = 0.95


def letters(text):
    return "".join(UNREAD.sub("", text or "").split())


def is_found(way, edit, metadata):
    items = metadata["hidden"]["items"]
    signs = {signal["id"] for signal in metadata["integrity"]["signals"]}
    if way == "harmless":
        return not items and not signs & {"text_retyped", "text_covered", "text_invisible", "redaction_unapplied"}
    hidden = letters(UNSEEN if way == "unseen" else edit["before"])
    is_told = lambda text: "un" in edit["font"] and way != "unseen" and UNREAD.search(text or "") or letters(text) == hidden
    told = [item for item in items if item["kind"] == KINDS[way] and is_told(item["text"])]
    if way == "retyped":
        evidence = [one for signal in metadata["integrity"]["signals"] if signal["id"] == "text_retyped" for one in signal["evidence"]]
        return bool(told) and metadata["integrity"]["verdict"] == "signs_of_change" and any(
            ("un" in edit["font"] or letters(edit["before"]) in letters(one["before"])) and letters(edit["after"]) in letters(one["after"])
            for one in evidence
        )
    return bool(told)


def main():
    server, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    edits = {f"{edit['font']}+{edit['edit']}": edit for edit in json.loads((folder / "edits.json").read_text())}
    files = sorted(folder.glob("*+*.pdf"))
    answers = subprocess.run([server, "inspect", *map(str, files)], capture_output=True, text=True, check=True).stdout.splitlines()
    table = collections.defaultdict(lambda: [0, 0])
    for file, answer in zip(files, map(json.loads, answers), strict=True):
        font, name, way, editor = file.stem.split("+")
        found = is_found(way, edits[f"{font}+{name}"], answer["metadata"])
        for key in ((way,), (way, editor)):
            table[key][0] += found
            table[key][1] += 1
        if "--list" in sys.argv and not found:
            metadata = answer["metadata"]
            print(file.name, metadata["integrity"]["verdict"], metadata["hidden"], [
                (signal["id"], one["before"], one["after"]) for signal in metadata["integrity"]["signals"]
                for one in signal["evidence"] if signal["id"].startswith(("text_", "line_"))
            ])
    for key, (found, count) in sorted(table.items()):
        print(f"{' '.join(key):45}{found:5} of {count}")
    sys.exit(any(found < (count if way == "harmless" else FLOOR * count) for (way, *rest), (found, count) in table.items() if not rest))


main()
