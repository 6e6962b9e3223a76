#!/usr/bin/env python3
"""Is every FLU and INV of a mapping needed? Leaves them out one by one, in the mapping and in the included files
next to it, and looks for a test that is then unsound; prints those tests. Rows of all-svm-devices scope
are tried on the same tests with that scope, each work-group on a device of its own.

    tests/machine/needed.py PROGRAM MAPPING LITMUS...      the last line is "N passed, N failed"
"""

import json
import os
import re
import subprocess
import sys
import tempfile

ROW = re.compile(r"^(?:load|store|rmw|fence) [^:]*:.*(?:\n {4,}.*)*$", re.M)
MOVE = re.compile(r"(?:FLU|INV) \w+ \w+")
INCLUDE = re.compile(r'^include "(.*)"', re.M)


def without(row, move):
    """The row without one instruction, and without the semicolon that it leaves."""
    left = row[:move.start()] + row[move.end():]
    left = re.sub(r";\s*;", ";", left)
    left = re.sub(r"([:{]) *;", r"\1", left)
    return re.sub(r"; *(\}|$)", r" \1", left).rstrip()


def variants(text):
    """(what is left out, the mapping without it)"""
    for row in ROW.finditer(text):
        head = " ".join(row[0].split(":")[0].split())
        for number, move in enumerate(MOVE.finditer(row[0]), 1):
            yield f"{head}: {move[0]}, number {number}", \
                text[:row.start()] + without(row[0], move) + text[row.end():]


def files(mapping):
    """The mapping, and what it includes: {path: text}."""
    found, waiting = {}, [mapping]
    while waiting:
        path = waiting.pop(0)
        with open(path, encoding="utf-8") as file:
            found[path] = file.read()
        waiting += [os.path.join(os.path.dirname(path), name) for name in INCLUDE.findall(found[path])]
    return found


def written(texts, folder):
    """Writes files into a folder, and returns the path of the first."""
    paths = [os.path.join(folder, os.path.basename(path)) for path in texts]
    for path, text in zip(paths, texts.values()):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return paths[0]


def widened(tests, folder):
    """Copies of the tests of one device with all-svm-devices scope, and a device for each work-group."""
    found = []
    for path in tests:
        with open(path, encoding="utf-8") as file:
            text = file.read().replace("memory_scope_device", "memory_scope_all_svm_devices")
        tree = re.search(r"scopeTree \(device (.*)\)", text)
        groups = re.findall(r"\(work_group [^)]*\)", tree[1])
        text = text.replace(tree[0], "scopeTree " + " ".join(f"(device {group})" for group in groups))
        found.append(os.path.join(folder, os.path.basename(path)))
        with open(found[-1], "w", encoding="utf-8") as file:
            file.write(text)
    return found


def unsound(program, mapping, tests):
    run = subprocess.run([program, "-q", "-json", "-machine", "rsp", "-mapping", mapping, "-model",
                          "opencl_rem.cat", *tests], capture_output=True, text=True, check=False)
    sys.stderr.write(run.stderr)
    return [record["test"] for record in map(json.loads, run.stdout.splitlines())
            if record["machine"]["verdict"] == "unsound"]


def main():
    program, mapping, tests = sys.argv[1], sys.argv[2], sys.argv[3:]
    single = [test for test in tests if os.path.isfile(test)]
    texts = files(mapping)
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        wide = widened(single, folder)
        if unsound(program, mapping, tests + wide):
            print(f"FAIL needed: {mapping} is unsound as it is")
            failed += 1
        for path, (what, variant) in ((path, one) for path in texts for one in variants(texts[path])):
            changed = written({**texts, path: variant}, folder)
            found = unsound(program, changed, wide if " all" in what.split(":")[0] else tests)
            passed, failed = passed + bool(found), failed + (not found)
            print(f"{what}: {', '.join(found)}" if found else f"FAIL needed: {what}: no test misses it")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
