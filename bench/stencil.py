#!/usr/bin/env python3
"""Bytes that each update strategy of the machine dsom moves: the stencil for 1 to N rounds, and tests by name.

    bench/stencil.py PROGRAM [-n N] [TEST...]     default: 8 rounds; litmus/dsom/D6.litmus, D9.litmus
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "litmus" / "dsom"
STRATEGIES = ["batch", "balance", "lazy", "adaptive"]


def moved(program, path):
    """Bytes by strategy: "least" or "least-most" over all interleavings."""
    options = [word for strategy in STRATEGIES for word in ("-strategy", strategy)]
    run = subprocess.run([program, "-q", "-json", "-cost", *options, path], capture_output=True, text=True, check=False)
    out = []
    for record in map(json.loads, run.stdout.splitlines()):
        bill = record["machine"]["bill"]
        least, most = (sum(bill[item][end] for item in ("wb-bytes", "up-bytes")) for end in ("least", "most"))
        out.append(str(least) if least == most else f"{least}-{most}")
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("-n", type=int, default=8)
    parser.add_argument("tests", nargs="*", default=[str(FOLDER / "D6.litmus"), str(FOLDER / "D9.litmus")])
    arguments = parser.parse_args()
    print(f"{'':16}" + "".join(f"{strategy:>12}" for strategy in STRATEGIES))
    text = (FOLDER / "stencil.litmus").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "stencil.litmus")
        for n in range(1, arguments.n + 1):
            pathlib.Path(path).write_text(re.sub(r"repeat \d+", f"repeat {n}", text), encoding="utf-8")
            print(f"stencil {n:<8}" + "".join(f"{cell:>12}" for cell in moved(arguments.program, path)))
    for test in arguments.tests:
        print(f"{pathlib.Path(test).stem:16}" + "".join(f"{cell:>12}" for cell in moved(arguments.program, test)))


if __name__ == "__main__":
    main()
