#!/bin/sh
# Shows an analysis: API=… TOKEN=… sh show-analysis.sh 00000000-0001-8614-bd98-f44607e6fa02
set -eu
curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN" "$API/pdf/$1"
