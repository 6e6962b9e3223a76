#!/bin/bash
# The Debian packages of `make deb`: lintian finds nothing, they install in a bare Debian (debootstrap; root and a
# mirror are needed) and work there, and go without a trace: tests/packages.sh FOLDER
#
# RSP_MIRROR is the mirror (default: http://deb.debian.org/debian), RSP_SUITE the release (default: this machine's).
set -u
cd "$(dirname "$0")/.." || exit 1
packages=$(realpath "$1")
mirror=${RSP_MIRROR-http://deb.debian.org/debian}
# shellcheck source=/dev/null
suite=${RSP_SUITE-$(. /etc/os-release; echo "$VERSION_CODENAME")}
root=$(mktemp -d)
passed=0
failed=0

finish () {
  umount -q "$root/proc"
  rm -rf --one-file-system "$root"
}
trap finish EXIT

# check WHAT COMMAND…
check () {
  local what=$1
  shift
  if "$@" >"$packages/output" 2>&1; then
    passed=$((passed + 1))
  else
    echo "FAIL packages: $what"
    tail -n 30 "$packages/output" | sed 's/^/    /'
    failed=$((failed + 1))
  fi
}

inside () { DEBIAN_FRONTEND=noninteractive LC_ALL=C chroot "$root" "$@"; }

bare () {
  debootstrap --variant=minbase "$suite" "$root" "$mirror" \
    && mount -t proc proc "$root/proc" \
    && mkdir "$root/packages" "$root/tests" \
    && cp "$packages"/*.deb "$root/packages/" \
    && cp tests/golden/RSP_Test1.litmus tests/golden/RSP_Test1.log tests/api/explained.c tests/api/check.h "$root/tests/"
}

install_files () { inside sh -c "apt-get install -y --no-install-recommends $*"; }
run_program () { inside sh -c 'cd /tests && rspcheck RSP_Test1.litmus > log && cmp log RSP_Test1.log'; }
# shellcheck disable=SC2016 # for the shell inside
compile () {
  inside sh -c 'cd /tests && gcc -o shared explained.c $(pkg-config --cflags --libs rspcheck) && cd / && /tests/shared \
    && cd /tests && gcc -static-libgcc -o static explained.c $(pkg-config --cflags rspcheck) -Wl,-Bstatic -lrspcheck \
       -Wl,-Bdynamic $(pkg-config --libs glib-2.0 gobject-2.0 zlib) -lm && cd / && /tests/static'
}
run_python () {
  inside python3 -c 'import gi
gi.require_version("Rspcheck", "0.1")
from gi.repository import Rspcheck
test = Rspcheck.Test.read("/tests/RSP_Test1.litmus", False, None)
model = Rspcheck.Model.load("opencl_rem.cat", [Rspcheck.Model.directory()], None, None)
assert Rspcheck.check(test, model, None, None).n_states()'
}
purge () {
  inside sh -c 'apt-get purge -y "*rspcheck*" && ! find / -xdev -name "*rspcheck*" -not -path "/packages/*" -not -path "/proc/*" \
    -not -path "/var/*" -print | grep .'
}

check "lintian" lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$packages"/*.changes
check "debootstrap" bare
check "the program installs" install_files "/packages/rspcheck_*.deb /packages/rspcheck-data_*.deb"
check "and runs" run_program
check "the library installs" install_files "/packages/*.deb gcc libc6-dev pkgconf python3-gi"
check "a program with the library" compile
check "Python with the library" run_python
check "all is purged" purge
echo "packages: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
