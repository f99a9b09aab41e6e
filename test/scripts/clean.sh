#!/bin/sh
# Removes everything that can be made again.
BUILD_DIR=${BUILD_DIR:-build}
rm -rf "$BUILD_DIR"
rm -rf node_modules/.cache coverage .nyc_output
find . -name '*.pyc' -delete
find . -type d -name __pycache__ -prune -exec rm -rf {} +
