#!/usr/bin/env python3
"""Top-level folders, and those in extra/, that need each other: tests/circles.py BUILD fails where objects of BUILD need symbols of another folder
that, directly or not, needs theirs. And it fails for a function that other files could call (it is not static) although none
does, tests included."""

import collections
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

def symbols(build):
    """Of each object of the sources: what it defines, and what it needs."""
    sources = subprocess.run(["git", "ls-files", "*.c", "*.l", "*.y"], cwd=ROOT, capture_output=True, text=True, check=True)
    names = [os.path.splitext(path)[0] for path in sources.stdout.split() if not re.match("(tests|bench|docs)/", path)]
    objects = [name for name in names if os.path.exists(os.path.join(build, name + ".o"))]
    out = subprocess.run(["nm", "-A", "-P", *[name + ".o" for name in objects]], cwd=build, capture_output=True, text=True, check=True)
    defines, needs = {}, {name: set() for name in objects}
    for line in out.stdout.splitlines():
        path, symbol, kind = line.split()[:3]
        name = path.rstrip(":")[:-len(".o")]
        if kind == "U":
            needs[name].add(symbol)
        elif kind.isupper():
            defines[symbol] = name
    return defines, needs


def unused(build, defines):
    """What the sources define for others, and no other object needs, except the library's functions."""
    with_tests = subprocess.run(["find", ".", "-path", "./web", "-prune", "-o", "-name", "*.o", "-exec", "nm", "-A", "-P", "-u", "{}", "+"], cwd=build,
                                capture_output=True, text=True, check=True)
    needed = {line.split()[1] for line in with_tests.stdout.splitlines()}
    for path in glob.glob(os.path.join(ROOT, "tests/fuzz/*.c")):  # which only `make fuzz` compiles
        with open(path, encoding="utf-8") as file:
            needed |= set(re.findall(r"\w+", file.read()))
    return [f"{path}: {name}" for name, path in sorted(defines.items()) if name not in needed and not name.startswith("rspcheck_")
            and name != "main" and "_flex" not in name]


def folder_of(name):
    """The top-level folder, or that in extra/."""
    first, second = (name.split("/") + [""])[:2]
    return f"extra/{second}" if first == "extra" else first


def is_row(symbol):
    """Is it what a folder brings to the table of cli/extra.c?"""
    return symbol.endswith("_extra")


def reach(start, calls):
    """What is reached from START in one step or more."""
    seen, todo = set(), list(calls[start])
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += calls[name]
    return seen


def circles(build):
    """How many objects there are, the folders that are in circles, and what no file calls."""
    defines, needs = symbols(build)
    calls = collections.defaultdict(set)
    for name, wanted in needs.items():
        folder = folder_of(name)
        calls[folder] |= {folder_of(defines[symbol]) for symbol in wanted
                          if symbol in defines and defines[symbol] != "cli/lazy_functions" and not is_row(symbol)} - {folder}
    return len(needs), sorted(folder for folder in list(calls) if folder in reach(folder, calls)), unused(build, defines)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: tests/circles.py BUILD")
    n, found, idle = circles(sys.argv[1])
    wrong = [f"FAIL circles: these folders need each other: {' '.join(found)}"] if found else []
    wrong += [f"FAIL circles: no other file calls {name}: make it static, or delete it" for name in idle]
    print("\n".join(sorted(wrong)), end="\n" if wrong else "")
    print(f"{max(n - len(wrong), 0)} passed, {len(wrong)} failed")
    sys.exit(1 if wrong else 0)


main()
