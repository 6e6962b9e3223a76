#!/usr/bin/env python3
"""Kernels: litmus/kernels/expected.tsv and litmus/spirv/expected.tsv say what each finds, `none` or `kind:line, …` (`loop`: -unroll truncated
one), with which options.

  tests/kernels.py PROGRAM [WORD]               all rows, or those with WORD in them
  tests/kernels.py --naive PROGRAM [WORD]       … and the naive engine confirms it, but for rows that take it long
  tests/kernels.py --naive --long PROGRAM       those
  tests/kernels.py --same PROGRAM [WORD]        … and two work-items at a time find the same, where that is possible; so does each
                                                kernel of litmus/kernels under one of three choices of engine and search, by turns

A row's last column is how the naive engine confirms it, where it would not end with the row's own options: `as -grid G …`, options
that take the place of the row's (`;` between several such runs), or `long as …`. There both engines must find the same, and the
naive engine in all runs together what the row has: findings of the same kind on the same lines.
"""

import argparse
import itertools
import json
import os
import pathlib
import subprocess
import sys

LITMUS = pathlib.Path(__file__).resolve().parent.parent / "litmus"
FOLDERS = ["kernels", "spirv"]
CHOICES = itertools.cycle(["-speedcheck fast", "-engine auto -speedcheck true -j 4", "-engine sat -speedcheck fast"])


class Absent(Exception):
    """What reads the kernel is not installed, or the program is built without it."""


class Refused(Exception):
    """-engine sat cannot decide it."""


class Failed(Exception):
    """The program did not end as it should."""


def run(program, kernel, options):
    done = subprocess.run([program, "-kernel", str(LITMUS / kernel), "-json", "-q", *options], capture_output=True,
                          text=True, check=False)
    if "built without SPIRV-Tools" in done.stderr or "GLSL needs the compiler" in done.stderr:
        raise Absent
    if "-engine sat cannot decide it" in done.stderr:
        raise Refused
    if done.returncode not in (0, 3):
        raise Failed(f"status {done.returncode}: {done.stderr.splitlines()[:1]}")
    return json.loads(done.stdout)


def listed(result):
    findings = [f"{f['kind']}:{f['line']}" for f in result["findings"]]
    return ", ".join(findings + ["loop"] * result["loop"]) or "none"


def pairs(result):
    """The findings, whichever of two lines that race is named first."""
    return {(f["kind"], *sorted({f["line"], f.get("other_line", f["line"])})) for f in result["findings"]}


def replaced(options, others):
    """The options, with others in the place of those of the same name (of `-arg` and `-D`: for the same parameter or macro)."""
    def key(name, value):
        return (name, value.split("=")[0].split("[")[0] if name in ("-arg", "-D") else "")
    own = list(zip(options[::2], options[1::2]))
    new = list(zip(others[::2], others[1::2]))
    kept = [pair for pair in own if key(*pair) not in [key(*pair) for pair in new]]
    return [word for pair in kept + new for word in pair]


def confirm(program, kernel, options, expected, whole, how):
    found = set()
    for others in how.split(";") if how else [""]:
        own = replaced(options, others.split())
        naive = run(program, kernel, own + ["-engine", "naive"])
        fast = run(program, kernel, own) if others else whole
        if listed(naive) != listed(fast):
            return f"with {' '.join(own)}: the naive engine finds {listed(naive)}, others {listed(fast)}"
        if expected == "none" and naive["findings"]:
            return f"with {' '.join(own)}: found {listed(naive)}, expected none"
        found |= pairs(naive)
    missing = pairs(whole) - found
    return f"not confirmed: {sorted(missing)}" if missing else None


def pair(program, kernel, options, whole):
    """Not of loops that wait, which pairs are not for."""
    if "-spin" in options and "pairs" not in whole:
        return None
    by_pairs = run(program, kernel, options + ["-pairs", "always"])
    if "pairs" not in by_pairs:
        return None
    if "pairs" in whole:
        whole = run(program, kernel, options + ["-pairs", "never"])
    return None if pairs(by_pairs) == pairs(whole) else f"pairs: {sorted(pairs(by_pairs))}, whole: {sorted(pairs(whole))}"


def permuted(program, kernel, options, whole):
    choice = next(CHOICES)
    try:
        found = run(program, kernel, options + choice.split())
    except Refused:
        return None
    if "not_finished" in found and "sat" in choice and pairs(found) <= pairs(whole):
        return None  # it does not take some of the paths
    def places(result):
        return [(f["kind"], f["line"], f.get("other_line")) for f in result["findings"]], result["loop"]
    return None if places(found) == places(whole) else f"{choice}: {listed(found)}"


def wrong(arguments, line):
    """What is wrong with the row of the table, or None."""
    kernel, options, expected, *how = line.split("\t")
    options = options.split()
    way, _, others = how[0].partition("as ") if how else ("", "", "")
    whole = run(arguments.program, kernel, options)
    if listed(whole) != expected:
        return f"found {listed(whole)}, expected {expected}"
    said = None
    if arguments.naive and way.startswith("long") == arguments.long:
        said = confirm(arguments.program, kernel, options, expected, whole, others)
    if arguments.same and not said:
        said = pair(arguments.program, kernel, options, whole)
    if arguments.same and not said and kernel.startswith("kernels"):
        said = permuted(arguments.program, kernel, options, whole)
    return said


def rows():
    for folder in FOLDERS:
        for line in (LITMUS / folder / "expected.tsv").read_text().splitlines():
            if line and not line.startswith("#"):
                yield f"{folder}/{line}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--naive", action="store_true")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--same", action="store_true")
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("word", nargs="?", default="")
    arguments = parser.parse_args()
    passed = failed = 0
    for line in rows():
        if arguments.word not in line or (arguments.long and "\tlong" not in line):
            continue
        try:
            said = wrong(arguments, line)
        except Absent:
            continue
        except Failed as failure:
            said = str(failure)
        passed += not said
        failed += bool(said)
        if said:
            print(f"FAIL kernels: {' '.join(line.split(chr(9))[:2])}: {said}")
    print(f"kernels: {passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
