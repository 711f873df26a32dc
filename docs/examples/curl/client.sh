#!/bin/sh
# Analyzes a PDF, sent directly or staged by its size, and retries where that helps:
# API=… TOKEN=… sh client.sh document.pdf
# Needs jq, and stage-upload.sh beside it.
set -eu
[ $# = 1 ] || { echo "usage: API=… TOKEN=… sh client.sh document.pdf" >&2; exit 2; }
[ -r "$1" ] || { echo "$1: cannot be read" >&2; exit 1; }
here=$(dirname "$0")
[ "$(wc -c < "$1")" -le 4000000 ] || exec sh "$here/stage-upload.sh" "$1"

key=$(cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen)
# curl reads `;` and `,` in a name unless it is quoted
name=$(printf '%s' "$1" | sed 's/[\\"]/\\&/g')
answer=$(mktemp)
trap 'rm -f "$answer" "$answer.headers"' EXIT
for try in 1 2 3 4 5; do
  : > "$answer" > "$answer.headers"
  ended=0
  status=$(curl -sS -o "$answer" -D "$answer.headers" -w '%{http_code}' \
    -H "Authorization: Bearer $TOKEN" -H "Idempotency-Key: $key" \
    -F "file=@\"$name\";type=application/pdf" "$API/pdf/analyze") || ended=$?
  # the file cannot be read
  [ "$ended" != 26 ] || exit 26
  if [ "$status" = 200 ]; then
    jq -r '"\(.data.id) \(.data.metadata.integrity.verdict) (\(.remaining_checks) analyses left today)",
      .data.metadata.integrity.summary' "$answer"
    exit
  fi
  # gateways answer without Retry-After
  case $status in 000) wait=$try ;; 429 | 502 | 503 | 504) wait=1 ;; *) wait=61 ;; esac
  after=$(tr -d '\r' < "$answer.headers" | awk 'tolower($1) == "retry-after:" { print $2 }')
  wait=${after:-$wait}
  # the same key makes it safe to send the same again
  [ "$wait" -le 60 ] && [ "$try" -lt 5 ] || break
  sleep "$wait"
done
jq -er 'select(.error.code) | "\(.error.code): \(.error.message) (request \(.error.request_id))"' "$answer" >&2 2> /dev/null ||
  echo "http_$status: no answer of the service" >&2
exit 1
