"""The issuers that the account trusts: API=… TOKEN=… python list-trusted-issuers.py"""

import os
import sys

import requests

API = os.environ["API"]
SESSION = requests.Session()
SESSION.headers["Authorization"] = f"Bearer {os.environ['TOKEN']}"

answer = SESSION.get(f"{API}/trust")
if not answer.ok:
    sys.exit(answer.json()["error"]["message"])
for issuer in answer.json()["data"]:
    print(issuer["id"], issuer["name"])
