"""Analyses a PDF of up to 100 MB in three steps: API=… TOKEN=… python stage-upload.py big.pdf"""

import hashlib
import os
import sys

import requests  # pip install requests

API = os.environ["API"]
SESSION = requests.Session()
SESSION.headers["Authorization"] = f"Bearer {os.environ['TOKEN']}"

path = sys.argv[1]

# 1. a ticket for a file of exactly this size and these bytes
with open(path, "rb") as pdf:
    sha256 = hashlib.file_digest(pdf, "sha256").hexdigest()
announcement = {"filename": os.path.basename(path), "file_size": os.path.getsize(path), "sha256": sha256}
answer = SESSION.post(f"{API}/pdf/uploads", json=announcement)
if not answer.ok:
    sys.exit(answer.json()["error"]["message"])
ticket = answer.json()["data"]

# 2. the bytes, with every header of the ticket; the token stays out of it
with open(path, "rb") as pdf:
    requests.put(ticket["url"], data=pdf, headers=ticket["headers"]).raise_for_status()

# 3. the analysis
answer = SESSION.post(f"{API}/pdf/analyze", json={"upload_id": ticket["upload_id"]})
if not answer.ok:
    sys.exit(answer.json()["error"]["message"])
analysis = answer.json()["data"]
print(analysis["id"], analysis["metadata"]["integrity"]["verdict"])
