#!/usr/bin/env python3
"""Compares the programs that rspcheck finds with those of a brute-force enumeration.

The enumeration is of another kind: it writes every program of a small space as a litmus test, in
every order of threads and with every name of locations, lets rspcheck check them all, one by one,
under both models, and compares the final states. What it finds is brought into a normal form by
trying all renamings, and must be what `rspcheck -distinguish -all` finds; and the space must have as many
programs as it says.

  tests/synth.py PROGRAM [NUMBER…]    (of the spaces, from 0)
"""

import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import ptx_programs
import vulkan_programs
from synth_text import Event, in_columns, is_read, is_write, read_program, text

ALLOWED = {
    "load": ["na", "rlx", "acq", "sc"],
    "store": ["na", "rlx", "rel", "sc"],
    "rmw": ["rlx", "acq", "rel", "ar", "sc"],
    "fence": ["acq", "rel", "ar", "sc"],
}

# Models, and the options that bound the space. A model is a shipped one, or its text.
THIN = """"thin"
acyclic (po & loc) | rf | co | fr as coherence
acyclic addr | data | ctrl | rf as no_thin_air
"""
ADDR, DATA, CTRL = (f'"{d}"\nempty {d} ; rf as a\nundefined_unless empty [R] ; {d} ; [R] as b\n'
                    for d in ("addr", "data", "ctrl"))
# S is chosen among the orders of what a label makes seq_cst; the condition depends on labels alone.
ORDERED = """"ordered"
withsc
let strong = if SC subset W then S else (if [SC] ; po ; [SC] = 0 then 0 else S | S ; S)
acyclic S | po as agrees
irreflexive strong ; fr as latest
undefined_unless irreflexive S ; co as against_co
"""
# What `classes` and `match` look into depends on labels alone, one after the other; then on rf.
LABELLED = """"labelled"
let strong = (memory_order_acquire | memory_order_release | memory_order_seq_cst) & M
let both = fold (fun (part, sum) -> (part * part) | sum) (classes ((strong * strong) & loc), 0)
let first = match strong & W with {} -> 0 || e ++ rest -> (strong * strong) \ po end
acyclic (both & po) | rf as order
irreflexive first ; (rf | co | fr) as latest
undefined_unless empty both & rf as strong_read
"""
READ = """"read"
let strong = memory_order_acquire & M
let parts = classes ((strong * strong) & loc)
with one from parts | {0}
let taken = fold (fun (e, sum) -> {e} | sum) (range ([one] ; rf^-1), 0)
irreflexive [taken] ; co ; rf as taken_late
undefined_unless empty [one] ; (rf^-1) ; [IW] as initial
"""
SPACES = [
    ("sc", "c11_simp", dict(events=3, kinds="load,store", orders="na,rlx")),
    ("rc11", "c11_simp", dict(events=3, kinds="load,store", orders="na,sc", threads=2)),
    ("c11_simp", "rc11", dict(events=2, kinds="rmw,fence,load,store", orders="na,acq,rel,ar")),
    ("opencl", "opencl_rem", dict(events=2, kinds="load,store,rmw,fence", orders="na,acq,rel",
                                  scopes="wg,dev", remote="true", locations=1)),
    ("opencl", "opencl_rem", dict(events=3, kinds="load,rmw", orders="acq", scopes="wg,dev",
                                  remote="true", locations=1, threads=2)),
    ("hrf0", "hrf_indirect_relaxed", dict(events=2, kinds="load,store", orders="rlx,acq,rel,sc",
                                  scopes="wg,dev", locations=1)),
    ("opencl_total", "hrf_direct", dict(events=2, kinds="load,store", orders="rlx,sc", scopes="wg,dev,all",
                                        remote="false", locations=2, threads=2)),
    (LABELLED, "sc", dict(events=3, kinds="load,store", orders="rlx,acq,rel", scopes="wg", remote="false", threads=2,
                          trees="false")),
    (READ, "sc", dict(events=2, kinds="load,store", orders="rlx,acq", scopes="wg", remote="false", threads=2,
                      trees="false")),
    ("hrf_rsp", "hrf_rsp_all", dict(events=3, kinds="load,store", orders="acq,rel", scopes="wg,dev", remote="true",
                                    threads=2, locations=1)),
    (ORDERED, "sc", dict(events=3, kinds="load,store", orders="rlx,sc", threads=2)),
    (ORDERED, "sc", dict(events=3, kinds="rmw,fence", orders="ar,sc", threads=2, locations=1)),
    (THIN, ADDR, dict(events=3, kinds="load,rmw", orders="rlx", threads=2, dependencies="addr,data")),
    (THIN, CTRL, dict(events=3, kinds="load,store", orders="rlx", threads=3, dependencies="ctrl")),
    (DATA, CTRL, dict(events=3, kinds="load,store,fence", orders="rlx,ar", locations=1, threads=2,
                      dependencies="data,ctrl")),
    ("sc", "opencl", dict(events=3, kinds="load,store", orders="na,rlx", scopes="dev", remote="false",
                          trees="false", threads=2, locations=2, dependencies="ctrl")),
    ("opencl", "sc", dict(events=3, kinds="load,store,barrier", orders="na", scopes="wg", remote="false",
                          trees="true", threads=3, locations=1)),
    ("opencl", "hrf_direct", dict(events=3, kinds="load,barrier", orders="na,acq", scopes="wg,dev", remote="false",
                                  trees="true", threads=2, locations=1, dependencies="ctrl")),
    ("opencl", "sc", dict(events=2, kinds="load,store,barrier,fence", orders="na,rlx,rel", scopes="wg",
                          remote="false", trees="true", threads=2, locations=2, regions=True)),
] + ptx_programs.SPACES + vulkan_programs.SPACES


def labels(kind, space):
    if in_columns(space):
        yield from in_columns(space).labels(kind, space)
        return
    if kind == "barrier":
        for scope in space["scopes"].split(","):
            yield None, scope, False
        return
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


def size(event, space):
    """How many events it is."""
    return 2 if event.kind == ("rmw" if in_columns(space) else "barrier") else 1


def events(space):
    memories = [1, 2, 3] if space.get("regions") else [1]
    addresses = 2 if "alias" in space.get("proxies", "") else 1
    for kind in space["kinds"].split(","):
        for order, scope, remote in labels(kind, space):
            if kind in ("fence", "barrier"):
                yield from (Event(kind, "", m, order or "", scope or "", remote) for m in memories)
            else:
                yield from (Event(kind, x, 0, order, scope or "", remote, address=address)
                            for x in "xy"[: space.get("locations", 2)] for address in range(addresses))


def bodies(alphabet, n, space):
    """Sequences of exactly n events."""
    if n == 0:
        yield ()
    for event in alphabet:
        if size(event, space) <= n:
            yield from ((event, *rest) for rest in bodies(alphabet, n - size(event, space), space))


def compositions(n, most):
    if n == 0:
        yield ()
    for first in range(1, n + 1 if most else 1):
        for rest in compositions(n - first, most - 1):
            yield first, *rest


def places(n, space):
    """Per thread (device, work-group)."""
    if space.get("trees") == "false" or "scopes" not in space:
        yield tuple((0, t) for t in range(n))
        return
    for groups in itertools.product(range(n), repeat=n):
        for devices in itertools.product(range(n), repeat=n):
            if all(devices[s] == devices[t] for s in range(n) for t in range(n) if groups[s] == groups[t]):
                yield tuple(zip(devices, groups))


def dependent(threads, t, i, space):
    """The event with each set of dependencies that it may have."""
    event, kinds = threads[t][i], space.get("dependencies", "").split(",")
    loads = [k for k in range(i) if is_read(threads[t][k])]
    none = [None]
    for addr in none + (loads if "addr" in kinds and event.location else []):
        for data in none + (loads if "data" in kinds and is_write(event) else []):
            yield event._replace(addr=addr, data=data)
            for guard in loads if "ctrl" in kinds else []:
                for s, row in enumerate(threads):
                    for k, write in enumerate(row):
                        if is_write(write) and write.location == threads[t][guard].location and (s, k) != (t, guard):
                            yield event._replace(addr=addr, data=data, guard=guard, value=(s, k))


def with_dependencies(threads, space):
    if "dependencies" not in space:
        return [threads]
    choices = [[list(dependent(threads, t, i, space)) for i in range(len(row))] for t, row in enumerate(threads)]
    rows = [list(itertools.product(*row)) for row in choices]
    return itertools.product(*rows)


def regions(threads, tree, space):
    """Sets of locations that are local: none is accessed from two work-groups."""
    groups = {}
    for (_, group), row in zip(tree, threads):
        for event in row:
            if event.location:
                groups.setdefault(event.location, set()).add(group)
    private = [x for x, g in groups.items() if len(g) == 1] if space.get("regions") else []
    for n in range(len(private) + 1):
        yield from (frozenset(local) for local in itertools.combinations(private, n))


def programs(space):
    """Pairs of the threads, each a place and a sequence of events, and the set of local locations. Groups
    are named by their first threads: the names of nodes are not what this test is about."""
    alphabet = list(events(space))
    for n in range(1, space["events"] + 1):
        for lengths in compositions(n, space.get("threads", 3)):
            trees = {normal_places(p) for p in places(len(lengths), space)}
            for threads in itertools.product(*(list(bodies(alphabet, m, space)) for m in lengths)):
                if in_columns(space) and not meet_alike(threads):
                    continue
                for full in with_dependencies(threads, space):
                    for tree in trees:
                        for local in regions(threads, tree, space):
                            yield tuple(zip(tree, full)), local


def meet_alike(threads):
    """Threads of PTX and Vulkan meet at one instruction."""
    met = itertools.zip_longest(*([(e.order, e.scope) for e in row if e.kind == "barrier"] for row in threads))
    return all(len(set(barriers) - {None}) == 1 for barriers in met)


def normal_places(tree):
    first = {}
    return tuple(tuple(first.setdefault((level, node), len(first)) for level, node in enumerate(p)) for p in tree)


def rename(threads, local, order):
    """The program with its threads in this order, and locations, their addresses and nodes named in order of
    appearance."""
    names, first = {"": ""}, {}
    tree = normal_places([threads[t][0] for t in order])
    rows = []
    for t in order:
        row = []
        for event in threads[t][1]:
            names.setdefault(event.location, "xyzw"[len(names) - 1])
            value = event.value and (order.index(event.value[0]), event.value[1])
            address = event.address ^ first.setdefault(event.location, event.address)
            row.append(event._replace(location=names[event.location], value=value, address=address))
        rows.append(tuple(row))
    return tuple(zip(tree, rows)), tuple(sorted(names[x] for x in local))


def canonical(program):
    threads, local = program
    return min((rename(threads, local, p) for p in itertools.permutations(range(len(threads)))), key=repr)


def checked(tool, models, folder, space):
    """The records of each program, one per model."""
    found = {}
    every = [p for p in programs(space) if any(e.location for _, row in p[0] for e in row)]
    for i, program in enumerate(every):
        (folder / f"t{i:06}.litmus").write_text(text(program, space, f"t{i}"))
    command = [tool, "-json", "-q", *models, str(folder)]
    if by_outcome(space):
        command += ["-variant", "undefined-races"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    for line in lines:
        record = json.loads(line)
        found.setdefault(int(record["test"][1:]), []).append(record)
    return [(every[i], records) for i, records in found.items()]


KINDS = ["only the first allows", "only the second allows", "only the first is undefined",
         "only the second is undefined"]


def by_outcome(space):
    """Is an execution that a model flags undefined, but not its program?"""
    return in_columns(space) is vulkan_programs


def disagreement_by_outcome(records):
    states = [[(s["state"], int(s["undefined"]), int(s["executions"])) for s in r["states"]] for r in records]
    allowed = [{state for state, _, _ in side} for side in states]
    defined = [{state for state, undefined, n in side if undefined < n} for side in states]
    undefined = [{state for state, undefined, _ in side if undefined} for side in states]
    shown = (defined[0] - allowed[1], defined[1] - allowed[0], undefined[0] - undefined[1], undefined[1] - undefined[0])
    return [kind for kind, evidence in zip(KINDS, shown) if evidence]


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
            kinds = (disagreement_by_outcome if by_outcome(space) else disagreement)(records)
            if kinds:
                found[canonical(program)] = kinds
        return found


# ---- What the tool finds ----

def options(space):
    for name, value in space.items():
        yield "-" + {"kinds": "event-kinds"}.get(name, name)
        if value is not True:
            yield str(value)


def synthesised(tool, models, space):
    command = [tool, "-distinguish", "-all", "-json", "-j", "1", *options(space), *models]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [(read_program(record["source"]), record["found"].split("; ")) for record in map(json.loads, lines)]


def counted(tool, models, space):
    """The number of programs in the space according to the tool."""
    command = [tool, "-distinguish", "-all", "-j", "1", *options(space), *models]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return sum(map(int, re.findall(r"^\d+ events?: (\d+) programs", out, re.M)))


def compare(tool, models, space):
    """The differences between the two, in words."""
    found = synthesised(tool, models, space)
    expected = brute_force(tool, models, space)
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
    count, classes = counted(tool, models, space), len({canonical(p) for p in programs(space)})
    if count != classes:
        yield f"{count} programs, by brute force {classes}"
    if not expected:
        yield "no program tells them apart: the space is too small to test anything"


def model_options(models, folder):
    for i, model in enumerate(models):
        if model.startswith('"'):
            path = pathlib.Path(folder) / f"model{i}.cat"
            path.write_text(model)
            yield from ("-model", str(path))
        else:
            yield from ("-model", f"{model}.cat")


def main():
    tool = str(pathlib.Path(sys.argv[1]).resolve())
    only = sys.argv[2:]
    failed, spaces = 0, [s for i, s in enumerate(SPACES) if not only or str(i) in only]
    for first, second, space in spaces:
        with tempfile.TemporaryDirectory() as folder:
            differences = list(compare(tool, list(model_options((first, second), folder)), space))
        failed += bool(differences)
        for difference in differences[:5]:
            print(f"FAIL {first} against {second}, {space}: {difference}")
    print(f"{len(spaces) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
