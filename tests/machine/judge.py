#!/usr/bin/env python3
"""Runs random tests on a machine, and compares with the expected results.

    tests/machine/judge.py PROGRAM [-n N] [-seed S] -kind K OPTION...   prints the tests that are unsound
                                                                     in one run, and its totals
    tests/machine/judge.py PROGRAM [-n N] [-limit STATES]              all the claims below, with the full search
                                                                     of shipped tests limited; the last line
                                                                     is "N passed, N failed"
"""

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile

import generate


def write(folder, kind, seed, n):
    for text in itertools.islice(generate.tests(seed, kind), n):
        name = text.split("\n", 1)[0].split()[1]
        with open(os.path.join(folder, name + ".litmus"), "w", encoding="utf-8") as file:
            file.write(text)


def records(program, options, folder, quiet=False):
    """A record per test, by name. quiet: without the errors of tests that the machine cannot run."""
    run = subprocess.run([program, "-q", "-json", *options, folder], capture_output=True, text=True, check=False)
    found = {record["test"]: record for record in map(json.loads, run.stdout.splitlines())}
    if not quiet:
        sys.stderr.write(run.stderr[:2000])
    return found


def states(record):
    return {state["state"] for state in record["states"]}


def totals(found):
    counts = {}
    for record in found.values():
        verdict = record["machine"]["verdict"]
        counts[verdict] = counts.get(verdict, 0) + 1
    counts["deadlock"] = sum(record["machine"]["deadlock"] for record in found.values())
    return counts


def judged(program, kind, seed, n, options):
    with tempfile.TemporaryDirectory() as folder:
        write(folder, kind, seed, n)
        return records(program, options, folder)


def some_unsound(program, kind, seed, n, options):
    """Up to ten times n tests, until some test is unsound."""
    for batch in range(10):
        counts = totals(judged(program, kind, f"{seed}.{batch}", n, options))
        if counts.get("unsound"):
            return None
    return f"{counts} in the last of ten batches"


def none_unsound(program, kind, seed, n, options):
    """No test is unsound, and at least a tenth of them are informative."""
    counts = totals(judged(program, kind, seed, n, options))
    fine = set(counts) == {"sound", "vacuous", "deadlock"} and not counts["deadlock"] \
        and counts["sound"] > n // 10
    return None if fine else f"{counts}"


def same_states(program, tests, options, other, least):
    """Both runs have the same final states in each test that both finish, and finish at least this many tests."""
    one, two = records(program, options, tests, True), records(program, other, tests, True)
    compared = 0
    for name, record in one.items():
        if record["status"] == "ok" and two[name]["status"] == "ok":
            compared += 1
            if states(record) != states(two[name]):
                return f"{name}: {sorted(states(record) ^ states(two[name]))[:2]}"
            if two[name].get("machine", record["machine"])["deadlock"] and not record["machine"]["deadlock"]:
                return f"{name}: no deadlock"
    return None if compared >= least else f"only {compared} of {len(one)} finished"


def same_on_random(program, kind, seed, n, options, other):
    with tempfile.TemporaryDirectory() as folder:
        write(folder, kind, seed, n)
        complaint = same_states(program, folder, options, other, n * 9 // 10 + 1)
        return complaint and f"seed {seed}: {complaint}"


# What holds on random tests: kind, seed, is some test unsound?, machine and model, mapping and readings.
HERE = os.path.dirname(os.path.abspath(__file__))
AMD, RSP, HRF0 = "-model amdgpu.cat -machine ", "-machine rsp -model opencl_rem.cat -mapping ", " -model hrf0.cat"
VERDICTS = [
    ("rsp", 3, False, RSP + "revised"),
    ("two", 4, False, RSP + "revised"),
    ("chain", 8, False, RSP + "revised"),
    ("chain-two", 9, False, RSP + "revised"),
    ("cross", 3, False, RSP + "revised"),
    ("cross-two", 3, False, RSP + "revised"),
    ("chain-fences-two", 3, False, RSP + "revised"),
    ("rsp", 5, False, RSP + "mended"),
    ("chain", 8, False, RSP + "mended"),
    ("chain-two", 3, False, RSP + "mended"),
    ("sc", 6, False, RSP + "revised-sc"),
    ("sc", 6, False, RSP + "mended-sc"),
    ("chain", 8, True, RSP + "original"),
    ("chain-two", 9, True, RSP + "original"),
    ("chain", 8, True, RSP + "orr"),
    ("cross", 3, True, RSP + "original"),
    ("chain-hrf0", 7, False, "-machine hrf0" + HRF0),
    ("chain-hrf0", 7, True, "-machine hrf0-split" + HRF0),
    ("chain-hrf0", 7, False, "-machine hrf0 -mapping hrf0-thread" + HRF0),
    ("chain-hrf0", 7, True, "-machine hrf0 -mapping hrf0-line" + HRF0),
    ("rsp", 5, False, RSP + "owned"),
    ("relaxed", 7, True, "-machine relaxed -model hrf_indirect_relaxed.cat"),
    ("amd", 1, False, AMD + "amd"),
    ("chain-amd", 1, False, AMD + "amd"),
    ("chain-fences-amd", 1, False, AMD + "amd-split -mapping gfx12-wgp"),
    ("cross-amd", 1, False, AMD + "amd-split"),
    ("chain-amd", 1, True, AMD + "amd -mapping gfx942-no-wait"),
    # readings that revised.map depends on, and those that it does not depend on
    ("chain", 8, True, RSP + "revised -reading rmw-waits=own"),
    ("chain", 8, True, RSP + "revised -reading rmw-invalidates=own"),
    ("chain", 8, True, RSP + "revised -reading locked-store=inner"),
    ("chain-two", 9, True, RSP + "revised -reading all-access=device"),
    ("chain-two", 9, True, RSP + "revised -reading all-reach=device"),
    ("chain", 8, False, RSP + "revised -reading fifo=set"),
    ("chain", 8, False, RSP + "revised -reading inv-dirty=skip"),
    ("chain", 8, False, RSP + "revised -reading lock-drains=any"),
    ("cross-two", 3, False, RSP + "revised -reading fence=order"),
]

# The reduction finds the same states as the full search (which misses the deadlocks in which caches fetch
# for ever). On random tests: kind, seed, share of the tests, machine and mapping.
REDUCTION = [
    ("small", 1, 0.2, "rsp -mapping original"),
    ("small", 1, 0.2, "rsp -mapping revised"),
    ("small", 1, 0.2, "rsp -mapping mended"),
    ("small", 1, 0.2, "rsp -mapping orr"),
    ("chain-small", 1, 0.2, "rsp -mapping original"),
    ("chain-small", 1, 0.2, "rsp -mapping revised"),
    ("cross", 1, 0.2, "rsp -mapping revised"),
    ("chain-small", 1, 0.2, "rsp -mapping orr"),
    ("small", 1, 0.2, "rsp -mapping owned"),
    ("small", 2, 0.1, f"rsp -mapping {HERE}/lines.map"),
    ("chain-small", 1, 0.1, f"rsp -mapping {HERE}/lines.map"),
    ("small", 1, 0.1, f"{HERE}/mixed.machine -mapping original"),
    ("hrf0", 1, 0.1, "hrf0 -mapping hrf0-thread"),
    ("hrf0", 1, 0.1, "hrf0 -mapping hrf0-line"),
    ("cross", 2, 0.02, "rsp -mapping orr"),
    ("hrf0", 1, 0.1, "hrf0"),
    ("hrf0", 1, 0.1, "hrf0-split"),
    ("relaxed", 1, 0.1, "relaxed"),
    ("amd-small", 1, 0.3, "amd"),
    ("amd-small", 2, 0.2, "amd -mapping gfx942-no-wait"),
    ("amd-small", 3, 0.2, "amd-split"),
]
# On the shipped tests that are small enough: how many at least, with 500 states; machine and mapping.
SHIPPED = [
    (230, "rsp -mapping original"),
    (230, "rsp -mapping revised"),
    (230, "rsp -mapping mended"),
    (230, "rsp -mapping orr"),
    (210, "rsp -mapping original-sc"),
    (210, "rsp -mapping revised-sc"),
    (210, "rsp -mapping mended-sc"),
    (120, "hrf0"),
    (120, "hrf0-split"),
    (60, "relaxed"),
    (495, "sc"),
]
TOP = os.path.join(os.path.dirname(__file__), "..", "..")
LITMUS = os.path.join(TOP, "litmus")
# What scripts/smallest.py finds: options; beginnings of lines of its output, in order.
SMALLEST = [
    ("-events 2 " + RSP + "original",
     ["U(wg) x=1 || W(dev,remote) x=2 ", "2 operations: 55 programs, 0 of them vacuous, 1 minimal ones"]),
    ("-events 4 -flags 2 -rmws 0 " + RSP + "original",
     ["3 operations: 385 programs, 0 of them vacuous, 0 minimal ones fail",
      "W(wg) x=1; W(dev,remote) y=1 || W(wg) y=2; W(dev,remote) x=2 ", "    deadlock",
      "R(dev) x [read 1]; r d || w d=1; W(dev) x=1 ", "    0:r0=1; 0:r1=0; d=1; x=1;",
      "4 operations: 7188 programs, 145 of them vacuous, 17 minimal ones fail"]),
    ("-events 4 -local -rmws 0 -data local " + AMD + "amd -mapping gfx942-no-local-wait",
     ["3 operations: 85 programs, 0 of them vacuous, 0 minimal ones fail",
      "R(wg) x [read 1]; r d || w d=1; W(wg) x=1 ", "4 operations: 792 programs, 13 of them vacuous, 6 minimal ones fail"]),
    ("-events 3 -local -rmws 0 -devices 2 " + AMD + "amd",
     ["3 operations: 348 programs, 0 of them vacuous, 0 minimal ones fail"]),
    ("-events 3 " + RSP + "revised", ["3 operations: 1110 programs, 0 of them vacuous, 0 minimal ones fail"]),
    ("-events 4 -local -rmws 0 -machine hrf0" + HRF0,
     ["4 operations: 798 programs, 500 of them vacuous, 0 minimal ones fail"]),
    ("-events 4 -local -rmws 0 -machine hrf0-split" + HRF0,
     ["R(dev) x [read 1]; r d || w d=1; W(dev) x=1 ",
      "4 operations: 798 programs, 500 of them vacuous, 1 minimal ones fail"]),
]


def smallest(program, options, beginnings):
    """Are these beginnings of lines in the output, in this order?"""
    run = subprocess.run([os.path.join(TOP, "scripts", "smallest.py"), program, *options.split()],
                         capture_output=True, text=True, check=False)
    lines = iter(run.stdout.splitlines())
    missing = [begin for begin in beginnings if not any(line.startswith(begin) for line in lines)]
    return f"no line {missing[:1]} {run.stderr[:200]}" if missing or run.returncode else None


def full(machine, limit):
    """Options of a run with reduction, and of one without."""
    options = f"-machine {machine} -max-states {limit}".split()
    return options, options + ["-reading", "reduction=off"]


def claims(n, limit):
    """(title, function of the program)."""
    sc, model = ["-machine", "sc"], ["-model", "sc.cat"]
    yield "sc equals sc.cat on random tests", lambda p: same_on_random(p, "two", 1, n, sc, model)
    yield "sc equals sc.cat on all suites", lambda p: same_states(p, LITMUS, sc, model, 495)
    for kind, seed, share, machine in REDUCTION:
        yield f"reduction is exact: {machine}, {kind}", lambda p, k=kind, i=seed, s=share, m=machine: same_on_random(
            p, k, i, max(int(n * s), 1), *full(m, 300000))
    for least, machine in SHIPPED if limit >= 500 else []:
        yield f"reduction is exact: {machine}, shipped tests", lambda p, l=least, m=machine: same_states(
            p, LITMUS, *full(m, limit), l)
    for options, beginnings in SMALLEST if limit >= 500 else []:
        yield f"smallest tests: {options}", lambda p, o=options, b=beginnings: smallest(p, o, b)
    for kind, seed, unsound, options in VERDICTS:
        claim = some_unsound if unsound else none_unsound
        yield f"{claim.__name__}: {options}, {kind}", lambda p, c=claim, k=kind, s=seed, o=options: c(
            p, k, s, n, o.split())


def check(program, n, limit):
    passed = failed = 0
    for title, claim in claims(n, limit):
        complaint = claim(program)
        passed, failed = passed + (not complaint), failed + bool(complaint)
        if complaint:
            print(f"FAIL machine: {title}: {complaint}")
    print(f"{passed} passed, {failed} failed")
    return failed == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("-n", type=int, default=300)
    parser.add_argument("-limit", type=int, default=500)
    parser.add_argument("-seed", type=int, default=1)
    parser.add_argument("-kind")
    arguments, options = parser.parse_known_args()
    if not arguments.kind:
        sys.exit(0 if check(arguments.program, arguments.n, arguments.limit) else 1)
    found = judged(arguments.program, arguments.kind, arguments.seed, arguments.n, options)
    for name, record in found.items():
        if record["machine"]["verdict"] == "unsound":
            print(name, " / ".join(record["machine"]["unsound"]))
    print(totals(found))


if __name__ == "__main__":
    main()
