"""Values of cat and its operators.

A value is a Set, a Relation, a Collection (a set of sets, relations, tags, tuples …), an Event, a Tag, a
Python tuple, or a Python function of one value. A pair of events is an element of a relation. Some
literals are a set or a relation as the place demands: NONE (0, {}), ALL (unv), and rmw, which is a set
(of_rmw) until a relation is needed: its identity ("own"), or nothing ("lone", in C tests).
"""

from collections import namedtuple

import relations as r

Set = namedtuple("Set", "members of_rmw", defaults=("",))
Relation = namedtuple("Relation", "rows")
Event = namedtuple("Event", "number")
Tag = namedtuple("Tag", "name")
NONE, ALL = "nothing", "everything"


class ModelError(Exception):
    """The model cannot be evaluated."""


class Collection:
    """Distinct values in the order in which they came. made_by: "linearisations", if by it."""

    def __init__(self, items, made_by=None):
        self.made_by = made_by
        self.items = list({canonical(item): item for item in items}.values())

    def key(self):
        return frozenset(map(canonical, self.items))


def canonical(value):
    """Equal for equal values, whatever kind an empty one is of."""
    if value == NONE or isinstance(value, Set) and not value.members \
            or isinstance(value, Relation) and not any(value.rows):
        return NONE
    if isinstance(value, Collection):
        return value.key() if value.items else NONE
    if isinstance(value, Set):
        return Set(value.members)
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(map(canonical, value))
    return value


def is_event_pair(value):
    return (isinstance(value, tuple) and len(value) == 2 and not hasattr(value, "_fields")
            and all(isinstance(part, Event) for part in value))


def elements(value):
    if value == NONE:
        return []
    if isinstance(value, Set):
        return [Event(e) for e in r.bits(value.members)]
    if isinstance(value, Relation):
        return [(Event(a), Event(b)) for a, b in r.pairs_of(value.rows)]
    if isinstance(value, Collection):
        return list(value.items)
    raise ModelError(f"this has no elements: {value}")


class Algebra:
    """The operators, over n events."""

    def __init__(self, n):
        self.n = n
        self.events = (1 << n) - 1

    # ---- What a literal is here ----

    def set_of(self, value):
        if isinstance(value, Set):
            return value.members
        if value in (NONE, ALL):
            return 0 if value == NONE else self.events
        raise ModelError("a set is needed here")

    def rows_of(self, value):
        if isinstance(value, Relation):
            return value.rows
        if isinstance(value, Set) and value.of_rmw:
            return r.identity(value.members if value.of_rmw == "own" else 0, self.n)
        if value in (NONE, ALL):
            return (0 if value == NONE else self.events,) * self.n
        raise ModelError("a relation is needed here")

    def set_from(self, items):
        """The set of these values."""
        items = list(items)
        if not items:
            return NONE
        if all(isinstance(item, Event) for item in items):
            return Set(r.make_set(item.number for item in items))
        if all(map(is_event_pair, items)):
            return Relation(r.make_relation(((a.number, b.number) for a, b in items), self.n))
        return Collection(items)

    # ---- Operators ----

    def lattice(self, a, b, on_relations, on_sets, on_collections):
        if isinstance(a, Relation) or isinstance(b, Relation):
            return Relation(on_relations(self.rows_of(a), self.rows_of(b)))
        if isinstance(a, Collection) or isinstance(b, Collection):
            return self.set_from(on_collections(elements(a), elements(b)))
        if isinstance(a, Set) or isinstance(b, Set):
            return Set(self.events & on_sets(self.set_of(a), self.set_of(b)))
        raise ModelError("sets or relations are needed here")

    def union(self, a, b):
        if a in (NONE, ALL) and b in (NONE, ALL):
            return ALL if ALL in (a, b) else NONE
        return self.lattice(a, b, r.union, int.__or__, lambda x, y: x + y)

    def intersection(self, a, b):
        if a in (NONE, ALL) and b in (NONE, ALL):
            return NONE if NONE in (a, b) else ALL
        return self.lattice(a, b, r.intersection, int.__and__,
                            lambda x, y: [v for v in x if canonical(v) in set(map(canonical, y))])

    def difference(self, a, b):
        if a in (NONE, ALL) and b in (NONE, ALL):
            return ALL if a == ALL and b == NONE else NONE
        return self.lattice(a, b, r.difference, lambda x, y: x & ~y,
                            lambda x, y: [v for v in x if canonical(v) not in set(map(canonical, y))])

    def complement(self, a):
        if a in (NONE, ALL):
            return ALL if a == NONE else NONE
        if isinstance(a, Relation):
            return Relation(r.complement(a.rows))
        return Set(self.events & ~self.set_of(a))

    def add(self, element, to):
        return self.set_from([element] + elements(to))

    def sequence(self, a, b):
        return Relation(r.sequence(self.rows_of(a), self.rows_of(b)))

    def product(self, a, b):
        return Relation(r.product(self.set_of(a), self.set_of(b), self.n))

    def identity(self, a):
        return Relation(r.identity(self.set_of(a), self.n))

    def postfix(self, sign, a):
        if sign == "^2":
            return self.product(a, a)
        rows = self.rows_of(a)
        if sign == "^-1":
            return Relation(r.inverse(rows))
        if sign in "+*":
            rows = r.closure(rows)
        if sign in "?*":
            rows = r.union(rows, r.identity(self.events, self.n))
        return Relation(rows)

    def holds(self, test, value):
        """acyclic, irreflexive, empty"""
        if test == "empty":
            return value != ALL and canonical(value) == NONE or value == ALL and self.n == 0
        return (r.is_acyclic if test == "acyclic" else r.is_irreflexive)(self.rows_of(value))

    def equal(self, a, b):
        if ALL in (a, b):
            other = b if a == ALL else a
            is_set = isinstance(other, Set)
            a, b = (Set(self.set_of(v)) if is_set else Relation(self.rows_of(v)) for v in (a, b))
        return canonical(a) == canonical(b)

    def is_subset(self, a, b):
        return self.holds("empty", self.difference(a, b))
