#!/usr/bin/env python3
"""System calls that fail: tests/faults.py PROGRAM [-limit N].

Runs each command of CASES again and again under strace, in each run with another call of another kind
failing, until all calls of that kind have failed once. Whatever fails, the program must not crash, and must
either do all the same what it does without the fault, or end with an error's status and a message; then
every line of a file that was there before is an old or a new one, and no temporary file is left.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "cli" / "data"

# title, arguments, whether the files it writes may be cut off by a fault:
# those that grow as results come
CASES = [
    ("a log", "-model own.cat mp.litmus", False),
    ("a comparison", "-model own.cat -model opencl_rem.cat mp.litmus race.litmus", False),
    ("JSON with explanations", "-json -explain -model opencl_rem.cat race.litmus", False),
    ("logs in a folder", "-q -o out -model own.cat mp.litmus race.litmus", True),
    ("records to go on from", "-q -resume kept.jsonl -model own.cat mp.litmus race.litmus", True),
    ("the page", "-q -html page.html -model own.cat mp.litmus", True),
    ("a promotion", "-promote -model own.cat guarded", False),
    ("pictures", "-show prop -format dot -o pictures -model own.cat mp.litmus", True),
    ("logs compared", "-compare logs/own.log", False),
    ("sources for a device", "-emit c11 -o sources mp.litmus", True),
]

# The calls that fail, and how.
FAULTS = [("openat", "EMFILE"), ("read", "EIO"), ("write", "ENOSPC"), ("fsync", "EIO"), ("rename", "EIO"),
          ("mkdir", "EACCES"), ("unlink", "EACCES")]


def normal(text):
    """Removes times and sorts records, since threads end in any order."""
    text = re.sub(rb'"seconds[a-z_]*":[0-9.e-]+|,"checksum":"[0-9a-f]*"', b"", text)
    return b"".join(sorted(text.splitlines(keepends=True))) if text.startswith(b'{"format"') else text


def contents(folder):
    """name -> normal bytes of every file below the folder."""
    return {str(p.relative_to(folder)): normal(p.read_bytes()) for p in folder.rglob("*") if p.is_file()}


def calls_of_loader(trace):
    """call -> how many the dynamic loader makes before the program begins."""
    lines = trace.read_text(errors="replace").splitlines()
    last = max((i for i, line in enumerate(lines) if re.search(r'openat.*\.so[.0-9]*"', line)), default=-1)
    return {call: sum(f" {call}(" in line for line in lines[:last + 2]) for call, _ in FAULTS}


def run(program, command, fault=None):
    """(status, output, messages, files, and whether a call failed or, without a fault, calls_of_loader)"""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "data"
        trace = pathlib.Path(scratch) / "trace"
        shutil.copytree(DATA, folder)
        words = [program] + command.split()
        traced = ["-e", "trace=" + ",".join(call for call, _ in FAULTS)]
        if fault:
            call, error, number = fault
            traced = ["-e", f"trace={call}", "-e", f"inject={call}:error={error}:when={number}"]
        words = ["strace", "-f", "-qq", "-o", str(trace)] + traced + words
        words = ["timeout", "-s", "KILL", "30"] + words
        done = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True)
        if fault:  # of each thread its own call fails, which may be the one that writes the message
            calls = trace.read_text(errors="replace")
            more = "INJECTED" in calls
            if re.search(r"write\(2, .*INJECTED", calls):
                done.stderr = done.stderr or b"a message that could not be written"
        else:
            more = calls_of_loader(trace)
        return done.returncode, normal(done.stdout), done.stderr, contents(folder), more


def complaint(before, good, found, may_be_cut):
    """The error of a run with a fault, or None."""
    status, output, messages, files, _ = found
    if status < 0 or status >= 128:
        return f"ended by a signal, or after 30 s (status {status})"
    if status == good[0]:
        if output != good[1]:
            return "the same status, but another output: " + output.decode(errors="replace")[:500]
        wrong = [name for name in good[3] if files.get(name) != good[3][name]]
        return f"the same status, but {wrong[0]} differs" if wrong else None
    if not messages:
        return f"status {status} without a message"
    for name, text in files.items():
        if name not in good[3] and name not in before:
            return f"left {name} behind"
        if name in before and not set(text.splitlines()) <= set((before[name] + good[3][name]).splitlines()):
            return f"{name} has lines that are neither old nor new"
        if name not in before and text != good[3][name] and not may_be_cut:
            return f"{name} is not whole"
    missing = [name for name in before if name not in files]
    return f"{missing[0]} is gone" if missing else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("-limit", type=int, default=1000, help="calls of one kind that fail in turn")
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    if subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode:
        print("faults: strace may not trace here: skipped")
        return 0
    passed = failed = 0
    before = contents(DATA)
    for title, command, may_be_cut in CASES:
        good = run(program, command)
        for call, error in FAULTS:
            for number in range(good[4][call] + 1, good[4][call] + options.limit + 1):
                found = run(program, command, (call, error, number))
                if not found[4]:
                    break
                wrong = complaint(before, good, found, may_be_cut)
                passed, failed = passed + (not wrong), failed + bool(wrong)
                if wrong:
                    print(f"FAIL faults: {title}: {call} number {number} fails with {error}: {wrong}")
                    print("    " + found[2].decode(errors="replace").replace("\n", "\n    "))
    print(f"faults: {passed} passed, {failed} failed")
    return failed > 0 or passed == 0


sys.exit(main())
