#!/bin/sh
# The API's description, for programs: API=… sh show-reference.sh
set -eu
curl -sS --fail-with-body "$API/openapi.json"
