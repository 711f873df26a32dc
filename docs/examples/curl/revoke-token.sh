#!/bin/sh
# Revokes a token by its id: API=… TOKEN=… sh revoke-token.sh 019a9d3c-6a10-7c3e-9d5b-0c2f6c1f4a77
set -eu
curl -sS --fail-with-body -X DELETE -H "Authorization: Bearer $TOKEN" "$API/tokens/$1"
