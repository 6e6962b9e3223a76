"""Reads litmus tests: text of either dialect, OpenCL or C, to a Test.

The grammar is that of spec/litmus.md and docs/litmus.md. This file has the test around the threads; the
threads' own language is in c_syntax.py.
"""

import re
from collections import namedtuple

from c_syntax import CReader, SyntaxProblem
from c_types import COMPARISONS, INT, Address


class Location:
    """A shared object: `values` of its elements at the start, an array if is_array."""

    def __init__(self, name):
        self.name, self.type, self.atomic, self.space, self.fga = name, None, False, "global", False
        self.values, self.is_array = [0], False


Thread = namedtuple("Thread", "parameters registers body")   # names -> location or type; initial values


class Test(namedtuple("Test", "language name locations threads tree shown filter question aliases ssw handles",
                      defaults=({}, (), {}))):
    """tree: for each thread, level -> the node's identity; question: (quantifier, proposition); aliases: name ->
    the location that it names too; ssw: pairs of threads; handles: alias for another proxy than the generic one ->
    the name whose virtual address it has."""

    def place(self, address):
        """The address, by the name that is no alias."""
        return address._replace(name=self.aliases.get(address.name, address.name)) if isinstance(address, Address) else address

LEVELS = ["dev", "kernel", "cluster", "wg", "sg"]      # cluster: a level of models' own
LEVEL_WORDS = {"device": "dev", "dev": "dev", "kernel": "kernel", "__kernel": "kernel", "cluster": "cluster",
               "work_group": "wg", "cta": "wg", "block": "wg", "wg": "wg", "sub_group": "sg",
               "warp": "sg", "sg": "sg", "thread": "thread"}


def operands(proposition):
    """What a proposition compares."""
    if proposition[0] in COMPARISONS:
        return list(proposition[1:])
    return [o for part in proposition[1:] for o in operands(part)]


def without_comments(text):
    """(* … *), /* … */ and // … replaced by blanks, for what is outside of threads."""
    kept, at, depth = [], 0, 0
    while at < len(text):
        if depth and text.startswith("*)", at):
            depth, at = depth - 1, at + 2
        elif text.startswith("(*", at):
            depth, at = depth + 1, at + 2
        elif depth:
            at += 1
        elif text.startswith("//", at) or text.startswith("/*", at):
            end = "\n" if text.startswith("//", at) else "*/"
            found = text.find(end, at)
            at = len(text) if found < 0 else found + len(end)
            kept.append(" ")
        else:
            kept.append(text[at])
            at += 1
    return "".join(kept)


def split_threads(text):
    """(text before the threads, [(number, place, parameters, body)], text after them)"""
    heads = re.compile(r"(?:\b(?:kernel|__kernel|static|void)\s+)*\bP(\d+)\s*((?:@[^(]*)?)\(")
    threads, rest, at = [], [], 0
    while True:
        head = heads.search(text, at) if at else heads.search(text, end_of_initial(text))
        if not head:
            break
        if threads and re.search(r"\b(exists|forall|locations|filter|scopeTree)\b",
                                 without_comments(text[at:head.start()])):
            break
        rest.append(text[at:head.start()])
        close = closing(text, head.end() - 1, "(", ")")
        open_body = text.index("{", close)
        at = closing(text, open_body, "{", "}") + 1
        threads.append((int(head[1]), head[2], text[head.end():close], text[open_body + 1:at - 1]))
    return rest[0], threads, " ".join(rest[1:]) + text[at:]


def end_of_initial(text):
    blank = re.sub(r"\(\*.*?\*\)|//[^\n]*|/\*.*?\*/|\"[^\"\n]*\"",
                   lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S)
    return closing(blank, blank.index("{"), "{", "}")


def closing(text, at, opens, closes):
    depth = 0
    while at < len(text):
        if text.startswith("//", at):
            at = text.index("\n", at)
        elif text.startswith("/*", at):
            at = text.index("*/", at) + 1
        depth += (text[at] == opens) - (text[at] == closes)
        if depth == 0:
            return at
        at += 1
    raise SyntaxProblem(f"a {opens} is not closed")


def read_test(text):
    before, threads, after = split_threads(text)
    before, after = without_comments(before), without_comments(after)
    language, name = before.split()[:2]
    test = Test(language.upper(), name, {}, [], [], [], None, None)
    starts = read_initial(before[before.index("{") + 1:before.rindex("}")], test, len(threads))
    for number, place, parameters, body in threads:
        known = CReader(parameters).parameters()
        scope = {}
        for parameter, declared in known.items():
            scope[parameter] = declare(test, parameter, declared)
        if number != len(test.threads):
            raise SyntaxProblem(f"thread P{number} out of order")
        test.threads.append(Thread(scope, starts[number], CReader(body).body()))
        test.tree.append(place)
    return read_sections(after, test)


def declare(test, name, declared):
    """A parameter: the location that it points to, or the type of the register that it is."""
    if not declared.is_pointer:
        return declared.type
    location = test.locations.setdefault(name, Location(name))
    location.type = location.type or declared.type
    location.atomic |= declared.atomic
    if declared.space == "local":
        location.space = "local"
    location.fga |= declared.space == "global_fga"
    return location


# ---- The initial state -----------------------------------------------------------------------------


def read_initial(text, test, threads):
    """Fills in the locations; returns the registers' initial values, for each thread."""
    starts = [{} for _ in range(threads)]
    for entry in split_entries(text):
        register = re.fullmatch(r"P?(\d+)\s*:\s*(\w+)\s*=\s*(.+)", entry, re.S)
        if register:
            starts[int(register[1])][register[2]] = read_value(register[3])
            continue
        left, _, right = entry.partition("=")
        declared = CReader(re.sub(r"^\s*\[(.*)\]\s*$", r"\1", left.strip())).initial()
        location = test.locations.setdefault(declared.name, Location(declared.name))
        if declared.type is not None:
            location.type = declared.type
            location.atomic |= declared.atomic
        set_initial(location, declared, right.strip())
    return starts


def set_initial(location, declared, right):
    if right.startswith("{"):
        values = [read_value(v) for v in right.strip("{} \n").split(",") if v.strip()]
        length = max(len(values), declared.length or 0)
        location.values, location.is_array = values + [0] * (length - len(values)), True
    elif declared.length is not None:                       # a[2] = 1, or int a[2]
        length = declared.length + (1 if right else 0)
        location.is_array = True
        location.values += [0] * (length - len(location.values))
        if right:
            location.values[declared.length] = read_value(right)
    elif right:
        location.values[0] = read_value(right)


def split_entries(text):
    depth, entry, entries = 0, "", []
    for character in text + ";":
        depth += (character == "{") - (character == "}")
        if character == ";" and depth == 0:
            entries.append(entry.strip())
            entry = ""
        else:
            entry += character
    return [e for e in entries if e]


def read_value(text):
    """An int, or ("address", location, index)."""
    text = text.strip().strip("()")
    words = {"true": 1, "false": 0, "NULL": 0}
    if text in words:
        return words[text]
    if re.fullmatch(r"[-+]?\s*(0[xX][0-9a-fA-F]+|\d+)[uUlL]*", text):
        return number(text.replace(" ", ""))
    address = re.fullmatch(r"&?\s*(\w+)\s*(?:\[\s*(\d+)\s*\])?", text)
    if not address:
        raise SyntaxProblem(f"no value: {text}")
    return ("address", address[1], int(address[2] or 0))


def number(text):
    sign = -1 if text.startswith("-") else 1
    digits = text.lstrip("+-").rstrip("uUlL")
    base = 16 if digits.lower().startswith("0x") else 8 if len(digits) > 1 and digits[0] == "0" else 10
    return sign * int(digits, base)


# ---- What follows the threads ------------------------------------------------------------------------


def read_sections(text, test):
    reader = Sections(text)
    shown, keep, question, tree = [], None, ("exists", ("true",)), None
    while reader.peek():
        word = reader.take()
        if word == "scopeTree":
            tree = reader.tree(len(test.threads))
        elif word == "locations":
            shown = reader.locations()
        elif word == "filter":
            keep = reader.proposition()
        else:
            negated = word in ("~", "not")
            quantifier = reader.take() if negated else word
            if quantifier not in ("exists", "forall"):
                raise SyntaxProblem(f"found {word}")
            question = ("~" * negated + quantifier, reader.proposition())
    places = tree or places_of_heads(test.tree)
    for location in test.locations.values():
        location.type = location.type or INT
    return test._replace(tree=places, shown=shown, filter=keep, question=question)


def places_of_heads(heads):
    """Nodes from `@sg 0, wg 1, dev 0`; a level left out is a node of each thread's own."""
    places = []
    for thread, head in enumerate(heads):
        given = {LEVEL_WORDS[level]: n for level, n in re.findall(r"(\w+)\s+(\d+)", head)}
        place, path = {}, ()
        for level in LEVELS:
            alone = level in ("wg", "sg")
            if level != "cluster":
                path += (given.get(level, f"of {thread}" if alone else 0),)
            place[level] = path
        places.append(place)
    return places


class Sections:
    """Tokens of the text after the threads."""

    def __init__(self, text):
        self.tokens = re.findall(
            r"[A-Za-z_]\w*|0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*|/\\|\\/|=>|==|!=|<=|>=|&&|\|\||\S", text)
        self.at = 0

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def accept(self, *texts):
        return self.take() if self.peek() in texts and self.peek() else None

    def expect(self, text):
        if not self.accept(text):
            raise SyntaxProblem(f"found {self.peek()}, expected {text}")

    # ---- scopeTree ----

    def tree(self, threads):
        places, self.nodes = [None] * threads, 0
        while self.peek() == "(":
            self.branch({}, places)
        return places

    def branch(self, outside, places):
        self.expect("(")
        level = LEVEL_WORDS.get(self.peek())
        here = dict(outside)
        if level:
            self.take()
            self.nodes += 1
            for left_out in LEVELS[:LEVELS.index(level)]:
                if left_out != "kernel":
                    here.setdefault(left_out, self.nodes)
            here[level] = self.nodes
        while not self.accept(")"):
            if self.peek() == "(":
                self.branch(here, places)
            else:
                self.leaf(here, places)

    def leaf(self, here, places):
        thread = int(self.take()[1:])
        place = {}
        for level in LEVELS:
            if level not in here and level == "kernel":
                place[level] = place["dev"]
            else:
                place[level] = here.get(level, ("of", level, thread))
        places[thread] = place

    # ---- Conditions ----

    def locations(self):
        self.expect("[")
        found = []
        while not self.accept("]"):
            found.append(self.operand())
            self.accept(";", ",")
        return found

    def proposition(self):
        left = self.conjunction()
        while self.accept("\\/", "||"):
            left = ("or", left, self.conjunction())
        return left

    def conjunction(self):
        left = self.implication()
        while self.accept("/\\", "&&"):
            left = ("and", left, self.implication())
        return left

    def implication(self):
        left = self.negation()
        if self.accept("=>"):
            return ("or", ("not", left), self.implication())
        return left

    def negation(self):
        if self.accept("~", "not", "!"):
            return ("not", self.negation())
        if self.accept("true"):
            return ("true",)
        if self.accept("false"):
            return ("not", ("true",))
        if self.accept("("):
            if self.accept(")"):
                return ("true",)
            inside = self.proposition()
            self.expect(")")
            return inside
        left = self.operand()
        sign = self.take()
        right = self.operand()
        return ("==" if sign == "=" else sign, left, right)

    def operand(self):
        """("register", thread, name), ("location", name, index or None), ("number", n), ("address", …)"""
        bracket = self.accept("[")
        star = self.accept("*")
        sign = self.accept("-", "+")
        ampersand = self.accept("&")
        word = self.take()
        if re.match(r"P?\d+$", word) and self.accept(":"):
            return ("register", int(word.lstrip("P")), self.take())
        if re.match(r"\d", word):
            return ("number", number((sign or "") + word))
        if word in ("true", "false", "NULL"):
            return ("number", int(word == "true"))
        index = None
        if self.accept("["):
            index = int(self.take())
            self.expect("]")
        if bracket:
            self.expect("]")
        return ("address" if ampersand else "location", word, index)

