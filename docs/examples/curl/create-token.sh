#!/bin/sh
# A new token; its value is in this answer only: API=… TOKEN=… sh create-token.sh 'my laptop'
set -eu
curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN" --data-urlencode "name=$1" "$API/tokens"
