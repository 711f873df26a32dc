"""Trusts the issuers of a PEM file: API=… TOKEN=… python trust-issuers.py issuers.pem"""

import os
import sys

import requests

API = os.environ["API"]
SESSION = requests.Session()
SESSION.headers["Authorization"] = f"Bearer {os.environ['TOKEN']}"

answer = SESSION.post(f"{API}/trust", json={"pem": open(sys.argv[1]).read()})
if not answer.ok:
    sys.exit(answer.json()["error"]["message"])
for issuer in answer.json()["data"]:
    print(issuer["id"], issuer["name"])
