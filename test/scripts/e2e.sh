#!/usr/bin/env bash
cd "$(dirname "$0")/.." || exit 1
cleanup() { kill "$SERVER" 2>/dev/null || true; rm -rf "${WORK:?}"; }
WORK="$(mktemp -d)"
trap cleanup EXIT
PORT=0 node server.js > "$WORK/log" 2>&1 &
SERVER=$!
until curl -fsS http://localhost:3000/health; do sleep 0.2; done
npx playwright test "$@"
