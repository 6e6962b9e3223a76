"""Every candidate execution of a small program: each choice of branches, of rf and of co.

A program is a list of threads, a thread a place in the scope tree (device, work-group, sub-group) and
a list of operations (Op); locations are by name. Events are numbered; relations are sets of pairs.
"""

import itertools
from dataclasses import dataclass

from opencl_graphs import inverse, seq

EXPECTED = "e"  # the plain location that every compare-exchange compares with


@dataclass
class Location:
    region: str  # "G" or "L"
    atomic: bool
    fga: bool = False
    initial: int = 0


@dataclass
class Op:
    kind: str  # Read, Write, add (fetch_add), swap (exchange), cas, weak (cas), Fence, Barrier
    location: str = None
    order: str = "na"
    scope: str = "work_item"
    remote: bool = False
    value: int = 0  # written, added or exchanged
    failure: str = None  # the order of a cas that fails
    regions: str = ""  # of a fence or barrier: some of G and L
    label: str = None  # of a barrier
    guard: tuple = None  # (index of an earlier operation of the thread, what it must have returned)
    joined: bool = False  # in one expression with the operation before it: unsequenced

    def is_cas(self):
        return self.kind in ("cas", "weak")


@dataclass
class Event:
    kind: str  # R, W, U (read-modify-write), F, entry, exit (of a barrier), I (initial write)
    thread: int = None
    index: int = None  # of the operation in the thread
    op: Op = None
    location: str = None
    order: str = None
    regions: str = ""

    def reads(self):
        return self.kind in "RU"

    def writes(self):
        return self.kind in "WUI"

    def fences(self):
        return self.kind in ("F", "entry", "exit")

    def atomic(self):
        return (self.reads() or self.writes()) and self.order != "na"

    def named_scope(self):
        return "work_item" if self.op is None or self.order == "na" else self.op.scope


def events_of_op(thread, index, op, locations, succeeds):
    def event(kind, location, order, regions):
        return Event(kind, thread, index, op, location, order, regions)

    if op.kind == "Fence":
        return [event("F", None, op.order, op.regions)]
    if op.kind == "Barrier":
        return [event(half, None, order, op.regions)
                for half, order in (("entry", "release"), ("exit", "acquire"))]
    region = locations[op.location].region
    kind = {"Read": "R", "Write": "W"}.get(op.kind, "U")
    if not op.is_cas():
        return [event(kind, op.location, op.order, region)]
    kind, order = ("U", op.order) if succeeds else ("R", op.failure)
    comparand = event("R", EXPECTED, "na", locations[EXPECTED].region)
    return [comparand, event(kind, op.location, order, region)]


def paths(thread, ops, locations):
    """Per choice of guards that hold and compare-exchanges that succeed, the list of events."""
    choices = [[(True, False), (True, True)] if op.is_cas() else [(True, None)] for op in ops]
    for options, op in zip(choices, ops):
        if op.guard:
            options.append((False, None))
    for choice in itertools.product(*choices):
        yield choice, [
            event
            for index, (op, (taken, succeeds)) in enumerate(zip(ops, choice)) if taken
            for event in events_of_op(thread, index, op, locations, succeeds)
        ]


def sequenced(a, b):
    """Program order: a thread's operations in turn, but those of one expression in none."""
    if a.thread is None or a.thread != b.thread:
        return False
    return a.index < b.index and not (b.op.joined and a.index == b.index - 1)


class Execution:
    """Events with po, rf and co, the values read, and the registers."""

    def __init__(self, program, locations, events, po, source, orders, returned):
        self.places = [place for place, _ in program]
        self.locations = locations
        self.events = events
        self.all = range(len(events))
        self.po = po
        self.source = source
        self.rf = {(write, read) for read, write in source.items()}
        self.orders = orders
        self.co = {pair for order in orders.values() for pair in itertools.combinations(order, 2)}
        self.fr = seq(inverse(self.rf), self.co) - {(e, e) for e in self.all}
        self.returned = returned

    def the(self, condition):
        return {e for e in self.all if condition(self.events[e])}


def values(events, source, locations):
    """The values that each event read and wrote; None if read-modify-writes feed each other in a cycle."""
    read, written = {}, {}
    waiting = [e for e, event in enumerate(events) if event.reads() or event.writes()]
    while waiting:
        still = []
        for e in waiting:
            event = events[e]
            if event.reads() and source[e] not in written:
                still.append(e)
                continue
            if event.reads():
                read[e] = written[source[e]]
            if event.kind == "I":
                written[e] = locations[event.location].initial
            elif event.writes():
                written[e] = event.op.value + (read[e] if event.op.kind == "add" else 0)
        if len(still) == len(waiting):
            return None, None
        waiting = still
    return read, written


def returned_values(program, choices, events, read):
    """What each operation returned, by thread and index; None unless values and choices agree."""
    returned, comparand = {}, {}
    for e, event in enumerate(events):
        if not event.reads():
            continue
        where = event.thread, event.index
        if not event.op.is_cas():
            returned[where] = read[e]
        elif event.location == EXPECTED:
            comparand[where] = read[e]
        else:
            equal = read[e] == comparand[where]
            if (event.kind == "U" and not equal) or (
                    event.kind == "R" and equal and event.op.kind != "weak"):
                return None
            returned[where] = int(event.kind == "U")
    for thread, (_, ops) in enumerate(program):
        for op, (taken, _) in zip(ops, choices[thread]):
            if op.guard and taken != (returned.get((thread, op.guard[0]), -1) == op.guard[1]):
                return None
    return returned


def executions(program, locations):
    """Every candidate execution, with its final state: (returned values, location -> value)."""
    per_thread = [paths(thread, ops, locations) for thread, (_, ops) in enumerate(program)]
    for combination in itertools.product(*per_thread):
        choices = [choice for choice, _ in combination]
        events = [event for _, path in combination for event in path]
        for name in sorted({event.location for event in events if event.location}):
            events.append(Event("I", location=name, order="na", regions=locations[name].region))
        n = range(len(events))
        po = {(a, b) for a in n for b in n if sequenced(events[a], events[b])}
        po |= {(a, a + 1) for a in n if events[a].op and a + 1 in n and events[a + 1].op
               and (events[a].thread, events[a].index) == (events[a + 1].thread, events[a + 1].index)}
        to = {name: [e for e in n if events[e].location == name and events[e].writes()]
              for name in {event.location for event in events if event.location}}
        reads = [e for e in n if events[e].reads()]
        for sources in itertools.product(*([w for w in to[events[r].location] if w != r]
                                           for r in reads)):
            source = dict(zip(reads, sources))
            read, written = values(events, source, locations)
            returned = read is not None and returned_values(program, choices, events, read)
            if returned is None or returned is False:
                continue
            # The initial write of a location has the highest number of its writes, and is co-first.
            for order in itertools.product(*([(w[-1],) + p for p in itertools.permutations(w[:-1])]
                                             for w in to.values())):
                orders = dict(zip(to, order))
                final = {name: written[order[-1]] for name, order in orders.items()}
                yield Execution(program, locations, events, po, source, orders, returned), final
