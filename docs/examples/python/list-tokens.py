"""The account's tokens: API=… TOKEN=… python list-tokens.py"""

import os

import requests

API = os.environ["API"]
SESSION = requests.Session()
SESSION.headers["Authorization"] = f"Bearer {os.environ['TOKEN']}"

answer = SESSION.get(f"{API}/tokens")
answer.raise_for_status()
for token in answer.json()["data"]:
    print(token["id"], token["hint"], token["name"])
