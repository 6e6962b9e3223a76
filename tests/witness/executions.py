"""Candidate executions of a test, by brute force: every choice of paths, of a write for each read, and of
an order of each location's writes, whose values fit. What a model sees of one is in base.py."""

import itertools
from collections import namedtuple
from dataclasses import replace

from base import Events, Execution
from c_types import Address, Pointer, SHOWN, Undefined, Unknown, Unsupported
from columns_base import ColumnsEvents
from columns_paths import ColumnsWalk
from columns_words import TAGS
from paths import Walk, paths_of
from litmus_syntax import operands
from terms import evaluate, is_ground, Read, reads_in
from values import Values, equation, follow, may_hold, solve

INITIAL = "initial"


class TooLarge(Exception):
    """More candidates than are worth going through."""


# What may differ between runs. most: executions of a test; variants: of the model and of the tests.
Options = namedtuple("Options", "most variants unroll", defaults=((), 2))


class Candidates:
    """The candidate executions of a test; TooLarge if there are too many."""

    def __init__(self, test, options):
        self.test, self.options = test, options
        self.tried = self.made = 0
        self.was_truncated = False                  # some execution that fits may need more rounds of a loop
        self.executions = list(self.all())

    def all(self):
        """Each Execution of the test."""
        kind = ColumnsWalk if self.test.language in TAGS else Walk
        threads = [paths_of(self.test, t, self.options, kind) for t in range(len(self.test.threads))]
        if "ANYVALUE" in TAGS.get(self.test.language, ()):
            threads = [joined(paths, registers_in_question(self.test, t)) for t, paths in enumerate(threads)]
            threads = [[fork for path in paths for fork in with_any_values(self.test, path, threads[:t] + threads[t + 1:])]
                       for t, paths in enumerate(threads)]
        for paths in itertools.product(*threads):
            yield from Combination(self, paths).executions()


def registers_in_question(test, thread):
    """Names of the thread's registers that states show."""
    asked = operands(test.question[1]) + (operands(test.filter) if test.filter else []) + test.shown
    return {o[2] for o in asked if o[:2] == ("register", thread)}


def joined(paths, shown):
    """Paths that do the same whether a condition holds or not become one, which does not ask: its value is not used."""
    groups = {}
    for path in paths:
        conditions = dict(path.conditions)
        if all(conditions[term] == answer for term, answer in path.conditions):
            ends_with = tuple((name, path.registers[name]) for name in sorted(shown & set(path.registers)))
            does = (tuple(tuple(vars(event).values()) for event in path.events), ends_with, path.end)
            groups.setdefault(does, []).append((set(path.conditions), path))
    return [path._replace(conditions=sorted(conditions, key=repr)) for alike in groups.values()
            for conditions, path in without_neighbours(alike)]


def without_neighbours(alike):
    """Pairs of conditions and a path, where no two conditions differ in one answer alone, or one implies the other."""
    for a, b in itertools.permutations(alike, 2):
        differs = a[0] - b[0]
        if not differs or len(differs) == 1 and {(term, not answer) for term, answer in differs} == b[0] - a[0]:
            return without_neighbours([(a[0] & b[0], a[1])] + [other for other in alike if other not in (a, b)])
    return alike


def with_any_values(test, path, others):
    """The path, once for each choice of reads that return any value: of those of what another thread writes whose values
    the path's conditions, writes and registers use."""
    terms = [term for term, _ in path.conditions] + [event.value for event in path.events if event.writes]
    named = registers_in_question(test, path.events[0].thread) if path.events else ()
    terms += [value.term for name, value in path.registers.items() if name in named]
    terms += [event.address for event in path.events if event.reads or event.writes]
    uses = set().union(*map(reads_in, terms))
    writes = [event for paths in others for other in paths for event in other.events if event.writes]
    used = [e.index for e in path.events if e.reads and Read(e.thread, e.index) in uses
            and any(may_meet(test, write, e) for write in writes)]
    for chosen in itertools.product([set(), {"ANYVALUE"}], repeat=len(used)):
        more = {index: {"USED"} | tags for index, tags in zip(used, chosen)}
        yield path._replace(events=[replace(e, tags=e.tags | more[e.index]) if e.index in more else e for e in path.events])


def may_meet(test, write, read):
    """May the read take its value from the write, as far as their addresses are known?"""
    if write is read or isinstance(write.type, Pointer) != isinstance(read.type, Pointer):
        return False
    if write.no_source is not None and (write.thread, write.no_source) == (read.thread, read.index):
        return False                     # of the same compare-exchange
    return test.place(write.address) == test.place(read.address) or not is_ground(write.address) or not is_ground(read.address)


class Combination:
    """One path of each thread."""

    def __init__(self, candidates, paths):
        self.candidates, self.test, self.paths = candidates, candidates.test, paths
        self.events = [event for path in paths for event in path.events]
        self.reads = [e for e in self.events if e.reads]
        self.writes = [e for e in self.events if e.writes]
        self.conditions = [condition for path in paths for condition in path.conditions]
        self.known = {}                       # addresses -> Events

    def executions(self):
        for sources in self.choices():
            try:
                values = self.fitting_values(sources)
            except Unsupported as why:
                values = self.without_values(why)
            if values is not None:
                yield from self.orders(sources, *values)

    def without_values(self, why):
        """What fitting_values would return, for a model to forbid: of values that the witness cannot tell."""
        accesses = [event for event in self.events if event.reads or event.writes]
        if not all(is_ground(event.address) for event in accesses) or any(path.end == "undefined" for path in self.paths):
            raise why
        values = Values()
        values.why_open = why
        return values, {(event.thread, event.index): event.address for event in accesses}

    # ---- Reads-from and values ----

    def choices(self, sources=()):
        """Sources of the reads, one for each; not those that are known not to fit the conditions."""
        candidates = self.candidates
        candidates.tried += 1
        if candidates.tried > 10 * candidates.options.most:
            raise TooLarge
        if not self.may_fit(sources):
            return
        if len(sources) == len(self.reads):
            yield sources
            return
        read = self.reads[len(sources)]
        for source in [INITIAL] + self.writes:
            if source is INITIAL or may_meet(self.test, source, read):
                yield from self.choices(sources + (source,))

    def may_fit(self, sources):
        if not self.conditions:
            return True
        terms = {}
        for read, source in zip(self.reads, sources):
            if source is not INITIAL:
                terms[Read(read.thread, read.index)] = (read.type, self.any_value(read, source.value))
            elif is_ground(read.address):
                terms[Read(read.thread, read.index)] = (read.type, self.any_value(read, self.initial(read.address)))
        try:
            values = follow(terms, [Read(read.thread, read.index) for read in self.reads])
            return may_hold(self.conditions, values)
        except Undefined:
            return True

    def fitting_values(self, sources):
        """(values of the reads, address of each access), or None if they do not fit."""
        terms = {}
        try:
            if any(source is INITIAL and not is_ground(read.address)
                   for read, source in zip(self.reads, sources)):
                return self.by_addresses(sources)
            for read, source in zip(self.reads, sources):
                term = self.initial(read.address) if source is INITIAL else source.value
                terms[Read(read.thread, read.index)] = (read.type, self.any_value(read, term))
            return self.checked(sources, terms, solve(terms))
        except Undefined as why:
            raise Unsupported(f"undefined behaviour of C: {why}") from why

    @staticmethod
    def any_value(read, term):
        """What a read returns: the term of its source, or any value, which justifies itself."""
        return Read(read.thread, read.index) if "ANYVALUE" in read.tags else term

    def by_addresses(self, sources):
        """Initial writes of locations that values decide: tries each location for each such read."""
        open_reads = [read for read, source in zip(self.reads, sources)
                      if source is INITIAL and not is_ground(read.address)]
        names = {name: name for name in self.test.locations} | self.test.aliases
        places = [[Address(name, i) for name, location in ((n, self.test.locations[of]) for n, of in names.items())
                   if isinstance(location.type, Pointer) == isinstance(read.type, Pointer)
                   for i in range(len(location.values))] for read in open_reads]
        for chosen in itertools.product(*places):
            at = {(r.thread, r.index): place for r, place in zip(open_reads, chosen)}
            terms = {}
            for read, source in zip(self.reads, sources):
                place = at.get((read.thread, read.index), read.address)
                term = self.initial(place) if source is INITIAL else source.value
                terms[Read(read.thread, read.index)] = (read.type, self.any_value(read, term))
            values = solve(terms)
            if values is not None and all(evaluate(r.address, values, SHOWN) == place for r, place in zip(open_reads, chosen)):
                return self.checked(sources, terms, values)
        return None

    def checked(self, sources, terms, values, pins=()):
        """(the values, address of each access), or None"""
        if values is None:
            return None
        pins = dict(pins)
        for term, answer in self.conditions:
            value = evaluate(term, values, SHOWN)
            if isinstance(value, Unknown):
                more = {**pins, **equation(term, answer, values, terms)}
                if more != pins:
                    return self.checked(sources, terms, solve(terms, more), more)
            elif (value != 0) != answer:
                return None
        addresses = {}
        for event in self.events:
            if event.reads or event.writes:
                address = evaluate(event.address, values, SHOWN)
                if isinstance(address, Unknown):
                    raise Unsupported("an address that nothing determines")
                addresses[event.thread, event.index] = address
        for read, source in zip(self.reads, sources):
            if source is not INITIAL and self.test.place(addresses[read.thread, read.index]) \
                    != self.test.place(addresses[source.thread, source.index]):
                return None
        for address in addresses.values():
            self.initial(address)
        for event in self.writes:
            evaluate(event.value, values, SHOWN)
        self.check_ends()
        found = Values(values)
        found.pins = pins
        found.assume = lambda more: (self.checked(sources, terms, solve(terms, {**pins, **more}), {**pins, **more})
                                     or (None,))[0]
        return found, addresses

    def check_ends(self):
        for path in self.paths:
            if path.end == "undefined":
                raise Unsupported("undefined behaviour of C")

    def type_of(self, read):
        return next(e.type for e in self.reads if (e.thread, e.index) == (read.thread, read.index))

    def initial(self, address):
        """The value that a location starts with."""
        address = self.test.place(address)
        location = self.test.locations.get(address.name) if isinstance(address, Address) else None
        if location is None or not 0 <= address.index < len(location.values):
            raise Unsupported("an access outside of every object")
        value = location.values[address.index]
        return Address(*value[1:]) if isinstance(value, tuple) else value

    # ---- Coherence ----

    def orders(self, sources, values, addresses):
        if any(path.end == "cut" for path in self.paths):
            self.candidates.was_truncated = True
            return
        key = tuple(addresses.values())
        if key not in self.known:
            self.known[key] = self.events_at(addresses)
        for events in self.known[key]:
            yield from self.orders_among(events, sources, values)

    def events_at(self, addresses):
        """For each choice of who meets at barriers that lets all threads go on."""
        if self.test.language not in TAGS:
            return [Events(self.test, self.paths, addresses)]
        choices = ColumnsEvents(self.test, self.paths, addresses).who_meets(self.candidates.options.variants)
        return [ColumnsEvents(self.test, self.paths, addresses, meetings) for meetings in choices]

    def orders_among(self, events, sources, values):
        rf = []
        for read, source in zip(self.reads, sources):
            here = events.number[read.thread, read.index]
            if source is INITIAL:
                rf.append((events.initial[events.places[here]], here))
            else:
                rf.append((events.number[source.thread, source.index], here))
        for *orders, fences in itertools.product(*map(events.orders_of, events.initial), events.fences()):
            self.candidates.made += 1
            if self.candidates.made > self.candidates.options.most:
                raise TooLarge
            last = {place: final for place, (_, final) in zip(events.initial, orders)}
            yield Execution(self, events, rf, [pair for pairs, _ in orders for pair in pairs], last, values, fences)
