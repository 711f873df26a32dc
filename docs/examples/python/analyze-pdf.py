"""Analyses a PDF: API=… TOKEN=… python analyze-pdf.py document.pdf"""

import os
import sys

import requests  # pip install requests

API = os.environ["API"]
SESSION = requests.Session()
SESSION.headers["Authorization"] = f"Bearer {os.environ['TOKEN']}"

with open(sys.argv[1], "rb") as pdf:
    answer = SESSION.post(f"{API}/pdf/analyze", files={"file": (os.path.basename(sys.argv[1]), pdf, "application/pdf")})
if not answer.ok:
    sys.exit(answer.json()["error"]["message"])
analysis = answer.json()["data"]
integrity = analysis["metadata"]["integrity"]
print(analysis["id"], integrity["verdict"])
print(integrity["summary"])
