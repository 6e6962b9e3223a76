"""Terms: what a thread knows about a value before its reads have returned.

A term is a value (c_types.py), what a read returns, or an operation or a conversion on terms.
"""

from collections import namedtuple

import c_types as c

Read = namedtuple("Read", "thread index")
Operation = namedtuple("Operation", "sign type a b")
Conversion = namedtuple("Conversion", "type a")

# A value in a thread: its type, its term, and the reads that it was computed from.
Value = namedtuple("Value", "type term reads", defaults=(frozenset(),))
# What an expression has become: its value; the events that its value needed; those and its side effects.
Done = namedtuple("Done", "value needed events")


def is_ground(term):
    return not isinstance(term, (Read, Operation, Conversion))


def convert(term, kind):
    return c.convert(term, kind) if is_ground(term) else Conversion(kind, term)


def operate(sign, a, b, kind):
    if is_ground(a) and is_ground(b):
        return c.operate(sign, a, b, kind)
    return Operation(sign, kind, a, b)


def reads_in(term):
    if isinstance(term, Read):
        return {term}
    if isinstance(term, Operation):
        return reads_in(term.a) | reads_in(term.b)
    return reads_in(term.a) if isinstance(term, Conversion) else set()


def compares(term):
    """Does a comparison decide the term's value?"""
    if isinstance(term, Operation):
        return term.sign in c.COMPARISONS or compares(term.a) or compares(term.b)
    return isinstance(term, Conversion) and (term.type == c.BOOL or compares(term.a))


def evaluate(term, values, settled=True):
    """The term's value, given each read's. settled: is what is unknown here unknown for good, and not only
    so far?"""
    if isinstance(term, Read):
        return values[term]
    if isinstance(term, Conversion):
        return c.convert(evaluate(term.a, values, settled), term.type, settled)
    if isinstance(term, Operation):
        a, b = evaluate(term.a, values, settled), evaluate(term.b, values, settled)
        return c.operate(term.sign, a, b, term.type, settled)
    return term
