"""The HRF models to the letter, by brute force, for programs of a handful of operations.

Where the cat files have closed forms over rf and co, this has what the papers have: every total
coherence order of all accesses to each location, reads too; last and next in it; scope instances as
nodes of a tree; a pairwise test of consistency. It shares no definition with the cat files.

A program is a list of threads, a thread a place in the scope tree (device, work-group, sub-group) and
a list of operations (Op). Sources and ids: docs/models.md.
"""

import itertools
from dataclasses import dataclass

LEVELS = {"work_item": 0, "sub_group": 1, "work_group": 2, "device": 3, "all_svm_devices": 4}
RELEASING = ("release", "acq_rel", "seq_cst")
ACQUIRING = ("acquire", "acq_rel", "seq_cst")


@dataclass
class Op:
    kind: str  # R, W, or U for a fetch_add of 1
    location: str
    order: str  # "na" for a plain access
    scope: str
    remote: bool
    value: int  # written by a W
    guard: tuple = None  # (index of an earlier read of the thread, value it must have returned)


@dataclass
class Reading:
    """How to read a relaxed model."""

    kind: str  # "direct" or "indirect"
    inclusion: str = "mutual"  # or "subset"
    promotion: str = None  # "next" or "all"
    exempt: bool = True


@dataclass
class Event:
    thread: int
    index: int
    op: Op


# ---- The scope tree ----------------------------------------------------------------------------


def node(place, thread, level):
    """The scope instance of a thread at a level: the level and a path from the root."""
    device, group, sub_group = place
    return level, ((device, group, sub_group, thread), (device, group, sub_group), (device, group),
                   (device,), ())[level]


def inside(a, b):
    return a[0] <= b[0] and a[1][: len(b[1])] == b[1]


class Candidate:
    """A choice of branches and a coherence order per location."""

    def __init__(self, program, events, orders):
        self.places = [place for place, _ in program]
        self.events = events
        self.n = len(events)
        self.orders = orders
        self.position = {e: i for order in orders for i, e in enumerate(order)}
        ops = [event.op for event in events]
        self.ops = ops
        self.write = [op.kind in "WU" for op in ops]
        self.rel = [op.kind in "WU" and op.order in RELEASING for op in ops]
        self.acq = [op.kind in "RU" and op.order in ACQUIRING for op in ops]
        self.scope = [
            None if op.order == "na" else self.node_of(event.thread, LEVELS[op.scope])
            for event, op in zip(events, ops)
        ]
        self.po = [
            {b for b in range(self.n) if events[b].thread == events[a].thread and a < b}
            for a in range(self.n)
        ]

    def node_of(self, thread, level):
        return node(self.places[thread], thread, level)

    def has_member(self, scope, thread):
        return self.node_of(thread, scope[0]) == scope

    def before(self, a, b):
        """a is coherence-before b."""
        return (self.ops[a].location == self.ops[b].location
                and self.position[a] < self.position[b])

    def pairs(self):
        """Pairs that conflict as far as location and kind go."""
        for a, b in itertools.combinations(range(self.n), 2):
            if self.ops[a].location == self.ops[b].location and (self.write[a] or self.write[b]):
                yield a, b


# ---- Graphs ------------------------------------------------------------------------------------


def closure(edges):
    reach = [set(targets) for targets in edges]
    for k, via in enumerate(reach):
        for targets in reach:
            if k in targets:
                targets |= via
    return reach


def is_acyclic(edges):
    return all(a not in targets for a, targets in enumerate(closure(edges)))


def unordered(reach, a, b):
    return b not in reach[a] and a not in reach[b]


# ---- HRF0, HRF-direct, HRF-indirect --------------------------------------------------------------


def judge_sc(c, model):
    """None: not sequentially consistent. Otherwise: does it race?"""
    edges = [set(targets) for targets in c.po]
    for order in c.orders:
        for a, b in itertools.combinations(order, 2):
            if c.write[a] or c.write[b]:
                edges[a].add(b)
    if not is_acyclic(edges):
        return None
    ordinary = [op.order in ("na", "relaxed") for op in c.ops]
    per_scope = []
    for scope in {c.scope[e] for e in range(c.n) if not ordinary[e]}:
        so = [set() for _ in range(c.n)]
        for a, b in itertools.permutations(range(c.n), 2):
            ends = c.rel[a] and (c.acq[b] or (model.startswith("hrf0") and c.rel[b]))
            if ends and c.scope[a] == c.scope[b] == scope and c.before(a, b):
                so[a].add(b)
        per_scope.append(so)
    if model == "hrf_indirect":
        hhb = closure([c.po[e].union(*(so[e] for so in per_scope)) for e in range(c.n)])
    else:
        parts = [closure([c.po[e] | so[e] for e in range(c.n)]) for so in per_scope]
        hhb = [c.po[e].union(*(part[e] for part in parts)) for e in range(c.n)]
    for a, b in c.pairs():
        if model == "hrf0 -variant hrf0-literal":
            conflict = ordinary[a] or ordinary[b] or c.rel[a] or c.rel[b]
        else:
            conflict = ordinary[a] or ordinary[b] or c.scope[a] != c.scope[b]
        if conflict and unordered(hhb, a, b):
            return True
    return False


# ---- The relaxed models, with and without promotion ----------------------------------------------


def promoted_scopes(c, promotion):
    """The scope of every event after promotion: all at once, the largest counts."""
    scope = list(c.scope)
    for q in range(c.n):
        if not promotion or not c.ops[q].remote:
            continue
        met = []
        if c.acq[q]:
            earlier = [r for r in range(c.n) if c.rel[r] and c.before(r, q)]
            met += earlier if promotion == "all" else sorted(earlier, key=c.position.get)[-1:]
        if c.rel[q]:
            later = [a for a in range(c.n) if c.acq[a] and c.before(q, a)]
            met += later if promotion == "all" else sorted(later, key=c.position.get)[:1]
        for e in met:
            if inside(c.scope[e], c.scope[q]) and inside(scope[e], c.scope[q]):
                scope[e] = c.scope[q]
    return scope


def judge_relaxed(c, reading):
    """None: no candidate. Otherwise: does it race?"""
    scope = promoted_scopes(c, reading.promotion)

    def reaches(a, b):
        return c.has_member(scope[a], c.events[b].thread)

    def is_remote_to(a, b):
        """a is remote, and its scope as written has b's agent."""
        return c.ops[a].remote and c.has_member(c.scope[a], c.events[b].thread)

    def inclusive(a, b):
        comparable = inside(scope[a], scope[b]) or inside(scope[b], scope[a])
        if reading.inclusion == "subset":
            return comparable
        return comparable and reaches(a, b) and reaches(b, a)

    so = [(a, b) for a, b in itertools.permutations(range(c.n), 2)
          if c.rel[a] and c.acq[b] and c.before(a, b) and inclusive(a, b)]
    if reading.kind == "indirect":
        groups = [so]
    else:
        groups = [[(a, b) for a, b in so
                   if c.has_member(scope[a], agent) and c.has_member(scope[b], agent)]
                  for agent in range(len(c.places))]
    hhb = [set() for _ in range(c.n)]
    for group in groups:
        part = closure([c.po[e] | {b for a, b in group if a == e} for e in range(c.n)])
        hhb = [have | more for have, more in zip(hhb, part)]
    if any(e in hhb[e] or any(c.before(f, e) for f in hhb[e]) for e in range(c.n)):
        return None
    # A total order sc of the seq_cst operations exists: what it must agree with has no cycle.
    sc = [op.order == "seq_cst" for op in c.ops]
    if not is_acyclic([{b for b in range(c.n)
                        if sc[a] and sc[b] and a != b and (b in c.po[a] or c.before(a, b))}
                       for a in range(c.n)]):
        return None
    for a, b in c.pairs():
        if not unordered(hhb, a, b):
            continue
        if c.ops[a].order == "na" or c.ops[b].order == "na":
            return True
        exempt = reading.exempt and (is_remote_to(a, b) or is_remote_to(b, a))
        if not inclusive(a, b) and not exempt:
            return True
    return False


# ---- All candidates ------------------------------------------------------------------------------


def run(c):
    """What every read returns: the latest store before it."""
    values = {}
    for order in c.orders:
        memory = 0
        for e in order:
            if c.ops[e].kind in "RU":
                values[(c.events[e].thread, c.events[e].index)] = memory
            if c.write[e]:
                memory = c.ops[e].value if c.ops[e].kind == "W" else memory + 1
    return values


def candidates(program):
    """Every choice of guarded operations to run, with every coherence order that agrees with it."""
    guarded = [(t, i) for t, (_, ops) in enumerate(program) for i, op in enumerate(ops) if op.guard]
    for taken in itertools.product((False, True), repeat=len(guarded)):
        skipped = {at for at, runs in zip(guarded, taken) if not runs}
        events = [Event(t, i, op) for t, (_, ops) in enumerate(program)
                  for i, op in enumerate(ops) if (t, i) not in skipped]
        locations = sorted({event.op.location for event in events})
        here = [[e for e, event in enumerate(events) if event.op.location == location]
                for location in locations]
        in_order = [[order for order in itertools.permutations(some)
                     if all(events[a].thread != events[b].thread or a < b
                            for a, b in itertools.combinations(order, 2))] for some in here]
        for orders in itertools.product(*in_order):
            c = Candidate(program, events, orders)
            values = run(c)
            agrees = all(
                (values.get((t, program[t][1][i].guard[0])) == program[t][1][i].guard[1]) == runs
                for (t, i), runs in zip(guarded, taken))
            if agrees:
                yield c, values


def judge(program, model):
    """The outcomes (what the reads return) and whether the program races. model: "hrf0", its literal
    variant, "hrf_direct", "hrf_indirect", or a Reading."""
    outcomes, races = set(), False
    for c, values in candidates(program):
        verdict = judge_relaxed(c, model) if isinstance(model, Reading) else judge_sc(c, model)
        if verdict is not None:
            outcomes.add(tuple(sorted(values.items())))
            races |= verdict
    return outcomes, races
