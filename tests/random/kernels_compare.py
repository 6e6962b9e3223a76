#!/usr/bin/env python3
"""Random kernels of one work-item: tests/random/kernels_compare.py [-n N] [-seed N] [-keep FOLDER] PROGRAM

Clang compiles the same text as OpenCL C for this machine and runs it; the program must find the same values in memory, and
nothing else. Of every fourth seed, what the kernel reads is shared with a second work-item, so that values are known only
when executions are searched. Options that may not change what is found must not. -keep stores the kernels on which they differ. The kernels are those of kernels_programs.py."""

import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from kernels_builtin import prelude
from kernels_programs import INPUTS, SHARED, Program

BATCH = 40  # kernels that clang compiles at a time
# In turn; none of them may change what is found.
OPTIONS = [[], ["-engine", "auto", "-speedcheck", "fast", "-j", "4"], ["-speedcheck", "true"]]


def expected_values(kernels, folder):
    """What clang makes of the kernels: a list of values each."""
    source = pathlib.Path(folder) / "all.cl"
    main = pathlib.Path(folder) / "main.c"
    texts = [prelude()]
    for i, (text, *_) in enumerate(kernels):
        text = text.replace("__kernel void k ", f"__kernel void kernel{i} ").replace("atomic_int", "int")
        # Names at file scope are the kernel's own.
        for word in sorted({w for w in re.findall(r"\b(?:tag_)?[Sf]\d+\b|\bE[123]\b|\btable\b|\btag\b", text)}):
            text = re.sub(rf"\b{word}\b", f"{word}_{i}", text)
        texts.append("\n".join(line for line in text.splitlines() if "atomic_fetch_or" not in line))
    source.write_text("\n".join(texts))
    lines = ["#include <stdio.h>", "static long out[64];"]
    for i in range(len(kernels)):
        lines.append(f"void kernel{i} (long *, const int *, int *);")
    lines.append("int main (void) {")
    for i, (_, inputs, shared, n) in enumerate(kernels):
        lines.append(f"{{ int in[] = {{ {', '.join(map(c_int, inputs))} }}, shared[] = {{ {', '.join(map(c_int, shared))} }}; kernel{i} (out, in, shared); "
                     f"for (int i = 0; i < {n}; i++) printf (\"%ld \", out[i]); puts (\"\"); }}")
    main.write_text("\n".join(lines + ["}"]))
    limits = {"INT_MAX": "2147483647", "INT_MIN": "(-2147483647 - 1)", "UINT_MAX": "4294967295u", "LONG_MAX": "9223372036854775807L",
              "LONG_MIN": "(-9223372036854775807L - 1)", "ULONG_MAX": "18446744073709551615UL", "CHAR_MAX": "127", "UCHAR_MAX": "255",
              "SHRT_MIN": "(-32768)", "USHRT_MAX": "65535", "CHAR_BIT": "8"}
    command = ["clang", "-x", "cl", "-cl-std=CL2.0", "-target", "x86_64-unknown-linux-gnu", "-w", "-fwrapv", "-Dinline=", "-O0", "-c", str(source),
               "-o", str(source) + ".o", *(f"-D{n}={v}" for n, v in limits.items())]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(f"clang: {run.stderr[:3000]}")
    program = str(source) + ".run"
    subprocess.run(["clang", "-w", "-x", "c", str(main), "-x", "none", str(source) + ".o", "-o", program], check=True)
    output = subprocess.run([program], capture_output=True, text=True, check=True, timeout=60).stdout
    return [[int(v) for v in line.split()] for line in output.splitlines()]


def c_int(value):
    return "(-2147483647 - 1)" if value == -2 ** 31 else str(value)


def check(program, text, inputs, shared, values, symbolic, options, folder):
    """What the program finds wrong; "" if nothing."""
    number = {-2 ** 63: "(-9223372036854775807 - 1)"}
    path = pathlib.Path(folder) / "k.cl"
    path.write_text(text + "".join(f"//@ assert out[{i}] == {number.get(v, v)}\n" for i, v in enumerate(values)))
    command = [program, "-q", "-kernel", str(path), "-grid", "2x1" if symbolic else "1x1", "-arg", "in=" + ",".join(map(str, inputs)),
               "-arg", "shared=" + ",".join(map(str, shared)), *options]
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)
    except subprocess.TimeoutExpired:
        return "timeout"
    return "" if run.returncode == 0 else (run.stdout + run.stderr).strip() or f"status {run.returncode}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", type=int, default=40)
    parser.add_argument("-seed", type=int, default=1)
    parser.add_argument("-keep")
    parser.add_argument("program")
    options = parser.parse_args()
    failed = slow = 0
    for first in range(options.seed, options.seed + options.n, BATCH):
        seeds = range(first, min(first + BATCH, options.seed + options.n))
        kernels = []
        for seed in seeds:
            rng = random.Random(seed)
            program = Program(rng, seed % 4 == 0)
            text = program.text()
            inputs = [rng.choice([0, 1, -1, 7, 255, -128, 2 ** 31 - 1, -2 ** 31, rng.randrange(-1000, 1000)]) for _ in range(INPUTS)]
            shared = [rng.choice([0, 1, -1, 5, 200, -2 ** 31]) for _ in range(SHARED)]
            kernels.append((text, inputs, shared, program.n_results))
        with tempfile.TemporaryDirectory() as folder:
            for seed, (text, inputs, shared, _), values in zip(seeds, kernels, expected_values(kernels, folder)):
                found = check(os.path.abspath(options.program), text, inputs, shared, values, seed % 4 == 0, OPTIONS[seed % 3], folder)
                if found == "timeout":
                    slow += 1
                elif found:
                    failed += 1
                    print(f"FAIL seed {seed}: {found.splitlines()[0].replace(folder, '')}", flush=True)
                    if options.keep:
                        os.makedirs(options.keep, exist_ok=True)
                        kept = pathlib.Path(options.keep) / f"{seed}.cl"
                        kept.write_text((pathlib.Path(folder) / "k.cl").read_text() + f"// -arg in={','.join(map(str, inputs))} -arg shared={','.join(map(str, shared))}\n")
    print(f"{options.n - failed - slow} passed, {failed} failed" + (f" ({slow} took too long)" if slow else ""))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
