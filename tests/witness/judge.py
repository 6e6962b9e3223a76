"""What a model says about a test: states, numbers of executions, flags (spec/output.md)."""

import copy
import itertools
from collections import Counter, namedtuple

import cat_evaluator
from c_types import COMPARISONS, INTEGER, Address, Pointer, Type, Unknown, Unsupported, convert, split
from cat_values import Relation
from executions import TooLarge
from litmus_syntax import operands

# states: text -> [executions, of these bad]
Answer = namedtuple("Answer", "states positive negative undetermined bad flags cut")
OTHERS = {77, 1000003}                          # numbers that no question asks for, in a byte and beyond


def observables(test):
    """What the states show: registers by thread and name, then memory."""
    named = operands(test.question[1]) + test.shown
    registers = sorted({o for o in named if o[0] == "register"}, key=lambda o: o[1:])
    memory = {o[:1] + (test.aliases.get(o[1], o[1]),) + o[2:] for o in named if o[0] == "location"}
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
    sign, (left, right) = kind, rest
    kind, value = look_up(execution, left)
    if right[0] == "location" and isinstance(kind, Pointer):
        right = ("address", *right[1:])
    other = look_up(execution, right)[1]
    if right[0] == "number" and isinstance(kind, Type):
        same = [Type(kind.bits, not kind.signed), kind]
        other = convert(other, kind) if any(convert(other, k) == other for k in same) else None
    if sign not in ("==", "!=") and not (isinstance(value, int) and isinstance(other, int)):
        raise Unsupported("an order of values that are no numbers")
    return bool(INTEGER[sign](value, other, kind))


def compares_places(proposition):
    """rspcheck knows which numbers of the question a value is not, but not which of those in other places."""
    if proposition[0] in COMPARISONS:
        return all(operand[0] in ("register", "location") for operand in proposition[1:])
    return any(compares_places(part) for part in proposition[1:])


def answers(test, execution):
    """The answers of the question, for all numbers that the values may be which nothing determines and for which the
    filter holds: some of those that the test asks for, and another one."""
    questions = [test.question[1]] + ([test.filter] if test.filter else [])
    values = [look_up(execution, o)[1] for question in questions for o in operands(question)]
    apart = [split(value) for value in values if isinstance(value, Unknown)]
    bases = sorted({base for base, _ in apart}, key=str)
    if any(base.what[0] not in ("circle", "few") for base in bases):
        raise Unsupported("a question about a value that is computed")
    asked = {value for value in values if isinstance(value, int)}
    asked = {number - offset for number in asked for _, offset in [*apart, (None, 0)]}
    found, reads = set(), [base.what[1] for base in bases]
    for numbers in itertools.product(sorted(asked | OTHERS), repeat=len(bases)):
        concrete = copy.copy(execution)
        types = [execution.combination.type_of(read) for read in reads]
        pins = {read: convert(number, kind) for read, number, kind in zip(reads, numbers, types)}
        concrete.values = execution.values.assume(pins) if bases else execution.values
        if concrete.values is None:
            if OTHERS & set(numbers):
                raise Unsupported("an equation that is not solved")
        elif not test.filter or holds(test.filter, concrete):
            found.add(holds(test.question[1], concrete))
    if bases and len(found) == 1 and any(compares_places(question) for question in questions):
        raise Unsupported("a comparison with what another place holds, with a known answer")
    if bases and len(found) == 1 and len({e.type.bits for e in execution.combination.reads if isinstance(e.type, Type)}) > 1:
        raise Unsupported("a value that a conversion may cut, with a known answer")
    return found


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
    shown, states, flags, counts = observables(test), {}, set(), Counter()
    for execution, verdict in allowed(test, candidates, model, skip):
        text = state_of(execution, shown)
        entry = states.setdefault(text, [0, 0])
        entry[0] += 1
        entry[1] += verdict.bad
        counts[frozenset(answers(test, execution))] += 1
        flags |= verdict.flags
        if execution.has_circle():
            flags.add("thin_air")
    return Answer(states, counts[frozenset({True})], counts[frozenset({False})], counts[frozenset({False, True})],
                  sum(bad for _, bad in states.values()), flags, candidates.was_truncated)


def allowed(test, candidates, model, skip):
    """Each execution that the filter keeps and the model allows, with the verdict; once per choice."""
    runs = 0
    names_co = "withco" in model.options or cat_evaluator.mentions(model, OF_COHERENCE)
    names_any = "withanyvalue" in model.options or cat_evaluator.mentions(model, ["ANYVALUE"])
    parts = ["rf", "FW"] + ["co"] * names_co + ["sync_fence"] * cat_evaluator.mentions(model, ["sync_fence"])
    for execution in of_different_choices(candidates, parts):
        if not names_any and any("ANYVALUE" in event.tags for event in execution.combination.reads):
            continue
        why_open = execution.values.why_open
        if test.filter and not why_open and not answers(test, execution):
            continue
        for verdict in cat_evaluator.verdicts(model, execution, candidates.options.variants, skip):
            runs += 1
            if runs > candidates.options.most:
                raise TooLarge
            if verdict.allowed and (not names_co or agrees(execution, verdict)):
                if why_open:
                    raise why_open
                yield execution, verdict


OF_COHERENCE = ("co", "coe", "coi", "fr", "fre", "fri")


def of_different_choices(candidates, parts):
    """Of the executions that differ in nothing else but what the model does not name, such as the order of
    writes before the final ones of observed locations, one."""
    seen = set()
    for execution in candidates.executions:
        choices = (id(execution.combination), id(execution.events), *(execution.chosen[part] for part in parts))
        if choices not in seen:
            seen.add(choices)
            yield execution


def agrees(execution, verdict):
    """Does a coherence order that the model has chosen fit the execution's own? (docs/cat.md, "With")"""
    taken = [0] * execution.n
    for chosen, options, made_by in verdict.orders:
        if made_by == "linearisations" or not is_by_location(execution, options):
            continue
        pairs = between_threads_writes(execution, options)
        if any(old & new for old, new in zip(taken, pairs)):
            continue                                          # a second order of the same writes
        taken = [old | new for old, new in zip(taken, pairs)]
        if not same_order(execution, chosen):
            return False
    return True


def between_threads_writes(execution, options):
    """The pairs that these orders order, but those of initial writes."""
    initial = execution.events.names["I"].members
    return [0 if initial >> a & 1 else row & ~initial for a, row in enumerate(comparable(options[0]))]


def comparable(order):
    return [row | sum(1 << b for b, other in enumerate(order.rows) if other >> a & 1)
            for a, row in enumerate(order.rows)]


def is_by_location(execution, options):
    """Are these all the total orders of some writes, location by location, with the initial first?"""
    names = execution.events.names
    writes, loc, co0 = names["W"].members, names["loc"].rows, execution.chosen["co0"].rows
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

