"""Shared by comparisons of rspcheck with a second implementation: their command line, their tests
as files, and rspcheck's logs of these."""

import argparse
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def command_line(description, n):
    """The options; n tests without -n."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("-n", type=int, default=n)
    parser.add_argument("-seed", type=int, default=1)
    parser.add_argument("program", type=os.path.abspath)
    return parser.parse_args()


def logs(program, model, tests):
    """Test name -> the lines of its log after `Test`, under a model with options of its own.
    tests: name -> text."""
    name, *options = model.split()
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, test + ".litmus") for test in tests]
        for path, text in zip(paths, tests.values()):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        command = [program, "-q", "-I", os.path.join(ROOT, "cat"), "-model", name, *options, *paths]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{model}: exit status {done.returncode}\n{done.stderr}")
    found = {}
    for part in re.split(r"(?m)^Test ", done.stdout)[1:]:
        first, *lines = part.splitlines()
        found[first.split()[0]] = lines
    return found


def states(lines):
    """The states that a log has."""
    n = int(lines[0].removeprefix("States "))
    return {line.strip() for line in lines[1 : 1 + n]}


def report(passed, failed):
    """The last line; gives the exit status."""
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def compare(program, models, tests, read, judge):
    """Prints each test for which, under one of models (name -> reading), what is read from the log
    differs from what judge (name, reading) says, then the counts. Gives the exit status."""
    passed = failed = 0
    for model, reading in models.items():
        found = logs(program, model, tests)
        for name, text in tests.items():
            answer, expected = read(found[name]), judge(name, reading)
            if answer == expected:
                passed += 1
                continue
            failed += 1
            print(f"{model}:\n{text}rspcheck: {answer}\nto the letter: {expected}")
    return report(passed, failed)
