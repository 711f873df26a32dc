"""The account, and what is left of today's quota: API=… TOKEN=… python show-user.py"""

import os
import sys

import requests

API = os.environ["API"]
SESSION = requests.Session()
SESSION.headers["Authorization"] = f"Bearer {os.environ['TOKEN']}"

answer = SESSION.get(f"{API}/user")
if not answer.ok:
    sys.exit(answer.json()["error"]["message"])
user = answer.json()["data"]
print(f"{user['name']}: {user['remaining_checks']} of {user['daily_limit']} analyses left today")
