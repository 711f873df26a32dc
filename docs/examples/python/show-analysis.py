"""One analysis: API=… TOKEN=… python show-analysis.py 00000000-0001-8614-bd98-f44607e6fa02"""

import os
import sys

import requests

API = os.environ["API"]
SESSION = requests.Session()
SESSION.headers["Authorization"] = f"Bearer {os.environ['TOKEN']}"

answer = SESSION.get(f"{API}/pdf/{sys.argv[1]}")
if not answer.ok:
    sys.exit(answer.json()["error"]["message"])
analysis = answer.json()["data"]
print(analysis["filename"], analysis["metadata"]["document"]["title"])
