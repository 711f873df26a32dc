#!/bin/sh
# Lists the account's tokens: API=… TOKEN=… sh list-tokens.sh
set -eu
curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN" "$API/tokens"
