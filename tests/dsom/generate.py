"""Random programs of commands on small buffers, as objects that print themselves as DSOM tests.

A program is a tree: ("run", kernel, device), ("write", byte, value), ("read", register, byte), ("seq", [tree…]),
("par", [tree…]), ("repeat", n, tree). All buffers are one list of bytes here; Program.place names one.
"""

import random


class Kernel:
    """Statements, in order: ("set", to, value), ("copy", to, from, value), ("get", register, from), ("if", from, to, value),
    ("indirect", from, value): the byte that another names. reads and writes are clauses, or None: ranges then are those of
    the statements."""

    def __init__(self, name, statements, reads=None, writes=None):
        self.name, self.statements, self.reads, self.writes = name, statements, reads, writes


class Program:
    def __init__(self, name, buffers, kernels, host, devices):
        self.name, self.buffers, self.kernels, self.host, self.devices = name, buffers, kernels, host, devices
        self.initial = [value for _, values in buffers for value in values]
        self.registers = sorted({s[1] for k in kernels for s in k.statements if s[0] == "get"} | set(self.read_names(host)))

    def read_names(self, tree):
        if tree[0] == "read":
            yield tree[1]
        elif tree[0] in ("seq", "par"):
            for part in tree[1]:
                yield from self.read_names(part)
        elif tree[0] == "repeat":
            yield from self.read_names(tree[2])

    def place(self, byte):
        for name, values in self.buffers:
            if byte < len(values):
                return f"{name}[{byte}]"
            byte -= len(values)
        raise IndexError(byte)

    def buffer_of(self, byte):
        """(number, first byte, size)"""
        first = 0
        for number, (_, values) in enumerate(self.buffers):
            if byte < first + len(values):
                return number, first, len(values)
            first += len(values)
        raise IndexError(byte)

    # ---- Text ----

    def statement(self, s):
        if s[0] == "set":
            return f"{self.place(s[1])} = {s[2]};"
        if s[0] == "copy":
            return f"{self.place(s[1])} = {self.place(s[2])} + {s[3]};"
        if s[0] == "get":
            return f"{s[1]} = {self.place(s[2])};"
        if s[0] == "if":
            return f"if ({self.place(s[1])}) {self.place(s[2])} = {s[3]};"
        return f"{self.buffers[0][0]}[{self.place(s[1])}] = {s[2]};"

    def clause(self, word, ranges):
        if ranges is None:
            return ""
        if not ranges:
            return f"  {word} none;\n"
        text = ""
        for first, size in ranges:
            _, base, _ = self.buffer_of(first)
            text += f"  {word} {self.place(first).split('[')[0]} ({first - base}, {size});\n"
        return text

    def command(self, tree, indent):
        blank = "  " * indent
        if tree[0] == "run":
            return f"{blank}run {self.kernels[tree[1]].name} on {tree[2]};\n"
        if tree[0] == "write":
            return f"{blank}write {self.place(tree[1])} = {tree[2]};\n"
        if tree[0] == "read":
            return f"{blank}read {tree[1]} = {self.place(tree[2])};\n"
        if tree[0] == "blocking":
            return blank + "blocking " + self.command(tree[1], 0)
        if tree[0] == "repeat":
            return f"{blank}repeat {tree[1]} {{\n{self.command(tree[2], indent + 1)}{blank}}}\n"
        if tree[0] == "seq":
            return "".join(self.command(part, indent) for part in tree[1])
        return f"{blank}{{\n" + f"{blank}||\n".join(self.command(part, indent + 1) for part in tree[1]) + f"{blank}}}\n"

    def text(self, moved=True, finals=None):
        """finals: states (registers, bytes) of which the condition says that there are no others."""
        out = f"DSOM {self.name}\ndevices {self.devices};\n"
        for name, values in self.buffers:
            out += f"buffer {name}[{len(values)}] = {{ {', '.join(map(str, values))} }};\n"
        for kernel in self.kernels:
            out += f"kernel {kernel.name} {{\n" + self.clause("reads", kernel.reads) + self.clause("writes", kernel.writes)
            out += "".join(f"  {self.statement(s)}\n" for s in kernel.statements) + "}\n"
        out += "host {\n" + self.command(self.host, 1) + "}\n"
        shown = self.registers + [self.place(byte) for byte in range(len(self.initial))] + (["moved"] if moved else [])
        if finals is None:
            return out + f"locations [{' '.join(place + ';' for place in shown)}]\nexists (true)\n"
        states = (" /\\ ".join(f"{place}={value}" for place, value in zip(shown, [*regs, *values]))
                  for regs, values in sorted(finals))
        return out + "forall (" + "\n        \\/ ".join(states) + ")\n"


# ---- Drawing ----


def draw_kernel(rng, name, may_write, may_read, kind, n_bytes, indices):
    """A kernel that writes and reads only declared bytes. Kind "exact": it writes all bytes that it declares; its read
    ranges may be larger than necessary."""
    statements = []
    written = rng.sample(may_write, rng.randint(0, min(3, len(may_write))))
    for to in written:
        form = rng.choice(["set", "copy", "copy"] + (["if"] if kind == "any" else []))
        source = rng.choice(may_read) if may_read else None
        if form == "set" or source is None:
            statements.append(("set", to, rng.randint(1, 9)))
        elif form == "copy":
            statements.append(("copy", to, source, rng.randint(0, 9)))
        else:
            statements.append(("if", source, to, rng.randint(1, 9)))
    if may_read and rng.random() < 0.5:
        statements.append(("get", "r_" + name, rng.choice(may_read)))
    if kind == "any" and indices and rng.random() < 0.3:
        statements.append(("indirect", rng.choice(indices), rng.randint(1, 9)))
    rng.shuffle(statements)
    kernel = Kernel(name, statements)
    if kind == "exact" and rng.random() < 0.25:
        kernel.reads = [(0, n_bytes)]
    if kind == "any" and rng.random() < 0.25 and not any(s[0] == "indirect" for s in statements):
        kernel.writes = cover(rng, kernel, n_bytes)
    return kernel


def cover(rng, kernel, n_bytes):
    """Write ranges of the first buffer that are too large."""
    touched = [s[2] if s[0] == "if" else s[1] for s in kernel.statements if s[0] in ("set", "copy", "if")]
    low = rng.randint(0, min(touched, default=0))
    high = rng.randint(max(touched, default=0), n_bytes - 1)
    return [(low, high - low + 1)]


class Drawer:
    def __init__(self, rng, kind, devices, racy):
        self.rng, self.kind, self.devices, self.racy = rng, kind, devices, racy
        self.n = rng.randint(2, 6)
        self.kernels = []
        self.reads = 0
        self.indices = []
        self.buffers = [("b", [rng.randint(0, 9) for _ in range(self.n)])]
        if kind == "any" and rng.random() < 0.3:
            self.buffers.append(("index", [rng.randrange(self.n) for _ in range(2)]))
            self.indices = [self.n, self.n + 1]

    def leaf(self, may_write, may_read):
        rng, form = self.rng, self.rng.random()
        if form < 0.12 and may_write:
            tree = ("write", rng.choice(may_write), rng.randint(10, 19))
        elif form < 0.24 and may_read:
            self.reads += 1
            tree = ("read", f"h{self.reads}", rng.choice(may_read))
        else:
            old = [k for k, (w, r) in enumerate(self.bounds)
                   if w <= set(may_write) and r <= set(may_read) and k not in self.beside]
            if old and rng.random() < 0.4:
                k = rng.choice(old)
            else:
                kernel = draw_kernel(rng, f"k{len(self.kernels)}", may_write, may_read, self.kind, self.n, self.indices)
                self.kernels.append(kernel)
                self.bounds.append((set(may_write), set(may_read)))
                k = len(self.kernels) - 1
            self.beside.add(k)
            tree = ("run", k, rng.randrange(self.devices))
        return ("blocking", tree) if self.kind == "any" and rng.random() < 0.1 else tree

    def parallel(self):
        """Branches that write different bytes and read these and bytes that nothing writes; racy ones do anything."""
        everything = list(range(self.n))
        owners = [self.rng.randrange(3) for _ in everything]
        branches = []
        self.beside = set()  # kernels of this part: two of one kernel would race for its register
        for branch in range(2):
            own = [b for b in everything if owners[b] == branch]
            free = own + [b for b in everything if owners[b] == 2]
            if self.racy:
                own = free = everything
            branches.append(("seq", [self.leaf(own, free) for _ in range(self.rng.choice([1, 1, 2]))]))
        return ("par", branches)

    def draw(self, name, length):
        self.bounds = []
        parts = []
        everything = list(range(self.n))
        for _ in range(length):
            self.beside = set()
            part = self.parallel() if self.rng.random() < 0.45 else self.leaf(everything, everything)
            parts.append(("repeat", self.rng.randint(2, 4), part) if self.rng.random() < 0.1 else part)
        return Program(name, self.buffers, self.kernels, ("seq", parts), self.devices)


def draw(seed, kind="any", devices=2, racy=False, length=None):
    """kind "exact": every declared write is made, so that no fetch-on-write is needed."""
    rng = random.Random(f"{seed} {kind} {devices} {racy}")
    longer = 3 if kind == "exact" else 0
    return Drawer(rng, kind, devices, racy).draw(f"T{seed}", length or rng.randint(2, 4) + longer)
