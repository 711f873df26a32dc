#!/bin/sh
# The account, and what is left of today's quota: API=… TOKEN=… sh show-user.sh
set -eu
curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN" "$API/user"
