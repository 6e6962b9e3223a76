#!/usr/bin/env python3
"""The same kernel as OpenCL C and as SPIR-V, made by clang and llvm-spirv: tests/opencl_spirv.py [-step N] PROGRAM [WORD]

Every N-th row of litmus/kernels/expected.tsv (default: all), or those with WORD in them. Both have the same findings on the same
lines but for assertions, which only the text has, and for the rows of DIFFERENT. Without clang or llvm-spirv nothing is done."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

KERNELS = pathlib.Path(__file__).resolve().parent.parent / "litmus/kernels"
# What only the text says.
PRELUDE = "\n".join(f"#define {word}(...)" for word in ["assert", "__assert", "__assume", "__axiom", "__requires", "__ensures", "__invariant",
                                                       "__barrier_invariant"])
# Words of a row, and why its kernels differ, or are no module.
OLD_ATOMICS = "llvm-spirv gives the atomics of OpenCL 1.x the scope of a work-group"
DIFFERENT = {
    **dict.fromkeys(["lock-old.cl", "histogram.cl none", "histogram-local.cl data=", "queue-append.cl 2x2 none", "hash-insert.cl", "relax.cl none", "appends.cl",
                     "compact-groups.cl"], OLD_ATOMICS),
    "steal.cl -model": "nothing in SPIR-V is remote",
    "plain-remote.cl -model": "nothing in SPIR-V is remote",
    "annotations.cl": "annotations that clang does not parse",
    "any-assumed.cl": "annotations that clang does not parse",
    "accesses-so-far.cl": "annotations that clang does not parse",
    "verifier-words.cl": "annotations that clang does not parse",
    "words-in-code.cl WHERE=4": "annotations that clang does not parse",
    "ghosts.cl": "annotations that clang does not parse",
    "goto.cl": "each kernel of the file needs macros of its own rows",
    "copy-late.cl": "each kernel of the file needs macros of its own rows",
    "unknown-pointers.cl": "parameters of no address space are not read",
    "barrier-scope.cl BARRIER=barrier": "the old barrier with a scope is no OpenCL C",
    "sizes.cl": "a parameter of type bool is no OpenCL C",
    "orders.cl": "llvm-spirv demands constant orders and flags",
    "barrier-flags.cl": "llvm-spirv demands constant orders and flags",
    "sequence.cl TWICE": "unsequenced accesses are no longer so in SPIR-V",
    "never-ends.cl ALWAYS": "a loop without a condition has the line of its body",
    "rounds.cl leaves": "a barrier that ends a loop is behind it",
    "rounds.cl waits IN=1": "a barrier that ends a loop is behind it",
    "large.cl END=60": "an index beyond a private array is not found",
    "mistakes.cl OUTSIDE": "an index beyond a private array is not found",
    "lanes.cl LANE=i+4": "a shuffle from beyond the sub-group is not found",
    "byte-offset.cl offset=6": "memory is laid out in bytes, so that nothing is misaligned",
    "histogram-bytes.cl": "memory is laid out in bytes",
    "atomic-offset.cl WAY=0": "memory is laid out in bytes",
    "small.cl vec_part": "clang writes the whole vector to change a part",
    "images.cl": "samplers are not read",
    "extended-bits.cl": "clang 14 lacks cl_khr_extended_bit_ops",
    "wide.cl AT=1000": "clang makes a constant index beyond a row one into the next row",
    "strings.cl": "addresses as initial values are not read",
    "initialisers.cl": "initial values that llvm writes with other types are not read",
    "constants.cl": "initial values that llvm writes with other types are not read",
}


def tool(*names):
    return next((name for name in names if shutil.which(name)), None)


def split(options):
    """Options of the preprocessor, as clang takes them, and all others."""
    own, others = [], []
    for name, value in zip(options[::2], options[1::2]):
        if name == "-D":
            own.append(f"-D{value}")
        elif name == "-include":
            own += [name, str(KERNELS / value)]
        else:
            others += [name, value]
    return own, others


def compiled(tools, kernel, macros, base):
    """Compiles it to base.spv; what a tool says against that, or None."""
    commands = [[tools[0], "-cc1", "-triple", "spir64", "-cl-std=CL2.0", "-cl-ext=+all", "-fdeclare-opencl-builtins", "-finclude-default-header",
                 "-debug-info-kind=line-tables-only", "-O0", "-w", "-emit-llvm-bc", "-include", f"{base.parent}/prelude.h", *macros, "-o",
                 f"{base}.bc", str(KERNELS / kernel)],
                [tools[1], "--spirv-ext=+all", "--spirv-debug-info-version=ocl-100", f"{base}.bc", "-o", f"{base}.spv"]]
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            return f"{command[0]}: {done.stderr.splitlines()[:1]}"
    return None


def findings(program, path, options):
    """Kinds with lines; of two that race in either order."""
    done = subprocess.run([program, "-kernel", str(path), "-json", "-q", "-findings", "-assertion", *options], capture_output=True, text=True,
                          check=False, cwd=KERNELS)
    if done.returncode not in (0, 3):
        return done.stderr.splitlines()[:1]
    result = json.loads(done.stdout)
    return sorted({(f["kind"], *sorted({f["line"], f.get("other_line", f["line"])})) for f in result["findings"]}), result["loop"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-step", type=int, default=1)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("word", nargs="?", default="")
    arguments = parser.parse_args()
    tools = (tool("clang-14", "clang"), tool("llvm-spirv-15", "llvm-spirv-14", "llvm-spirv"))
    rows = [line for line in (KERNELS / "expected.tsv").read_text().splitlines()
            if line and not line.startswith("#") and arguments.word in line and not any(all(word in line for word in own.split()) for own in DIFFERENT)]
    failed = 0
    if not all(tools):
        rows = []
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "prelude.h").write_text(PRELUDE + "\n")
        for row in rows[::arguments.step]:
            kernel, options, *_ = row.split("\t")
            macros, rest = split(options.split())
            if "-model" not in rest:
                rest += ["-model", "opencl.cat"]
            why = compiled(tools, kernel, macros, pathlib.Path(folder) / "kernel")
            text = findings(arguments.program, KERNELS / kernel, rest + [word for own in macros if own.startswith("-D") for word in ("-D", own[2:])]
                            + [word for own in zip(macros, macros[1:]) if own[0] == "-include" for word in own])
            module = why or findings(arguments.program, pathlib.Path(folder) / "kernel.spv", rest)
            failed += text != module
            if text != module:
                print(f"FAIL opencl_spirv: {kernel} {options}: OpenCL C: {text}, SPIR-V: {module}")
    print(f"opencl_spirv: {len(rows[::arguments.step]) - failed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
