#!/usr/bin/env python3
"""Golden logs: runs rspcheck on every tests/golden/NAME.litmus and compares what it prints.

NAME.args holds arguments to put before the file, in shell's quoting (`-model opencl_rem.cat` without);
NAME.log is the expected standard output; NAME.err the expected standard error (nothing without).

  tests/golden.py PROGRAM                compare
  tests/golden.py PROGRAM --promote      show differences and make what was printed the expectation
  … NAME…                                only these
"""

import pathlib
import shlex
import sys

import cases

FOLDER = pathlib.Path(__file__).resolve().parent / "golden"


def read(path, default=""):
    return path.read_text() if path.exists() else default


def outputs(program, test):
    arguments = shlex.split(read(test.with_suffix(".args"), "-model opencl_rem.cat"))
    return cases.run([program, *arguments, test.name], FOLDER, cases.environment())


def check(program, test):
    status, log, err = outputs(program, test)
    complaint = [cases.difference("log", read(test.with_suffix(".log")), log),
                 cases.difference("messages", read(test.with_suffix(".err")), err)]
    if status not in (0, 1):
        complaint.append(f"    status {status}")
    return "\n".join(filter(None, complaint))


def promote(program, test):
    status, log, err = outputs(program, test)
    if status not in (0, 1):
        return f"    status {status}: not promoted"
    for suffix, text in ((".log", log), (".err", err)):
        file = test.with_suffix(suffix)
        change = cases.difference(file.name, read(file), text)
        if change:
            print(change)
        if text or suffix == ".log":
            file.write_text(text)
        elif file.exists():
            file.unlink()
    return ""


def main():
    words = [a for a in sys.argv[2:] if not a.startswith("--")]
    act = promote if "--promote" in sys.argv else check
    program = str(pathlib.Path(sys.argv[1]).resolve())
    tests = [(t.stem, t) for t in sorted(FOLDER.glob("*.litmus")) if not words or t.stem in words]
    return cases.report("golden", tests, lambda test: act(program, test))


sys.exit(main())
