"""Revokes a token by its id: API=… TOKEN=… python revoke-token.py 019a9d3c-6a10-7c3e-9d5b-0c2f6c1f4a77"""

import os
import sys

import requests

API = os.environ["API"]
SESSION = requests.Session()
SESSION.headers["Authorization"] = f"Bearer {os.environ['TOKEN']}"

answer = SESSION.delete(f"{API}/tokens/{sys.argv[1]}")
if not answer.ok:
    sys.exit(answer.json()["error"]["message"])
print("revoked", answer.json()["data"]["id"])
