#!/usr/bin/env python3
"""Compares -compile with a translation by hand on random programs.

    tests/random/translate_compare.py [-n PROGRAMS] [-seed S] PROGRAM

Each program of atomic operations and fences is written twice: in OpenCL, and in the instructions of PTX or Vulkan
that ptx.map and vulkan.map should give, by the tables below. The final states under the target's model must be the
same. Prints each difference with both tests, then "N passed, N failed".
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile

ORDERS = {"load": ["na", "rlx", "acq", "sc"], "store": ["na", "rlx", "rel", "sc"],
          "rmw": ["rlx", "acq", "rel", "acq_rel", "sc"], "fence": ["acq", "rel", "acq_rel", "sc"]}
IN_OPENCL = {"rlx": "relaxed", "acq": "acquire", "rel": "release", "acq_rel": "acq_rel", "sc": "seq_cst"}
SCOPES = {"wg": "work_group", "dev": "device", "all": "all_svm_devices"}
RMWS = {"exchange": "exch", "fetch_add": "add"}


# ---- The tables, once more -----------------------------------------------------------------------

def ptx(operation):
    kind, order, scope, place, value, register, rmw = operation
    scope = {"wg": "cta", "dev": "gpu", "all": "sys"}[scope]
    word = {"rlx": "relaxed", "acq": "acquire", "rel": "release", "acq_rel": "acq_rel"}
    before = [f"fence.sc.{scope}"] if order == "sc" else []
    if kind == "fence":
        return before or [f"fence.acq_rel.{scope}"]
    if kind == "load":
        return before + [f"ld.weak {register}, {place}" if order == "na" else
                         f"ld.{'acquire' if order == 'sc' else word[order]}.{scope} {register}, {place}"]
    if kind == "store":
        return before + [f"st.weak {place}, {value}" if order == "na" else
                         f"st.{'release' if order == 'sc' else word[order]}.{scope} {place}, {value}"]
    return before + [f"atom.{'acq_rel' if order == 'sc' else word[order]}.{scope}.{RMWS[rmw]} {register}, {place}, {value}"]


def vulkan(operation):
    kind, order, scope, place, value, register, rmw = operation
    scope = {"wg": "wg", "dev": "dv", "all": "dv"}[scope]
    acquires, releases = order in ("acq", "acq_rel", "sc"), order in ("rel", "acq_rel", "sc")
    if kind == "fence":
        marks = ("semav." if releases else "") + ("semvis." if acquires else "")
        word = {"acq": "acq", "rel": "rel"}.get(order, "acq_rel")
        return [f"membar.{word}.{scope}.semsc0." + marks.rstrip(".")]
    if kind == "load":
        if order == "na":
            return [f"ld.nonpriv.sc0 {register}, {place}"]
        return [f"ld.atom.acq.{scope}.sc0.semsc0.semvis {register}, {place}" if acquires else
                f"ld.atom.{scope}.sc0 {register}, {place}"]
    if kind == "store":
        if order == "na":
            return [f"st.nonpriv.sc0 {place}, {value}"]
        return [f"st.atom.rel.{scope}.sc0.semsc0.semav {place}, {value}" if releases else
                f"st.atom.{scope}.sc0 {place}, {value}"]
    if order == "rlx":
        return [f"rmw.atom.{scope}.sc0.{RMWS[rmw]} {register}, {place}, {value}"]
    word = {"acq": "acq", "rel": "rel"}.get(order, "acq_rel")
    marks = (".semav" if releases else "") + (".semvis" if acquires else "")
    return [f"rmw.atom.{word}.{scope}.sc0.semsc0{marks}.{RMWS[rmw]} {register}, {place}, {value}"]


def opencl(operation):
    kind, order, scope, place, value, register, rmw = operation
    more = "" if order == "na" else f", memory_order_{IN_OPENCL[order]}, memory_scope_{SCOPES[scope]}"
    if kind == "fence":
        return f"atomic_work_item_fence (CLK_GLOBAL_MEM_FENCE{more});"
    if kind == "load":
        return f"int {register} = *{place};" if order == "na" else f"int {register} = atomic_load_explicit ({place}{more});"
    if kind == "store":
        return f"*{place} = {value};" if order == "na" else f"atomic_store_explicit ({place}, {value}{more});"
    return f"int {register} = atomic_{rmw}_explicit ({place}, {value}{more});"


# ---- Random programs -----------------------------------------------------------------------------

def draw(rng, one_device):
    """Threads' operations, and per thread its work-group and device."""
    threads, values = [], iter(range(1, 99))
    for _ in range(rng.choice([2, 2, 2, 3])):
        registers, operations = iter(f"r{i}" for i in range(9)), []
        for _ in range(rng.choice([1, 2, 2, 3])):
            kind = rng.choice(["load", "load", "load", "store", "store", "store", "rmw", "fence"])
            operations.append((kind, rng.choice(ORDERS[kind]), rng.choice(list(SCOPES)), rng.choice("xxy"), next(values),
                               next(registers) if kind in ("load", "rmw") else None, rng.choice(list(RMWS))))
        threads.append(operations)
    groups = [rng.randrange(2) for _ in threads]
    devices = [0 if one_device else group for group in groups] if rng.random() < 0.5 else [0] * len(threads)
    return threads, groups, devices


def tree(groups, devices):
    text = ""
    for device in sorted(set(devices)):
        text += " (device"
        for group in sorted({g for g, d in zip(groups, devices) if d == device}):
            members = [f"P{t}" for t, g in enumerate(groups) if g == group and devices[t] == device]
            text += f" (work_group {' '.join(members)})"
        text += ")"
    return "scopeTree" + text


def observed(threads):
    names = [f"{t}:{operation[5]}" for t, operations in enumerate(threads) for operation in operations if operation[5]]
    return names + ["x", "y"]


def in_opencl(threads, groups, devices):
    lines = ["OpenCL T", "{ [x] = 0; [y] = 0; }"]
    for t, operations in enumerate(threads):
        lines.append(f"P{t} (global atomic_int* x, global atomic_int* y) {{")
        lines += ["  " + opencl(operation) for operation in operations] + ["}"]
    return "\n".join([*lines, tree(groups, devices), f"locations [{'; '.join(observed(threads))};]", "exists (x = 0)", ""])


def in_columns(threads, groups, devices, head, place, translate):
    columns = [[place(t, groups[t], devices[t])] + [word for operation in operations for word in translate(operation)]
               for t, operations in enumerate(threads)]
    rows = [" | ".join(column[i] if i < len(column) else "" for column in columns) + " ;" for i in range(max(map(len, columns)))]
    names = [name if ":" not in name else "P" + name for name in observed(threads)]
    return "\n".join([f"{head} T", "{ x = 0; y = 0; }", *rows, f"locations [{'; '.join(names)};]", "exists (x == 0)", ""])


TARGETS = {
    "ptx": ("PTX", lambda t, group, device: f"P{t}@cta {group}, gpu {device}", ptx),
    "vulkan": ("VULKAN", lambda t, group, device: f"P{t}@sg {t}, wg {group}, qf 0", vulkan),
}


# ---- The comparison ------------------------------------------------------------------------------

def states(output):
    lines = output.split("\n")
    at = next((i for i, line in enumerate(lines) if line.startswith("States ")), None)
    return lines[at:at + 1 + int(lines[at].split()[1])] if at is not None else output


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", type=int, default=100)
    parser.add_argument("-seed", type=int, default=1)
    parser.add_argument("program")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for i in range(options.n):
            target = ["ptx", "vulkan"][i % 2]
            drawn = draw(random.Random(options.seed + i), target == "vulkan")
            texts = [in_opencl(*drawn), in_columns(*drawn, *TARGETS[target])]
            outputs = []
            for text, arguments in zip(texts, [["-compile", target], []]):
                path = os.path.join(folder, "T.litmus")
                with open(path, "w") as file:
                    file.write(text)
                run = subprocess.run([program, "-q", *arguments, path], capture_output=True, text=True)
                outputs.append(states(run.stdout + run.stderr))
            if outputs[0] != outputs[1] or isinstance(outputs[0], str):
                failed += 1
                print(f"FAIL translations: seed {options.seed + i}, {target}", *texts, *outputs, sep="\n")
    print(f"{options.n - failed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
