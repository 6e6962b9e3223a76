#!/usr/bin/env python3
"""Kernels: litmus/kernels/expected.tsv and litmus/spirv/expected.tsv say what each finds, `none` or `kind:line, …` (`loop`: -unroll truncated
one), with which options.

  tests/kernels.py PROGRAM [WORD]               all rows, or those with WORD in them
  tests/kernels.py --naive PROGRAM [WORD]       each row's findings are confirmed by the naive engine
  tests/kernels.py --naive --long PROGRAM       those that take it long
  tests/kernels.py --pairs PROGRAM [WORD]       two work-items at a time find the same, where that is possible

A row's last column is how the naive engine confirms it, where it would not end with the row's own options: `as -grid G …`, options
that take the place of the row's (`;` between several such runs), or `long as …`. There both engines must find the same, and the
naive engine in all runs together what the row has: findings of the same kind on the same lines.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

LITMUS = pathlib.Path(__file__).resolve().parent.parent / "litmus"
FOLDERS = ["kernels", "spirv"]


class Absent(Exception):
    """What reads the kernel is not installed, or the program is built without it."""


class Failed(Exception):
    """The program did not end as it should."""


def run(program, kernel, options):
    done = subprocess.run([program, "-kernel", str(LITMUS / kernel), "-json", "-q", *options], capture_output=True,
                          text=True, check=False)
    if "built without SPIRV-Tools" in done.stderr or "GLSL needs the compiler" in done.stderr:
        raise Absent
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


def compare(program, kernel, options, expected, _):
    result = listed(run(program, kernel, options))
    return None if result == expected else f"found {result}, expected {expected}"


def confirm(program, kernel, options, expected, how):
    found, whole = set(), run(program, kernel, options)
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


def pair(program, kernel, options, expected, _):
    by_pairs = run(program, kernel, options + ["-pairs", "always"])
    if "pairs" not in by_pairs:
        return None
    whole = run(program, kernel, options + ["-pairs", "never"])
    return None if pairs(by_pairs) == pairs(whole) else f"pairs: {sorted(pairs(by_pairs))}, whole: {sorted(pairs(whole))}"


def rows(naive, long):
    for folder in FOLDERS:
        for line in (LITMUS / folder / "expected.tsv").read_text().splitlines():
            if line.startswith("#") or not line:
                continue
            kernel, options, expected, *how = line.split("\t")
            way, _, others = how[0].partition("as ") if how else ("", "", "")
            if not naive or way.startswith("long") == long:
                yield line, f"{folder}/{kernel}", options.split(), expected, others


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--naive", action="store_true")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--pairs", action="store_true")
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("word", nargs="?", default="")
    arguments = parser.parse_args()
    passed = failed = 0
    for line, kernel, options, expected, how in rows(arguments.naive, arguments.long):
        if arguments.word not in line:
            continue
        try:
            wrong = (confirm if arguments.naive else pair if arguments.pairs else compare)(arguments.program, kernel, options, expected, how)
        except Absent:
            continue
        except Failed as failure:
            wrong = str(failure)
        passed += not wrong
        failed += bool(wrong)
        if wrong:
            print(f"FAIL kernels: {kernel} {' '.join(options)}: {wrong}")
    print(f"kernels: {passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
