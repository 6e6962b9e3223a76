#!/usr/bin/env python3
"""Random kernels whose work-items do the same whatever others write: tests/random/pairs_compare.py [-n N] [-seed N] [-keep F] [-values] PROGRAM

Two work-items at a time (-pairs always) must find what the search of all of them finds: the same kinds on the same lines. A
kernel has local and global arrays, branches and indexes that depend on ids, barriers of work-groups and sub-groups with all
flags (sometimes in a branch), atomic operations of all orders and scopes, and fences. -keep stores a kernel on which they
differ in F.

-values: branches and indexes depend on what is read too, and what is known of that between barriers may not change what is
found: the naive engine, which does without, must find the same in as many executions, but for elements without a value that
it takes for written, on ways that no execution takes. What is `not_searched`, behind a race, only the naive engine may find."""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

SMALL = ["1x2", "2x1", "1x2", "1x3"]
GRIDS = ["1x3", "2x2", "1x4", "2x2x2", "3x1", "2x3", "1x2x2", "1x2,2"]
ORDERS = ["relaxed", "acq_rel", "seq_cst"]
FLAGS = ["CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"]


class Kernel:
    def __init__(self, rng):
        self.rng = rng
        self.lines = []

    def index(self):
        return self.rng.choice(["l", "g", "l / 2", "(l + 1) % n", "n - 1 - l", "0", "1", "g / 2"])

    def scope(self):
        return "memory_scope_" + self.rng.choice(["work_group", "device", "work_item", "sub_group"])

    def atomic(self):
        order, scope, place = self.rng.choice(ORDERS), self.scope(), f"&c[{self.index()}]"
        return self.rng.choice([
            f"atomic_fetch_add_explicit ({place}, 1, memory_order_{order}, {scope});",
            f"atomic_store_explicit ({place}, 1, memory_order_{order.replace('acq_rel', 'release')}, {scope});",
            f"y[g] = atomic_load_explicit ({place}, memory_order_{order.replace('acq_rel', 'acquire')}, {scope});",
            "atomic_work_item_fence (CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);"])

    def statement(self, indent, depth):
        rng = self.rng
        kind = rng.choices(["plain", "atomic", "barrier", "if", "for"], [6, 2, 3, 2 * depth, depth])[0]
        if kind == "plain":
            to, of = rng.choice(["x", "y", "s"]), rng.choice(["x", "y", "s"])
            text = f"{to}[{self.index()}] {rng.choice(['=', '=', '+='])} {rng.choice(['1', f'{of}[{self.index()}]'])};"
        elif kind == "atomic":
            text = self.atomic()
        elif kind == "barrier":
            text = f"{rng.choice(['barrier', 'barrier', 'sub_group_barrier'])} ({rng.choice(FLAGS)});"
        else:
            condition = rng.choice(["l == 0", "l % 2", "g < 2", "l < n / 2", "get_group_id (0) == 0", "n > 1"])
            self.lines.append(indent + (f"if ({condition}) {{" if kind == "if" else "for (int i = 0; i < 2; i++) {"))
            for _ in range(rng.randint(1, 2)):
                self.statement(indent + "  ", depth - 1)
            text = "}"
        self.lines.append(indent + text)

    def text(self):
        for _ in range(self.rng.randint(2, 6)):
            self.statement("  ", 2)
        return "\n".join(["kernel void k (global int *x, global int *y, local int *s, global atomic_int *c)", "{",
                          "  int l = get_local_linear_id (), g = get_global_linear_id (), n = get_local_size (0) * get_local_size (1);",
                          *self.lines, "}", ""])


class Values(Kernel):
    """Of few events, as the naive engine searches it."""

    def __init__(self, rng):
        super().__init__(rng)
        self.lines = ["  s[l] = 1;", *rng.choice([[], [f"  barrier ({rng.choice(FLAGS)});"]])]

    def value(self):
        return f"{self.rng.choice('xys')}[{self.rng.choice(['l', 'g', '(l + 1) % n', '0', '1'])}]"

    def statement(self, indent, depth):
        rng = self.rng
        kind = rng.choices(["plain", "atomic", "barrier", "if"], [5, 0.5, 4, 3 * depth])[0]
        index = rng.choice([self.index(), self.index(), f"({self.value()} & 1)"])
        if kind == "plain":
            text = f"{rng.choice('xys')}[{index}] = {rng.choice(['1', '2', 'l', self.value(), self.value() + ' + 1'])};"
        elif kind == "atomic":
            text = f"atomic_inc (&x[{index}]);"
        elif kind == "barrier":
            text = f"barrier ({rng.choice(FLAGS)});"
        else:
            self.lines.append(indent + f"if ({self.value()} {rng.choice(['> 0', '== l', '% 2 == 0', '< ' + self.value()])}) {{")
            self.statement(indent + "  ", depth - 1)
            text = "}"
        self.lines.append(indent + text)


def counted(program, path, grid, engine):
    command = [program, "-q", "-kernel", path, "-grid", grid, "-json", "-timeout", "1", "-engine", engine]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    result = json.loads(done.stdout) if done.returncode in (0, 3) else None
    if not result or "not_finished" in result:
        return None
    if any(f["kind"] == "uninitialised_read" for f in result["findings"]):
        return None
    return {(f["kind"], *sorted({f["line"], f.get("other_line", f["line"])})) for f in result["findings"]}, result["executions"], "not_searched" in result


def found(program, path, grid, how):
    command = [program, "-q", "-kernel", path, "-grid", grid, "-json", "-timeout", "5", "-pairs", how]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        return None
    result = json.loads(done.stdout)
    if "not_finished" in result:
        return None
    return {(f["kind"], f.get ("same_value", False), *sorted({f["line"], f.get("other_line", f["line"])})) for f in result["findings"]}, "pairs" in result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", type=int, default=10)
    parser.add_argument("-seed", type=int, default=1)
    parser.add_argument("-keep")
    parser.add_argument("-values", action="store_true")
    parser.add_argument("program", type=os.path.abspath)
    options = parser.parse_args()
    compared = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(options.keep or folder) / "k.cl")
        for seed in range(options.seed, options.seed + options.n):
            rng = random.Random(seed)
            pathlib.Path(path).write_text((Values if options.values else Kernel)(rng).text())
            grid = rng.choice(SMALL if options.values else GRIDS)
            if options.values:
                pairs, whole = counted(options.program, path, grid, "auto"), counted(options.program, path, grid, "naive")
            else:
                pairs, whole = found(options.program, path, grid, "always"), found(options.program, path, grid, "never")
            if not pairs or not whole or not (options.values or pairs[1]):
                continue
            compared += 1
            if options.values and pairs[2]:
                whole = (whole[0] & pairs[0], None)
            if pairs[0] != whole[0] or (options.values and pairs[1] not in (None, whole[1])):
                failed += 1
                print(f"FAIL pairs: seed {seed}, -grid {grid}: {pairs}, but {whole}")
                if options.keep:
                    return True
    print(f"pairs: {compared - failed} passed, {failed} failed")
    return failed > 0 or compared < options.n // 3


sys.exit(main())
