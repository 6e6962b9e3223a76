#!/usr/bin/env python3
"""Small programs against the machine of machine.py: `-progress all` of

* C and OpenCL programs with nested loops, whose operations are all seq_cst;
* Vulkan and PTX programs with jumps, to and fro, on one location under the language's model, on two under interleavings.

All but those in C have threads in several work-groups, for promises per level, some with barriers (in columns: of two IDs,
with quorums, and some that do not wait).

  tests/progress/compare.py [-n TESTS] [-seed FIRST] PROGRAM     random programs: says how many agree; prints the others
  tests/progress/compare.py -all N [-step K] [-locations x] PROGRAM     each Kth of all programs with jumps, of several
                                                                        threads and N instructions
"""

import argparse
import collections
import itertools
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import columns
import loops
import machine
import smallest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# Asked in addition where threads are in work-groups.
LEVELS = ("wg=obe,wi=fair", "wg=fair,wi=obe", "wg=lobe,wi=hsa", "wg=hsa,wi=hsa_obe", "wg=hsa_obe,wi=lobe")

# Language, model, and for programs with jumps the locations (else none).
FAMILIES = (("C", "sc", ""), ("VULKAN", "vulkan", "x"), ("C", "rc11", ""), ("PTX", "interleaved", "xy"),
            ("OPENCL", "opencl", ""), ("PTX", "ptx75", "x"), ("C", "sc", ""), ("VULKAN", "interleaved", "xy"))

Test = collections.namedtuple("Test", "name language model text program groups variant")


# ---- Programs ----


def draw_jumps(draw, n, kinds, locations, variant):
    """A thread of n operations, each followed by a jump that is taken if it reads a certain value."""
    code = []
    for i in range(n):
        kind = draw.choice(kinds)
        if kind in ("meet", "come"):
            barrier = draw.choice((0, 0, 1))
            quorum = draw.choice((0, 0, 1, 2, 2, 3)) if kind == "meet" else draw.choice((2, 2, 3))
            code.append(((kind, barrier, (2, 0)[barrier] if variant == "phases" else quorum), None, i + 1, i + 1))
            continue
        values = [draw.randrange(2) for _ in range({"read": 0, "swap": 2}.get(kind, 1))]
        constant = None if kind == "write" else values[0] if kind == "swap" else draw.randrange(2)
        target = i + 1 if kind == "write" else draw.randrange(n + 1)
        code.append(((kind, draw.choice(locations), *values), constant, target, i + 1))
    return code


def generate_jumps(draw, language, locations, variant):
    n = draw.choice((2, 2, 2, 3, 3, 4))
    barriers = len(locations) == 1 and draw.random() < 0.3
    kinds = ("read", "write", "exchange", "exchange", "swap", *["meet"] * 3 * barriers, *["come"] * (barriers and language == "PTX" and variant != "phases"))
    program = [draw_jumps(draw, draw.choice((1, 2, 2, 3) if n == 2 or barriers else (1, 1, 2)), kinds, locations,
                          variant) for _ in range(n)]
    if barriers:
        return program, loops.draw_groups(draw, n, barriers)
    return program, list(range(n)) if draw.random() < 0.5 else sorted(draw.randrange(n) for _ in range(n))


def generate(seed):
    draw = random.Random(seed)
    language, model, locations = FAMILIES[seed % len(FAMILIES)]
    name, variant = f"t{seed}", draw.choice(("", "", "all-threads", "phases")) if len(locations) == 1 else ""
    if locations:
        program, groups = generate_jumps(draw, language, locations, variant)
        text = columns.write(language, name, program, groups)
    else:
        text, program, groups = loops.generate(draw, language, name)
    return Test(name, language, model, text, program, groups, variant)


def enumerate_all(n, step, locations):
    """Each thread is a work-group, or (for every other pair of programs) all are one."""
    models = ("vulkan", "ptx75") if len(locations) == 1 else ("interleaved", "interleaved")
    several = (program for program in smallest.programs(n, locations) if len(program) > 1)
    for i, program in enumerate(itertools.islice(several, 0, None, step)):
        language, model = ("VULKAN", "PTX")[i % 2], models[i % 2]
        groups = [t * (i // 2 % 2) for t in range(len(program))]
        name = f"t{i}"
        yield Test(name, language, model, columns.write(language, name, program, groups), program, groups, "")


# ---- Answers ----


def parse_answers(output):
    """Per test that has an answer: the progress models under which it hangs, and those for which that is not known
    because loops were truncated, or time ran out."""
    found = {}
    for verdict, name, model, rest in re.findall(r"^(Hangs|Ends|Unknown) (t\w+) under ([\w,=]+)(.*)", output, re.M):
        hanging, unknown = found.setdefault(name, (set(), set()))
        if verdict == "Hangs":
            hanging.add(model)
        elif rest:
            unknown.add(model)
    return found


def ask(options, tests, folder):
    """Of tests of one language, model and variant."""
    language, model, variant = tests[0].language, tests[0].model, tests[0].variant
    place = pathlib.Path(folder, f"{language}-{model}{variant}")
    place.mkdir(exist_ok=True)
    for test in tests:
        (place / f"{test.name}.litmus").write_text(test.text)
    file = ROOT / f"cat/{model}.cat"
    if model == "interleaved":
        file = pathlib.Path(folder, "interleaved.cat")
        file.write_text(columns.INTERLEAVED)
    levels = [word for level in LEVELS for word in ("-progress", level)] if tests[0].groups else []
    run = subprocess.run([options.program, "-q", "-progress", "all", *levels, "-unroll", str(options.unroll), "-model",
                          file, *(("-variant", variant) if variant else ()), "-timeout", str(options.timeout), place], capture_output=True, text=True)
    return parse_answers(run.stdout)


def ask_all(options, tests):
    kinds = collections.defaultdict(list)
    for test in tests:
        kinds[test.language, test.model, test.variant].append(test)
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for some in kinds.values():
            found |= ask(options, some, folder)
    return found


# ---- The comparison ----


class Count:
    def __init__(self):
        self.tests = self.agree = self.failed = self.silent = self.more_rounds = self.reserved = 0

    def add(self, test, expected, answer):
        self.tests += 1
        if answer is None:
            self.silent += 1
            print(f"{test.text}no answer\n")
            return
        hanging, unknown = answer
        self.more_rounds += bool(expected & unknown)
        self.reserved += bool(unknown - expected)
        if hanging == expected - unknown:
            self.agree += 1
            return
        self.failed += 1
        print(f"{test.text}{test.model} {test.variant}\nmachine: {sorted(expected)}\nrspcheck: {sorted(hanging)}, "
              f"unknown: {sorted(unknown)}\n")

    def __str__(self):
        return (f"{self.agree} agree, {self.failed} do not, {self.silent} have no answer; "
                f"{self.more_rounds} hangs need more rounds, {self.reserved} that end are not known to")


def compare(options, tests, count):
    expected = {}
    for test in tests:
        hangs = machine.hangs(test.program, {"x": 0, "y": 0}, test.groups or (), LEVELS if test.groups else (),
                              test.variant)
        if hangs is not None:
            expected[test.name] = hangs
    found = ask_all(options, [test for test in tests if test.name in expected])
    for test in tests:
        if test.name in expected:
            count.add(test, expected[test.name], found.get(test.name))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", type=int, default=100)
    parser.add_argument("-seed", type=int, default=1)
    parser.add_argument("-all", type=int)
    parser.add_argument("-step", type=int, default=1)
    parser.add_argument("-locations", default="xy")
    parser.add_argument("-unroll", type=int, default=2)
    parser.add_argument("-timeout", type=int, default=2)
    parser.add_argument("program")
    options = parser.parse_args()
    tests = map(generate, range(options.seed, options.seed + options.n))
    if options.all:
        tests = enumerate_all(options.all, options.step, options.locations)
    count = Count()
    while some := list(itertools.islice(tests, 500)):
        compare(options, some, count)
    print(count)
    return count.failed > 0 or 10 * (count.agree - count.more_rounds) < 9 * count.tests


if __name__ == "__main__":
    sys.exit(main())
