#!/bin/sh
# Shows the API's description (OpenAPI): API=… sh show-reference.sh
set -eu
curl -sS --fail-with-body "$API/openapi.json"
