"""Random kernels of one work-item without undefined behaviour, for kernels_compare.py."""

from kernels_builtin import TYPES
from kernels_expressions import INPUTS, SHARED, Expressions

__all__ = ["INPUTS", "SHARED", "Program"]


class Program(Expressions):
    """The text of a random kernel."""

    # ---- Declarations ----

    def declare(self, kinds=("scalar", "scalar", "array", "struct", "vector", "pointer", "structs", "union")):
        kind = self.pick(*kinds)
        name = self.name()
        lines = []
        if kind == "scalar":
            t = self.pick(self.type(), self.type(), self.type(), "bool")
            lines.append(f"{self.pick('', '', '', 'volatile ')}{t} {name} = {self.expr(3)};")
            self.scopes[-1][name] = ("scalar", t)
        elif kind == "array":
            t = self.type()
            sizes = self.pick([4], [8], [2], [2, 4], [4, 2])
            count = self.rng.randrange(1, sizes[0] + 1)
            inner = [self.pure(2) if len(sizes) == 1 else "{" + ", ".join(self.pure(1) for _ in range(self.rng.randrange(1, sizes[1] + 1))) + "}"
                     for _ in range(count)]
            if self.chance(0.2):
                inner = [f"[{self.rng.randrange(sizes[0])}] = {inner[0]}"]
            if len(sizes) == 2 and self.chance(0.3):
                inner = [self.pure(1) for _ in range(self.rng.randrange(1, sizes[0] * sizes[1] + 1))]
            lines.append(f"{t} {name}{''.join(f'[{n}]' for n in sizes)} = {{ {', '.join(inner)} }};")
            self.scopes[-1][name] = ("array", (sizes, t))
        elif kind in ("struct", "structs", "union") and self.structs:
            struct = self.rng.choice(self.structs)
            if kind == "structs" and not struct["union"]:
                lines.append(f"{struct['name']} {name}[2] = {{ {self.braces(struct)}, {self.braces(struct)} }};")
                self.scopes[-1][name] = ("array", ([2], struct))
            else:
                same = [n for n, v in self.free("struct", False) if v[1] is struct]
                value = self.rng.choice(same) if same and self.chance(0.3) else self.braces(struct)
                lines.append(f"{struct['name']} {name} = {value};")
                self.scopes[-1][name] = ("struct", struct)
        elif kind == "vector":
            t, lanes = self.type(), self.pick(2, 3, 4)
            lines.append(f"{t}{lanes} {name} = {self.vector(t, lanes, 2)};")
            self.scopes[-1][name] = ("vector", (t, lanes))
        elif kind == "pointer":
            arrays = [(n, v) for n, v in self.variables("array") if len(v[1][0]) == 1 and v[-1] != "const"]
            scalars = [(n, v) for n, v in self.variables("scalar") if v[1] in TYPES and v[-1] != "const" and len(v) == 2]
            if arrays and self.chance(0.7):
                target, (_, (sizes, element)) = self.rng.choice(arrays)
                span = 2 if isinstance(element, str) and sizes[0] > 2 else 1
                t = element if isinstance(element, str) else element["name"]
                lines.append(f"{t} *{name} = {target} + ({self.pure(2)} & {sizes[0] - span if span == 1 else sizes[0] // 2 - 1});")
                self.scopes[-1][name] = ("pointer", (span, element), target)
            elif scalars:
                target, (_, t) = self.rng.choice(scalars)
                lines.append(f"{t} *{name} = &{target};")
                self.scopes[-1][name] = ("pointer", (1, t), target)
        return lines

    def braces(self, struct):
        if struct["union"]:
            return "{ " + self.pure(2) + " }"
        members = struct["members"]
        if self.chance(0.3):
            chosen = self.rng.sample(members, self.rng.randrange(1, len(members) + 1))
            return "{ " + ", ".join(f".{n} = {self.value_for(inside)}" for n, inside in chosen) + " }"
        return "{ " + ", ".join(self.value_for(inside) for _, inside in members[:self.rng.randrange(1, len(members) + 1)]) + " }"

    def value_for(self, inside):
        if isinstance(inside, dict):
            return self.braces(inside)
        if isinstance(inside, tuple):
            return "{ " + ", ".join(self.pure(1) for _ in range(self.rng.randrange(1, inside[1] + 1))) + " }"
        return self.pure(2)

    def add_struct(self):
        name = self.name("S")
        if self.chance(0.25):
            bits = self.pick(8, 16, 32, 64)
            same = [t for t in TYPES if TYPES[t][0] == bits]
            struct = {"name": name, "union": True, "members": [("c", (same[0], 2)), ("a", same[0]), ("b", same[1])]}
        else:
            members = []
            for i in range(self.rng.randrange(1, 5)):
                inside = self.pick(self.type(), self.type(), (self.type(), self.pick(2, 4)), self.rng.choice(self.structs) if self.structs else self.type())
                members.append((f"m{i}", inside))
            struct = {"name": name, "union": False, "members": members}
        self.structs.append(struct)
        body = " ".join(f"{i['name']} {n};" if isinstance(i, dict) else f"{i[0]} {n}[{i[1]}];" if isinstance(i, tuple) else f"{i} {n};"
                        for n, i in struct["members"])
        word = "union" if struct["union"] else "struct"
        self.top.append(self.pick(f"typedef {word} {{ {body} }} {name};", f"typedef {word} tag_{name} {{ {body} }} {name};",
                                  f"{word} tag_{name} {{ {body} }};\ntypedef {word} tag_{name} {name};"))

    # ---- Statements ----

    def statements(self, n, depth):
        self.scopes.append({})
        lines = []
        for _ in range(n):
            lines += self.statement(depth)
        self.scopes.pop()
        return lines

    def block(self, depth, n=None):
        return ["{"] + self.statements(n or self.rng.randrange(1, 4), depth - 1) + ["}"]

    def statement(self, depth):
        self.reads, self.writes = set(), set()
        forms = [self.effect] * 5 + [self.declare] * 2 + [self.copy]
        if depth > 0:
            forms += [self.if_statement] * 2 + [self.loop, self.switch, self.pointer_walk, self.swizzle]
        if self.loops and self.chance(0.3):
            forms += [self.leave] * 2
        if self.result is not None and self.chance(0.1):
            forms += [self.returned]
        form = self.rng.choice(forms)
        return form(depth) if form not in (self.declare,) else form()

    def effect(self, _):
        form = self.pick(self.assignment, self.assignment, self.assignment, self.step, self.call, self.comma)
        return [f"{form(3)};"]

    def copy(self, _):
        """Of structures and vectors."""
        if self.chance(0.5):
            structs = self.free("struct", True)
            if structs:
                name, variable = self.rng.choice(structs)
                same = [n for n, v in self.variables("struct") if v[1] is variable[1]]
                if self.chance(0.4) and not variable[1]["union"]:
                    return [f"{name} = ({variable[1]['name']}) {self.braces(variable[1])};"]
                return [f"{name} = {self.rng.choice(same)};"]
        vectors = self.free("vector", True)
        if not vectors:
            return []
        name, (_, (t, lanes)) = self.rng.choice(vectors)
        return [f"{name} {self.pick('=', '+=', '^=', '*=')} {self.vector(t, lanes, 2)};"]

    def swizzle(self, _):
        vectors = [(n, v) for n, v in self.free("vector", True) if v[1][1] > 2]
        if not vectors:
            return []
        name, (_, (t, lanes)) = self.rng.choice(vectors)
        chosen = "".join(self.rng.sample("xyzw"[:lanes], 2))
        return [f"{name}.{chosen} {self.pick('=', '+=', '-=')} {self.vector(t, 2, 2)};"]

    def pointer_walk(self, _):
        arrays = [(n, v) for n, v in self.free("array", True) if v[1][0] in ([4], [8]) and isinstance(v[1][1], str)]
        scalars = [n for n, v in self.free("scalar", True)]
        if not arrays or not scalars:
            return []
        name, (_, (_, t)) = self.rng.choice(arrays)
        x, y = self.rng.choice(scalars), self.rng.choice(scalars)
        p, q = self.name("p"), self.name("q")
        return ["{", f"{t} *{p} = {name} + ({self.pure(2)} & 1), *{q} = &{name}[3];", f"{x} = *{p}++;",
                f"{y} {self.pick('=', '+=')} {p}[{self.pick('-1', '0', '1')}] + ({q} - {p}) * ({p} < {q}) + ({p} == {q});",
                f"*{self.pick('--' + p, p + '++', '++' + p)} {self.pick('=', '-=', '*=')} {self.pure(1)};",
                f"{p} {self.pick(f'= {name}', f'= {name} + 1', f'-= {p} - {name}', f'+= {q} - {p}')};",
                f"{x} ^= *{p};", "}"]

    def if_statement(self, depth):
        lines = [f"if ({self.expr(2)})"] + self.block(depth)
        if self.chance(0.5):
            lines += ["else"] + self.block(depth)
        return lines

    def body(self, depth):
        self.loops += 1
        lines = self.block(depth)
        self.loops -= 1
        return lines

    def loop(self, depth):
        i, n = self.name("i"), self.rng.randrange(1, 5)
        t = self.pick("int", "uint", "uchar", "long")
        self.scopes.append({i: ("scalar", t, "const")})
        form = self.rng.randrange(4)
        if form == 0:
            lines = [f"for ({t} {i} = 0; {i} < {n}; {self.pick(i + '++', '++' + i, i + ' += 1')})"] + self.body(depth)
        elif form == 1:
            lines = [f"for ({t} {i} = {n}; {i} > 0; {i}--)"] + self.body(depth)
        elif form == 2:
            lines = ["{", f"{t} {i} = {n};", f"while ({i}-- > 0)"] + self.body(depth) + ["}"]
        else:
            lines = ["{", f"{t} {i} = 0;", "do"] + self.body(depth) + [f"while (++{i} < {n});", "}"]
        self.scopes.pop()
        return lines

    def leave(self, _):
        return [f"if ({self.expr(2)}) {self.pick('break', 'continue')};"]

    def switch(self, depth):
        t = self.type()
        mask = self.pick(3, 7)
        value = self.pick(f"{self.expr(2)} & {mask}", f"({t}) ({self.expr(2)})", f"({t}) ({self.expr(2)} & {mask}) - 2")
        values = self.rng.sample(range(-2, mask), self.rng.randrange(1, 5))
        labels = [f"case {v}:" for v in values] + (["default:"] if self.chance(0.7) else [])
        self.rng.shuffle(labels)
        lines = [f"switch ({value})", "{"]
        in_loops, self.loops = self.loops, 0
        for label in labels:
            lines.append(label)
            if self.chance(0.8):
                lines += self.block(depth, 1)
            if self.chance(0.6):
                lines.append("break;")
        self.loops = in_loops
        lines.append(";" if lines[-1].endswith(":") else "")
        return lines + ["}"]

    # ---- Functions ----

    def returned(self, _=0):
        if isinstance(self.result, dict):
            choices = [n for n, v in self.variables("struct") if v[1] is self.result]
            if choices:
                return [f"return {self.rng.choice(choices)};"]
            return [f"return ({self.result['name']}) {self.braces(self.result)};"]
        return [f"return {self.expr(2)};"]

    def add_function(self):
        name, parameters, scope, texts = self.name("f"), [], {}, []
        for _ in range(self.rng.randrange(1, 4)):
            own = self.name("a")
            kind = self.pick("scalar", "scalar", "pointer", "struct" if self.structs else "scalar")
            if kind == "scalar":
                t = self.type()
                scope[own] = ("scalar", t)
                texts.append(f"{t} {own}")
                parameters.append((kind, t))
            elif kind == "pointer":
                detail = (self.pick(1, 2, 4), self.type())
                scope[own] = ("pointer", detail, own)
                texts.append(f"{detail[1]} *{own}")
                parameters.append((kind, detail))
            else:
                struct = self.rng.choice(self.structs)
                scope[own] = ("struct", struct)
                texts.append(f"{struct['name']} {own}")
                parameters.append((kind, struct))
        plain = [s for s in self.structs if not s["union"]]
        self.result = self.pick(self.type(), self.type(), self.rng.choice(plain) if plain else self.type())
        scopes, self.scopes = self.scopes, [scope]
        n_functions = len(self.functions)
        lines = self.statements(self.rng.randrange(1, 5), 2) + self.returned()
        self.scopes = scopes
        result = self.result["name"] if isinstance(self.result, dict) else self.result
        self.top += [f"{self.pick('', 'static ', 'inline ', 'static inline ')}{result} {name} ({', '.join(texts)})", "{"] + lines + ["}"]
        self.functions = self.functions[:n_functions] + [(name, parameters, self.result)]
        self.result = None

    def results(self):
        """Texts of the values of all variables, at the end."""
        texts = []
        for name, variable in self.scopes[-1].items():
            if variable[0] == "scalar":
                texts.append(name)
            elif variable[0] == "array":
                sizes, element = variable[1]
                for i in range(sizes[0]):
                    for k in range(sizes[1]) if len(sizes) == 2 else [None]:
                        texts += self.leaves(f"{name}[{i}]" + ("" if k is None else f"[{k}]"), element)
            elif variable[0] == "struct":
                texts += self.leaves(name, variable[1])
            elif variable[0] == "vector":
                texts += [f"{name}.{'xyzw'[i]}" for i in range(variable[1][1])]
        return texts

    def leaves(self, text, inside):
        if isinstance(inside, dict):
            members = inside["members"][:2] if inside["union"] else inside["members"]
            return [leaf for n, i in members for leaf in self.leaves(f"{text}.{n}", i)]
        if isinstance(inside, tuple):
            return [f"{text}[{i}]" for i in range(inside[1])]
        return [text]

    def text(self):
        rng = self.rng
        self.top.append(f"enum {self.pick('', 'tag ')}{{ E1{self.pick('', ' = 5', ' = -3')}, E2, E3 = {self.pick('E1 + 7', '1 << 10', 'E2 * 3')} }};")
        self.top.append(f"__constant {self.type()} table[{self.pick('', '4')}] = {{ {', '.join(str(rng.randrange(-300, 300)) for _ in range(4))} }};")
        for _ in range(rng.randrange(0, 4)):
            self.add_struct()
        # Functions read no global memory.
        reader, self.input = self.input, self.literal
        for _ in range(rng.randrange(0, 4)):
            self.add_function()
        self.input = reader
        self.scopes = [{}]
        lines = []
        for kind in ("scalar", "array", "scalar"):
            lines += self.declare((kind,))
        for _ in range(rng.randrange(2, 4) if self.symbolic else rng.randrange(3, 9)):
            lines += self.statement(1 if self.symbolic else 2)
        texts = self.results()
        rng.shuffle(texts)
        texts = texts[:24]
        lines += [f"out[{i}] = {text};" for i, text in enumerate(texts)]
        self.n_results = len(texts)
        kernel = "__kernel void k (__global long *out, __global const int *in, __global atomic_int *shared)\n{"
        if self.symbolic:
            kernel += ("\nif (get_global_id (0)) { for (int i = 0; i < %d; i++) atomic_fetch_or_explicit (&shared[i], 0, "
                       "memory_order_relaxed, memory_scope_device); return; }" % SHARED)
        return "\n".join(self.top + [kernel] + lines + ["}"]) + "\n"
