"""Holds what is said of random chains against pyHanko and `openssl verify`: run.py PROGRAM FOLDER.

Ends with 1 if a signer is trusted whom one of them refuses. What is known of revocation is held against pyHanko alone, and
strictly where it is said to be good: then all of it has to be there.
"""

import base64
import collections
import datetime
import json
import logging
import pathlib
import subprocess
import sys
import tempfile

from asn1crypto import crl, ocsp, pem, x509
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import KeyUsageConstraints, validate_pdf_signature
from pyhanko_certvalidator import ValidationContext

PROGRAM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
logging.disable(logging.CRITICAL)


def said(file):
    answer = subprocess.run([PROGRAM, "inspect", "--trust", file.with_suffix(".pem"), file], capture_output=True, text=True, check=False)
    signatures = json.loads(answer.stdout)["metadata"]["integrity"]["signatures"]
    return signatures[0]["trust"], signatures[0]["claimed_at"]


def readable(load, each):
    for der in each:
        try:
            parsed = load(der)
            parsed.native
            yield parsed
        except ValueError:
            pass


def by_pyhanko(file, about, at, mode):
    der = lambda key: [base64.b64decode(text) for text in about[key]]
    anchor = x509.Certificate.load(pem.unarmor(file.with_suffix(".pem").read_bytes())[2])
    context = ValidationContext(
        trust_roots=[anchor], allow_fetching=False, moment=at, revocation_mode=mode,
        other_certs=[x509.Certificate.load(der) for der in der("between")],
        crls=list(readable(crl.CertificateList.load, der("lists"))),
        ocsps=list(readable(ocsp.OCSPResponse.load, der("responses"))),
    )
    usage = KeyUsageConstraints(key_usage={"non_repudiation"})
    with file.open("rb") as handle:
        signature = PdfFileReader(handle, strict=False).embedded_signatures[0]
        try:
            status = validate_pdf_signature(signature, context, key_usage_settings=usage, skip_diff=True)
            return status.trusted, str(status.trust_problem_indic)
        except Exception as error:  # whatever it stumbles over is no trust
            return False, repr(error)[:200]


def by_openssl(file, about, at):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        armored = lambda text: pem.armor("CERTIFICATE", base64.b64decode(text))
        (folder / "signer.pem").write_bytes(armored(about["signer"]))
        (folder / "between.pem").write_bytes(b"".join(map(armored, about["between"])))
        options = ["-policy_check", "-policy", "anyPolicy", "-partial_chain", "-attime", str(int(at.timestamp())), "-CAfile", file.with_suffix(".pem")]
        if about["between"]:
            options += ["-untrusted", folder / "between.pem"]
        done = subprocess.run(["openssl", "verify", *options, folder / "signer.pem"], capture_output=True, text=True, check=False)
        return done.returncode == 0, done.stderr.strip().replace("\n", " ")[-200:]


def main():
    files = sorted(FOLDER.glob("*.pdf"), key=lambda file: int(file.stem))
    counts, wrong, stricter = collections.Counter(), [], collections.Counter()
    for file in files:
        about = json.loads(file.with_suffix(".json").read_text())
        trust, claimed = said(file)
        at = datetime.datetime.fromisoformat(claimed.replace("Z", "+00:00"))
        is_trusted, is_good = trust["status"] == "trusted", trust["revocation"] == "good"
        pyhanko, why = by_pyhanko(file, about, at, "require" if is_good else "soft-fail")
        openssl, why_not = by_openssl(file, about, at)
        counts[(trust["status"], trust["revocation"], "pyHanko trusts" if pyhanko else "pyHanko refuses")] += 1
        if is_trusted and not pyhanko:
            wrong.append(f"{file.name} {about['faults']}: trusted ({trust['revocation']}), pyHanko: {why}")
        if is_trusted and not openssl:
            wrong.append(f"{file.name} {about['faults']}: trusted, openssl: {why_not}")
        if not is_trusted and pyhanko and openssl:
            stricter[f"{'+'.join(about['faults']) or 'none'}: {trust['because']}"] += 1
    for key, count in sorted(counts.items()):
        print(f"{count:6} {', '.join(key)}")
    for key, count in stricter.most_common():
        print(f"stricter {count:4} {key}")
    print(f"{len(files)} chains, {len(wrong)} trusted that are refused elsewhere")
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
