"""Draws every file of a folder with three viewers, and compares what they show with the verdicts in `cases.jsonl`.

A forgery shows if any viewer draws any page of it differently from the file that was signed. Fails if one that shows is
called clean, or is said to be harmless by the tests' own table.
"""

import collections
import json
import pathlib
import sys

import viewers
from score import CLEAN


def main(folder):
    cases = [json.loads(line) for line in (folder / "cases.jsonl").open()]
    builds = sorted({case["build"] for case in cases})
    files = [folder / f"{build}.pdf" for build in builds] + [folder / case["file"] for case in cases]
    images = viewers.draw_all([(str(path), None) for path in files])
    signed = dict(zip(builds, images))
    unreadable = [build for build in builds if None in signed[build].values()]
    rows = collections.defaultdict(collections.Counter)
    wrong = []
    for case, now in zip(cases, images[len(builds) :]):
        by, _ = viewers.differ(signed[case["build"]], now)
        row = rows[case["deed"]]
        row.update(all=1, shown=bool(by))
        if by and case["verdict"] in CLEAN:
            row["clean"] += 1
        if by and (case["may_be_clean"] or case["verdict"] in CLEAN):
            wrong.append((case, by))
    head = ("all", "shown", "clean")
    print("".join(f"{name:>8}" for name in head), "  drawn differently; drawn differently and called clean")
    for deed in [*sorted(rows), "in all"]:
        row = rows[deed] if deed in rows else sum(rows.values(), collections.Counter())
        print("".join(f"{row[name]:8}" for name in head), "", deed)
    for case, by in wrong[:60]:
        table = " though harmless by the table" if case["may_be_clean"] else ""
        print(
            f"{case['file']}: {case['build']}: {case['deed']} {case['what']}: {case['verdict']}{table}, shown by {by}"
        )
    for build in unreadable:
        print(f"{build}: not drawn")
    if wrong or unreadable:
        sys.exit(f"{len(wrong)} forgeries show and are called clean or harmless; the files are in {folder}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
