#!/usr/bin/env python3
"""Times rspcheck on parametric families: `make bench`, or bench/bench.py [FAMILY…].

Prints whole-process time, executions, states, nanoseconds per execution and the growth from one size
to the next. With PEER='command' in the environment the same files are given to another simulator
(the command, then the file) and the ratio is printed. Counts that are known are compared.
"""

import os
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from families import FAMILIES  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = [os.path.join(ROOT, "rspcheck"), "-model", "opencl_rem.cat"]
LIMIT = float(os.environ.get("LIMIT", "60"))


def run(command):
    start = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return None, ""
    return time.perf_counter() - start, done.stdout


def best(command):
    """The quickest of three runs (one when it takes long): other load only ever adds."""
    times = []
    for _ in range(3):
        seconds, out = run(command)
        if seconds is None:
            return None, ""
        times.append(seconds)
        if seconds > 2:
            break
    return min(times), out


def show(family, n, path, known, previous):
    seconds, out = best(TOOL + [path])
    if seconds is None:
        print(f"{family:10} {n:3}  more than {LIMIT:.0f} s", flush=True)
        return None
    counts = re.search(r"Positive: (\d+) Negative: (\d+)", out)
    states = re.search(r"States (\d+)", out)
    executions = int(counts[1]) + int(counts[2]) if counts else 0
    line = (f"{family:10} {n:3} {seconds * 1e3:9.1f} ms  {executions:16} executions "
            f"{int(states[1]) if states else 0:8} states "
            f"{seconds * 1e9 / max(executions, 1):14.1f} ns each")
    if previous:
        line += f"  x{seconds / previous:.1f}"
    if known and known(n) != executions:
        line += f"  WRONG: {known(n)} expected"
    peer = os.environ.get("PEER")
    if peer:
        theirs, _ = run(peer.split() + [path])
        line += f"  peer {theirs:.2f} s, ratio {theirs / seconds:.0f}" if theirs else "  peer: no answer"
    print(line, flush=True)
    return seconds


def time_families(chosen, folder):
    for family in chosen:
        make, known, sizes = FAMILIES[family]
        previous = None
        for n in sizes:
            path = os.path.join(folder, f"{family}{n}.litmus")
            with open(path, "w", encoding="ascii") as file:
                file.write(make(n))
            previous = show(family, n, path, known, previous)


def time_suite():
    suite = os.path.join(ROOT, "litmus", "rsp")
    hard = [os.path.join(suite, f"RSP_Test{i}.litmus") for i in (8, 9, 11)]
    for label, tests in (("RSP 8, 9, 11", hard), ("RSP suite", [suite])):
        seconds, _ = best(TOOL + tests)
        print(f"{label:14} {seconds * 1e3:9.1f} ms")


def main():
    chosen = sys.argv[1:] or list(FAMILIES)
    with tempfile.TemporaryDirectory() as folder:
        time_families(chosen, folder)
    if not sys.argv[1:]:
        time_suite()


if __name__ == "__main__":
    main()
