"""What Python adds to the typelib: PyGObject loads it when `gi.repository.Rspcheck` is imported.

A method that takes the number of a state, an axiom, an event, … raises IndexError where there is no such number; in C
that is a critical message and NULL. Where lists are counted from their end, so are these: -1 is the last.
"""

import functools

from gi.module import get_introspection_module

Rspcheck = get_introspection_module("Rspcheck")

def counter(kind, name):
    """The method that counts what NAME numbers: n_states for state, state_names, …"""
    return next(getattr(kind, n) for n in vars(kind) if n.startswith("n_") and name.startswith(n[2:].rstrip("s")))


def checked(method, count):
    """`method`, whose last argument is an index below what `count` says of the arguments before it."""

    @functools.wraps(method)
    def call(self, *arguments):
        if not arguments:
            return method(self)  # PyGObject says what is missing
        *others, index = arguments
        n = count(self, *others)
        if not -n <= index < n:
            raise IndexError(f"{method.__name__} {index} of {n}")
        return method(self, *others, index + n if index < 0 else index)

    return call


for kind in dir(Rspcheck):
    kind = getattr(Rspcheck, kind)
    for name, method in list(vars(kind).items()) if isinstance(kind, type) else []:
        if hasattr(method, "get_arguments") and [a.get_name() for a in method.get_arguments()][-1:] == ["i"]:
            setattr(kind, name, checked(method, counter(kind, name)))

__all__ = []
