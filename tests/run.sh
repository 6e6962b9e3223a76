#!/bin/bash
# Runs every test: tests/run.sh BUILD PROGRAM, as `make check-now` does.
#
# Each step ends with a line `NAME: N passed, N failed`; the last line of all is their sum. After the
# ordinary build everything runs once more under the sanitizers, unless RSP_NO_SANITIZE is set or
# BUILD is the sanitizer build already. RSP_STEPS="unit,golden" runs only the steps of those names.
# The list of steps is processed twice: first to count the steps, then to run them.
set -u
cd "$(dirname "$0")/.." || exit 1
export PYTHONDONTWRITEBYTECODE=1

mapfile -t random_models < tests/random/models
passed=0
failed=0
planning=yes
planned=()
number=0

# step NAME COMMAND…: shows the command's output and adds its last count line to the sum. A step that
# fails without having counted a failure counts as one.
step () {
  local name=$1 output status line
  shift
  [[ -n $planning ]] && names+=("$name")
  [[ -z ${RSP_STEPS-} || ",$RSP_STEPS," == *",$name,"* ]] || return
  if [ -n "$planning" ]; then
    planned+=("$name")
    return
  fi
  number=$((number + 1))
  echo "[$number of ${#planned[@]}] $name$where"
  output=$(mktemp)
  "$@" 2>&1 | sed -u -E "s/^[0-9]+ passed, [0-9]+ failed\$/$name: &/" | tee "$output"
  status=${PIPESTATUS[0]}
  line=$(grep -E '(^|: )[0-9]+ passed, [0-9]+ failed$' "$output" | tail -n 1)
  rm -f "$output"
  local p=0 f=0
  if [[ $line =~ ([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]}
  fi
  if [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then
    echo "FAIL $name: ended with status $status"
    f=1
  fi
  passed=$((passed + p))
  failed=$((failed + f))
}

# The unit tests, with Check's summary in the common form.
unit () {
  local output status
  output=$("$1/unit-tests" 2>&1)
  status=$?
  sed '/^Running suite/,/^[0-9]*%/d' <<<"$output"
  if [[ $output =~ Checks:\ ([0-9]+),\ Failures:\ ([0-9]+),\ Errors:\ ([0-9]+) ]]; then
    local f=$((BASH_REMATCH[2] + BASH_REMATCH[3]))
    echo "unit: $((BASH_REMATCH[1] - f)) passed, $f failed"
  fi
  return $status
}

# all BUILD PROGRAM ENGINE…: the suites under each engine
all () {
  step unit unit "$1"
  step golden python3 tests/golden.py "$2"
  step "command line" python3 tests/cli.py "$2"
  step library tests/api/run.sh "$1"
  step differential "$1/differential" -n "$differential" "${random_models[@]}"
  step "wide sets" "$1/differential" -kind wide -n $((differential / 10)) -models 1 "${random_models[@]}"
  step "messages to loops" "$1/differential" -kind messages -n $((differential * 3 / 2)) opencl.cat
  step theorems "$1/theorems" -n "$theorems"
  step "HRF to the letter" python3 tests/random/hrf_compare.py -n "$letter" "$2"
  step "C to the letter" python3 tests/random/c_compare.py -n "$letter" "$2"
  step machines python3 tests/machine/judge.py "$2" -n "$machines" -limit $((2 * machines))
  step dsom python3 tests/dsom/compare.py "$2" -n $((letter / 2))
  step "OpenCL to the letter" python3 tests/random/opencl_compare.py -n $((3 * letter)) "$2"
  for engine in "${@:3}"; do
    step "suites, $engine" "$2" -q -expect -engine "$engine" litmus
    step "same, $engine" python3 tests/same.py -engine "$engine" "$2"
  done
}

# Fails if RSP_STEPS names an unknown step.
check_steps () {
  local rest=",${RSP_STEPS-}," name
  for name in "${names[@]}"; do
    rest=${rest//",$name,"/,,}
  done
  rest=${rest//,/ }
  if [[ $rest =~ [^\ ] ]]; then
    echo "tests/run.sh: error: RSP_STEPS has no step named:$rest" >&2
    printf 'the steps are:\n' >&2
    printf '  %s\n' "${names[@]}" | awk '!seen[$0]++' >&2
    exit 2
  fi
}

# The sanitizer build, and the steps under it.
sanitized () {
  local root
  root=$(pwd)
  where=" (sanitizers)"
  if [ -z "$planning" ] && [[ " ${planned[*]} " == *" sanitizer build "* ]]; then
    number=$((number + 1))
    echo "[$number of ${#planned[@]}] sanitizer build"
    if ! make --no-print-directory -s -j2 SANITIZE=1 all build-sanitize/unit-tests build-sanitize/differential \
        build-sanitize/theorems; then
      echo "FAIL sanitizer build"
      failed=$((failed + 1))
      return
    fi
  fi
  # Graphviz and its drawing libraries keep some memory to the end of the process.
  export LSAN_OPTIONS="suppressions=$root/tests/lsan.supp:print_suppressions=0"
  differential=300
  theorems=30
  letter=30
  machines=100
  all "$root/build-sanitize" "$root/build-sanitize/rspcheck" bounded
}

run () {
  differential=2000
  theorems=300
  letter=200
  machines=300
  where=
  if [ "$(basename "$1")" = build-coverage ]; then
    differential=500
    theorems=50
    machines=100
  fi
  step layers tests/layers.sh
  step names tests/names.py
  step lists tests/lists.py "$1"
  step mutants tests/mutants/mutants.py apply
  all "$1" "$2" naive bounded
  [[ $(basename "$1") = build || $(basename "$1") = build-coverage ]] || return
  step synthesis python3 tests/synth.py "$2"
  step questions python3 tests/questions.py "$2"
  step distinguish python3 scripts/distinguish.py --pairs 1 "$2"
  step edits python3 tests/edits.py "$2"
  step "model tables" docs/make-table.py "$2"
  step "needed instructions" tests/machine/needed.py "$2" machine/revised.map litmus/machine/[MRW]*.litmus litmus/machine/SB-fences*.litmus litmus/rsp
  step "machine traces" tests/machine/traces.py "$2"
  step "what promotion saves" bench/steal.py "$2" -k 1,2,3,4 -check docs
  step install tests/install.sh
  step editors tests/editors.sh "$1" "$2"
  step witness python3 tests/witness/witness.py -n 100 all "$2"
  step page python3 tests/page.py "$2"
  step "explained pages" docs/explain-pages.py "$2"
  step explanations python3 tests/explain.py "$2"
  step docs scripts/docs.py --check
  step guides python3 scripts/guides.py "$2"
  if [ -z "${RSP_NO_SANITIZE-}" ]; then
    step lint tests/lint.sh "$1"
    step faults tests/faults.py "$2"
    step fuzz make --no-print-directory -s -j2 fuzz-stored
    [ -n "$planning" ] && [ -z "${RSP_STEPS-}" ] && planned+=("sanitizer build")
    sanitized
  fi
}

unset MAKEFLAGS MAKELEVEL
names=()
run "$@"
check_steps
planning=
run "$@"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
