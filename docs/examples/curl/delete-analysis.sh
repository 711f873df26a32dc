#!/bin/sh
# Deletes an analysis permanently: API=… TOKEN=… sh delete-analysis.sh 00000000-0001-8614-bd98-f44607e6fa02
set -eu
curl -sS --fail-with-body -X DELETE -H "Authorization: Bearer $TOKEN" "$API/pdf/$1"
echo "deleted $1"
