#!/bin/sh
# Ends the share link of an analysis: API=… TOKEN=… sh end-sharing.sh 00000000-0001-8614-bd98-f44607e6fa02
set -eu
curl -sS --fail-with-body -X DELETE -H "Authorization: Bearer $TOKEN" "$API/pdf/$1/share"
echo "ended the link to $1"
