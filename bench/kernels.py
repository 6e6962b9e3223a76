#!/usr/bin/env python3
"""Times of kernels of litmus/kernels: one row per kernel and grid, with its findings and the processor's seconds.

    bench/kernels.py PROGRAM [WORD] [-limit SECONDS]     rows with WORD in them; default: 60 seconds of the processor each
"""

import argparse
import os
import pathlib
import subprocess

from processor import seconds

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "litmus" / "kernels"
ROWS = [(f"lock-{lock}.cl", f"-grid {grid} -spin last")
        for lock in ("cas", "ticket", "ttas") for grid in ("2x2", "3x2", "3x3", "4x4")]
ROWS += [("lock-ttas.cl", "-grid 2x2x2 -spin last -D SCOPE=memory_scope_work_group"),
         ("lock-rw.cl", "-grid 2x2x2"), ("last-sums.cl", "-grid 1x8"), ("xf-barrier.cl", "-grid 3x3 -spin last"),
         ("reduce.cl", "-grid 1x16"), ("scan.cl", "-grid 1x16"),
         ("scan-blelloch.cl", "-grid 1x16"), ("histogram.cl", "-grid 2x4"), ("stencil.cl", "-grid 4x4")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("-limit", type=int, default=60)
    parser.add_argument("word", nargs="?", default="")
    arguments = parser.parse_args()
    print("| kernel | options | result | seconds |\n|---|---|---|---:|")
    for kernel, options in ROWS:
        if arguments.word not in f"{kernel} {options}":
            continue
        before = seconds()
        run = subprocess.run(["prlimit", f"--cpu={arguments.limit}", os.path.abspath(arguments.program), "-q", "-kernel", kernel,
                              *options.split()], cwd=FOLDER, text=True, capture_output=True, check=False)
        lines = run.stdout.splitlines() or run.stderr.splitlines() or [f": not within {arguments.limit} seconds"]
        result = lines[-1].partition(": ")[2]
        print(f"| {kernel} | {options} | {result} | {seconds() - before:.1f} |", flush=True)


if __name__ == "__main__":
    main()
