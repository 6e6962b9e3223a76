#!/bin/bash
# Tests on several threads under the thread sanitizer: tests/threads.sh BUILD, as `make check-threads`
# does. N random tests, of which `make check-all` takes few: they take minutes.
set -u
cd "$(dirname "$0")/.." || exit 1
build=$1
export TSAN_OPTIONS="halt_on_error=1 exitcode=66"
export G_SLICE=always-malloc # slices pass from thread to thread inside GLib
passed=0
failed=0

run () {
  if timeout 1200 "$@" > "$build/threads.out" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL: $*"
    grep -v '^$' "$build/threads.out" | tail -n 60
  fi
}

mapfile -t random_models < tests/random/models
run "$build/differential" -n "${N:-100}" -jobs 4 "${random_models[@]}"
run "$build/rspcheck" -j 4 -q litmus
run "$build/rspcheck" -j 4 -q -engine sat litmus/rsp
run "$build/rspcheck" -j 4 -q -minimal -model opencl.cat -events 3
run "$build/rspcheck" -j 4 -q -kernel litmus/kernels/coherence.cl -grid 2x2
for test in tests/split/*.litmus; do
  for model in opencl_rem hrf_indirect; do
    run "$build/rspcheck" -j 4 -q -model "$model.cat" "$test"
  done
  run "$build/rspcheck" -j 4 -q -speedcheck fast -model opencl_rem.cat "$test"
done
echo "threads: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
