#!/usr/bin/env python3
"""Compares rspcheck under the HRF models with hrf_literal.py on random programs.

    tests/random/hrf_compare.py [-n PROGRAMS] [-seed S] PROGRAM

Outcomes and verdicts (data_race or none) must agree under every model and variant. Prints each
difference with the program, then "N passed, N failed".
"""

import random
import sys

import letter
from hrf_literal import Op, Reading, judge

MODELS = {
    "hrf0": "hrf0",
    "hrf0 -variant hrf0-literal": "hrf0 -variant hrf0-literal",
    "hrf_direct": "hrf_direct",
    "hrf_indirect": "hrf_indirect",
    "hrf_direct_relaxed": Reading("direct", exempt=False),
    "hrf_direct_relaxed -variant subset": Reading("direct", "subset", exempt=False),
    "hrf_indirect_relaxed": Reading("indirect", exempt=False),
    "hrf_indirect_relaxed -variant subset": Reading("indirect", "subset", exempt=False),
    "hrf_rsp": Reading("indirect", promotion="next"),
    "hrf_rsp -variant promote-literal": Reading("indirect", promotion="next", exempt=False),
    "hrf_rsp -variant subset": Reading("indirect", "subset", promotion="next"),
    "hrf_rsp_all": Reading("indirect", promotion="all"),
    "hrf_rsp_all -variant promote-literal": Reading("indirect", promotion="all", exempt=False),
}

ORDERS = {
    "R": ["acquire", "acquire", "seq_cst", "relaxed"],
    "W": ["release", "release", "seq_cst", "relaxed"],
    "U": ["acq_rel", "acq_rel", "acquire", "release", "seq_cst", "relaxed"],
}


def make_place(rng, thread, place):
    """The place of the next thread: often near the one before."""
    device, group, sub_group = place
    if thread == 0:
        return 0, 0, 0
    how = rng.randrange(10)
    if how < 4:
        return device, group, sub_group + rng.randrange(2)
    return device + (how == 9), group + 1, sub_group + 1


def make_op(rng, crowded, only_sc, usual, reads):
    kind = rng.choice("RRRWWWU")
    if rng.random() < 0.3:
        kind = rng.choice("RW")
        op = Op(kind, "d", "na", "work_item", False, rng.choice([1, 1, 2]))
    else:
        location = rng.choice("fffffg" if crowded else "ffg")
        order = "seq_cst" if only_sc and rng.random() < 0.8 else rng.choice(ORDERS[kind])
        scopes = ["sub_group", "work_group", "device", "all_svm_devices"]
        scope = usual[location] if rng.random() < 0.75 else rng.choice(scopes)
        op = Op(kind, location, order, scope, rng.random() < 0.4, rng.choice([1, 1, 2]))
    if reads and rng.random() < 0.4:
        op.guard = rng.choice(reads), rng.choice([1, 1, 0])
    return op


def make_program(rng):
    """Three kinds: many acquires of one flag, mostly seq_cst, and neither."""
    crowded, only_sc = rng.choice([(True, False), (False, True), (False, False)])
    scopes = ["work_group", "work_group", "device", "device", "all_svm_devices", "sub_group"]
    usual = {location: rng.choice(scopes) for location in "fg"}
    program, place, left = [], (0, 0, 0), 6
    for thread in range(rng.choice([3, 4, 4] if crowded else [2, 2, 3, 3])):
        place = make_place(rng, thread, place)
        ops, reads = [], []
        for _ in range(min(left, rng.choice([1, 2, 2, 3]))):
            op = make_op(rng, crowded, only_sc, usual, reads)
            if op.kind in "RU":
                reads.append(len(ops))
            ops.append(op)
        left -= len(ops)
        if ops:
            program.append((place, ops))
    return program


# ---- As a litmus test ----------------------------------------------------------------------------


def statement(index, op):
    how = "_explicit_remote" if op.remote else "_explicit"
    rest = f"memory_order_{op.order}, memory_scope_{op.scope}"
    if op.order == "na":
        text = f"r{index} = *{op.location};" if op.kind == "R" else f"*{op.location} = {op.value};"
    elif op.kind == "R":
        text = f"r{index} = atomic_load{how} ({op.location}, {rest});"
    elif op.kind == "W":
        text = f"atomic_store{how} ({op.location}, {op.value}, {rest});"
    else:
        text = f"r{index} = atomic_fetch_add{how} ({op.location}, 1, {rest});"
    return f"if (r{op.guard[0]} == {op.guard[1]}) {{ {text} }}" if op.guard else text


def scope_tree(program):
    tree = {}
    for thread, ((device, group, sub_group), _) in enumerate(program):
        groups = tree.setdefault(device, {}).setdefault(group, {})
        groups.setdefault(sub_group, []).append(f"P{thread}")
    text = ""
    for device in tree.values():
        text += "(device"
        for group in device.values():
            text += " (work_group"
            for members in group.values():
                text += f" (sub_group {' '.join(members)})"
            text += ")"
        text += ") "
    return text


def litmus(program, name):
    lines = [f"OpenCL {name}", "{ f=0; g=0; d=0; }"]
    shown = []
    for thread, (_, ops) in enumerate(program):
        lines.append(f"P{thread} (global atomic_int* f, global atomic_int* g, global int* d) {{")
        reads = [index for index, op in enumerate(ops) if op.kind in "RU"]
        lines += [f"  int r{index} = -1;" for index in reads]
        lines += ["  " + statement(index, op) for index, op in enumerate(ops)]
        lines.append("}")
        shown += [f"{thread}:r{index};" for index in reads]
    lines.append("scopeTree " + scope_tree(program))
    if shown:
        lines.append(f"locations [{' '.join(shown)}]")
    lines.append("exists ()")
    return "\n".join(lines) + "\n"


def state(program, outcome):
    """An outcome as the log prints it."""
    values = dict(outcome)
    return " ".join(f"{thread}:r{index}={values.get((thread, index), -1)};"
                    for thread, (_, ops) in enumerate(program)
                    for index, op in enumerate(ops) if op.kind in "RU")


# ---- The comparison ------------------------------------------------------------------------------


def read(lines):
    """The contents of a log: states, is it racy?"""
    return letter.states(lines), "Flag data_race" in lines


def main():
    options = letter.command_line(__doc__, 150)
    rng = random.Random(options.seed)
    programs = {f"p{i}": make_program(rng) for i in range(options.n)}

    def to_the_letter(name, reading):
        outcomes, races = judge(programs[name], reading)
        return {state(programs[name], outcome) for outcome in outcomes}, races

    tests = {name: litmus(program, name) for name, program in programs.items()}
    return letter.compare(options.program, MODELS, tests, read, to_the_letter)


if __name__ == "__main__":
    sys.exit(main())
