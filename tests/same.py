#!/usr/bin/env python3
"""Checks that different spellings of a model give the same results.

    tests/same.py [-engine bounded|naive] PROGRAM [MODEL...]

The pairs, and on which tests they are compared, are rows of tests/models/same/same.tsv; with MODELs,
only the rows of these. The first model of a row is run under the engine given (bounded), the second
always under the bounded one. Every difference is printed; the last line is "N passed, N failed", and
the exit status is 1 if any failed.
"""

import argparse
import difflib
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(ROOT, "tests", "models", "same")
COLUMNS = ["model", "same as", "what", "options", "engines", "tests"]


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


def test_paths(cell):
    """Tests and folders of litmus; FOLDER:MODEL, those of the folder that its table has results of under the model."""
    for word in cell.split():
        folder, _, model = word.partition(":")
        place = os.path.join(ROOT, "litmus", folder)
        if not model:
            yield place
            continue
        with open(os.path.join(place, "expected.tsv"), encoding="utf-8") as table:
            for line in table:
                if line.startswith(model + "\t"):
                    yield os.path.join(place, line.split("\t")[1] + ".litmus")


def find_model(name):
    here = os.path.join(FOLDER, name + ".cat")
    return here if os.path.exists(here) else os.path.join(ROOT, "cat", name + ".cat")


def run(program, model, options, tests, engine):
    """The log, or None after an error, which is printed."""
    command = [program, "-model", find_model(model), "-engine", engine, *options,
               *tests]
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


def compare(program, row, engine):
    options, tests = row["options"].split(), list(test_paths(row["tests"]))
    want = run(program, row["same as"], options, tests, "bounded")
    got = run(program, row["model"], options, tests, engine)
    if want is None or got is None:
        return False
    a, b = normalise(want, row["what"]), normalise(got, row["what"])
    if not a:
        print(f"{row['model']}: no log")
    elif a != b:
        print(f"{row['model']} differs from {row['same as']}:")
        print("\n".join(list(difflib.unified_diff(a, b, lineterm="", n=3))[:60]))
    return a == b and bool(a)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("-engine", default="bounded", choices=["bounded", "naive"])
    parser.add_argument("program")
    parser.add_argument("model", nargs="*")
    options = parser.parse_args()
    passed = failed = 0
    for row in read_rows(os.path.join(FOLDER, "same.tsv")):
        if options.model and row["model"] not in options.model:
            continue
        if options.engine not in row["engines"].split():
            continue
        if compare(options.program, row, options.engine):
            passed += 1
        else:
            failed += 1
            print(f"FAIL {row['model']} on {row['tests']}")
    print(f"same, {options.engine}: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
