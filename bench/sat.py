#!/usr/bin/env python3
"""Verdicts and races by -engine sat: one row per program of programs.py, with the processor's seconds.

    bench/sat.py PROGRAM [-limit SECONDS] [-engine NAME] [-model FILE]     default: 60 seconds each, sat, opencl.cat
"""

import argparse
import os
import subprocess
import tempfile

import programs
from processor import seconds

ROWS = [(programs.ttas, 3, ""), (programs.ttas, 4, ""), (programs.ticket, 3, "-unroll 6"), (programs.ticket, 4, ""),
        (programs.ticket, 4, "-unroll 4"), (programs.ticket, 4, "-spin last"), (programs.cas_lock, 4, ""), (programs.cas_lock, 5, ""), (programs.barrier, 4, ""),
        (programs.barrier, 4, "-unroll 8"), (programs.steals, 3, ""), (programs.compared, 4, "")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("-limit", type=int, default=60)
    parser.add_argument("-engine", default="sat")
    parser.add_argument("-model", default="opencl.cat")
    arguments = parser.parse_args()
    print("| program | options | result | seconds |\n|---|---|---|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for family, n, options in ROWS:
            path = os.path.join(folder, "test.litmus")
            with open(path, "w", encoding="utf-8") as file:
                file.write(family(n))
            before = seconds()
            run = subprocess.run(["prlimit", f"--cpu={arguments.limit}", arguments.program, "-q", "-engine", arguments.engine,
                                  "-speedcheck", "fast", "-model", arguments.model, *options.split(), path],
                                 text=True, capture_output=True, check=False)
            result = [line for line in run.stdout.splitlines() if line.startswith(("Observation", "Flag"))]
            print(f"| {family.__name__} {n} | {options} | {', '.join(result) or 'none'} | {seconds() - before:.2f} |", flush=True)


if __name__ == "__main__":
    main()
