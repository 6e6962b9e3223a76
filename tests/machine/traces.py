#!/usr/bin/env python3
"""Keeps the traces in docs/machines.md true: each block below a line `<!-- trace: OPTIONS -->` is what
rspcheck prints with -v and these options, from its verdict to the end of the trace.

    tests/machine/traces.py [--write] PROGRAM      the last line is "N passed, N failed"
"""

import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PAGE = os.path.join(ROOT, "docs", "machines.md")
BLOCK = re.compile(r"(<!-- trace: ([^\n]*) -->\n```\n)(.*?)(```\n)", re.S)


def trace(program, options):
    run = subprocess.run([program, "-q", "-v", *options.split()], capture_output=True, text=True, check=False, cwd=ROOT)
    found = re.search(r"^(Unsound|Deadlock) .*?(?=\n\n)", run.stdout, re.S | re.M)
    return found[0] + "\n" if found else run.stdout + run.stderr


def main():
    write, program = sys.argv[1] == "--write", os.path.abspath(sys.argv[-1])
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    wrong = [block[2] for block in BLOCK.finditer(text) if block[3] != trace(program, block[2])]
    if write:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(BLOCK.sub(lambda block: block[1] + trace(program, block[2]) + block[4], text))
        return
    for options in wrong:
        print(f"FAIL traces: docs/machines.md has another trace of {options}")
    print(f"{len(BLOCK.findall(text)) - len(wrong)} passed, {len(wrong)} failed")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
