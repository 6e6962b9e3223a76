#!/bin/bash
# Runs each target on its stored inputs, on some of those that corpus.py makes, and on hundreds that are made
# from all these with a fixed seed:
# tests/fuzz/replay.sh BUILD TARGET… (BUILD/replay-TARGET, from `make SANITIZE=1 build-sanitize/replay-TARGET`).
# A finding is a file BUILD/found-TARGET: make it a test, and add it to the stored inputs.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$1
shift
export RSP_FUZZ_CAT=$PWD/cat G_SLICE=always-malloc ASAN_OPTIONS=hard_rss_limit_mb=3000:quarantine_size_mb=16
passed=0 failed=0
for target; do
  stored=$build/stored-$target
  rm -rf "$stored"
  tests/fuzz/corpus.py unpack "$target" "$stored"
  tests/fuzz/corpus.py make "$target" "$stored" 50
  export RSP_FUZZ_WORDS=$build/$target.dict
  tests/fuzz/words.py "$target" > "$RSP_FUZZ_WORDS"
  # Into a file, as an input may name its descriptor, and reading from a pipe would not end.
  log=$build/replay-$target.log
  if "$build/replay-$target" 800 "$build/found-$target" "$stored" < /dev/null > "$log" 2>&1; then
    passed=$((passed + 1))
    echo "fuzz $target: $(tail -n 1 "$log"), nothing found"
  else
    failed=$((failed + 1))
    echo "fuzz $target: FAIL: $build/found-$target"
    grep -aE 'ERROR|SUMMARY|differ|Assertion' "$log" | head -5
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
