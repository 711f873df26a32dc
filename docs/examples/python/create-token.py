"""A new token; its value is in this answer only: API=… TOKEN=… python create-token.py 'my laptop'"""

import os
import sys

import requests

API = os.environ["API"]
SESSION = requests.Session()
SESSION.headers["Authorization"] = f"Bearer {os.environ['TOKEN']}"

answer = SESSION.post(f"{API}/tokens", json={"name": sys.argv[1]})
if not answer.ok:
    sys.exit(answer.json()["error"]["message"])
token = answer.json()["data"]
print(token["id"], token["token"])
