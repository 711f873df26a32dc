#!/bin/sh
# Removes a trusted issuer: API=… TOKEN=… sh distrust-issuer.sh 0f8a1a5d0b62f2a0…
set -eu
curl -sS --fail-with-body -X DELETE -H "Authorization: Bearer $TOKEN" "$API/trust/$1"
