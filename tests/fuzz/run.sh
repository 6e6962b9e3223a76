#!/bin/bash
# Fuzzes each target with libFuzzer: tests/fuzz/run.sh BUILD SECONDS TARGET…
# So many SECONDS per target, from the suites, the golden tests and the models, and from the stored inputs
# (tests/fuzz/corpus/TARGET, see corpus.py); new inputs stay below BUILD.
# A finding is a file BUILD/found-TARGET-…: make it a test, and add it to the stored inputs. The others are the
# smallest that reach what longer runs reached: `-set_cover_merge=1 -max_len=250` of libFuzzer.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$1 seconds=$2
shift 2
export RSP_FUZZ_CAT=$PWD/cat
tests/cli.py --files "$build/errors"
passed=0 failed=0

files () { # files TARGET: "FIRST FILE" for each seed; FIRST is the byte that says what it is read as, or -
  case $1 in
    litmus) find litmus tests/golden "$build/errors" tests/cli/data -name '*.litmus' -size -8k -printf '- %p\n' ;;
    cat) find cat tests/models tests/random "$build/errors" -name '*.cat' -size -8k -printf '- %p\n' ;;
    dsom) find litmus/dsom "$build/errors/dsom" -name '*.litmus' -printf '- %p\n' ;;
    map) find machine tests -name '*.map' -printf '- %p\n' ;;
    records) find tests -name '*.log' -size -16k -printf '0 %p\n' -o -name '*.jsonl' -size -16k -printf '1 %p\n' ;;
    lists) find tests/cli/data -name '*.conf' -printf '1 %p\n' -o -name 'expected.tsv' -printf '3 %p\n' ;;
  esac
}

seeds () { # seeds TARGET FOLDER
  files "$1" | while read -r first file; do
    (if [ "$first" != - ]; then printf %s "$first"; fi; cat "$file") >"$2/$(echo "$file" | tr / _)"
  done
}

for target; do
  stored=$build/stored-$target
  rm -rf "$stored"
  tests/fuzz/corpus.py unpack "tests/fuzz/corpus/$target" "$stored"
  corpus=$build/corpus-$target
  export RSP_FUZZ_WORDS=$build/$target.dict
  tests/fuzz/words.py "$target" >"$RSP_FUZZ_WORDS"
  mkdir -p "$corpus"
  [ -n "$(ls "$corpus")" ] || seeds "$target" "$corpus"
  if "$build/fuzz-$target" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=3000 -max_len=8192 -dict="$RSP_FUZZ_WORDS" \
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
