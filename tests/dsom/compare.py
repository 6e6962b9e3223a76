#!/usr/bin/env python3
"""Compares the machine dsom with its definition, and checks properties on random programs.

    tests/dsom/compare.py PROGRAM [-n N] [-seed S]      N programs against the oracle, and what must hold of 30 N others; the
                                                        last line is "N passed, N failed"
    tests/dsom/compare.py PROGRAM -suite FOLDER -n N    writes N programs and an expected.tsv, both by the oracle alone
    tests/dsom/compare.py PROGRAM -study N [-seed S]    counts how many of N race-free programs are wrong, by ranges and fetch

The oracle (oracle.py) is written from docs/dsom.md. It must give the same final states with the same bytes moved, the
same races, and the same failing invariants.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

import generate
import oracle

MOST_STATES = 6000  # of the oracle; larger programs are left out
STRATEGIES = ["batch", "balance", "lazy", "adaptive:2"]


def write(folder, program, moved):
    path = os.path.join(folder, program.name + ".litmus")
    with open(path, "w", encoding="utf-8") as file:
        file.write(program.text(moved))
    return path


def run(program, options, where):
    """Records of the existing tests, by (test, strategy)."""
    done = subprocess.run([program, "-q", "-json", "-machine", "dsom", *options, where], capture_output=True, text=True,
                          check=False)
    if done.stderr:
        sys.stderr.write(done.stderr[:2000])
    records = [json.loads(line) for line in done.stdout.splitlines()]
    return {(record["test"], record["machine"]["mapping"]): record for record in records}


# ---- Against the oracle ----


def configurations(rng):
    strategy = rng.choice(["batch", "balance", "lazy", "adaptive:0", "adaptive:1", "adaptive:2"])
    return strategy, {"ranges": rng.choice(["exact", "exact", "over", "whole"]),
                      "fetch": rng.choice(["indirect", "indirect", "off", "on"]),
                      "updates": rng.choice(["wait", "background"])}


def disagreement(program, record, strategy, readings, finals, racy):
    """The difference between the record and the oracle, or None; "" if the program is too large for the oracle."""
    name, _, threshold = strategy.partition(":")
    machine = oracle.Machine(program, name, int(threshold or 2), **readings)
    found = machine.explore(MOST_STATES)
    if not found:
        return ""
    states, failing, _ = found
    expected = oracle.texts(program, states)
    got = {state["state"] for state in record["states"]}
    if expected != got:
        return f"states: only by definition {sorted(expected - got)[:3]}, only rspcheck {sorted(got - expected)[:3]}"
    if ("race" in [flag["name"] for flag in record["flags"]]) != racy:
        return f"race: {racy} by definition"
    violated = record["machine"].get("violated")
    if (violated is None) != (not failing) or (violated and violated not in failing):
        return f"invariants: {sorted(failing)} by definition, {violated}"
    unsound = not racy and any((regs, values) not in finals for regs, values, _ in states)
    return None if unsound == ("unsound" in [flag["name"] for flag in record["flags"]]) else f"unsound: {unsound} by definition"


def compare(path, n, seed, folder):
    """(passed, failed): n programs, each under one strategy and readings."""
    passed = failed = skipped = 0
    rng = random.Random(seed)
    for i in range(n):
        program = generate.draw(seed * 1000000 + i, "any", rng.choice([2, 2, 3]), racy=rng.random() < 0.2)
        strategy, readings = configurations(rng)
        options = ["-strategy", strategy] + [word for item in readings.items() for word in ("-reading", "=".join(item))]
        (record,) = run(path, options, write(folder, program, True)).values()
        finals, racy = oracle.flat(program)
        complaint = disagreement(program, record, strategy, readings, finals, racy)
        skipped += complaint == ""
        passed += complaint is None
        failed += bool(complaint)
        if complaint:
            print(f"FAIL dsom: seed {seed}, program {i}, {' '.join(options)}: {complaint}\n{program.text()}")
    if skipped > n // 4:
        print(f"FAIL dsom: {skipped} of {n} programs were too large for the oracle")
        failed += 1
    return passed, failed


# ---- What must hold ----


def bytes_moved(record):
    """(least, most) over all interleavings, and the most bytes of hints."""
    bill = record["machine"]["bill"]
    least, most = (sum(bill[item][end] for item in ("wb-bytes", "up-bytes")) for end in ("least", "most"))
    return least, most, bill["hint-bytes"]["most"]


def exact_programs(n, seed, folder):
    """n of them by name, written to the folder."""
    programs = [generate.draw(seed * 1000000 + i, "exact") for i in range(n)]
    for program in programs:
        write(folder, program, False)
    return {program.name: program for program in programs}


def final_values(record):
    return {state["state"].rpartition(" moved=")[0] or state["state"] for state in record["states"]}


def judge(records, name):
    """The errors in the records of one program under all strategies, or None."""
    own = [records[name, strategy] for strategy in STRATEGIES]
    if any(record["machine"]["verdict"] != "sound" or record["machine"].get("violated") for record in own):
        return "not sound: " + ", ".join(record["machine"]["verdict"] for record in own)
    if len({frozenset(final_values(record)) for record in own}) != 1:
        return "strategies differ in their outcomes"
    batch, balance, lazy, adaptive = map(bytes_moved, own)
    if any(lazy[0] > other[0] or lazy[1] > other[1] for other in (batch, balance, adaptive)):
        return f"lazy moves more: {lazy} against {batch}, {balance}, {adaptive}"
    if adaptive[1] > lazy[1] + adaptive[2]:
        return f"adaptive moves more than lazy and its hints: {adaptive} against {lazy}"
    return None


def statements(path, n, seed, folder):
    """(passed, failed): of n programs with exact ranges."""
    passed = failed = 0
    programs = exact_programs(n, seed, folder)
    records = run(path, ["-strategy", "all", "-cost"], folder)
    for name, program in programs.items():
        complaint = judge(records, name)
        passed, failed = passed + (not complaint), failed + bool(complaint)
        if complaint:
            print(f"FAIL dsom: {name}: {complaint}\n{program.text(moved=False)}")
    for readings, wrong in [(["ranges=over"], True), (["ranges=whole"], True), (["ranges=over", "fetch=on"], False),
                            (["ranges=whole", "fetch=on"], False), (["updates=background"], False)]:
        found = count_wrong(path, folder, readings)
        good = found > n // 20 if wrong else found == 0
        passed, failed = passed + good, failed + (not good)
        if not good:
            print(f"FAIL dsom: {found} of {n} programs are wrong with {' '.join(readings)}")
    return passed, failed


def count_wrong(path, folder, readings):
    options = [word for reading in readings for word in ("-reading", reading)]
    records = run(path, options, folder)
    return sum(record["machine"]["verdict"] == "unsound" for record in records.values())


def study(path, n, seed, folder):
    exact_programs(n, seed, folder)
    for readings in ([], ["ranges=over"], ["ranges=whole"], ["ranges=over", "fetch=on"], ["ranges=whole", "fetch=on"]):
        print(f"{' '.join(readings) or 'exact':24} {count_wrong(path, folder, readings):5} of {n} are unsound")


# ---- A suite ----

COLUMNS = "model\ttest\tobservation\tpositive\tnegative\tstates\tflags\n"
READINGS = [{}, {"ranges": "over"}, {"ranges": "over", "fetch": "on"}]


def expected_row(program, strategy, readings, finals):
    """What the oracle finds, as a row of expected.tsv, and whether it is unsound."""
    states, failing, _ = oracle.Machine(program, strategy, **readings).explore(10 * MOST_STATES)
    found = {(regs, values) for regs, values, _ in states}
    wrong = len(found - finals)
    flags = sorted(failing) + (["unsound"] if wrong else [])
    label = f"dsom -strategy {strategy}" + "".join(f" -reading {name}={value}" for name, value in readings.items())
    word = "Always" if not wrong else "Never" if wrong == len(found) else "Sometimes"
    return "\t".join([label, program.name, word, str(len(found) - wrong), str(wrong), str(len(found)),
                      ",".join(flags) or "-"]) + "\n", bool(wrong)


def write_suite(folder, n, seed):
    """n programs that go wrong if write ranges are too large."""
    rows, i = [COLUMNS], 0
    while n:
        i += 1
        program = generate.draw(seed * 1000000 + i, "exact", length=3)
        finals, racy = oracle.flat(program)
        program.name = f"R{n}"
        own = [expected_row(program, strategy, readings, finals)
               for readings in READINGS for strategy in ("batch", "balance", "lazy", "adaptive")]
        if racy or not any(wrong for _, wrong in own) or len(finals) > 4:
            continue
        with open(os.path.join(folder, program.name + ".litmus"), "w", encoding="utf-8") as file:
            file.write(program.text(False, finals))
        rows[1:1] = [row for row, _ in own]
        n -= 1
    with open(os.path.join(folder, "expected.tsv"), "w", encoding="utf-8") as file:
        file.writelines(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("-n", type=int, default=100)
    parser.add_argument("-seed", type=int, default=1)
    parser.add_argument("-study", type=int)
    parser.add_argument("-suite")
    arguments = parser.parse_args()
    if arguments.suite:
        write_suite(arguments.suite, arguments.n, arguments.seed)
        return
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        if arguments.study:
            study(arguments.program, arguments.study, arguments.seed, one)
            return
        results = [compare(arguments.program, arguments.n, arguments.seed, one),
                   statements(arguments.program, 30 * arguments.n, arguments.seed, other)]
    passed, failed = map(sum, zip(*results))
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
