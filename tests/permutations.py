#!/usr/bin/env python3
"""Options that may not change an answer: every test of the suites and the golden tests also under permutations of -speedcheck,
-engine, -j and -spin. Of kernels tests/kernels.py has them.

  tests/permutations.py PROGRAM           those of `make check`
  tests/permutations.py --more PROGRAM    others

A verdict may become less detailed, but never another one. A search that stops early may say Sometimes for Always, has some of
the states, of which one decides the condition if any does, and some of the flags; one that looks only for what decides the
condition (`-speedcheck true`) has all states that do. -engine sat counts a state as one execution, and may refuse a test.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import shlex
import sys

import cases

ROOT = pathlib.Path(__file__).resolve().parent.parent
FEW = ["-speedcheck true", "-speedcheck fast", "-engine sat", "-spin last -engine auto -speedcheck fast -j 4"]
MORE = ["-j 4", "-speedcheck true -j 4", "-speedcheck fast -j 4", "-engine auto -speedcheck true", "-engine sat -speedcheck true",
        "-engine sat -speedcheck fast", "-spin last", "-spin last -engine sat", "-spin last -speedcheck fast -j 4"]
LONG = 600  # combinations of paths, from which on a test is not for -engine sat, which must be told of them all


class Failed(Exception):
    """The program did not end as it should."""


def run(program, arguments, statuses, cwd=ROOT):
    status, out, err = cases.run([program, *arguments], cwd, cases.environment())
    if status not in statuses:
        raise Failed(f"status {status}: {err.strip() or out.strip()}")
    return out


# ---- Tests ----

def suites():
    """(title, arguments, files): the tests of each folder that a model has rows for."""
    for table in sorted(ROOT.glob("litmus/*/expected.tsv")):
        if table.parent.name == "dsom":
            continue
        tests = {test.stem: str(test) for test in table.parent.glob("*.litmus")}
        rows = collections.defaultdict(list)
        for line in table.read_text().splitlines():
            cells = line.split("\t")
            if len(cells) > 1 and cells[1] in tests and not line.startswith("#"):
                rows[cells[0]].append(tests[cells[1]])
        for model, files in rows.items():
            name, *options = model.split()
            if "-engine" not in options and "-progress" not in options:
                yield f"{table.parent.name}, {model}", ["-model", f"{name}.cat", *options], files


def golden():
    for test in sorted((ROOT / "tests" / "golden").glob("*.litmus")):
        own = test.with_suffix(".args")
        words = shlex.split(own.read_text()) if own.exists() else ["-model", "opencl_rem.cat"]
        yield f"golden, {test.stem}", ["-I", str(test.parent), *words], [test.name]


def records(program, arguments, files, cwd):
    out = run(program, ["-q", "-json", *arguments, *files], (0, 1), cwd)
    return {record["path"]: record for record in map(json.loads, out.splitlines())}


def decides(record, state):
    return state.get("undetermined", False) or state["satisfies"] != (record["kind"] == "Required")


def answer(record):
    """What no option may change."""
    if record["status"] != "ok":
        return record["status"], record["reason"]
    never = record["observation"] == "Never"
    return record["status"], never, record["ok"], record["loop"]


def flags_of(record):
    """All but the one that -spin last alone raises."""
    return {flag["name"] for flag in record["flags"]} - {"never_ends"}


def answer_of_all(record):
    states = [(state["state"], state["satisfies"], state.get("undetermined", False), state["undefined"] != "0")
              for state in record["states"]]
    return record["observation"], record["undefined"], sorted(flags_of(record)), states


def wrong(own, found, options):
    """What of the answer found under the options contradicts the test's own; "" if nothing."""
    if found["status"] != "ok" and "-engine sat" in options:
        return ""
    if answer(found) != answer(own):
        return f"{answer(found)} instead of {answer(own)}"
    if "-speedcheck" not in options:
        counts = [] if "sat" in options or "last" in options else ["positive", "negative", "bad"]
        same = answer_of_all(found) == answer_of_all(own) and all(found[key] == own[key] for key in counts)
        return "" if same else f"{answer_of_all(found)} instead of {answer_of_all(own)}"
    deciding = {state["state"] for state in own["states"] if decides(own, state)}
    states = {state["state"] for state in found["states"]}
    flags = flags_of(found) - flags_of(own)
    if found["observation"] == "Always" or not states <= deciding or bool(states) != bool(deciding):
        return f"{found['observation']}, states {sorted(states)} of {sorted(deciding)}"
    if "true" in options and states != deciding:
        return f"states {sorted(states)} instead of {sorted(deciding)}"
    if flags or (found["undefined"] and not own["undefined"]):
        return f"flags that no execution raises: {sorted(flags)}"
    return ""


def is_for(own, options):
    """Is there an answer that the options may not change? And does -engine sat not take long?"""
    if own["status"] != "ok" or ("-spin last" in options and own["loop"]):
        return False
    return "-engine sat" not in options or own["statistics"]["combinations"] < LONG


def compare(program, group, permutations):
    title, arguments, files = group
    cwd = ROOT / "tests" / "golden" if title.startswith("golden") else ROOT
    passed, complaints = 0, []
    own = records(program, arguments, files, cwd)
    for options in permutations:
        chosen = [path for path in files if is_for(own[path], options)]
        found = records(program, [*arguments, *options.split()], chosen, cwd) if chosen else {}
        for path in chosen:
            complaint = wrong(own[path], found[path], options)
            passed += not complaint
            if complaint:
                complaints.append(f"{title}, {pathlib.Path(path).stem}, {options}: {complaint}")
    return passed, complaints


# ---- All ----

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--more", action="store_true")
    parser.add_argument("program", type=os.path.abspath)
    options = parser.parse_args()
    passed = failed = 0

    def one(group):
        try:
            return compare(options.program, group, MORE if options.more else FEW)
        except Failed as failure:
            return 0, [f"{group[0]}: {failure}"]

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for good, complaints in pool.map(one, [*suites(), *golden()]):
            passed += good
            failed += len(complaints)
            for complaint in complaints:
                print(f"FAIL permutations: {complaint}")
    print(f"permutations: {passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
