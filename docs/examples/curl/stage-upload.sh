#!/bin/sh
# Analyzes a PDF of up to 100 MB in three steps: API=… TOKEN=… sh stage-upload.sh big.pdf
# Needs jq.
set -eu
# a refusal goes to standard error
post() {
  body=$(curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN" --json "$2" "$API$1") ||
    { printf '%s\n' "$body" >&2; return 1; }
  printf '%s' "$body"
}

# 1. a ticket for a file of exactly this size and these bytes
size=$(wc -c < "$1")
sha256=$(sha256sum "$1" | cut -d ' ' -f 1)
announcement=$(jq -n --arg filename "$1" --argjson file_size "$size" --arg sha256 "$sha256" '$ARGS.named')
ticket=$(post /pdf/uploads "$announcement")

# 2. the bytes, with every header of the ticket; curl sets Content-Length itself
headers=$(mktemp)
trap 'rm -f "$headers"' EXIT
printf '%s' "$ticket" | jq -r '.data.headers | del(."content-length") | to_entries[] | "\(.key): \(.value)"' > "$headers"
curl -sS --fail-with-body -T "$1" -H "@$headers" "$(printf '%s' "$ticket" | jq -r .data.url)"

# 3. the analysis
answer=$(post /pdf/analyze "$(printf '%s' "$ticket" | jq '{upload_id: .data.upload_id}')")
printf '%s' "$answer" | jq -r '.data | "\(.id) \(.metadata.integrity.verdict)"'
