#!/bin/sh
# Checks that the service answers: API=… sh check-health.sh
set -eu
curl -sS --fail-with-body "${API%/api/v1}/health"
