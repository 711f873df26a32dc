"""Runs every sample of docs/examples, calls by curl and a client in each language, against a service with the cloud's limits.

Needs requests; sh, curl 7.82, jq, Node.js 20 and PHP 8.1 with its curl extension.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from flaky import BAD_GATEWAY, ITSELF, THROTTLED, TOO_LARGE, UNAVAILABLE, Flaky
from service import ROOT, Service, pdf

LANGUAGES = {"curl": ["sh", "sh"], "python": [sys.executable, "py"], "javascript": ["node", "mjs"], "php": ["php", "php"]}
MANY = 105  # more than fit on one page
UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"


class Samples:
    """One language's samples."""

    def __init__(self, language, service):
        self.language, self.service = language, service
        self.program, self.ending = LANGUAGES[language]
        self.ran = set()

    def run(self, name, *arguments, api=None, fails=False):
        """Runs a sample; returns what it prints."""
        self.ran.add(name)
        path = ROOT / "docs/examples" / self.language / f"{name}.{self.ending}"
        environment = {**os.environ, "API": api or self.service.api, "TOKEN": self.service.token}
        done = subprocess.run(
            [self.program, path, *map(str, arguments)], env=environment, capture_output=True, text=True, timeout=120
        )
        text = done.stdout + done.stderr
        ended = done.returncode == fails if type(fails) is int else (done.returncode != 0) == fails
        assert ended, f"{self.language} {name} ended with {done.returncode}: {text}"
        return text

    def check(self, folder):
        small, large, broken = folder / "Übersicht; 1, 2.pdf", folder / "large.pdf", folder / "broken.pdf"
        if self.language == "curl":
            self.calls(folder, small, large)
        self.client(small, large, broken)
        there = {path.stem for path in (ROOT / "docs/examples" / self.language).iterdir()}
        assert self.ran == there, f"{self.language}: {there ^ self.ran} ran or is there, not both"

    def calls(self, folder, small, large):
        resaved = folder / "resaved.pdf"
        assert "Demo" in self.run("show-user")
        identifier = id_in(self.run("analyze-pdf", small))
        assert "Übersicht; 1, 2.pdf" in self.run("show-analysis", identifier)
        doomed = id_in(self.run("stage-upload", large))
        listed = self.run("list-analyses").splitlines()
        total = self.total()
        assert len(listed) == total > 100, f"{len(listed)} of {total} listed"
        assert any(identifier in line for line in listed)
        assert "CLM-2026-115" in self.run("change-reference", doomed, "CLM-2026-115")
        assert self.of_case("clm-2026-115") == [doomed]
        self.run("change-reference", doomed)
        assert self.of_case("clm-2026-115") == []
        link = re.search(r"https?://[^\s\"]+/s/\w{43}", self.run("share-analysis", doomed))[0]
        assert "large.pdf" in requests.get(link, timeout=30).text
        assert doomed in self.run("end-sharing", doomed)
        assert requests.get(link, timeout=30).status_code == 404
        self.run("end-sharing", doomed, fails=True)
        assert doomed in self.run("delete-analysis", doomed)
        assert doomed not in self.run("list-analyses")
        self.run("delete-analysis", doomed, fails=True)
        self.tokens()
        self.trust(folder)
        assert "appended" in self.run("compare-pdfs", small, resaved)
        assert "/pdf/analyze" in self.run("show-reference")
        assert "ok" in self.run("check-health")

    def tokens(self):
        made = self.run("create-token", "a sample's ✓")
        identifier = id_in(made)
        assert re.search(r"pdfa_\w{60,}", made)
        assert identifier in self.run("list-tokens")
        assert identifier in self.run("revoke-token", identifier)
        assert identifier not in self.run("list-tokens")
        self.run("revoke-token", identifier, fails=True)

    def trust(self, folder):
        pem = json.loads(json.loads((ROOT / "events/trust-add.json").read_text())["body"])["pem"]
        file = folder / "issuers.pem"
        file.write_text(pem)
        identifier = re.search(r"[0-9a-f]{64}", self.run("trust-issuers", str(file))).group()
        assert identifier in self.run("list-trusted-issuers")
        assert identifier in self.run("distrust-issuer", identifier)
        assert identifier not in self.run("list-trusted-issuers")
        self.run("distrust-issuer", identifier, fails=True)

    def client(self, small, large, broken):
        before = self.total()
        id_in(self.run("client", small))
        id_in(self.run("client", large))
        assert "analysis_failed" in self.run("client", broken, fails=True)
        for failures in ([ITSELF, ITSELF], [THROTTLED, BAD_GATEWAY, UNAVAILABLE]):
            with Flaky(self.service.api, failures) as flaky:
                id_in(self.run("client", small, api=flaky.api))
                assert len(flaky.keys) == len(failures) + 1 and len(set(flaky.keys)) == 1 and flaky.keys[0], flaky.keys
        assert self.total() == before + 4
        for failures, code, tries in ([TOO_LARGE], "http_413", 1), ([BAD_GATEWAY] * 5, "http_502", 5):
            with Flaky(self.service.api, failures) as flaky:
                assert code in self.run("client", small, api=flaky.api, fails=True)
                assert len(flaky.keys) == tries, flaky.keys
        assert "usage" in self.run("client", fails=2)
        missing = small.with_name("missing.pdf")
        started = time.monotonic()
        if self.language == "curl":
            self.run("client", missing, fails=True)
        else:
            # one file's error does not end the others
            id_in(self.run("client", missing, small, fails=True))
        assert time.monotonic() - started < 20, "tried a missing file again"
        # none at all, whatever day it is by now
        self.service.limit_to(0)
        started = time.monotonic()
        assert "daily_limit_exceeded" in self.run("client", small, fails=True)
        assert time.monotonic() - started < 20, "waited for tomorrow"
        self.service.limit_to(10_000)

    def of_case(self, reference):
        answer = requests.get(
            f"{self.service.api}/pdf", params={"reference": reference}, headers=owner(self.service), timeout=30
        )
        return [row["id"] for row in answer.json()["data"]]

    def total(self):
        answer = requests.get(f"{self.service.api}/pdf", headers=owner(self.service), timeout=30)
        return answer.json()["meta"]["total"]


def id_in(text):
    found = re.search(UUID, text)
    assert found, text
    return found[0]


def owner(service):
    return {"Authorization": f"Bearer {service.token}"}


def patient():
    """A client that asks again after a 503 when the answer says, as a slow machine may need it."""
    client = requests.Session()
    client.mount("http://", HTTPAdapter(max_retries=Retry(30, status_forcelist=[503], allowed_methods=None)))
    return client


def main():
    with Service("--cloud-limits") as service, tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "Übersicht; 1, 2.pdf").write_bytes(pdf("Übersicht"))
        (folder / "resaved.pdf").write_bytes(pdf("Übersicht") + b"% saved again\n")
        (folder / "large.pdf").write_bytes(pdf("Large", 7_000_000))
        (folder / "broken.pdf").write_bytes(b"no PDF")
        service.limit_to(10_000)
        client = patient()
        analyze = lambda number: client.post(
            f"{service.api}/pdf/analyze", headers=owner(service), files={"file": (f"{number}.pdf", pdf())}, timeout=60
        ).raise_for_status()
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(analyze, range(MANY)))
        for language in sys.argv[1:] or LANGUAGES:
            started = time.monotonic()
            Samples(language, service).check(folder)
            print(f"{language}: all samples work ({time.monotonic() - started:.1f} s)", flush=True)


if __name__ == "__main__":
    main()
