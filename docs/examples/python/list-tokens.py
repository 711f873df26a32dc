"""The account's tokens: API=… TOKEN=… python list-tokens.py"""

import os
import sys

import requests

API = os.environ["API"]
SESSION = requests.Session()
SESSION.headers["Authorization"] = f"Bearer {os.environ['TOKEN']}"

answer = SESSION.get(f"{API}/tokens")
if not answer.ok:
    sys.exit(answer.json()["error"]["message"])
for token in answer.json()["data"]:
    print(token["id"], token["hint"], token["name"])
