"""Sets and relations over the events 0 … n-1 of one execution.

A set is an int, bit i for event i. A relation is a tuple of n sets: row a holds the events that a is
related to. Nothing here knows what an event is.
"""


def bits(members):
    """The elements of a set, in order."""
    element = 0
    while members:
        if members & 1:
            yield element
        members >>= 1
        element += 1


def make_set(elements):
    members = 0
    for element in elements:
        members |= 1 << element
    return members


def make_relation(pairs, n):
    rows = [0] * n
    for a, b in pairs:
        rows[a] |= 1 << b
    return tuple(rows)


def pairs_of(rows):
    return [(a, b) for a, row in enumerate(rows) for b in bits(row)]


def union(r, s):
    return tuple(map(int.__or__, r, s))


def intersection(r, s):
    return tuple(map(int.__and__, r, s))


def difference(r, s):
    return tuple(a & ~b for a, b in zip(r, s))


def complement(r):
    everything = (1 << len(r)) - 1
    return tuple(everything & ~row for row in r)


def product(left, right, n):
    return tuple(right if left >> a & 1 else 0 for a in range(n))


def identity(members, n):
    return tuple(members & (1 << a) for a in range(n))


def inverse(r):
    return make_relation(((b, a) for a, b in pairs_of(r)), len(r))


def sequence(r, s):
    """a to c if r has a to b and s has b to c."""
    rows = []
    for row in r:
        reached = 0
        for b in bits(row):
            reached |= s[b]
        rows.append(reached)
    return tuple(rows)


def closure(r):
    """Transitive closure (Warshall)."""
    rows = list(r)
    for middle in range(len(rows)):
        through = rows[middle]
        for a, row in enumerate(rows):
            if row >> middle & 1:
                rows[a] |= through
    return tuple(rows)


def domain(r):
    return make_set(a for a, row in enumerate(r) if row)


def range_of(r):
    reached = 0
    for row in r:
        reached |= row
    return reached


def is_irreflexive(r):
    return not any(row >> a & 1 for a, row in enumerate(r))


def is_acyclic(r):
    return is_irreflexive(closure(r))


def linear_extensions(members, r):
    """The strict total orders on a set that extend a relation, paths of the relation outside the set
    included; none if the relation has a cycle through the set."""
    n = len(r)
    before = inverse(closure(r))

    def extend(left, order):
        if not left:
            rows = [0] * n
            later = 0
            for element in reversed(order):
                rows[element] = later
                later |= 1 << element
            yield tuple(rows)
        for element in bits(left):
            if not before[element] & left:
                yield from extend(left & ~(1 << element), order + [element])

    yield from extend(members, [])


def classes(r):
    """The classes of an equivalence, as sets, in the order of their first elements."""
    found = []
    for row in r:
        if row and row not in found:
            found.append(row)
    return found
