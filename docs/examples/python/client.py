"""Analyzes PDFs, sent directly or staged by their size, and retries where that helps.

API=… TOKEN=… python client.py document.pdf big.pdf
"""

import hashlib
import os
import sys
import time
import uuid

import requests  # pip install requests

DIRECT = 4_000_000  # bytes; larger files are staged, because API gateways refuse large bodies


BUSY = (429, 502, 503, 504)  # worth another try also without Retry-After, as gateways answer


class ApiError(Exception):
    """What the API refused, in its own words; `http_502` and so on if something in front of it answered."""

    def __init__(self, answer):
        try:
            error = answer.json()["error"]
            text = f"{error['code']}: {error['message']} (request {error['request_id']})"
        except (ValueError, KeyError, TypeError):
            error = {"code": f"http_{answer.status_code}"}
            text = f"{error['code']}: {answer.reason}"
        super().__init__(text)
        self.status, self.code, self.details = answer.status_code, error["code"], error.get("details", {})


class Client:
    def __init__(self, base, token):
        self.base = base
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {token}"

    def send(self, method, path, tries=5, **request):
        """Sends a request that may be repeated. Waits as Retry-After says, if that is a minute at most."""
        for attempt in range(1, tries + 1):
            try:
                answer = self.session.request(method, self.base + path, timeout=60, **request)
            except (requests.ConnectionError, requests.Timeout):
                if attempt == tries:
                    raise
                time.sleep(attempt)
                continue
            if answer.ok:
                return answer.json()
            wait = int(answer.headers.get("Retry-After", 1 if answer.status_code in BUSY else 61))
            if attempt == tries or wait > 60:
                raise ApiError(answer)
            time.sleep(wait)

    def analyze(self, path, password=None):
        """Analyses a file; returns the analysis and how many are left today."""
        secret = {"password": password} if password else {}
        name, size = os.path.basename(path), os.path.getsize(path)
        with open(path, "rb") as pdf:
            if size > DIRECT:
                sha256 = hashlib.file_digest(pdf, "sha256").hexdigest()
                pdf.seek(0)
                announcement = {"filename": name, "file_size": size, "sha256": sha256}
                ticket = self.send("POST", "/pdf/uploads", json=announcement)["data"]
                requests.put(ticket["url"], data=pdf, headers=ticket["headers"], timeout=600).raise_for_status()
                # the upload id makes this safe to repeat
                answer = self.send("POST", "/pdf/analyze", json={"upload_id": ticket["upload_id"], **secret})
            else:
                files = {"file": (name, pdf.read(), "application/pdf")}
                key = {"Idempotency-Key": str(uuid.uuid4())}
                answer = self.send("POST", "/pdf/analyze", files=files, data=secret, headers=key)
        return answer["data"], answer["remaining_checks"]


if __name__ == "__main__":
    if len(sys.argv) < 2:
        print("usage: API=… TOKEN=… python client.py FILE…", file=sys.stderr)
        sys.exit(2)
    client = Client(os.environ["API"], os.environ["TOKEN"])
    refused = 0
    for path in sys.argv[1:]:
        try:
            analysis, left = client.analyze(path)
        except Exception as error:  # refused, not readable, not sent: the other files may be fine
            print(f"{path}: {error}", file=sys.stderr)
            refused += 1
            continue
        integrity = analysis["metadata"]["integrity"]
        print(f"{path}: {integrity['verdict']} ({analysis['id']}, {left} analyses left today)")
        print(integrity["summary"])
    sys.exit(1 if refused else 0)
