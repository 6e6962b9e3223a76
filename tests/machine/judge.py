#!/usr/bin/env python3
"""Runs random tests on a machine, and compares with what is expected of it.

    tests/machine/judge.py PROGRAM [-n N] [-seed S] -kind K OPTION...   prints the tests that are unsound
                                                                     in one run, and its totals
    tests/machine/judge.py PROGRAM [-n N]                               all the claims below; the last line is
                                                                     "N passed, N failed"
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


def records(program, options, folder):
    """A record per test, by name."""
    run = subprocess.run([program, "-q", "-json", *options, folder], capture_output=True, text=True, check=False)
    found = {record["test"]: record for record in map(json.loads, run.stdout.splitlines())}
    if run.stderr:
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


REM = ["-model", "opencl_rem.cat"]
REVISED = ["-machine", "rsp", "-mapping", "revised"] + REM


def judged(program, kind, seed, n, options):
    with tempfile.TemporaryDirectory() as folder:
        write(folder, kind, seed, n)
        return records(program, options, folder)


def none_unsound(program, kind, seed, n, options):
    counts = totals(judged(program, kind, seed, n, options))
    fine = not counts.get("unsound") and not counts["deadlock"] and not counts.get("unjudged") \
        and counts.get("sound", 0) > n // 10
    return None if fine else f"{counts}"


def some_unsound(program, kind, seed, n, options):
    counts = totals(judged(program, kind, seed, n, options))
    return None if counts.get("unsound") else f"{counts}"


def same_states(program, kind, seed, n, options, other):
    """Both runs end in the same states, test for test."""
    with tempfile.TemporaryDirectory() as folder:
        write(folder, kind, seed, n)
        one, two = records(program, options, folder), records(program, other, folder)
        compared = 0
        for name, record in one.items():
            if record["status"] == "ok" and two[name]["status"] == "ok":
                compared += 1
                if states(record) != states(two[name]):
                    return f"{name} (seed {seed}): {sorted(states(record) ^ states(two[name]))[:2]}"
        return None if compared > n * 9 // 10 else f"only {compared} of {n} finished"


def claims(n):
    """(title, function of the program)."""
    def unreduced(mapping, kind, *more):
        machine = ["-machine", "rsp", "-mapping", mapping, "-max-states", "300000", *more]
        return lambda program: same_states(program, kind, 1, n // 5, machine,
                                           machine + ["-reading", "reduction=off"])

    yield "sc equals sc.cat", lambda p: same_states(p, "two", 1, n, ["-machine", "sc"],
                                                    ["-model", "sc.cat"])
    for mapping in ["original", "revised", "mended", "orr"]:
        yield f"reduction is exact: {mapping}", unreduced(mapping, "small")
    for machine in ["hrf0", "hrf0-split", "relaxed"]:
        kind = "relaxed" if machine == "relaxed" else "hrf0"
        options = ["-machine", machine, "-max-states", "300000"]
        yield f"reduction is exact: {machine}", lambda p, o=options, k=kind: same_states(
            p, k, 2, n // 10, o, o + ["-reading", "reduction=off"])
    yield "revised is sound", lambda p: none_unsound(p, "rsp", 3, n, REVISED)
    yield "revised is sound on two devices", lambda p: none_unsound(p, "two", 4, n, REVISED)
    yield "revised is sound for chains of messages", lambda p: none_unsound(p, "chain", 8, n, REVISED)
    yield "mended is sound at its word", lambda p: none_unsound(
        p, "rsp", 5, n, ["-machine", "rsp", "-mapping", "mended", *REM])
    yield "revised-sc is sound for seq_cst", lambda p: none_unsound(
        p, "sc", 6, n, ["-machine", "rsp", "-mapping", "revised-sc", *REM])
    yield "original is unsound", lambda p: some_unsound(
        p, "rsp", 3, n, ["-machine", "rsp", "-mapping", "original", *REM])
    yield "hrf0 is sound", lambda p: none_unsound(p, "hrf0", 7, n, ["-machine", "hrf0", "-model", "hrf0.cat"])


def check(program, n):
    passed = failed = 0
    for title, claim in claims(n):
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
    parser.add_argument("-seed", type=int, default=1)
    parser.add_argument("-kind")
    arguments, options = parser.parse_known_args()
    if not arguments.kind:
        sys.exit(0 if check(arguments.program, arguments.n) else 1)
    found = judged(arguments.program, arguments.kind, arguments.seed, arguments.n, options)
    for name, record in found.items():
        if record["machine"]["verdict"] == "unsound":
            print(name, record["machine"]["unsound"].replace("\n", " / "))
    print(totals(found))


if __name__ == "__main__":
    main()
