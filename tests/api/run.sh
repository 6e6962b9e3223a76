#!/bin/bash
# The library as its users see it: each public header compiles alone, programs that know nothing else
# link and run with both libraries, these export what the headers declare, and Python uses the typelib:
# tests/api/run.sh BUILD
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$1
warnings='-Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror'
needed=$(sed -n 's/^Requires: //p' scripts/rspcheck.pc.in)
private=$(sed -n 's/^Requires.private: //p' scripts/rspcheck.pc.in)
static=librspcheck.a
sanitize=
if [ "$(basename "$build")" = build-sanitize ]; then
  static=$build/librspcheck.a
  sanitize='-fsanitize=address,undefined'
elif [ "$(basename "$build")" = build-coverage ]; then
  static=$build/librspcheck.a
  sanitize='--coverage'
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0
failed=0

pass () { passed=$((passed + 1)); }
fail () {
  echo "FAIL library: $*"
  failed=$((failed + 1))
}

# compile OUT FLAG…: with the flags that the pkg-config file gives for the header
compile () {
  # shellcheck disable=SC2046,SC2086
  ${CC:-cc} -std=c11 $warnings $sanitize -Iapi -Ipublic $(pkg-config --cflags $needed) -o "$@"
}

# run NAME COMMAND…: adds the counts of the last line
run () {
  local name=$1 output
  shift
  output=$("$@" 2>&1)
  local status=$?
  grep -v ' passed, .* failed$' <<<"$output"
  if [[ $output =~ ([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
    passed=$((passed + BASH_REMATCH[1]))
    failed=$((failed + BASH_REMATCH[2]))
  fi
  [ "$status" -eq 0 ] || fail "$name ended with status $status"
}

for header in api/rspcheck*.h public/*.h; do
  echo "#include <$(basename "$header")>" > "$folder/alone.c"
  if compile "$folder/alone.o" -c "$folder/alone.c"; then pass; else fail "$header alone"; fi
done

for program in consumer contract explained; do
  # shellcheck disable=SC2046,SC2086
  compile "$folder/$program" "tests/api/$program.c" "$static" $(pkg-config --libs $needed $private) -lm \
    || { fail "$program and the static library"; continue; }
  run "$program, static" "$folder/$program" cat
  [ -z "$sanitize" ] || continue
  # shellcheck disable=SC2046,SC2086
  compile "$folder/$program" "tests/api/$program.c" -L"$build" -lrspcheck $(pkg-config --libs $needed) \
    || { fail "$program and the shared library"; continue; }
  run "$program, shared" env LD_LIBRARY_PATH="$build" "$folder/$program" cat
done

# The names that a library defines for others, and those that the headers declare.
exports () { nm "$@" | sed -nE 's/^[0-9a-f]* [A-Z] (.*)$/\1/p' | sed -E 's/@.*//; /^RSPCHECK_/d' | sort -u; }
cat api/rspcheck*.h | sed -E '/^ \*|^#define/d' | grep -oE '\brspcheck_[a-z_0-9]+ \(' | tr -d ' (' | sort -u > "$folder/declared"
exports -g --defined-only "$static" > "$folder/static"
if diff "$folder/declared" "$folder/static"; then pass; else fail "what the static library exports"; fi
if [ -z "$sanitize" ]; then
  exports -D --defined-only "$build/librspcheck.so" > "$folder/shared"
  if diff "$folder/declared" "$folder/shared"; then pass; else fail "what the shared library exports"; fi
  if [ -e "$build/Rspcheck-0.1.typelib" ]; then
    run introspection tests/api/introspect.sh "$build"
  else
    echo "library: no typelib was built: skipped"
  fi
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
