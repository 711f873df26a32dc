"""Makes a link to an analysis' report, good for 30 days: API=… TOKEN=… python share-analysis.py 00000000-0001-8614-bd98-f44607e6fa02"""

import os
import sys

import requests

API = os.environ["API"]
SESSION = requests.Session()
SESSION.headers["Authorization"] = f"Bearer {os.environ['TOKEN']}"

answer = SESSION.post(f"{API}/pdf/{sys.argv[1]}/share", json={"expires_in_days": 30})
if not answer.ok:
    sys.exit(answer.json()["error"]["message"])
link = answer.json()["data"]
print(link["url"], "until", link["expires_at"])
