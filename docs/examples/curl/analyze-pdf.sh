#!/bin/sh
# Analyzes a PDF: API=… TOKEN=… sh analyze-pdf.sh document.pdf
# Needs jq.
set -eu
answer=$(curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN" \
  -F "file=@\"$1\";type=application/pdf" "$API/pdf/analyze") ||
  { printf '%s\n' "$answer" >&2; exit 1; }
printf '%s' "$answer" | jq -r '.data | "\(.id) \(.metadata.integrity.verdict)", .metadata.integrity.summary'
