#!/bin/bash
# Fuzzes each target for some seconds: tests/fuzz/run.sh BUILD SECONDS TARGET…
# Starts from the suites, the golden tests and the models, and from what was found before
# (tests/fuzz/corpus/TARGET); new inputs stay below BUILD. A finding is a file BUILD/found-…: make it
# a test, and put it into tests/fuzz/corpus.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$1 seconds=$2
shift 2
export RSP_FUZZ_CAT=$PWD/cat
failed=0

seeds () { # seeds TARGET FOLDER
  case $1 in
    litmus) find litmus tests/golden tests/errors tests/cli/data -name '*.litmus' -size -8k ;;
    cat) find cat tests/models tests/random tests/errors -name '*.cat' -size -8k ;;
    *) find tests/golden tests/cli/data -name '*.log' ;;
  esac | while read -r file; do
    name=$(echo "$file" | tr / _)
    if [ "$1" = records ]; then (printf 0; cat "$file") >"$2/$name"; else cp "$file" "$2/$name"; fi
  done
}

for target; do
  corpus=$build/corpus-$target
  mkdir -p "$corpus"
  [ -n "$(ls "$corpus")" ] || seeds "$target" "$corpus"
  stored=tests/fuzz/corpus/$target
  [ -d "$stored" ] || stored=
  # shellcheck disable=SC2086
  if "$build/fuzz-$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 -max_len=8192 \
      -dict="tests/fuzz/$target.dict" -artifact_prefix="$build/found-$target-" -print_final_stats=1 \
      "$corpus" $stored >"$build/fuzz-$target.log" 2>&1; then
    echo "fuzz $target: $(grep -ao 'number_of_executed_units: *[0-9]*' "$build/fuzz-$target.log" | grep -o '[0-9]*$') executions in $seconds s, nothing found"
  else
    failed=1
    echo "fuzz $target: FAIL"
    grep -aE 'ERROR|SUMMARY|differ|Assertion|Test unit' "$build/fuzz-$target.log" | head -5
  fi
done
exit $failed
