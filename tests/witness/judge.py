"""What a model says about a test: states, numbers of executions, flags (spec/output.md)."""

from collections import namedtuple

import cat_evaluator
from c_types import Address, Pointer, Type, Unknown, convert
from cat_values import Relation
from executions import TooLarge

# states: text -> [executions, of these bad, whether the proposition holds]
Answer = namedtuple("Answer", "states positive negative bad flags cut")


def operands(proposition):
    if proposition[0] == "=":
        return list(proposition[1:])
    return [o for part in proposition[1:] for o in operands(part)]


def observables(test):
    """What the states show: registers by thread and name, then memory."""
    named = operands(test.question[1]) + test.shown
    registers = sorted({o for o in named if o[0] == "register"}, key=lambda o: o[1:])
    memory = {o for o in named if o[0] == "location"}
    return registers + sorted(memory, key=lambda o: (o[1], o[2] or 0))


def text_of(value):
    if isinstance(value, Unknown):
        return "?"
    if isinstance(value, Address):
        return f"{value.name}[{value.index}]" if value.index else str(value.name)
    return str(value)


def look_up(execution, operand):
    """(type, value)"""
    kind, *rest = operand
    if kind == "register":
        return execution.register(*rest)
    if kind == "location":
        return execution.memory(*rest)
    if kind == "address":
        return Pointer(None), Address(rest[0], rest[1] or 0)
    return None, rest[0]


def holds(proposition, execution):
    kind, *rest = proposition
    if kind == "true":
        return True
    if kind == "not":
        return not holds(rest[0], execution)
    if kind in ("and", "or"):
        first = holds(rest[0], execution)
        return holds(rest[1], execution) if first == (kind == "and") else first
    left, right = rest
    kind, value = look_up(execution, left)
    if right[0] == "location" and isinstance(kind, Pointer):
        right = ("address", *right[1:])
    other = look_up(execution, right)[1]
    if right[0] == "number" and isinstance(kind, Type):
        other = convert(other, kind)
    return value == other


def state_of(execution, shown):
    parts = []
    for operand in shown:
        value = text_of(look_up(execution, operand)[1])
        if operand[0] == "register":
            parts.append(f"{operand[1]}:{operand[2]}={value};")
        else:
            index = f"[{operand[2]}]" if operand[2] is not None else ""
            parts.append(f"{operand[1]}{index}={value};")
    return " ".join(parts)


def judge(test, candidates, model, skip=()):
    """The Answer, given the test's candidate executions; TooLarge where there are too many choices."""
    shown, states, flags = observables(test), {}, set()
    for execution, verdict in allowed(test, candidates, model, skip):
        text = state_of(execution, shown)
        entry = states.setdefault(text, [0, 0, holds(test.question[1], execution)])
        entry[0] += 1
        entry[1] += verdict.bad
        flags |= verdict.flags
        if execution.has_circle():
            flags.add("thin_air")
    return Answer(states, sum(n for n, _, yes in states.values() if yes),
                  sum(n for n, _, yes in states.values() if not yes),
                  sum(bad for _, bad, _ in states.values()), flags, candidates.was_truncated)


def allowed(test, candidates, model, skip):
    """Each execution that the filter keeps and the model allows, with the verdict; once per choice."""
    runs = 0
    for execution in candidates.executions:
        if test.filter and not holds(test.filter, execution):
            continue
        for verdict in cat_evaluator.verdicts(model, execution, candidates.options.variants, skip):
            runs += 1
            if runs > candidates.options.most:
                raise TooLarge
            if verdict.allowed and agrees(model, execution, verdict):
                yield execution, verdict


def agrees(model, execution, verdict):
    """Does a coherence order that the model has chosen fit the execution's own? (docs/cat.md, "With")"""
    for chosen, options, made_by in verdict.orders:
        if made_by != "linearisations":
            if is_by_location(execution, options) and not same_order(execution, chosen):
                return False
        elif is_of_all_writes(execution, options):
            same = same_last if cat_evaluator.mentions(model, OF_COHERENCE) else same_order
            if not same(execution, chosen):
                return False
    return True


OF_COHERENCE = ("co", "coe", "coi", "fr", "fre", "fri", "FW")


def is_of_all_writes(execution, options):
    """Are these orders of all writes, the initial write of each location first?"""
    names = execution.events.names
    first = options[0].rows
    ordered = sum(1 << a for a, row in enumerate(comparable(options[0])) if row)
    writes = names["W"].members
    lonely = writes & (writes - 1) == 0 and not any(first)
    return (ordered == writes or lonely) and all(
        not co0 & ~row for option in options for co0, row in zip(names["co0"].rows, option.rows))


def same_last(execution, chosen):
    """Does the chosen order have the same last write of each location?"""
    loc, writes = execution.events.names["loc"].rows, execution.events.names["W"].members
    last = sum(1 << a for a, row in enumerate(chosen.rows) if writes >> a & 1 and not row & loc[a])
    return last == execution.chosen["FW"].members


def comparable(order):
    return [row | sum(1 << b for b, other in enumerate(order.rows) if other >> a & 1)
            for a, row in enumerate(order.rows)]


def is_by_location(execution, options):
    """Are these all the total orders of some writes, location by location, with the initial first?"""
    names = execution.events.names
    writes, loc, co0 = names["W"].members, names["loc"].rows, names["co0"].rows
    if not options or not all(isinstance(option, Relation) for option in options):
        return False
    pairs = comparable(options[0])
    ordered = sum(1 << a for a, row in enumerate(pairs) if row)
    if ordered & ~writes or any(comparable(option) != pairs for option in options):
        return False
    for a, row in enumerate(pairs):
        if row >> a & 1 or ordered >> a & 1 and (row | 1 << a) & loc[a] != ordered & loc[a]:
            return False
        if any(co0[a] & row & ~option.rows[a] for option in options):
            return False
    return True


def same_order(execution, chosen):
    """Is the execution's own coherence that of the chosen order, between the writes that it orders?"""
    loc = execution.events.names["loc"].rows
    return all(row & same == co & pairs for row, same, co, pairs in zip(
        chosen.rows, loc, execution.chosen["co"].rows, comparable(chosen)))

