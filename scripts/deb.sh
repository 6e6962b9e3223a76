#!/bin/sh
# Builds the Debian packages of an archive by `make dist`: scripts/deb.sh ARCHIVE OUT. Needs dpkg-dev, debhelper
# and what debian/control asks for; says what is missing.
set -eu
archive=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
rm -rf "${out:?}"/*
tar -C "$out" -xf "$archive"
cd "$out"/rspcheck-*/
dpkg-checkbuilddeps
dpkg-buildpackage -us -uc
rm -rf "$out"/rspcheck-*/
ls -l "$out"
