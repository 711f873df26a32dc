#!/bin/sh
# Compares two PDFs: API=… TOKEN=… sh compare-pdfs.sh earlier.pdf later.pdf
# Needs jq.
set -eu
answer=$(curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN" \
  -F "before=@\"$1\";type=application/pdf" -F "after=@\"$2\";type=application/pdf" "$API/pdf/compare") ||
  { printf '%s\n' "$answer" >&2; exit 1; }
printf '%s' "$answer" | jq -r '.data.comparison | .relation, (.words[] | "\(.before.text) -> \(.after.text)")'
