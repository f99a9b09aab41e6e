#!/usr/bin/env bash
set -euo pipefail
for name in alpha beta; do
  rm -rf "vendor/$name"
  git clone --depth 1 "https://example.com/$name.git" "vendor/$name"
  rm -rf "vendor/$name/.git"
done
