#!/usr/bin/env python3
"""The smallest tests on which a mapping is unsound, or can deadlock.

    scripts/smallest.py PROGRAM [-events N] [-threads N] [-flags N] [-devices N] [-rmws N] [-local]
                        [-data global|local]
                        [-orders acq_rel|sc] [-all] [-o DIR] -machine M -mapping F -model X.cat [OPTION...]

All programs of up to N operations are run, smaller ones first, with the machine and model given. Of those that
fail only the minimal ones are printed, whose operations are all needed; of those that differ by scopes only
the first one, unless -all. A program consists of

  w, r        plain accesses of one location d, which is in global or in local memory (-data)
  W, R, U     atomic stores, loads and exchanges of the flags x, y, at work-group scope, device scope,
              device scope and remote (with two devices: all-svm-devices scope too; with -local: none remote)
  [read n]    after R or U: what follows is done only if it read n

Every write has a value of its own, and every location is accessed by two threads and written by one. Programs
are left out that race whatever happens: two accesses, neither of which depends on what was read, that
conflict and are plain, or whose scopes do not include each other. Programs that differ only by the
names of threads and flags are one program. The order of the output does not depend on anything else.
"""

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections import namedtuple

BATCH = 4000
SCOPES = {"wg": "work_group", "dev": "device", "all": "all_svm_devices"}
ORDERS = {"acq_rel": {"R": "acquire", "W": "release", "U": "acq_rel"}, "sc": dict.fromkeys("RWU", "seq_cst")}

# guard: None, or the (thread, operation) of the write that has to be read
Op = namedtuple("Op", "kind place scope remote guard")
# threads: tuples of operations; tree: per thread its (device, work-group)
Test = namedtuple("Test", "threads tree")


def places(ops):
    return {op.place for op in ops}


def is_write(op):
    return op.kind in "wWU"


def all_ops(test):
    return [(t, i, op) for t, ops in enumerate(test.threads) for i, op in enumerate(ops)]


# ---- Generation: sizes of threads, kinds and places, guards, scopes ----

def sizes(n, threads):
    """Ways to give n operations to threads, the longest thread first."""
    if threads == 1:
        return [(n,)]
    return [(first, *rest) for first in range(n - threads + 1, 0, -1)
            for rest in sizes(n - first, threads - 1) if rest[0] <= first]


def trees(n, devices):
    """Per thread its (device, work-group), numbered in order of appearance."""
    found = [()]
    for _ in range(n):
        found = [tree + (leaf,) for tree in found for leaf in leaves(tree, devices)]
    return found


def leaves(tree, devices):
    for device in range(min(len({d for d, _ in tree}) + 1, devices)):
        groups = {g for d, g in tree if d == device}
        for group in range(len(groups) + 1):
            yield device, group


def skeletons(shape, space):
    """Kinds and places; every location is accessed by two threads, and written."""
    alphabet = [Op(kind, "d", None, False, None) for kind in "wr"] + \
        [Op(kind, "xy"[flag], None, False, None) for flag in range(space.flags) for kind in "WRU"]
    for ops in itertools.product(alphabet, repeat=sum(shape)):
        if sum(op.kind == "U" for op in ops) > space.rmws:
            continue
        starts = list(itertools.accumulate((0,) + shape))
        threads = tuple(ops[a:b] for a, b in itertools.pairwise(starts))
        if all(is_shared(threads, place) for place in places(ops)):
            yield threads


def with_guards(threads):
    """Each load may guard what follows it, on reading a write of another thread."""
    writes = [(t, i, op.place) for t, ops in enumerate(threads) for i, op in enumerate(ops) if is_write(op)]
    choices = []
    for t, ops in enumerate(threads):
        for i, op in enumerate(ops):
            guards = [(u, j) for u, j, place in writes if u != t and place == op.place] \
                if op.kind in "RU" and i + 1 < len(ops) else []
            choices.append([op] + [op._replace(guard=guard) for guard in guards])
    for ops in itertools.product(*choices):
        rest = iter(ops)
        yield tuple(tuple(itertools.islice(rest, len(thread))) for thread in threads)


def unguarded(threads):
    """(thread, operation) of all unconditional operations."""
    return [(t, op) for t, ops in enumerate(threads) for i, op in enumerate(ops)
            if not any(before.guard for before in ops[:i])]


def conflicts(one, other):
    return one[0] != other[0] and one[1].place == other[1].place and (is_write(one[1]) or is_write(other[1]))


def with_scopes(threads, tree, space):
    levels = [("wg", False), ("dev", False), ("dev", True)] + [("all", False), ("all", True)] * (space.devices > 1)
    levels = [level for level in levels if not (level[1] and space.local)]
    atomics = [op for ops in threads for op in ops if op.kind in "WRU"]
    for chosen in itertools.product(levels, repeat=len(atomics)):
        rest = iter(chosen)
        labelled = tuple(tuple(op._replace(**dict(zip(("scope", "remote"), next(rest)))) if op.kind in "WRU" else op
                               for op in ops) for ops in threads)
        if not any(conflicts(a, b) and not include(a, b, tree)
                   for a, b in itertools.combinations(unguarded(labelled), 2)):
            yield Test(labelled, tree)


def reaches(one, other, tree):
    """Does the scope of the one contain the thread of the other?"""
    (t, op), (u, _) = one, other
    return op.scope == "all" or tree[t] == tree[u] or (op.scope == "dev" and tree[t][0] == tree[u][0])


def include(one, other, tree):
    there, back = reaches(one, other, tree), reaches(other, one, tree)
    return one[1].kind in "WRU" and ((there and back) or (there and one[1].remote) or (back and other[1].remote))


def may_be(tree, threads, space):
    """Local memory is of one work-group."""
    return space.data == "global" or len({tree[t] for t, ops in enumerate(threads) if "d" in places(ops)}) < 2


def generate(n, space):
    """All tests of n operations, the least of each set of equal ones."""
    for count in range(2, space.threads + 1):
        for shape in sizes(n, count) if n >= count else []:
            for skeleton in skeletons(shape, space):
                for threads in with_guards(skeleton):
                    free = unguarded(threads)
                    if any(conflicts(a, b) and a[1].place == "d" for a, b in itertools.combinations(free, 2)):
                        continue
                    for tree in filter(lambda tree: may_be(tree, threads, space), trees(count, space.devices)):
                        yield from (test for test in with_scopes(threads, tree, space)
                                    if key(test) == encode(test))


# ---- Equal tests ----

def encode(test):
    """A comparable form, with leaves of the tree and flags named in order of appearance."""
    return (tuple(-len(ops) for ops in test.threads), renumber(test.tree),
            tuple(tuple((op.kind, op.place, op.scope or "", op.remote, op.guard or ()) for op in ops)
                  for ops in test.threads))


def renumber(tree):
    devices, groups = {}, {}
    numbered = []
    for device, group in tree:
        number = devices.setdefault(device, len(devices))
        inside = groups.setdefault(device, {})
        numbered.append((number, inside.setdefault(group, len(inside))))
    return tuple(numbered)


def permuted(test, order, flags):
    where = {old: new for new, old in enumerate(order)}

    def moved(op):
        guard = op.guard and (where[op.guard[0]], op.guard[1])
        return op._replace(place=flags.get(op.place, op.place), guard=guard)
    return Test(tuple(tuple(map(moved, test.threads[t])) for t in order), tuple(test.tree[t] for t in order))


def key(test):
    flags = [{}, {"x": "y", "y": "x"}] if any(op.place == "y" for _, _, op in all_ops(test)) else [{}]
    return min(encode(permuted(test, order, names))
               for order in itertools.permutations(range(len(test.threads))) for names in flags)


def leave_out(test, gone):
    """Per thread the rest without a set of (thread, operation) and without guards on these."""
    def guard_of(op, t, i):
        follows = any((t, k) not in gone for k in range(i + 1, len(test.threads[t])))
        if not op.guard or op.guard in gone or not follows:
            return None
        return op.guard[0], sum((op.guard[0], k) not in gone for k in range(op.guard[1]))
    return [tuple(op._replace(guard=guard_of(op, t, i)) for i, op in enumerate(ops) if (t, i) not in gone)
            for t, ops in enumerate(test.threads)]


def is_shared(threads, place):
    return sum(place in places(ops) for ops in threads) > 1 \
        and any(op.place == place and is_write(op) for ops in threads for op in ops)


def smaller(test):
    """The tests of the space with one operation less, and with those that are alone without it."""
    for t, i, _ in all_ops(test):
        gone = {(t, i)}
        while True:
            left = leave_out(test, gone)
            alone = {(u, k) for u, k, op in all_ops(test) if not is_shared(left, op.place)}
            if alone <= gone:
                break
            gone |= alone
        kept = [u for u, ops in enumerate(left) if ops]
        if kept:
            order = kept + [u for u, ops in enumerate(left) if not ops]
            flags = {} if any("x" in places(ops) for ops in left) else {"y": "x"}
            whole = permuted(Test(tuple(left), test.tree), order, flags)
            yield Test(whole.threads[:len(kept)], whole.tree[:len(kept)])


# ---- Text ----

def values(test):
    """(thread, operation) of each write → its value"""
    counts, found = {}, {}
    for t, i, op in all_ops(test):
        if is_write(op):
            counts[op.place] = found[t, i] = counts.get(op.place, 0) + 1
    return found


def statement(op, value, register, order):
    last = f"memory_order_{order[op.kind]}, memory_scope_{SCOPES[op.scope]});" if op.scope else ""
    suffix = "_remote" if op.remote else ""
    return {"w": f"*d = {value};", "r": f"r{register} = *d;",
            "W": f"atomic_store_explicit{suffix} ({op.place}, {value}, {last}",
            "R": f"r{register} = atomic_load_explicit{suffix} ({op.place}, {last}",
            "U": f"r{register} = atomic_exchange_explicit{suffix} ({op.place}, {value}, {last}"}[op.kind]


def body(test, t, order):
    lines, depth, register, written = [], 1, 0, values(test)
    for i, op in enumerate(test.threads[t]):
        lines.append("  " * depth + statement(op, written.get((t, i)), register, order))
        if op.guard:
            lines.append("  " * depth + f"if (r{register} == {written[op.guard]}) {{")
            depth += 1
        register += op.kind in "rRU"
    lines += ["  " * d + "}" for d in range(depth - 1, 0, -1)]
    return [f"  int r{i} = -1;" for i in range(register)] + lines, register


def scope_tree(tree):
    text = ""
    for device in sorted({d for d, _ in tree}):
        groups = sorted({g for d, g in tree if d == device})
        inside = (" ".join(f"P{t}" for t, leaf in enumerate(tree) if leaf == (device, group)) for group in groups)
        text += f" (device {' '.join(f'(work_group {threads})' for threads in inside)})"
    return text


def litmus(test, name, order, data):
    used = sorted(places(op for _, _, op in all_ops(test)))
    parameters = ", ".join(f"{data} int* d" if place == "d" else f"global atomic_int* {place}" for place in used)
    lines = [f"OpenCL {name}", "", f"{{ {' '.join(f'[{place}]=0;' for place in used)} }}", ""]
    observed = list(used)
    for t in range(len(test.threads)):
        code, registers = body(test, t, order)
        lines += [f"P{t} ({parameters}) {{", *code, "}", ""]
        observed += [f"{t}:r{i}" for i in range(registers)]
    condition = " /\\ ".join(f"{item}=0" for item in observed)
    return "\n".join(lines + ["scopeTree" + scope_tree(test.tree), f"exists ({condition})"]) + "\n"


def summary(test):
    written = values(test)

    def word(t, i, op):
        scope = f"({op.scope}{',remote' if op.remote else ''})" if op.scope else ""
        value = f"={written[t, i]}" if is_write(op) else ""
        return f"{op.kind}{scope} {op.place}{value}" + (f" [read {written[op.guard]}]" if op.guard else "")
    threads = ["; ".join(word(t, i, op) for i, op in enumerate(ops)) for t, ops in enumerate(test.threads)]
    return " || ".join(threads) + "   " + scope_tree(test.tree).strip()


# ---- The search ----

def run(arguments, options, tests):
    """The results of each test, in order."""
    with tempfile.TemporaryDirectory() as folder:
        for i, test in enumerate(tests):
            with open(os.path.join(folder, f"T{i:05}.litmus"), "w", encoding="utf-8") as file:
                file.write(litmus(test, f"T{i:05}", ORDERS[arguments.orders], arguments.data))
        done = subprocess.run([arguments.program, "-q", "-json", *options, folder], capture_output=True,
                              text=True, check=False)
    sys.stderr.write(done.stderr[:2000])
    records = {record["test"]: record for record in map(json.loads, done.stdout.splitlines())}
    if len(records) != len(tests):
        sys.exit(f"error: {arguments.program} gave {len(records)} of {len(tests)} records")
    return [records[f"T{i:05}"]["machine"] for i in range(len(tests))]


def batches(tests):
    tests = iter(tests)
    while batch := list(itertools.islice(tests, BATCH)):
        yield batch


def search(arguments, options, batch, failing, counts):
    """Runs a batch, and yields (test, what is wrong) for each minimal one that fails. failing: keys of all
    tests that fail, or contain one that does."""
    larger = [any(key(less) in failing for less in smaller(test)) for test in batch]
    failing.update(key(test) for test, is_larger in zip(batch, larger) if is_larger)
    fresh = [test for test, is_larger in zip(batch, larger) if not is_larger]
    counts["programs"] += len(batch)
    for test, machine in zip(fresh, run(arguments, options, fresh)):
        verdict, deadlock = machine["verdict"], machine["deadlock"]
        counts["vacuous"] += verdict == "vacuous"
        counts["unjudged"] += verdict in ("unjudged", "bounded")
        if verdict == "unsound" or (deadlock and verdict != "vacuous"):
            counts["fail"] += 1
            failing.add(key(test))
            yield test, machine.get("unsound", ["deadlock"])[0]


def skeleton_of(test):
    """The test without scopes."""
    return tuple(tuple((op.kind, op.place, op.guard) for op in ops) for ops in test.threads), test.tree


def show(found, n, arguments):
    """The first test of each skeleton, or all of them."""
    groups = {}
    for number, (test, wrong) in enumerate(found):
        groups.setdefault(number if arguments.all else skeleton_of(test), []).append((test, wrong))
    for i, group in enumerate(groups.values(), 1):
        test, wrong = group[0]
        others = f" (and {len(group) - 1} with other scopes)" if len(group) > 1 else ""
        print(f"{summary(test)}\n    {wrong}{others}")
        if arguments.o:
            os.makedirs(arguments.o, exist_ok=True)
            with open(os.path.join(arguments.o, f"smallest-{n}-{i:03}.litmus"), "w", encoding="utf-8") as file:
                file.write(litmus(test, f"smallest-{n}-{i:03}", ORDERS[arguments.orders], arguments.data))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    for name, default in (("events", 3), ("threads", 2), ("flags", 1), ("devices", 1), ("rmws", 1)):
        parser.add_argument(f"-{name}", type=int, default=default)
    for name in ("local", "all"):
        parser.add_argument(f"-{name}", action="store_true")
    parser.add_argument("-orders", choices=sorted(ORDERS), default="acq_rel")
    parser.add_argument("-data", choices=("global", "local"), default="global")
    parser.add_argument("-o")
    arguments, options = parser.parse_known_args()
    failing = set()
    for n in range(2, arguments.events + 1):
        counts = {"programs": 0, "vacuous": 0, "fail": 0, "unjudged": 0}
        found = [one for batch in batches(generate(n, arguments))
                 for one in search(arguments, options, batch, failing, counts)]
        show(found, n, arguments)
        print(f"{n} operations: {counts['programs']} programs, {counts['vacuous']} of them vacuous, "
              f"{counts['fail']} minimal ones fail", flush=True)
        if counts["unjudged"]:
            sys.exit(f"error: {counts['unjudged']} programs have no verdict")


if __name__ == "__main__":
    main()
