#!/bin/sh
# Makes sure that what rspcheck builds and tests with is on this machine. On Debian and its relatives
# what is missing is installed with apt-get, as root or through sudo, without a question; elsewhere
# the list is printed. Silent when nothing is missing. An argument says for what: `required` (which only prints
# what `make` cannot do without), `build`, `check`, `all` (the default), or `web`: what the workbench is built with.
set -eu

for=${1:-all}
missing=
need () { # need PACKAGE COMMAND…: the command fails where the package is missing
  package=$1; shift
  "$@" >/dev/null 2>&1 || missing="$missing $package"
}
has_pygobject () { python3 -c 'import gi' || /usr/bin/python3 -c 'import gi'; }
# clang's runtime libraries, including libFuzzer's.
has_fuzzer () { ls "$(clang -print-resource-dir)"/lib/*/libclang_rt.fuzzer*; }
has_llvm_spirv () { command -v llvm-spirv-15 || command -v llvm-spirv-14 || command -v llvm-spirv; }
# shellcheck disable=SC2086 # may be "ccache cc"
has_cc () { ${CC:-cc} --version; }
need gcc has_cc
need make command -v make
need flex command -v "${FLEX:-flex}"
need bison command -v "${BISON:-bison}"
need pkg-config command -v pkg-config
need libglib2.0-dev pkg-config --exists glib-2.0 gio-2.0
need zlib1g-dev pkg-config --exists zlib # packs the pictures of pages
need libgraphviz-dev pkg-config --exists libgvc libcgraph
if [ "$for" = required ]; then
  echo "${missing# }"
  exit
fi
need libsoup-3.0-dev pkg-config --exists libsoup-3.0 # for -serve; make does without it
need libseccomp-dev pkg-config --exists libseccomp # for -confined, and so -serve; make does without it
# shellcheck disable=SC2086
has_cadical () { ${CC:-cc} -fsyntax-only -include ccadical.h -x c /dev/null; }
need libcadical-dev has_cadical # the SAT solver of -engine sat, which is left out without it
# SPIR-V for -kernel; make does without them
need spirv-tools pkg-config --exists SPIRV-Tools
need spirv-headers test -e /usr/include/spirv/unified1/spirv.h
need lowdown command -v lowdown # man pages of section 5 and HTML, from the guides
if [ "$for" != build ]; then
  need check pkg-config --exists check
  need python3 command -v python3
  # The typelib, and Python that reads it.
  need gobject-introspection command -v g-ir-scanner
  need libgirepository1.0-dev pkg-config --exists gobject-introspection-1.0
  need python3-gi has_pygobject
fi
if [ "$for" != build ] && [ "$for" != check ]; then
  need parallel command -v parallel
  # Shells and editors that have completion, syntax files and the language server.
  need zsh command -v zsh
  need fish command -v fish
  need vim command -v vim
  need neovim command -v nvim
  need nodejs command -v node # runs the client of the extension for Visual Studio Code
  # Kernels compared with clang's OpenCL C, static checks (tests/lint.sh), fuzzing (tests/fuzz), and failing
  # system calls (tests/faults.py).
  need clang command -v clang
  need llvm-spirv-15 has_llvm_spirv # makes SPIR-V of kernels
  need glslang-tools command -v glslangValidator # compiles shaders, as -kernel shader.comp does
  need libclang-rt-dev has_fuzzer
  need clang-tidy command -v clang-tidy
  need clang-format command -v clang-format
  need cppcheck command -v cppcheck
  need shellcheck command -v shellcheck
  need strace command -v strace
  need cadical command -v cadical # the solver as a program, whose proofs tests/proofs.py checks
  # Only for the tests of -html and the workbench: a browser, some 300 MB with its dependencies.
  need chromium command -v chromium
  need chromium-driver command -v chromedriver
fi
if [ "$for" = web ]; then
  need emscripten command -v emcc
  need npm command -v npm
  need patch command -v patch
fi

[ -n "$missing" ] || exit 0
echo "deps: missing:$missing"
if ! command -v apt-get >/dev/null 2>&1; then
  echo "deps: this is no Debian system. Install with its own package manager: a C11 compiler, GNU make," >&2
  echo "deps: flex, bison 3.8, pkg-config, GLib 2 and Graphviz (headers), lowdown; for the tests also" >&2
  echo "deps: Check, Python 3 with PyGObject and GObject introspection; docs/install.md says what else." >&2
  exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null 2>&1 || { echo "deps: run as root: apt-get install$missing" >&2; exit 1; }
  as_root='sudo -n'
fi
echo "deps: installing with apt-get:$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
# shellcheck disable=SC2086
$as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
echo "deps: done"
