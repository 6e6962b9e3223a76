"""Random C threads with nested loops and branches, as text and as programs of machine.py."""


class Writer:
    """A thread. space: the address space of its locations, with a blank."""

    def __init__(self, draw, locations, space="", barriers=False):
        self.draw, self.locations, self.space, self.barriers = draw, locations, space, barriers
        self.lines, self.code, self.registers = [], [], 0

    def location(self):
        return self.draw.choice(self.locations)

    def value(self):
        return self.draw.randrange(3)

    def operation(self):
        """An operation that reads: its text and the machine's."""
        x, v, e = self.location(), self.value(), self.value()
        kind = self.draw.choice(("read", "read", "read", "exchange", "exchange", "swap"))
        if kind == "read":
            return f"atomic_load ({x})", ("read", x)
        if kind == "exchange":
            return f"atomic_exchange ({x}, {v})", ("exchange", x, v)
        self.registers += 1
        r = f"e{self.registers}"
        return f"(({r} = {e}), atomic_compare_exchange_strong ({x}, &{r}, {v}))", ("swap", x, e, v)

    def test(self):
        """A condition: text, operation, constant, and whether it holds if the value read is equal."""
        text, operation = self.operation()
        if operation[0] == "swap":
            return text, operation, operation[2], True
        equal, constant = self.draw.random() < 0.5, self.value()
        return f"{text} {'==' if equal else '!='} {constant}", operation, constant, equal

    def emit(self, operation, constant=None):
        self.code.append([operation, constant, len(self.code) + 1, len(self.code) + 1])
        return self.code[-1]

    def jump(self, instruction, equal, place):
        instruction[2 if equal else 3] = place

    def write(self, indent):
        x, v = self.location(), self.value()
        self.lines.append(f"{indent}atomic_store ({x}, {v});")
        self.emit(("write", x, v))

    def barrier(self, indent):
        self.lines.append(f"{indent}barrier (CLK_GLOBAL_MEM_FENCE);")
        self.emit(("barrier",))

    def loop(self, indent, depth):
        text, operation, constant, equal = self.test()
        head = len(self.code)
        self.lines.append(f"{indent}while ({text}) {{")
        instruction = self.emit(operation, constant)
        self.body(indent + "  ", depth + 1, self.draw.choice((0, 0, 0, 1, 1, 2)))
        self.lines.append(f"{indent}}}")
        if len(self.code) == head + 1:
            self.jump(instruction, equal, head)
            return
        for other in self.code[head + 1:]:  # what would go on behind the loop goes round
            for k in (2, 3):
                if other[k] == len(self.code):
                    other[k] = head
        self.jump(instruction, not equal, len(self.code))

    def branch(self, indent, depth):
        text, operation, constant, equal = self.test()
        self.lines.append(f"{indent}if ({text}) {{")
        instruction = self.emit(operation, constant)
        self.body(indent + "  ", depth + 1, 1)
        self.lines.append(f"{indent}}}")
        self.jump(instruction, not equal, len(self.code))

    def body(self, indent, depth, n):
        for _ in range(n):
            kind = self.draw.random()
            if self.barriers and self.draw.random() < 0.4:
                self.barrier(indent)
            elif depth < 3 and kind < (0.6 if depth == 1 else 0.3):
                self.loop(indent, depth)
            elif depth < 3 and kind < 0.7:
                self.branch(indent, depth)
            else:
                self.write(indent)

    def text(self, number):
        parameters = ", ".join(f"{self.space}atomic_int* {x}" for x in "xy")
        registers = "".join(f"  int e{i + 1};\n" for i in range(self.registers))
        return f"P{number} ({parameters}) {{\n{registers}" + "".join(line + "\n" for line in self.lines) + "}\n\n"


HEADS = {"C": ("C", ""), "OPENCL": ("OpenCL", "global ")}


def draw_groups(draw, n, barriers):
    """The work-group of each thread: where there are barriers, mostly one, or one thread and the others."""
    if barriers:
        return [0] * n if draw.random() < 0.5 else draw.choice(([0] + [1] * (n - 1), [0] * (n - 1) + [1]))
    return sorted(draw.randrange(n) for _ in range(n))


def scope_tree(groups):
    members = {group: [f"P{t}" for t, own in enumerate(groups) if own == group] for group in groups}
    return f"scopeTree (device {' '.join(f'(work_group {chr(32).join(names)})' for names in members.values())})\n"


def generate(draw, language, name):
    """The text, the program, and the work-groups (None: the language has none)."""
    head, space = HEADS[language]
    n = draw.choice((1, 2, 2, 2, 3))
    barriers = language == "OPENCL" and draw.random() < 0.4
    groups = draw_groups(draw, n, barriers) if language == "OPENCL" else None
    writers = [Writer(draw, draw.choice(("x", "xy")), space, barriers) for _ in range(n)]
    for writer in writers:
        writer.body("  ", 1, draw.choice((1, 2, 2) if n < 3 else (1, 1, 2)))
    text = f"{head} {name}\n{{ }}\n" + "".join(w.text(i) for i, w in enumerate(writers))
    text += (scope_tree(groups) if groups else "") + "exists (x=0)\n"
    return text, [[tuple(i) for i in w.code] for w in writers], groups
