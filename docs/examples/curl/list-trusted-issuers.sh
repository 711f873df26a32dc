#!/bin/sh
# Lists the issuers that the account trusts: API=… TOKEN=… sh list-trusted-issuers.sh
set -eu
curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN" "$API/trust"
