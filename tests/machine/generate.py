"""Random litmus tests for machines: up to three work-items, three operations each, on few locations.

`tests(seed, kind)` yields the texts of tests, for ever, the same for the same seed. Kinds:

  rsp     operations of every scope and remote ones, one device
  two     the same with two devices and all-svm-devices scope
  sc      rsp, with seq_cst operations only
  hrf0    acquire loads, release stores, plain accesses
  relaxed relaxed and seq_cst operations, plain accesses
  small   rsp with two work-items and two operations each: for the full search
  chain, chain-small, chain-two, chain-hrf0
          messages passed along the work-items through one or two flags, which may be written before
          the data too: what flushes and invalidations are for. chain-small has two work-items
  chain-fences, chain-fences-two
          the same with relaxed operations, and fences at both ends of a message
  cross, cross-two
          store buffering: each of two work-items writes a flag, and after a fence reads the other's
  amd, amd-small, chain-amd, chain-fences-amd, cross-amd
          the same on two devices without remote operations
"""

import random
from collections import namedtuple

ATOMICS = ["x", "y"]
PLAIN = "d"
LOADS, STORES, RMWS = "load", "store", "rmw"

# remote: how often an operation of a scope above work-group is remote. orders: of load, store, rmw
# fences: in a chain, how often one stands at each end of a message
Kind = namedtuple("Kind", "threads operations scopes orders devices remote fences", defaults=(0,))
ONE, TWO = ["work_group", "device"], ["work_group", "device", "all_svm_devices"]
ACQ_REL, ACQ_REL_ONLY = ("acquire", "release", "acq_rel"), ("acquire", "release", None)
RELAXED = ("relaxed",) * 3
ANY_ORDER = ("relaxed", "acquire", "seq_cst"), ("relaxed", "release", "seq_cst"), ("relaxed", "acq_rel", "seq_cst")
KINDS = {
    "rsp": Kind((2, 3), (1, 3), ONE, ACQ_REL, 1, 0.4),
    "two": Kind((2, 3), (1, 3), TWO, ACQ_REL, 2, 0.4),
    "sc": Kind((2, 3), (1, 3), ONE, ("seq_cst",) * 3, 1, 0.4),
    "hrf0": Kind((2, 3), (1, 3), ONE, ACQ_REL_ONLY, 1, 0),
    "relaxed": Kind((2, 3), (1, 3), ONE, (("relaxed", "seq_cst"),) * 3, 1, 0),
    "small": Kind((2, 2), (1, 2), ONE, ACQ_REL, 1, 0.5),
    "chain": Kind((2, 3), None, ONE + ONE[1:], ACQ_REL, 1, 0.4),
    "chain-small": Kind((2, 2), None, ONE + ONE[1:], ACQ_REL, 1, 0.4),
    "chain-two": Kind((2, 3), None, TWO + TWO[1:], ACQ_REL, 2, 0.4),
    "chain-hrf0": Kind((2, 3), None, ONE + ONE[1:], ACQ_REL_ONLY, 1, 0),
    "chain-fences": Kind((2, 3), None, ONE + ONE[1:], RELAXED, 1, 0.5, 0.9),
    "chain-fences-two": Kind((2, 3), None, TWO + TWO[1:], RELAXED, 2, 0.5, 0.9),
    "cross": Kind((2, 2), "cross", ONE + ONE[1:], RELAXED, 1, 0.5),
    "cross-two": Kind((2, 2), "cross", TWO + TWO[1:], RELAXED, 2, 0.5),
    "amd": Kind((2, 3), (1, 3), TWO, ANY_ORDER, 2, 0),
    "amd-small": Kind((2, 2), (1, 2), TWO, ANY_ORDER, 2, 0),
    "chain-amd": Kind((2, 3), None, TWO + TWO[1:], ACQ_REL, 2, 0),
    "chain-fences-amd": Kind((2, 3), None, TWO + TWO[1:], RELAXED, 2, 0, 0.9),
    "cross-amd": Kind((2, 2), "cross", TWO + TWO[1:], RELAXED, 2, 0),
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


def scope_and_suffix(rng, kind):
    scope = rng.choice(kind.scopes)
    return scope, "_remote" if scope != "work_group" and rng.random() < kind.remote else ""


def fence(rng, thread, kind, orders):
    scope, suffix = scope_and_suffix(rng, kind)
    thread.say(f"atomic_work_item_fence{suffix} (CLK_GLOBAL_MEM_FENCE, memory_order_{rng.choice(orders)}, "
               f"memory_scope_{scope});")


def atomic(rng, thread, kind, what, where):
    """Writes one atomic operation; returns the register of what it reads, or None."""
    scope, suffix = scope_and_suffix(rng, kind)
    order = f"memory_order_{choose(rng, kind.orders[[LOADS, STORES, RMWS].index(what)])}"
    last = f"{order}, memory_scope_{scope});"
    if what == STORES:
        thread.say(f"atomic_store_explicit{suffix} ({where}, {rng.choice([1, 1, 2])}, {last}")
        return None
    register = thread.register()
    call = f"atomic_load_explicit{suffix} ({where}, " if what == LOADS else \
        f"atomic_fetch_add_explicit{suffix} ({where}, 1, "
    thread.say(f"int {register} = {call}{last}")
    return register


def guard(rng, thread, register):
    thread.say(f"if ({register} == {rng.choice([1, 1, 2])}) {{")
    thread.depth += 1


def operation(rng, thread, kind):
    what = rng.choice([LOADS, STORES, STORES] + ([RMWS] if kind.orders[2] else []))
    register = atomic(rng, thread, kind, what, rng.choice(ATOMICS))
    if register and rng.random() < 0.4:
        guard(rng, thread, register)


def plain(rng, thread, writes=0.5):
    if rng.random() < writes:
        thread.say(f"*{PLAIN} = {thread.number + 1};")
    else:
        register = thread.register()
        thread.say(f"int {register} = *{PLAIN};")


def body(rng, number, kind):
    thread = Thread(number)
    for _ in range(rng.randint(*kind.operations)):
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


def link(rng, thread, kind, first, last):
    """Receives at flag `first` unless None, touches the data, sends at flag `last` unless None."""
    rmws = [RMWS] if kind.orders[2] else []
    if first:
        if rng.random() < 0.2:
            plain(rng, thread)
        guard(rng, thread, atomic(rng, thread, kind, rng.choice([LOADS, LOADS] + rmws), first))
        if kind.fences and rng.random() < kind.fences:
            fence(rng, thread, kind, ("acquire", "acq_rel", "seq_cst"))
    if last and rng.random() < 0.4:
        atomic(rng, thread, kind, rng.choice([STORES] + rmws), last)
    plain(rng, thread, 0.2 if not last else 0.5 if first else 0.8)
    if last:
        if kind.fences and rng.random() < kind.fences:
            fence(rng, thread, kind, ("release", "acq_rel", "seq_cst"))
        atomic(rng, thread, kind, rng.choice([STORES, STORES] + rmws), last)


def chain(rng, name, kind):
    n = 2 if rng.random() < 0.6 else kind.threads[1]
    threads = [Thread(i) for i in range(n)]
    for thread in threads:
        i = thread.number
        link(rng, thread, kind, ATOMICS[i - 1] if i else None,
             ATOMICS[i] if i + 1 < len(threads) else None)
    return finish(rng, name, [closed(thread) for thread in threads], kind.devices)


def cross(rng, name, kind):
    threads = [Thread(0), Thread(1)]
    for thread, own, other in zip(threads, ATOMICS, reversed(ATOMICS)):
        if rng.random() < 0.2:
            atomic(rng, thread, kind, LOADS, other)
        atomic(rng, thread, kind, rng.choice([STORES, STORES, RMWS]), own)
        fence(rng, thread, kind, ("acq_rel", "seq_cst", "seq_cst", "seq_cst"))
        atomic(rng, thread, kind, rng.choice([LOADS, LOADS, RMWS]), other)
    return finish(rng, name, [closed(thread) for thread in threads], kind.devices)


def tree(rng, n, devices):
    """Mostly a work-group for each work-item, since caches within one cannot disagree."""
    groups = {}
    for i in range(n):
        group = i if rng.random() < 0.7 else rng.randrange(2)
        groups.setdefault((rng.randrange(devices), group), []).append(f"P{i}")
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
    if kind.operations in (None, "cross"):
        return (cross if kind.operations else chain)(rng, name, kind)
    n = rng.randint(*kind.threads)
    return finish(rng, name, [body(rng, i, kind) for i in range(n)], kind.devices)


def tests(seed, kind):
    rng = random.Random(f"{kind} {seed}")
    number = 0
    while True:
        yield test(rng, f"{kind}-{seed}-{number:05}", KINDS[kind])
        number += 1
