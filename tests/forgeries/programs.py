"""Honest work by programs that are not Python's: iText 2 and 5, PDFBox 2, Poppler, PoDoFo, exiftool and pdftk (Debian's),
pdf-lib, pdf.js and @signpdf (npm's).

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


# By the lowest level that permits them; KEY is a folder with `key.pem`, `certificate.pem` and `nss`.
SIGNED_COMMANDS = {
    "date by exiftool": (1, ["exiftool", "-q", "-o", "OUT", "-ModifyDate=2024:03:01 12:00:00", "IN"]),
    "signature by Poppler": (2, ["pdfsig", "-nssdir", "KEY/nss", "-add-signature", "-nick", "second", "IN", "OUT"]),
    "standing field by Poppler": (
        2,
        ["pdfsig", "-nssdir", "KEY/nss", "-sign", "Standing", "-nick", "second", "IN", "OUT"],
    ),
    "signature by PoDoFo": (
        2,
        ["podofosign", "-in", "IN", "-out", "OUT", "-cert", "KEY/certificate.pem", "-pkey", "KEY/key.pem"],
    ),
}
UNSIGNED_COMMANDS = {
    "stamp by pdftk": ["pdftk", "IN", "stamp", "KEY/stamp.pdf", "output", "OUT"],
    "background by pdftk": ["pdftk", "IN", "background", "KEY/letter.pdf", "output", "OUT"],
    "compress by pdftk": ["pdftk", "IN", "output", "OUT", "compress"],
    "rotate by pdftk": ["pdftk", "IN", "cat", "1-endeast", "output", "OUT"],
    "overlay by qpdf": ["qpdf", "IN", "--overlay", "KEY/stamp.pdf", "--repeat=1", "--", "OUT"],
    "underlay by qpdf": ["qpdf", "IN", "--underlay", "KEY/letter.pdf", "--repeat=1", "--", "OUT"],
}


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
            if not made:
                yield Work(f"not made: {kind} {done.stderr[-300:]}", "", b"", is_signed)
            for path in made:
                family = "signed: " if is_signed else "unsigned: "
                yield Work(family + path.name.split(",")[0], path.stem, path.read_bytes(), is_signed)


def keys(folder, rng):
    """The second signer's key and certificate, and pages to be put over and under others."""
    honest.pem_files(folder)
    honest.key_file(folder / "key.p12")
    (folder / "nss").mkdir()
    store = ["-d", str(folder / "nss")]
    if shutil.which("certutil"):
        for command in (
            ["certutil", "-N", *store, "--empty-password"],
            ["pk12util", "-i", str(folder / "key.p12"), "-W", "forge", *store, "-K", ""],
            ["certutil", "-M", *store, "-n", "second", "-t", "CTu,CTu,CTu"],
        ):
            subprocess.run(command, capture_output=True, check=False)
    (folder / "stamp.pdf").write_bytes(honest.one_page(honest.overlay_page(rng)))
    (folder / "letter.pdf").write_bytes(honest.one_page(honest.letterhead(rng)))


def commanded(files, commands, is_signed, rng):
    """What single commands do to the files."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        keys(folder, rng)
        for name, file in files.items():
            for what, command in commands(name).items():
                family = ("signed: " if is_signed else "unsigned: ") + what
                command = [part.replace("KEY", str(folder)) for part in command]
                try:
                    yield Work(family, f"{what}, {name}", honest.run(command, file), is_signed)
                except (OSError, subprocess.SubprocessError) as error:
                    yield Work("not made: " + what, f"{name}: {error!r}", b"", is_signed)


def signed_commands(name):
    level = int(name[1]) or 2
    return {what: command for what, (least, command) in SIGNED_COMMANDS.items() if level >= least}


def signed_works(seed, rounds):
    rng = random.Random(f"programs {seed}")
    bases = [
        signed.base(f"{seed} {turn} {level} programs", level=level, xref_stream=turn % 2 == 1, trap=False)
        for turn in range(rounds)
        for level in (0, 1, 2, 3)
    ]
    files = {
        f"P{base.level}-{place}-{'stream' if base.xref_stream else 'table'}.pdf": base.file
        for place, base in enumerate(bases)
    }
    yield from done_to(files, True)
    yield from commanded(files, signed_commands, True, rng)


def unsigned_works(seed):
    rng = random.Random(f"programs {seed}")
    files = {f"{birth.__name__}.pdf": birth(rng) for birth in honest.BIRTHS}
    yield from done_to(files, False)
    yield from commanded(files, lambda name: UNSIGNED_COMMANDS, False, rng)
