#!/bin/bash
# Runs tests: tests/run.sh BUILD PROGRAM, as `make check`, `make check-all` and `make check-quick` do.
#
# RSP_LEVEL is quick, check or all (the default): the steps of that level and of those before it. RSP_STEPS="unit,golden"
# runs only the steps of these names, of whatever level. Two steps run at a time (RSP_JOBS), each with its output apart,
# which is shown when the step ends; a single step is shown while it runs. Each step ends with a line `NAME: N passed,
# N failed`; the last line of all is their sum.
#
# On level all, steps run once more under the sanitizers, unless RSP_NO_SANITIZE is set or BUILD is the sanitizer build.
set -u
cd "$(dirname "$0")/.." || exit 1
unset MAKEFLAGS MAKELEVEL
export PYTHONDONTWRITEBYTECODE=1
# Graphviz and its drawing libraries keep some memory to the end of the process.
export LSAN_OPTIONS="suppressions=$PWD/tests/lsan.supp:print_suppressions=0"
export ASAN_OPTIONS=quarantine_size_mb=16 # with the usual 256 MB, an eighth of the time goes into fresh pages

build=$1
program=$2
level=${RSP_LEVEL:-all}
names=()    # of all steps
titles=()   # of those that are run
commands=() # of each, quoted
mapfile -t random_models < tests/random/models

# ---- What is run ----

# of LEVEL: the steps that follow are of this level
of () {
  case "$1 $level" in
    "quick quick" | "quick check" | "check check" | *" all") in_level=yes ;;
    *) in_level= ;;
  esac
}

# step NAME COMMAND…
step () {
  names+=("$1")
  if [ -n "${RSP_STEPS-}" ]; then
    [[ ",$RSP_STEPS," == *",$1,"* ]] || return
  else
    [ -n "$in_level" ] || return
  fi
  titles+=("$1$where")
  shift
  # Memory in GLib's slices is hidden from the sanitizers.
  commands+=("${where:+G_SLICE=always-malloc }$(printf '%q ' "$@")")
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

# ---- Commands ----

# unit BUILD [FORK]: the unit tests, with Check's summary in the common form; each in a process of its own, unless FORK is no.
unit () {
  local output status
  output=$(CK_FORK=${2-${CK_FORK-yes}} "$1/unit-tests" 2>&1)
  status=$?
  if [[ $output =~ Checks:\ ([0-9]+),\ Failures:\ ([0-9]+),\ Errors:\ ([0-9]+) ]]; then
    local f=$((BASH_REMATCH[2] + BASH_REMATCH[3])) passed=${BASH_REMATCH[1]}
    sed '/^Running suite/,/^[0-9]*%/d' <<<"$output"
    echo "unit: $((passed - f)) passed, $f failed"
  else
    echo "$output"
  fi
  return $status
}

# All but some locks and queues, each of which takes the naive engine more seconds than most suites.
suites_naive () {
  find "$PWD/litmus" -name '*.litmus' ! -name TICKET4-dev.litmus ! -path '*/progress/lock*' \
    ! -path '*/steal/WSQ[23]-*' ! -name 'PUB2-*' | sort > "$build/suites-naive"
  "$1" -q -expect -engine naive "@$build/suites-naive"
}

# making COMMAND…: of two steps that call make in the build's folder one waits for the other.
making () { flock "$build/making" "$@"; }

build_sanitized () {
  make --no-print-directory -s -j2 SANITIZE=1 all build-sanitize/unit-tests build-sanitize/differential \
    build-sanitize/theorems || return
  echo "1 passed, 0 failed"
}

threads () { N=3 make --no-print-directory -s -j2 check-threads; }

# ---- The steps ----

# Each level with what it adds.
plan () {
  where=
  local differential=250 # of 800, few take most of two minutes: `build/differential -n 800` is for releases
  of quick
  step layers tests/layers.sh
  step names tests/names.py
  step unit unit "$build"
  step "command line" python3 tests/cli.py "$program"
  step errors python3 tests/cli.py --errors "$program"
  step golden python3 tests/golden.py "$program"
  step "bounded suites" "$program" -q -expect -engine bounded litmus
  # On the other levels, `naive kernels` does the same, and more.
  [[ $level != quick && -z ${RSP_STEPS-} ]] || step kernels python3 tests/kernels.py "$program"
  step "kernel pairs" python3 tests/random/pairs_compare.py -n 15 "$program"
  step docs scripts/docs.py --check
  step "language server" python3 tests/lsp.py "$program"
  of check
  local same=
  [ "$level" != all ] || same=yes
  step serve python3 tests/serve.py "$program"
  step "naive suites" suites_naive "$program"
  step "naive kernels" python3 tests/kernels.py --naive ${same:+--same} "$program"
  step differential "$build/differential" -n "$differential" -models 6 "${random_models[@]}"
  step "columns engines" python3 tests/random/columns_compare.py -n 100 "$program" PTX VULKAN AMDGPU
  step "modules engines" python3 tests/random/spirv_compare.py -n 100 "$program"
  step permutations python3 tests/permutations.py "$program"
  step placements python3 tests/placements.py -step 12 "$program"
  step herd python3 tests/herd.py "$program"
  step library tests/api/run.sh "$build"
  step circles tests/circles.py "$build"
  step lists tests/lists.py "$build"
  step guides python3 scripts/guides.py "$program"
  # On level all, `without extras` does the same, and more.
  [[ $(basename "$build") != build || $level${RSP_STEPS-} = all ]] || step core making tests/extra.py
  of all
  [ -n "${RSP_NO_SANITIZE-}${RSP_STEPS-}" ] || step "sanitizer build" build_sanitized
  step mutants tests/mutants/mutants.py apply
  step "long kernels" python3 tests/kernels.py --naive --long "$program"
  step "kernel values" python3 tests/random/pairs_compare.py -n 40 -values "$program"
  step "kernels by clang" python3 tests/random/kernels_compare.py -n 40 "$program"
  step "kernels by llvm-spirv" python3 tests/opencl_spirv.py -step 5 "$program"
  [[ $(basename "$build") != build ]] || step install making tests/install.sh
  [[ $(basename "$build") != build ]] || step editors making tests/editors.sh "$build" "$program"
  step "long commands" python3 tests/cli.py --long "$program"
  step "more permutations" python3 tests/permutations.py --more "$program"
  step "wide sets" "$build/differential" -kind wide -n $((differential / 10)) -models 1 "${random_models[@]}"
  step words "$build/differential" -kind ordinary -words true -n $((differential / 5)) tests/random/words.cat
  step "messages to loops" "$build/differential" -kind messages -n $((differential * 3 / 2)) opencl.cat
  step theorems "$build/theorems" -n $((differential * 3 / 20))
  step "HRF to the letter" python3 tests/random/hrf_compare.py -n 200 "$program"
  step "C to the letter" python3 tests/random/c_compare.py -n 200 "$program"
  step "OpenCL to the letter" python3 tests/random/opencl_compare.py -n 300 "$program"
  step translations python3 tests/random/translate_compare.py -n 100 "$program"
  step progress python3 tests/progress/compare.py -n 40 "$program"
  step machines python3 tests/machine/judge.py "$program" -n 40 -limit 600
  step dsom python3 tests/dsom/compare.py "$program" -n 70
  step "same naive" python3 tests/same.py -engine naive "$program"
  step "same bounded" python3 tests/same.py -engine bounded "$program"
  [[ $(basename "$build") = build || $(basename "$build") = build-coverage ]] || return
  step synthesis python3 tests/synth.py "$program"
  step questions python3 tests/questions.py "$program"
  step weakest python3 tests/weakest.py "$program"
  step distinguish python3 scripts/distinguish.py --pairs 1 "$program"
  step edits python3 tests/edits.py "$program"
  step "model tables" docs/make-table.py "$program"
  step "needed instructions" tests/machine/needed.py "$program" machine/revised.map litmus/machine/[MRW]*.litmus litmus/machine/SB-fences*.litmus litmus/rsp
  step "machine traces" tests/machine/traces.py "$program"
  step "what promotion saves" bench/steal.py "$program" -k 1,2,3,4 -check docs
  step "without extras" making tests/extra.py --long
  step additions python3 tests/additions.py
  step witness python3 tests/witness/witness.py -n 25 all "$program"
  step page python3 tests/page.py "$program"
  step workbench python3 tests/workbench.py "$program" "$build" 'repair|at a glance' # make check-workbench has all
  step "explained pages" docs/explain-pages.py "$program"
  step explanations python3 tests/explain.py "$program"
  [ -z "${RSP_NO_SANITIZE-}" ] || return
  step lint tests/lint.sh "$build"
  step faults tests/faults.py "$program"
  step threads threads
  plan_sanitized "$PWD/build-sanitize"
}

# plan_sanitized BUILD: what reaches all of the code in a short time, under the sanitizers
plan_sanitized () {
  where=" (sanitizers)"
  step fuzz make --no-print-directory -s -j2 fuzz-stored
  # The longest, beside all that follow. A search for leaks is a third of each start, and what starts here ends at once.
  step "command line" env "ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0" python3 tests/cli.py "$1/rspcheck"
  step unit unit "$1" no # with one search for leaks, at the end
  step errors python3 tests/cli.py --errors "$1/rspcheck"
  step golden python3 tests/golden.py "$1/rspcheck"
  step library tests/api/run.sh "$1"
  step differential "$1/differential" -n 150 -models 4 "${random_models[@]}"
  step "wide sets" "$1/differential" -kind wide -n 30 -models 1 "${random_models[@]}"
  step "messages to loops" "$1/differential" -kind messages -n 450 opencl.cat
  step theorems "$1/theorems" -n 30
  step proofs python3 tests/proofs.py "$1/rspcheck"
  step machines python3 tests/machine/judge.py "$1/rspcheck" -n 30 -limit 60
  step dsom python3 tests/dsom/compare.py "$1/rspcheck" -n 15
  step "bounded suites" "$1/rspcheck" -q -expect -engine bounded litmus
}

# ---- The run ----

passed=0
failed=0
complaints=() # titles of steps that failed
running=()    # process -> step

# Output with its counts under the step's name.
named () { sed -u -E "s/^[0-9]+ passed, [0-9]+ failed\$/${1% (sanitizers)}: &/"; }

# count STEP STATUS: adds the last line of counts in the step's output. A step that fails without having counted a
# failure counts as one.
count () {
  local line p=0 f=0
  line=$(grep -E '(^|: )[0-9]+ passed, [0-9]+ failed$' "$folder/$1" | tail -n 1)
  if [[ $line =~ ([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]}
  fi
  if [ "$2" -ne 0 ] && [ "$f" -eq 0 ]; then
    echo "FAIL ${titles[$1]}: ended with status $2"
    f=1
  fi
  passed=$((passed + p))
  failed=$((failed + f))
  [ "$f" -eq 0 ] || complaints+=("${titles[$1]}")
}

head_of () { echo "[$(($1 + 1)) of ${#titles[@]}] ${titles[$1]}${2-}"; }

# Runs a step and shows it meanwhile.
alone () {
  head_of "$1"
  eval "${commands[$1]}" 2>&1 | tee "$folder/$1" | named "${titles[$1]}"
  count "$1" "${PIPESTATUS[0]}"
}

# A process group of its own: interrupting ends what the step has started, too.
start () {
  set -m
  (
    TIMEFORMAT='%1R s, processor %1U+%1S s'
    { time eval "${commands[$1]}" > "$folder/$1" 2>&1; } 2> "$folder/$1.time"
  ) < /dev/null &
  set +m
  running[$!]=$1
}

# Waits for one of the steps and shows it.
finish () {
  local process status number
  wait -n -p process "${!running[@]}"
  status=$?
  number=${running[$process]}
  unset "running[$process]"
  head_of "$number" " ($(tail -n 1 "$folder/$number.time"))"
  named "${titles[$number]}" < "$folder/$number"
  count "$number" "$status"
}

# Waits for the sanitizer build, if it is among the steps; fails if it did.
is_built () {
  while [[ " ${running[*]} " == *" $builder "* ]]; do
    finish
  done
  [[ " ${complaints[*]} " != *"sanitizer build"* ]]
}

stop () {
  for process in "${!running[@]}"; do
    kill -- -"$process" 2>/dev/null
  done
  rm -rf "$folder"
}

run_all () {
  local jobs=${RSP_JOBS:-2} builder=none i
  [ "${#titles[@]}" -gt 1 ] || jobs=1
  for i in "${!titles[@]}"; do
    [ "${titles[$i]}" != "sanitizer build" ] || builder=$i
    if [[ ${titles[$i]} == *" (sanitizers)" ]] && ! is_built; then
      continue
    elif [ "$jobs" -eq 1 ]; then
      alone "$i"
      continue
    fi
    while [ "${#running[@]}" -ge "$jobs" ]; do
      finish
    done
    start "$i"
  done
  while [ "${#running[@]}" -gt 0 ]; do
    finish
  done
}

case $level in
  quick | check | all) ;;
  *) echo "tests/run.sh: error: RSP_LEVEL is quick, check or all, not $level" >&2; exit 2 ;;
esac
plan
check_steps
# Tests make files by the thousand: in memory, if there is some and programs can run there.
folder=$(mktemp -d /dev/shm/rsp.XXXXXX 2>/dev/null)
if ! { cp /bin/true "$folder/" && "$folder/true"; } 2>/dev/null; then
  rm -rf "$folder"
  folder=$(mktemp -d)
fi
export TMPDIR=$folder
trap stop EXIT
trap 'exit 130' INT TERM
run_all
[ "${#complaints[@]}" -le 1 ] || printf 'failed: %s\n' "${complaints[@]}"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
