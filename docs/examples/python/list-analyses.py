"""All analyses, newest first: API=… TOKEN=… python list-analyses.py"""

import os
import sys
from urllib.parse import urljoin

import requests

API = os.environ["API"]
SESSION = requests.Session()
SESSION.headers["Authorization"] = f"Bearer {os.environ['TOKEN']}"

address = f"{API}/pdf?per_page=100"
while address:
    answer = SESSION.get(address)
    if not answer.ok:
        sys.exit(answer.json()["error"]["message"])
    for analysis in answer.json()["data"]:
        print(analysis["id"], analysis["analyzed_at"], analysis["filename"])
    # the Link header leads to the next page, relative to this one
    following = answer.links.get("next")
    address = urljoin(address, following["url"]) if following else None
