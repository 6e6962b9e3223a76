"""The sets and relations that models of PTX and Vulkan name (docs/cat.md, "Predefined names")."""

import collections
import itertools

import relations as r
from base import Events
from c_types import Unsupported
from cat_values import Relation
from columns_words import TAGS


class ColumnsEvents(Events):
    """The events of a choice of paths of a PTX or Vulkan test, and of who meets at barriers: for each of these events,
    the barrier at that time, and whether its thread is one of those for which the others wait."""

    def __init__(self, test, paths, addresses, meetings=None):
        self.addresses, self.meetings = addresses, meetings
        super().__init__(test, paths, {event: test.place(at) for event, at in addresses.items()})

    def halves(self):
        """[(read, write)] of read-modify-writes"""
        return [(self.number[e.thread, e.half], i) for i, e in enumerate(self.all) if e.half is not None]

    def name_sets(self):
        self.set("R", lambda i, e: e.reads)
        self.set("W", lambda i, e: e.writes)
        self.set("M", lambda i, e: e.reads or e.writes)
        self.set("I", lambda i, e: e.thread is None)
        self.set("F", lambda i, e: not (e.reads or e.writes or e.tags & {"AVDEVICE", "VISDEVICE"})
                 and (e.meeting is None or e.tags & {"ACQ", "REL"}))
        self.set("L", lambda i, e: self.places[i] is not None and self.location(i).space == "local")
        halves = set(itertools.chain(*self.halves()))
        self.set("RMW", lambda i, e: i in halves)
        self.set("divergent_fence", lambda i, e: False)   # of kernels
        for tag in TAGS[self.test.language]:
            self.set(tag, lambda i, e, tag=tag: tag in e.tags)

    def name_program_relations(self):
        super().name_program_relations()
        every = self.all
        self.names["rmw"] = Relation(r.make_relation(self.halves(), self.n))
        meet = (self.meetings or {}).get
        self.relation("syncbar", lambda a, b: meet(a) is not None and meet(b) is not None and meet(a)[0] == meet(b)[0]
                      and meet(a)[1]
                      and every[a].thread != every[b].thread and not every[b].arrives and not self.only_waits(a)
                      and self.share(a, b, self.level_of(a)))
        self.relation("vloc", lambda a, b: self.of_one_place(a, b) and (
            None in (every[a].thread, every[b].thread) or self.address(a) == self.address(b)))
        self.relation("ssw", lambda a, b: (every[a].thread, every[b].thread) in self.test.ssw)
        self.relation("sr", lambda a, b: self.reaches(a, b) and self.reaches(b, a))

    def of_one_place(self, a, b):
        """Accesses of one place, or fences that name it."""
        places = [self.test.place(self.all[i].names) if self.all[i].names else self.places[i] for i in (a, b)]
        return None not in places and places[0] == places[1]

    def address(self, i):
        address = self.all[i].names or self.addresses[self.all[i].thread, self.all[i].index]
        return address._replace(name=self.test.handles.get(address.name, address.name))

    def share(self, a, b, level):
        tree = self.test.tree
        return tree[self.all[a].thread][level] == tree[self.all[b].thread][level]

    def reaches(self, a, b):
        level = self.all[a].level
        return level is not None and self.all[b].thread is not None and (level == "all" or self.share(a, b, level))

    def name_scope_relations(self):
        super().name_scope_relations()
        for name, level in (("scta", "wg"), ("sqf", "kernel"), ("sdv", "dev")):
            self.names[name] = self.names[level]

    def of_cluster(self, i):
        return self.all[i].meeting[0] == "cluster"

    def level_of(self, i):
        return "kernel" if self.of_cluster(i) else "wg"

    def only_waits(self, i):
        return self.of_cluster(i) and not self.all[i].arrives

    def come_to(self, barrier):
        """The arrivals of all threads at the same barrier for the same time."""
        return {i for i, event in enumerate(self.all) if event.meeting is not None and not self.only_waits(i)
                and event.meeting == self.all[barrier].meeting and self.share(barrier, i, self.level_of(barrier))}

    def barriers(self):
        """Of each thread that has any, in order."""
        own = {}
        for i, event in enumerate(self.all):
            if event.meeting is not None:
                own.setdefault(event.thread, []).append(i)
        return own

    def who_meets(self, variants):
        """Each choice of who meets at barriers, with which all threads go on."""
        if "phases" in variants:
            yield from Phases(self).all()
            return
        every = list(itertools.chain(*self.barriers().values()))
        for passing in subsets([i for i in every if self.all[i].quorum > 0]):
            enough = all(len(self.come_to(i) - passing) >= self.all[i].quorum for i in passing)
            if enough and not self.is_blocked(passing, "all-threads" in variants):
                yield {i: (self.all[i].meeting, i not in passing) for i in every}

    def is_blocked(self, passing, all_threads):
        """Does a thread wait at a barrier for ever? All that meet there must come to it, and be enough: as many as its
        quorum says or, without one, all that come to it; and if it waits for all threads, the others must end."""
        barriers = self.barriers()
        passed = dict.fromkeys(barriers, 0)

        def is_passed(barrier):
            event, come = self.all[barrier], self.come_to(barrier)
            meet = come - passing
            reached = {i for thread, own in barriers.items() for i in own[:passed[thread] + 1]}
            if all_threads and not event.quorum and not event.arrives:
                others = [t for t in barriers if passed[t] < len(barriers[t]) and self.share(barrier, barriers[t][0], self.level_of(barrier))]
                if any(t not in {self.all[i].thread for i in come & reached} for t in others):
                    return False
            return event.arrives or (len(meet) >= (event.quorum or len(come)) and meet <= reached)

        moved = True
        while moved:
            moved = False
            for thread, own in barriers.items():
                if passed[thread] < len(own) and is_passed(own[passed[thread]]):
                    passed[thread] += 1
                    moved = True
        return any(passed[thread] < len(own) for thread, own in barriers.items())

    def orders_of(self, place):
        """In PTX any partial order, with each write that can be last if somebody looks."""
        if self.test.language != "PTX":
            yield from super().orders_of(place)
            return
        writes, first = self.writes_to(place), self.initial[place]
        for order in partial_orders(writes):
            last = [a for a in writes if not any(a == b for b, _ in order)] or [first]
            for final in last if place in self.observed() else last[:1]:
                yield [(first, write) for write in writes] + list(order), final

    def fences(self):
        """The choices of sync_fence: pairs of fence.sc, of which those are related that are in each other's scope."""
        if self.test.language != "PTX":
            return [()]
        fences = list(r.bits(self.names["SC"].members))
        scopes = self.names["sr"].rows
        return [order for order in partial_orders(fences)
                if all((a, b) in order or (b, a) in order or not scopes[a] >> b & 1
                       for a, b in itertools.combinations(fences, 2))]


class Phases:
    """Barriers whose quorum completes a phase: every order in which threads may come to them."""

    def __init__(self, events):
        self.events, self.own = events, events.barriers()
        quorums = collections.defaultdict(set)
        for i in itertools.chain(*self.own.values()):
            quorums[self.place(i)].add(events.all[i].quorum)
        if any(map(events.of_cluster, itertools.chain(*self.own.values()))):
            raise Unsupported("a cluster's barrier")
        if any(len(some) > 1 for some in quorums.values()):
            raise Unsupported("a barrier with several quorums")

    def place(self, i):
        event = self.events.all[i]
        return event.meeting[0], event.meeting[2], self.events.test.tree[event.thread]["wg"]

    def all(self):
        """Each assignment of phases to barriers with which all threads go on."""
        start, seen, found = ((0,) * len(self.own), frozenset()), set(), set()
        states = [start]
        while states:
            state = states.pop()
            if state in seen:
                continue
            seen.add(state)
            if len(seen) > 20000:
                raise Unsupported("too many orders at barriers")
            passed, phases = state
            if all(n == len(own) for n, own in zip(passed, self.own.values())):
                found.add(phases)
            states += self.steps(passed, dict(phases))
        return [{i: ((self.place(i), phase), True) for i, phase in phases} for phases in found]

    def steps(self, passed, phases):
        """A state is how many of its barriers each thread is past, and the phases of those that it has come to."""
        for t, (n, own) in enumerate(zip(passed, self.own.values())):
            if n == len(own):
                continue
            i, later = own[n], passed[:t] + (n + 1,) + passed[t + 1:]
            if i not in phases:
                phase = self.current(i, phases)
                if phase is not None:
                    yield passed, frozenset((phases | {i: phase}).items())
            elif self.events.all[i].arrives or self.is_complete(i, phases):
                yield later, frozenset(phases.items())

    def of_phase(self, i, phase, phases):
        return {k for k, number in phases.items() if number == phase and self.place(k) == self.place(i)}

    def current(self, i, phases):
        """The phase in which a thread comes to the barrier now; None: it is still in that one."""
        event, phase = self.events.all[i], 0
        if not event.quorum:
            return event.meeting[1]
        while len(self.of_phase(i, phase, phases)) == event.quorum:
            phase += 1
        threads = {self.events.all[k].thread for k in self.of_phase(i, phase, phases)}
        return None if event.thread in threads else phase

    def is_complete(self, i, phases):
        come = self.of_phase(i, phases[i], phases)
        return len(come) == (self.events.all[i].quorum or len(self.events.come_to(i)))


def partial_orders(elements):
    """Every transitive and irreflexive relation on the elements, as sets of pairs: each new element comes after a
    downward closed set, and before an upward closed one that is all after the former."""
    if not elements:
        return [frozenset()]
    new, found = elements[-1], []
    for order in partial_orders(elements[:-1]):
        for below, above in itertools.product(subsets(elements[:-1]), repeat=2):
            pairs = order | {(a, new) for a in below} | {(new, b) for b in above}
            if not below & above and is_transitive(pairs):
                found.append(pairs)
    return found


def subsets(elements):
    return [frozenset(chosen) for n in range(len(elements) + 1) for chosen in itertools.combinations(elements, n)]


def is_transitive(pairs):
    return all((a, d) in pairs for a, b in pairs for c, d in pairs if b == c)
