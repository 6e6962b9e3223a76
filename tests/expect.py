#!/usr/bin/env python3
"""Compares what rspcheck says of the suites with their expected.tsv.

    tests/expect.py [options] PROGRAM [DIRECTORY...]

Without directories: every folder below litmus/ that has an expected.tsv. Each row of such a file
names a model (options for it may follow, as in `hrf_rsp -variant subset`) and a test beside it, and
says the observation, the numbers of positive and negative executions, the number of states ("-" in
these three: not compared), and the flags raised, joined by commas ("-": none). One process checks all tests of a folder under one model. Every difference is
printed, then a last line "N passed, N failed"; the exit status is 1 if any failed.

A comment line `# not under naive: TEST TEST...` names tests that would take the naive engine for
ever; they are left out under `-engine naive`.
"""

import argparse
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COLUMNS = ["model", "test", "observation", "positive", "negative", "states", "flags"]
COMPARED = COLUMNS[2:]
SLOW = "# not under naive:"


def read_slow(path):
    """The tests that are not for the naive engine."""
    with open(path, encoding="utf-8") as file:
        return {test for line in file if line.startswith(SLOW) for test in line[len(SLOW):].split()}


def read_expected(path):
    """The rows of an expected.tsv, as dictionaries; comments and the header line left out."""
    rows = []
    header = False
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if not line or line.startswith("#"):
                continue
            cells = line.split("\t")
            if not header:
                if cells != COLUMNS:
                    sys.exit(f"{path}:{number}: the header must be: {' '.join(COLUMNS)}")
                header = True
                continue
            if len(cells) != len(COLUMNS):
                sys.exit(f"{path}:{number}: {len(COLUMNS)} columns expected, {len(cells)} found")
            rows.append(dict(zip(COLUMNS, cells)))
    return rows


def parse_log(text):
    """Test name -> what its part of the log says, in the columns of expected.tsv."""
    found = {}
    current = None
    for line in text.splitlines():
        if match := re.match(r"Test (\S+) ", line):
            current = {"flags": []}
            found[match[1]] = current
        elif current is None:
            continue
        elif match := re.match(r"States (\d+)$", line):
            current["states"] = match[1]
        elif match := re.match(r"Positive: (\d+) Negative: (\d+)$", line):
            current["positive"], current["negative"] = match[1], match[2]
        elif match := re.match(r"Flag (\S+)$", line):
            current["flags"].append(match[1])
        elif match := re.match(r"Observation \S+ (\S+) ", line):
            current["observation"] = match[1]
    for part in found.values():
        part["flags"] = ",".join(sorted(part["flags"])) or "-"
    return found


def differences(row, part):
    """What is wrong with a test's part of the log, as lines of a diff."""
    if part is None:
        return ["  the log does not have this test"]
    if "observation" not in part:
        return ["  the log has no Observation line: the test did not finish"]
    lines = []
    for column in COMPARED:
        want, got = row[column], part.get(column, "nothing")
        if column == "flags":
            want = ",".join(sorted(want.split(",")))
        elif want == "-":
            continue
        if want != got:
            lines += [f"  -{column} {want}", f"  +{column} {got}"]
    return lines


def test_files(directory):
    """Name of each test of a folder -> its path."""
    return {
        name[: -len(".litmus")]: os.path.join(directory, name)
        for name in sorted(os.listdir(directory))
        if name.endswith(".litmus")
    }


def run(options, model, paths):
    """The log of one process, and what it wrote to standard error."""
    name, *more = model.split()
    command = [options.program, "-I", os.path.join(ROOT, "cat"), "-model", name + ".cat", *more]
    if options.engine:
        command += ["-engine", options.engine]
    if options.timeout:
        command += ["-timeout", str(options.timeout)]
    done = subprocess.run(command + paths, capture_output=True, text=True, check=False)
    return done.stdout, done.stderr, done.returncode


def check_folder(options, directory):
    """Prints every difference of a suite; returns how many rows passed and failed."""
    passed = failed = 0
    path = os.path.join(directory, "expected.tsv")
    rows = read_expected(path)
    slow = read_slow(path) if options.engine == "naive" else set()
    files = test_files(directory)
    suite = os.path.relpath(directory, ROOT)
    for name in sorted(set(files) - {row["test"] for row in rows}):
        print(f"{suite}: {name}: a test without an expectation")
        failed += 1
    for model in dict.fromkeys(row["model"] for row in rows):
        if options.model and model.split()[0] not in options.model:
            continue
        asked = [row for row in rows if row["model"] == model and row["test"] not in slow]
        paths = [files[row["test"]] for row in asked if row["test"] in files]
        log, errors, status = run(options, model, paths)
        parts = parse_log(log)
        failures = 0
        for row in asked:
            lines = differences(row, parts.get(row["test"]))
            if lines:
                print(f"{suite}: {row['test']} under {model}:", *lines, sep="\n")
                failures += 1
        if status != 0:
            print(f"{suite}: under {model}: exit status {status}, standard error:")
            print("  " + "\n  ".join(errors.splitlines()[:40]))
            failures += not failures
        failed += failures
        passed += max(len(asked) - failures, 0)
    return passed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-engine", help="passed on: naive or bounded")
    parser.add_argument("-model", action="append", help="only this model (repeatable)")
    parser.add_argument("-timeout", type=float, help="passed on: seconds per test")
    parser.add_argument("program")
    parser.add_argument("directory", nargs="*")
    options = parser.parse_args()
    options.model = [re.sub(r"\.cat$", "", name) for name in options.model or []]
    options.program = os.path.abspath(options.program)
    directories = options.directory or sorted(
        folder
        for folder, _, names in os.walk(os.path.join(ROOT, "litmus"))
        if "expected.tsv" in names
    )
    passed = failed = 0
    for directory in directories:
        more = check_folder(options, os.path.abspath(directory))
        passed, failed = passed + more[0], failed + more[1]
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
