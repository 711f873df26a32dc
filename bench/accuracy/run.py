#!/usr/bin/env python3
"""Measures how often the verdict is right, on files made here from a public seed, and writes docs/accuracy.md.

Usage: bench/accuracy/run.py [--seed N] [--pairs N] [--honest N] [--quick] [--program FILE] [--failures FOLDER] [--self-test]

Makes pairs of a genuine file and its edited twin (12 editors, 11 ways of writing, signed or not), and files of honest workflows; asks
the service's command line and other tools about each; counts by the rule in judges.py. Genuine files are made under a clock
twenty days back, edits under one six days back. Needs Debian's python3-venv, ghostscript, poppler-utils, qpdf, mupdf-tools, faketime,
nodejs, npm, libpangoft2-1.0-0, libgl1 and libegl1; Python libraries and pdf-lib go into bench/target/accuracy. Only the part of the
page between its two markers is written, and the line of README.md that quotes it.
"""

import argparse, collections, hashlib, json, os, pickle, random, re, shutil, subprocess, sys, time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import judges
from judges import CLEAN, FLAGGED, INCONCLUSIVE, credit, wilson

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ENVIRONMENT = ROOT / "bench" / "target" / "accuracy"
NODE, KEYS = ENVIRONMENT / "node", ENVIRONMENT / "keys"
PAGE, README = ROOT / "docs" / "accuracy.md", ROOT / "README.md"
BEGIN, END = "<!-- measured: bench/accuracy/run.py writes from here -->", "<!-- to here -->"
PROGRAMS = {
    "gs": "ghostscript",
    "pdfsig": "poppler-utils",
    "qpdf": "qpdf",
    "mutool": "mupdf-tools",
    "faketime": "faketime",
    "npm": "npm",
}
SEED = 20250611
SERVICE = "this service"


# ---- what is made, from the seed


@dataclass
class Pair:
    number: int
    editor: str
    writing: str
    signed: bool
    kind: str
    maker: str
    document: str
    seed: int
    certify: int | None = None
    edit: object = None
    failed: str = ""
    proves: str = ""
    rng: object = None
    source: Path | None = None
    node: Path = NODE


@dataclass
class Honest:
    number: int
    workflow: str
    maker: str
    document: str
    seed: int
    values: dict | None = None  # of a form
    failed: str = ""
    password: str = ""


def derived(seed, *parts):
    """A generator of random numbers that depends on nothing but the seed and these words."""
    return random.Random(hashlib.sha256(repr((seed, parts)).encode()).digest())


def planned(options):
    """All pairs and honest files that this seed makes."""
    import documents, edits, honest, writings

    pairs, others = [], []
    cells = [(editor, writing, signed) for editor in edits.EDITORS for writing in writings.WRITINGS for signed in (False, True)]
    streams = ["WeasyPrint", "pdf-lib"]  # write cross-reference streams by themselves
    for turn in range(options.pairs):
        for editor, writing, signed in cells:
            rng = derived(options.seed, "pair", editor, writing, signed, turn)
            kind = rng.choice(edits.EDITORS[editor][1])
            makers = documents.FORM_MAKERS if kind == "form value" else list(documents.MAKERS)
            if writing == "update with table":
                makers = [maker for maker in makers if maker not in streams]
            document = "form" if kind == "form value" else rng.choice(["invoice", "contract", "certificate"])
            pairs.append(Pair(0, editor, writing, signed, kind, rng.choice(makers), document, rng.getrandbits(40)))
    for turn in range(options.honest):
        for workflow, (_, start) in honest.WORKFLOWS.items():
            rng = derived(options.seed, "honest", workflow, turn)
            form = start == "form"
            maker = rng.choice(documents.FORM_MAKERS if form else list(documents.MAKERS))
            others.append(
                Honest(
                    0, workflow, maker, "form" if form else rng.choice(["invoice", "contract", "certificate"]), rng.getrandbits(40)
                )
            )
    if options.quick:
        pairs = derived(options.seed, "quick").sample(pairs, min(60, len(pairs)))
        others = derived(options.seed, "quick").sample(others, min(60, len(others)))
    for number, item in enumerate(pairs):
        item.number = number
    for number, item in enumerate(others):
        item.number = number
    return pairs, others


def file(folder, number):
    return ENVIRONMENT / "files" / folder / f"{number:04}.pdf"


def parallel(function, items):
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(function, items, chunksize=4))


def failure(error):
    return f"{type(error).__name__}: {error}".splitlines()[0][:200]


def make_genuine(item):
    """The genuine file of a pair or of a workflow; for a pair also the edit, which depends on where its words are."""
    import documents, edits, signing, updates

    pair = isinstance(item, Pair)
    path = file("genuine" if pair else "starts", item.number)
    rng = derived(item.seed, "genuine")
    try:
        document = values = None
        if item.document == "form":
            values = documents.form(item.seed, path, item.maker, NODE)
        else:
            document = documents.compose(item.seed, item.document)
            documents.MAKERS[item.maker](document, path, NODE)
        if not pair:
            item.values = values
            return item
        if item.writing == "update with stream" and updates.kind(path.read_bytes()) == "table":
            packed = path.with_suffix(".packed.pdf")
            edits.run(["qpdf", "--warning-exit-0", "--object-streams=generate", path, packed])
            packed.rename(path)
        if values:
            name = rng.choice(["name", "amount", "date"])
            old = values[name].removesuffix(" EUR")
            new = documents.changed_value(rng, name, old) + values[name][len(old) :]
            item.edit = edits.Edit(item.kind, 0, values[name], new, field=name)
        else:
            item.edit = edits.planned(path, document, item.kind, rng)
        if item.signed:
            # values may be filled in after an approval, so a form is certified against any change
            if values:
                signed, item.certify = signing.sign(path.read_bytes(), KEYS, certify=1), 1
            else:
                signed, item.certify = signing.any_signature(path.read_bytes(), KEYS, rng)
            path.write_bytes(signed)
    except Exception as error:
        item.failed = failure(error)
    return item


def shown(path, edit):
    """Number of pages, and the part of the page where the edit is, as pixels."""
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    with pymupdf.open(path) as opened:
        if edit.kind == "removed page":
            return opened.page_count, b""
        page = opened[edit.page]
        clip = None
        if edit.at or edit.box:
            left, bottom, right, top = edit.box or (edit.at[0], edit.at[1] - 3, edit.at[0] + 150, edit.at[1] + edit.size)
            clip = pymupdf.Rect(left - 2, page.rect.height - top - 2, right + 2, page.rect.height - bottom + 2)
        return opened.page_count, page.get_pixmap(dpi=100, colorspace=pymupdf.csGRAY, clip=clip, alpha=False).samples


def shows_otherwise(genuine, twin, edit):
    """Whether a person sees something else: pages are missing, or at least 12 pixels are clearly darker or lighter."""
    (pages, before), (others, after) = shown(genuine, edit), shown(twin, edit)
    return pages != others or sum(abs(a - b) > 80 for a, b in zip(before, after)) >= 12


def make_twin(item):
    import classes, documents, edits, writings

    if item.failed:
        return item
    item.source, item.rng = file("genuine", item.number), derived(item.seed, "twin")
    out = file("twins", item.number)
    edited = out.with_suffix(".edited.pdf")
    try:
        if item.editor == "Poppler" and item.kind in edits.SEEN:
            document = documents.compose(item.seed, item.document)
            for line in document.pages[0]:
                line.text = line.text.replace(item.edit.old, item.edit.new)
            documents.MAKERS[item.maker](document, edited.with_suffix(".forged.pdf"), NODE)
        native = edits.EDITORS[item.editor][2] and item.writing.startswith("update")
        if not native:
            edits.EDITORS[item.editor][0](item.source, edited, item.edit, NODE)
        writings.WRITINGS[item.writing](item, edited, out)
        if not shows_otherwise(item.source, out, item.edit):
            raise edits.Failed("it shows the same as before")
        item.proves = classes.classify(item.source.read_bytes(), out.read_bytes(), item.edit)
    except Exception as error:
        item.failed = failure(error)
    for left in out.parent.glob(f"{item.number:04}.*.pdf"):
        left.unlink()
    item.rng = item.source = None
    return item


def make_honest(item):
    import documents, honest

    if item.failed:
        return item
    document = documents.compose(item.seed, item.document) if item.document != "form" else None
    out = file("honest", item.number)
    job = honest.Job(file("starts", item.number), out, derived(item.seed, "honest"), NODE, KEYS, document, item.values)
    try:
        honest.WORKFLOWS[item.workflow][0](job)
        item.password = job.password
    except Exception as error:
        item.failed = failure(error)
    for left in out.parent.glob(f"{item.number:04}.*.pdf"):
        left.unlink()
    return item


def stage(name, options):
    """Runs under a clock of its own; what it made is pickled for the next one."""
    store = ENVIRONMENT / "files" / "made.pickle"
    if name == "genuine":
        import signing

        signing.make_keys(KEYS)
        pairs, others = planned(options)
        pairs, others = parallel(make_genuine, pairs), parallel(make_genuine, others)
    else:
        pairs, others = pickle.loads(store.read_bytes())
        pairs, others = parallel(make_twin, pairs), parallel(make_honest, others)
    store.write_bytes(pickle.dumps((pairs, others)))


def made(options):
    """Pairs and honest files, on disk."""
    shutil.rmtree(ENVIRONMENT / "files", ignore_errors=True)
    for folder in ("genuine", "twins", "starts", "honest"):
        (ENVIRONMENT / "files" / folder).mkdir(parents=True)
    for name, days in (("genuine", 20), ("edit", 6)):
        arguments = [
            f"--seed={options.seed}",
            f"--pairs={options.pairs}",
            f"--honest={options.honest}",
            *(["--quick"] if options.quick else []),
        ]
        # waiting is by the clock that runs on
        environment = {**os.environ, "FAKETIME_DONT_FAKE_MONOTONIC": "1", "OMP_NUM_THREADS": "1"}
        command = ["faketime", "-f", f"-{days}d", sys.executable, __file__, "--stage", name, *arguments]
        # libraries complain about each other's files
        with open(ENVIRONMENT / f"{name}.log", "w") as log:
            if subprocess.run(command, env=environment, stderr=log).returncode:
                sys.exit(Path(log.name).read_text()[-4000:])
    return pickle.loads((ENVIRONMENT / "files" / "made.pickle").read_bytes())


# ---- what is found


def judged(options, pairs, others):
    """Answers of the service and of the tools: file -> tool -> answer; and what the service says."""
    pairs = [pair for pair in pairs if not pair.failed]
    others = [other for other in others if not other.failed]
    passwords = {str(file("honest", other.number)): other.password for other in others}
    files = [file(folder, pair.number) for pair in pairs for folder in ("genuine", "twins")] + [
        file("honest", other.number) for other in others
    ]
    said = judges.service(options.program, files, sorted({password for password in passwords.values() if password}))
    answers = dict(parallel(judges.judge, [(str(path), passwords.get(str(path), "")) for path in files]))
    for path, tools in answers.items():
        tools[SERVICE] = said[path][0]
    return answers, said


def percent(hits, of):
    low, high = wilson(hits, of)
    return f"{100 * hits / of:.1f} % ({100 * low:.1f} to {100 * high:.1f})" if of else "–"


def table(head, rows):
    lines = [head, ["---"] + ["--:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def counted(pairs, answers, tool):
    return collections.Counter(
        credit(answers[str(file("genuine", pair.number))][tool], answers[str(file("twins", pair.number))][tool]) for pair in pairs
    )


def results(pairs, others, answers):
    """The page's part between its markers, and the one line of the README."""
    import classes, documents, edits, honest, writings

    done = [pair for pair in pairs if not pair.failed]
    provable = [pair for pair in done if pair.proves in classes.PROVABLE]
    rest = [pair for pair in done if pair.proves == classes.NOTHING]
    harmless = [other for other in others if not other.failed and other.workflow not in honest.OPEN]
    opened = [other for other in others if not other.failed and other.workflow in honest.OPEN]
    answer = lambda other, tool: answers[str(file("honest", other.number))][tool]
    tools = [SERVICE, *judges.TOOLS]

    rows = []
    for tool in tools:
        count = counted(provable, answers, tool)
        signed = [pair for pair in provable if pair.signed]
        accused = sum(answer(other, tool) == FLAGGED for other in harmless)
        rows.append(
            [
                tool,
                percent(count["right"], len(provable)),
                count["missed"],
                count["inconclusive"],
                count["genuine flagged"],
                percent(counted(signed, answers, tool)["right"], len(signed)),
                percent(accused, len(harmless)),
            ]
        )
    head = [
        f"{len(provable)} provable pairs, {len(harmless)} honest files",
        "right",
        "missed",
        "inconclusive",
        "genuine file flagged",
        f"right of the {sum(pair.signed for pair in provable)} signed",
        "honest files accused",
    ]
    parts = [table(head, rows)]

    outcome = lambda pair: credit(*(answers[str(file(folder, pair.number))][SERVICE] for folder in ("genuine", "twins")))
    listed = lambda counter: ", ".join(f"{name} ({count})" for name, count in counter.most_common()) or "none"
    missed = collections.Counter(f"{pair.kind}, {pair.proves}" for pair in provable if outcome(pair) == "missed")
    parts += [f"This service misses: {listed(missed)}."]

    def split(words, key, values, chosen):
        rows = []
        for value in values:
            some = [pair for pair in chosen if key(pair) == value]
            if some:
                count = counted(some, answers, SERVICE)
                rows.append(
                    [
                        value,
                        len(some),
                        percent(count["right"], len(some)),
                        count["missed"],
                        count["inconclusive"],
                        count["genuine flagged"],
                    ]
                )
        return table([words, "pairs", "right", "missed", "inconclusive", "genuine file flagged"], rows)

    parts += [
        "### This service, by what the twin proves",
        split("the twin still contains", lambda pair: pair.proves, classes.PROVABLE, provable),
    ]
    parts += [
        "### By signature",
        split("the genuine file is", lambda pair: "signed" if pair.signed else "not signed", ["signed", "not signed"], provable),
    ]
    parts += ["### By editor", split("editor", lambda pair: pair.editor, edits.EDITORS, provable)]
    parts += ["### By way of writing", split("written", lambda pair: pair.writing, writings.WRITINGS, provable)]
    kinds = [*edits.SEEN, "added line", "covered line", "removed page", "replaced image", "form value"]
    parts += ["### By edit", split("edit", lambda pair: pair.kind, kinds, provable)]
    parts += ["### By maker of the genuine file", split("maker", lambda pair: pair.maker, documents.MAKERS, provable)]

    rows = []
    for tool in tools:
        count = counted(rest, answers, tool)
        rows.append([tool, count["right"], count["missed"], count["inconclusive"], count["genuine flagged"]])
    parts += [
        f"### The {len(rest)} pairs whose twin proves nothing",
        table(["", "flagged", "not flagged", "inconclusive", "genuine file flagged"], rows),
    ]

    rows = []
    for tool in tools:
        count = collections.Counter(answer(other, tool) for other in harmless)
        shown = collections.Counter(answer(other, tool) for other in opened)
        rows.append([tool, count[FLAGGED], count[INCONCLUSIVE], count[CLEAN], shown[FLAGGED], shown[INCONCLUSIVE], shown[CLEAN]])
    head = [
        f"{len(harmless)} honest files; {len(opened)} with an open addition",
        "accused",
        "inconclusive",
        "clean",
        "added: reported",
        "added: inconclusive",
        "added: clean",
    ]
    parts += [f"### Honest files, of {len(set(other.workflow for other in harmless))} workflows", table(head, rows)]
    accused = collections.Counter(other.workflow for other in harmless if answer(other, SERVICE) == FLAGGED)
    unsure = collections.Counter(other.workflow for other in harmless if answer(other, SERVICE) == INCONCLUSIVE)
    parts += [f"This service accuses: {listed(accused)}. Inconclusive for it: {listed(unsure)}."]

    failed = collections.Counter(f"{pair.editor}, {pair.kind}" for pair in pairs if pair.failed)
    parts += [
        f"Made: {len(pairs)} pairs, of which {len(pairs) - len(done)} were left out because the editor could not make the edit in this file or "
        f"nothing else was to be seen ({listed(failed)}), and {len(others)} honest files, of which {sum(bool(other.failed) for other in others)} "
        "could not be made."
    ]
    right, bad = counted(provable, answers, SERVICE)["right"], sum(answer(other, SERVICE) == FLAGGED for other in harmless)
    line = (
        f"- **Its accuracy is measured.** Of {len(provable)} edited files that can be proved to be edited it flags {100 * right / len(provable):.1f} %, "
        f"and it accuses {bad} of {len(harmless)} honest files: [accuracy](docs/accuracy.md), with other tools, and one command to repeat it."
    )
    return "\n\n".join(parts), line


def wrapped(line, width=118):
    import textwrap

    return "\n".join(textwrap.wrap(line, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False))


def keep_failures(folder, pairs, others, answers, said):
    """Each provable twin that was missed, each honest or genuine file that was accused, and each inconclusive one, by cause."""
    import classes, honest

    shutil.rmtree(folder, ignore_errors=True)
    rows = []

    def keep(group, name, path, about, beside=None):
        verdict, summary, because = said[str(path)][1:]
        cause = re.sub(r"\W+", "-", f"{about['cause']}").strip("-")
        place = folder / group / cause
        place.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place / name)
        if beside:
            shutil.copy(beside, place / name.replace(".pdf", "-genuine.pdf"))
        rows.append(
            {
                "group": group,
                "file": str((place / name).relative_to(folder)),
                "verdict": verdict,
                "because": because,
                "summary": summary,
                **about,
            }
        )

    for pair in (pair for pair in pairs if not pair.failed):
        genuine, twin = file("genuine", pair.number), file("twins", pair.number)
        about = {key: getattr(pair, key) for key in ("editor", "writing", "signed", "certify", "kind", "maker", "proves")}
        if pair.edit:
            about["edit"] = asdict(pair.edit)
        state = credit(answers[str(genuine)][SERVICE], answers[str(twin)][SERVICE])
        name = f"pair-{pair.number:04}.pdf"
        if state == "genuine flagged":
            keep("accused", name, genuine, {**about, "cause": f"genuine {pair.maker}"})
        elif state != "right" and pair.proves in classes.PROVABLE:
            keep(state, name, twin, {**about, "cause": f"{pair.proves}, {said[str(twin)][1]}, {pair.kind}, {pair.editor}"}, genuine)
    for other in (other for other in others if not other.failed):
        path = file("honest", other.number)
        state = answers[str(path)][SERVICE]
        if state != CLEAN and not (state == FLAGGED and other.workflow in honest.OPEN):
            group = "accused" if state == FLAGGED else "inconclusive-honest"
            about = {"cause": other.workflow, "maker": other.maker, "password": other.password}
            keep(group, f"honest-{other.number:04}.pdf", path, about, file("starts", other.number))
    rows.sort(key=lambda row: (row["group"], row["cause"]))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "list.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    counts = collections.Counter((row["group"], row["cause"]) for row in rows)
    (folder / "causes.txt").write_text(
        "".join(
            f"{count:4}  {group}: {cause}\n"
            for (group, cause), count in sorted(counts.items(), key=lambda item: (item[0][0], -item[1]))
        )
    )


# ---- the run


def environment():
    """Python with the pinned libraries, and pdf-lib; starts this program again within it."""
    missing = sorted({package for program, package in PROGRAMS.items() if not shutil.which(program)})
    if missing:
        sys.exit(f"missing, as Debian's packages are called: {' '.join(missing)}")
    python, pinned = ENVIRONMENT / "venv/bin/python", (HERE / "requirements.txt").read_text()
    stamp = ENVIRONMENT / "venv/installed.txt"
    if not stamp.exists() or stamp.read_text() != pinned:
        subprocess.run([sys.executable, "-m", "venv", "--clear", ENVIRONMENT / "venv"], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "-r", HERE / "requirements.txt"], check=True)
        stamp.write_text(pinned)
    NODE.mkdir(parents=True, exist_ok=True)
    lock = (HERE / "package-lock.json").read_text()
    for name in ("package.json", "package-lock.json", "pages.mjs"):
        shutil.copy(HERE / name, NODE / name)
    stamp = NODE / "installed.json"
    if not stamp.exists() or stamp.read_text() != lock:
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--silent"], check=True, cwd=NODE)
        stamp.write_text(lock)
    os.execv(python, [python, __file__, *sys.argv[1:]])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--pairs", type=int, default=3, help="pairs of each editor, way of writing, and signed or not")
    parser.add_argument("--honest", type=int, default=16, help="files of each honest workflow")
    parser.add_argument("--quick", action="store_true", help="60 pairs and 60 honest files, and no page is written")
    parser.add_argument("--program", help="the built pdf-analysis; built if not given")
    parser.add_argument("--failures", type=Path, help="folder for the files that were missed, accused or inconclusive")
    parser.add_argument("--judge-only", action="store_true", help="asks again about the files that the last run made")
    parser.add_argument("--self-test", action="store_true", help="checks the rule and the intervals, and makes nothing")
    parser.add_argument("--stage", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.self_test:
        return judges.self_test()
    if Path(sys.prefix).resolve() != (ENVIRONMENT / "venv").resolve():
        environment()
    if options.stage:
        return stage(options.stage, options)
    if not options.program:
        subprocess.run(["cargo", "build", "--quiet", "--workspace", "--bin", "pdf-analysis"], check=True, cwd=ROOT)
        options.program = str(ROOT / "target/debug/pdf-analysis")
    started, spent = time.monotonic(), ENVIRONMENT / "files" / "seconds.txt"
    if options.judge_only:
        pairs, others = pickle.loads((ENVIRONMENT / "files" / "made.pickle").read_bytes())
        started -= float(spent.read_text())
    else:
        pairs, others = made(options)
        spent.write_text(str(time.monotonic() - started))
    answers, said = judged(options, pairs, others)
    written, line = results(pairs, others, answers)
    minutes = (time.monotonic() - started) / 60
    written = f"Seed {options.seed}; {minutes:.0f} minutes on {os.cpu_count()} processors.\n\n{written}"
    if options.failures:
        keep_failures(options.failures, pairs, others, answers, said)
    if options.quick:
        return print(written)
    before, rest = PAGE.read_text().split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n\n{written}\n\n{END}{rest.split(END)[1]}")
    page = re.sub(
        r"- \*\*Its accuracy is measured\.\*\*.*?(?=\n(?:- |\n))", lambda _: wrapped(line), README.read_text(), flags=re.S
    )
    README.write_text(page)


if __name__ == "__main__":
    main()
