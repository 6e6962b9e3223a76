#!/bin/bash
# Compares rspcheck with the herds that are installed:
#
#   PEER7='herd7 -I DIR' PEER15='herd-2015' tests/peers.sh SUITE [MODEL.cat…]
#
# Runs each peer and rspcheck on every test of the folder SUITE under each model (default: the peer's own
# default model), and prints one row per peer and model: of how many tests the states, the counts of
# executions, the flags and the hash agree; then each test on which one of them does not.
# RSPCHECK names the program (default: ./rspcheck). Status 1 if something differs.
set -u
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ -n "${PEER7-}${PEER15-}" ] || { echo "peers.sh: neither PEER7 nor PEER15 names a herd" >&2; exit 2; }
exec python3 "$here/peers.py" "$@"
