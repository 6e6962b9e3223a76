"""From a column of instructions to its paths: every way through its jumps and compare-and-swaps."""

import re

from c_types import LONG, Address, Pointer, Undefined, Unsupported
from columns_words import instruction
from paths import EndOfPath, Path, Walk
from terms import Value, convert, is_ground, operate

PLAIN = {"add": "+", "sub": "-", "mul": "*", "div": "/", "and": "&", "or": "|", "xor": "^"}
JUMPS = {"beq": "==", "bne": "!=", "blt": "<", "ble": "<=", "bgt": ">", "bge": ">="}


class ColumnsWalk(Walk):
    """One path of one thread, for one sequence of decisions."""

    def __init__(self, test, thread, decisions, options):
        super().__init__(test, thread, decisions, options)
        self.registers = {name: Value(LONG, self.start(name)) for name in self.code.registers}
        self.cells = [cell for cell in self.code.body if cell.word or cell.labels]
        self.labels = {label: i for i, cell in enumerate(self.cells) for label in cell.labels}
        self.ends = self.loops()
        self.rounds = {}                     # head of a loop that the thread is in -> rounds begun
        self.at = 0                          # the cell that runs
        self.groups = {"GEN": [[]], "ASYNC": [[]]}   # per proxy, of copies; the last is not committed
        self.copying = set()                 # events of copies that the thread has not waited for

    def path(self):
        end = None
        try:
            at = self.go(0)
            while at < len(self.cells):
                target = self.step(at)
                at = self.go(at + 1 if target is None else target)
        except EndOfPath as why:
            end = why.why
        except Undefined:
            end = "undefined"
        return Path(self.events, self.conditions, self.registers, end)

    # ---- Jumps ----

    def loops(self):
        """head -> one past its last jump back; what begins within a loop ends within it."""
        ends = {}
        for i, cell in enumerate(self.cells):
            if cell.word in JUMPS or cell.word == "goto":
                head = self.labels[cell.operands[-1]]
                if head <= i:
                    ends[head] = max(i + 1, ends.get(head, 0))
        for _ in ends:
            for head in ends:
                ends[head] = max(end for other, end in ends.items() if head <= other < ends[head])
        return ends

    def go(self, to):
        """Leaves loops, and begins rounds, of which there are `unroll` at most."""
        for head in [h for h in self.rounds if not h <= to < self.ends[h]]:
            del self.rounds[head]
        for head in self.ends:
            if head < to < self.ends[head]:
                self.rounds.setdefault(head, 0)
        if to in self.ends:
            self.rounds[to] = self.rounds.get(to, 0) + 1
            if self.rounds[to] > self.options.unroll:
                raise EndOfPath("cut")
        return to

    # ---- Operands ----

    def is_register(self, name):
        return name in self.code.registers or name[0] == "r" and name[1:].isdigit()

    def value_of(self, operand):
        if operand.lstrip("-").isdigit():
            return Value(LONG, convert(int(operand), LONG))
        if self.is_register(operand):
            return self.registers.get(operand, Value(LONG, 0))
        name, element = re.fullmatch(r"&?(\w+)(?:\[(\d+)\])?", operand).groups()
        return Value(LONG, Address(name, int(element or 0)))

    def pointer(self, operand):
        inside = re.fullmatch(r"\[(.*)\]", operand)
        return self.value_of(inside[1].strip() if inside else operand)._replace(type=Pointer(LONG))

    # ---- Instructions ----

    def step(self, at):
        """Runs the instruction of a cell; the cell that it jumps to, if any."""
        self.at, (_, word, operands) = at, self.cells[at]
        if word is None:
            return None
        if word == "goto":
            return self.labels[operands[-1]]
        if word in JUMPS:
            condition = self.computed(JUMPS[word], *map(self.value_of, operands[:2]))
            return self.labels[operands[-1]] if self.decide(condition) else None
        if word in PLAIN:
            self.registers[operands[0]] = self.computed(PLAIN[word], *map(self.value_of, operands[1:]))
        elif word == "mov":
            self.registers[operands[0]] = self.value_of(operands[1])
        else:
            what = instruction(self.test.language, word)
            getattr(self, "i_" + what.kind)(what, operands)
        return None

    def add(self, after, **what):
        return super().add(after, cell=self.at, **what)

    def how(self, what):
        return {"tags": frozenset(what.tags), "level": what.level}

    def i_load(self, what, operands):
        if operands[1].lstrip("-").isdigit() or operands[1].startswith("&"):
            self.registers[operands[0]] = self.value_of(operands[1])
        else:
            self.registers[operands[0]] = self.load(self.pointer(operands[1]), self.all_events(), **self.how(what))[0]

    def i_store(self, what, operands):
        self.store(self.pointer(operands[0]), self.value_of(operands[1]), self.all_events(), **self.how(what))

    def i_fetch(self, what, operands):
        self.registers[operands[0]] = self.modify_by(what, operands[1:])

    def i_reduce(self, what, operands):
        self.modify_by(what, operands)

    def modify_by(self, what, operands):
        """Two events; a compare-and-swap that fails writes back what it read, or only reads."""
        pointer, values = self.pointer(operands[0]), list(map(self.value_of, operands[1:]))
        outcome = self.decide_exchange(False) if what.sign == "cas" else "succeeds"
        if outcome == "fails" and what.failing_tags is not None:
            old, _ = self.load(pointer, self.all_events(), **self.how(what._replace(tags=what.failing_tags)))
            self.exchange_condition(outcome, old, values[0])
            return old
        old, number = self.load(pointer, self.all_events(), **self.how(what))
        reads = frozenset().union(*(value.reads for value in values))
        if what.sign == "exchange":
            new = values[0].term
        elif what.sign == "cas":
            self.exchange_condition(outcome, old, values[0])
            new, reads = values[1].term if outcome == "succeeds" else old.term, reads | old.reads
        else:
            new, reads = operate(what.sign, old.term, values[0].term, LONG), reads | old.reads
        self.store(pointer, Value(LONG, new, reads), self.all_events(), tags=frozenset(what.write_tags), level=what.level,
                   half=number)
        return old

    def i_fence(self, what, operands):
        names = self.pointer(operands[0]).term if operands else None
        if names is not None and not is_ground(names):
            raise Unsupported("a fence for an address that depends on what is read")
        self.add(self.all_events(), names=names, **self.how(what))

    # ---- Asynchronous copies ----

    def all_events(self):
        return super().all_events() - self.copying

    def i_copy(self, what, operands):
        """A read, and a write or the two halves of a reduction; nothing comes after them until the thread waits."""
        first, into = len(self.events), self.pointer(operands[0])
        value, _ = self.load(self.pointer(operands[1]), self.all_events(), tags=frozenset(what.tags), level=None)
        written, half = {"tags": frozenset(what.write_tags), "level": what.level}, None
        if what.sign:
            old, half = self.load(into, self.all_events(), **written)
            value = Value(LONG, operate(what.sign, old.term, value.term, LONG), old.reads | value.reads)
        self.store(into, value, self.all_events(), half=half, **written)
        events = range(first, len(self.events))
        self.copying |= set(events)
        if "GROUP" in what.tags:
            self.groups[min(what.tags & {"GEN", "ASYNC"})][-1].append(events)

    def i_group(self, what, _):
        self.add(self.all_events(), **self.how(what))
        self.groups[min(what.tags & {"GEN", "ASYNC"})].append([])

    def i_wait(self, what, operands):
        groups = self.groups[min(what.tags & {"GEN", "ASYNC"})]
        complete = groups if what.sign == "all" else groups[:max(len(groups) - 1 - int(operands[0]), 0)]
        for events in (events for group in complete for events in group):
            self.copying -= set(events[:1] if what.sign == "read" else events)
        self.add(self.all_events(), **self.how(what))

    # ---- Mbarriers: a state is pending arrivals, bytes + 2^20, expected arrivals, phase, from 12, 21, 12 and 16 bits ----

    def i_mbarrier(self, what, operands):
        done = what.sign.split("+")
        if done == ["pending_count"]:
            self.registers[operands[0]] = self.computed("&", self.value_of(operands[1]), Value(LONG, 4095))
            return
        target, operands = (None, operands) if done[0] in ("init", "inval", "expect_tx", "complete_tx") else (operands[0], operands[1:])
        pointer = self.pointer(operands[0])
        last = self.value_of(operands[1]) if len(operands) > 1 else Value(LONG, 1)
        if done[0] in ("init", "inval"):
            state = self.of(self.of(last, "*", 2 ** 33 + 1), "+", 2 ** 32) if done[0] == "init" else Value(LONG, 0)
            self.store(pointer, state, self.all_events(), **self.how(what))
            return
        old, number = self.load(pointer, self.all_events(), **self.how(what))
        result = (self.test_phase if "wait" in done[0] else self.change_phase)(what, done, pointer, old, number, last)
        if target not in (None, "_"):
            self.registers[target] = result

    def of(self, value, sign, number):
        return self.computed(sign, value, Value(LONG, number))

    def suppose(self, condition, answer):
        if is_ground(condition.term):
            if self.is_true(condition.term) != answer:
                raise EndOfPath("impossible")
        else:
            self.conditions.append((condition.term, answer))

    def test_phase(self, what, done, pointer, old, number, last):
        outcome = self.next_decision(["none", "complete", "current"])
        self.suppose(self.of(old, "==", 0), outcome == "none")
        phase = self.of(old, ">>", 45)
        if "parity" in done:
            complete = self.computed("!=", self.of(phase, "&", 1), last)
        else:
            complete = self.computed("!=", phase, self.of(last, ">>", 45))
        if outcome != "none":
            self.suppose(complete, outcome == "complete")
        tags = what.failing_tags if outcome == "current" else what.tags | {"UNDEF" if outcome == "none" else "PASSES"}
        self.events[number].tags = frozenset(tags)
        return Value(LONG, int(outcome != "current"), old.reads | last.reads)

    def change_phase(self, what, done, pointer, old, number, last):
        outcome = self.next_decision(["undefined", "completes", "goes on"])
        arrives = done[0].startswith("arrive")
        count = Value(LONG, 0) if not arrives else last if len(done) == 1 else Value(LONG, 1)
        left = self.computed("-", old, count)
        if done[0] == "arrive_drop":
            left = self.computed("-", left, self.of(count, "*", 2 ** 33))
        if done[-1].endswith("_tx"):
            left = self.computed("-" if done[-1] == "complete_tx" else "+", left, self.of(last, "*", 4096))
        few = self.computed("<", self.of(old, "&", 4095), count) if arrives else self.of(old, "==", 0)
        self.suppose(few, outcome == "undefined")
        if outcome != "undefined":
            self.suppose(self.of(self.of(left, "&", 2 ** 33 - 1), "==", 2 ** 32), outcome == "completes")
        expected = self.of(self.of(left, ">>", 33), "&", 4095)
        begun = self.of(self.of(self.of(left, ">>", 33), "*", 2 ** 33), "+", 2 ** 45 + 2 ** 32)
        new = {"undefined": old, "completes": self.computed("+", begun, expected), "goes on": left}[outcome]
        more = {"undefined": {"UNDEF"}, "completes": {"COMPLETES"}, "goes on": set()}[outcome]
        self.events[number].tags = frozenset(what.tags | (more & {"UNDEF"}))
        self.store(pointer, Value(LONG, new.term, old.reads | last.reads), self.all_events(),
                   tags=frozenset(what.write_tags | more), level=what.level, half=number)
        return old

    def i_warp(self, what, operands):
        tree, mask = self.test.tree, int(operands[0])
        lanes = [t for t in range(len(tree)) if tree[t]["wg"] == tree[self.thread]["wg"]]
        mask &= 2 ** len(lanes) - 1
        self.i_barrier(what, ["warp", str(mask), str(bin(mask).count("1"))])

    def i_barrier(self, what, operands):
        operands = operands or ["cluster"]
        name, quorum = (self.value_of(o).term if o else 0 for o in (operands[1:] + [None, None])[:2])
        if not is_ground(name) or not is_ground(quorum):
            raise Unsupported("a barrier whose name depends on what is read")
        of_cluster = operands[0] == "cluster"
        same = [e for e in self.events if e.meeting is not None and e.meeting[::2] == (operands[0], name)]
        count = sum(e.arrives == what.arrives or not of_cluster for e in same)
        if of_cluster and len(same) - count != count + (not what.arrives):
            raise Unsupported("a cluster's barrier whose arrivals and waits do not take turns")
        self.add(self.all_events(), meeting=(operands[0], count, name), quorum=quorum, arrives=what.arrives,
                 **self.how(what))
