#!/usr/bin/env python3
"""Writes tests and models that are long, each in another way, into the current folder."""


def test(initial="x = 0;", parameters="atomic_int* x", more=""):
    return f"C T\n{{ {initial} }}\nP0 ({parameters}) {{ }}\n{more}exists (true)\n"


N = 150000
FILES = {
    "axioms.cat": "".join(f"acyclic rf | co as a{i}\n" for i in range(N)),
    "names.cat": "".join(f"acyclic foo{i} as a{i}\n" for i in range(N // 3)),
    "registers.litmus": test("".join(f"0:r{i}=1; " for i in range(N * 2))),
    "elements.litmus": test("".join(f"x[{i}]=1; " for i in range(N))),
    "parameters.litmus": test(parameters=", ".join(f"atomic_int* x{i}" for i in range(N))),
    "locations.litmus": test(more="locations [" + "".join(f"0:r{i}; " for i in range(N)) + "]\n"),
    "stars.litmus": test(parameters="int " + "*" * N * 5 + "x"),
}
for name, text in FILES.items():
    with open(name, "w", encoding="ascii") as file:
        file.write(text)
