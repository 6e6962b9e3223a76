"""LLVM's memory model on AMDGPU until 2026 to the letter, on one execution of opencl_executions.py.

A rule is its sentence in LLVM's "AMDGPU Memory Model": an instance of a scope is the set of its threads, and what is
made available or visible is kept with the instances in which it is. It shares nothing with cat/amdgpu.cat.
"""

import itertools

from opencl_executions import Event
from opencl_graphs import is_acyclic, is_irreflexive, maybe, on, plus, seq
from opencl_literal import instance as barrier_instance
from opencl_literal import together

LEVELS = ["all_svm_devices", "device", "work_group", "sub_group", "work_item"]


class Judge:
    """What the model says about one execution."""

    def __init__(self, x):
        self.x = x
        self.accesses = x.the(lambda e: e.location is not None)
        self.writes, self.reads = x.the(Event.writes), x.the(Event.reads)
        self.initial = x.the(lambda e: e.kind == "I")
        self.local = x.the(lambda e: e.location is not None and e.regions == "L") - self.initial
        self.atomic = x.the(Event.atomic) | self.initial
        fences = x.the(Event.fences)
        self.releases = x.the(lambda e: e.order in ("release", "acq_rel", "seq_cst")) & (self.writes | fences)
        self.acquires = x.the(lambda e: e.order in ("acquire", "acq_rel", "seq_cst")) & (self.reads | fences)
        self.fences = fences
        self.instances = {e: self.instance(e, self.scope(e)) for e in x.all}
        self.named = {e: self.instance(e, self.named_scope(e)) for e in x.all}
        self.hb = plus(x.po | {(i, e) for i in self.initial for e in set(x.all) - self.initial} | self.synchronises())

    # ---- Scopes ------------------------------------------------------------------------------------

    def scope(self, e):
        """Of availability and visibility."""
        return "work_group" if e in self.local else self.named_scope(e)

    def named_scope(self, e):
        """Of atomicity and synchronisation."""
        return "all_svm_devices" if e in self.initial else self.x.events[e].named_scope()

    def instance(self, e, level):
        """The threads of the instance of a level that holds the event; None is where initial writes are."""
        threads = {other.thread for index, other in enumerate(self.x.events)
                   if other.thread is not None and level != "all_svm_devices" and together(self.x, e, index, level)}
        everywhere = set(range(len(self.x.places))) | {None}
        return frozenset(everywhere if level == "all_svm_devices" else threads)

    def within(self, a, b):
        """Is b in a's instance?"""
        return self.x.events[b].thread in self.instances[a]

    def inclusive(self, a, b):
        return self.x.events[b].thread in self.named[a] and self.x.events[a].thread in self.named[b]

    def same_place(self, a, b):
        return self.x.events[a].location is not None and self.x.events[a].location == self.x.events[b].location

    # ---- Happens-before ----------------------------------------------------------------------------

    def synchronises(self):
        x, found = self.x, set()
        rmws = self.reads & self.writes
        for store in self.writes & self.atomic - self.initial:
            sequence = self.follow(store, rmws)
            heads = {a for a in self.releases if a == store or (a in self.fences and (a, store) in x.po)}
            for load in self.reads & self.atomic:
                if x.source[load] not in sequence:
                    continue
                found |= {(a, b) for a in heads for b in self.acquires
                          if (b == load or (b in self.fences and (load, b) in x.po)) and self.inclusive(a, b)}
        entries, exits = (x.the(lambda e, half=half: e.kind == half) for half in ("entry", "exit"))
        found |= {(a, b) for a in entries for b in exits if barrier_instance(x, a) == barrier_instance(x, b)
                  and together(x, a, b, "work_group") and self.inclusive(a, b)}
        return {(a, b) for a, b in found if a != b}

    def follow(self, store, rmws):
        """The release sequence: the write, and read-modify-writes that read from one of it."""
        sequence = {store}
        while True:
            more = {r for r in rmws if self.x.source[r] in sequence} - sequence
            if not more:
                return sequence
            sequence |= more

    # ---- Availability and visibility ---------------------------------------------------------------

    def availability(self, write):
        """The availability operations on a write."""
        found = {write} & (self.atomic | self.local)
        found |= {a for a in self.releases if (write, a) in self.x.po}
        while True:
            more = {a for a in self.releases - found if self.within(a, write)
                    and any((z, a) in self.hb and self.within(z, a) for z in found)}
            if not more:
                return found
            found |= more

    def visibility(self, write, available):
        """Pairs of a visibility operation on a write, and an instance that the write is visible in."""
        may = self.acquires | {r for r in self.reads & (self.atomic | self.local) if self.same_place(r, write)}
        found = set()
        for y, a in itertools.product(may, available):
            if (a, y) in self.hb and self.within(a, y) and self.within(y, a):
                found |= self.inside(y, self.instances[a] & self.instances[y])
        while True:
            more = set()
            for (seen, shown), y in itertools.product(found, may):
                if (seen, y) in self.hb and self.x.events[y].thread in shown and self.within(y, seen):
                    more |= self.inside(y, shown & self.instances[y])
            if more <= found:
                return found
            found |= more

    def inside(self, y, shown):
        """An instance and its sub-instances that hold y."""
        return {(y, smaller) for smaller in (self.instance(y, level) for level in LEVELS) if smaller <= shown}

    # ---- What a read may see -----------------------------------------------------------------------

    def location_order(self):
        x, order = self.x, set()
        pairs = {(a, b) for a in self.accesses for b in self.accesses if a != b and self.same_place(a, b)}
        for write in self.writes:
            after = {b for a, b in pairs if a == write}
            available = self.availability(write)
            visible = {y for y, _ in self.visibility(write, available)}
            order |= {(write, b) for b in after if (write, b) in x.po}
            order |= {(write, b) for b in after & self.writes
                      if any((z, b) in self.hb and self.within(z, b) for z in available)}
            order |= {(write, b) for b in after & self.reads if any(y == b or (y, b) in x.po for y in visible)}
        order |= {(r, b) for r, b in pairs if r in self.reads and (r, b) in self.hb}
        return order | {(i, b) for i, b in pairs if i in self.initial}

    def may_see(self, read, order):
        writes = {w for w in self.writes - {read} if self.same_place(w, read)}
        return {w for w in writes if (read, w) not in order
                and not any((w, v) in order and (v, read) in order for v in writes)}

    def value_is_defined(self, read, order):
        seen = self.may_see(read, order)
        if not any((w, read) in order for w in self.writes):
            return False
        if read in self.atomic and all(w in self.initial or (w in self.atomic and self.inclusive(w, read))
                                       for w in seen):
            return True
        return len(seen) == 1 and all((w, read) in order for w in seen)

    # ---- The rules ---------------------------------------------------------------------------------

    def is_consistent(self, order):
        x, hb = self.x, self.hb
        if not is_irreflexive(hb):
            return False
        if any(w not in self.may_see(read, order) for read, w in x.source.items()):
            return False
        if not is_irreflexive(seq(order, x.co)):
            return False
        seen = x.co | x.fr | seq(x.co, x.rf) | seq(x.fr, x.rf)
        if not is_irreflexive(seq(on(self.atomic, seen, self.atomic), hb)):
            return False
        for rmw in self.reads & self.writes:
            writes = x.orders[x.events[rmw].location]
            if writes.index(rmw) != writes.index(x.source[rmw]) + 1:
                return False
        sc = x.the(lambda e: e.order == "seq_cst")
        before = maybe(on(self.fences, x.po, x.all), x.all)
        after = maybe(on(x.all, x.po, self.fences), x.all)
        seen = seq(before, x.fr | x.co | hb, after)
        return is_acyclic({(a, b) for a, b in on(sc, seen, sc) if a != b and self.inclusive(a, b)})

    def flags(self, order):
        found = set()
        if not all(self.value_is_defined(read, order) for read in self.reads):
            found.add("undefined_value")
        entries = self.x.the(lambda e: e.kind == "entry")
        for a in entries:
            members = {t for t, place in enumerate(self.x.places)
                       if place[:2] == self.x.places[self.x.events[a].thread][:2]}
            if members - {self.x.events[b].thread for b in entries
                          if barrier_instance(self.x, b) == barrier_instance(self.x, a)}:
                found.add("barrier_divergence")
        return found


def judge(x):
    """1 if the model allows the execution, and the flags that it raises."""
    made = Judge(x)
    order = made.location_order()
    if not made.is_consistent(order):
        return 0, set()
    return 1, made.flags(order)
