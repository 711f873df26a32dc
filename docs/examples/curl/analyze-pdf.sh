#!/bin/sh
# Analyses a PDF: API=… TOKEN=… sh analyze-pdf.sh document.pdf
set -eu
curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN" \
  -F "file=@$1;type=application/pdf" "$API/pdf/analyze"
