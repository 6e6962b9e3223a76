#!/bin/bash
# The typelib, used from Python: tests/api/introspect.sh BUILD
set -u
cd "$(dirname "$0")/../.." || exit 1
for python in python3 /usr/bin/python3; do
  "$python" -c 'import gi' 2>/dev/null && break
done
if ! "$python" -c 'import gi' 2>/dev/null; then
  echo "introspection: no Python with PyGObject: skipped"
  echo "introspection: 0 passed, 0 failed"
  exit 0
fi
export LD_LIBRARY_PATH=$1 GI_TYPELIB_PATH=$1 PYTHONPATH=$1
exec "$python" tests/api/introspect.py ./rspcheck
