#!/usr/bin/env python3
"""What rspcheck and Oclgrind (Debian: oclgrind) say about the same three kernels, and the processor's milliseconds of each:
the table in README.md.

    bench/peers.py PROGRAM
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from processor import seconds

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "litmus" / "kernels"
RUNS = 5  # the quickest counts: other load can only slow one down
# The kernel, what is changed in it, groups and items of a group; the sizes in bytes of what it is given, the first filled with 0.
ROWS = [("message", "-D REL=memory_order_relaxed", (2, 1), (4, 4, 4)),
        ("reduce", "-D NO_BARRIER", (1, 4), (16, 4, 16)),
        ("histogram", "-D PLAIN", (2, 2), (16, 16))]


def rspcheck(program, kernel, define, grid, _sizes, _folder):
    return [program, "-q", "-kernel", FOLDER / f"{kernel}.cl", "-grid", f"{grid[0]}x{grid[1]}", "-spin", "last", *define.split()]


def oclgrind(program, kernel, define, grid, sizes, folder):
    shutil.copy(FOLDER / f"{kernel}.cl", folder)
    filled = "".join(f"<size={size} fill=0>\n" for size in sizes)
    (folder / "run.sim").write_text(f"{kernel}.cl\n{kernel}\n{grid[0] * grid[1]} 1 1\n{grid[1]} 1 1\n{filled}")
    return [program, "--data-races", "--build-options", "-cl-std=CL2.0 " + define.replace("-D ", "-D"), "run.sim"]


def answer(text):
    """The first finding, or why there is none."""
    found = re.search(r"data race[^\n]*|Undefined external function: \w+", text)
    return found[0] if found else "no race"


def measured(command, folder):
    least, run = None, None
    for _ in range(RUNS):
        before = seconds()
        run = subprocess.run(command, cwd=folder, text=True, capture_output=True, check=False)
        least = min(least or 1e9, seconds() - before)
    return f"{answer(run.stdout + run.stderr)} | {1000 * least:.0f}"


def main():
    tools = [(rspcheck, os.path.abspath(sys.argv[1])), (oclgrind, shutil.which("oclgrind-kernel"))]
    print("| kernel | tool | answer | ms |\n|---|---|---|---:|")
    for row in ROWS:
        for tool, program in tools:
            with tempfile.TemporaryDirectory() as folder:
                cells = measured(tool(program, *row, pathlib.Path(folder)), folder) if program else "not installed |"
            print(f"| {row[0]} {row[1]} | {tool.__name__} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
