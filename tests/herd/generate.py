"""Random tests that derive.py can answer: loads and stores of constants, on one or two locations."""

import random

LOAD, STORE = "int r%d = *%s;", "*%s = %d;"
ATOMIC_LOAD = "int r%d = atomic_load_explicit(%s, memory_order_relaxed);"
ATOMIC_STORE = "atomic_store_explicit(%s, %d, memory_order_relaxed);"


def thread(rng, types, length):
    """Statements of a thread, and its number of registers."""
    statements, registers = [], 0
    for _ in range(length):
        place = rng.choice(sorted(types) + ["x"])
        atomic = types[place] == "atomic_int" and rng.random() < 0.8
        if rng.random() < 0.65:
            statements.append((ATOMIC_STORE if atomic else STORE) % (place, rng.choice([1, 2, 2, 3])))
        else:
            statements.append((ATOMIC_LOAD if atomic else LOAD) % (registers, place))
            registers += 1
    return statements, registers


def proposition(rng, names, most):
    chosen = rng.sample(names, rng.randint(1, min(most, len(names))))
    return " /\\ ".join(f"{name}={rng.choice([0, 1, 2])}" for name in chosen)


def test(rng, name):
    """The text of one test. A location that no thread accesses has an initial write too."""
    types = {place: rng.choice(["atomic_int", "int"]) for place in "xy"}
    lengths = rng.choice([[2], [3], [1, 1], [2, 1], [2, 2], [3, 1], [1, 1, 1], [2, 1, 1], [2, 2, 1]])
    threads = [thread(rng, types, length) for length in lengths]
    parameters = ", ".join(f"{types[place]}* {place}" for place in types)
    names = [f"{t}:r{r}" for t, (_, registers) in enumerate(threads) for r in range(registers)] + list(types)
    shown = [place for place in types if rng.random() < 0.3]
    text = [f"C {name}", "{ " + " ".join(f"{place} = 0;" for place in types) + " }"]
    text += [f"P{t} ({parameters}) {{ {' '.join(lines)} }}" for t, (lines, _) in enumerate(threads)]
    text += [f"locations [{' '.join(place + ';' for place in shown)}]"] * bool(shown)
    text += [f"filter ({proposition(rng, names, 1)})"] * (rng.random() < 0.3)
    text += [f"{rng.choice(['exists', 'forall'])} ({proposition(rng, names, 2)})"]
    return "\n".join(text) + "\n"


def tests(n, seed):
    """Name -> text"""
    rng = random.Random(seed)
    return {f"R{k}": test(rng, f"R{k}") for k in range(n)}
