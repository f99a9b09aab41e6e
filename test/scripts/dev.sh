#!/usr/bin/env bash
set -e
usage() { echo "usage: $0 {up|down|reset|logs}" >&2; exit 1; }
case "${1:-}" in
  up) docker compose up -d ;;
  down) docker compose down ;;
  logs) docker compose logs -f "${2:-app}" ;;
  reset)
    read -r -p "really? " answer
    [ "$answer" = y ] || exit 1
    docker compose down -v
    git clean -fdx
    git reset --hard origin/main
    ;;
  *) usage ;;
esac
