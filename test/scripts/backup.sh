#!/bin/sh
set -eu
TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT INT TERM
pg_dump "$DATABASE_URL" > "$TMP/db.sql"
tar czf "backup-$(date +%F).tgz" -C "$TMP" .
ls -1t backup-*.tgz | tail -n +8 | xargs -r rm --
