"""The account, and what is left of today's quota: API=… TOKEN=… python show-user.py"""

import os

import requests

API = os.environ["API"]
SESSION = requests.Session()
SESSION.headers["Authorization"] = f"Bearer {os.environ['TOKEN']}"

answer = SESSION.get(f"{API}/user")
answer.raise_for_status()
user = answer.json()["data"]
print(f"{user['name']}: {user['remaining_checks']} of {user['daily_limit']} analyses left today")
