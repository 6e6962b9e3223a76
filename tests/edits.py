#!/usr/bin/env python3
"""Repairs the racy tests of litmus/, relaxes those of litmus/steal, and checks the results independently.

  tests/edits.py [--all] [--edits N] [--seconds S] PROGRAM

A test is racy when a row of its suite's expected.tsv says so; it is repaired under the first of MODELS
that has such a row. Each patch must apply with `patch -p0` and give the source that the record has; the
patched test, read from its file, must raise no flag (repair), or have the states and flags that it had
(relax). Without --all, the SLICE of the racy tests and of litmus/steal, which takes seconds.

Of SMALL tests all versions are made and judged one by one (variants.py), and what they say must be what
-repair, -repair forbid and -relax find.
"""

import argparse
import json
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

import ptx_variants
import variants

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = ["opencl_rem", "opencl", "hrf_rsp", "hrf_indirect_relaxed", "hrf_indirect", "rc11", "c11_simp", "vulkan"]
SMALL = 12  # tests per question
VERSIONS = 120  # of such a test, at most
SLICE = {"-repair": slice(0, None, 4), "-relax": slice(0, None, 7)}


def racy_tests():
    """Pairs of a model and a test's file, in a fixed order."""
    found = {}
    for table in sorted((ROOT / "litmus").glob("*/expected.tsv")):
        for line in table.read_text().splitlines():
            fields = line.split("\t")
            file = table.parent / f"{fields[1]}.litmus" if len(fields) > 6 else None
            if file and file.exists() and fields[0] in MODELS and re.search("race|racy", fields[6]):
                found.setdefault(file, []).append(fields[0])
    return [(min(models, key=MODELS.index), file) for file, models in sorted(found.items())]


def relaxed_tests():
    return [("opencl_rem", file) for file in sorted((ROOT / "litmus" / "steal").glob("*.litmus"))]


def smallest(tests):
    """The half with the shorter files: edits of long tests are many."""
    return sorted(tests, key=lambda test: (test[1].stat().st_size, test[1]))[: len(tests) // 2]


def run(command, folder):
    """Records."""
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return [json.loads(line) for line in result.stdout.splitlines()]


def verdict(tool, model, folder, name):
    (record,) = run([tool, "-q", "-json", "-model", f"{model}.cat", name], folder)
    return bool(record["flags"]), sorted(state["state"] for state in record["states"])


def patched(folder, name, patch):
    """The text of the test after `patch -p0`."""
    with tempfile.TemporaryDirectory() as other:
        shutil.copy(folder / name, other)
        result = subprocess.run(["patch", "-s", "-p0"], cwd=other, input=patch, text=True, capture_output=True)
        return result.returncode == 0 and (pathlib.Path(other) / name).read_text()


def faults(tool, model, folder, name, record, question):
    """The errors in the versions of a record."""
    before = verdict(tool, model, folder, name)
    for i, version in enumerate(record["versions"]):
        text = patched(folder, name, version["patch"])
        if text != version["source"]:
            yield f"version {i + 1}: the patch does not give the source"
            continue
        (folder / "patched.litmus").write_text(text)
        after = verdict(tool, model, folder, "patched.litmus")
        if question == "-repair" and after[0]:
            yield f"version {i + 1} raises a flag"
        if question == "-relax" and after != before:
            yield f"version {i + 1} is not equal to the test"
        if question == "-relax" and text == (folder / name).read_text():
            yield f"version {i + 1} weakens nothing"


def check(tool, question, model, file, arguments):
    """"found", "nothing" or "no time"; with what is wrong."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copy(file, folder)
        command = [tool, "-q", "-json", question, "-edits", str(arguments.edits), "-timeout", str(arguments.seconds),
                   "-model", f"{model}.cat", file.name]
        (record,) = run(command, folder)
        wrong = list(faults(tool, model, folder, file.name, record, question))
    outcome = "found" if record["versions"] else "nothing" if record["complete"] else "no time"
    return outcome, [f"{question} {model} {file.relative_to(ROOT)}: {w}" for w in wrong]


def small_tests(question):
    """Of those that have more than one version and not too many, SMALL from all over the list."""
    tests = [test for test in racy_tests() if test[0] != "vulkan"]  # whose versions are those of columns
    if question != "-repair":
        tests = [("rc11" if suite == "c11" else "hrf_indirect_relaxed" if suite == "hrf" else "opencl_rem", file)
                 for suite in ("rsp", "hrf", "opencl", "c11") for file in sorted((ROOT / "litmus" / suite).glob("*.litmus"))]
    fitting = [test for test in tests if variants.suits(test[1].read_text(), question != "-relax", VERSIONS)]
    return fitting[:: len(fitting) // SMALL]


def small_ptx_tests(question):
    if question == "-repair":  # they are all defined
        return []
    chosen = []
    for model in "ptx75", "ptx90":
        tests = [(model, file) for file in sorted((ROOT / "litmus" / "ptx").glob("*.litmus"))]
        fitting = [test for test in tests if ptx_variants.suits(test[1].read_text(), question != "-relax", VERSIONS, model)]
        chosen += fitting[:: max(len(fitting) // SMALL, 1)]
    return chosen


def compare(tool, question, model, file):
    """What -repair or -relax finds that brute force does not, and the reverse."""
    command = [tool, "-q", "-json", "-all", "-edits", "2", "-model", f"{model}.cat"]
    (record,) = run([*command, *(["-repair", "forbid"] if question == "forbid" else [question]), str(file)], ROOT)
    own = [v for v in record["versions"] if not re.search(": insert |a relaxed atomic", v["edits"])]
    brute = ptx_variants if model.startswith("ptx") else variants
    found, expected = {v["source"] for v in own}, brute.expected(tool, question, model, file.read_text())
    name = f"{question} {model} {file.relative_to(ROOT)}"
    if len(own) != len(found):
        yield f"{name}: a version is there twice"
    for text in found ^ expected:
        yield f"{name}: {'only the tool' if text in found else 'only brute force'} has\n{text}"


def compare_all(tool):
    """How many tests passed, and how many failed."""
    passed = failed = 0
    for question in "-repair", "forbid", "-relax":
        for model, file in small_tests(question) + small_ptx_tests(question):
            wrong = list(compare(tool, question, model, file))
            passed, failed = passed + (not wrong), failed + bool(wrong)
            for w in wrong:
                print("FAIL", w)
    return passed, failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--edits", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("tool")
    arguments = parser.parse_args()
    tool = str(pathlib.Path(arguments.tool).resolve())
    passed, failed = compare_all(tool)
    for question, tests in ("-repair", racy_tests()), ("-relax", relaxed_tests()):
        counts = {}
        for model, file in tests if arguments.all else smallest(tests)[SLICE[question]]:
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            outcome, wrong = check(tool, question, model, file, arguments)
            seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
            counts[outcome] = counts.get(outcome, 0) + 1
            passed += not wrong
            failed += bool(wrong)
            for w in wrong:
                print("FAIL", w)
            if arguments.all:
                print(question, model, file.relative_to(ROOT), outcome, f"{seconds:.2f} s", file=sys.stderr, flush=True)
        if arguments.all:
            print(question, counts)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
