#!/usr/bin/env python3
"""Checks that models which say one thing in different words give the same results.

    tests/same.py PROGRAM [MODEL...]

The pairs, and on which tests they are compared, are rows of tests/models/same/same.tsv; with MODELs,
only the rows of these. The first model of a row is run under both engines. Every difference is
printed; the last line is "N passed, N failed", and the exit status is 1 if any failed.
"""

import difflib
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(ROOT, "tests", "models", "same")
COLUMNS = ["model", "same as", "what", "options", "tests"]


def read_rows(path):
    rows = []
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]
    if lines[0].split("\t") != COLUMNS:
        sys.exit(f"{path}: the header must be: {' '.join(COLUMNS)}")
    for line in lines[1:]:
        cells = line.split("\t")
        if len(cells) != len(COLUMNS):
            sys.exit(f"{path}: {len(COLUMNS)} columns expected: {line}")
        rows.append(dict(zip(COLUMNS, cells)))
    return rows


def find_model(name):
    here = os.path.join(FOLDER, name + ".cat")
    return here if os.path.exists(here) else os.path.join(ROOT, "cat", name + ".cat")


def run(program, model, options, tests, engine):
    """The log, or None after an error, which is printed."""
    command = [program, "-model", find_model(model), "-engine", engine, *options,
               *(os.path.join(ROOT, "litmus", t) for t in tests)]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        print(f"{model} ({engine}): exit status {result.returncode}\n{result.stderr}")
        return None
    return result.stdout


def normalise(log, what):
    """The lines that are compared."""
    kept = []
    for line in log.splitlines():
        if line.startswith(("Bad executions", "Time ")):
            continue
        if what == "states" and line.startswith("Positive"):
            continue
        if what == "states" and (match := re.match(r"(Observation \S+ \S+)", line)):
            line = match[1]
        kept.append(line)
    return kept


def compare(program, row):
    options, tests = row["options"].split(), row["tests"].split()
    want = run(program, row["same as"], options, tests, "bounded")
    failed = want is None
    for engine in ("bounded", "naive"):
        got = run(program, row["model"], options, tests, engine)
        if got is None or want is None:
            failed = True
            continue
        a, b = normalise(want, row["what"]), normalise(got, row["what"])
        if not a:
            failed = True
            print(f"{row['model']}: no log")
        if a != b:
            failed = True
            print(f"{row['model']} ({engine}) differs from {row['same as']}:")
            print("\n".join(list(difflib.unified_diff(a, b, lineterm="", n=30))[:60]))
    return not failed


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    program, only = sys.argv[1], sys.argv[2:]
    passed = failed = 0
    for row in read_rows(os.path.join(FOLDER, "same.tsv")):
        if only and row["model"] not in only:
            continue
        if compare(program, row):
            passed += 1
        else:
            failed += 1
            print(f"FAIL {row['model']}")
    print(f"same: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
