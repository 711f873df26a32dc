"""Compares two PDFs: API=… TOKEN=… python compare-pdfs.py earlier.pdf later.pdf"""

import os
import sys

import requests

API = os.environ["API"]
SESSION = requests.Session()
SESSION.headers["Authorization"] = f"Bearer {os.environ['TOKEN']}"

with open(sys.argv[1], "rb") as before, open(sys.argv[2], "rb") as after:
    answer = SESSION.post(f"{API}/pdf/compare", files={"before": before, "after": after})
if not answer.ok:
    sys.exit(answer.json()["error"]["message"])
comparison = answer.json()["data"]["comparison"]
print(comparison["relation"])
for change in comparison["words"]:
    print(*((side or {}).get("text") for side in (change["before"], change["after"])), sep=" -> ")
