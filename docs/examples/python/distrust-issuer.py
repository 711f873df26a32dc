"""Trusts an issuer no more: API=… TOKEN=… python distrust-issuer.py 0f8a1a5d0b62f2a0…"""

import os
import sys

import requests

API = os.environ["API"]
SESSION = requests.Session()
SESSION.headers["Authorization"] = f"Bearer {os.environ['TOKEN']}"

answer = SESSION.delete(f"{API}/trust/{sys.argv[1]}")
if not answer.ok:
    sys.exit(answer.json()["error"]["message"])
print("removed", answer.json()["data"]["id"])
