#!/usr/bin/env python3
"""Kernels: litmus/kernels/expected.tsv says what each finds, `none` or `kind:line, …` (`loop`: -unroll truncated
one), with which options.

  tests/kernels.py PROGRAM [WORD]          all rows, or those with WORD in them
  RSP_NAIVE=1 tests/kernels.py PROGRAM     under the naive engine; rows whose last column is `large` are left out
"""

import json
import os
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "litmus" / "kernels"


def found(program, kernel, options):
    run = subprocess.run([program, "-kernel", str(FOLDER / kernel), "-json", "-q", *options], capture_output=True,
                         text=True, check=False)
    if run.returncode not in (0, 3):
        return f"status {run.returncode}: {run.stderr.splitlines()[:1]}"
    result = json.loads(run.stdout)
    findings = [f"{f['kind']}:{f['line']}" for f in result["findings"]]
    return ", ".join(findings + ["loop"] * result["loop"]) or "none"


def main():
    program = os.path.abspath(sys.argv[1])
    word = sys.argv[2] if len(sys.argv) > 2 else ""
    naive = ["-engine", "naive"] if os.environ.get("RSP_NAIVE") else []
    passed = failed = 0
    for line in (FOLDER / "expected.tsv").read_text().splitlines():
        if line.startswith("#") or not line or word not in line:
            continue
        kernel, options, expected, *size = line.split("\t")
        if naive and size:
            continue
        result = found(program, kernel, options.split() + naive)
        if result == expected:
            passed += 1
        else:
            failed += 1
            print(f"FAIL kernels: {kernel} {options}: found {result}, expected {expected}")
    print(f"kernels: {passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
