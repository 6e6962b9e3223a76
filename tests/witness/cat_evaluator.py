"""Evaluates a model on one complete execution.

The execution gives the base sets and relations by name (`lookup(name)`: a value and whether it is the
same for all executions of its events, or None). Definitions are evaluated when they are first used;
those of the outermost level that touch nothing but what is the same for all such executions are kept in
the execution's `kept`. A `with`, and S under `withsc`, are choices: the model is run once for each
combination of them.
"""

import contextlib
import os
from collections import namedtuple
from functools import cached_property

from base import SAME
from cat_library import Library
from cat_syntax import Node, read_model
from cat_values import ALL, NONE, Algebra, Collection, ModelError, Relation, Set, Tag, elements

ROUNDS = 400  # of a recursive definition; one that has not ended then is an error

# What a model says of an execution and one combination of choices. orders: (value chosen, all there were,
# what made them).
Verdict = namedtuple("Verdict", "allowed bad flags orders")
# Files that are part of the program: what they bind (docs/cat.md, "Included files that are built in").
BUILT_IN_FILES = {
    "stdlib.cat": "", "cross.cat": "", "filters.cat": "let invrf = rf^-1 let atom = AA(id)",
    "library.cat": "procedure subseteq (a, b) = empty a \\ b end",
    "cos.cat": "let invrf = rf^-1 let cobase = co0 with co from generate_cos(cobase) let coi = co & int "
               "let coe = co \\ coi let fr = (invrf ; co) \\ id let fri = fr & int let fre = fr \\ fri "
               "let ca = fr | co",
    "c11_cos.cat": "let invrf = rf^-1 let mobase = co0 with mo from generate_orders(W & (A | IW), mobase) "
                   "let moi = mo & int let moe = mo & ext let co = mo and coi = moi and coe = moe "
                   "let fr = (invrf ; mo) \\ id let fri = fr & int let fre = fr & ext",
    "c11_los.cat": "with lo from generate_orders(LK | LS | UL, 0)"}


class Unbound(ModelError):
    pass


class Env:
    """Names, and those of the enclosing scopes."""

    def __init__(self, parent=None):
        self.names, self.parent = {}, parent

    def find(self, name):
        env = self
        while env is not None:
            if name in env.names:
                return env.names[name]
            env = env.parent
        return None


class Thunk:
    """A definition that is evaluated when it is used."""

    def __init__(self, body, env):
        self.body, self.env, self.value, self.varies = body, env, None, False


Procedure = namedtuple("Procedure", "parameter body env")
File = namedtuple("File", "options statements path")


class Model:
    """A model's statements, with those of the files that it includes."""

    def __init__(self, path, folders=()):
        self.folders, self.files = list(folders), {}
        with open(path, encoding="utf-8") as file:
            self.options, self.statements = read_model(file.read())
        self.folder = os.path.dirname(os.path.abspath(path))
        self.read_included(self.statements)

    @cached_property
    def has_wide_barriers(self):
        return "withwidebarriers" in self.options.union(*(file.options for file in self.files.values()))

    @cached_property
    def free_names(self):
        """Those that are used and never bound."""
        bound, used = set(), set()
        for statements in [self.statements, *(file.statements for file in self.files.values())]:
            for node in parts(statements):
                if node.kind in ("let", "let-in"):
                    bound |= {pattern for pattern, _ in node.parts[0] if isinstance(pattern, str)}
                elif node.kind == "with":
                    bound.add(node.parts[0])
                elif node.kind == "name":
                    used.add(node.parts[0])
        return used - bound

    def read_included(self, statements):
        """Reads all included files, also those that no execution gets to, so that `mentions` knows every name. One that
        is missing is an error only when it is needed."""
        folder = self.folder
        for node in parts(statements):
            if node.kind != "include":
                continue
            with contextlib.suppress(ModelError):
                file = self.included(node.parts[0], id(node))
                self.folder = os.path.dirname(os.path.abspath(file.path))
                self.read_included(file.statements)
            self.folder = folder

    def included(self, name, key):
        """Statements of a file, read anew for each place that includes it."""
        if key not in self.files and name in BUILT_IN_FILES:
            self.files[key] = File(*read_model(BUILT_IN_FILES[name]), name)
        if key not in self.files:
            for folder in [self.folder, *self.folders]:
                path = os.path.join(folder, name)
                path = path if os.path.exists(path) else path + ".cat"
                if os.path.exists(path):
                    with open(path, encoding="utf-8") as file:
                        self.files[key] = File(*read_model(file.read()), path)
                        break
            else:
                raise ModelError(f"no file {name}")
        return self.files[key]


def parts(value):
    """Every Node in a statement or an expression."""
    if isinstance(value, Node):
        yield value
        value = value.parts
    if isinstance(value, (tuple, list)):
        for part in value:
            yield from parts(part)


def mentions(model, names):
    """Does the model use one of these names without ever binding it?"""
    return not model.free_names.isdisjoint(names)


class Fails(Exception):
    """A check of the model fails: the execution is not allowed."""


class Run:
    """One run of the model on one execution with one combination of choices."""

    def __init__(self, model, execution, picks, variants=(), skip=()):
        self.model, self.execution, self.picks = model, execution, picks
        self.variants, self.skip = variants, skip
        self.sizes, self.orders = [], []       # of the choices so far: how many, and what was chosen
        self.a = Algebra(execution.n)
        self.library = Library(self.a, self.base, self.apply)
        self.varying = 0                       # how often something was used that varies
        self.bad, self.flags = False, set()
        self.renamed = None                    # the name that `call … as` gives to checks
        self.folders = [model.folder]

    def verdict(self):
        env = Env()
        allowed = True
        try:
            self.choose_s(self.model.options, env)
            self.block(self.model.statements, env, outermost=True)
        except Fails:
            allowed = False
        return Verdict(allowed, allowed and self.bad, self.flags if allowed else set(), self.orders)

    def choose_s(self, options, env):
        """S, the total order of the seq_cst events, if a file says `withsc`."""
        if "withsc" in options and env.find("S") is None:
            orders = self.library.f_linearisations((self.base("memory_order_seq_cst"), NONE))
            env.names["S"] = ("varies", self.choose(orders))
            self.orders.pop()

    # ---- Names ----

    def base(self, name):
        wide = self.execution.lookup(SAME.get(name, name) + " wide") if self.model.has_wide_barriers else None
        found = wide or self.execution.lookup(name)
        if found is None:
            raise Unbound(name)
        value, varies = found
        self.varying += varies
        return value

    def name(self, name, env):
        found = env.find(name)
        if isinstance(found, Thunk):
            return self.force(found)
        if found is not None:
            if isinstance(found, tuple) and len(found) == 2 and found[0] == "varies":
                self.varying += 1
                return found[1]
            return found
        if name in ("unv", "emptyset", "lo"):
            return ALL if name == "unv" else NONE
        if self.execution.lookup(name) is not None:
            return self.base(name)
        function = self.library.find(name)
        if function is None:
            raise Unbound(name)
        return function

    def force(self, thunk):
        if thunk.value is None:
            before = self.varying
            thunk.value = self.value(thunk.body, thunk.env)
            thunk.varies = self.varying > before
        self.varying += thunk.varies
        return thunk.value

    def bind(self, pattern, value, env):
        if isinstance(pattern, str):
            env.names[pattern] = value
        elif len(pattern):
            if not isinstance(value, tuple) or len(value) != len(pattern):
                raise ModelError("a tuple of another length")
            for part, of_value in zip(pattern, value):
                self.bind(part, of_value, env)

    # ---- Expressions ----

    def value(self, node, env):
        return getattr(self, "e_" + NAMES.get(node.kind, node.kind))(node, env, *node.parts)

    def e_name(self, node, env, name):
        return self.name(name, env)

    def e_tag(self, node, env, name):
        return Tag(name)

    def e_nothing(self, node, env):
        return NONE

    def e_everything(self, node, env):
        return Set(self.a.events)

    def e_tuple(self, node, env, parts):
        return tuple(self.value(part, env) for part in parts)

    def e_set(self, node, env, parts):
        return self.a.set_from(self.value(part, env) for part in parts)

    def e_identity(self, node, env, body):
        return self.a.identity(self.value(body, env))

    def e_complement(self, node, env, body):
        return self.a.complement(self.value(body, env))

    def e_postfix(self, node, env, body):
        return self.a.postfix(node.kind[4:], self.value(body, env))

    def e_binary(self, node, env, left, right):
        return getattr(self.a, OPERATORS[node.kind])(self.value(left, env), self.value(right, env))

    def e_fun(self, node, env, pattern, body):
        def function(argument):
            inner = Env(env)
            self.bind(pattern, argument, inner)
            return self.value(body, inner)
        return function

    def e_apply(self, node, env, function, argument):
        if function.kind == "name" and function.parts[0] in ("int", "ext") \
                and not callable(env.find(function.parts[0])):
            return self.a.intersection(self.value(argument, env), self.base(function.parts[0]))
        return self.apply(self.value(function, env), self.value(argument, env))

    def apply(self, function, argument):
        if not callable(function):
            raise ModelError("this is not a function")
        return function(argument)

    def e_let_in(self, node, env, bindings, recursive, body):
        inner = Env(env)
        self.define(bindings, recursive, inner)
        return self.value(body, inner)

    def e_choose(self, node, env, condition, first, second):
        return self.value(first if self.condition(condition, env) else second, env)

    def e_cases(self, node, env, subject, arms):
        body, inner = self.arm(self.value(subject, env), arms, env)
        return self.value(body, inner)

    def e_try(self, node, env, first, second):
        try:
            return self.value(first, env)
        except ModelError:
            return self.value(second, env)

    def arm(self, value, arms, env):
        """The arm that a value matches, and the names that the match binds."""
        inner = Env(env)
        for (kind, *parts), body in arms:
            if kind == "any" or kind == "tag" and value == Tag(parts[0]):
                return body, inner
            if kind == "bind":
                self.bind(parts[0], value, inner)
                return body, inner
            if kind == "tag":
                continue
            items = elements(value)
            if kind == "empty" and not items:
                return body, inner
            if kind in ("first", "middle") and items:
                at = len(items) // 2 if kind == "middle" else 0
                pieces = [items[:at], items[at], items[at + 1:]][kind == "first":]
                for part, piece in zip(parts, pieces):
                    whole = self.a.set_from(piece) if isinstance(piece, list) else piece
                    self.bind(part, whole, inner)
                return body, inner
        raise ModelError("no case of the match")

    # ---- Conditions ----

    def condition(self, node, env):
        left, right = node.parts if len(node.parts) == 2 else (node.parts[0], None)
        if node.kind == "variant":
            return left in self.variants
        if node.kind == "not":
            return not self.condition(left, env)
        if node.kind in ("and", "or"):
            first = self.condition(left, env)
            return self.condition(right, env) if first == (node.kind == "and") else first
        left, right = self.value(left, env), self.value(right, env)
        if node.kind == "in":
            return any(self.a.equal(left, item) for item in elements(right))
        if node.kind == "subset":
            return self.a.is_subset(left, right)
        return self.a.equal(left, right) == (node.kind == "=")

    # ---- Definitions ----

    def define(self, bindings, recursive, env):
        if recursive:
            return self.define_recursively(bindings, env)
        found = []
        for pattern, body in bindings:
            if isinstance(pattern, str):
                copy = Env(env)
                copy.names, copy.parent = dict(env.names), env.parent
                found.append((pattern, Thunk(body, copy)))
            else:
                found.append((pattern, self.value(body, env)))
        for pattern, value in found:
            self.bind(pattern, value, env)

    def define_recursively(self, bindings, env):
        """Functions see each other; relations are the least fixpoint, from nothing, all together."""
        for pattern, body in bindings:
            env.names[pattern] = NONE
        inner = Env(env)
        inner.names, inner.parent = env.names, env.parent
        inner = Env(inner)
        for pattern, body in bindings:
            if body.kind == "fun":
                inner.names[pattern] = self.value(body, inner)
                env.names[pattern] = inner.names[pattern]
        rest = [(pattern, body) for pattern, body in bindings if body.kind != "fun"]
        for pattern, body in rest:
            inner.names[pattern] = NONE
        before = self.varying
        for _ in range(ROUNDS):
            values = [self.value(body, inner) for _, body in rest]
            if all(self.a.equal(value, inner.names[p]) for (p, _), value in zip(rest, values)):
                break
            for (pattern, _), value in zip(rest, values):
                inner.names[pattern] = value
        else:
            raise ModelError("a recursive definition does not end")
        varies = self.varying > before
        for (pattern, _), value in zip(rest, values if rest else []):
            env.names[pattern] = ("varies", value) if varies else value

    # ---- Statements ----

    def block(self, statements, env, outermost=False):
        for node in statements:
            method = getattr(self, "s_" + node.kind)
            if outermost and node.kind in ("let", "include", "if"):
                method(node, env, *node.parts, outermost=True)
            else:
                method(node, env, *node.parts)

    def s_nothing(self, node, env):
        pass

    def s_let(self, node, env, bindings, recursive, check, outermost=False):
        kept = self.execution.kept
        if outermost and kept.get(id(node)):
            env.names.update(kept[id(node)])
        else:
            self.define(bindings, recursive, env)
            if outermost and id(node) not in kept:
                kept[id(node)] = self.unvarying(bindings, env)
        if check:
            self.s_check(check, env, *check.parts)

    def unvarying(self, bindings, env):
        """The definitions, if they are the same for all executions of these events; else None."""
        names = [pattern for pattern, _ in bindings]
        if not all(isinstance(name, str) for name in names):
            return None
        before = self.varying
        values = [self.name(name, env) for name in names]
        if self.varying > before or not all(isinstance(v, (Set, Relation, Collection)) for v in values):
            return None
        return dict(zip(names, values))

    def s_include(self, node, env, name, outermost=False):
        self.model.folder, before = self.folders[-1], self.model.folder
        file = self.model.included(name, id(node))
        self.choose_s(file.options, env)
        self.folders.append(os.path.dirname(os.path.abspath(file.path)))
        self.block(file.statements, env, outermost)
        self.folders.pop()
        self.model.folder = before

    def s_procedure(self, node, env, name, parameter, body):
        inner = Env(env)
        inner.names[name] = Procedure(parameter, body, inner)
        env.names[name] = inner.names[name]

    def s_call(self, node, env, name, argument, renamed):
        procedure = env.find(name)
        if not isinstance(procedure, Procedure):
            raise Unbound(name)
        inner = Env(procedure.env)
        self.bind(procedure.parameter, self.value(argument, env), inner)
        before, self.renamed = self.renamed, self.renamed or renamed
        self.block(procedure.body, inner)
        self.renamed = before

    def s_forall(self, node, env, pattern, collection, body):
        for item in elements(self.value(collection, env)):
            inner = Env(env)
            self.bind(pattern, item, inner)
            self.block(body, inner)

    def s_with(self, node, env, pattern, options):
        value = self.choose(self.value(options, env))
        self.varying += 1
        if isinstance(pattern, str):
            env.names[pattern] = ("varies", value)
        else:
            self.bind(pattern, value, env)

    def choose(self, options):
        """The element of a set that `picks` says, of the choices still to make the first."""
        items = elements(options)
        if not items:
            raise Fails
        at = len(self.sizes)
        self.sizes.append(len(items))
        value = items[self.picks[at] if at < len(self.picks) else 0]
        self.orders.append((value, items, getattr(options, "made_by", None)))
        return value

    def s_if(self, node, env, condition, first, second, outermost=False):
        before = self.varying
        chosen = first if self.condition(condition, env) else second
        self.block(chosen, env, outermost and self.varying == before)

    def s_match(self, node, env, subject, arms):
        body, inner = self.arm(self.value(subject, env), arms, env)
        self.block(body, inner)
        env.names.update(inner.names)

    def s_enum(self, node, env, name, tags):
        env.names[name] = Collection([Tag(tag) for tag in tags])

    def s_check(self, node, env, role, negated, test, body, name):
        given = self.renamed
        name = name if name and role in ("flag", "undefined") else given or name
        if role == "warn" or name in self.skip or given in self.skip or (role == "flag" and not name):
            return
        passes = self.a.holds(test, self.value(body, env)) != negated
        if role == "require" and not passes:
            raise Fails
        if role == "assert" and not passes:
            raise ModelError("an assertion fails")
        if role == "undefined" and not passes:
            self.bad = True
        if (role == "flag" and passes) or (role == "undefined" and not passes):
            self.flags.add(name or "undefined")


NAMES = {"let-in": "let_in", "~": "complement", **{sign: "binary" for sign in "|&;\\*"}, "++": "binary",
         **{"post" + sign: "postfix" for sign in ("+", "*", "?", "^-1", "^2")}}
OPERATORS = {"|": "union", "&": "intersection", "\\": "difference", ";": "sequence", "*": "product",
             "++": "add"}


def verdicts(model, execution, variants=(), skip=()):
    """The model's verdicts on an execution: one for each combination of choices."""
    if hasattr(model, "judge"):           # written otherwise: see amdgpu_literal.py, exported.py
        yield from model.judge(execution, variants)
        return
    picks = []
    while True:
        run = Run(model, execution, picks, variants, skip)
        yield run.verdict()
        picks = picks[:len(run.sizes)] + [0] * (len(run.sizes) - len(picks))
        while picks and picks[-1] + 1 == run.sizes[len(picks) - 1]:
            picks.pop()
        if not picks:
            return
        picks[-1] += 1
