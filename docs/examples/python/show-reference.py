"""The API's description, for programs: API=… python show-reference.py"""

import os
import sys

import requests

answer = requests.get(f"{os.environ['API']}/openapi.json")
if not answer.ok:
    sys.exit(answer.json()["error"]["message"])
for path, calls in answer.json()["paths"].items():
    for method, call in calls.items():
        print(method.upper(), path, "-", call["summary"])
