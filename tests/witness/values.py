"""What the reads return, given the paths and reads-from: solved, never guessed.

Every read starts as unknown and becomes known when the value of the write that it reads from does. Those
that never do are in circles (or take their value from one): they stay undetermined, one unknown for each
circle (spec/litmus.md, "Thin air"). A circle whose equations no value solves, such as x = x + 1, is not an
execution.
"""

from functools import lru_cache

from c_types import COMPARISONS, SHOWN, Unknown, Unsupported, convert, operate, split
from terms import Conversion, Operation, compares, evaluate, is_ground, reads_in

SAMPLES = [*range(-300, 300), 1000, 1 << 31, -(1 << 31), (1 << 31) - 1, 1 << 63, (1 << 64) - 1, 65535, 65536]
FEW = 16


class Values(dict):
    """What reads return. pins: read -> the number that it returns because a branch was taken that asks for it.
    assume: the Values with more such numbers, or None if they do not fit. why_open: why the witness cannot tell them."""
    pins = {}
    assume = None
    why_open = None


def solve(sources, pins=()):
    """read -> value, from read -> (type of the read, term that it reads); None if there is none. pins: numbers that
    reads return; None if the reads' sources do not give them."""
    pins = dict(pins)
    pinned = {read: (kind, pins.get(read, term)) for read, (kind, term) in sources.items()}
    values = follow(pinned, pinned)
    pending = [read for read in sources if is_pending(values[read])]
    values = settle(pending, pinned, values, SHOWN) if pending else values
    for read, number in pins.items() if values is not None else ():
        again = convert(evaluate(sources[read][1], values, SHOWN), sources[read][0], SHOWN)
        if isinstance(again, Unknown):
            raise Unsupported("a number that another circle gives")
        if again != number:
            return None
    return values


def equation(term, answer, values, sources):
    """The read and the number that make a condition true which is not determined; none if it is no equation."""
    while isinstance(term, Conversion):
        term = term.a
    if not isinstance(term, Operation) or term.sign not in COMPARISONS:
        if isinstance(term, Operation) and term.sign in ("&", "|", "^"):
            raise Unsupported("a condition of several parts on a value that nothing determines")
        sides, is_equation = (evaluate(term, values, SHOWN), 0), not answer
    else:
        sides = evaluate(term.a, values, SHOWN), evaluate(term.b, values, SHOWN)
        is_equation = term.sign == ("==" if answer else "!=")
    if not is_equation:
        return {}
    value, number = sides if isinstance(sides[1], int) else sides[::-1]
    base, offset = split(value)
    if not isinstance(number, int) or base.what[0] not in ("circle", "few"):
        raise Unsupported("an equation of values that are computed")
    return {base.what[1]: convert(number - offset, sources[base.what[1]][0])}


def follow(sources, reads, known=()):
    """What these reads return as far as the sources known so far say; the others are pending."""
    values = {read: Unknown(("pending", read)) for read in reads}
    values.update(known)
    changed = True
    while changed:
        changed = False
        for read, (kind, term) in sources.items():
            if is_pending(values[read]):
                value = convert(evaluate(term, values, False), kind, False)
                if not isinstance(value, Unknown):
                    values[read], changed = value, True
    return values


def may_hold(conditions, values):
    """Is none of the conditions of a path, (term, whether it is true), known to be wrong?"""
    for term, answer in conditions:
        value = evaluate(term, values, False)
        if not isinstance(value, Unknown) and (value != 0) != answer:
            return False
    return True


def is_pending(value):
    return isinstance(value, Unknown) and value.what[0] == "pending"


def settle(pending, sources, values, settled):
    """Gives each circle of pending reads its unknown, and the reads behind the circles their values."""
    needs = {read: reads_in(sources[read][1]) & set(pending) for read in pending}
    reach = {read: reachable(read, needs) for read in pending}
    circles = [read for read in pending if read in reach[read]]
    for read in circles:
        circle = [r for r in circles if r in reach[read] and read in reach[r]]
        if read == circle[0] and not has_solution(circle, needs, sources, values):
            return None
        if any(compares(sources[r][1]) for r in circle):
            raise Unsupported("an equation that compares")
        few = any(has_few_values(sources[r][1]) for r in circle)
        values[read] = Unknown(("few" if few else "circle", circle[0]))
    rest = [read for read in pending if read not in circles]
    while rest:
        for read in [r for r in rest if not needs[r] & set(rest)]:
            kind, term = sources[read]
            same_write = [r for r in circles if sources[r][1] is term]
            values[read] = values[same_write[0]] if same_write else convert(
                evaluate(term, values, settled), kind, settled)
            rest.remove(read)
    return values


def reachable(start, needs):
    found, front = set(), [start]
    while front:
        for read in needs[front.pop()] - found:
            found.add(read)
            front.append(read)
    return found


def has_solution(circle, needs, sources, values):
    """Do some values of the circle's reads solve its equations?"""
    if any(needs[read] - set(circle) for read in circle):
        raise Unsupported("a circle of values behind another")
    others = {read for member in circle for read in reads_in(sources[member][1])} - set(circle)
    return fits(tuple((read, *sources[read]) for read in circle), tuple((read, values[read]) for read in sorted(others)))


@lru_cache(maxsize=1 << 16)
def fits(equations, others):
    """Tries values of one read of a circle. Without one that fits: where the circle adds a constant, or
    gives few values, none does; of others the witness cannot say. equations: (read, type, term); others: what the
    other reads in them return."""
    first, kind, term = equations[0]
    around = {read: equation for read, *equation in equations[1:]}
    known = dict(others)

    def once(value):
        found = follow(around, around, {**known, first: value})
        return convert(evaluate(term, found, False), kind, False)

    tried = {convert(value, kind) for value in SAMPLES}
    images = {value: once(value) for value in tried}
    if any(isinstance(image, Unknown) for image in images.values()):
        raise Unsupported("a circle of values within another")
    if any(once(image) == image for image in set(images.values()) | {
            value for value, image in images.items() if value == image}):
        return True
    steps = {operate("-", image, value, kind) for value, image in images.items()}
    if len(steps) > 1 and (len(set(images.values())) > FEW or not has_few_values(term)):
        raise Unsupported("an equation that is not solved")
    return False


def has_few_values(term):
    """Does the outermost operator show it?"""
    if isinstance(term, Conversion):
        return has_few_values(term.a)
    return isinstance(term, Operation) and (term.sign in COMPARISONS or term.sign in ("&", "%") and is_ground(term.b))
