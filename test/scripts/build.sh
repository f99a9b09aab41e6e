#!/usr/bin/env bash
set -euo pipefail
ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
OUT="${OUT:-$ROOT/dist}"
rm -rf "$OUT"
mkdir -p "$OUT"
for package in "$ROOT"/packages/*; do
  name="$(basename "$package")"
  (cd "$package" && npm run build --if-present)
  cp -r "$package/dist" "$OUT/$name"
done
echo "built into $OUT"
