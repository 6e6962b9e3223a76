#!/usr/bin/env python3
"""Times rspcheck on parametric families: `make bench`, or bench/bench.py [FAMILY…].

Prints the processor's time of the whole process, executions, states, nanoseconds per execution and the growth from one size
to the next. With PEER='command' in the environment the same files are given to another simulator
(the command, then the files) and the ratio is printed. Counts that are known are compared. No run
may take longer than LIMIT seconds (60). One thread each; with JOBS=N threads the time is the clock's. The family `random`
is a hundred random tests in one run.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import processor  # noqa: E402
from families import FAMILIES, RANDOM_TESTS  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GENERATOR = os.path.join(ROOT, "build", "differential")
JOBS = os.environ.get("JOBS", "1")
TOOL = [os.path.join(ROOT, "rspcheck"), "-j", JOBS]
CLOCK = processor.seconds if JOBS == "1" else time.perf_counter  # other load changes the former little
LIMIT = float(os.environ.get("LIMIT", "60"))


def run(command):
    start = CLOCK()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return None, ""
    return CLOCK() - start, done.stdout


def best(command):
    """The quickest of three runs (of one if it is long): other load can only slow a run down."""
    times = []
    for _ in range(3):
        seconds, out = run(command)
        if seconds is None:
            return None, ""
        times.append(seconds)
        if seconds > 2:
            break
    return min(times), out


def show(family, n, paths, previous):
    """Prints the line of a size; returns its seconds, or None if it took too long."""
    _, known, _, options = FAMILIES[family]
    seconds, out = best(TOOL + options + paths)
    if seconds is None:
        print(f"{family:13} {n:3}  more than {LIMIT:.0f} s", flush=True)
        return None
    executions = sum(int(count) for line in re.findall(r"Positive: (\d+) Negative: (\d+)", out)
                     for count in line)
    states = sum(map(int, re.findall(r"^States (\d+)", out, re.MULTILINE)))
    line = (f"{family:13} {n:3} {seconds * 1e3:9.1f} ms  {executions:16} executions "
            f"{states:8} states {seconds * 1e9 / max(executions, 1):14.2f} ns each")
    line += f"  x{seconds / previous:<6.1f}" if previous else " " * 9
    if known and known(n) not in (None, executions):
        line += f"  WRONG: {known(n)} expected"
    peer = os.environ.get("PEER")
    if peer:
        theirs, _ = run(shlex.split(peer) + paths)
        line += (f"  peer {theirs * 1e3:.1f} ms, ratio {theirs / seconds:.1f}" if theirs
                 else f"  peer: more than {LIMIT:.0f} s")
    print(line.rstrip(), flush=True)
    return seconds


def make_tests(family, n, folder):
    """Writes the family's files of size n; returns their paths."""
    text = FAMILIES[family][0]
    if text:
        path = os.path.join(folder, f"{family}{n}.litmus")
        with open(path, "w", encoding="ascii") as file:
            file.write(text(n))
        return [path]
    folder = os.path.join(folder, f"{family}{n}")
    os.mkdir(folder)
    subprocess.run([GENERATOR, "-n", str(RANDOM_TESTS), "-accesses", str(n), "-write", folder],
                   check=True)
    return sorted(os.path.join(folder, name) for name in os.listdir(folder))


def time_families(chosen, folder):
    for family in chosen:
        sizes = FAMILIES[family][2]
        previous = None
        for n in sizes:
            previous = show(family, n, make_tests(family, n, folder), previous)


def time_suite():
    suite = os.path.join(ROOT, "litmus", "rsp")
    hard = [os.path.join(suite, f"RSP_Test{i}.litmus") for i in (8, 9, 11)]
    for label, tests in (("RSP 8, 9, 11", hard), ("RSP suite", [suite])):
        seconds, _ = best(TOOL + FAMILIES["sb"][3] + tests)
        print(f"{label:14} {seconds * 1e3:9.1f} ms")


def main():
    chosen = sys.argv[1:] or list(FAMILIES)
    unknown = [family for family in chosen if family not in FAMILIES]
    if unknown:
        sys.exit(f"bench: no family `{unknown[0]}`; there are {', '.join(FAMILIES)}")
    with tempfile.TemporaryDirectory() as folder:
        time_families(chosen, folder)
    if not sys.argv[1:]:
        time_suite()


if __name__ == "__main__":
    main()
