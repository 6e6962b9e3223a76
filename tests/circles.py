#!/usr/bin/env python3
"""Files that call each other: tests/circles.py BUILD fails where objects of BUILD need each other's symbols (in a cycle of any
length), unless DESCENTS has their files; and where DESCENTS has a cycle that is not there (any more). And what no file
calls: it fails for a function that other files could call (it is not static) although none does, tests included."""

import collections
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Recursive descents over expressions, statements and terms (one function per kind of node, in several files), and laws that
# make such terms.
DESCENTS = """
enumerator/paths: assign call/barrier call/call expression reduce/live statement
enumerator/terms: condition make simplify term
enumerator/search/sat/relations: recursive relations
hardware/emit: call expression
model/dag: dag lattice simplify
model/stage: choices/choice choices/coherence choices/orders env expr let match operator predefined/functions predefined/names predefined/tags set
  stage statement
  template/undecided trace
model/type: apply builtin check env expr let operator statement type
parser/kernel: functions/atomic functions/builtin functions/identity functions/integer lower/assign lower/cast lower/constant lower/expr
  lower/fold lower/initialise lower/operator lower/place lower/statement lower/type lower/value program/arguments program/globals
  program/objects
parser/resolve: call condition expr initial objects observed resolve scope thread
"""


def listed(text):
    """The circles of a list: `folder: file file …`, without the ending .c; indented lines go on."""
    circles = set()
    for line in text.replace("\n  ", " ").split("\n"):
        if line:
            folder, files = line.split(": ")
            circles.add(frozenset(os.path.normpath(os.path.join(folder, file)) for file in files.split()))
    return circles


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
    return [f"{path}: {name}" for name, path in sorted(defines.items()) if name not in needed and not name.startswith("rspcheck_")
            and name != "main" and "_flex" not in name]


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
    defines, needs = symbols(build)
    calls = {name: {defines[symbol] for symbol in wanted if symbol in defines} - {name} for name, wanted in needs.items()}
    reached = {name: reach(name, calls) for name in calls}
    found = collections.defaultdict(set)
    for name in calls:
        if name in reached[name]:
            found[frozenset(other for other in reached[name] if name in reached[other])].add(name)
    return len(calls), set(found), unused(build, defines)


def show(circle):
    """A circle as a line of the lists."""
    folder = os.path.commonpath([os.path.dirname(name) for name in circle])
    return f"{folder}: " + " ".join(sorted(os.path.relpath(name, folder) for name in circle))


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: tests/circles.py BUILD")
    n, found, idle = circles(sys.argv[1])
    known = listed(DESCENTS)
    wrong = [f"FAIL circles: these files call each other: {show(circle)}" for circle in found - known]
    wrong += [f"FAIL circles: tests/circles.py has a circle that is not there: {show(circle)}" for circle in known - found]
    wrong += [f"FAIL circles: no other file calls {name}: make it static, or delete it" for name in idle]
    print("\n".join(sorted(wrong)), end="\n" if wrong else "")
    print(f"{max(n - len(wrong), 0)} passed, {len(wrong)} failed")
    sys.exit(1 if wrong else 0)


main()
