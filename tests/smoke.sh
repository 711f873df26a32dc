#!/usr/bin/env bash
# Tries a running service from outside, as its users would: tests/smoke.sh https://example.org
# Registers an account of its own, uses console and API, and deletes the account at the end.
# Needs curl and Python 3. SMOKE_EMAIL names the account's address where mail is sent to it.
set -euo pipefail

origin=${1:?usage: tests/smoke.sh ORIGIN, such as http://127.0.0.1:3000}
origin=${origin%/}
api=$origin/api/v1
email=${SMOKE_EMAIL:-smoke-$(date +%s)-$$@example.com}
password=$(python3 -c 'import secrets; print(secrets.token_urlsafe(16))')
work=$(mktemp -d)
registered=

# call STATUS ARGUMENT… – sends a request with curl; its answer goes to $work/body and has to have the status,
# or one of several: 200|303.
call() {
  local wanted=$1 status
  shift
  status=$(curl --silent --show-error --max-time 60 --output "$work/body" --write-out '%{http_code}' "$@")
  if [[ "|$wanted|" != *"|$status|"* ]]; then
    printf 'failed: %s instead of %s for curl %s\n' "$status" "$wanted" "${*//$password/…}" >&2
    head -c 2000 "$work/body" >&2
    exit 1
  fi
}

# The same with the cookies of a browser, as a page of the console sends it.
browse() { call "$@" --cookie "$work/cookies" --cookie-jar "$work/cookies" --header "Origin: $origin"; }

# The same with the API token.
ask() { call "$@" --config "$work/token"; }

# answer PATH – a value of the last answer, data.metadata.page_count say.
answer() {
  python3 -c '
import json, sys
value = json.load(open(sys.argv[1]))
for key in sys.argv[2].split("."):
    value = value[int(key)] if isinstance(value, list) else value[key]
print(value)' "$work/body" "$1"
}

# is PATH VALUE – a value of the last answer has to be this.
is() {
  local found
  found=$(answer "$1")
  [ "$found" = "$2" ] || { printf 'failed: %s is %s instead of %s\n' "$1" "$found" "$2" >&2; exit 1; }
}

csrf() {
  browse 200 "$origin/account"
  grep --only-matching 'name="csrf" value="[^"]*"' "$work/body" | head -n 1 | cut -d '"' -f 4
}

step() { printf '%s\n' "- $1"; }

clean_up() {
  local status=$?
  trap - EXIT
  if [ -n "$registered" ]; then
    step "the account is deleted"
    browse 200 "$origin/account/delete" --data-urlencode "csrf=$(csrf)" --data-urlencode "confirm_password=$password"
  fi
  rm -r "$work"
  [ "$status" = 0 ] && echo "All is well at $origin."
  exit "$status"
}
trap clean_up EXIT

# a PDF whose cross-reference table is right
{
  printf '%%PDF-1.4\n'
  printf '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n'
  printf '2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n'
  printf '3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>\nendobj\n'
  printf '4 0 obj\n<< /Title (Smoke) /Producer (smoke.sh) >>\nendobj\n'
  printf 'xref\n0 5\n0000000000 65535 f \n'
  printf '%010d 00000 n \n' 9 58 115 186
  printf 'trailer\n<< /Size 5 /Root 1 0 R /Info 4 0 R >>\nstartxref\n243\n%%%%EOF\n'
} > "$work/smoke.pdf"
echo 'no PDF at all' > "$work/text.pdf"

# a day (UTC) that ended in the middle would give back what is used up here
left=$((86400 - $(date +%s) % 86400))
[ "$left" -gt 60 ] || sleep "$left"

step "it answers"
call 200 --retry 10 --retry-connrefused --retry-delay 1 "$origin/health"
is data.status ok
call 401 "$api/user"
is error.code unauthenticated
call 401 "$api/nowhere"
call 404 "$origin/nowhere"

step "the console registers an account and makes a token"
browse '200|303' "$origin/register" --data-urlencode "name=Smoke test" --data-urlencode "email=$email" --data-urlencode "password=$password"
# where mail is sent, registering begins no session
grep --quiet session "$work/cookies" ||
  browse 303 "$origin/login" --data-urlencode "email=$email" --data-urlencode "password=$password"
registered=yes
browse 200 "$origin/dashboard"
browse 200 "$origin/tokens" --data-urlencode "csrf=$(csrf)" --data-urlencode name=smoke
token=$(grep --only-matching 'pdfa_[0-9A-Za-z]\{76\}' "$work/body" | head -n 1)
# in a file: arguments are there for everybody on the machine to see
printf 'header = "Authorization: Bearer %s"\n' "$token" > "$work/token"

step "a PDF is analyzed"
ask 200 "$api/user"
is data.checks_used_today 0
limit=$(answer data.daily_limit)
ask 200 "$api/pdf/analyze" --form "file=@$work/smoke.pdf" --header 'Idempotency-Key: smoke'
id=$(answer data.id)
is data.metadata.page_count 1
is data.metadata.document.title Smoke
is data.metadata.structure.repaired False
is remaining_checks $((limit - 1))
ask 200 "$api/pdf/analyze" --form "file=@$work/smoke.pdf" --header 'Idempotency-Key: smoke'
is data.id "$id"
is remaining_checks $((limit - 1))
ask 422 "$api/pdf/analyze" --form "file=@$work/text.pdf"
is error.details.reason not_a_pdf

step "a PDF is staged and analyzed"
size=$(wc -c < "$work/smoke.pdf")
ask 201 "$api/pdf/uploads" --json "{\"filename\":\"staged.pdf\",\"file_size\":$((size))}"
upload=$(answer data.upload_id)
python3 -c '
import json, sys
ticket = json.load(open(sys.argv[1]))["data"]
quoted = lambda text: json.dumps(text, ensure_ascii=False)
print("url =", quoted(ticket["url"]))
for name, value in ticket["headers"].items():
    if name != "content-length":
        print("header =", quoted(f"{name}: {value}"))' "$work/body" > "$work/ticket"
call 200 --config "$work/ticket" --upload-file "$work/smoke.pdf"
ask 200 "$api/pdf/analyze" --json "{\"upload_id\":\"$upload\"}"
is data.filename staged.pdf
is remaining_checks $((limit - 2))

step "what was analyzed is kept"
ask 200 "$api/pdf?per_page=1"
is meta.total 2
is data.0.filename staged.pdf
ask 200 "$api/pdf/$id"
is data.metadata.document.producer smoke.sh
browse 200 "$origin/analyses/$id"

step "a report is shared, and an analysis deleted"
ask 201 "$api/pdf/$id/share" --json '{"expires_in_days":7}'
link=$(answer data.url)
link="$origin/s/${link##*/}"
call 200 "$link"
grep --quiet Smoke "$work/body"
ask 200 --request DELETE "$api/pdf/$id/share"
call 404 "$link"
ask 200 --request DELETE "$api/pdf/$id"
ask 404 "$api/pdf/$id"
ask 200 "$api/pdf?per_page=1"
is meta.total 1

step "a revoked token is refused"
ask 200 "$api/tokens"
revoked=$(answer data.0.id)
ask 200 --request DELETE "$api/tokens/$revoked"
ask 401 "$api/user"
