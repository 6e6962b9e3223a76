#!/usr/bin/env python3
"""Prints a test with very many events, threads or locations, or a log:
`many.py events|loops|fences|loads|locations|log`."""
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
if what == "log":
    for i in range(60000):
        print(f"Test T{i} Allowed\nStates 2\n0:r0=0;\n0:r0=1;\nOk\nWitnesses\nPositive: 1 Negative: 1\n"
              f"Condition exists (0:r0=1)\nObservation T{i} Sometimes 1 1\nHash={i:032x}\n")
    sys.exit()
initial, question = "", "true"
if what == "events":
    text = threads(130, loops("abc", 8) + "{" + FENCE * 2 + "}")
elif what == "loops":
    text = threads(20, loops("abcdefghij", 2) + FENCE)
elif what == "fences":
    text = threads(20, FENCE * 1900)
elif what == "loads":
    initial, question = "x = 0; ", "x=0"
    text = threads(1000, "int r0 = *x; int r1 = *x;").replace("()", "(atomic_int *x)")
else:
    initial, text = locations(16, 4096)
    question = "0:r0=0"
print(f"C Many\n{{ {initial}}}\n{text}exists ({question})")
