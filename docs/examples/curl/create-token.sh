#!/bin/sh
# Creates a token; only this answer has its value: API=… TOKEN=… sh create-token.sh 'my laptop'
set -eu
curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN" --data-urlencode "name=$1" "$API/tokens"
