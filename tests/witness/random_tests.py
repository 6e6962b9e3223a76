"""Random litmus tests, small enough for the witness: all that threads are made of, in odd mixtures."""

SCOPES = ["work_item", "sub_group", "work_group", "work_group", "device", "device", "all_svm_devices"]
ORDERS = {"R": ["relaxed", "acquire", "seq_cst"], "W": ["relaxed", "release", "seq_cst"],
          "U": ["relaxed", "acquire", "release", "acq_rel", "seq_cst"],
          "F": ["acquire", "release", "acq_rel", "seq_cst", "relaxed"]}
FENCES = ["CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE"]
TYPES = ["int"] * 8 + ["uint", "uchar", "char", "long", "ushort"]


class Thread:
    def __init__(self, number):
        self.number, self.registers, self.budget, self.lines, self.pointers = number, [], 0, [], []


class TestMaker:
    """One test. `style` is what it is rich in: plain, values, control, expressions, pointers, barriers."""

    def __init__(self, rng, name, language=None):
        self.rng, self.name = rng, name
        self.c = (language or rng.choice(["OpenCL", "OpenCL", "OpenCL", "C"])) == "C"
        self.style = rng.choice(["plain", "values", "control", "expressions", "pointers", "barriers"])
        if self.c and self.style == "barriers":
            self.style = "plain"
        self.locations = self.make_locations()
        self.threads = [Thread(i) for i in range(rng.choice([1, 2, 2, 2, 2, 3, 3, 4]))]
        self.shares = rng.random() < 0.5       # one scope for most operations
        self.scope = rng.choice(SCOPES)
        self.remote = rng.choice([0, 0, 0.3, 0.6])

    def chance(self, p):
        return self.rng.random() < p

    def make_locations(self):
        """name -> (type, atomic, space, initial value, length or None)"""
        found, rng = {}, self.rng
        for name in ["x", "y", "z"][:rng.choice([1, 2, 2, 2, 3])]:
            space = "" if self.c else rng.choice(["global"] * 6 + ["local"] * 2 + ["global_fga", ""])
            kind = rng.choice(TYPES) if self.style in ("values", "expressions") else "int"
            found[name] = (kind, rng.random() < 0.75, space, rng.choice([0, 0, 0, 1, 2]), None)
        if self.style == "pointers":
            first = found["x"]
            for name in found:                 # one type, so that pointers fit
                found[name] = first[:3] + found[name][3:]
            if rng.random() < 0.6:
                found["a"] = first[:3] + (rng.choice([0, 1]), 2)
            if rng.random() < 0.5:
                found["q"] = ("pointer", False, "" if self.c else "global",
                              rng.choice([n for n in found]), None)
        return found

    # ---- Text ----

    def text(self):
        bodies = [self.thread(thread) for thread in self.threads]
        head = f"{'C' if self.c else 'OpenCL'} {self.name}\n{{ {self.initial()} }}\n"
        parameters = ", ".join(map(self.parameter, self.locations))
        parts = [f"P{i}{place} ({parameters}) {{\n{body}}}\n"
                 for i, (body, place) in enumerate(zip(bodies, self.heads()))]
        tree = "" if self.c or parts[0].startswith("P0@") else self.tree()
        return head + "".join(parts) + tree + self.question()

    def initial(self):
        entries = []
        for name, (kind, _, _, value, length) in self.locations.items():
            if length:
                values = ", ".join(str(self.rng.choice([0, 1, value])) for _ in range(length))
                entries.append(f"int {name}[{length}] = {{{values}}};")
            elif kind == "pointer":
                entries.append(f"{name}=&{value}[1];" if value == "a" and self.chance(0.5)
                               else f"{name}={value};")
            elif value or self.chance(0.7):
                entries.append(f"[{name}]={value};")
        return " ".join(entries)

    def parameter(self, name):
        kind, atomic, space, _, _ = self.locations[name]
        if kind == "pointer":
            target = self.locations["x"]
            return f"{space} {target[2]} {target[0]}** {name}".strip()
        return f"{space} {'atomic_' if atomic else ''}{kind}* {name}".strip()

    def heads(self):
        if self.c or self.chance(0.8):
            return [""] * len(self.threads)
        return [f"@sg {self.rng.choice([0, 1])}, wg {self.rng.choice([0, 0, 1])}, "
                f"dev {self.rng.choice([0, 0, 0, 1])}" for _ in self.threads]

    def tree(self):
        """A random scope tree over the threads, levels left out here and there."""
        def split(items, p):
            groups = [[items[0]]]
            for item in items[1:]:
                if self.chance(p):
                    groups.append([])
                groups[-1].append(item)
            return groups
        text = "scopeTree"
        for device in split([t.number for t in self.threads], 0.2):
            inside = ""
            for group in split(device, 0.5):
                names = [f"P{t}" for t in group]
                if self.chance(0.4):
                    names = ["(sub_group " + " ".join(f"P{t}" for t in g) + ")"
                             for g in split(group, 0.5)]
                inside += f" (work_group {' '.join(names)})"
            text += f" (device{inside})"
        return text + "\n"

    def question(self):
        rng, atoms = self.rng, []
        places = [f"{t.number}:{name}" for t in self.threads for name in t.registers]
        places += [n for n, what in self.locations.items() if what[0] != "pointer" and not what[4]]
        if "a" in self.locations:
            places += ["a[0]", "a[1]"]
        rng.shuffle(places)
        for place in places[:rng.choice([1, 2, 2, 3])]:
            atoms.append(f"{place}{rng.choice(['=', '=', '!='])}{rng.choice([0, 1, 1, 2])}")
        text = rng.choice([" /\\ ", " /\\ ", " \\/ "]).join(atoms) or "true"
        if self.chance(0.2):
            text = f"~({text})"
        shown = " ".join(p + ";" for p in places[2:5]) if self.chance(0.6) else ""
        text = f"{rng.choice(['exists', 'exists', '~exists', 'forall'])} ({text})\n"
        if places and self.chance(0.1):
            text = f"filter ({rng.choice(places)}{rng.choice(['=', '!='])}{rng.choice([0, 1])})\n" + text
        return (f"locations [{shown}]\n" if shown else "") + text

    # ---- Threads ----

    def thread(self, thread):
        self.now = thread
        thread.budget = {1: 4, 2: 3, 3: 2, 4: 1}[len(self.threads)] + (self.chance(0.5) - self.chance(0.4))
        thread.depth, thread.lines = 0, []
        lines = []
        while thread.budget > 0:
            lines.append(self.statement())
        return "".join(f"  {line}\n" for line in lines)

    def register(self):
        names = self.now.registers
        name = f"r{len(names)}"
        names.append(name)
        return name

    def value(self, depth=0):
        """An expression without accesses."""
        rng, known = self.rng, self.now.registers
        if not known or self.chance(0.5):
            return str(rng.choice([0, 1, 1, 2, 3] if self.style != "values" else [0, 1, 2, 255, -1, 7]))
        name = rng.choice(known)
        if depth > 1 or self.chance(0.4):
            return name
        sign = rng.choice(["+", "-", "^", "|", "*", "&", "==", "!=", "<", ">="])
        if self.style in ("values", "expressions"):
            sign = rng.choice([sign, sign, "<<", ">>", "&&", "||", "%", "/"])
            if sign in ("<<", ">>", "%", "/"):
                return f"({name} {sign} {rng.choice([1, 2, 3])})"
            if self.chance(0.15):
                return f"({rng.choice(['-', '~', '!', '(uchar) ', '(char) ', '(uint) '])}{name})"
        return f"({name} {sign} {self.value(depth + 1)})"

    def place(self, atomic=None):
        """A pointer expression."""
        rng = self.rng
        names = [n for n, what in self.locations.items() if what[0] != "pointer"
                 and (atomic is None or what[1] == atomic)]
        if not names:
            return None
        name = rng.choice(names)
        if self.locations[name][4]:
            known = self.now.registers
            if known and self.chance(0.5):
                return f"&a[{rng.choice(known)} & 1]"
            return rng.choice(["a", "&a[1]", "a + 1", "&a[0]"])
        if self.style == "pointers" and self.now.pointers and self.chance(0.4):
            pointer, of_atomic = rng.choice(self.now.pointers)
            if atomic is None or of_atomic == atomic:
                return pointer
        return name

    def ordered(self, kind, orders=1):
        parts = ["memory_order_" + self.rng.choice(ORDERS[kind]) for _ in range(orders)]
        if orders == 2:
            parts[1] = "memory_order_" + self.rng.choice(["relaxed", "acquire", "seq_cst"])
        if not self.c and self.chance(0.9):
            scope = self.scope if self.shares and self.chance(0.8) else self.rng.choice(SCOPES)
            parts.append("memory_scope_" + scope)
        return ", ".join(parts)

    def call(self, name, kind, arguments, orders=1):
        remote = "_remote" if not self.c and self.chance(self.remote) else ""
        if self.chance(0.08):
            return f"atomic_{name}{remote}({arguments})"
        return f"atomic_{name}_explicit{remote}({arguments}, {self.ordered(kind, orders)})"

    def access(self, depth=0):
        """An expression with one access or more, which has a value."""
        rng, self.now.budget = self.rng, self.now.budget - 1
        atomic = self.place(True)
        kind = rng.choice(["load"] * 5 + ["rmw", "cas", "plain"]) if atomic else "plain"
        if self.style == "expressions" and depth == 0 and self.chance(0.4) and self.now.budget > 0:
            sign = rng.choice(["+", "&&", "||", "-", ",", "=="])
            return f"({self.access(1)} {sign} {self.access(1)})"
        if kind == "load":
            return self.call("load", "R", atomic)
        if kind == "rmw":
            fetch = rng.choice(["fetch_add", "exchange", "exchange", "fetch_sub", "fetch_or", "fetch_xor",
                                "fetch_max", "fetch_min", "fetch_and"])
            return self.call(fetch, "U", f"{atomic}, {self.value()}")
        plain = self.place(False if self.chance(0.7) else None) or self.place()
        if kind == "cas":
            self.now.budget -= 1
            how = rng.choice(["strong", "strong", "weak"])
            expected = self.place(False)
            if self.now.registers and self.chance(0.4) or not expected:
                if not self.now.registers:
                    return self.call("load", "R", atomic)
                expected = "&" + rng.choice(self.now.registers)
            return self.call(f"compare_exchange_{how}", "U", f"{atomic}, {expected}, {self.value()}", 2)
        if self.style == "expressions" and self.chance(0.4):
            return rng.choice([f"(*({plain}))++", f"(*({plain}) = {self.value()})", f"++*({plain})",
                               f"(*({plain}) += {self.value()})"])
        return f"*({plain})"

    def statement(self):
        rng, thread = self.rng, self.now
        thread.depth += 1
        weights = {"load": 5, "store": 5, "plain": 2, "fence": 1, "if": 1}
        weights.update({"control": {"if": 6, "loop": 1}, "barriers": {"barrier": 4, "fence": 2},
                        "pointers": {"pointer": 4}, "expressions": {"odd": 3}}.get(self.style, {}))
        kind = rng.choices(list(weights), weights.values())[0]
        made = getattr(self, "make_" + kind)()
        thread.depth -= 1
        return made

    def make_load(self):
        kind = "int" if self.style == "plain" or self.chance(0.6) else self.rng.choice(TYPES)
        access = self.access()
        if self.now.depth > 1 and self.now.registers and self.chance(0.5):
            return f"{self.rng.choice(self.now.registers)} = {access};"
        return f"{kind} {self.register()} = {access};" if self.now.depth == 1 else f"{access};"

    def make_store(self):
        atomic = self.place(True)
        if not atomic:
            return self.make_plain()
        self.now.budget -= 1
        store = "store"
        if self.c and self.chance(0.2):
            store += self.rng.choice(["_add", "_sub", "_or", "_xor", "_max", "_min", "_and"])
        return self.call(store, "W", f"{atomic}, {self.value()}") + ";"

    def make_plain(self):
        self.now.budget -= 1
        place = self.place(False if self.chance(0.8) else None) or self.place()
        value = self.value()
        if self.now.budget > 0 and self.chance(0.2):
            value = self.access()
        return f"*({place}) = {value};"

    def make_odd(self):
        value = self.value()
        condition = self.access()
        if self.chance(0.5) and self.now.budget > 0:
            return f"int {self.register()} = {condition} ? {self.access()} : {value};" \
                if self.now.depth == 1 else f"{condition} ? {self.access()} : {value};"
        return f"*({self.place()}) = {condition};"

    def make_fence(self):
        if len(self.now.registers) == 0 and self.chance(0.5):
            return self.make_store()
        if self.c:
            return f"atomic_thread_fence({self.ordered('F')});"
        remote = "_remote" if self.chance(self.remote) else ""
        return f"atomic_work_item_fence{remote}({self.rng.choice(FENCES)}, {self.ordered('F')});"

    def make_barrier(self):
        label = self.rng.choice(["B: ", "B: ", "", "C: "])
        scope = self.rng.choice(["", "", ", memory_scope_device", ", memory_scope_all_svm_devices", ", memory_scope_sub_group"])
        word = self.rng.choice(["barrier", "barrier", "work_group_barrier"])
        self.now.budget -= self.chance(0.5)
        return f"{label}{word}({self.rng.choice(FENCES)}{scope});"

    def make_if(self):
        condition = self.value() if self.now.registers and self.chance(0.6) else self.access()
        if self.now.depth > 2 or not self.now.registers and self.chance(0.5):
            return self.make_store()
        text = f"if ({condition}) {{ {self.statement()} }}"
        if self.now.budget > 0 and self.chance(0.5):
            text += f" else {{ {self.statement()} }}"
        return text

    def make_loop(self):
        if self.now.depth > 1:
            return self.make_load()
        name = self.register()
        self.now.budget -= 1
        if self.chance(0.5):
            return (f"int {name}; for ({name} = 0; {name} < {self.rng.choice([1, 2, 2])}; {name}++) "
                    f"{{ {self.statement()} }}")
        end = self.rng.choice(["", "", " break;"])
        return f"int {name} = 0; while ({self.access()} != 1) {{ {name} = {name} + 1;{end} }}"

    def make_pointer(self):
        rng, thread = self.rng, self.now
        kind, atomic, space, _, _ = self.locations["x"]
        names = [n for n, what in self.locations.items() if what[0] != "pointer"]
        of = f"{space} {'atomic_' if atomic else ''}{kind}*".strip()
        pointer = f"p{len(thread.pointers)}"
        if thread.depth > 1 or not thread.registers:
            return self.make_load()
        if "q" in self.locations and self.chance(0.5):
            thread.budget -= 1
            if self.chance(0.4):
                return f"*q = {rng.choice(names)};"
            text = f"{of} {pointer} = *q;"
        else:
            text = f"{of} {pointer} = {rng.choice(thread.registers)} ? {rng.choice(names)} : " \
                   f"{rng.choice(names)};"
        thread.pointers.append((pointer, atomic))
        return text


def random_test(rng, name, language=None):
    return TestMaker(rng, name, language).text()
