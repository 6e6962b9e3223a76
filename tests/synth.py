#!/usr/bin/env python3
"""Compares the programs that rspcheck finds with those of a brute-force enumeration.

The enumeration is of another kind: it writes every program of a small space as a litmus test, in
every order of threads and with every name of locations, lets rspcheck check them all, one by one,
under both models, and compares the final states. What it finds is brought into a normal form by
trying all renamings, and must be what `rspcheck -distinguish -all` finds.

  tests/synth.py PROGRAM
"""

import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ORDERS = {"na": None, "rlx": "relaxed", "acq": "acquire", "rel": "release", "ar": "acq_rel", "sc": "seq_cst"}
SCOPES = {"wi": "work_item", "sg": "sub_group", "wg": "work_group", "dev": "device", "all": "all_svm_devices"}
ALLOWED = {
    "load": ["na", "rlx", "acq", "sc"],
    "store": ["na", "rlx", "rel", "sc"],
    "rmw": ["rlx", "acq", "rel", "ar", "sc"],
    "fence": ["acq", "rel", "ar", "sc"],
}

# Models, and the options that bound the space.
SPACES = [
    ("sc", "c11_simp", dict(events=3, kinds="load,store", orders="na,rlx")),
    ("rc11", "c11_simp", dict(events=3, kinds="load,store", orders="na,sc", threads=2)),
    ("c11_simp", "rc11", dict(events=2, kinds="rmw,fence,load,store", orders="na,acq,rel,ar")),
    ("opencl", "opencl_rem", dict(events=2, kinds="load,store,rmw,fence", orders="na,rlx,acq,rel",
                                  scopes="wg,dev", remote="true", locations=1)),
    ("opencl", "opencl_rem", dict(events=3, kinds="load,rmw", orders="acq", scopes="wg,dev",
                                  remote="true", locations=1, threads=2)),
    ("hrf0", "hrf_indirect", dict(events=2, kinds="load,store", orders="rlx,acq,rel,sc",
                                  scopes="wg,dev", locations=1)),
    ("opencl_total", "hrf_direct", dict(events=2, kinds="load,store", orders="rlx,sc", scopes="wg,dev,all",
                                        remote="false", locations=2, threads=2)),
]


def labels(kind, space):
    for order in ALLOWED[kind]:
        if order not in space["orders"].split(","):
            continue
        if order == "na" or "scopes" not in space:
            yield order, None, False
            continue
        for scope in space["scopes"].split(","):
            yield order, scope, False
            if space.get("remote") == "true":
                yield order, scope, True


def events(space):
    for kind in space["kinds"].split(","):
        for label in labels(kind, space):
            for location in [None] if kind == "fence" else "xy"[: space.get("locations", 2)]:
                yield kind, location, *label


def compositions(n, most):
    if n == 0:
        yield ()
    for first in range(1, n + 1 if most else 1):
        for rest in compositions(n - first, most - 1):
            yield first, *rest


def places(n, space):
    """Per thread (device, work-group)."""
    if "scopes" not in space:
        yield tuple((0, t) for t in range(n))
        return
    for groups in itertools.product(range(n), repeat=n):
        for devices in itertools.product(range(n), repeat=n):
            if all(devices[s] == devices[t] for s in range(n) for t in range(n) if groups[s] == groups[t]):
                yield tuple(zip(devices, groups))


def programs(space):
    """Per thread a place and a sequence of events. Groups are named by their first threads: the
    names of nodes are not what this test is about."""
    alphabet = list(events(space))
    for n in range(1, space["events"] + 1):
        for lengths in compositions(n, space.get("threads", 3)):
            trees = {normal_places(p) for p in places(len(lengths), space)}
            for row in itertools.product(alphabet, repeat=n):
                if not any(e[1] for e in row):
                    continue
                at = itertools.accumulate((0, *lengths))
                threads = tuple(row[a:a + m] for a, m in zip(at, lengths))
                for tree in trees:
                    yield tuple(zip(tree, threads))


def normal_places(tree):
    first = {}
    return tuple(tuple(first.setdefault((level, node), len(first)) for level, node in enumerate(p)) for p in tree)


def rename(program):
    """Names of locations and nodes in the order in which they come."""
    names = {None: None}
    tree = normal_places([place for place, _ in program])
    threads = []
    for _, row in program:
        out = []
        for kind, location, *label in row:
            if location is not None:
                names.setdefault(location, "xyzw"[len(names) - 1])
            out.append((kind, names[location], *label))
        threads.append(tuple(out))
    return tuple(zip(tree, threads))


def canonical(program):
    return min((rename(p) for p in itertools.permutations(program)), key=repr)


def text(program, space, name):
    """The litmus test, with all that can be observed in its states."""
    opencl = "scopes" in space
    atomic, value, observed, bodies = set(), {}, [], []
    for _, row in program:
        for _, location, order, _, _ in row:
            if location and order != "na":
                atomic.add(location)
    for t, (_, row) in enumerate(program):
        body, registers = [], 0
        for kind, x, order, scope, remote in row:
            tail = f"memory_order_{ORDERS[order]}" + (f", memory_scope_{SCOPES[scope]}" if scope else "")
            form = "_remote" if remote else ""
            if kind in ("store", "rmw"):
                value[x] = value.get(x, 0) + 1
            left = ""
            if kind in ("load", "rmw"):
                left = f"int r{registers} = "
                observed.append(f"{t}:r{registers}")
                registers += 1
            if kind == "fence":
                body.append(f"atomic_work_item_fence{form}(CLK_GLOBAL_MEM_FENCE, {tail});" if opencl
                            else f"atomic_thread_fence({tail});")
            elif order == "na":
                body.append(f"{left}*{x};" if kind == "load" else f"*{x} = {value[x]};")
            elif kind == "load":
                body.append(f"{left}atomic_load_explicit{form}({x}, {tail});")
            else:
                call = "store" if kind == "store" else "exchange"
                body.append(f"{left}atomic_{call}_explicit{form}({x}, {value[x]}, {tail});")
        bodies.append(body)
    used = sorted({e[1] for _, row in program for e in row if e[1]})
    space_word = "global " if opencl else ""
    parameters = ", ".join(f"{space_word}{'atomic_int' if x in atomic else 'int'}* {x}" for x in used)
    lines = [f"{'OpenCL' if opencl else 'C'} {name}", "{ " + " ".join(f"[{x}]=0;" for x in used) + " }"]
    for t, body in enumerate(bodies):
        lines += [f"P{t} ({parameters}) {{"] + body + ["}"]
    if opencl:
        tree = {}
        for t, ((device, group), _) in enumerate(program):
            tree.setdefault(device, {}).setdefault(group, []).append(f"P{t}")
        lines.append("scopeTree " + " ".join(
            "(device " + " ".join(f"(work_group {' '.join(ts)})" for ts in groups.values()) + ")"
            for groups in tree.values()))
    lines.append("locations [" + " ".join(f"{o};" for o in observed + used) + "]")
    lines.append("exists (true)")
    return "\n".join(lines) + "\n"


def checked(tool, models, folder, space):
    """Per program its records, one a model."""
    found = {}
    every = list(programs(space))
    for i, program in enumerate(every):
        (folder / f"t{i:06}.litmus").write_text(text(program, space, f"t{i}"))
    command = [tool, "-json", "-q"] + [w for m in models for w in ("-model", f"{m}.cat")] + [str(folder)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    for line in lines:
        record = json.loads(line)
        found.setdefault(int(record["test"][1:]), []).append(record)
    return [(every[i], records) for i, records in found.items()]


KINDS = ["only the first allows", "only the second allows", "only the first is undefined",
         "only the second is undefined"]


def disagreement(records):
    first, second = records
    if first["undefined"] or second["undefined"]:
        return [] if first["undefined"] and second["undefined"] else [KINDS[2 if first["undefined"] else 3]]
    states = [{s["state"] for s in r["states"]} for r in records]
    return [kind for kind, (a, b) in zip(KINDS, (states, states[::-1])) if a - b]


def brute_force(tool, models, space):
    with tempfile.TemporaryDirectory() as folder:
        found = {}
        for program, records in checked(tool, models, pathlib.Path(folder), space):
            kinds = disagreement(records)
            if kinds:
                found[canonical(program)] = kinds
        return found


# ---- What the tool finds ----

CALL = re.compile(r"(?:int r\d+ = )?(?:atomic_(load|store|exchange|work_item_fence|thread_fence)(?:_explicit)?"
                  r"(_remote)?\(.*?memory_order_(\w+)(?:, memory_scope_(\w+))?\);|(\*\w+);|\*(\w+) = \d+;)")


def read_event(line):
    call, remote, order, scope, loaded, stored = CALL.fullmatch(line).groups()
    if loaded or stored:
        return ("load", loaded[1:], "na", None, False) if loaded else ("store", stored, "na", None, False)
    kind = {"exchange": "rmw", "work_item_fence": "fence", "thread_fence": "fence"}.get(call, call)
    location = None if kind == "fence" else line.split("(")[1].split(",")[0]
    short = {v: k for k, v in ORDERS.items()}, {v: k for k, v in SCOPES.items()}
    return kind, location, short[0][order], short[1].get(scope), remote is not None


def read_program(source):
    threads = [[read_event(line.strip()) for line in body.strip().splitlines()]
               for body in re.findall(r"^P\d+ \(.*?\) \{\n(.*?)^\}", source, re.S | re.M)]
    place = {t: (0, t) for t in range(len(threads))}
    for d, device in enumerate(re.findall(r"\(device((?: \([^()]*\))+)\)", source)):
        for g, group in enumerate(re.findall(r"\(work_group([^()]*)\)", device)):
            for t in re.findall(r"P(\d+)", group):
                place[int(t)] = (d, (d, g))
    return tuple((place[t], tuple(row)) for t, row in enumerate(threads))


def options(space):
    for name, value in space.items():
        yield "-" + {"kinds": "event-kinds"}.get(name, name)
        yield str(value)


def synthesised(tool, models, space):
    command = [tool, "-distinguish", "-all", "-json", "-j", "1", *options(space)]
    command += [w for m in models for w in ("-model", f"{m}.cat")]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [(read_program(record["source"]), record["found"].split("; ")) for record in map(json.loads, lines)]


def compare(tool, first, second, space):
    """The differences between the two, in words."""
    found = synthesised(tool, (first, second), space)
    expected = brute_force(tool, (first, second), space)
    seen = {}
    for program, kinds in found:
        key = canonical(program)
        if key in seen:
            yield f"found twice: {key}"
        seen[key] = kinds
        if key not in expected:
            yield f"found, but not by brute force: {key}: {kinds}"
        elif sorted(kinds) != sorted(expected[key]):
            yield f"found as {kinds}, by brute force as {expected[key]}: {key}"
    for key in expected.keys() - seen.keys():
        yield f"not found: {key}: {expected[key]}"


def main():
    tool = str(pathlib.Path(sys.argv[1]).resolve())
    failed = 0
    for first, second, space in SPACES:
        differences = list(compare(tool, first, second, space))
        failed += bool(differences)
        for difference in differences[:5]:
            print(f"FAIL {first} against {second}: {difference}")
    print(f"{len(SPACES) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
