#!/bin/bash
# Static checks, without running anything: layout (clang-format), warnings of clang, clang-tidy, cppcheck,
# and shellcheck for the scripts. tests/lint.sh [BUILD]: after a build, whose generated files are read.
# One check for each tool; its findings are printed. A tool of a different version than Debian 12's lays out
# and warns differently, so clang-format is used only in version 14.
set -u
cd "$(dirname "$0")/.." || exit 1
build=${1:-build}
jobs=$(nproc)
passed=0
failed=0

check () { # check NAME COMMAND…
  local name=$1 output
  shift
  if output=$("$@" 2>&1); then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAIL lint: %s\n%s\n' "$name" "$output"
  fi
}

list () { git ls-files "$@" | grep -v '^tests/fuzz/'; }
# The product's own files: tests may be simpler.
product () { list '*.c' | grep -v '^tests/'; }

# Headers of libraries are the system's: nothing is said about them.
mapfile -t flags < <(pkg-config --cflags glib-2.0 gio-2.0 libsoup-3.0 libseccomp libgvc check | xargs -n1 | sed 's/^-I/-isystem/')
flags+=(-std=c11 -D_GNU_SOURCE '-DRSP_VERSION=""' '-DRSP_CAT_DIR=""' -I. -Iapi -Ipublic "-I$build" "-I$build/generated")
warnings=(-Werror -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes)
# GLib's macros, which cppcheck does not know.
macros=('-DG_GNUC_PRINTF(x,y)=' -DG_GNUC_NORETURN= '-DG_DEFINE_AUTOPTR_CLEANUP_FUNC(x,y)=' '-DG_STATIC_ASSERT(x)='
        -DG_BEGIN_DECLS= -DG_END_DECLS= '-DRSP_VERSION=""' '-DRSP_CAT_DIR=""')

layout () {
  case $(clang-format --version) in
    *"version 14."*) list '*.c' '*.h' '*.inc' | xargs clang-format --dry-run -Werror ;;
  esac
}
# Of generated files; of the product's own clang-tidy reports them.
clang_warnings () { find "$build/generated" -name '*.c' -print0 | xargs -0 -P"$jobs" -n8 clang -fsyntax-only "${warnings[@]}" "${flags[@]}"; }
# Some dozen files in one process, and GLib's headers once: to begin with them takes half of a file's time. MCPP's header
# is there only after `make workbench`, which compiles that file with all warnings.
tidy () {
  local folder status
  folder=$(mktemp -d)
  echo '#include <glib.h>' > "$folder/glib.h"
  clang -x c-header "${flags[@]}" "$folder/glib.h" -o "$folder/glib.pch" || return
  # shellcheck disable=SC2016
  product | grep -v '^extra/web/preprocess\.c$' | FLAGS="-include-pch $folder/glib.pch ${warnings[*]} -Wreserved-identifier ${flags[*]}" \
    xargs -P"$jobs" -n40 bash -c 'clang-tidy --quiet "$@" -- $FLAGS' -
  status=$?
  rm -r "$folder"
  return $status
}
cpp () {
  product | xargs cppcheck -q -j"$jobs" --error-exitcode=1 --enable=warning,performance,portability --std=c11 --library=gtk \
    --suppressions-list=tests/lint/cppcheck.txt "${macros[@]}" -I. -Iapi -Ipublic "-I$build/generated"
}
scripts () { { git ls-files '*.sh' .ci/run; } | xargs shellcheck; }

check "make format has nothing to do" layout
check "clang's warnings" clang_warnings
check clang-tidy tidy
check cppcheck cpp
check shellcheck scripts
echo "lint: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
