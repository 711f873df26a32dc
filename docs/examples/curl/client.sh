#!/bin/sh
# Analyzes a PDF, sent directly or staged by its size, and retries where that helps:
# API=… TOKEN=… sh client.sh document.pdf
# Needs jq, and stage-upload.sh beside it.
set -eu
here=$(dirname "$0")
[ "$(wc -c < "$1")" -le 4000000 ] || exec sh "$here/stage-upload.sh" "$1"

key=$(cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen)
answer=$(mktemp)
trap 'rm -f "$answer" "$answer.headers"' EXIT
for try in 1 2 3 4 5; do
  status=$(curl -sS -o "$answer" -D "$answer.headers" -w '%{http_code}' \
    -H "Authorization: Bearer $TOKEN" -H "Idempotency-Key: $key" \
    -F "file=@$1;type=application/pdf" "$API/pdf/analyze" || true)
  if [ "$status" = 200 ]; then
    jq -r '"\(.data.id) \(.data.metadata.integrity.verdict) (\(.remaining_checks) analyses left today)",
      .data.metadata.integrity.summary' "$answer"
    exit
  fi
  wait=$(tr -d '\r' < "$answer.headers" | awk 'tolower($1) == "retry-after:" { print $2 }')
  # no answer, or a short wait: the same key makes it safe to send the same again
  if [ "$status" = 000 ] || [ "${wait:-61}" -le 60 ]; then
    sleep "${wait:-$try}"
  else
    break
  fi
done
jq -r '"\(.error.code): \(.error.message) (request \(.error.request_id))"' "$answer" >&2
exit 1
