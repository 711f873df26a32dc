"""The service and the tools beside it, each with one of three answers, and the rule by which answers are counted.

Needs nothing but Python for the rule and the intervals; `python3 judges.py` checks these.
"""

import io, json, math, re, subprocess, tempfile
from pathlib import Path

FLAGGED, CLEAN, INCONCLUSIVE = "flagged", "clean", "inconclusive"
OUTCOMES = {"needs_review": FLAGGED, "no_findings": CLEAN, "inconclusive": INCONCLUSIVE}


# ---- the rule


def credit(genuine, twin):
    """What a pair counts as. Only an edited twin that is flagged beside a genuine file that is not is right."""
    if genuine == FLAGGED:
        return "genuine flagged"
    return {FLAGGED: "right", CLEAN: "missed", INCONCLUSIVE: "inconclusive"}[twin]


def wilson(hits, of, z=1.959963984540054):
    """The 95 % interval of a share, by Wilson."""
    if not of:
        return 0.0, 1.0
    share, square = hits / of, z * z
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = z / (1 + square / of) * math.sqrt(share * (1 - share) / of + square / (4 * of * of))
    return max(0.0, middle - half), min(1.0, middle + half)


def self_test():
    close = lambda got, wanted: all(abs(a - b) < 5e-4 for a, b in zip(got, wanted))
    # Newcombe 1998, Statistics in Medicine 17: 857-872, table I, method 3
    assert close(wilson(81, 263), (0.2553, 0.3662)), wilson(81, 263)
    assert close(wilson(15, 148), (0.0624, 0.1605)), wilson(15, 148)
    assert close(wilson(0, 20), (0.0, 0.1611)), wilson(0, 20)
    assert close(wilson(1, 29), (0.0061, 0.1718)), wilson(1, 29)
    assert wilson(20, 20)[1] == 1.0 and wilson(0, 0) == (0.0, 1.0)
    outcomes = (FLAGGED, CLEAN, INCONCLUSIVE)
    right = [(genuine, twin) for genuine in outcomes for twin in outcomes if credit(genuine, twin) == "right"]
    # who flags everything, nothing, or never decides gets no credit
    assert right == [(CLEAN, FLAGGED), (INCONCLUSIVE, FLAGGED)], right
    assert credit(CLEAN, CLEAN) == "missed" and credit(CLEAN, INCONCLUSIVE) == "inconclusive"
    assert {credit(FLAGGED, twin) for twin in outcomes} == {"genuine flagged"}
    assert dates(b"%PDF-1.7\n/CreationDate (D:20250101120000Z) /ModDate (D:20250101120000Z)\n%%EOF\n") == CLEAN
    assert dates(b"%PDF-1.7\n/CreationDate (D:20250101120000Z) /ModDate (D:20250102120000Z)\n%%EOF\n") == FLAGGED
    assert dates(b"%PDF-1.7\n%%EOF\n1 0 obj\n%%EOF\n") == FLAGGED
    print("accuracy: the rule and the intervals are right")


# ---- the service


def service(program, files, passwords):
    """Answers of the service's command line: file -> (answer, verdict, summary, decisive signals)."""
    answers = {}
    with tempfile.NamedTemporaryFile("w") as names, tempfile.NamedTemporaryFile("w") as known:
        names.write("\n".join(map(str, files)))
        known.write("\n".join(passwords))
        names.flush(), known.flush()
        command = [program, "inspect", "--format", "json", "--passwords", known.name, "--files-from", names.name]
        done = subprocess.run(command, capture_output=True, text=True)
    for line in done.stdout.splitlines():
        said = json.loads(line)
        if said["ok"]:
            found = said["metadata"]["integrity"]
            answers[said["path"]] = (OUTCOMES[found["outcome"]], found["verdict"], found["summary"], found["because"])
        else:
            answers[said["path"]] = (INCONCLUSIVE, "analysis_failed", json.dumps(said.get("error")), [])
    return answers


# ---- the tools beside it


def dates(data):
    """More than one end of file, or a modification date that is not the creation date, as many checklists say."""
    from_text = {}
    for key in (b"CreationDate", b"ModDate"):
        found = re.findall(rb"/" + key + rb"\s*\(([^)]*)\)", data)
        from_text[key] = found[-1] if found else None
    created, modified = (value and re.sub(rb"\D", b"", value)[:14] for value in from_text.values())
    ends = data.count(b"%%EOF")
    return FLAGGED if ends > 1 or (created and modified and created != modified) else CLEAN


def dates_of_file(path, password):
    """The same, with dates in object streams too."""
    import pikepdf

    data = path.read_bytes()
    if dates(data) == FLAGGED:
        return FLAGGED
    try:
        with pikepdf.open(path, password=password or "") as pdf:
            values = [re.sub(r"\D", "", str(pdf.docinfo[key]))[:14] for key in ("/CreationDate", "/ModDate") if key in pdf.docinfo]
    except pikepdf.PdfError:
        return INCONCLUSIVE
    return FLAGGED if len(set(values)) > 1 else CLEAN


def pdfsig(path, password):
    """Poppler's: a signature that is not valid, or none that covers the file to its end. Without a signature it has no answer."""
    command = ["pdfsig", "-nocert", *(["-upw", password] if password else []), str(path)]
    try:
        said = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60).stdout
    except subprocess.TimeoutExpired:
        return INCONCLUSIVE
    found = re.findall(r"Signature Type: (.*)|Signature Validation: (.*)", said)
    # of time-stamps it knows no type and validates nothing
    types, states = ([text for text in texts if text] for texts in zip(*found)) if found else ([], [])
    if len(types) == len(states):
        states = [state for kind, state in zip(types, states) if kind != "unknown"]
    if not states:
        return INCONCLUSIVE
    whole = re.search(r"^\s*- Total document signed", said, re.M)
    return CLEAN if whole and all(state.startswith("Signature is Valid") for state in states) else FLAGGED


def pyhanko(path, password):
    """pyHanko's validation with its difference analysis, as it comes; who signed is left out. No answer without a signature."""
    import logging

    from pyhanko.pdf_utils.reader import PdfFileReader
    from pyhanko.sign.validation import validate_pdf_signature, validate_pdf_timestamp
    from pyhanko_certvalidator import ValidationContext

    logging.disable(logging.CRITICAL)
    try:
        reader = PdfFileReader(io.BytesIO(path.read_bytes()), strict=False)
        if reader.encrypted:
            reader.decrypt(password or "")
        signatures = [(one, validate_pdf_signature) for one in reader.embedded_regular_signatures]
        signatures += [(one, validate_pdf_timestamp) for one in reader.embedded_timestamp_signatures]
    except Exception:
        return INCONCLUSIVE
    if not signatures:
        return INCONCLUSIVE
    answer = CLEAN
    for signature, validate in signatures:
        try:
            roots = [signature.signer_cert]
            status = validate(signature, ValidationContext(trust_roots=roots, allow_fetching=False))
        except Exception as error:
            # that the bytes or the form of a signature are wrong is an answer; that pyHanko stumbled is none
            if type(error).__module__.startswith("pyhanko.sign") or "SignatureValidation" in type(error).__name__:
                return FLAGGED
            answer = INCONCLUSIVE
            continue
        if not (status.intact and status.valid) or getattr(status, "docmdp_ok", True) is False:
            return FLAGGED
        level = getattr(status, "modification_level", None)
        if level is not None and level.name == "OTHER":
            return FLAGGED
    return answer


def x_ray(path, password):
    """x-ray finds redactions that only cover."""
    import asyncio

    import pymupdf, xray

    pymupdf.TOOLS.mupdf_display_errors(False)
    try:
        return FLAGGED if asyncio.run(xray.inspect(str(path))) else CLEAN
    except Exception:
        return INCONCLUSIVE


TOOLS = {"pyHanko": pyhanko, "pdfsig": pdfsig, "x-ray": x_ray, "dates and %%EOF": dates_of_file}


def judge(job):
    """Answers of all tools for one file."""
    path, password = job
    return str(path), {name: tool(Path(path), password) for name, tool in TOOLS.items()}


if __name__ == "__main__":
    self_test()
