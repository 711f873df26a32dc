"""The API's description, for programs: API=… python show-reference.py"""

import os

import requests

answer = requests.get(f"{os.environ['API']}/openapi.json")
answer.raise_for_status()
for path, calls in answer.json()["paths"].items():
    for method, call in calls.items():
        print(method.upper(), path, "-", call["summary"])
