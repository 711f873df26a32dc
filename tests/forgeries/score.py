"""Prints both errors side by side: what is called clean though viewers show something else, and what is accused
though honest.

`score.py BINARY FOLDER [SEED [COUNT]]`: `BINARY inspect` judges COUNT forgeries and honest work in proportion; what it
judges wrongly stays in FOLDER, a forgery beside its signed state. Fails if a forgery behind a signature is called
clean, if honest work is accused, or if more than one unsigned edit in twenty is missed.
"""

import collections
import json
import pathlib
import shutil
import subprocess
import sys
import time

import edits
import honest
import programs
import signed
import viewers
from forge import mutants

CLEAN = ("unchanged_since_signing", "permitted_changes_since_signing", "no_signs", "saved_again")
ACCUSED = ("changed_since_signing", "changed", "signs_of_change")
BATCH = 500
# An unsigned edit in so many may be missed.
MISSED_EDITS = 20


def judged(binary, files):
    """The answer about each file's integrity and what its pages hide, in their order."""
    command = [binary, "inspect", "--files-from", "-"]
    done = subprocess.run(command, input="\n".join(map(str, files)), capture_output=True, text=True, check=False)
    answers = {}
    for line in done.stdout.splitlines():
        answer = json.loads(line)
        metadata = answer.get("metadata") or {}
        integrity = metadata.get("integrity") or {"verdict": "refused", "summary": str(answer.get("error"))}
        integrity["hidden"] = (metadata.get("hidden") or {}).get("items") or []
        answers[answer["path"]] = integrity
    missing = {"verdict": "no answer", "summary": done.stderr[-200:], "hidden": []}
    return [answers.get(str(file), missing) for file in files]


def written(folder, name, file):
    path = folder / name
    path.write_bytes(file)
    return path


class Table:
    """A row for each family, and the files that were judged wrongly."""

    def __init__(self, title, measures):
        self.title, self.measures = title, measures
        self.rows, self.wrong = collections.defaultdict(collections.Counter), []

    def total(self, measure):
        return sum(row[measure] for row in self.rows.values())

    def print(self):
        print(f"\n{self.title:42}" + "".join(f"{measure:>13}" for measure in self.measures))
        for family, row in [
            *sorted(self.rows.items()),
            ("in all", collections.Counter({m: self.total(m) for m in self.measures})),
        ]:
            print(f"{family:42}" + "".join(f"{row[measure]:13}" for measure in self.measures))
        for line in self.wrong:
            print("  " + line)


def batches(items):
    batch = []
    for item in items:
        batch.append(item)
        if len(batch) == BATCH:
            yield batch
            batch = []
    yield batch


def forged(binary, folder, seed, count):
    """Forgeries behind signatures, each against its signed state as viewers show both."""
    table = Table(
        "forged behind a signature", ("made", "shown", "accused", "unearned", "undetermined", "clean", "WRONG")
    )
    for number, batch in enumerate(batches(mutants(seed, count))):
        bases = {id(mutant.base): mutant.base for mutant in batch}
        states = {
            key: written(folder, f"signed-{number}-{place}.pdf", base.file)
            for place, (key, base) in enumerate(bases.items())
        }
        files = [written(folder, f"forged-{number}-{place}.pdf", mutant.file) for place, mutant in enumerate(batch)]
        answers = judged(binary, files)
        shown = viewers.draw_all([(path, signed.TOTAL_BOX) for path in [*states.values(), *files]])
        of_state = dict(zip(states, shown))
        for mutant, path, now, answer in zip(batch, files, shown[len(states) :], answers):
            state = of_state[id(mutant.base)]
            by, things = viewers.differ(state, now)
            verdict = answer["verdict"]
            fault = fault_of(mutant, verdict, by, things, viewers.hides(state, now))
            table.rows[mutant.family].update(
                {
                    "made": 1,
                    "shown": bool(by or things),
                    "accused": verdict in ACCUSED,
                    # nothing that these viewers show, though others may run a script or follow an action
                    "unearned": verdict in ACCUSED and not (by or things),
                    "undetermined": verdict == "undetermined",
                    "clean": verdict in CLEAN,
                    "WRONG": bool(fault),
                }
            )
            if fault:
                table.wrong.append(
                    f"{path}: {mutant.family}, {mutant.what} [{mutant.base.name}]: {fault}: {verdict}, shown by {by} {things}: {answer['summary'][:160]}"
                )
                shutil.copy(states[id(mutant.base)], path.with_suffix(".signed.pdf"))
            else:
                path.unlink()
        for path in states.values():
            path.unlink()
    return table


def fault_of(mutant, verdict, by, things, hides):
    """Why a clean verdict is wrong, if it is."""
    if verdict not in CLEAN or not (by or things):
        return None
    if verdict == "permitted_changes_since_signing" and mutant.base.level != 1:
        if mutant.base.level in mutant.permitted:
            return "hides signed words" if hides else None
        if not by and set(things) <= {"metadata", "values"}:
            return None
    return "clean"


def edited(binary, folder, seed, count):
    """Unsigned edits that left a trace."""
    table = Table("edited and saved anew, unsigned", ("made", "accused", "undetermined", "WRONG"))
    for number, batch in enumerate(batches(edits.edits(seed, count))):
        batch = [edit for edit in batch if edit.file]
        before = [written(folder, f"edited-{number}-{place}.base.pdf", edit.base) for place, edit in enumerate(batch)]
        files = [written(folder, f"edited-{number}-{place}.pdf", edit.file) for place, edit in enumerate(batch)]
        answers = judged(binary, files)
        shown = viewers.draw_all([(path, None) for path in [*before, *files]])
        for place, (edit, path, answer) in enumerate(zip(batch, files, answers)):
            by, _ = viewers.differ(shown[place], shown[place + len(batch)])
            verdict = answer["verdict"]
            is_missed = bool(by) and verdict in CLEAN
            if by:
                table.rows[edit.family].update(
                    {
                        "made": 1,
                        "accused": verdict in ACCUSED,
                        "undetermined": verdict == "undetermined",
                        "WRONG": is_missed,
                    }
                )
            if is_missed:
                found = [(item.get("kind"), item.get("text")) for item in answer["hidden"]][:2]
                table.wrong.append(f"{path}: {edit.family}, {edit.what}: {verdict}, found {found}")
            else:
                path.unlink()
                before[place].unlink()
    return table


def worked(binary, folder, title, works):
    """Honest work; what a program could not do is listed, so that nobody takes silence for success."""
    table = Table(title, ("made", "clean", "undetermined", "WRONG", "not made"))
    for number, batch in enumerate(batches(works)):
        for work in batch:
            if not work.file:
                table.rows[work.family].update({"not made": 1})
        batch = [work for work in batch if work.file]
        files = [
            written(folder, f"{title.split()[1]}-{number}-{place}.pdf", work.file) for place, work in enumerate(batch)
        ]
        for work, path, answer in zip(batch, files, judged(binary, files)):
            verdict = answer["verdict"]
            table.rows[work.family].update(
                {
                    "made": 1,
                    "clean": verdict in CLEAN,
                    "undetermined": verdict == "undetermined",
                    "WRONG": verdict not in (*CLEAN, "undetermined"),
                }
            )
            if verdict in CLEAN:
                path.unlink()
            else:
                strong = [
                    signal["id"]
                    for signal in answer.get("signals", [])
                    if signal["strength"] in ("strong", "conclusive")
                ]
                table.wrong.append(f"{path}: {work.family}, {work.what}: {verdict} {strong}: {answer['summary'][:200]}")
    return table


def main(binary, folder, seed="0", count="3000"):
    folder, count = pathlib.Path(folder), int(count)
    folder.mkdir(parents=True, exist_ok=True)
    began = time.time()
    rounds = max(1, count // 1000)
    tables = [
        forged(binary, folder, seed, count),
        edited(binary, folder, seed, count // 10),
        worked(
            binary,
            folder,
            "honest, signed",
            [*honest.behind_signatures(seed, rounds), *programs.signed_works(seed, rounds)],
        ),
        worked(binary, folder, "honest, unsigned", [*honest.unsigned(seed, rounds), *programs.unsigned_works(seed)]),
    ]
    for table in tables:
        table.print()
    forgeries, changes, signed_work, unsigned_work = tables
    made = signed_work.total("made") + unsigned_work.total("made")
    unclear = signed_work.total("undetermined") + unsigned_work.total("undetermined")
    print(f"\nseed {seed}, {time.time() - began:.0f} s")
    print(
        f"clean though forged: {forgeries.total('WRONG')} of {forgeries.total('shown')} behind signatures, {changes.total('WRONG')} of {changes.total('made')} unsigned"
    )
    print(
        f"accused though honest: {signed_work.total('WRONG')} behind signatures, {unsigned_work.total('WRONG')} unsigned, of {made}; not understood: {unclear}"
    )
    too_many = changes.total("WRONG") * MISSED_EDITS > changes.total("made")
    if forgeries.total("WRONG") or signed_work.total("WRONG") or unsigned_work.total("WRONG") or too_many:
        sys.exit(f"wrong verdicts; the files are in {folder}")


if __name__ == "__main__":
    main(*sys.argv[1:])
