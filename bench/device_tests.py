#!/usr/bin/env python3
"""Writes tests for -run: bench/device_tests.py FOLDER [TESTS [SEED]].

The classic shapes (two to four threads) with orders, scopes, fences, read-modify-writes, plain data and
scope trees drawn from the seed; the question is the shape's weak outcome. The same arguments give the same
files.
"""

import pathlib
import random
import sys

# A thread is a list of accesses: Wx1 writes 1 to x, Rx reads it. Final values and what reads return,
# in the order of the text, make the weak outcome.
SHAPES = {
    "MP": ("Wx1 Wy1 | Ry Rx", "10", ""),
    "SB": ("Wx1 Ry | Wy1 Rx", "00", ""),
    "LB": ("Rx Wy1 | Ry Wx1", "11", ""),
    "S": ("Wx2 Wy1 | Ry Wx1", "1", "x=2"),
    "R": ("Wx1 Wy1 | Wy2 Rx", "0", "y=2"),
    "2+2W": ("Wx1 Wy2 | Wy1 Wx2", "", "x=1 y=1"),
    "CoRR": ("Wx1 | Rx Rx", "10", ""),
    "CoRW": ("Rx Wx1 | Wx2", "2", "x=2"),
    "CoWR": ("Wx1 Rx | Wx2", "2", "x=1"),
    "ISA2": ("Wx1 Wy1 | Ry Wz1 | Rz Rx", "110", ""),
    "WRC": ("Wx1 | Rx Wy1 | Ry Rx", "110", ""),
    "RWC": ("Wx1 | Rx Ry | Wy1 Rx", "100", ""),
    "W+RWC": ("Wx1 Wz1 | Rz Ry | Wy1 Rx", "100", ""),
    "3.LB": ("Rx Wy1 | Ry Wz1 | Rz Wx1", "111", ""),
    "3.SB": ("Wx1 Ry | Wy1 Rz | Wz1 Rx", "000", ""),
    "Z6.3": ("Wx1 Wy1 | Wy2 Wz1 | Rz Rx", "10", "y=2"),
    "IRIW": ("Wx1 | Rx Ry | Wy1 | Ry Rx", "1010", ""),
}
ORDERS = {"W": ["relaxed", "relaxed", "release", "seq_cst"], "R": ["relaxed", "relaxed", "acquire", "seq_cst"],
          "U": ["relaxed", "acquire", "release", "acq_rel", "seq_cst"],
          "F": ["acquire", "release", "acq_rel", "seq_cst"]}
SCOPES = ["work_group", "device", "device", "all_svm_devices"]


def order_scope(draw, kind):
    return f"memory_order_{draw.choice(ORDERS[kind])}, memory_scope_{draw.choice(SCOPES)}"


def write(draw, place, value):
    if draw.random() < 0.15:
        return f"  atomic_exchange_explicit ({place}, {value}, {order_scope(draw, 'U')});"
    return f"  atomic_store_explicit ({place}, {value}, {order_scope(draw, 'W')});"


def read(draw, place, register):
    if draw.random() < 0.1:
        return f"  int {register} = atomic_fetch_add_explicit ({place}, 0, {order_scope(draw, 'U')});"
    return f"  int {register} = atomic_load_explicit ({place}, {order_scope(draw, 'R')});"


def fence(draw):
    return f"  atomic_work_item_fence (CLK_GLOBAL_MEM_FENCE, {order_scope(draw, 'F')});"


def body(draw, accesses, plain):
    """Lines of a thread and the registers of its reads. `plain` is a location that is not atomic: it is read
    only if the read before it found something."""
    lines, registers = [], []
    for i, access in enumerate(accesses):
        kind, place = access[0], access[1]
        if i and draw.random() < 0.25:
            lines.append(fence(draw))
        if kind == "W":
            lines.append(f"  *{place} = {access[2]};" if place == plain else write(draw, place, access[2]))
            continue
        register = f"r{len(registers)}"
        if place == plain:
            lines.insert(0, f"  int {register} = -1;")
            lines.append(f"  if ({registers[-1]})\n    {register} = *{place};")
        else:
            lines.append(read(draw, place, register))
        registers.append(register)
    return lines, registers


def tree(draw, n):
    """One device: each thread joins a work-group or begins one."""
    groups = []
    for i in range(n):
        group = draw.randrange(len(groups) + 1 + (n > 2)) if groups else 0
        if group >= len(groups):
            groups.append([])
            group = len(groups) - 1
        groups[group].append(f"P{i}")
    return " ".join(f"(work_group {' '.join(group)})" for group in groups)


def make(draw, shape, number):
    text, reads, final = SHAPES[shape]
    threads = [thread.split() for thread in text.split(" | ")]
    plain = "x" if shape in ("MP", "ISA2", "Z6.3") and draw.random() < 0.5 else None
    places = sorted({access[1] for thread in threads for access in thread})
    parameters = ", ".join(f"global {'' if place == plain else 'atomic_'}int* {place}" for place in places)
    condition, values = [], list(reads)
    lines = [f"OpenCL {shape}-{number:03}", "", "{ " + " ".join(f"[{place}]=0;" for place in places) + " }"]
    for i, thread in enumerate(threads):
        statements, registers = body(draw, thread, plain)
        condition += [f"{i}:{register}={values.pop(0)}" for register in registers]
        lines += ["", f"P{i} ({parameters}) {{", *statements, "}"]
    condition += final.split()
    lines += ["", f"scopeTree (device {tree(draw, len(threads))})", "exists (" + " /\\ ".join(condition) + ")"]
    return "\n".join(lines) + "\n"


def main():
    folder = pathlib.Path(sys.argv[1])
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    draw = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    folder.mkdir(parents=True, exist_ok=True)
    shapes = list(SHAPES)
    for i in range(n):
        shape = shapes[i % len(shapes)]
        (folder / f"{shape}-{i:03}.litmus").write_text(make(draw, shape, i))


main()
