#!/bin/sh
# `make demo` shows one test under one model, and one test on which two models differ.
set -eu
cd "$(dirname "$0")/.."

say () { echo; printf '%s\n' "$@"; }
run () { printf '\n$ %s\n' "$*"; "$@"; }

say 'Two work-items write x and y, and two others read them in opposite orders. May the readers disagree' \
    'about which write came first? They may: the model allows 1 of 16 executions to end so.'
run ./rspcheck -model opencl_rem.cat litmus/rsp/RSP_Test1.litmus

say 'A work-item writes data and releases a flag to its own work-group only; a work-item of another' \
    'work-group acquires the flag remotely. With remote-scope promotion it never sees the flag without the data;'  \
    'in plain OpenCL, where "remote" means nothing, it can, and every execution races.'
run ./rspcheck -model opencl_rem.cat litmus/rsp/RSP_Test2.litmus
run ./rspcheck -model opencl.cat litmus/rsp/RSP_Test2.litmus

say 'To change a test and see what happens: ./rspcheck -serve opens a page in a browser (docs/live.md).'
