"""Random litmus tests for machines: up to three work-items, three operations each, on few locations.

`tests(seed, kind)` yields the texts of tests, for ever, the same for the same seed. Kinds:

  rsp     operations of every scope and remote ones, one device
  two     the same with two devices and all-svm-devices scope
  sc      rsp, with seq_cst operations only
  hrf0    acquire loads, release stores, plain accesses
  relaxed relaxed and seq_cst operations, plain accesses
  small   rsp with two work-items and two operations each: for the full search
  chain   messages through one or two flags, which may be written before the data too: what flushes
          and invalidations are for
"""

import random

ATOMICS = ["x", "y"]
PLAIN = "d"
LOADS, STORES, RMWS = "load", "store", "rmw"

# Per kind: work-items, operations of each, scopes, orders (load, store, rmw), devices, how often remote
KINDS = {
    "rsp": ((2, 3), (1, 3), ["work_group", "device"], ("acquire", "release", "acq_rel"), 1, 0.4),
    "two": ((2, 3), (1, 3), ["work_group", "device", "all_svm_devices"],
            ("acquire", "release", "acq_rel"), 2, 0.4),
    "sc": ((2, 3), (1, 3), ["work_group", "device"], ("seq_cst",) * 3, 1, 0.4),
    "hrf0": ((2, 3), (1, 3), ["work_group", "device"], ("acquire", "release", None), 1, 0),
    "relaxed": ((2, 3), (1, 3), ["work_group", "device"], (("relaxed", "seq_cst"),) * 3, 1, 0),
    "small": ((2, 2), (1, 2), ["work_group", "device"], ("acquire", "release", "acq_rel"), 1, 0.5),
}


class Thread:
    def __init__(self, number):
        self.number = number
        self.lines = []
        self.registers = 0
        self.depth = 0

    def register(self):
        self.registers += 1
        return f"r{self.registers - 1}"

    def say(self, line):
        self.lines.append("  " * (self.depth + 1) + line)


def choose(rng, order):
    return rng.choice(order) if isinstance(order, tuple) else order


def operation(rng, thread, kind):
    _, _, scopes, orders, _, remote = KINDS[kind]
    scope = rng.choice(scopes)
    suffix = "_remote" if scope != "work_group" and rng.random() < remote else ""
    where = rng.choice(ATOMICS)
    what = rng.choice([LOADS, STORES, STORES] + ([RMWS] if orders[2] else []))
    order = f"memory_order_{choose(rng, orders[[LOADS, STORES, RMWS].index(what)])}"
    last = f"{order}, memory_scope_{scope});"
    if what == STORES:
        value = rng.choice([1, 1, 2])
        thread.say(f"atomic_store_explicit{suffix} ({where}, {value}, {last}")
        return
    register = thread.register()
    call = f"atomic_load_explicit{suffix} ({where}, " if what == LOADS else \
        f"atomic_fetch_add_explicit{suffix} ({where}, 1, "
    thread.say(f"int {register} = {call}{last}")
    if rng.random() < 0.4:
        thread.say(f"if ({register} == {rng.choice([1, 1, 2])}) {{")
        thread.depth += 1


def plain(rng, thread):
    if rng.random() < 0.5:
        thread.say(f"*{PLAIN} = {thread.number + 1};")
    else:
        register = thread.register()
        thread.say(f"int {register} = *{PLAIN};")


def body(rng, number, kind):
    thread = Thread(number)
    for _ in range(rng.randint(*KINDS[kind][1])):
        if rng.random() < 0.3:
            plain(rng, thread)
        else:
            operation(rng, thread, kind)
    return closed(thread)


def closed(thread):
    """The body with its braces closed, and the number of its registers."""
    while thread.depth:
        thread.depth -= 1
        thread.say("}")
    # Declarations under an `if` are of its block: all registers come first.
    declared = [f"  int r{i} = -1;" for i in range(thread.registers)]
    lines = declared + [line.replace("int r", "r", 1) for line in thread.lines]
    return "\n".join(lines), thread.registers


def atomic(rng, thread, what, where, value=None, scopes=("work_group", "device")):
    """One atomic operation of the chain; returns the register of what it reads."""
    scope = rng.choice(scopes)
    suffix = "_remote" if scope != "work_group" and rng.random() < 0.5 else ""
    if what == STORES:
        thread.say(f"atomic_store_explicit{suffix} ({where}, {value}, memory_order_release, memory_scope_{scope});")
        return None
    register = thread.register()
    if what == LOADS:
        call = f"atomic_load_explicit{suffix} ({where}, memory_order_acquire, memory_scope_{scope});"
    else:
        call = f"atomic_fetch_add_explicit{suffix} ({where}, 1, memory_order_acq_rel, memory_scope_{scope});"
    thread.say(f"int {register} = {call}")
    return register


def link(rng, thread, first, last):
    """Receives at flag `first` unless None, touches the data, sends at flag `last` unless None."""
    if first:
        if rng.random() < 0.2:
            plain(rng, thread)
        value = rng.choice([1, 1, 2])
        register = atomic(rng, thread, rng.choice([LOADS, LOADS, RMWS]), first)
        thread.say(f"if ({register} == {value}) {{")
        thread.depth += 1
    if last and rng.random() < 0.4:
        atomic(rng, thread, rng.choice([STORES, RMWS]), last, 1)
    plain(rng, thread)
    if last:
        atomic(rng, thread, rng.choice([STORES, STORES, RMWS]), last, rng.choice([1, 2]))


def chain(rng, name):
    threads = [Thread(i) for i in range(rng.choice([2, 2, 3]))]
    for thread in threads:
        i = thread.number
        link(rng, thread, ATOMICS[i - 1] if i else None,
             ATOMICS[i] if i + 1 < len(threads) else None)
    return finish(rng, name, [closed(thread) for thread in threads], 1)


def tree(rng, n, devices):
    """Each work-item in a random work-group of a random device."""
    groups = {}
    for i in range(n):
        groups.setdefault((rng.randrange(devices), rng.randrange(2)), []).append(f"P{i}")
    parts = []
    for device in range(devices):
        inside = [f"(work_group {' '.join(members)})" for (d, _), members in sorted(groups.items())
                  if d == device]
        if inside:
            parts.append(f"(device {' '.join(inside)})")
    return " ".join(parts)


def finish(rng, name, bodies, devices):
    text, observed = [f"OpenCL {name}", "{ [x]=0; [y]=0; [d]=0; }"], ["x", "y", "d"]
    for i, (code, registers) in enumerate(bodies):
        parameters = "global atomic_int* x, global atomic_int* y, global int* d"
        text.append(f"P{i} ({parameters}) {{\n{code}\n}}")
        observed += [f"{i}:r{k}" for k in range(registers)]
    text.append("scopeTree " + tree(rng, len(bodies), devices))
    text.append("locations [" + " ".join(f"{o};" for o in observed) + "]")
    text.append("exists (x=0)")
    return "\n".join(text) + "\n"


def test(rng, name, kind):
    if kind == "chain":
        return chain(rng, name)
    n = rng.randint(*KINDS[kind][0])
    return finish(rng, name, [body(rng, i, kind) for i in range(n)], KINDS[kind][4])


def tests(seed, kind):
    rng = random.Random(f"{kind} {seed}")
    number = 0
    while True:
        yield test(rng, f"{kind}-{seed}-{number:05}", kind)
        number += 1
