#!/bin/sh
# Shows the account and today's remaining quota: API=… TOKEN=… sh show-user.sh
set -eu
curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN" "$API/user"
