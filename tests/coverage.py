#!/usr/bin/env python3
"""Which lines the tests run: tests/coverage.py [-missing] [-keep] [-steps STEPS] BUILD

BUILD is that of `make COVERAGE=1`. Runs steps of tests/run.sh under it, then adds up what gcov says of each
object: a line that several objects have (of a header, of model/bounds/ops/*.inc) counts once, and was run if any
of them ran it. Generated files are left out; actions of grammars are ours. -missing lists the lines of each
file that were not run; -steps '' runs nothing and adds up what earlier runs left.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
STEPS = ("unit,errors,golden,command line,long commands,library,differential,wide sets,messages to loops,theorems,machines,dsom,bounded suites,same bounded,"
         "synthesis,edits,machine traces,needed instructions,explanations")
GOAL = 95  # percent


def run_steps(build, steps, keep):
    """False if a step fails; the figures may then be too low."""
    for old in build.rglob("*.gcda"):
        if not keep:
            old.unlink()
    # Each process reads and writes the counts of all objects: no process for each unit test.
    environment = dict(os.environ, RSP_STEPS=steps, RSP_NO_SANITIZE="1", CK_FORK="no")
    return subprocess.run(["tests/run.sh", str(build), str(build / "rspcheck")], cwd=ROOT, env=environment).returncode == 0


def is_ours(name):
    path = pathlib.Path(name)
    return not path.is_absolute() and (ROOT / path).exists() and not path.parts[0].startswith(("build", "<", "tests"))


def read(build):
    """file -> line -> how often it was run"""
    files = collections.defaultdict(dict)
    notes = [str(path) for path in build.rglob("*.gcno") if path.relative_to(build).parts[0] != "tests"]
    for at in range(0, len(notes), 50):
        output = subprocess.run(["gcov", "--json-format", "--stdout", *notes[at:at + 50]], cwd=ROOT,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
        for line in output.splitlines():
            for file in json.loads(line)["files"] if line.strip() else []:
                if is_ours(file["file"]):
                    lines = files[os.path.normpath(file["file"])]
                    for entry in file["lines"]:
                        number = entry["line_number"]
                        lines[number] = lines.get(number, 0) + entry["count"]
    return files


def ranges(numbers):
    """'3-5, 9'"""
    parts, numbers = [], sorted(numbers)
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def show(rooms):
    print("room            lines     run")
    total = [0, 0]
    for room, (lines, run) in sorted(rooms.items()):
        total = [total[0] + lines, total[1] + run]
        print(f"{room:14} {lines:6} {100 * run / lines:6.1f} %")
    print(f"{'all':12} {total[0]:6} {100 * total[1] / total[0]:6.1f} %")
    return 100 * total[1] / total[0]


def main():
    parser = argparse.ArgumentParser(description="Which lines the tests run.")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("-missing", action="store_true", help="list the lines that were not run")
    parser.add_argument("-steps", default=STEPS, help="those of tests/run.sh that run")
    parser.add_argument("-keep", action="store_true", help="add to what earlier runs left")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    passed = not arguments.steps or run_steps(build, arguments.steps, arguments.keep)
    files = read(build)
    rooms = collections.defaultdict(lambda: (0, 0))
    for name, lines in sorted(files.items()):
        room = "/".join(name.split("/")[:2 if name.startswith("extra/") else 1])
        run = sum(count > 0 for count in lines.values())
        rooms[room] = (rooms[room][0] + len(lines), rooms[room][1] + run)
        missing = [number for number, count in lines.items() if count == 0]
        if arguments.missing and missing:
            print(f"{name}: {100 * run / len(lines):.0f} %: {ranges(missing)}")
    figure = show(rooms)
    if not passed:
        print("a step has failed: the figures may be too low")
    return 0 if passed and figure >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
