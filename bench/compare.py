#!/usr/bin/env python3
"""Compares the engine with what a user would pick instead, on the same files, and writes bench/measurements.md.

Usage: bench/compare.py [--rounds N] [--more FOLDER] [--programs FOLDER] [--inspect PROGRAM]

Files are made in code; those of the folder that PDF_CORPUS names are read as well, and for the tables of verdicts and of
signatures those of a second one. Libraries pass over all files in one process each, with the files in memory; programs
are started once a file. Runs are interleaved, medians count, and every
ratio is of one run of this script. Needs pdfinfo, qpdf, mutool, exiftool and GNU time; Python libraries go into an
environment of their own. Only the part of the page between its two markers is written; charts are written beside it.
"""
import argparse, json, math, os, platform, signal, statistics, subprocess, sys, time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / "bench" / "target" / "compare"
MADE = ENVIRONMENT / "files"
PAGE = ROOT / "bench" / "measurements.md"
PROGRAMS = ROOT / "target" / "release" / "examples"
BEGIN, END = "<!-- measured: bench/compare.py writes from here -->", "<!-- to here -->"
LIBRARIES = ["ours", "hayro-syntax", "lopdf", "pypdfium2", "PyMuPDF", "pikepdf", "pypdf"]
PYTHON = LIBRARIES[3:]
PYHANKO = "pyHanko==0.38.0"  # validates signatures, and analyses what came after them
KINDS = ["one revision", "later saves", "signed", "refused"]
LARGE = ["classic", "object-streams", "linearized", "damaged"]
SINGLE = 24  # real files that are read by a process each, or some more
LONGEST = 30  # seconds a library may take for all files
SLOWEST = 10  # seconds a Python library may take for one file


# ---- inside the Python environment: pass over the files named on standard input, as the `readers` example does


def python_reader(name):
    """The function with which this library reads page count, version and Info of a file in memory; pyHanko, its signatures."""
    import io, logging, warnings

    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    if name == "pypdfium2":
        import pypdfium2

        def read(data):
            pdf = pypdfium2.PdfDocument(data)
            return len(pdf), pdf.get_version(), pdf.get_metadata_dict()
    elif name == "PyMuPDF":
        import pymupdf

        pymupdf.TOOLS.mupdf_display_errors(False)
        pymupdf.TOOLS.mupdf_display_warnings(False)

        def read(data):
            with pymupdf.open(stream=data, filetype="pdf") as pdf:
                return pdf.page_count, pdf.metadata
    elif name == "pikepdf":
        import pikepdf

        def read(data):
            with pikepdf.open(io.BytesIO(data)) as pdf:
                return len(pdf.pages), pdf.pdf_version, {key: str(value) for key, value in pdf.docinfo.items()}
    elif name == "pyHanko":
        import asyncio
        from pyhanko.pdf_utils.reader import PdfFileReader
        from pyhanko.sign.validation import async_validate_pdf_signature, async_validate_pdf_timestamp
        from pyhanko.sign.validation.errors import SignatureValidationError
        from pyhanko_certvalidator import ValidationContext

        loop = asyncio.new_event_loop()

        async def validate(pdf):
            nobody = lambda: ValidationContext(trust_roots=[], allow_fetching=False)
            for signature in pdf.embedded_regular_signatures:
                await async_validate_pdf_signature(signature, nobody())
            for timestamp in pdf.embedded_timestamp_signatures:
                await async_validate_pdf_timestamp(timestamp, nobody())

        def read(data):
            try:
                loop.run_until_complete(validate(PdfFileReader(io.BytesIO(data), strict=False)))
            except SignatureValidationError:
                pass  # that it is not valid is an answer
    else:
        import pypdf

        def read(data):
            pdf = pypdf.PdfReader(io.BytesIO(data))
            return len(pdf.pages), pdf.pdf_header, dict(pdf.metadata or {})

    return read


def worker(name, passes):
    def late(*_):
        raise TimeoutError

    signal.signal(signal.SIGALRM, late)
    files = [Path(line.rstrip("\n")).read_bytes() for line in sys.stdin]
    read = python_reader(name)
    for _ in range(passes):
        for data in files:
            signal.alarm(SLOWEST)
            start = time.process_time_ns()
            try:
                read(data)
                sign = 1
            except Exception:
                sign = -1
            print(sign * (time.process_time_ns() - start), end=" ")
            signal.alarm(0)
        print()


# ---- libraries: processor time in one process


def times(command, files, passes):
    """Nanoseconds of each file in the last of several passes of one process; none if it died or did not end. They are
    negative where a Python library failed."""
    names = "".join(f"{file}\n" for file in files)
    try:
        done = subprocess.run(command + [str(passes)], input=names, text=True, capture_output=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return None
    lines = done.stdout.splitlines()
    return [int(nanoseconds) for nanoseconds in lines[-1].split()] if done.returncode == 0 and lines else None


def in_process(tools, files, rounds, passes=2, names=LIBRARIES):
    """For each library the median of each file's time over interleaved rounds."""
    taken = {name: [] for name in names}
    for round_ in range(rounds):
        for name in names:
            if name == "pypdf" and round_ > 0 and len(files) > 10:
                continue  # takes longer than all others together; once is enough
            if round_ > 0 and not taken[name]:
                continue  # did not get through
            result = times(tools.libraries[name], files, passes if name != "pypdf" else 1)
            if result:
                taken[name].append([abs(nanoseconds) for nanoseconds in result])
    return {name: [statistics.median(file) for file in zip(*runs)] for name, runs in taken.items() if runs}


# ---- programs: one process a file


def run(command, bytes_read=False):
    """Processor time in seconds of one process, and the bytes it read if asked for."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    read = None
    if bytes_read:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        counters = Path(f"/proc/{process.pid}/io").read_text()
        read = int(counters.split("rchar:")[1].split()[0])
    usage = os.wait4(process.pid, 0)[2]
    process.returncode = 0
    return usage.ru_utime + usage.ru_stime, read


def memory(command):
    """Most memory of a process in KB, by GNU time, whose own is too little to be seen."""
    done = subprocess.run(["/usr/bin/time", "-f", "%M", *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return int(done.stderr.split()[-1])


def per_process(tools, files, rounds):
    """For each program the median over files of processor time, memory and bytes read."""
    empty = run(["/bin/true"], bytes_read=True)[1]
    taken = {name: {file: [] for file in files} for name in tools.programs}
    for _ in range(rounds):
        for file in files:
            for name, command in tools.programs.items():
                taken[name][file].append(run(command(file))[0])
    result = {}
    for name, runs in taken.items():
        sample = files[:: max(1, len(files) // 40)]
        result[name] = {
            "cpu": statistics.median(statistics.median(run_) for run_ in runs.values()),
            "memory": statistics.median(memory(tools.programs[name](file)) for file in sample),
            "read": statistics.median(max(0, run(tools.programs[name](file), True)[1] - empty) for file in sample),
        }
    return result


# ---- the page


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def chart(name, title, bars, unit):
    """An SVG of horizontal bars on a logarithmic scale, legible in light and dark; its Markdown reference."""
    bars = sorted(bars, key=lambda bar: bar[1])
    least, most = bars[0][1] / 1.6, bars[-1][1]
    width, row = 720, 30
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {row * len(bars) + 52}" role="img" '
        f'aria-label="{title}" font-family="system-ui, sans-serif" font-size="14">',
        "<style>text{fill:#1f2328}.bar{fill:#8c959f}.ours{fill:#0969da}"
        "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.bar{fill:#6e7681}.ours{fill:#4493f8}}</style>",
        f'<text x="0" y="20" font-weight="600">{title}</text>',
    ]
    for index, (label, value) in enumerate(bars):
        y = 36 + row * index
        length = max(2, 430 * math.log(value / least) / math.log(most / least))
        kind = "ours" if label == "this engine" else "bar"
        lines.append(f'<text x="150" y="{y + 16}" text-anchor="end">{label}</text>')
        lines.append(f'<rect class="{kind}" x="160" y="{y}" width="{length:.0f}" height="22" rx="3"/>')
        lines.append(f'<text x="{168 + length:.0f}" y="{y + 16}">{number(value)} {unit}</text>')
    lines.append(f'<text x="160" y="{46 + row * len(bars)}" font-size="11">logarithmic scale; shorter is better</text></svg>')
    (PAGE.parent / "images" / f"{name}.svg").write_text("\n".join(lines) + "\n")
    return f"![{title}](images/{name}.svg)\n"


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def shown(name):
    return "this engine" if name in ("ours", "inspect") else name


def of_kinds(times_, kinds, *wanted):
    return [time_ for time_, kind_ in zip(times_, kinds.values()) if kind_ in wanted]


def libraries_section(taken, kinds):
    """The libraries on the files of the corpus: first those that have next to nothing but metadata, then the others."""
    alone = {name: of_kinds(times_, kinds, "one revision") for name, times_ in taken.items()}
    others = {"later saves": ["later saves", "signed"], "refused": ["refused"], "AES-256": ["AES-256"]}
    rows = []
    for name in sorted(alone, key=lambda name: sum(alone[name])):
        total = sum(alone[name])
        ratios = [f"{total / sum(alone[other]):.2f} ×" for other in ("ours", "hayro-syntax")]
        rest = [number(sum(of_kinds(taken[name], kinds, *wanted)) / 1e6) for wanted in others.values()]
        rows.append([shown(name), number(total / 1e6), number(statistics.median(alone[name]) / 1e3), *ratios, *rest])
    head = ["library", "all, ms", "median, µs", "to this engine", "to hayro-syntax"]
    head += [f"{len(of_kinds(kinds, kinds, *wanted))} {what}, ms" for what, wanted in others.items()]
    what = (
        "Processor time, files in memory; the first columns are the files of one revision. All but this engine read no more than "
        "page count, version and Info. Deriving an AES-256 key hides everything else. "
        f"A library that is missing did not get through in {LONGEST} s."
    )
    return f"### Metadata alone: {len(alone['ours'])} real files of one revision\n\n{what}\n\n" + table(head, rows)


def programs_rows(taken):
    ours = taken["inspect"]["cpu"]
    order = sorted(taken, key=lambda name: taken[name]["cpu"])
    return [
        [
            shown(name) + (" (`inspect`)" if name == "inspect" else ""),
            number(taken[name]["cpu"] * 1e3),
            f"{taken[name]['cpu'] / ours:.1f} ×",
            number(taken[name]["memory"] / 1024),
            number(taken[name]["read"] / 1024),
        ]
        for name in order
    ]


def machine():
    model = next(line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name"))
    return f"{os.cpu_count()} × {model}, {platform.system()} {platform.machine()}, load {os.getloadavg()[0]:.1f} at the start"


def versions(tools):
    first = lambda *command: (subprocess.run(command, capture_output=True, text=True, errors="replace"))
    line = lambda done: (done.stdout or done.stderr).strip().splitlines()[0]
    found = [line(first("pdfinfo", "-v")), line(first("qpdf", "--version")), line(first("mutool", "-v")),
             "exiftool " + line(first("exiftool", "-ver"))]
    listed = json.loads(subprocess.run([tools.python, "-m", "pip", "list", "--format=json"], capture_output=True).stdout)
    wanted = {name.lower() for name in [*PYTHON, "pyHanko"]}
    found += [f"{entry['name']} {entry['version']}" for entry in listed if entry["name"].lower() in wanted]
    return ", ".join(found)


def kinds_of(tools, folder):
    """What each file of a folder is to the engine: one of the kinds, or encrypted with AES-256."""
    folder = folder / "files" if (folder / "files").is_dir() else folder
    files = sorted(file for file in folder.iterdir() if file.is_file())
    answers = subprocess.run([*tools.inspect, *map(str, files)], capture_output=True, text=True).stdout.splitlines()
    return {file: kind(file, answer) for file, answer in zip(files, answers)}


def kind(file, answer):
    if '"algorithm":"AES-256"' in answer or b"AESV3" in file.read_bytes():
        return "AES-256"
    answer = json.loads(answer)
    if not answer["ok"]:
        return "refused"
    integrity = answer["metadata"]["integrity"]
    return "signed" if integrity["signatures"] else "later saves" if len(integrity["revisions"]) > 1 else "one revision"


def verdicts_section(tools, kinds, rounds):
    """What files cost that have more to be judged than others, and what looking at their pages costs."""
    names = ["ours", "content", "hayro-syntax"]
    taken = in_process(tools, list(kinds), rounds, names=names)
    rows = []
    for kind_ in KINDS:
        of_kind = {name: of_kinds(taken[name], kinds, kind_) for name in names}
        if of_kind["ours"]:
            row = [kind_, str(len(of_kind["ours"]))]
            for times_ in of_kind.values():
                row += [number(statistics.median(times_) / 1e3), number(sum(times_) / 1e6)]
            rows.append(row)
    head = ["kind", "files", "without content, µs", "all, ms", "with content, µs", "all, ms", "hayro-syntax, µs", "all, ms"]
    return ("### What verdict and content cost\n\nEvery file has a verdict, but one of a single revision without a signature pays next "
            "to nothing for it: what the next two kinds pay more is the verdict's. hayro-syntax opens a file and counts its pages. "
            "Processor time, median and all.\n\n" + table(head, rows))


def signatures_section(tools, files, rounds):
    """Verdicts on signed files beside pyHanko's."""
    taken = in_process(tools, files, rounds, names=["ours", "pyHanko"])
    answered = {"ours": len(files), "pyHanko": sum(time_ > 0 for time_ in times(tools.libraries["pyHanko"], files, 1))}
    ratio = statistics.median(theirs / ours for ours, theirs in zip(taken["ours"], taken["pyHanko"]))
    rows = [[shown(name), f"{answered[name]} of {len(files)}", number(statistics.median(times_) / 1e3), number(sum(times_) / 1e6),
             f"{ratio if name == 'pyHanko' else 1:.0f} ×"] for name, times_ in taken.items()]
    head = ["", "files answered", "median file, µs", "all, ms", "to this engine, median"]
    return ("### Verdicts on signed files\n\nFiles in which this engine finds a signature. Processor time of the whole analysis without "
            "content, and of pyHanko's validation of every signature with its difference analysis; it trusts nobody here and "
            "fetches nothing.\n\n" + table(head, rows))


def build(*examples):
    """Builds these programs of the package, in PROGRAMS."""
    names = [part for name in examples for part in ("--example", name)]
    package = ["--package", "bench", "--features", "programs"]
    subprocess.run(["cargo", "build", "--release", "--quiet", *package, *names], check=True, cwd=ROOT)


class Tools:
    """What is compared, built and installed where it is missing."""

    def __init__(self, options):
        programs = Path(options.programs or PROGRAMS)
        if not options.programs:
            build("make", "readers")
        if not options.inspect:
            subprocess.run(["cargo", "build", "--release", "--quiet", "--bin", "pdf-analysis"], check=True, cwd=ROOT)
        self.inspect = [options.inspect or str(ROOT / "target/release/pdf-analysis"), "inspect", "--no-content"]
        self.make = str(programs / "make")
        self.python = str(ENVIRONMENT / "bin/python")
        if not Path(self.python).exists():
            subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
        subprocess.run([self.python, "-m", "pip", "install", "--quiet", *PYTHON, PYHANKO], check=True)
        self.libraries = {name: [str(programs / "readers"), name] for name in ["ours", "content", "hayro-syntax", "lopdf"]}
        self.libraries |= {name: [self.python, __file__, "worker", name] for name in [*PYTHON, "pyHanko"]}
        self.programs = {
            "inspect": lambda file: [*self.inspect, str(file)],
            "mutool info -M": lambda file: ["mutool", "info", "-M", str(file), "1"],
            "qpdf --show-npages": lambda file: ["qpdf", "--show-npages", str(file)],
            "pdfinfo": lambda file: ["pdfinfo", str(file)],
            "exiftool": lambda file: ["exiftool", str(file)],
            "(an empty process)": lambda file: ["/bin/true"],
        }


def measure(options):
    tools = Tools(options)
    if not (MADE / "100-kb").exists():
        subprocess.run([tools.make, MADE], check=True)
    small = sorted(file for file in MADE.glob("*.pdf") if not file.name.startswith("large"))
    parts = [f"Measured on {machine()}; medians of {options.rounds} interleaved rounds. {versions(tools)}.\n"]
    folder = os.environ.get("PDF_CORPUS")
    if folder:
        kinds = kinds_of(tools, Path(folder))
        taken = in_process(tools, list(kinds), options.rounds)
        parts.append(libraries_section(taken, kinds))
        alone = {shown(name): of_kinds(times_, kinds, "one revision") for name, times_ in taken.items()}
        bars = [(name, sum(times_) / 1e6) for name, times_ in alone.items()]
        title = f"{len(alone['this engine'])} real files of one revision: processor time"
        parts.append(chart("performance-corpus", title, bars, "ms"))
        corpus = [file for file, kind_ in kinds.items() if kind_ != "AES-256"]
        if options.more:
            kinds |= kinds_of(tools, Path(options.more))
        kinds = {file: kind_ for file, kind_ in kinds.items() if kind_ != "AES-256"}
        parts.append(verdicts_section(tools, kinds, options.rounds))
        signed = [file for file, kind_ in kinds.items() if kind_ == "signed"]
        if signed:
            parts.append(signatures_section(tools, signed, options.rounds))
        single = corpus[:: max(1, len(corpus) // SINGLE)]
        what = f"{len(single)} of the real files"
    else:
        single, what = small, "the files made in code"
    parts.append(made_section(tools, small, options.rounds))
    taken = per_process(tools, single, 3)
    parts.append(f"### One process a file\n\n{what[0].upper() + what[1:]}, medians over files: processor time, start-up included.\n\n"
                 + table(["program", "ms", "to this engine", "memory, MB", "read, KB"], programs_rows(taken)))
    bars = [(shown(name), run_["cpu"] * 1e3) for name, run_ in taken.items()]
    parts.append(chart("performance-process", "One process a file: processor time, start-up included", bars, "ms"))
    parts.append(large_section(tools, options.rounds))
    return "\n".join(parts)


def made_section(tools, small, rounds):
    """The libraries on files made in code."""
    large = [MADE / f"large-{kind}.pdf" for kind in LARGE]
    rows = in_process(tools, small, max(5, rounds), passes=20), in_process(tools, large, rounds, passes=4)
    head = ["library"] + [f"{file.stem}, µs" for file in small] + [f"{file.stem}, ms" for file in large]
    cells = lambda name: [time_ / 1e3 for time_ in rows[0][name]] + [time_ / 1e6 for time_ in rows[1].get(name, [])]
    return ("### One file of each kind in one process\n\nProcessor time. Half a megabyte each but for the tiny one; the large have 100 MB "
            "with 4,200 images and pages. The damaged have lost their end.\n\n"
            + table(head, [[shown(name), *map(number, cells(name))] for name in LIBRARIES if name in rows[0]]))


def large_section(tools, rounds):
    """The programs on files of 100 MB."""
    files = [MADE / f"large-{kind}.pdf" for kind in LARGE]
    results = [per_process(tools, [file], max(5, rounds)) for file in files]
    head = ["program"] + [column for kind in LARGE for column in (f"{kind}, ms", "read, KB")]
    rows = [
        [shown(name)] + [number(value) for result in results for value in (result[name]["cpu"] * 1e3, result[name]["read"] / 1024)]
        for name in tools.programs
    ]
    return "### 100 MB on disk, one process\n\nProcessor time, start-up included, and what was read.\n\n" + table(head, rows)


def main():
    if sys.argv[1:2] == ["worker"]:
        return worker(sys.argv[2], int(sys.argv[3]))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7, help="interleaved rounds of every measure")
    parser.add_argument("--more", help="folder of files that were saved again or signed, for their own tables")
    parser.add_argument("--programs", help="folder of the built examples make and readers; built if not given")
    parser.add_argument("--inspect", help="a built server; built if not given")
    measured = measure(parser.parse_args())
    before, rest = PAGE.read_text().split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n\n{measured}\n{END}{rest.split(END)[1]}")


if __name__ == "__main__":
    main()
