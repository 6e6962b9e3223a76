#!/usr/bin/env python3
"""Writes files nested N deep, each in another way, into the current folder: `deep.py N`. The extension says which front end reads them."""
import sys

N = int(sys.argv[1])


def deep(before, middle, after=""):
    return before * N + middle + after * N


def c_test(body, condition="exists (x=1)", initial="x=0;"):
    return f"C T\n{{ {initial} }}\nP0 (atomic_int* x) {{ {body} }}\n{condition}\n"


def columns(cells, condition="exists (x=1)"):
    return "PTX T\n{ x=0; }\n P0 ;\n" + "".join(f" {cell} ;\n" for cell in cells) + f"{condition}\n"


def kernel(body, before=""):
    return f"{before}\nkernel void k (global int *x) {{ {body} }}\n"


def dsom(body, condition="exists (a=1)"):
    return f"DSOM T\nbuffer b[2];\nkernel put {{ b[0] = 1; {body} }}\nhost {{ run put on 0; }}\n{condition}\n"


# Of C's expressions: in front, the innermost one, behind. Those of two parts are chains.
EXPRESSIONS = {
    "parentheses": ("(", "1", ")"), "chain": ("1 + ", "1"), "right": ("1 + (", "1", ")"), "minus": ("- ", "1"),
    "comma": ("1, ", "1"), "conditional": ("1 ? 2 : ", "3"), "middle": ("1 ? ", "2", " : 3"), "cast": ("(int) ", "1"),
    "call": ("f (", "1", ")"), "calls": ("", "x", " (1)"), "index": ("x [", "0", "]"), "indices": ("", "x", " [0]"),
    "deref": ("*", "x"), "address": ("&", "x"), "member": ("", "x", ".y"), "arrow": ("", "x", "->y"), "step": ("", "x", "++"),
    "sizeof": ("sizeof ", "x"), "sizes": ("sizeof (int [", "1", "])"), "assign": ("r = ", "1"), "braces": ("(int) {", "1", "}"),
}
STATEMENTS = {
    "blocks": ("{", ";", "}"), "if": ("if (1) ", ";"), "else": ("if (1) ; else ", ";"), "while": ("while (0) ", ";"),
    "do": ("do ", ";", " while (0);"), "for": ("for (;0;) ", ";"), "label": ("L: ", ";"), "switch": ("switch (1) ", ";"),
    "if-block": ("if (1) {", ";", "}"),
}
PROPOSITIONS = {
    "not": ("~", "x=1"), "parens": ("(", "x=1", ")"), "and": ("x=1 /\\ ", "x=1"), "or": ("x=1 \\/ ", "x=1"),
    "implies": ("x=1 => ", "x=1"), "mixed": ("x=1 /\\ (x=2 \\/ ", "x=1", ")"), "not-not": ("not (", "x=1", ")"),
}
CAT = {
    "parens": ("(", "a", ")"), "sequence": ("[", "a", "]"), "complement": ("~", "a"), "union": ("a | ", "a"), "add": ("a ++ ", "a"),
    "juxtaposed": ("", "f", " a"), "closure": ("", "po", "^+"), "set": ("{", "a", "}"), "fun": ("fun y -> ", "a"),
    "let": ("let y = a in ", "a"), "value": ("let y = ", "a", " in a"), "try": ("try a with ", "a"), "if": ("if \"v\" then a else ", "a"),
    "if-not": ("if " + "not " * N, "\"v\" then a else a", ""), "match": ("match a with _ -> ", "a", " end"),
    "relation": ("po ; (rf | ", "co", ")"), "minus": ("po \\ (", "rf", ")"),
}
FILES = {}
for name, parts in EXPRESSIONS.items():
    FILES[f"e-{name}.litmus"] = c_test(f"int r; r = {deep(*parts)};")
    FILES[f"e-{name}.cl"] = kernel(f"int r; r = {deep(*parts)}; x[0] = r;", "int f (int a) { return a; }")
    FILES[f"a-{name}.cl"] = kernel(f"x[0] = 1;\n//@ assert {deep(*parts)} == 1\n", "int f (int a) { return a; }")
for name, parts in STATEMENTS.items():
    FILES[f"s-{name}.litmus"] = c_test(deep(*parts))
    FILES[f"s-{name}.cl"] = kernel(deep(*parts))
for name, parts in PROPOSITIONS.items():
    FILES[f"p-{name}.litmus"] = c_test("", f"exists ({deep(*parts)})")
    FILES[f"f-{name}.litmus"] = c_test("", f"filter ({deep(*parts)}) exists (x=1)")
    FILES[f"c-{name}.litmus"] = columns(["ld.weak r0, x"], f"exists ({deep(*parts)})")
    FILES[f"d-{name}.litmus"] = dsom("", f"exists ({deep(*parts).replace('x=', 'b[0]=')})")
for name, parts in CAT.items():
    FILES[f"{name}.cat"] = f"let f a = a\nlet a = po\nlet x = {deep(*parts)}\nacyclic x as c\n"
FILES["t-stars.litmus"] = c_test(deep("int *", "y;").replace("int *int", "int *").replace("int *" * 2, "int **"))
FILES["t-stars.cl"] = kernel("int " + deep("*", "y;"))
FILES["t-declarator.cl"] = kernel("int " + deep("(*", "y", ")") + ";")
FILES["t-arrays.cl"] = kernel("int y" + deep("[1]", ";"))
FILES["t-functions.cl"] = kernel("int y" + deep("(", "int", ")") + ";")
FILES["t-structs.cl"] = kernel("", deep("struct {", "int a;", "};"))
FILES["t-typedefs.cl"] = kernel("", "typedef int t0;\n" + "".join(f"typedef t{i} *t{i + 1};\n" for i in range(N)))
FILES["t-enum.cl"] = kernel("x[0] = e0;", "enum {e0, " + ", ".join(f"e{i} = e{i - 1}" for i in range(1, N)) + "};")
FILES["t-constants.cl"] = kernel(f"x[0] = c{N};", "constant int c0 = 1;\n" + "".join(f"constant int c{i + 1} = c{i};\n" for i in range(N)))
FILES["t-calls.cl"] = kernel(f"f{N} ();", "void f0 () {}\n" + "".join(f"void f{i + 1} () {{ f{i} (); }}\n" for i in range(N)))
FILES["t-parameters.cl"] = kernel("", "int f" + deep("(int g", "()", ")") + ";")
FILES["calls.cat"] = "let f0 x = x\n" + "".join(f"let f{i + 1} x = f{i} x\n" for i in range(N)) + f"acyclic f{N} po as c\n"
FILES["names.cat"] = "let a0 = po\n" + "".join(f"let a{i + 1} = a{i} | rf\n" for i in range(N)) + f"acyclic a{N} as c\n"
FILES["t-initial.cl"] = kernel(f"int y[4] = {deep('{', '1', '}')};")
FILES["t-macros.cl"] = kernel("x[0] = A18;", "#define A0 1\n" + "".join(f"#define A{i} A{i - 1}+A{i - 1}\n" for i in range(1, 19)))
FILES["i-tree.litmus"] = c_test("", "scopeTree " + deep("(device ", "P0", ")") + "\nexists (x=1)")
FILES["i-initial.litmus"] = c_test("", initial=f"x={deep('{', '1', '}')};")
FILES["x-comment.litmus"] = deep("(* ", "", " *)") + c_test("")
FILES["k.map"] = "".join(f"let f{i} = f{i - 1}\n" for i in range(1, N))
FILES["results.jsonl"] = deep("[", "1", "]") + "\n" + '{"rspcheck": 1, "test": ' + deep('{"a":', "1", "}") + "}\n"
for name, text in FILES.items():
    open(name, "w").write(text)
