"""From a thread's code to its paths: every way through its branches, loops and compare-exchanges.

A path is a list of events whose values are terms over what the path's reads return, and the conditions
under which it is taken. A thread is run once for each sequence of decisions: at a branch whose
condition is not known, the next decision says how it goes (spec/litmus.md).
"""

from collections import namedtuple
from dataclasses import dataclass

import c_types as c
from c_calls import Calls
from c_types import INT, LONG, Address, Pointer, Type, Undefined, Unsupported
from terms import Done, Read, Value, convert, is_ground, operate

# conditions: (term, whether it is true). end: None, "cut" by a loop's bound, or "undefined".
Path = namedtuple("Path", "events conditions registers end")
MOST_PATHS = 200


@dataclass
class EventOf:
    """An event of one path of a thread. `after`: the events of the path that are before it in po."""
    thread: int
    index: int
    reads: bool = False
    writes: bool = False
    address: object = None
    type: object = INT
    value: object = None                 # the term that a write stores
    no_source: object = None             # a write-back: number of the event that read what it replaces
    order: str = "na"
    scope: str = "work_item"
    atomic: bool = False
    remote: bool = False
    failed: bool = False                 # the load of a compare-exchange that fails
    no_result: bool = False              # a reduction of C++26
    regions: frozenset = frozenset()     # of a fence
    barrier: tuple = None                # ("entry" or "exit", label, count)
    joins: str = None                    # a wide barrier: whom it joins under models with the option withwidebarriers
    tags: frozenset = frozenset()        # of PTX and Vulkan, as the rest here; level: how far its scope reaches
    level: str = None
    half: int = None                     # of the write of a read-modify-write: its read
    names: object = None                 # a fence: the address that it is for
    meeting: tuple = None                # a barrier of one event: (number, count, name); quorum; it does not wait
    quorum: int = 0
    arrives: bool = False
    cell: int = None                     # of PTX and Vulkan: the instruction
    after: frozenset = frozenset()
    addr: frozenset = frozenset()
    data: frozenset = frozenset()
    ctrl: frozenset = frozenset()


class Leave(Exception):
    """break, continue or return"""

    def __init__(self, kind):
        super().__init__(kind)
        self.kind = kind


class EndOfPath(Exception):
    def __init__(self, why):
        super().__init__(why)
        self.why = why


class Walk(Calls):
    """One path of one thread, for one sequence of decisions."""

    def __init__(self, test, thread, decisions, options):
        self.test, self.thread, self.decisions, self.options = test, thread, decisions, options
        self.code = test.threads[thread]
        self.events, self.conditions, self.made = [], [], 0
        self.ctrl = frozenset()
        self.scopes, self.slots, self.first = [{}], {}, {}
        self.labels = {}
        for name, what in self.code.parameters.items():
            if isinstance(what, (Type, Pointer)):
                self.declare(name, what, self.start(name), ("parameter", name))

    def start(self, name):
        value = self.code.registers.get(name, 0)
        return Address(*value[1:]) if isinstance(value, tuple) else value

    def path(self):
        end = None
        try:
            self.statement(self.code.body)
        except Leave:
            pass
        except EndOfPath as why:
            end = why.why
        except Undefined:
            end = "undefined"
        registers = {name: self.slots[slot] for name, slot in self.first.items() if slot in self.slots}
        return Path(self.events, self.conditions, registers, end)

    def next_decision(self, answers):
        """The next decision, one of these answers; the first of them if it was not yet made."""
        if len(self.decisions) == self.made:
            self.decisions.append(list(answers))
        self.made += 1
        return self.decisions[self.made - 1][0]

    def decide(self, condition):
        """Is the condition, a Value, other than 0? Asked where the thread branches."""
        self.ctrl |= condition.reads
        if is_ground(condition.term):
            return self.is_true(condition.term)
        answer = self.next_decision([True, False])
        self.conditions.append((condition.term, answer))
        return answer

    def decide_exchange(self, weak):
        return self.next_decision(["succeeds", "fails", "fails all the same"][:2 + weak])

    def exchange_condition(self, outcome, old, wants):
        same = operate("==", old.term, convert(wants.term, old.type), old.type)
        self.conditions.append((same, outcome != "fails"))

    @staticmethod
    def is_true(value):
        return isinstance(value, (Address, c.Unknown)) or value != 0

    # ---- Registers ----

    def declare(self, name, kind, term, key, reads=frozenset()):
        self.scopes[-1][name] = key
        self.first.setdefault(name, key)
        self.slots[key] = Value(kind, convert(term, kind), reads)

    def slot(self, name):
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        key = ("undeclared", name)
        self.scopes[0][name] = key
        self.first.setdefault(name, key)
        self.slots[key] = Value(INT, self.start(name))
        return key

    # ---- Events ----

    def add(self, after, **what):
        before = set(after)
        for index in after:
            before |= self.events[index].after
        event = EventOf(self.thread, len(self.events), after=frozenset(before), ctrl=self.ctrl, **what)
        self.events.append(event)
        return event.index

    def symbol(self, index):
        return Read(self.thread, index)

    def load(self, pointer, after, **what):
        """(value, event or None): a read through a pointer; of a register it is no event."""
        if isinstance(pointer.term, Address) and isinstance(pointer.term.name, tuple):
            return self.slots[pointer.term.name[1]], None
        kind = self.pointed_to(pointer)
        index = self.add(after, reads=True, address=pointer.term, addr=pointer.reads, type=kind, **what)
        return Value(kind, self.symbol(index), frozenset([index])), index

    def store(self, pointer, value, after, **what):
        kind = self.pointed_to(pointer)
        term = convert(value.term, kind)
        if isinstance(pointer.term, Address) and isinstance(pointer.term.name, tuple):
            self.slots[pointer.term.name[1]] = Value(kind, term, value.reads)
            return None
        return self.add(after, writes=True, address=pointer.term, addr=pointer.reads, type=kind, value=term,
                        data=value.reads, **what)

    def pointed_to(self, pointer):
        if not isinstance(pointer.type, Pointer):
            raise Unsupported("an access through what is no pointer")
        return pointer.type.to

    # ---- Statements ----

    def all_events(self):
        return set(range(len(self.events)))

    def evaluate(self, expression):
        """A full expression: all that came before is sequenced before it."""
        return self.expression(expression, self.all_events()).value

    def statement(self, node):
        getattr(self, "s_" + node[0])(*node[1:])

    def s_block(self, statements):
        self.scopes.append({})
        for statement in statements:
            self.statement(statement)
        self.scopes.pop()

    def s_declare(self, declared):
        for name, kind, value, key in declared:
            start = self.start(name) if name not in self.first else 0
            self.declare(name, kind, start, key)       # in scope from here, in its initialiser too
            if value is not None:
                done = self.evaluate(value)
                self.declare(name, kind, done.term, key, done.reads)

    def s_expression(self, expression):
        self.evaluate(expression)

    def s_if(self, condition, first, second):
        self.statement(first if self.decide(self.evaluate(condition)) else second)

    def s_while(self, condition, body):
        self.loop(condition, body, None, False)

    def s_do(self, body, condition):
        self.loop(condition, body, None, True)

    def s_for(self, first, condition, step, body):
        self.scopes.append({})
        if first:
            self.statement(first)
        self.loop(condition or ("int", 1, INT), body, step, False)
        self.scopes.pop()

    def loop(self, condition, body, step, body_first):
        rounds, depth = 0, len(self.scopes)
        while True:
            if not (body_first and rounds == 0) and not self.decide(self.evaluate(condition)):
                return
            if rounds == self.options.unroll:
                raise EndOfPath("cut")
            rounds += 1
            try:
                self.statement(body)
            except Leave as leave:
                if leave.kind == "return":
                    raise
                del self.scopes[depth:]
                if leave.kind == "break":
                    return
            if step:
                self.evaluate(step)

    def s_break(self):
        raise Leave("break")

    def s_continue(self):
        raise Leave("continue")

    def s_return(self, value):
        if value:
            self.evaluate(value)
        raise Leave("return")

    def s_barrier(self, label, arguments, word):
        """Two fences, release and acquire, of the barrier's scope and regions (spec/models.md). `barrier` may join
        the threads of a scope that is wider than the work-group."""
        regions = self.regions(arguments[0])
        scope = self.scope(arguments[1]) if len(arguments) > 1 else "work_group"
        count = self.labels[label] = self.labels.get(label, 0) + 1
        for half, order in (("entry", "release"), ("exit", "acquire")):
            self.add(self.all_events(), order=order, scope=scope, regions=regions, barrier=(half, label, count),
                     joins={"device": "dev", "all_svm_devices": "all"}.get(scope) if word == "barrier" else None)

    # ---- Expressions: C11 6.5, which evaluations are sequenced before which ----

    def expression(self, node, after):
        return getattr(self, "e_" + node[0])(after, *node[1:])

    def e_int(self, after, value, kind):
        return Done(Value(kind, value), set(), set())

    def e_name(self, after, name):
        what = None if any(name in scope for scope in self.scopes) else self.code.parameters.get(name)
        if what is not None and not isinstance(what, (Type, Pointer)):
            return Done(Value(Pointer(what.type), Address(name, 0)), set(), set())
        return Done(self.slots[self.slot(name)], set(), set())

    def e_cast(self, after, kind, body):
        done = self.expression(body, after)
        return done._replace(value=Value(kind, convert(done.value.term, kind), done.value.reads))

    def e_comma(self, after, a, b):
        first = self.expression(a, after)
        second = self.expression(b, after | first.events)
        return Done(second.value, first.events | second.needed, first.events | second.events)

    def e_choose(self, after, condition, a, b):
        asked = self.expression(condition, after)
        chosen = self.expression(a if self.decide(asked.value) else b, after | asked.events)
        return Done(chosen.value._replace(reads=chosen.value.reads | asked.value.reads),
                    asked.events | chosen.needed, asked.events | chosen.events)

    def e_unary(self, after, sign, body):
        done = self.expression(body, after)
        value = done.value
        if sign == "!":
            return done._replace(value=self.computed("==", value, Value(INT, 0)))
        if sign == "~":
            return done._replace(value=self.computed("^", value, Value(INT, -1)))
        return done._replace(value=self.computed(sign, Value(INT, 0), value))

    def e_binary(self, after, sign, a, b):
        if sign in ("&&", "||"):
            return self.short_circuit(after, sign, a, b)
        left, right = self.expression(a, after), self.expression(b, after)
        return Done(self.computed(sign, left.value, right.value), left.needed | right.needed,
                    left.events | right.events)

    def short_circuit(self, after, sign, a, b):
        left = self.expression(a, after)
        if is_pure(b):
            right = self.expression(b, after | left.events).value
            truths = [self.computed("!=", v, Value(INT, 0)) for v in (left.value, right)]
            done = Done(self.computed(sign[0], *truths), left.events, left.events)
            decided = int(sign == "||")                 # whatever the other operand is
            if any(truth.term == decided for truth in truths):
                done = done._replace(value=done.value._replace(term=decided))
            return done
        if self.decide(left.value) == (sign == "||"):
            return Done(Value(INT, int(sign == "||"), left.value.reads), left.events, left.events)
        right = self.expression(b, after | left.events)
        truth = self.computed("!=", right.value, Value(INT, 0))
        return Done(truth._replace(reads=truth.reads | left.value.reads),
                    left.events | right.needed, left.events | right.events)

    def computed(self, sign, a, b):
        reads = a.reads | b.reads
        pointers = [v for v in (a, b) if isinstance(v.type, Pointer)]
        if pointers:
            kind = pointers[0].type
            result = LONG if len(pointers) == 2 and sign == "-" else kind
            if sign in c.COMPARISONS:
                result = INT
            return Value(result, operate(sign, a.term, b.term, kind), reads)
        kind = c.promote(a.type) if sign in ("<<", ">>") else c.common(a.type, b.type)
        right = b.term if sign in ("<<", ">>") else convert(b.term, kind)
        term = operate(sign, convert(a.term, kind), right, kind)
        return Value(INT if sign in c.COMPARISONS else kind, term, reads)

    def e_deref(self, after, body):
        pointer = self.expression(body, after)
        value, event = self.load(pointer.value, after | pointer.needed)
        new = set() if event is None else {event}
        return Done(value, pointer.needed | new, pointer.events | new)

    def e_address(self, after, body):
        if body[0] == "deref":
            return self.expression(body[1], after)
        if body[0] != "name":
            raise Unsupported("the address of what is no object")
        if isinstance(self.e_name(after, body[1]).value.term, Address) and not any(
                body[1] in scope for scope in self.scopes):
            return self.e_name(after, body[1])
        slot = self.slot(body[1])
        return Done(Value(Pointer(self.slots[slot].type), Address(("register", slot), 0)), set(), set())

    def place(self, node, after):
        """(pointer, events) of what stands left of an assignment."""
        if node[0] == "deref":
            return self.expression(node[1], after)
        return self.e_address(after, node)

    def e_assign(self, after, sign, left, right):
        place, value = self.place(left, after), self.expression(right, after)
        needed, events = place.needed | value.needed, place.events | value.events
        new = value.value
        if sign:
            old, event = self.load(place.value, after | place.needed)
            needed, events = self.with_event(event, needed, events)
            new = self.computed(sign, old, new)
        return self.assigned(place.value, new, after, needed, events, None)

    def assigned(self, pointer, new, after, needed, events, result):
        kind = self.pointed_to(pointer)
        event = self.store(pointer, new, after | needed)
        value = result or Value(kind, convert(new.term, kind), new.reads)
        return Done(value, needed, self.with_event(event, needed, events)[1])

    @staticmethod
    def with_event(event, needed, events):
        return (needed, events) if event is None else (needed | {event}, events | {event})

    def e_step(self, after, sign, is_after, body):
        place = self.place(body, after)
        old, event = self.load(place.value, after | place.needed)
        needed, events = self.with_event(event, place.needed, place.events)
        new = self.computed(sign, old, Value(INT, 1))
        return self.assigned(place.value, new, after, needed, events, old if is_after else None)


def is_pure(node):
    """Does it make no difference whether the expression is evaluated? A && or || before it is then an
    operator like others, and no branch."""
    if node[0] in ("int", "name"):
        return True
    if node[0] in ("unary", "cast"):
        return is_pure(node[2])
    return node[0] == "binary" and node[1] not in ("/", "%", "<<", ">>") and is_pure(node[2]) \
        and is_pure(node[3])


def paths_of(test, thread, options, kind):
    """Every path of a thread, by this kind of Walk."""
    found, decisions = [], []
    while True:
        walk = kind(test, thread, decisions, options)
        found.append(walk.path())
        if len(found) > MOST_PATHS:
            raise Unsupported("too many paths")
        while decisions and len(decisions[-1]) == 1:
            decisions.pop()
        if not decisions:
            return found
        decisions[-1].pop(0)
