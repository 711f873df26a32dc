"""Ends the link to an analysis' report: API=… TOKEN=… python end-sharing.py 00000000-0001-8614-bd98-f44607e6fa02"""

import os
import sys

import requests

API = os.environ["API"]
SESSION = requests.Session()
SESSION.headers["Authorization"] = f"Bearer {os.environ['TOKEN']}"

answer = SESSION.delete(f"{API}/pdf/{sys.argv[1]}/share")
if not answer.ok:
    sys.exit(answer.json()["error"]["message"])
print("ended the link to", sys.argv[1])
