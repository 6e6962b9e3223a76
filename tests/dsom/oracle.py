"""The final states of a program of commands, directly from the definitions and therefore slow: bytes instead of segments,
dictionaries instead of tables. Written from docs/dsom.md, independently of machine/dsom."""

GARBAGE = "?"
HOST = "h"
WAITING, RUNNING, UPDATING, DONE = range(4)


class Command:
    def __init__(self, tree, blocking, path):
        self.tree, self.blocking, self.path = tree, blocking, path


def flatten(tree, path=(), blocking=False):
    """Leaves with their paths: pairs (form, place) from the root down."""
    if tree[0] == "blocking":
        yield from flatten(tree[1], path, True)
    elif tree[0] in ("seq", "par"):
        for i, part in enumerate(tree[1]):
            yield from flatten(part, path + ((tree[0], i),), blocking)
    elif tree[0] == "repeat":
        for i in range(tree[1]):
            yield from flatten(tree[2], path + (("seq", i),), blocking)
    else:
        yield Command(tree, blocking, path)


def is_before(a, b):
    """Where the two paths part: earlier in a sequence?"""
    for (form, i), (_, k) in zip(a.path, b.path):
        if i != k:
            return form == "seq" and i < k
    return False


def ends(program, kernel, memory, registers):
    """Runs the statements. (reads of what it has not written itself, writes, registers written); None for reads where the
    kernel depends on garbage."""
    reads, writes, named, wild = set(), {}, set(), False

    def load(byte):
        if byte in writes:
            return writes[byte]
        reads.add(byte)
        return memory[byte]

    for s in kernel.statements:
        if wild:
            break
        if s[0] == "set":
            writes[s[1]] = s[2]
        elif s[0] == "copy":
            value = load(s[2])
            writes[s[1]] = GARBAGE if value == GARBAGE else (value + s[3]) % 256
        elif s[0] == "get":
            registers[s[1]] = load(s[2])
            named.add(s[1])
        elif s[0] == "if":
            value = load(s[1])
            wild = value == GARBAGE
            if not wild and value:
                writes[s[2]] = s[3]
        else:
            index = load(s[1])
            wild = index == GARBAGE or index >= len(program.buffers[0][1])
            if not wild:
                writes[index] = s[2]
    if wild:
        writes.update({byte: GARBAGE for byte in declared(program, kernel, "writes") | indirect(program, kernel)})
        for s in kernel.statements:
            if s[0] == "get":
                registers[s[1]] = GARBAGE
                named.add(s[1])
    return reads, writes, named


# ---- Ranges ----


def indirect(program, kernel):
    if kernel.writes is None and any(s[0] == "indirect" for s in kernel.statements):
        return set(range(len(program.buffers[0][1])))
    return set()


def declared(program, kernel, direction):
    clause = getattr(kernel, direction)
    if clause is not None:
        return {byte for first, size in clause for byte in range(first, first + size)}
    if direction == "writes":
        return {s[2] if s[0] == "if" else s[1] for s in kernel.statements if s[0] in ("set", "copy", "if")}
    place = {"copy": 2, "get": 2, "if": 1, "indirect": 1}
    return {s[place[s[0]]] for s in kernel.statements if s[0] in place}


def widen(program, bytes_, how):
    if how == "exact":
        return bytes_
    out = set()
    first = 0
    for _, values in program.buffers:
        own = {byte for byte in bytes_ if first <= byte < first + len(values)}
        if own and how == "over":
            out |= set(range(min(own), max(own) + 1))
        elif own:
            out |= set(range(first, first + len(values)))
        first += len(values)
    return out


# ---- The flat buffer ----


def flat(program):
    """(final states without moved, is there a race?): all orders, and in each all unordered pairs."""
    commands = list(flatten(program.host))
    n = len(commands)
    before = [[is_before(a, b) for b in commands] for a in commands]
    finals, racy, seen = set(), False, set()

    def run(done, memory, registers, uses):
        nonlocal racy
        key = (done, tuple(memory), tuple(sorted(registers.items())), tuple(sorted(uses.items())))
        if key in seen:
            return
        seen.add(key)
        for c in range(n):
            if c in done or any(before[a][c] and a not in done for a in range(n)):
                continue
            new, regs = list(memory), dict(registers)
            use = execute(program, commands[c], new, regs)
            for other, theirs in uses.items():
                racy = racy or (not before[other][c] and clash(use, theirs))
            run(done | {c}, new, regs, {**uses, c: use})
        if len(done) == n:
            finals.add((tuple(registers[r] for r in program.registers), tuple(memory)))

    run(frozenset(), list(program.initial), {r: 0 for r in program.registers}, {})
    return finals, racy


def execute(program, command, memory, registers):
    tree = command.tree
    if tree[0] == "write":
        memory[tree[1]] = tree[2]
        return frozenset(), frozenset({tree[1]}), frozenset()
    if tree[0] == "read":
        registers[tree[1]] = memory[tree[2]]
        return frozenset({tree[2]}), frozenset(), frozenset({tree[1]})
    reads, writes, named = ends(program, program.kernels[tree[1]], memory, registers)
    for byte, value in writes.items():
        memory[byte] = value
    return frozenset(reads), frozenset(writes), frozenset(named)


def clash(a, b):
    return bool(a[0] & b[1] or a[1] & b[0] or a[2] & b[2])


# ---- The machine ----


class Machine:
    """A state is a dictionary of tuples and frozen sets."""

    def __init__(self, program, strategy="lazy", threshold=2, ranges="exact", fetch="indirect", updates="wait"):
        self.program, self.strategy, self.threshold, self.updates = program, strategy, threshold, updates
        self.commands = list(flatten(program.host))
        n = len(self.commands)
        self.before = [[is_before(self.commands[a], self.commands[b]) for b in range(n)] for a in range(n)]
        self.places = [HOST, *range(program.devices)]
        kernels = program.kernels
        self.writes = [widen(program, declared(program, k, "writes"), ranges) for k in kernels]
        self.compared = [indirect(program, k) - w for k, w in zip(kernels, self.writes)]
        self.fetched = [widen(program, declared(program, k, "reads"), ranges)
                        | (indirect(program, k) if fetch != "off" else set()) | (w if fetch == "on" else set())
                        for k, w in zip(kernels, self.writes)]

    def start(self):
        size = len(self.program.initial)
        return {"phase": (WAITING,) * len(self.commands), "pending": ((),) * len(self.commands),
                "tag": (frozenset({HOST}),) * size,
                "copy": {p: tuple(self.program.initial) if p == HOST else (GARBAGE,) * size for p in self.places},
                "latest": tuple(self.program.initial), "register": {r: 0 for r in self.program.registers}, "moved": 0,
                "writer": (None,) * size, "history": {}}

    @staticmethod
    def key(s):
        return (s["phase"], s["pending"], s["tag"], tuple(s["copy"].values()), s["latest"],
                tuple(s["register"].values()), s["moved"], s["writer"], tuple(sorted(s["history"].items())))

    # ---- Bytes ----

    def run_of(self, byte, good):
        """The bytes from this one on, in its buffer, that are good."""
        _, first, size = self.program.buffer_of(byte)
        end = byte
        while end < first + size and good(end):
            end += 1
        return range(byte, end)

    @staticmethod
    def put(values, at, value):
        return values[:at] + (value,) + values[at + 1:]

    def move(self, s, run, source, target):
        for byte in run:
            s["copy"][target] = self.put(s["copy"][target], byte, s["copy"][source][byte])
            s["tag"] = self.put(s["tag"], byte, s["tag"][byte] | {target})
            s["moved"] += 1
            writer = s["writer"][byte]
            if writer is not None:
                now, old, times = s["history"][writer]
                s["history"][writer] = (now | {(byte, target)}, old, times)

    def need(self, s, wanted, place):
        """The next transfer of a read; False if there is none."""
        for byte in sorted(wanted):
            tag = s["tag"][byte]
            if place in tag:
                continue
            if HOST not in tag:
                (owner,) = tag
                self.move(s, self.run_of(byte, lambda b, t=tag: b in wanted and s["tag"][b] == t), owner, HOST)
            else:
                lacks = lambda b: b in wanted and HOST in s["tag"][b] and place not in s["tag"][b]
                self.move(s, self.run_of(byte, lacks), HOST, place)
            return True
        return False

    # ---- Commands ----

    def may_write(self, c):
        tree = self.commands[c].tree
        if tree[0] == "run":
            return self.writes[tree[1]] | self.compared[tree[1]]
        return {tree[1]} if tree[0] == "write" else set()

    def locked(self, s, c):
        return any(s["phase"][o] == RUNNING and self.may_write(o) & self.may_write(c) for o in range(len(self.commands)))

    def ready(self, s, c):
        complete = (DONE,) if self.updates == "wait" else (DONE, UPDATING)
        return all(s["phase"][a] in complete for a in range(len(self.commands)) if self.before[a][c])

    def advance(self, s, c, phase, pending=()):
        s["phase"] = self.put(s["phase"], c, phase)
        s["pending"] = self.put(s["pending"], c, tuple(pending))

    def own(self, s, bytes_, tag):
        for byte in bytes_:
            s["tag"] = self.put(s["tag"], byte, frozenset(tag))

    def once(self, s, c):
        """One step of command c, in place. False if it has none."""
        tree, phase = self.commands[c].tree, s["phase"][c]
        if phase == DONE or (phase == WAITING and not self.ready(s, c)):
            return False
        if phase == UPDATING:
            self.update(s, c)
        elif phase == RUNNING:
            self.end(s, c)
        elif tree[0] == "read":
            if not self.need(s, {tree[2]}, HOST):
                s["register"][tree[1]] = s["copy"][HOST][tree[2]]
                self.advance(s, c, DONE)
        elif tree[0] == "write":
            if self.locked(s, c):
                return False
            s["copy"][HOST] = self.put(s["copy"][HOST], tree[1], tree[2])
            s["latest"] = self.put(s["latest"], tree[1], tree[2])
            s["writer"] = self.put(s["writer"], tree[1], None)
            self.own(s, {tree[1]}, {HOST})
            self.advance(s, c, UPDATING, [(tree[1], p) for p in self.places if p != HOST])
        elif not self.need(s, self.fetched[tree[1]], tree[2]):
            if self.locked(s, c):
                return False
            self.launch(s, c)
        self.settle(s)
        return True

    def launch(self, s, c):
        _, k, device = self.commands[c].tree
        _, writes, _ = ends(self.program, self.program.kernels[k], s["copy"][device], s["register"])
        after = {byte: writes.get(byte, s["copy"][device][byte]) for byte in self.compared[k]}
        differ = {byte for byte, value in after.items() if value == GARBAGE or value != s["copy"][HOST][byte]}
        self.advance(s, c, RUNNING, [tuple(sorted(writes.items())), tuple(sorted(differ))])

    def end(self, s, c):
        _, k, device = self.commands[c].tree
        writes, differ = s["pending"][c]
        for byte, value in writes:
            s["copy"][device] = self.put(s["copy"][device], byte, value)
            s["latest"] = self.put(s["latest"], byte, value)
        written = self.writes[k] | set(differ)
        self.own(s, written, {device})
        self.advance(s, c, UPDATING, self.hints(s, k, device, written))

    def hints(self, s, k, device, written):
        if self.strategy == "batch":
            return [(byte, p) for byte in sorted(written) for p in self.places]
        if self.strategy == "balance":
            return [(byte, HOST) for byte in sorted(written)]
        if self.strategy == "lazy":
            for byte in written:
                s["writer"] = self.put(s["writer"], byte, None)
            return []
        out = []
        for number in sorted({self.program.buffer_of(byte)[0] for byte in self.writes[k] | self.compared[k]}):
            key = (k, device, number)
            now, old, times = s["history"].get(key, (frozenset(), frozenset(), 0))
            times = min(times + 1, self.threshold + 1) if now == old else 1
            s["history"][key] = (frozenset(), now, times)
            for byte in written:
                if self.program.buffer_of(byte)[0] == number:
                    s["writer"] = self.put(s["writer"], byte, key)
                    if times > self.threshold:
                        out += [(b, p) for b, p in now if b == byte]
        return out

    def useful(self, s, c, hint):
        byte, place = hint
        tree, tag = self.commands[c].tree, s["tag"][byte]
        if place == HOST:
            return tree[0] == "run" and HOST not in tag and tree[2] in tag
        coming = any(h == (byte, HOST) and self.useful(s, c, h) for h in s["pending"][c])
        return place not in tag and (HOST in tag or coming)

    def settle(self, s):
        for c, phase in enumerate(s["phase"]):
            if phase == UPDATING:
                left = [hint for hint in s["pending"][c] if self.useful(s, c, hint)]
                self.advance(s, c, UPDATING if left else DONE, sorted(left, key=str))

    def update(self, s, c):
        """WB before UP, UP by device."""
        hints = set(s["pending"][c])
        place = min((p for _, p in hints), key=self.places.index)
        byte = min(b for b, p in hints if p == place)
        run = self.run_of(byte, lambda b: (b, place) in hints)
        self.advance(s, c, UPDATING, [h for h in s["pending"][c] if h[1] != place or h[0] not in run])
        self.move(s, run, self.commands[c].tree[2] if place == HOST else HOST, place)

    def step(self, s, c):
        """The state after one step of command c, or None."""
        s = {**s, "copy": dict(s["copy"]), "register": dict(s["register"]), "history": dict(s["history"])}
        if not self.once(s, c):
            return None
        while self.commands[c].blocking and s["phase"][c] != DONE and self.once(s, c):
            pass
        return s

    # ---- All states ----

    def fails(self, s):
        """Names of invariants."""
        for byte, tag in enumerate(s["tag"]):
            if not tag:
                yield "I1"
            if HOST not in tag and len(tag) != 1:
                yield "I2"
            if any(s["copy"][place][byte] != s["latest"][byte] for place in tag):
                yield "I3"

    def final(self, s):
        value = lambda byte: s["copy"][HOST if HOST in s["tag"][byte] else min(s["tag"][byte])][byte]
        return (tuple(s["register"][r] for r in self.program.registers),
                tuple(value(byte) for byte in range(len(s["tag"]))), s["moved"])

    def explore(self, most):
        """(final states, invariants that fail, how many states), or None beyond `most` states."""
        first = self.start()
        seen, stack, finals, failing = {self.key(first)}, [first], set(), set()
        while stack:
            s = stack.pop()
            failing.update(self.fails(s))
            nexts = [n for n in (self.step(s, c) for c in range(len(self.commands))) if n]
            if not nexts:
                assert all(phase == DONE for phase in s["phase"]), "a deadlock"
                finals.add(self.final(s))
            for n in nexts:
                if self.key(n) not in seen:
                    seen.add(self.key(n))
                    stack.append(n)
            if len(seen) > most:
                return None
        return finals, failing, len(seen)


def texts(program, finals):
    """As rspcheck prints final states."""
    names = program.registers + [program.place(byte) for byte in range(len(program.initial))] + ["moved"]
    return {" ".join(f"{name}={value};" for name, value in zip(names, [*regs, *values, moved]))
            for regs, values, moved in finals}
