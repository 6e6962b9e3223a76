#!/bin/bash
# Fuzzes each target with libFuzzer: tests/fuzz/run.sh BUILD SECONDS TARGET…
# So many SECONDS per target, from the inputs that corpus.py makes, and from the stored ones
# (tests/fuzz/corpus/TARGET); new inputs stay below BUILD.
# A finding is a file BUILD/found-TARGET-…: make it a test, and add it to the stored inputs. The others are the
# smallest that reach what longer runs reached: `-set_cover_merge=1 -max_len=250` of libFuzzer.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$1 seconds=$2
shift 2
export RSP_FUZZ_CAT=$PWD/cat G_SLICE=always-malloc # memory in slices is hidden from ASan
passed=0 failed=0

for target; do
  stored=$build/stored-$target
  rm -rf "$stored"
  tests/fuzz/corpus.py unpack "$target" "$stored"
  corpus=$build/corpus-$target
  export RSP_FUZZ_WORDS=$build/$target.dict
  tests/fuzz/words.py "$target" >"$RSP_FUZZ_WORDS"
  [ -d "$corpus" ] || tests/fuzz/corpus.py make "$target" "$corpus" $((seconds * 5))
  if "$build/fuzz-$target" -max_total_time="$seconds" -timeout=400 -rss_limit_mb=3000 -max_len=8192 -dict="$RSP_FUZZ_WORDS" \
      -artifact_prefix="$build/found-$target-" -print_final_stats=1 "$corpus" "$stored" \
      </dev/null >"$build/fuzz-$target.log" 2>&1; then
    passed=$((passed + 1))
    echo "fuzz $target: $(grep -ao 'number_of_executed_units: *[0-9]*' "$build/fuzz-$target.log" | grep -o '[0-9]*$') executions, nothing found"
  else
    failed=$((failed + 1))
    echo "fuzz $target: FAIL"
    grep -aE 'ERROR|SUMMARY|differ|Assertion|Test unit' "$build/fuzz-$target.log" | head -5
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
