"""The functions that models find predefined (docs/cat.md, "Functions"): those of cat itself and those of
herd's stdlib.cat, cross.cat and filters.cat, each written from its definition."""

import itertools

import relations as r
from cat_values import NONE, Collection, ModelError, Relation, Set, elements

MOST_ORDERS = 3000  # total orders of one set; a model that asks for more is not evaluated


class TooMany(Exception):
    """More choices than are worth going through."""


def limited(orders):
    found = list(itertools.islice(orders, MOST_ORDERS + 1))
    if len(found) > MOST_ORDERS:
        raise TooMany
    return found


def is_tuple(value):
    return isinstance(value, tuple) and not hasattr(value, "_fields")


class Library:
    """Functions of one value (several arguments are a tuple) by name. `lookup` gives base relations."""

    def __init__(self, algebra, lookup, apply):
        self.a, self.lookup, self.apply = algebra, lookup, apply

    def find(self, name):
        names = {"fold": self.fold, "map": self.map, "toid": self.a.identity, "int": None,
                 "classes-loc": self.partition, "co-locs": self.co_locs, "fromto": self.fencerel}
        function = names.get(name) or getattr(self, "f_" + name, None) or self.filter(name)
        return function

    def filter(self, name):
        """WW(r), RM(r) …: r between events of these two kinds."""
        kinds = {"W": "W", "R": "R", "M": "M", "P": "na", "A": "A"}
        if len(name) != 2 or not set(name) <= set(kinds):
            return None
        left, right = (self.lookup(kinds[letter]) for letter in name)
        if "P" in name:
            left, right = (self.a.intersection(s, self.lookup("M")) for s in (left, right))
        return lambda value: self.a.intersection(value, self.a.product(left, right))

    # ---- Over sets of anything ----

    def fold(self, function):
        """fold f (s, x), and fold f s x"""
        def over(argument):
            if is_tuple(argument):
                return self.fold_over(function, *argument)
            return lambda start: self.fold_over(function, argument, start)
        return over

    def fold_over(self, function, values, result):
        for value in elements(values):
            result = self.apply(function, (value, result))
        return result

    def map(self, function):
        return lambda values: self.a.set_from(self.apply(function, v) for v in elements(values))

    def f_cross(self, choices):
        """Unions of one relation from each member."""
        total = Collection([NONE])
        for options in elements(choices):
            total = Collection([self.a.union(a, b) for a in total.items for b in elements(options)])
            if len(total.items) > MOST_ORDERS:
                raise TooMany
        return total

    # ---- Sets and relations ----

    def f_domain(self, value):
        return Set(r.domain(self.a.rows_of(value)))

    def f_range(self, value):
        return Set(r.range_of(self.a.rows_of(value)))

    def f_noid(self, value):
        return self.a.difference(Relation(self.a.rows_of(value)), self.lookup("id"))

    def f_imply(self, pair):
        return self.a.union(self.a.complement(Relation(self.a.rows_of(pair[0]))), pair[1])

    def f_nodetour(self, three):
        first, second, third = three
        return self.a.difference(first, self.a.sequence(second, third))

    def f_singlestep(self, value):
        return self.f_nodetour((value, value, value))

    def fencerel(self, fences):
        po, at = self.lookup("po"), self.a.identity(fences)
        return self.a.sequence(self.a.sequence(po, at), po)

    f_fencerel = fencerel

    def f_ctrlcfence(self, fences):
        to_fence = self.a.sequence(self.lookup("ctrl"), self.a.identity(fences))
        return self.a.sequence(to_fence, self.lookup("po"))

    def f_classes(self, value):
        return self.a.set_from(Set(c) for c in r.classes(self.a.rows_of(value)))

    def partition(self, value):
        """A set of accesses by location."""
        members = self.a.set_of(value)
        parts = (row & members for row in r.classes(self.lookup("loc").rows))
        return self.a.set_from(Set(part) for part in parts if part)

    f_partition = partition

    # ---- Total orders ----

    def f_linearisations(self, pair):
        members, given = self.a.set_of(pair[0]), self.a.rows_of(pair[1])
        orders = limited(r.linear_extensions(members, given))
        return Collection([Relation(order) for order in orders], "linearisations")

    def co_locs(self, argument):
        """co_locs(r, ss), and co_locs r ss"""
        if not is_tuple(argument):
            return lambda parts: self.co_locs((argument, parts))
        given, parts = argument
        return self.a.set_from(self.f_linearisations((part, given)) for part in elements(parts))

    f_co_locs = co_locs

    def f_generate_orders(self, argument):
        if not is_tuple(argument):
            return lambda given: self.f_generate_orders((argument, given))
        members, given = argument
        return self.f_cross(self.co_locs((given, self.partition(members))))

    def f_generate_cos(self, given):
        return self.f_generate_orders((self.lookup("W"), given))

    def f_tag2events(self, tag):
        """No event of these tests carries a tag of a model's own."""
        return NONE

    f_tag2instrs = f_tag2events

    def f_tag2scope(self, tag):
        levels = {"sub_group": "sg", "work_group": "wg", "device": "dev", "thread": "wi", "wi": "wi",
                  "sg": "sg", "wg": "wg", "dev": "dev", "kernel": "kernel"}
        if tag.name not in levels:
            raise ModelError(f"no level is called '{tag.name}")
        return self.lookup(levels[tag.name])
