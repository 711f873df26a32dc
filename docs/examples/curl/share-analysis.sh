#!/bin/sh
# Creates a share link to an analysis, valid for 30 days: API=… TOKEN=… sh share-analysis.sh 00000000-0001-8614-bd98-f44607e6fa02
set -eu
curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \
  -d '{"expires_in_days": 30}' "$API/pdf/$1/share"
