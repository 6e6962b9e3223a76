#!/bin/bash
# The public header compiles alone, and a program that knows nothing else links and runs:
# tests/api/run.sh BUILD
set -eu
cd "$(dirname "$0")/../.."
build=$1
glib="pkg-config glib-2.0 json-glib-1.0"
warnings='-Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror'
library=librspcheck.a
sanitize=
if [ "$(basename "$build")" = build-sanitize ]; then
  library=$build/librspcheck.a
  sanitize='-fsanitize=address,undefined'
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

echo '#include <rspcheck.h>' > "$folder/alone.c"
# shellcheck disable=SC2046,SC2086
${CC:-cc} -std=c11 $warnings -Iapi -Ipublic $($glib --cflags) -c -o "$folder/alone.o" "$folder/alone.c"
# shellcheck disable=SC2046,SC2086
${CC:-cc} -std=c11 $warnings $sanitize -Iapi -Ipublic $($glib --cflags) -o "$folder/consumer" \
  tests/api/consumer.c "$library" $($glib --libs) -lm
"$folder/consumer" cat
