"""Reads models: text of the language cat, both dialects, to a list of statements.

The grammar is that of docs/cat.md and spec/cat.md. An expression or statement is a Node: its kind, its
parts (named in the comment beside each kind), and the line it stands on.
"""

import re
from collections import namedtuple

Node = namedtuple("Node", "kind parts line")

WORDS = set("acyclic and as begin call do else empty end enum flag forall foreach fun if in include "
            "instructions irreflexive let match procedure rec show then try unshow with".split())
CHECKS = {"acyclic", "irreflexive", "empty"}
ROLES = {"undefined_unless": "undefined", "requires": "undefined", "flag": "flag", "assert": "assert",
         "warn_unless": "warn"}
OPTIONS = {"withco", "withoutco", "withinit", "withoutinit", "withsc", "withoutsc", "withwidebarriers"}
TOKEN = re.compile(r"""
    (?P<space>\s+|\#[^\n]*|//[^\n]*) | (?P<name>[A-Za-z_][A-Za-z0-9_.\-']*) | (?P<string>"[^"]*")
  | (?P<tag>'[A-Za-z_][A-Za-z0-9_.\-]*)
  | (?P<sign>\^-1|\^2|\^\+|\^\*|\^\?|\|\||\+\+|->|&&|<>|!=|[-0|;\\&*+?~!(){}\[\],=])
""", re.X)


class CatError(Exception):
    pass


def skip_comment(text, at):
    depth = 0
    while at < len(text):
        if text.startswith("(*", at):
            depth, at = depth + 1, at + 2
        elif text.startswith("*)", at):
            depth, at = depth - 1, at + 2
            if depth == 0:
                return at
        else:
            at += 1
    raise CatError("a comment has no end")


def tokens_of(text):
    """(kind, text, line) triples, kind one of word, name, string, tag, sign, end."""
    at, tokens = 0, []
    while at < len(text):
        if text.startswith("(*", at) and not text.startswith("(*)", at):
            at = skip_comment(text, at)
            continue
        match = TOKEN.match(text, at)
        if not match:
            raise CatError(f"line {text.count(chr(10), 0, at) + 1}: {text[at]!r}")
        kind, word = match.lastgroup, match[0]
        at = match.end()
        if kind != "space":
            kind = "word" if word in WORDS else "sign" if word == "_" else kind
            tokens.append((kind, word, text.count("\n", 0, match.start()) + 1))
    return tokens + [("end", "", text.count("\n") + 1)]


class Reader:
    """Recursive descent over the tokens of one file."""

    def __init__(self, text):
        self.tokens, self.at = tokens_of(text), 0

    # ---- Tokens ----

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][1]

    def kind(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][0]

    def line(self):
        return self.tokens[self.at][2]

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1][1]

    def accept(self, *texts):
        if self.kind() not in ("string", "end") and self.peek() in texts:
            return self.take()
        return None

    def expect(self, *texts):
        found = self.accept(*texts)
        if found is None:
            raise CatError(f"line {self.line()}: found {self.peek()!r}, expected {' or '.join(texts)}")
        return found

    def node(self, kind, *parts):
        return Node(kind, parts, self.line())

    # ---- A file ----

    def file(self):
        """(options, statements)"""
        options = set()
        if self.kind() == "string":
            self.take()
        while self.kind() == "name" and not self.is_role() and self.peek() not in OPTIONS:
            self.take()
        while self.peek() in OPTIONS and self.kind() == "name":
            options.add(self.take())
        statements = self.statements()
        if self.kind() != "end":
            raise CatError(f"line {self.line()}: found {self.peek()!r}")
        return options, statements

    def is_role(self):
        """Does a statement such as `undefined_unless empty …` begin here?"""
        if self.peek() == "flag":
            return True
        return (self.peek() in ROLES or self.is_tags()) and self.kind() == "name" and (
            self.peek(1) in CHECKS or self.peek(1) == "~" or self.is_tags())

    def is_tags(self):
        return self.peek() in ("events", "default", "instructions") and self.peek(2) == "["

    def statements(self):
        found = []
        while self.kind() != "end" and not (self.kind() == "word" and self.peek() in ("end", "else")) \
                and self.peek() != "||":
            found.append(self.statement())
        return found

    def statement(self):
        if self.is_tags():
            self.take(), self.take(), self.expect("[")
            while self.take() != "]":
                pass
            return self.node("nothing")
        if self.is_role():
            role = ROLES[self.take()]
            return self.check(role)
        if self.peek() in CHECKS or self.peek() == "~":
            return self.check("require")
        if self.kind() == "name" and self.peek() == "with":
            return self.choice()
        reader = getattr(self, "read_" + self.peek(), None)
        if self.kind() != "word" or reader is None:
            raise CatError(f"line {self.line()}: found {self.peek()!r}, expected a statement")
        self.take()
        return reader()

    def check(self, role):                   # check: role, negated, test, expression, name or None
        line = self.line()
        negated = bool(self.accept("~", "!"))
        test = self.expect(*CHECKS)
        body = self.expression()
        return Node("check", (role, negated, test, body, self.name_after_as()), line)

    def name_after_as(self):
        if self.accept("as"):
            return self.take().strip('"')
        return None

    def read_let(self):                      # let: bindings, recursive, check or None
        recursive = bool(self.accept("rec"))
        bindings = self.bindings()
        check = None
        if self.peek() == "when" and self.kind() == "name":
            self.take()
            check = self.check("require")
        return self.node("let", bindings, recursive, check)

    def bindings(self):                      # (pattern, expression) pairs
        found = [self.binding()]
        while self.accept("and"):
            found.append(self.binding())
        return found

    def binding(self):
        pattern, parameters = self.pattern(), []
        while self.peek() != "=":
            parameters.append(self.pattern())
        self.expect("=")
        body = self.expression()
        for parameter in reversed(parameters):
            body = self.node("fun", parameter, body)
        return pattern, body

    def pattern(self):                       # a name, "_", or a tuple of patterns
        if self.accept("("):
            parts = []
            while not self.accept(")"):
                parts.append(self.pattern())
                self.accept(",")
            return parts[0] if len(parts) == 1 else tuple(parts)
        if self.kind() != "name" and self.peek() != "_":
            raise CatError(f"line {self.line()}: found {self.peek()!r}, expected a name")
        return self.take()

    def read_include(self):                  # include: file
        return self.node("include", self.take().strip('"'))

    def read_show(self):
        while True:
            self.expression()
            self.name_after_as()
            if not self.accept(","):
                return self.node("nothing")

    read_unshow = read_show

    def read_procedure(self):                # procedure: name, pattern, body
        self.accept("rec")
        name, parameter = self.take(), self.pattern()
        self.expect("=")
        body = self.statements()
        self.expect("end")
        return self.node("procedure", name, parameter, body)

    def read_call(self):                     # call: name, argument, name of the checks or None
        name, argument = self.take(), self.atom()
        return self.node("call", name, argument, self.name_after_as())

    def read_forall(self):                   # forall: pattern, set, body
        pattern = self.pattern()
        self.expect("in")
        elements = self.expression()
        self.expect("do")
        body = self.statements()
        self.expect("end")
        return self.node("forall", pattern, elements, body)

    read_foreach = read_forall

    def read_with(self):                     # with: pattern, set
        pattern = self.pattern()
        self.expect("from")
        return self.node("with", pattern, self.expression())

    def read_if(self):                       # if: condition, statements, statements
        condition = self.condition()
        self.accept("then")
        first, second = self.statements(), []
        if self.accept("else"):
            second = self.statements()
        self.expect("end")
        return self.node("if", condition, first, second)

    def read_match(self):                    # match: value, (pattern, statements) pairs
        value = self.expression()
        self.expect("with")
        return self.node("match", value, self.arms(self.statements))

    def read_enum(self):                     # enum: name, tags
        name = self.take()
        self.expect("=")
        tags = []
        self.accept("||")
        while True:
            tags.append(self.take()[1:])
            if not self.accept("||"):
                return self.node("enum", name, tags)

    # ---- Expressions, loosest first ----

    def expression(self):
        if self.kind() == "word" and self.peek() in ("let", "fun", "if", "match", "try"):
            return getattr(self, "open_" + self.take())()
        return self.binary(0)

    LEVELS = ["|", "++", ";", "\\", "&", "*"]

    def binary(self, level):                 # an operator's sign: left, right
        if level == len(self.LEVELS):
            return self.postfix()
        sign = self.LEVELS[level]
        parts = [self.binary(level + 1)]
        while self.peek() == sign and self.kind() == "sign" and not (
                sign == "*" and self.ends_here()):
            self.take()
            parts.append(self.expression() if self.peek() in ("let", "fun", "if", "match", "try")
                         and self.kind() == "word" else self.binary(level + 1))
        if sign in ("++",):
            while len(parts) > 1:
                right = parts.pop()
                parts[-1] = self.node(sign, parts[-1], right)
        while len(parts) > 1:
            left = parts.pop(0)
            parts[0] = self.node(sign, left, parts[0])
        return parts[0]

    def ends_here(self):
        """Is the star at hand the closure r* and not a product?"""
        return not self.begins_atom(1)

    def begins_atom(self, ahead=0):
        """Can the token be the first of an atom (or, after an operator, of a prefixed one)?"""
        kind, text = self.kind(ahead), self.peek(ahead)
        is_check = self.peek(ahead + 1) in CHECKS
        if kind == "name":
            self.at += ahead
            role = self.is_role()
            self.at -= ahead
            return not role and not (text == "when" and (is_check or self.peek(ahead + 1) == "~"))
        if kind in ("word", "tag"):
            return text == "begin" or kind == "tag"
        return text in ("0", "_", "(", "{", "[") or ahead > 0 and text in ("~", "!") and not is_check

    def postfix(self):                       # + * ? ^-1 ^2: operand
        value = self.prefix()
        while self.kind() == "sign" and self.peek() in (
                "+", "*", "?", "^-1", "^2", "^+", "^*", "^?"):
            if self.peek() == "*" and not self.ends_here():
                break
            value = self.node("post" + self.take().replace("^+", "+").replace("^*", "*")
                              .replace("^?", "?"), value)
        return value

    def prefix(self):                        # ~: operand
        if self.accept("~", "!"):
            return self.node("~", self.prefix())
        value = self.atom()
        while self.begins_atom():            # apply: function, argument
            value = self.node("apply", value, self.atom())
        return value

    def atom(self):
        kind, text = self.kind(), self.take()
        if kind == "name":
            return self.node("name", text)
        if kind == "tag":
            return self.node("tag", text[1:])
        if kind == "sign" and text in ("0", "_"):
            return self.node({"0": "nothing", "_": "everything"}[text])
        if text == "(":                      # tuple: parts
            return self.parenthesis()
        if text == "begin":
            value = self.expression()
            self.expect("end")
            return value
        if text == "{":                      # set: elements
            return self.node("set", self.list_until("}"))
        if text == "[":                      # identity: set
            value = self.expression()
            self.expect("]")
            return self.node("identity", value)
        raise CatError(f"line {self.line()}: found {text!r}, expected an expression")

    def list_until(self, end):
        parts = []
        while not self.accept(end):
            parts.append(self.expression())
            if self.peek() != end:
                self.expect(",")
        return parts

    def parenthesis(self):
        parts = self.list_until(")")
        return parts[0] if len(parts) == 1 else self.node("tuple", parts)

    def open_let(self):                      # let-in: bindings, recursive, body
        recursive = bool(self.accept("rec"))
        bindings = self.bindings()
        self.expect("in")
        return self.node("let-in", bindings, recursive, self.expression())

    def open_fun(self):                      # fun: pattern, body
        pattern = self.pattern()
        self.expect("->")
        return self.node("fun", pattern, self.expression())

    def open_if(self):                       # choose: condition, expression, expression
        condition = self.condition()
        self.expect("then")
        first = self.expression()
        self.expect("else")
        return self.node("choose", condition, first, self.expression())

    def open_match(self):                    # cases: value, (pattern, expression) pairs
        value = self.expression()
        self.expect("with")
        return self.node("cases", value, self.arms(self.expression))

    def open_try(self):                      # try: expression, expression
        first = self.expression()
        self.expect("with")
        return self.node("try", first, self.expression())

    def arms(self, read_body):
        found = []
        self.accept("||")
        while True:
            pattern = self.case()
            self.expect("->")
            found.append((pattern, read_body()))
            if not self.accept("||"):
                break
        self.expect("end")
        return found

    def case(self):
        """("tag", t), ("any",), ("empty",), ("first", x, xs) or ("middle", xs, x, ys)"""
        if self.kind() == "tag":
            return ("tag", self.take()[1:])
        if self.accept("{"):
            self.expect("}")
            return ("empty",)
        first = self.pattern()
        if self.accept("++"):
            return ("first", first, self.pattern())
        if not self.accept("U", "|"):
            return ("any",) if first == "_" else ("bind", first)
        braces = self.accept("{")
        middle = self.pattern()
        if braces:
            self.expect("}")
        self.expect("U", "|")
        return ("middle", first, middle, self.pattern())

    # ---- Conditions ----

    def condition(self):                     # or, and: left, right; not: operand
        left = self.conjunction()
        while self.accept("||"):
            left = self.node("or", left, self.conjunction())
        return left

    def conjunction(self):
        left = self.negation()
        while self.accept("&&"):
            left = self.node("and", left, self.negation())
        return left

    def negation(self):
        start = self.at
        try:
            return self.comparison()
        except CatError:
            self.at = start
        if self.accept("~", "!", "not"):
            return self.node("not", self.negation())
        self.expect("(")
        inside = self.condition()
        self.expect(")")
        return inside

    def comparison(self):                    # variant: name; =, !=, subset, in: left, right
        if self.kind() == "string":
            return self.node("variant", self.take().strip('"'))
        if self.peek() == "variant" and self.kind(1) == "string":
            self.take()
            return self.node("variant", self.take().strip('"'))
        left = self.without_words()
        sign = self.expect("=", "!=", "<>", "subset", "in")
        right = self.without_words()
        return self.node("!=" if sign == "<>" else sign, left, right)

    def without_words(self):
        """An expression before which and after which words such as `subset` are operators."""
        start = self.at
        depth = 0
        while self.kind() != "end":
            text = self.peek()
            depth += (text in ("(", "{", "[")) - (text in (")", "}", "]"))
            if depth < 0 or depth == 0 and self.at > start and (
                    text in ("subset", "||", "&&") or self.kind() == "word" and text != "begin"):
                break
            self.take()
        stop, self.at = self.at, start
        tokens = self.tokens
        self.tokens = tokens[:stop] + [("end", "", tokens[stop][2])]
        try:
            value = self.expression()
        finally:
            self.tokens = tokens
        return value


def read_model(text):
    return Reader(text).file()
