"""Random expressions of OpenCL C without undefined behaviour, for kernels_programs.py."""

from kernels_builtin import ARITY, ON_VECTORS, TYPES

INPUTS = 8  # elements of the array that the kernel reads
SHARED = 4  # elements of the array that another work-item accesses, too


class Expressions:
    """Random expressions, and what they may use. An expression may change a variable that nothing else in it, up to the next sequence
    point, reads or writes: `busy` has those that it must not read, `held` those that it must not write."""

    def __init__(self, rng, symbolic):
        self.rng, self.symbolic = rng, symbolic
        self.scopes, self.busy, self.held = [{}], set(), set()
        self.n_names = self.loops = 0
        self.reads, self.writes = set(), set()
        self.functions, self.top, self.structs = [], [], []
        self.n_symbolic, self.effects, self.result = 0, True, None

    def pick(self, *items):
        return self.rng.choice(items)

    def chance(self, p):
        return self.rng.random() < p

    def name(self, prefix="v"):
        self.n_names += 1
        return f"{prefix}{self.n_names}"

    def type(self):
        return self.rng.choice(list(TYPES))

    # Variables: name -> (kind, details), where kind is scalar, array, struct, vector or pointer.
    def variables(self, kind):
        found = {}
        for scope in self.scopes:
            found.update(scope)
        return sorted((n, v) for n, v in found.items() if v[0] == kind)

    def free(self, kind, writes):
        bad = self.busy | self.held if writes else self.busy
        return [(n, v) for n, v in self.variables(kind) if self.object_of(n, v) not in bad
                and not (writes and v[-1] == "const")]

    @staticmethod
    def object_of(name, variable):
        return variable[2] if variable[0] == "pointer" else name

    def used(self, name, variable, writes):
        (self.writes if writes else self.reads).add(self.object_of(name, variable))

    # ---- Places ----

    def place(self, writes, depth):
        """A scalar object's text, or None. Indexes have no effects."""
        kinds = ["scalar"] * 4 + ["array", "struct", "vector", "pointer"]
        self.rng.shuffle(kinds)
        for kind in kinds:
            choices = self.free(kind, writes)
            if choices:
                name, variable = self.rng.choice(choices)
                self.used(name, variable, writes)
                return self.part(name, variable, depth)
        return None

    def index(self, n, depth):
        """Of an array of n elements, a power of two."""
        if depth <= 0 or self.chance(0.4):
            return str(self.rng.randrange(n))
        return f"({self.pure(depth - 1)} & {n - 1})"

    def part(self, name, variable, depth):
        kind = variable[0]
        if kind == "scalar":
            return name
        if kind == "array":
            sizes, element = variable[1]
            if self.chance(0.1) and len(sizes) == 1 and isinstance(element, str):
                return f"(*({name} + {self.index(sizes[0], depth)}))"
            text = name + "".join(f"[{self.index(n, depth)}]" for n in sizes)
            return text if isinstance(element, str) else self.member(text, element, ".", depth)
        if kind == "struct":
            return self.member(name, variable[1], ".", depth)
        if kind == "vector":
            return f"{name}.{self.lane(variable[1][1])}"
        span, element = variable[1]
        if isinstance(element, dict):
            return self.member(name, element, "->", depth)
        return f"{name}[{self.index(span, depth)}]" if span > 1 else f"*{name}"

    def member(self, text, struct, arrow, depth):
        name, inside = self.rng.choice(struct["members"])
        text = f"{text}{arrow}{name}"
        if isinstance(inside, dict):
            return self.member(text, inside, ".", depth)
        if isinstance(inside, tuple):
            return f"{text}[{self.index(inside[1], depth)}]"
        return text

    def lane(self, lanes):
        i = self.rng.randrange(lanes)
        return "xyzw"[i] if self.chance(0.5) else f"s{i}"

    # ---- Expressions ----

    def literal(self):
        rng = self.rng
        kind = rng.randrange(8)
        if kind < 3:
            return str(rng.randrange(0, 10))
        if kind == 3:
            bits = rng.choice([7, 8, 15, 16, 31, 32, 63, 64])
            value = (1 << bits) - rng.choice([0, 1, 1, 2])
            value = min(value, 2 ** 64 - 1)
            if value > 2 ** 63 - 1:
                return rng.choice([f"{hex(value)}", f"{value}UL", f"{hex(value)}u"])
            return rng.choice([str, hex])(value) + rng.choice(["", "", "u", "L", "UL"])
        if kind == 4:
            return rng.choice(["'a'", "'\\n'", "'\\0'", "'\\x7f'", "'0'", "'\\xff'", "'\\\\'", "'\\377'"])
        if kind == 5:
            return rng.choice(["INT_MAX", "INT_MIN", "UINT_MAX", "LONG_MAX", "LONG_MIN", "ULONG_MAX", "CHAR_MAX", "UCHAR_MAX",
                               "SHRT_MIN", "USHRT_MAX", "017", "0777", "CHAR_BIT", "(true & 1)", "E1", "E2", "E3"])
        if kind == 6:
            return f"(-{rng.randrange(1, 200)})"
        return f"(({self.type()}) {rng.randrange(0, 70000)})"

    def pure(self, depth):
        """Without effects."""
        held, self.held = self.held, set(n for s in self.scopes for n in s) | self.held
        effects, self.effects = self.effects, False
        text = self.expr(depth)
        self.held, self.effects = held, effects
        return text

    def input(self):
        if self.symbolic and self.n_symbolic < 3:
            self.n_symbolic += 1
            return f"atomic_load_explicit (&shared[{self.rng.randrange(SHARED)}], memory_order_relaxed, memory_scope_device)"
        return f"in[{self.rng.randrange(INPUTS)}]"

    def leaf(self, depth):
        r = self.rng.random()
        if r < 0.25:
            return self.literal()
        if r < 0.35:
            return self.input()
        if r < 0.4 and not self.busy & {"table"}:
            return f"table[{self.index(4, min(depth, 1))}]"
        return self.place(False, depth) or self.literal()

    def operands(self, depth, n):
        """Texts of expressions whose order is open."""
        busy, held, reads, writes = set(self.busy), set(self.held), self.reads, self.writes
        texts, all_reads, all_writes = [], set(), set()
        for _ in range(n):
            self.reads, self.writes = set(), set()
            texts.append(self.expr(depth))
            self.busy = self.busy | self.writes
            self.held = self.held | self.writes | self.reads
            all_reads |= self.reads
            all_writes |= self.writes
        self.busy, self.held, self.reads, self.writes = busy, held, reads | all_reads, writes | all_writes
        return texts

    def expr(self, depth):
        if depth <= 0:
            return self.leaf(depth)
        effects = self.effects
        forms = [self.binary] * 8 + [self.unary] * 3 + [self.cast] * 2 + [self.conditional, self.logic, self.logic, self.builtin,
                                                                          self.builtin, self.sizeof, self.leaf, self.vector_lane,
                                                                          self.saturating]
        if effects:
            forms += [self.assignment, self.step, self.comma, self.call, self.call]
        return self.rng.choice(forms)(depth)

    def binary(self, depth):
        op = self.pick("+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%", "<", ">", "<=", ">=", "==", "!=")
        a, b = self.operands(depth - 1, 2)
        if op in "/%":
            b = f"(({b}) & 15) + 1" if self.chance(0.7) else f"-(({b}) & 7) - 2"
        if self.chance(0.3) and op not in "/%":
            return f"({a} {op} {b})"
        return f"(({a}) {op} ({b}))"

    def unary(self, depth):
        return f"{self.pick('-', '~', '!', '+')}({self.expr(depth - 1)})"

    def cast(self, depth):
        t = self.pick(self.type(), self.type(), "bool", "unsigned", "signed char", "unsigned long")
        return f"(({t}) ({self.expr(depth - 1)}))"

    def branch(self, depth):
        """After a sequence point."""
        busy, held = self.busy, self.held
        text = self.expr(depth)
        self.busy, self.held = busy, held
        return text

    def conditional(self, depth):
        c = self.expr(depth - 1)
        return f"(({c}) ? ({self.branch(depth - 1)}) : ({self.branch(depth - 1)}))"

    def logic(self, depth):
        return f"(({self.expr(depth - 1)}) {self.pick('&&', '||')} ({self.branch(depth - 1)}))"

    def comma(self, depth):
        return f"(({self.expr(depth - 1)}), ({self.branch(depth - 1)}))"

    def builtin(self, depth):
        name = self.pick(*ARITY)
        t = self.type()
        return f"{name} ({', '.join(f'({t}) ({a})' for a in self.operands(depth - 1, ARITY[name]))})"

    def saturating(self, depth):
        t = self.type()
        return f"convert_{t}{self.pick('', '_sat')} (({self.type()}) ({self.expr(depth - 1)}))"

    def sizeof(self, depth):
        if self.chance(0.5):
            return f"((int) sizeof ({self.pick(self.type(), 'int4', 'uchar3', *[s['name'] for s in self.structs])}))"
        return f"(uint) sizeof ({self.pure(depth - 1)})"

    def vector_lane(self, depth):
        t, lanes = self.type(), self.pick(2, 3, 4)
        text = self.vector(t, lanes, depth - 1)
        return f"({text}).{self.lane(lanes)}"

    def vector(self, t, lanes, depth):
        """An expression of the vector type, without effects."""
        choices = [n for n, v in self.free("vector", False) if v[1] == (t, lanes)]
        form = self.rng.randrange(9) if depth > 0 else self.rng.randrange(2)
        if form == 0 and choices:
            name = self.rng.choice(choices)
            self.reads.add(name)
            return name
        if form < 3:
            swizzle = "." + "".join(self.rng.choice("xyzw"[:lanes]) for _ in range(lanes)) if self.chance(0.2) else ""
            return f"({t}{lanes})({', '.join(f'({t}) ({self.pure(depth - 1)})' for _ in range(lanes))}){swizzle}"
        if form == 3:
            return f"({self.vector(t, lanes, depth - 1)} {self.pick('+', '-', '*', '&', '|', '^', '<<', '>>')} {self.vector(t, lanes, depth - 1)})"
        if form == 4:
            return f"({self.vector(t, lanes, depth - 1)} {self.pick('+', '*', '&', '<<', '>>')} ({t}) ({self.pure(depth - 1)}))"
        if form == 5:
            name = self.pick(*ON_VECTORS)
            name = "max" if name == "abs" and t[0] != "u" else name
            return f"{name} ({', '.join(self.vector(t, lanes, depth - 1) for _ in range(ARITY[name]))})"
        if form == 6:
            return f"{self.pick('-', '~')}({self.vector(t, lanes, depth - 1)})"
        if form == 7:
            u = self.type()
            return f"convert_{t}{lanes} ({self.vector(u, lanes, depth - 1)})"
        swizzle = "".join(self.rng.choice("xyzw"[:lanes]) for _ in range(lanes))
        if t[0] != "u" and self.chance(0.5):
            return f"({self.vector(t, lanes, depth - 1)} {self.pick('<', '==', '>=', '!=')} {self.vector(t, lanes, depth - 1)})"
        return f"({self.vector(t, lanes, depth - 1)}).{swizzle}"

    def assignment(self, depth):
        target = self.written(depth)
        if not target:
            return self.leaf(depth)
        place, rest = target
        op = self.pick("=", "=", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", "/=", "%=")
        text = rest()
        if op in ("/=", "%="):
            text = f"(({text}) & 15) + 1"
        return f"({place} {op} ({text}))"

    def written(self, depth):
        """A place to write, and a function that makes an expression that does not touch its object."""
        reads, writes = self.reads, self.writes
        self.reads, self.writes = set(), set()
        place = self.place(True, 1)
        own_reads, own_writes = self.reads, self.writes
        self.reads, self.writes = reads | own_reads, writes | own_writes
        if not place:
            return None

        def rest():
            busy, held = self.busy, self.held
            self.busy, self.held = busy | own_writes, held | own_writes | own_reads
            text = self.expr(depth - 1)
            self.busy, self.held = busy, held
            return text
        return place, rest

    def step(self, depth):
        place = self.place(True, 1)
        if not place:
            return self.leaf(depth)
        place = f"({place})" if place[0] == "*" else place
        return f"({place}{self.pick('++', '--')})" if self.chance(0.5) else f"({self.pick('++', '--')}{place})"

    def call(self, depth):
        """Arguments are evaluated in some order; what a pointer leads to is written."""
        if not self.functions:
            return self.leaf(depth)
        name, parameters, result = self.rng.choice(self.functions)
        busy, held = set(self.busy), set(self.held)
        reads, writes = self.reads, self.writes
        texts = []
        for kind, detail in parameters:
            self.reads, self.writes = set(), set()
            text = self.argument(kind, detail, depth)
            if text is None:
                self.busy, self.held, self.reads, self.writes = busy, held, reads, writes
                return self.literal()
            texts.append(text)
            self.busy = self.busy | self.writes
            self.held = self.held | self.writes | self.reads
            reads, writes = reads | self.reads, writes | self.writes
        self.busy, self.held, self.reads, self.writes = busy, held, reads, writes
        text = f"{name} ({', '.join(texts)})"
        return self.member(text, result, ".", 0) if isinstance(result, dict) else text

    def argument(self, kind, detail, depth):
        if kind == "scalar":
            return self.expr(depth - 1)
        if kind == "struct":
            choices = [n for n, v in self.free("struct", False) if v[1] is detail]
            if not choices:
                return None
            name = self.rng.choice(choices)
            self.reads.add(name)
            return name
        span, element = detail
        choices = [(n, v) for n, v in self.free("array", True) if v[1][1] == element and len(v[1][0]) == 1 and v[1][0][0] >= span]
        if not choices:
            return None
        name, variable = self.rng.choice(choices)
        self.writes.add(name)
        more = variable[1][0][0] - span
        return name if not more or self.chance(0.4) else self.pick(f"{name} + {self.rng.randrange(more + 1)}",
                                                                  f"&{name}[{self.rng.randrange(more + 1)}]")
