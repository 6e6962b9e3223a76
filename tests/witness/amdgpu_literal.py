"""LLVM's "AMDGPU Memory Model" of 2026 to the letter, on one execution of an AMDGPU test.

A rule is its sentence in the document: an instance of a scope is a set of threads, and what is made visible is kept with
the instances in which it is. It shares nothing with cat/amdgpu_av.cat but the tags of events (columns_words.py)."""

import itertools

import relations as r
from cat_evaluator import Verdict

LEVELS = ["all", "dev", "kernel", "wg", "sg", "wi"]


class Literal:
    """Stands for the model in comparisons: one that looks at coherence."""
    options, free_names, has_wide_barriers = frozenset({"withco", "withanyvalue"}), frozenset(), False

    @staticmethod
    def judge(execution, variants):
        return [Judge(execution).verdict(variants)]


def closed(pairs):
    """The transitive closure."""
    pairs = set(pairs)
    while True:
        more = {(a, d) for a, b in pairs for c, d in pairs if b == c} - pairs
        if not more:
            return pairs
        pairs |= more


def is_acyclic(pairs):
    return all(a != b for a, b in closed(pairs))


class Judge:
    """What the model says about one execution."""

    def __init__(self, execution):
        events = execution.events
        self.all, self.places, self.tree = events.all, events.places, events.test.tree
        self.numbers = range(len(self.all))
        self.rf = {b: a for a, b in self.pairs(execution.chosen["rf"])}
        self.co = set(self.pairs(execution.chosen["co"]))
        self.po = {(a, b) for a in self.numbers for b in self.numbers if self.is_before(a, b)}
        self.writes = {i for i, e in enumerate(self.all) if e.writes}
        self.reads = {i for i, e in enumerate(self.all) if e.reads}
        self.initial = {i for i, e in enumerate(self.all) if e.thread is None}
        self.local = {i for i in self.numbers if self.places[i] is not None and events.location(i).space == "local"}
        self.atomic = self.having("ATOM") | self.initial
        self.fences = {i for i, e in enumerate(self.all) if self.places[i] is None and e.meeting is None}
        self.rmws = dict(events.halves())
        meet = events.meetings or {}
        self.met = {(a, b) for a, b in itertools.permutations([i for i in self.numbers if i in meet], 2)
                    if meet[a] == meet[b] and self.together(a, b, "wg")}
        self.own = [self.instance(i, self.scope(i)) for i in self.numbers]
        self.shown = [self.instance(i, "wg" if i in self.local - self.initial else self.scope(i)) for i in self.numbers]
        first = {(i, b) for i in self.initial for b in self.numbers if b not in self.initial}
        self.hb = closed(self.po | first | self.synchronises())

    def pairs(self, relation):
        return [(a, b) for a in self.numbers for b in r.bits(relation.rows[a])]

    def having(self, tag):
        return {i for i, e in enumerate(self.all) if tag in e.tags}

    def is_before(self, a, b):
        a, b = self.all[a], self.all[b]
        return a.thread is not None and a.thread == b.thread and a.index in b.after

    def same_place(self, a, b):
        return self.places[a] is not None and self.places[a] == self.places[b]

    # ---- Scopes ----

    def scope(self, i):
        return "all" if i in self.initial else self.all[i].level or "wi"

    def together(self, a, b, level):
        a, b = self.all[a].thread, self.all[b].thread
        return a == b if level == "wi" else self.tree[a][level] == self.tree[b][level]

    def instance(self, i, level):
        """The threads of the instance of a level that holds the event; None is where initial writes are."""
        if level == "all":
            return frozenset(range(len(self.tree))) | {None}
        return frozenset(other.thread for k, other in enumerate(self.all)
                         if other.thread is not None and self.together(i, k, level))

    def within(self, a, b):
        """Is b in the instance in which a makes available or visible?"""
        return self.all[b].thread in self.shown[a]

    def inclusive(self, a, b):
        """Do the scopes that the operations name include each other?"""
        return self.all[b].thread in self.own[a] and self.all[a].thread in self.own[b]

    def show_each_other(self, a, b):
        return self.within(a, b) and self.within(b, a)

    # ---- Happens-before ----

    def synchronises(self):
        releases, acquires = self.having("REL"), self.having("ACQ")
        found = set()
        for store in self.writes & self.atomic - self.initial:
            sequence = self.follow(store)
            heads = {a for a in releases if a == store or (a in self.fences and (a, store) in self.po)}
            for load in self.reads & self.atomic:
                if self.rf[load] in sequence:
                    found |= {(a, b) for a in heads for b in acquires
                              if b == load or (b in self.fences and (load, b) in self.po)}
        for one, other in self.met:
            found |= {(a, b) for a in releases & self.fences for b in acquires & self.fences
                      if (a, one) in self.po and (other, b) in self.po}
        return {(a, b) for a, b in found if self.inclusive(a, b)}

    def follow(self, store):
        """The release sequence: the write, and read-modify-writes that read from one of it."""
        sequence = {store}
        while True:
            more = {write for read, write in self.rmws.items() if self.rf[read] in sequence} - sequence
            if not more:
                return sequence
            sequence |= more

    # ---- Availability and visibility ----

    def availability(self, write):
        """The availability operations on a write."""
        makes = self.having("SEMAV")
        found = {write} & (self.having("AV") | self.local)
        found |= {a for a in makes if (write, a) in self.po}
        while True:
            more = {a for a in makes - found if self.within(a, write)
                    and any((z, a) in self.hb and self.within(z, a) for z in found)}
            if not more:
                return found
            found |= more

    def visibility(self, write, available):
        """Pairs of a visibility operation on a write, and an instance that the write is visible in."""
        shows = {i for i in self.reads if i in self.having("VIS") | self.local and self.same_place(i, write)}
        may, found = shows | self.having("SEMVIS"), set()
        for y, a in itertools.product(may, available):
            if (a, y) in self.hb and self.show_each_other(a, y):
                found |= self.inside(y, self.shown[a] & self.shown[y])
        while True:
            more = set()
            for (seen, instance), y in itertools.product(found, may):
                if (seen, y) in self.hb and self.all[y].thread in instance and self.within(y, seen):
                    more |= self.inside(y, instance & self.shown[y])
            if more <= found:
                return found
            found |= more

    def inside(self, y, instance):
        """An instance and its smaller ones that hold y."""
        return {(y, smaller) for smaller in (self.instance(y, level) for level in LEVELS) if smaller <= instance}

    # ---- What a read may see ----

    def location_order(self):
        order = set()
        near = [(a, b) for a in self.numbers for b in self.numbers if a != b and self.same_place(a, b)]
        for write in self.writes:
            after = {b for a, b in near if a == write}
            available = self.availability(write)
            visible = {y for y, _ in self.visibility(write, available)}
            order |= {(write, b) for b in after if (write, b) in self.po}
            order |= {(write, b) for b in after & self.writes
                      if any((z, b) in self.hb and self.within(z, b) for z in available)}
            order |= {(write, b) for b in after & self.reads if any(y == b or (y, b) in self.po for y in visible)}
        order |= {(a, b) for a, b in near if a in self.reads and (a, b) in self.hb}
        return order | {(a, b) for a, b in near if a in self.initial}

    def may_see(self, read, order):
        writes = {w for w in self.writes if self.same_place(w, read)}
        return {w for w in writes if (read, w) not in order
                and not any((w, other) in order and (other, read) in order for other in writes)}

    def is_defined(self, read, order):
        seen = self.may_see(read, order)
        if read in self.atomic and all(w in self.atomic and (w in self.initial or self.inclusive(w, read)) for w in seen):
            return True
        return all((w, read) in order for w in seen) and len(seen) == 1

    # ---- The rules ----

    def is_consistent(self, order):
        if not is_acyclic(self.hb) or not is_acyclic(order):
            return False
        if any(w not in self.may_see(read, order) for read, w in self.rf.items()):
            return False
        if any((b, a) in self.co for a, b in order if a in self.writes and b in self.writes):
            return False
        mo = {(a, b) for a, b in self.co if b in self.atomic
              and (a in self.initial or (a in self.atomic and self.inclusive(a, b)))}
        ours = [(read, w) for read, w in self.rf.items() if read in self.atomic and w in self.atomic
                and (w in self.initial or self.inclusive(w, read))]
        before = {(read, b) for read, w in ours for a, b in mo if a == w}
        after = {(a, read) for a, b in mo for read, w in ours if w == b}
        between = {(one, read) for one, b in before for read, w in ours if w == b}
        if any((b, a) in self.hb for a, b in mo | before | after | between if a in self.initial or self.inclusive(a, b)):
            return False
        if any((read, other) in before and (other, write) in mo for read, write in self.rmws.items() for other in self.writes):
            return False
        return is_acyclic(self.sc_order(mo | before))

    def sc_order(self, seen):
        """Between seq_cst operations with inclusive scopes; a fence also speaks for the accesses on its far side."""
        sc, found = self.having("SC"), set()
        for a, b in seen | self.hb:
            ones = {a} | {f for f in self.fences if (f, a) in self.po}
            others = {b} | {f for f in self.fences if (b, f) in self.po}
            found |= {(x, y) for x in ones & sc for y in others & sc if x != y and self.inclusive(x, y)}
        return found

    def verdict(self, variants):
        order = self.location_order()
        undefined = {read for read in self.reads if not self.is_defined(read, order)}
        flags = {"undef"} if undefined else set()
        bad = bool(undefined) and "undefined-races" in variants
        allowed = self.is_consistent(order) and undefined & self.having("USED") == self.having("ANYVALUE")
        return Verdict(allowed, allowed and bad, flags | ({"undefined_value"} if bad else set()) if allowed else set(), [])
