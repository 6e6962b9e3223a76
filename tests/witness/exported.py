"""What -export writes for Alloy and Isabelle, read back: does it mean the same as the model?

The text is evaluated on an execution by the meaning that Alloy and Isabelle/HOL give to their operators. It stands for
the model in comparisons; all its facts must hold of every candidate execution.
"""

import re
import subprocess

import relations as r
from cat_evaluator import Model, Verdict
from cat_values import Relation, Set

TOKEN = re.compile(r"\\<\w+>|->|<:|\w+|\S")
PARTS = {  # what is stated of all executions; definitions; what stands for several rounds
    "alloy": (r"fact execution_\d+ \{ (.*) \}", r"(?:fun|pred) (\w+)(?: \[(\w+) : [^\]]*\])?(?: : [^{]*)? \{\n  (.*)\n\}"),
    "isabelle": (r"(?:assumes|and) execution_\d+: \"(.*)\"", r"definition (\w+)() :: .* where\n  \"\w+ = (.*)\""),
}
UNION, INTERSECTION, SEQUENCE, PRODUCT, NOT = "union", "intersection", "sequence", "product", "not"
WORDS = {"+": UNION, "&": INTERSECTION, ".": SEQUENCE, "->": PRODUCT, "~": "converse", "^": "trancl",
         r"\<union>": UNION, r"\<inter>": INTERSECTION, "O": SEQUENCE, r"\<times>": PRODUCT, r"\<not>": NOT,
         r"\<and>": "and", r"\<or>": "or"}


def parse(text):
    """Nested lists: what is in parentheses, or in the brackets of a call."""
    found, open_lists = [], []
    for token in TOKEN.findall(text):
        if token in "([{":
            open_lists.append(found)
            found.append([])
            found = found[-1]
        elif token in ")]}":
            found = open_lists.pop()
        else:
            found.append(WORDS.get(token, token))
    return found


class Exported:
    """The model by its exported text; options and choices of coherence are the model's own."""

    def __init__(self, program, path, library, form):
        text = subprocess.run([program, "-q", "-export", form, "-model", path], capture_output=True, text=True,
                              check=True).stdout
        model = Model(path, [library])
        self.options, self.free_names = model.options, model.free_names
        self.has_wide_barriers = model.has_wide_barriers
        fact, definition = PARTS[form]
        self.facts = [parse(part) for part in re.findall(fact, text)]
        self.definitions = {name: (parameter, parse(body)) for name, parameter, body in re.findall(definition, text)}
        self.prefix = next(name for name in self.definitions if name.endswith("_consistent"))[:-len("consistent")]
        declared = re.findall(r"(\w+)\"? ::? (?:set Event|\"'e rel\")", text)
        self.orders = [name for name in declared if name.startswith(self.prefix) and name not in self.definitions
                       and not name.endswith("sync_fence")]        # which the execution has
        self.flags = [name for name in self.definitions if name.startswith(self.prefix + "raises_")]

    def check_facts(self, execution):
        """Not of what is no execution: with another relation in place of one that it has."""
        there = Evaluation(self, execution, {})
        for name, change in (("rf", r.complement), ("co", r.inverse), ("po", r.complement), ("loc", r.complement)):
            value = there.value(name)
            changed = Evaluation(self, execution, {name: change(value)})
            assert change(value) == value or not all(map(changed.formula, self.facts)), f"any {name} is as good"

    def judge(self, execution, _):
        """For each choice of an order: those of which all facts hold."""
        self.check_facts(execution)
        seq_cst = Evaluation(self, execution, {}).value("memory_order_seq_cst") if self.orders else 0
        chosen = list(r.linear_extensions(seq_cst, (0,) * execution.n)) if self.orders else [None]
        for order in chosen:
            run = Evaluation(self, execution, {name: order for name in self.orders})
            false = [fact for fact in self.facts if not run.formula(fact)]
            assert not false, f"a fact does not hold: {false[0]}"
            allowed = run.holds("consistent")
            raised = {name[len(self.prefix + "raises_"):] for name in self.flags if run.formula([name])}
            yield Verdict(allowed, allowed and run.holds("undefined"), raised if allowed else set(), [])


class Evaluation:
    """Of a text on an execution. A set is an int, a relation a tuple, as in relations.py."""

    def __init__(self, text, execution, known):
        self.text, self.execution, self.n, self.known = text, execution, execution.n, dict(known)
        self.every = (1 << self.n) - 1
        self.identity = r.identity(self.every, self.n)
        self.known.update({"Event": self.every, "iden": self.identity, "Id": self.identity})

    def holds(self, name):
        return self.formula([self.text.prefix + name])

    # ---- Formulas ----

    def formula(self, parts):
        for word, join in (("and", all), ("or", any)):
            if word in parts:
                at = [-1, *(i for i, part in enumerate(parts) if part == word), len(parts)]
                return join(self.formula(parts[a + 1:b]) for a, b in zip(at, at[1:]))
        if parts[0] == NOT:
            return not self.formula(parts[1:])
        if parts[0] in ("no", "some"):
            return self.has_none(parts[1]) == (parts[0] == "no")
        if len(parts) == 3:                               # … = {}
            return self.has_none(parts[0]) == (parts[1] == "=")
        if isinstance(parts[0], list):
            return self.formula(parts[0])
        return parts[0] == "True" or self.formula(self.text.definitions[parts[0]][1])

    def has_none(self, part):
        if part == "none":
            return True
        value = self.value(part)
        return not (any(value) if isinstance(value, tuple) else value)

    # ---- Expressions ----

    def value(self, part):
        if isinstance(part, str):
            if part not in self.known:
                self.known[part] = self.named(part)
            return self.known[part]
        if len(part) == 1 and part[0] not in ("none",):
            return self.value(part[0])
        if not part:
            return 0
        if part[0] in ("lfp", "fixed"):
            return self.least(*part[1:])
        if len(part) == 2:
            return self.unary(*part)
        return self.binary(*part)

    def least(self, function):
        """The least fixpoint of λ variable. body."""
        variable, body = function[1], function[3]
        value, before = (0,) * self.n, None
        while value != before:
            before = self.known[variable] = value
            value = self.value(body)
        del self.known[variable]
        return value

    def named(self, name):
        if name in self.text.definitions:
            parameter, body = self.text.definitions[name]
            assert not parameter
            return self.rounds(body[0], body[1]) if len(body) == 2 else self.value(body)
        if name in ("none", "UNIV"):
            return 0 if name == "none" else self.every
        if name == "observed":
            places = self.execution.events.observed()
            return r.make_set(i for i, event in enumerate(self.execution.events.all)
                              if event.writes and self.execution.events.places[i] in places)
        rmw = self.execution.lookup("rmw")[0]             # in columns, the witness has the relation of this name
        if name == "atom":
            return rmw.rows if isinstance(rmw, Relation) else r.identity(rmw.members, self.n)
        if name == "rmw" and isinstance(rmw, Relation):
            name = "RMW"
        name = "sync_fence" if name.endswith("_sync_fence") else name
        name = "int" if name == "cat_int" else re.sub("^(po|ext)_", r"\1-", name)
        found = self.execution.lookup("syncbar" if name == "same_B" else name)
        if name == "X" and not found:                     # of C tests only
            return 0
        assert found, f"the witness has no {name}"
        assert isinstance(found[0], (Set, Relation))
        return found[0].members if isinstance(found[0], Set) else found[0].rows

    def rounds(self, step, argument):
        """f_step[f_step[… [(none -> none)]]]"""
        value = (0,) * self.n if argument == [["none", PRODUCT, "none"]] else self.rounds(*argument)
        parameter, body = self.text.definitions[step]
        self.known[parameter] = value
        value = self.value(body)
        del self.known[parameter]
        return value

    def unary(self, operator, part):
        value = self.value(part)
        return {"converse": r.inverse, "trancl": r.closure, "Domain": r.domain,
                "Id_on": lambda s: r.identity(s, self.n)}[operator](value)

    def binary(self, left, operator, right):
        a, b = self.value(left), self.value(right)
        if operator == "<:":
            return tuple(row if a >> i & 1 else 0 for i, row in enumerate(b))
        if operator == PRODUCT:
            return r.product(a, b, self.n)
        if operator == SEQUENCE and isinstance(b, int):
            return r.make_set(i for i, row in enumerate(a) if row & b)
        if operator == SEQUENCE:
            return r.sequence(a, b)
        if a == 0 or b == 0:                              # Isabelle's {} is of either type
            a, b = (tuple([0] * self.n) if x == 0 and isinstance(y, tuple) else x for x, y in ((a, b), (b, a)))
        assert isinstance(a, int) == isinstance(b, int), (left, operator, right)
        if isinstance(a, int):
            return {UNION: a | b, INTERSECTION: a & b, "-": a & ~b}[operator]
        return {UNION: r.union, INTERSECTION: r.intersection, "-": r.difference}[operator](a, b)
