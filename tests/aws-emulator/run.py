"""Tries the whole service on the emulator: quotas and repeats under load, staged uploads, the operator's commands,
the smoke test; then looks into the table beside the service."""

import hashlib
import re
import subprocess
import sys
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import requests
from requests.adapters import HTTPAdapter

from aws import ROOT, Aws

sys.path.insert(0, str(ROOT / "tests/examples"))

from service import SERVER, pdf  # noqa: E402

AT_ONCE, LIMIT = 120, 50
# a machine that is slow may not get all of them through within their 20 seconds
PATIENCE = 600


class Service:
    """The server with `--aws`; a context manager."""

    def __init__(self, aws):
        self.aws = aws

    def __enter__(self):
        command = [SERVER, "--aws", "--listen", "127.0.0.1:0"]
        self.log = open(ROOT / "target/emulator-tools/server.log", "w")
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.log, text=True, env=self.aws.environment()
        )
        text = ""
        while "Ctrl-C" not in text:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit(f"the server did not start; see {self.log.name}")
            text += line
        # the lines of requests go there too
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        self.origin = re.search(r"Console +(\S+)/", text)[1]
        return self

    def __exit__(self, *_):
        self.process.terminate()
        assert self.process.wait(60) == 0, "the server did not end well"
        self.log.close()

    def operator(self, *arguments, said):
        """Runs a command of the operator's, whose answer has to match; gives its first group."""
        command = [SERVER, "account", *arguments, "--aws"]
        done = subprocess.run(command, capture_output=True, text=True, env=self.aws.environment(), timeout=60)
        found = re.search(said, done.stdout)
        assert done.returncode == 0 and found, f"{arguments}: {done.stdout}{done.stderr}"
        return found[1] if found.groups() else found[0]

    def account(self, name, limit=LIMIT):
        """A new account, made by the operator's command."""
        words = [f"{name}@example.com", "--name", name, "--limit", str(limit), "--no-password"]
        return Account(self, self.operator("create", *words, "--token", "first", said=r"Token +(pdfa_\w{76})"))


class Account:
    """One account's access."""

    def __init__(self, service, token):
        self.base = f"{service.origin}/api/v1"
        self.http = requests.Session()
        self.http.mount("http://", HTTPAdapter(pool_maxsize=AT_ONCE))
        self.http.headers["authorization"] = f"Bearer {token}"

    def call(self, method, path, status=200, **options):
        answer = self.http.request(method, self.base + path, timeout=60, **options)
        assert answer.status_code == status, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def analyze(self, filename, file, key=None):
        """Analyses a file; repeats after each 503, which the key makes safe."""
        headers, until = {"idempotency-key": key or str(uuid.uuid4())}, time.monotonic() + PATIENCE
        while True:
            parts = {"file": (filename, file, "application/pdf")}
            answer = self.http.post(f"{self.base}/pdf/analyze", files=parts, headers=headers, timeout=60)
            if answer.status_code != 503 or time.monotonic() > until:
                return answer
            time.sleep(int(answer.headers["retry-after"]))

    def used(self):
        return self.call("GET", "/user")["data"]["checks_used_today"]


def step(name):
    print(f"- {name}", flush=True)


def quota_is_exact(service):
    step(f"{AT_ONCE} analyses at once at a limit of {LIMIT}")
    account, file = service.account("crowd"), pdf("Crowd")
    with ThreadPoolExecutor(AT_ONCE) as threads:
        answers = list(threads.map(lambda number: account.analyze(f"{number}.pdf", file), range(AT_ONCE)))
    stored = [answer.json() for answer in answers if answer.status_code == 200]
    refused = [answer for answer in answers if answer.status_code != 200]
    remaining = sorted(answer["remaining_checks"] for answer in stored)
    assert remaining == list(range(LIMIT)), remaining
    assert all(answer.status_code == 429 for answer in refused), {answer.status_code for answer in refused}
    assert all(answer.headers["x-ratelimit-remaining"] == "0" for answer in refused)
    assert account.used() == LIMIT
    for answer in stored:
        assert account.call("GET", f"/pdf/{answer['data']['id']}")["data"] == answer["data"]
    listed = account.call("GET", f"/pdf?per_page={LIMIT}")
    assert [row["id"] for row in listed["data"]] == sorted((row["data"]["id"] for row in stored), reverse=True)


def repeats_are_not_charged(service):
    step("repeats, also of the day's last analysis")
    for name, limit in (("many", LIMIT), ("last", 1)):
        account, file = service.account(name, limit), pdf("Repeat")
        with ThreadPoolExecutor(20) as threads:
            answers = list(threads.map(lambda _: account.analyze("a.pdf", file, key="one"), range(20)))
        assert {answer.status_code for answer in answers} == {200}, [answer.text for answer in answers]
        assert len({answer.text for answer in answers}) == 1
        assert account.used() == 1
        other = account.analyze("b.pdf", file, key="one")
        assert other.json()["error"]["code"] == "idempotency_key_reused", other.text
        assert account.analyze("a.pdf", file).status_code == (200 if limit > 1 else 429)


def uploads_are_staged(service):
    step("staged uploads")
    account, other, file = service.account("stager"), service.account("other"), pdf("Staged", 2_000_000)
    body = {"filename": "Übersicht.pdf", "file_size": len(file)}
    ticket = account.call("POST", "/pdf/uploads", 201, json=body)["data"]
    upload = {"upload_id": ticket["upload_id"]}
    account.call("POST", "/pdf/analyze", 404, json=upload)
    put = requests.put(ticket["url"], data=file, headers=ticket["headers"], timeout=60)
    assert put.status_code == 200, put.text
    again = requests.put(ticket["url"], data=file, headers=ticket["headers"], timeout=60)
    assert again.status_code == 412, f"{again.status_code} {again.text}"
    other.call("POST", "/pdf/analyze", 404, json=upload)
    first = account.call("POST", "/pdf/analyze", json=upload)
    assert first["data"]["filename"] == "Übersicht.pdf" and first["data"]["file_size"] == len(file), first
    assert first["data"]["metadata"]["document"]["title"] == "Staged", first
    for headers in ({}, {"idempotency-key": "late"}):
        assert account.call("POST", "/pdf/analyze", json=upload, headers=headers) == first
    assert account.used() == 1 and service.aws.objects() == []
    reused = account.analyze("b.pdf", pdf("Other"), key="late")
    assert reused.json()["error"]["code"] == "idempotency_key_reused", reused.text


def files_are_known_again(service):
    step("hashes, and what they lead to")
    account, file, other = service.account("again"), pdf("Again", 2_000_000), pdf("Other", 2_000_000)
    sha256 = hashlib.sha256(file).hexdigest()
    first = account.analyze("a.pdf", file).json()["data"]
    assert first["metadata"]["file"] == {"sha256": sha256, "source": "computed"}, first
    assert first["seen"]["same_file"] == [], first
    second = account.analyze("b.pdf", file).json()["data"]
    assert [one["id"] for one in second["seen"]["same_file"]] == [first["id"]], second
    listed = account.call("GET", f"/pdf?sha256={sha256}")
    assert [row["id"] for row in listed["data"]] == [second["id"], first["id"]], listed
    # moto compares nothing with the hash that a ticket fixes: then nobody vouches for it
    body = {"filename": "c.pdf", "file_size": len(other), "sha256": sha256}
    ticket = account.call("POST", "/pdf/uploads", 201, json=body)["data"]
    assert ticket["headers"]["x-amz-checksum-sha256"], ticket
    put = requests.put(ticket["url"], data=other, headers=ticket["headers"], timeout=60)
    assert put.status_code == 200, put.text
    staged = account.call("POST", "/pdf/analyze", json={"upload_id": ticket["upload_id"]})["data"]
    assert staged["metadata"]["file"] == {"sha256": None, "source": None}, staged
    assert staged["seen"]["same_file"] is None, staged
    account.call("DELETE", f"/pdf/{second['id']}")
    assert len(account.call("GET", f"/pdf?sha256={sha256}")["data"]) == 1


def operators_commands_work(service):
    step("the operator's commands")
    account = service.account("client", 3)
    email = "client@example.com"
    assert account.analyze("a.pdf", pdf()).status_code == 200
    account.call("POST", "/pdf/analyze", 422, files={"file": ("bad.pdf", b"no PDF")})
    service.operator("show", email, said=r"1 of 3 analyses, 2 left, 1 failed")
    service.operator("limit", email, "1", said="may have 1")
    assert account.analyze("b.pdf", pdf()).status_code == 429
    service.operator("disable", email, said="is disabled")
    account.call("GET", "/user", 401)
    service.operator("enable", email, said="is open again")
    token = account.call("POST", "/tokens", 201, json={"name": "laptop"})["data"]
    service.operator("show", email, said=r"Tokens +2 of 100")
    account.call("DELETE", f"/tokens/{token['id']}")
    service.operator("show", email, said=r"Tokens +1 of 100")


def table_is_right(aws):
    step("what is in the table")
    by_user = {}
    for item in aws.items():
        kind = item["sk"]["S"].split("#")[0]
        by_user.setdefault(item["pk"]["S"], {}).setdefault(kind, []).append(item)
    users = {pk: kinds for pk, kinds in by_user.items() if pk.startswith("USER#")}
    assert len(users) == 7, sorted(users)
    for pk, kinds in users.items():
        [account] = kinds["ACCOUNT"]
        count = len(kinds.get("ANALYSIS", []))
        holes = account.get("holes", {"M": {}})["M"].values()
        assert count == sum("finding" in row for kind in ("ANALYSIS", "METADATA") for row in kinds.get(kind, [])), pk
        for attribute, lead in (("sha256", "FILE"), ("document", "DOCUMENT")):
            assert len(kinds.get(lead, [])) == sum(attribute in row for row in kinds.get("ANALYSIS", [])), pk
        count += sum(int(number["N"]) for number in holes)
        assert int(account["analyses"]["N"]) == count, pk
        assert sum(int(used["N"]) for name, used in account.items() if name.startswith("used:")) == count, pk
        assert int(account["tokens"]["N"]) == len(kinds["TOKEN"]), pk
    assert not any("Smoke" in str(kinds) for kinds in by_user.values()), "the smoke test's account is still there"


with Aws() as aws:
    with Service(aws) as service:
        step("the smoke test")
        subprocess.run([ROOT / "tests/smoke.sh", service.origin], check=True, stdout=subprocess.DEVNULL)
        quota_is_exact(service)
        repeats_are_not_charged(service)
        uploads_are_staged(service)
        files_are_known_again(service)
        operators_commands_work(service)
    table_is_right(aws)
print(f"All is well on moto, with {Path(SERVER).name}.")
