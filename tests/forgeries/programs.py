"""Honest work by programs that are not Python's: iText 2 and 5, PDFBox 2 (Debian's), pdf-lib and @signpdf (npm's).

`PROGRAMS_NODE` names the folder with `node_modules`. What is not installed is said to be not made.
"""

import os
import pathlib
import random
import re
import shutil
import subprocess
import tempfile

import honest
import signed
from honest import Work

HERE = pathlib.Path(__file__).parent
JARS = ("itext", "itext5", "pdfbox2", "fontbox2", "commons-logging", "bcprov", "bcpkix", "bcutil", "bcmail")
JAVA = ["java", "-cp", ":".join(f"/usr/share/java/{jar}.jar" for jar in JARS), str(HERE / "Programs.java")]


def node(folder):
    """The script beside its modules, where alone Node.js finds them."""
    script = pathlib.Path(folder) / "programs.mjs"
    shutil.copy(HERE / "programs.mjs", script)
    return ["node", str(script)]


def commands():
    if shutil.which("java") and all(pathlib.Path(f"/usr/share/java/{jar}.jar").exists() for jar in JARS):
        yield "Java", JAVA
    if shutil.which("node") and os.environ.get("PROGRAMS_NODE"):
        yield "Node.js", node(os.environ["PROGRAMS_NODE"])


def done_to(files, is_signed):
    """Everything that the programs do to these: name → bytes."""
    found = dict(commands())
    for missing in {"Java", "Node.js"} - found.keys():
        yield Work("not installed: " + missing, "", b"", is_signed)
    with tempfile.TemporaryDirectory() as folder:
        source, key = pathlib.Path(folder) / "in", pathlib.Path(folder) / "key.p12"
        source.mkdir()
        honest.key_file(key)
        for name, file in files.items():
            (source / name).write_bytes(file)
        for kind, command in found.items():
            target = pathlib.Path(folder) / kind
            target.mkdir()
            done = subprocess.run(
                [*command, str(key), str(source), str(target)], capture_output=True, text=True, timeout=600, check=False
            )
            for line in done.stderr.splitlines():
                if "no form" not in line and re.search(r"\.pdf: ", line):
                    yield Work("not made: " + line.split(",")[0], line, b"", is_signed)
            made = sorted(target.iterdir())
            if not made and not (is_signed and kind == "Node.js"):
                yield Work(f"not made: {kind} {done.stderr[-300:]}", "", b"", is_signed)
            for path in made:
                family = "signed: " if is_signed else "unsigned: "
                yield Work(family + path.name.split(",")[0], path.stem, path.read_bytes(), is_signed)


def signed_works(seed, rounds):
    bases = [
        signed.base(f"{seed} {turn} {level} programs", level=level, xref_stream=turn % 2 == 1, trap=False)
        for turn in range(rounds)
        for level in (0, 1, 2, 3)
    ]
    yield from done_to(
        {
            f"P{base.level}-{place}-{'stream' if base.xref_stream else 'table'}.pdf": base.file
            for place, base in enumerate(bases)
        },
        True,
    )


def unsigned_works(seed):
    rng = random.Random(f"programs {seed}")
    yield from done_to({f"{birth.__name__}.pdf": birth(rng) for birth in honest.BIRTHS}, False)
