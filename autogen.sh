#!/bin/sh
# Make configure and the Makefile templates from their sources.
# SPDX-License-Identifier: GPL-3.0-or-later
set -e
cd "$(dirname "$0")"
for tool in autoreconf automake libtoolize pkg-config; do
  command -v "$tool" >/dev/null 2>&1 || {
    echo "autogen.sh: $tool not found: install autoconf automake libtool pkg-config" >&2
    exit 1
  }
done
mkdir -p build-aux
exec autoreconf --install --force "$@"
