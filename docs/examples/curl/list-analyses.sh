#!/bin/sh
# Lists all analyses, one a line, newest first: API=… TOKEN=… sh list-analyses.sh
# Needs jq.
set -eu
page=1
while [ "$page" != null ]; do
  answer=$(curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN" "$API/pdf?page=$page&per_page=100") ||
  { printf '%s\n' "$answer" >&2; exit 1; }
  printf '%s' "$answer" | jq -r '.data[] | [.id, .analyzed_at, .filename] | @tsv'
  page=$(printf '%s' "$answer" | jq '.meta | if .current_page < .last_page then .current_page + 1 else null end')
done
