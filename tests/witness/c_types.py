"""C's integer types and their arithmetic, on values that are ints, pointers, or not determined.

Values are 64 bits wide at most and wrap, signed ones too (docs/litmus.md, "What a thread means").
"""

from collections import namedtuple

Type = namedtuple("Type", "bits signed")        # an integer; one bit: _Bool
Pointer = namedtuple("Pointer", "to atomic", defaults=(False,))
Address = namedtuple("Address", "name index")   # a value: the address of an element of a location
Unknown = namedtuple("Unknown", "what")         # a value that nothing determines; equal whats, equal values

INT, BOOL, LONG = Type(32, True), Type(1, False), Type(64, True)
UINT, ULONG = Type(32, False), Type(64, False)
NAMED = {"char": Type(8, True), "short": Type(16, True), "int": INT, "long": LONG, "bool": BOOL,
         "_Bool": BOOL, "uchar": Type(8, False), "ushort": Type(16, False), "uint": UINT,
         "ulong": ULONG, "size_t": ULONG, "ptrdiff_t": LONG, "intptr_t": LONG, "uintptr_t": ULONG,
         "intmax_t": LONG, "uintmax_t": ULONG, "flag": BOOL, "schar": Type(8, True), "llong": LONG,
         "ullong": ULONG, "void": INT,
         **{f"int{b}_t": Type(b, True) for b in (8, 16, 32, 64)},
         **{f"uint{b}_t": Type(b, False) for b in (8, 16, 32, 64)}}


class Undefined(Exception):
    """C gives the operation no meaning: division by zero, a shift by too much …"""


class Unsupported(Exception):
    """Something that the witness does not decide."""


def promote(kind):
    return INT if isinstance(kind, Type) and kind.bits < 32 else kind


def common(a, b):
    """The usual arithmetic conversions."""
    a, b = promote(a), promote(b)
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    return a if not a.signed else b


def convert(value, kind, settled=True):
    if isinstance(kind, Pointer) or isinstance(value, Address):
        if kind == BOOL:
            return 1
        if isinstance(kind, Type) and kind.bits < 64:
            raise Unsupported("an address as a short integer")
        return value
    if isinstance(value, Unknown):
        if kind.bits == 1:
            return of_unknown("!=", value, 0, kind, settled)
        same = settled or kind.bits == 64 or value.what[:2] == ("converted", kind)
        return value if same else Unknown(("converted", kind, value))
    if kind.bits == 1:
        return int(value != 0)
    value &= (1 << kind.bits) - 1
    return value - (1 << kind.bits) if kind.signed and value >> kind.bits - 1 else value


def quotient(a, b):
    if b == 0:
        raise Undefined("division by zero")
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def shift(a, b, kind):
    if not 0 <= b < kind.bits:
        raise Undefined("a shift by too much")
    return b


COMPARISONS = ("==", "!=", "<", ">", "<=", ">=")
INTEGER = {
    "+": lambda a, b, k: a + b, "-": lambda a, b, k: a - b, "*": lambda a, b, k: a * b,
    "/": lambda a, b, k: quotient(a, b), "%": lambda a, b, k: a - quotient(a, b) * b,
    "<<": lambda a, b, k: a << shift(a, b, k), ">>": lambda a, b, k: a >> shift(a, b, k),
    "&": lambda a, b, k: a & b, "|": lambda a, b, k: a | b, "^": lambda a, b, k: a ^ b,
    "<": lambda a, b, k: int(a < b), ">": lambda a, b, k: int(a > b), "<=": lambda a, b, k: int(a <= b),
    ">=": lambda a, b, k: int(a >= b), "==": lambda a, b, k: int(a == b), "!=": lambda a, b, k: int(a != b),
    "min": lambda a, b, k: min(a, b), "max": lambda a, b, k: max(a, b),
}


def least(kind):
    return -(1 << kind.bits - 1) if kind.signed else 0


def greatest(kind):
    return (1 << kind.bits - kind.signed) - 1


def all_ones(kind):
    return -1 if kind.signed else greatest(kind)


# Operator: the operand that decides the result, and the one that leaves the other as it is.
ABSORBING = {"min": (least, greatest), "max": (greatest, least), "&": (lambda kind: 0, all_ones),
             "|": (all_ones, lambda kind: 0)}


# What an evaluation takes unknown values for: not known yet; equal to no constant, so that a branch can be
# taken; or any value, as states show them.
PENDING, DECIDED, SHOWN = False, True, "shown"


def of_unknown(sign, a, b, kind, settled):
    """An operation one of whose operands is not determined is not determined either, unless it is the
    same whatever the value is; a branch decides comparisons too (docs/litmus.md, "Thin air")."""
    if sign in COMPARISONS and settled == SHOWN and a != b:
        return shown_comparison(sign, a, b, kind)
    if sign in ("&", "|", "^") and settled == SHOWN and is_truth(a) and is_truth(b) and a != b:
        raise Unsupported("a condition that may be a tautology")
    if sign in COMPARISONS and (settled or a == b):
        return int(sign in ("==", "<=", ">=") if a == b else sign in ("!=", "<=", ">="))
    if sign in ("+", "-") and isinstance(a, (int, Unknown)) and isinstance(b, (int, Unknown)):
        return sum_of_unknown(sign, a, b, kind)
    if a == b and sign == "^":
        return 0
    if a == b and sign in ABSORBING:
        return a
    if sign == "*" and 0 in (a, b) or sign == "%" and b == 1:
        return 0
    if b == 0 and sign in ("^", "<<", ">>") or b == 1 and sign in ("*", "/"):
        return a
    if a == 0 and sign == "^" or a == 1 and sign == "*":
        return b
    if sign in ABSORBING:
        absorbing, neutral = (end(kind) for end in ABSORBING[sign])
        if absorbing in (a, b):
            return absorbing
        if neutral in (a, b):
            return b if a == neutral else a
    return Unknown((sign, a, b, kind))


def is_truth(value):
    return isinstance(value, Unknown) and value.what[0] in COMPARISONS


def shown_comparison(sign, a, b, kind):
    """A comparison that is not determined, unless all values of both sides give the same."""
    (base_a, offset_a), (base_b, offset_b) = split(a), split(b)
    if base_a == base_b and sign in ("==", "!="):
        return int(sign == "!=")
    answers = {INTEGER[sign](x, y, kind) for x in extremes(base_a, offset_a, kind, sign)
               for y in extremes(base_b, offset_b, kind, sign)}
    return answers.pop() if len(answers) == 1 else Unknown((sign, a, b, kind))


def extremes(base, offset, kind, sign):
    """Values of a side of a comparison, enough to see what it may be. rspcheck may know more than the
    witness about values of other operations, and of short types."""
    if base is None:
        if not isinstance(offset, int) or not 0 < offset < 127 and (offset or sign not in ("==", "!=")):
            raise Unsupported("a comparison that a range may decide")
        return [offset]
    if base.what[0] in COMPARISONS:
        return [offset, offset + 1]
    if base.what[0] != "circle":
        raise Unsupported("a comparison that a range may decide")
    return range(-1, 129)


def sum_of_unknown(sign, a, b, kind):
    """a + b or a - b: an unknown and an offset, where one of them is known or the two are akin."""
    (base_a, offset_a), (base_b, offset_b) = split(a), split(b)
    if sign == "-" and base_a == base_b:
        return convert(offset_a - offset_b, kind)
    if base_b is None:
        offset = convert(offset_a + (offset_b if sign == "+" else -offset_b), kind)
        return Unknown(("offset", base_a, offset)) if offset else base_a
    if base_a is None and sign == "+":
        return sum_of_unknown("+", b, a, kind)
    return Unknown((sign, a, b, kind))


def split(value):
    """(the unknown without its offset, or None; the offset)"""
    if isinstance(value, int):
        return None, value
    return (value.what[1], value.what[2]) if value.what[0] == "offset" else (value, 0)


def operate(sign, a, b, kind, settled=True):
    """a sign b, both already of type `kind`; comparisons give 0 or 1."""
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return of_unknown(sign, a, b, kind, settled)
    if isinstance(a, Address) or isinstance(b, Address):
        return of_addresses(sign, a, b)
    result = INTEGER[sign](a, b, kind)
    return result if isinstance(kind, Pointer) else convert(result, kind)


def of_addresses(sign, a, b):
    if sign in ("==", "!="):
        return int((a == b) == (sign == "=="))
    if sign in ("+", "-") and isinstance(a, Address) and isinstance(b, int):
        return Address(a.name, a.index + (b if sign == "+" else -b))
    if sign == "+" and isinstance(b, Address) and isinstance(a, int):
        return Address(b.name, b.index + a)
    if isinstance(a, Address) and isinstance(b, Address) and a.name == b.name:
        if sign == "-":
            return a.index - b.index
        if sign in ("<", ">", "<=", ">="):
            return INTEGER[sign](a.index, b.index, LONG)
    raise Unsupported("arithmetic on addresses")
