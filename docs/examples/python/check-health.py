"""Whether the service answers: API=… python check-health.py"""

import os

import requests

answer = requests.get(os.environ["API"].removesuffix("/api/v1") + "/health")
answer.raise_for_status()
print(answer.json()["data"]["status"])
