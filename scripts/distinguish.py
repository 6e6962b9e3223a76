#!/usr/bin/env python3
"""The smallest tests between every pair of shipped models: litmus/distinguish/ and docs/synth.md's table.

    scripts/distinguish.py [--write] [--pairs N] PROGRAM

For each pair of MODELS it asks `rspcheck -distinguish` in the space of `space ()`, and keeps one test
for each kind of difference: the first of the smallest. With --write the suite, its expected.tsv and
the table are written anew. Without, they are compared with what the tool finds: for the first N pairs
of each model (all, unless --pairs says otherwise, which leaves out what takes five events). That nothing smaller is found is the tool's own word
for each test being minimal.
"""

import argparse
import itertools
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUITE = ROOT / "litmus" / "distinguish"
GUIDE = ROOT / "docs" / "synth.md"
MODELS = ["sc", "rc11", "c11_simp", "opencl", "opencl_rem", "opencl_total", "hrf0", "hrf_direct",
          "hrf_indirect", "hrf_direct_relaxed", "hrf_indirect_relaxed", "hrf_rsp", "hrf_rsp_all"]
HEAD = """# Made by scripts/distinguish.py: the smallest tests that tell two models apart. Columns as in
# litmus/rsp/expected.tsv.
model	test	observation	positive	negative	states	flags
"""
LETTERS = {"only the first allows": "first allows", "only the second allows": "second allows",
           "only the first is undefined": "first undefined", "only the second is undefined": "second undefined"}


def space(first, second):
    """Options that bound the space of a pair. opencl_total and the hrf_rsp models look at all labels before
    they say anything, so that each of their programs is staged alone: they get fewer. The first HRF models
    differ in how synchronisation composes, which takes branches: without, programs that use it race."""
    if first.startswith("hrf_rsp") or second.startswith("hrf_rsp"):
        return ["-events", "2", "-event-kinds", "load,store", "-orders", "na,acq,rel", "-scopes", "wg,dev",
                "-remote", "true", "-trees", "true"]
    if "opencl_total" in (first, second):
        return ["-events", "4", "-threads", "2", "-event-kinds", "load,store", "-orders", "na,sc",
                "-scopes", "dev,all", "-remote", "false", "-trees", "false"]
    if {first, second} <= {"hrf0", "hrf_direct", "hrf_indirect"}:
        kinds, events = ("load,store,rmw", "3") if first == "hrf0" else ("load,store", "5")
        return ["-events", events, "-event-kinds", kinds, "-orders", "acq,rel", "-scopes", "wg,dev",
                "-remote", "false", "-dependencies", "ctrl"]
    if {first, second} <= {"sc", "rc11", "c11_simp"}:
        return ["-events", "4"]
    return ["-events", "3"]


def ask(tool, first, second):
    """Per kind of difference the first result."""
    command = [tool, "-q", "-json", "-distinguish", "-model", f"{first}.cat", "-model", f"{second}.cat",
               *space(first, second)]
    found = {}
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
        result = json.loads(line)
        for kind in result["found"].split("; "):
            found.setdefault(kind, result)
    return found


def merge(answers):
    """The tests by name, and per pair and kind a name. A program that is there with another outcome gets
    a number after its name."""
    tests, table = {}, {}
    for pair, found in answers.items():
        for kind, result in found.items():
            source = re.sub(r"\(\*.*?\*\)\n\n", "", result["source"], flags=re.S)
            name, n = result["test"], 1
            while name in tests and tests[name][0] != source:
                n += 1
                name = f"{result['test']}+outcome{n}"
                source = re.sub(r"^(OpenCL|C) \S+", rf"\1 {name}", source)
            tests.setdefault(name, (source, []))[1].append((*pair, kind))
            table[pair, kind] = name
    return tests, table


def commented(source, uses):
    """With a comment that says which models the test tells apart."""
    lines = [f"{first} and {second}: {kind}." for first, second, kind in uses]
    head, rest = source.split("\n\n", 1)
    return f"{head}\n\n(* The smallest test between these models (docs/synth.md).\n   " \
           + "\n   ".join(lines) + f" *)\n\n{rest}"


def markdown(answers, table):
    rows = ["| first | second | what only one of them says | smallest test |", "| --- | --- | --- | --- |"]
    for (first, second), found in answers.items():
        if not found:
            bound = " ".join(space(first, second))
            rows.append(f"| {first} | {second} | nothing | none with `{bound}` |")
        for kind in found:
            rows.append(f"| {first} | {second} | {LETTERS[kind]} | `{table[(first, second), kind]}` |")
    return "\n".join(rows)


def expected(tool, tests):
    """One row per test and model that it tells apart."""
    models = {name: sorted({m for a, b, _ in uses for m in (a, b)}, key=MODELS.index)
              for name, (_, uses) in tests.items()}
    rows = []
    for model in MODELS:
        names = [name for name in sorted(tests) if model in models[name]]
        files = [str(SUITE / f"{name}.litmus") for name in names]
        if files:
            out = subprocess.run([tool, "-q", "-tsv", "-model", f"{model}.cat", *files],
                                 capture_output=True, text=True, check=True).stdout
            rows += [line for line in out.splitlines() if line.startswith(f"{model}\t")]
    return HEAD + "\n".join(rows) + "\n"


def write(tool, answers):
    tests, table = merge(answers)
    SUITE.mkdir(exist_ok=True)
    for old in SUITE.glob("*.litmus"):
        old.unlink()
    for name, (source, uses) in tests.items():
        (SUITE / f"{name}.litmus").write_text(commented(source, uses))
    (SUITE / "expected.tsv").write_text(expected(tool, tests))
    guide = GUIDE.read_text()
    GUIDE.write_text(re.sub(r"(<!-- table pairs -->\n).*?(<!-- end -->)",
                            lambda m: f"{m[1]}{markdown(answers, table)}\n{m[2]}", guide, flags=re.S))


def compare(answers):
    """Each pair's smallest tests are those of the table in the guide, and in the suite."""
    guide, failed = GUIDE.read_text(), 0
    for (first, second), found in answers.items():
        rows = re.findall(rf"^\| {first} \| {second} \| (.*?) \| `(.*?)` \|$", guide, re.M)
        now = {LETTERS[kind]: result["test"] for kind, result in found.items()}
        then = {kind: re.sub(r"\+outcome\d+$", "", name) for kind, name in rows}
        missing = [name for _, name in rows if not (SUITE / f"{name}.litmus").exists()]
        if now != then or missing:
            print(f"FAIL {first} against {second}: found {now}, the table has {then}; missing: {missing}")
            failed += 1
    print(f"{len(answers) - failed} passed, {failed} failed")
    return failed == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--pairs", type=int, default=len(MODELS))
    parser.add_argument("tool")
    arguments = parser.parse_args()
    tool = str(pathlib.Path(arguments.tool).resolve())
    pairs = [(a, b) for a, b in itertools.combinations(MODELS, 2)
             if MODELS.index(b) - MODELS.index(a) <= arguments.pairs]
    if arguments.pairs < len(MODELS):
        pairs = [pair for pair in pairs if "5" not in space(*pair)]  # ten seconds
    answers = {}
    for pair in pairs:
        answers[pair] = ask(tool, *pair)
        if arguments.write:
            print(*pair, {kind: result["test"] for kind, result in answers[pair].items()}, file=sys.stderr)
    if arguments.write:
        write(tool, answers)
    else:
        sys.exit(0 if compare(answers) else 1)


if __name__ == "__main__":
    main()
