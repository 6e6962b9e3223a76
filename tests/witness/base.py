"""The sets and relations that a model can name, on the events of a candidate execution.

Written from the tables of docs/cat.md ("Predefined names") and spec/cat.md ("What a model can name").
"""

import itertools

import relations as r
from c_types import SHOWN, Address, Unknown
from cat_values import Relation, Set
from litmus_syntax import operands
from terms import Read, evaluate

ORDERS = {"relaxed": "RLX", "consume": "CON", "acquire": "ACQ", "release": "REL", "acq_rel": "ACQ_REL",
          "seq_cst": "SC"}
SCOPES = {"work_item": "WI", "sub_group": "SG", "work_group": "WG", "device": "DV",
          "all_svm_devices": "ALL", "cluster": "CLUSTERED"}
SAME = {"R": "R", "W": "W", "IW": "I", "RMW": "rmw", "P": "na", "GLOBAL": "G", "LOCAL": "L",
        "NAL": "nonatomicloc", "pos": "po-loc", "cobase": "co0", "syncbar": "same_B", "thread": "wi",
        "ssg": "sg", "swg": "wg", "cta": "wg", "sdv": "dev", "ext-thread": "ext-wi", "ext-cta": "ext-wg",
        "memory_scope_all_devices": "memory_scope_all_svm_devices",
        **{short: "memory_order_" + name for name, short in ORDERS.items()},
        **{short: "memory_scope_" + name for name, short in SCOPES.items()}}
CHOSEN = {"rf", "rfe", "rfi", "co", "coe", "coi", "fr", "fre", "fri", "invrf", "co0", "FW"}


class Initial:
    """The initial write of one element of a location."""
    thread, index, reads, writes, atomic, remote, failed, barrier = None, None, False, True, False, False, \
        False, None
    no_result = False
    order, scope, regions = "na", "work_item", frozenset()
    after = addr = data = ctrl = tags = frozenset()
    level = half = meeting = names = None

    def __init__(self, place):
        self.place = place


class Events:
    """The events of a choice of paths, each with its place; and what does not depend on rf and co."""

    def __init__(self, test, paths, addresses):
        self.test = test
        initial = [Initial(place) for place in sorted(set(addresses.values()) | self.declared())]
        of_threads = [event for path in paths for event in path.events]
        self.all = initial + of_threads
        self.n = len(self.all)
        self.places = [e.place for e in initial] + [addresses.get((e.thread, e.index)) for e in of_threads]
        self.initial = {event.place: i for i, event in enumerate(initial)}
        self.number = {(e.thread, e.index): i for i, e in enumerate(self.all) if e.thread is not None}
        self.names, self.kept = {}, {}
        self.name_sets()
        self.name_program_relations()
        self.name_scope_relations()

    def declared(self):
        """Places that have an initial write although nothing accesses them: in C, variables."""
        if self.test.language != "C":
            return set()
        return {Address(name, 0) for name, location in self.test.locations.items() if len(location.values) == 1}

    def location(self, i):
        return self.test.locations[self.places[i].name] if self.places[i] else None

    def set(self, name, holds):
        self.names[name] = Set(r.make_set(i for i, e in enumerate(self.all) if holds(i, e)))

    def relation(self, name, holds):
        self.names[name] = Relation(r.make_relation(
            ((a, b) for a in range(self.n) for b in range(self.n) if holds(a, b)), self.n))

    def region(self, i, event, letter):
        if self.places[i]:
            return (self.location(i).space == "local") == (letter == "L")
        return letter in event.regions

    def name_sets(self):
        self.set("R", lambda i, e: e.reads)
        self.set("W", lambda i, e: e.writes)
        self.set("M", lambda i, e: self.places[i] is not None)
        self.set("F", lambda i, e: self.places[i] is None)
        self.set("I", lambda i, e: e.thread is None)
        self.set("rmw", lambda i, e: e.reads and e.writes)
        lone = self.test.language == "C"  # herd7 relates such an event by neither rmw nor amo
        self.names["rmw"] = self.names["rmw"]._replace(of_rmw="lone" if lone else "own")
        self.set("X", lambda i, e: lone and e.reads and e.writes)
        for name in ("brmw", "LK", "LS", "UL"):
            self.set(name, lambda i, e: False)
        self.set("failed_rmw", lambda i, e: e.failed)
        self.set("NoRet", lambda i, e: e.no_result)
        self.set("remote", lambda i, e: e.remote)
        self.set("A", lambda i, e: self.places[i] is not None and e.atomic)
        self.set("na", lambda i, e: self.places[i] is not None and not e.atomic)
        self.set("NA", lambda i, e: lone if self.places[i] is None else not e.atomic)
        self.set("entry_fence", lambda i, e: e.barrier is not None and e.barrier[0] == "entry")
        self.set("exit_fence", lambda i, e: e.barrier is not None and e.barrier[0] == "exit")
        self.set("divergent_fence", self.is_divergent)
        self.set("divergent_fence wide", lambda i, e: self.is_divergent(i, e, wide=True))
        self.set("G", lambda i, e: self.region(i, e, "G"))
        self.set("L", lambda i, e: self.region(i, e, "L"))
        self.set("fga", lambda i, e: self.places[i] is not None and self.location(i).fga)
        self.set("atomicloc", lambda i, e: self.places[i] is not None and self.location(i).atomic)
        self.set("ordinary_read", lambda i, e: False)      # of kernels
        self.set("nonatomicloc", lambda i, e: self.places[i] is not None and not self.location(i).atomic)
        for order in ORDERS:
            self.set("memory_order_" + order, lambda i, e, order=order: e.order == order)
        for scope in SCOPES:
            self.set("memory_scope_" + scope, lambda i, e, scope=scope: e.scope == scope)

    def meet(self, event, thread, wide):
        """Is the thread one of those that the barrier joins?"""
        level = wide and event.joins or "wg"
        return level == "all" or self.test.tree[thread][level] == self.test.tree[event.thread][level]

    def is_divergent(self, i, event, wide=False):
        """An entry whose barrier some work-item of those that it joins never reaches."""
        if event.barrier is None or event.barrier[0] != "entry":
            return False
        arrived = {e.thread for e in self.all if e.barrier == event.barrier}
        return any(self.meet(event, thread, wide) and thread not in arrived for thread in range(len(self.test.tree)))

    def name_program_relations(self):
        every = self.all

        def earlier(names):
            return lambda a, b: (every[a].thread is not None and every[a].thread == every[b].thread
                                 and every[a].index in getattr(every[b], names)
                                 and every[a].index in every[b].after)

        self.relation("id", lambda a, b: a == b)
        self.relation("po", earlier("after"))
        for name in ("addr", "data", "ctrl"):
            self.relation(name, earlier(name))
        self.relation("loc", lambda a, b: self.places[a] is not None and self.places[a] == self.places[b])
        self.names["po-loc"] = Relation(r.intersection(self.names["po"].rows, self.names["loc"].rows))
        self.relation("asw", lambda a, b: every[a].thread is None and every[b].thread is not None)
        for name, wide in (("same_B", False), ("same_B wide", True)):
            self.relation(name, lambda a, b, wide=wide: every[a].barrier is not None and every[b].barrier is not None
                          and every[a].barrier[1:] == every[b].barrier[1:]
                          and self.meet(every[a], every[b].thread, wide) and self.meet(every[b], every[a].thread, wide))

    def name_scope_relations(self):
        """Events of one thread, sub-group …; an initial write is alone."""
        tree, every = self.test.tree, self.all

        def together(level):
            def same(a, b):
                first, second = every[a].thread, every[b].thread
                if first is None or second is None:
                    return a == b
                places = [tree[thread].get(level, tree[thread].get("wg")) for thread in (first, second)]
                return first == second if level == "wi" else places[0] == places[1]
            return same

        for level in ("wi", "sg", "wg", "cluster", "kernel", "dev"):
            same = together(level)
            self.relation(level, same)
            self.relation("ext-" + level, lambda a, b, same=same: every[a].thread is not None
                          and every[b].thread is not None and not same(a, b))
        self.names["int"] = self.names["wi"]
        self.names["ext"] = Relation(r.complement(self.names["wi"].rows))


    # ---- What an execution chooses besides rf ----

    def observed(self):
        """Places whose final value the condition, `locations` or the filter names."""
        named = [o for part in (self.test.question[1], self.test.filter) if part for o in operands(part)]
        return {self.test.place(Address(o[1], o[2] or 0)) for o in named + self.test.shown if o[0] == "location"}

    def writes_to(self, place):
        """Those of threads."""
        return [i for i, e in enumerate(self.all) if e.writes and e.thread is not None and self.places[i] == place]

    def orders_of(self, place):
        """The choices of coherence at a place: (pairs, its last write)."""
        for order in itertools.permutations(self.writes_to(place)):
            whole = (self.initial[place], *order)
            yield list(itertools.combinations(whole, 2)), whole[-1]

    def fences(self):
        """The choices of sync_fence."""
        return [()]


class Execution:
    """A candidate: events; rf, co and sync_fence as pairs of event numbers; the last write of each place."""

    def __init__(self, combination, events, rf, co, last, values, fences=()):
        self.combination, self.events, self.values, self.last = combination, events, values, last
        self.n, self.kept = events.n, events.kept
        self.chosen = self.name_chosen(rf, co)
        self.chosen["sync_fence"] = Relation(r.make_relation(fences, self.n))

    def name_chosen(self, rf, pairs):
        named = self.events.names
        rf, co = r.make_relation(rf, self.n), r.make_relation(pairs, self.n)
        fr = r.difference(r.sequence(r.inverse(rf), co), named["id"].rows)
        chosen = {"rf": rf, "co": co, "fr": fr, "invrf": r.inverse(rf)}
        for name in ("rf", "co", "fr"):
            chosen[name + "e"] = r.intersection(chosen[name], named["ext"].rows)
            chosen[name + "i"] = r.intersection(chosen[name], named["int"].rows)
        found = {name: Relation(rows) for name, rows in chosen.items()}
        final = self.final_writes()
        found["FW"] = Set(r.make_set(final))
        writes = [e for e in range(self.n) if named["W"].members >> e & 1]
        found["co0"] = Relation(r.make_relation(
            ((a, b) for a in writes for b in writes if a != b and named["loc"].rows[a] >> b & 1
             and (self.events.all[a].thread is None or b in final and a not in final)), self.n))
        return found

    def final_writes(self):
        observed = self.events.observed()
        return {write for place, write in self.last.items() if place in observed}

    def lookup(self, name):
        """(value, whether it depends on rf or co), or None."""
        if name not in self.events.names:
            name = SAME.get(name, name)
        if name in self.chosen:
            return self.chosen[name], True
        if name in self.events.names:
            return self.events.names[name], False
        return None

    # ---- The final state ----

    def has_circle(self):
        any_value = {Read(e.thread, e.index) for e in self.combination.reads if "ANYVALUE" in e.tags}
        roots = {value.what[1] for value in self.values.values() if isinstance(value, Unknown) and value.what[0] in ("circle", "few")}
        return bool((roots | set(self.values.pins)) - any_value)

    def register(self, thread, name):
        """(type, value)"""
        register = self.combination.paths[thread].registers.get(name)
        if register is None:
            return None, 0
        return register.type, evaluate(register.term, self.values, SHOWN)

    def memory(self, name, index):
        place = self.events.test.place(Address(name, index or 0))
        location = self.events.test.locations[place.name]
        number = self.last.get(place)
        if number is None or self.events.all[number].thread is None:
            return location.type, self.combination.initial(place)
        for read in r.bits(self.chosen["rf"].rows[number]):     # in a cycle of values: theirs
            event = self.events.all[read]
            value = self.values[Read(event.thread, event.index)]
            if isinstance(value, Unknown) and "ANYVALUE" not in event.tags:
                return location.type, value
        return location.type, evaluate(self.events.all[number].value, self.values, SHOWN)
