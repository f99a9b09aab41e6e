#!/bin/sh
set -e
if [ "${1#-}" != "$1" ]; then set -- node "$@"; fi
if [ "$(id -u)" = 0 ]; then chown -R node:node /data; exec su-exec node "$0" "$@"; fi
exec "$@"
