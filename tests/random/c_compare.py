#!/usr/bin/env python3
"""Compares rspcheck with compiled C on random sequential programs.

    tests/random/c_compare.py [-n PROGRAMS] [-seed S] PROGRAM

One thread, registers of every type, expressions, branches and loops; the values at the end must be
the same. Prints each difference with the program, then "N passed, N failed".
"""

import os
import random
import subprocess
import sys
import tempfile

import letter

TYPES = ["int", "uint", "char", "uchar", "short", "ushort", "long", "bool"]
IN_C = """#include <stdio.h>
#include <stdbool.h>
typedef unsigned int uint;
typedef unsigned char uchar;
typedef unsigned short ushort;
"""
REGISTERS = [f"v{i}" for i in range(len(TYPES))]
NUMBERS = ["0", "1", "2", "3", "7", "-1", "-5", "100", "0177", "128", "255", "0x100", "32768",
           "65535", "2147483647", "0x80000000", "4294967295", "1u", "3u", "-1L", "'a'"]
ROUNDS = 4  # of a loop, at most


# ---- Random programs: no division by zero, no shift by too much, nothing unsequenced -------------


def expression(rng, depth):
    def below():
        return expression(rng, depth - 1)

    kind = rng.randrange(16)
    if depth == 0 or kind < 3:
        return rng.choice(REGISTERS if rng.random() < 0.6 else NUMBERS)
    if kind < 8:
        return f"({below()} {rng.choice(['+', '-', '*', '&', '|', '^'])} {below()})"
    if kind < 10:
        operator = rng.choice(["<", "<=", ">", ">=", "==", "!=", "&&", "||"])
        return f"({below()} {operator} {below()})"
    return rng.choice([
        lambda: f"({rng.choice('~!-+')}({below()}))",
        lambda: f"({below()} ? {below()} : {below()})",
        lambda: f"(({rng.choice(TYPES)}) {below()})",
        lambda: f"({below()} {rng.choice(['<<', '>>'])} {rng.randrange(8)})",
        lambda: f"({below()} {rng.choice('/%')} {rng.choice(['3', '7', '-2', '5u', '-7L'])})",
        lambda: f"({below()}, {below()})",
    ])()


def statement(rng, depth):
    register = rng.choice(REGISTERS)
    kind = rng.randrange(10 if depth else 7)
    if kind < 4:
        return f"{register} = {expression(rng, 3)};"
    if kind == 4:
        return f"{register} {rng.choice('+-*&|^')}= {expression(rng, 2)};"
    if kind == 5:
        return f"{register} {rng.choice(['<<', '>>'])}= {rng.randrange(5)};"
    if kind == 6:
        counter = rng.choice([r for r in REGISTERS[:-1] if r != register])  # bool has no --
        return rng.choice([f"{counter}++;", f"--{counter};", f"{register} = {counter}--;"])
    body = block(rng, depth - 1)
    if kind < 9:
        other = f" else {block(rng, depth - 1)}" if kind == 8 else ""
        return f"if ({expression(rng, 2)}) {body}{other}"
    end = rng.choice(["", "if (v0) continue;", "if (v1 > 2) break;"])
    i, last = f"i{depth}", rng.randrange(ROUNDS + 1)
    return f"for (int {i} = 0; {i} < {last}; {i}++) {{ {body} {end} {register} += {i}; }}"


def block(rng, depth):
    return "{ " + " ".join(statement(rng, depth) for _ in range(2)) + " }"


def make_program(rng):
    declared = [f"{name} {register} = {rng.choice(['0', '1', '-1', '3', '200'])};"
                for name, register in zip(TYPES, REGISTERS)]
    return "\n  ".join(declared + [statement(rng, 2) for _ in range(6)])


# ---- The two answers -----------------------------------------------------------------------------


def answers_of_c(programs):
    """One line per program, in rspcheck's form of a state."""
    shown = " ".join(f"0:{register}=%ld;" for register in REGISTERS)
    values = ", ".join(f"(long) {register}" for register in REGISTERS)
    text = IN_C
    for i, program in enumerate(programs):
        text += f'static void p{i} (void) {{\n  {program}\n  printf ("{shown}\\n", {values});\n}}\n'
    text += f"int main (void) {{ {' '.join(f'p{i} ();' for i in range(len(programs)))} }}\n"
    with tempfile.TemporaryDirectory() as folder:
        source, code = os.path.join(folder, "p.c"), os.path.join(folder, "p")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        # Signed integers wrap here as there, and char is signed, as OpenCL has it.
        compiler = [os.environ.get("CC", "cc"), "-w", "-fwrapv", "-fsigned-char"]
        subprocess.run([*compiler, "-o", code, source], check=True)
        done = subprocess.run([code], check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


def litmus(program, name):
    shown = " ".join(f"0:{register};" for register in REGISTERS)
    return f"C {name}\n{{ }}\nP0 () {{\n  {program}\n}}\nlocations [{shown}]\nexists ()\n"


def main():
    options = letter.command_line(__doc__, 300)
    rng = random.Random(options.seed)
    programs = [make_program(rng) for _ in range(options.n)]
    tests = {f"p{i}": litmus(program, f"p{i}") for i, program in enumerate(programs)}
    logs = letter.logs(options.program, f"rc11 -unroll {ROUNDS + 1}", tests)
    failed = 0
    for name, wanted in zip(tests, answers_of_c(programs), strict=True):
        found = letter.states(logs[name])
        if found != {wanted}:
            failed += 1
            print(f"{tests[name]}rspcheck: {' or '.join(sorted(found))}\nC:        {wanted}")
    return letter.report(len(programs) - failed, failed)


if __name__ == "__main__":
    sys.exit(main())
