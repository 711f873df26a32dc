"""Whether the service answers: API=… python check-health.py"""

import os
import sys

import requests

answer = requests.get(os.environ["API"].removesuffix("/api/v1") + "/health")
if not answer.ok:
    sys.exit(answer.json()["error"]["message"])
print(answer.json()["data"]["status"])
