#!/bin/sh
# Trusts the issuers of a PEM file: API=… TOKEN=… sh trust-issuers.sh issuers.pem
set -eu
curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN" --data-urlencode "pem@$1" "$API/trust"
