"""Reads the language of threads: declarations, statements and expressions of C, as tuples.

Statements: ("declare", [(name, type, initialiser or None, key)]), ("expression", e), ("block", list),
("if", c, a, b), ("while", c, body), ("do", body, c), ("for", first, c, step, body), ("break",),
("continue",), ("return", e or None), ("barrier", label, arguments, word).
Expressions: ("int", value, type), ("name", n), ("unary", op, e), ("binary", op, a, b), ("assign", op, l,
r), ("step", op, after, e), ("choose", c, a, b), ("comma", a, b), ("cast", type, e), ("deref", e),
("address", e), ("call", name, arguments).
"""

import re
from collections import namedtuple

from c_types import INT, LONG, NAMED, UINT, ULONG, Pointer, Type


class SyntaxProblem(Exception):
    pass


TOKEN = re.compile(r"""\s+ | //[^\n]* | /\*.*?\*/
  | (?P<number>0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*) | (?P<char>'(?:\\.|[^'\\])')
  | (?P<name>[A-Za-z_]\w*) | (?P<sign><<=|>>=|\+\+|--|->|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)""",
                   re.X | re.S)
QUALIFIERS = {"volatile", "const", "restrict", "register", "__restrict", "__const", "__volatile"}
SPACES = {"global", "local", "constant", "private", "global_fga"}
BASES = {"char", "short", "int", "long", "signed", "unsigned", "_Atomic"} | set(NAMED)
LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", ">", "<=", ">="], ["<<", ">>"],
          ["+", "-"], ["*", "/", "%"]]
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="}
ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "\\": 92, "'": 39, '"': 34, "a": 7, "b": 8, "f": 12, "v": 11}

# What a declarator declares. type: of the object; is_pointer: a parameter that names a location.
Declared = namedtuple("Declared", "name type atomic space is_pointer length")


def literal(text):
    digits = text.rstrip("uUlL")
    suffix = text[len(digits):].lower()
    octal = len(digits) > 1 and digits[0] == "0" and digits[1] not in "xX"
    value = int(digits, 8 if octal else 0)
    decimal = digits[0] != "0" or len(digits) == 1
    for kind in (INT, UINT, LONG, ULONG):
        if kind.signed and "u" in suffix or not kind.signed and decimal and "u" not in suffix \
                or kind.bits == 32 and "l" in suffix:
            continue
        if value < 1 << kind.bits - kind.signed:
            return ("int", value, kind)
    return ("int", value, ULONG)


class CReader:
    def __init__(self, text):
        self.tokens, at = [], 0
        while at < len(text):
            match = TOKEN.match(text, at)
            at = match.end()
            if match.lastgroup:
                self.tokens.append((match.lastgroup, match[0]))
        self.at, self.declarations = 0, 0

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead][1] if self.at + ahead < len(self.tokens) else ""

    def take(self):
        if not self.peek():
            raise SyntaxProblem("the text ends too early")
        self.at += 1
        return self.tokens[self.at - 1][1]

    def accept(self, *texts):
        return self.take() if self.peek() in texts and self.peek() else None

    def expect(self, text):
        if not self.accept(text):
            raise SyntaxProblem(f"found {self.peek()!r}, expected {text!r}")

    # ---- Types ----

    def begins_type(self):
        word = self.peek()
        return word in BASES | QUALIFIERS | SPACES or word.startswith("__") and word[2:] in SPACES \
            or word.startswith("atomic_") and (word == "atomic_t" or word[7:] in NAMED)

    def specifiers(self):
        """(type, atomic, address space or None); the type is None where there is none."""
        kind, atomic, space, words = None, False, None, []
        while self.begins_type():
            word = self.take()
            if word.lstrip("_") in SPACES:
                space = word.lstrip("_")
            elif word == "_Atomic" and self.peek() == "(":
                self.take()
                kind, _, _ = self.specifiers()
                kind, atomic = self.stars(kind, True)
                self.expect(")")
            elif word == "_Atomic":
                atomic = True
            elif word.startswith("atomic_"):
                kind, atomic = INT if word == "atomic_t" else NAMED[word[7:]], True
            elif word in ("signed", "unsigned", "char", "short", "int", "long"):
                words.append(word)
            elif word not in QUALIFIERS:
                kind = NAMED[word]
        if words:
            bits = 8 if "char" in words else 16 if "short" in words else 64 if "long" in words else 32
            kind = Type(bits, "unsigned" not in words)
        return kind, atomic, space

    def stars(self, kind, atomic):
        while self.accept("*"):
            kind, atomic = Pointer(kind, atomic), False
            while self.peek() in QUALIFIERS | SPACES | {"_Atomic"} or self.peek().lstrip("_") in SPACES:
                atomic |= self.take() == "_Atomic"
        return kind, atomic

    def declarator(self, base, atomic, space):
        kind, atomic = self.stars(base, atomic) if base else (base, atomic)
        while self.accept("*"):
            pass
        name, length = self.take(), None
        if self.accept("["):
            length = 0 if self.peek() == "]" else literal(self.take())[1]
            self.expect("]")
        return Declared(name, kind, atomic, space, False, length)

    def parameters(self):
        """name -> Declared"""
        found = {}
        while self.peek():
            if self.accept("void") and not self.peek():
                break
            kind, atomic, space = self.specifiers()
            declared = self.declarator(kind or INT, atomic, space)
            if isinstance(declared.type, Pointer):
                declared = declared._replace(type=declared.type.to, atomic=declared.type.atomic,
                                             is_pointer=True)
            elif declared.length is not None:
                declared = declared._replace(is_pointer=True)
            found[declared.name] = declared
            self.accept(",")
        return found

    def initial(self):
        kind, atomic, space = self.specifiers()
        return self.declarator(kind, atomic, space)

    # ---- Statements ----

    def body(self):
        found = []
        while self.peek():
            found.append(self.statement())
        return ("block", found)

    def statement(self):
        if self.accept("{"):
            found = []
            while not self.accept("}"):
                found.append(self.statement())
            return ("block", found)
        if self.accept(";"):
            return ("block", [])
        label = None
        if self.peek(1) == ":" and self.tokens[self.at][0] == "name":
            label = self.take()
            self.take()
        if self.peek() in ("barrier", "work_group_barrier") and self.peek(1) == "(":
            return self.barrier(label)
        reader = getattr(self, "s_" + self.peek(), None)
        if reader:
            self.take()
            return reader()
        statement = self.simple()
        self.expect(";")
        return statement

    def simple(self):
        """A declaration or an expression, without the semicolon."""
        if not self.begins_type():
            return ("expression", self.expression())
        kind, atomic, space = self.specifiers()
        found = []
        while True:
            declared = self.declarator(kind or INT, atomic, space)
            value = self.assignment() if self.accept("=") else None
            self.declarations += 1
            found.append((declared.name, declared.type, value, self.declarations))
            if not self.accept(","):
                return ("declare", found)

    def barrier(self, label):
        word = self.take()
        self.take()
        arguments = self.arguments()
        self.expect(";")
        return ("barrier", label, arguments, word)

    def s_if(self):
        condition = self.parenthesis()
        first = self.statement()
        second = self.statement() if self.accept("else") else ("block", [])
        return ("if", condition, first, second)

    def s_while(self):
        return ("while", self.parenthesis(), self.statement())

    def s_do(self):
        body = self.statement()
        self.expect("while")
        condition = self.parenthesis()
        self.expect(";")
        return ("do", body, condition)

    def s_for(self):
        self.expect("(")
        first = None if self.peek() == ";" else self.simple()
        self.expect(";")
        condition = None if self.peek() == ";" else self.expression()
        self.expect(";")
        step = None if self.peek() == ")" else self.expression()
        self.expect(")")
        return ("for", first, condition, step, self.statement())

    def s_break(self):
        self.expect(";")
        return ("break",)

    def s_continue(self):
        self.expect(";")
        return ("continue",)

    def s_return(self):
        value = None if self.peek() == ";" else self.expression()
        self.expect(";")
        return ("return", value)

    def parenthesis(self):
        self.expect("(")
        value = self.expression()
        self.expect(")")
        return value

    # ---- Expressions ----

    def expression(self):
        value = self.assignment()
        while self.accept(","):
            value = ("comma", value, self.assignment())
        return value

    def assignment(self):
        left = self.conditional()
        if self.peek() in ASSIGNMENTS:
            operator = self.take()
            return ("assign", operator[:-1], left, self.assignment())
        return left

    def conditional(self):
        condition = self.binary(0)
        if not self.accept("?"):
            return condition
        first = self.expression()
        self.expect(":")
        return ("choose", condition, first, self.conditional())

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.peek() in LEVELS[level]:
            left = ("binary", self.take(), left, self.binary(level + 1))
        return left

    def unary(self):
        word = self.peek()
        if word == "(" and self.is_cast():
            self.take()
            kind, atomic, _ = self.specifiers()
            kind, _ = self.stars(kind or INT, atomic)
            self.expect(")")
            return ("cast", kind, self.unary())
        if word in ("-", "+", "~", "!"):
            return ("unary", self.take(), self.unary())
        if word in ("++", "--"):
            return ("step", self.take()[0], False, self.unary())
        if self.accept("*"):
            return ("deref", self.unary())
        if self.accept("&"):
            return ("address", self.unary())
        return self.suffixed(self.primary())

    def is_cast(self):
        self.at += 1
        answer = self.begins_type()
        self.at -= 1
        return answer

    def suffixed(self, value):
        while True:
            if self.accept("["):
                value = ("deref", ("binary", "+", value, self.expression()))
                self.expect("]")
            elif self.peek() in ("++", "--"):
                value = ("step", self.take()[0], True, value)
            else:
                return value

    def primary(self):
        if self.at >= len(self.tokens):
            raise SyntaxProblem("the text ends too early")
        kind, text = self.tokens[self.at]
        self.take()
        if text == "(":
            value = self.expression()
            self.expect(")")
            return value
        if kind == "number":
            return literal(text)
        if kind == "char":
            return ("int", ESCAPES[text[2]] if text[1] == "\\" else ord(text[1]), INT)
        if kind != "name":
            raise SyntaxProblem(f"found {text!r}, expected an expression")
        if self.accept("("):
            return ("call", text, self.arguments())
        return {"NULL": ("int", 0, LONG), "true": ("int", 1, INT),
                "false": ("int", 0, INT)}.get(text, ("name", text))

    def arguments(self):
        found = []
        while not self.accept(")"):
            found.append(self.assignment())
            if self.peek() != ")":
                self.expect(",")
        return found
