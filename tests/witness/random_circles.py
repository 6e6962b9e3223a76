"""Random C tests whose threads copy, compare and combine what they read, so that values justify each other."""

TYPES = ["atomic_int", "atomic_int", "atomic_uchar", "atomic_long"]
COMPARISONS = ["==", "!=", "<", ">", "<=", ">="]
OTHERS = ["+", "-", "&", "*", "&&", "||", "^"]


def expression(rng, registers, depth=2):
    kind = rng.random()
    if depth == 0 or kind < 0.3:
        return rng.choice(registers)
    if kind < 0.45:
        return str(rng.choice([0, 1, 2, 5, -1, 300]))
    if kind < 0.5:
        return "!" + expression(rng, registers, depth - 1)
    sign = rng.choice(COMPARISONS if kind < 0.8 else OTHERS)
    return f"({expression(rng, registers, depth - 1)} {sign} {expression(rng, registers, depth - 1)})"


def statement(rng, registers):
    """A line of a thread; what it declares is added to its registers."""
    kind, new = rng.random(), f"r{len(registers)}"
    if registers and 0.3 <= kind < 0.6:
        value = rng.choice(registers) if rng.random() < 0.6 else expression(rng, registers)
        return f"atomic_store_explicit ({rng.choice('xyz')}, {value}, memory_order_relaxed);"
    if not registers or kind < 0.3:
        line = f"int {new} = atomic_load_explicit ({rng.choice('xyz')}, memory_order_relaxed);"
    elif kind < 0.7:
        line = f"int {new} = 0; if ({expression(rng, registers, 1)}) {new} = 7;"
    else:
        line = f"int {new} = {expression(rng, registers)};"
    registers.append(new)
    return line


def proposition(rng, names, depth=2):
    """About registers and locations, in herd's syntax."""
    kind = rng.random()
    if depth == 0 or kind < 0.4:
        right = rng.choice(names[:-3]) if rng.random() < 0.2 and len(names) > 3 else str(rng.choice([0, 1, 1, 2, 7, -1, 300]))
        return f"{rng.choice(names)}={right}"
    if kind < 0.55:
        return f"~({proposition(rng, names, depth - 1)})"
    sign = rng.choice(["/\\", "\\/"])
    return f"({proposition(rng, names, depth - 1)} {sign} {proposition(rng, names, depth - 1)})"


def random_circle(rng, name):
    parameters = ", ".join(f"{rng.choice(TYPES)}* {location}" for location in "xyz")
    threads, names = "", []
    for thread in range(rng.choice([1, 2])):
        registers = []
        lines = [statement(rng, registers) for _ in range(rng.choice([3, 4]))]
        threads += f"P{thread} ({parameters}) {{\n" + "".join(f"  {line}\n" for line in lines) + "}\n"
        names += [f"{thread}:{register}" for register in registers]
    names += ["x", "y", "z"]
    filtered = f"filter ({proposition(rng, names, 1)})\n" if rng.random() < 0.2 else ""
    question = f"{rng.choice(['exists', 'forall', '~exists'])} ({proposition(rng, names)})"
    return f"C Circle.{name}\n{{ }}\n{threads}locations [{' '.join(n + ';' for n in names)}]\n{filtered}{question}\n"
