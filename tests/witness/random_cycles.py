"""Random tests in the manner of diy: a cycle of communications between threads, program order, fences and
dependencies inside them, and a condition that asks for the cycle."""

SHAPES = [  # one word a thread: its two accesses, W or R, on locations a, b, c; then what the cycle sees
    ("SB", "Wa Rb", "Wb Ra"), ("MP", "Wa Wb", "Rb Ra"), ("LB", "Ra Wb", "Rb Wa"), ("R", "Wa Wb", "Wb Ra"),
    ("S", "Wa Wb", "Rb Wa"), ("2+2W", "Wa Wb", "Wb Wa"), ("WRC", "Wa", "Ra Wb", "Rb Ra"),
    ("RWC", "Wa", "Ra Rb", "Wb Ra"), ("ISA2", "Wa Wb", "Rb Wc", "Rc Ra"), ("W+RR", "Wa", "Ra Ra"),
    ("IRIW", "Wa", "Ra Rb", "Wb", "Rb Ra"), ("3.SB", "Wa Rb", "Wb Rc", "Wc Ra"),
    ("3.LB", "Ra Wb", "Rb Wc", "Rc Wa"), ("Z6", "Wa Wb", "Rb Wc", "Wc Ra"), ("WWC", "Wa", "Ra Wb", "Rb Wa"),
    ("CoRW", "Ra Wa", "Wa"), ("CoWR", "Wa Ra", "Wa"), ("CoRR", "Ra Ra", "Wa")]
ORDERS = {"R": ["relaxed", "acquire", "seq_cst"], "W": ["relaxed", "release", "seq_cst"],
          "U": ["relaxed", "acquire", "release", "acq_rel", "seq_cst"],
          "F": ["acquire", "release", "acq_rel", "seq_cst"]}
SCOPES = ["work_item", "sub_group", "work_group", "device", "all_svm_devices"]
BETWEEN = ["po", "po", "po", "fence", "fence", "data", "addr", "ctrl", "barrier"]


class Cycle:
    def __init__(self, rng, name):
        self.rng, self.name = rng, name
        self.c = rng.random() < 0.3
        self.shape, *self.threads = rng.choice(SHAPES)
        self.locations = sorted({word[1] for thread in self.threads for word in thread.split()})
        self.plain = set(rng.sample(self.locations, rng.choice([0, 0, 0, 1])))
        self.space = {n: "" if self.c else rng.choice(["global"] * 5 + ["local", "global_fga"])
                      for n in self.locations}
        self.usual = rng.choice(SCOPES[2:])
        self.remote = rng.choice([0, 0, 0.4])
        self.registers, self.written = [], {}

    def how(self, kind):
        text = "memory_order_" + self.rng.choice(ORDERS[kind])
        if self.c:
            return text
        scope = self.usual if self.rng.random() < 0.7 else self.rng.choice(SCOPES)
        return f"{text}, memory_scope_{scope}"

    def called(self, name):
        return name + ("_remote" if not self.c and self.rng.random() < self.remote else "")

    def access(self, thread, word, value):
        """value: what a write stores (an expression)."""
        kind, location = word
        register = f"r{len([r for r in self.registers if r[0] == thread])}"
        plain = location in self.plain
        if kind == "R":
            self.registers.append((thread, register))
            if plain:
                return f"int {register} = *{location};", register
            if self.rng.random() < 0.15:
                call = self.called("atomic_fetch_add_explicit")
                return f"int {register} = {call}({location}, 0, {self.how('U')});", register
            call = self.called("atomic_load_explicit")
            return f"int {register} = {call}({location}, {self.how('R')});", register
        if plain:
            return f"*{location} = {value};", None
        if self.rng.random() < 0.15:
            self.registers.append((thread, register))
            call = self.called("atomic_exchange_explicit")
            return f"int {register} = {call}({location}, {value}, {self.how('U')});", register
        return f"{self.called('atomic_store_explicit')}({location}, {value}, {self.how('W')});", None

    def value(self, location):
        self.written[location] = self.written.get(location, 0) + 1
        return self.written[location]

    def body(self, thread, words):
        lines, last, control = [], None, 0
        for i, word in enumerate(words):
            value = str(self.value(word[1])) if word[0] == "W" else ""
            between = self.rng.choice(BETWEEN) if i else "po"
            if between == "fence" and self.c:
                lines.append(f"atomic_thread_fence({self.how('F')});")
            elif between == "fence":
                flags = self.rng.choice(["CLK_GLOBAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE",
                                         "CLK_LOCAL_MEM_FENCE"])
                lines.append(f"{self.called('atomic_work_item_fence')}({flags}, {self.how('F')});")
            elif between == "barrier" and not self.c:
                lines.append("B: barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);")
            elif between == "data" and last and value:
                value = f"{value} + ({last} & 4)"
            elif between == "ctrl" and last:
                lines.append(f"if ({last} {self.rng.choice(['== 1', '!= 7', '>= 0'])}) {{")
                control += 1
            line, register = self.access(thread, word, value)
            last = register or last
            lines.append(line)
        return lines + ["}"] * control

    def tree(self):
        threads = [f"P{i}" for i in range(len(self.threads))]
        if self.rng.random() < 0.4:
            return f"scopeTree (device (work_group {' '.join(threads)}))"
        cut = self.rng.randrange(1, len(threads))
        if self.rng.random() < 0.3:
            return (f"scopeTree (device (work_group {' '.join(threads[:cut])})) "
                    f"(device (work_group {' '.join(threads[cut:])}))")
        return (f"scopeTree (device (work_group {' '.join(threads[:cut])}) "
                f"(work_group {' '.join(threads[cut:])}))")

    def text(self):
        bodies = [self.body(i, words.split()) for i, words in enumerate(self.threads)]
        parameters = ", ".join(f"{self.space[n]} {'' if n in self.plain else 'atomic_'}int* {n}".strip()
                               for n in self.locations)
        threads = "".join(f"P{i} ({parameters}) {{\n" + "".join(f"  {line}\n" for line in lines) + "}\n"
                          for i, lines in enumerate(bodies))
        atoms = [f"{t}:{r}={self.rng.choice([0, 1, 1, 2])}" for t, r in self.registers]
        atoms += [f"{n}={self.rng.choice([1, 2])}" for n in self.locations if self.written.get(n, 0) > 1]
        question = "exists (" + " /\\ ".join(atoms or ["true"]) + ")"
        head = "C" if self.c else "OpenCL"
        initial = " ".join(f"[{n}]=0;" for n in self.locations)
        return (f"{head} {self.shape}.{self.name}\n{{ {initial} }}\n{threads}"
                f"{'' if self.c else self.tree()}\n{question}\n")


def random_cycle(rng, name):
    return Cycle(rng, name).text()
