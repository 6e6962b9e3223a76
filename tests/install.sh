#!/bin/bash
# `make install` gives a program and libraries that find their models, what pkg-config says of them is
# enough, and Python finds the typelib; `make uninstall` leaves nothing behind. Once into a PREFIX of its
# own, and once below DESTDIR, from where it is then used as if it had been moved.
set -u
cd "$(dirname "$0")/.." || exit 1
unset MAKEFLAGS MAKELEVEL
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
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

make_into () { make --no-print-directory -s "$@" CC="${CC:-cc}"; }

# The installed program, away from the checkout: run_program PREFIX
run_program () {
  cp tests/golden/RSP_Test1.litmus "$folder/"
  (cd "$folder" && "$1/bin/rspcheck" -html page.html RSP_Test1.litmus) >"$folder/log" \
    && cmp "$folder/log" tests/golden/RSP_Test1.log
}

# A position-independent program whose tables are read-only from the start, with checked copies and guarded stacks.
is_hardened () {
  local parts
  parts=$(readelf -hdlW "$1"; readelf --dyn-syms -W "$1")
  for part in 'Type: *DYN' GNU_RELRO 'Flags:.*NOW' __stack_chk_fail '__[a-z]*_chk@'; do
    grep -q "$part" <<<"$parts" || { echo "no $part"; return 1; }
  done
}

same_elsewhere () {
  mkdir "$folder/elsewhere" && git ls-files | tar cf - -T - | tar xf - -C "$folder/elsewhere" \
    && make_into -C "$folder/elsewhere" build/parser/program.o \
    && make_into build/parser/program.o && cmp {,"$folder/elsewhere/"}build/parser/program.o
}

# pkg PREFIX OPTION…: pkg-config for what lies below PREFIX, wherever it was built for
pkg () {
  local prefix=$1
  shift
  sed "s|^prefix=.*|prefix=$prefix|" "$prefix/lib/pkgconfig/rspcheck.pc" > "$folder/rspcheck.pc"
  PKG_CONFIG_PATH=$folder pkg-config "$@" rspcheck
}

# A user's program with the shared library; it finds the models by itself.
use_shared () {
  # shellcheck disable=SC2046
  ${CC:-cc} -std=c11 -o "$folder/shared" tests/api/explained.c $(pkg "$1" --cflags --libs) \
    && (cd / && LD_LIBRARY_PATH=$1/lib "$folder/shared")
}

# The lines of docs/library.md behind `make install`, as they are printed.
# shellcheck disable=SC2016 # backquotes of Markdown
use_documented () {
  pkg "$1" --exists && python3 tests/recipe.py docs/library.md install | sed 1d > "$folder/lines" \
    && sed -n '/^```c$/,/^```$/p' docs/library.md | sed '1d;$d' > "$folder/prog.c" \
    && (cd "$folder" && PKG_CONFIG_PATH=$folder bash -ex lines && LD_LIBRARY_PATH=$1/lib ./a.out RSP_Test1.litmus | cmp - log)
}

# The same with the static library, which learns from pkg-config where the models are.
use_static () {
  # shellcheck disable=SC2046
  ${CC:-cc} -std=c11 -o "$folder/static" tests/api/consumer.c $(pkg "$1" --cflags) "$1/lib/librspcheck.a" \
    $(pkg "$1" --static --libs | sed 's/-lrspcheck//') \
    && (cd / && "$folder/static" "$(pkg "$1" --variable=catdir)")
}

# The static library also knows its folder if it was built for that place.
use_static_alone () { (cd / && "$folder/static"); }

use_python () {
  local python=python3
  "$python" -c 'import gi' 2>/dev/null || python=/usr/bin/python3
  if [ ! -e "$1/lib/girepository-1.0" ] || ! "$python" -c 'import gi' 2>/dev/null; then return 0; fi
  PYTHONPATH=$1/lib/python3/dist-packages LD_LIBRARY_PATH=$1/lib GI_TYPELIB_PATH=$1/lib/girepository-1.0 \
    "$python" - <<END
import gi
gi.require_version("Rspcheck", "0.1")
from gi.repository import Rspcheck
assert Rspcheck.Model.directory() == "$1/share/rspcheck/cat", Rspcheck.Model.directory()
model = Rspcheck.Model.load("opencl_rem.cat", [Rspcheck.Model.directory()], None, None)
try:
    model.axiom(99)
    raise SystemExit("no IndexError")
except IndexError:
    pass
END
}

# Pages and records that the man pages name, and what the HTML links to: refers PREFIX
refers () {
  local doc=$1/share/doc/rspcheck name
  grep -ohE '[a-z\-]+\.(html|json)' "$1"/share/man/man?/rspcheck*.[15] | tr -d '\134' | sort -u > "$folder/names"
  grep -ohE '(href|src)="[^"#:]+' "$doc"/*.html | cut -d '"' -f 2 | grep -vx https | sort -u >> "$folder/names"
  grep -q . "$folder/names" || return 1
  while read -r name; do
    test -s "$doc/$name" || { echo "no $name"; return 1; }
  done < "$folder/names"
  grep -oE 'rspcheck\\-[a-z]+' "$1/share/man/man1/rspcheck.1" | tr -d '\134' | sort -u > "$folder/names"
  test "$(wc -l < "$folder/names")" -eq 2 || return 1
  while read -r name; do
    test -s "$1/share/man/man5/$name.5" || { echo "no $name.5"; return 1; }
  done < "$folder/names"
}

run_examples () { "$1/bin/rspcheck" -q -expect "$1/share/doc/rspcheck/examples/litmus/rsp"; }

names_guides () { "$1/bin/rspcheck" -help | grep -qF "begin with $1/share/doc/rspcheck/tutorial.html." && "$1/bin/rspcheck" -help kernels | grep -qF "$1/share/doc/rspcheck/kernels.html"; }

is_empty () { [ -z "$(find "$1" ! -type d)" ]; }

try () { # try WHAT PREFIX [DESTDIR]
  local what=$1 real=${3-}$2
  check "$what: make install" make_into install PREFIX="$2" DESTDIR="${3-}"
  check "$what: the program checks a test" run_program "$real"
  check "$what: and writes a page" grep -q '<article id="panel"' "$folder/page.html"
  check "$what: the program is hardened" is_hardened "$real/bin/rspcheck"
  check "$what: the shared library" use_shared "$real"
  check "$what: as docs/library.md says" use_documented "$real"
  check "$what: the static library" use_static "$real"
  [ -n "${3-}" ] || check "$what: the static library's own folder" use_static_alone
  check "$what: Python" use_python "$real"
  check "$what: -help names the guides that are there" names_guides "$real"
  check "$what: the man page is there" test -s "$real/share/man/man1/rspcheck.1"
  check "$what: what the man pages refer to is there" refers "$real"
  check "$what: the examples are as expected" run_examples "$real"
  check "$what: make uninstall" make_into uninstall PREFIX="$2" DESTDIR="${3-}"
  check "$what: nothing is left" is_empty "$real"
}

# One version everywhere.
versions_agree () {
  local version
  version=$(sed -n 's/^VERSION *:= //p' Makefile)
  [ "$(sed -nE '1s/^rspcheck \(([0-9.]+).*/\1/p' debian/changelog)" = "$version" ] \
    && [ "$(sed -nE 's/^## ([0-9.]+).*/\1/p' CHANGELOG.md | head -n 1)" = "$version" ]
}

check "versions agree" versions_agree
check "another folder gives the same bytes" same_elsewhere
try "PREFIX" "$folder/own"
try "DESTDIR" /opt/rsp "$folder/root"
echo "install: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
