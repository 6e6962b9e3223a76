#!/usr/bin/env python3
"""Prints a test with very many events or locations: `many.py events|loops|locations`."""
import sys

FENCE = "atomic_thread_fence(memory_order_seq_cst);"


def loops(variables, rounds):
    return "".join(f"for (int {v}=0;{v}<{rounds};{v}={v}+1) " for v in variables)


def threads(n, body):
    return "".join(f"P{i} () {{ {body} }}\n" for i in range(n))


def locations(arrays, size):
    names = [f"a{i}" for i in range(arrays)]
    return ("".join(f"int {a}[{size}]; " for a in names),
            f"P0 ({', '.join('int *' + a for a in names)}) {{ int r0 = a0[0]; "
            + "".join(f"{a}[1] = 1; " for a in names) + "}\n")


what = sys.argv[1]
initial, question = "", "true"
if what == "events":
    text = threads(130, loops("abc", 8) + "{" + FENCE * 2 + "}")
elif what == "loops":
    text = threads(20, loops("abcdefghij", 2) + FENCE)
else:
    initial, text = locations(16, 4096)
    question = "0:r0=0"
print(f"C Many\n{{ {initial}}}\n{text}exists ({question})")
