#!/bin/sh
# Changes the reference of an analysis: API=… TOKEN=… sh change-reference.sh 00000000-0001-8614-bd98-f44607e6fa02 CLM-2026-114
set -eu
jq -n --arg reference "${2:-}" '{$reference}' |
  curl -sS --fail-with-body -X PUT -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \
    -d @- "$API/pdf/$1/reference"
