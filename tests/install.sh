#!/bin/bash
# `make install` gives a program that finds its models, a library that pkg-config knows, and a man page;
# `make uninstall` leaves nothing behind.
set -u
cd "$(dirname "$0")/.." || exit 1
unset MAKEFLAGS MAKELEVEL
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
root=$folder/root
passed=0
failed=0

# check WHAT COMMAND…
check () {
  local what=$1
  shift
  if "$@" >"$folder/output" 2>&1; then
    passed=$((passed + 1))
  else
    echo "FAIL install: $what"
    sed 's/^/    /' "$folder/output"
    failed=$((failed + 1))
  fi
}

# The installed program, away from the checkout.
run_installed () {
  cp tests/golden/RSP_Test1.litmus "$folder/"
  (cd "$folder" && "$root/opt/rsp/bin/rspcheck" -html page.html RSP_Test1.litmus) >"$folder/log" \
    && cmp "$folder/log" tests/golden/RSP_Test1.log
}

compile_with_pkg_config () {
  sed "s|^prefix=/opt/rsp$|prefix=$root/opt/rsp|" "$root/opt/rsp/lib/pkgconfig/rspcheck.pc" \
    > "$folder/rspcheck.pc"
  # shellcheck disable=SC2046
  ${CC:-cc} -std=c11 -o "$folder/consumer" tests/api/consumer.c \
    $(PKG_CONFIG_PATH=$folder pkg-config --static --cflags --libs rspcheck) \
    && "$folder/consumer" "$root/opt/rsp/share/rspcheck/cat"
}

is_empty () { [ -z "$(find "$root" -type f)" ]; }

check "make install" make --no-print-directory -s install PREFIX=/opt/rsp DESTDIR="$root"
check "the installed program checks a test" run_installed
check "and writes a page" grep -q '<article id="panel"' "$folder/page.html"
check "pkg-config finds the library" compile_with_pkg_config
check "the man page is there" test -s "$root/opt/rsp/share/man/man1/rspcheck.1"
check "make uninstall" make --no-print-directory -s uninstall PREFIX=/opt/rsp DESTDIR="$root"
check "nothing is left" is_empty
echo "install: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
