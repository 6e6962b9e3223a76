#!/usr/bin/env python3
"""Compares what rspcheck computes with what compiled C does, on random sequential programs.

    tests/random/c_compare.py [-n PROGRAMS] [-seed S] PROGRAM

One thread, registers of every type, expressions, branches and loops; the values at the end must be
the same. Prints each difference with the program, then "N passed, N failed".
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

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
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
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


def answers_of_c(programs, folder):
    """A line a program, as rspcheck prints a state."""
    shown = " ".join(f"0:{register}=%ld;" for register in REGISTERS)
    values = ", ".join(f"(long) {register}" for register in REGISTERS)
    text = IN_C
    for i, program in enumerate(programs):
        text += f'static void p{i} (void) {{\n  {program}\n  printf ("{shown}\\n", {values});\n}}\n'
    text += f"int main (void) {{ {' '.join(f'p{i} ();' for i in range(len(programs)))} }}\n"
    source, code = os.path.join(folder, "p.c"), os.path.join(folder, "p")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    # Signed integers wrap here as there, and char is signed, as OpenCL has it.
    compile_it = [os.environ.get("CC", "cc"), "-w", "-fwrapv", "-fsigned-char", "-o", code, source]
    subprocess.run(compile_it, check=True)
    return subprocess.run([code], check=True, capture_output=True, text=True).stdout.splitlines()


def answers_of_rspcheck(rspcheck, programs, folder):
    paths = [os.path.join(folder, f"p{i}.litmus") for i in range(len(programs))]
    shown = " ".join(f"0:{register};" for register in REGISTERS)
    for path, program in zip(paths, programs):
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"C T\n{{ }}\nP0 () {{\n  {program}\n}}\nlocations [{shown}]\nexists ()\n")
    command = [rspcheck, "-q", "-I", os.path.join(ROOT, "cat"), "-model", "rc11",
               "-unroll", str(ROUNDS + 1), *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"exit status {done.returncode}\n{done.stderr}")
    return [state.strip() for state in re.findall(r"(?m)^States 1\n(.*)$", done.stdout)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", type=int, default=300)
    parser.add_argument("-seed", type=int, default=1)
    parser.add_argument("program")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    programs = [make_program(rng) for _ in range(options.n)]
    with tempfile.TemporaryDirectory() as folder:
        expected = answers_of_c(programs, folder)
        found = answers_of_rspcheck(os.path.abspath(options.program), programs, folder)
    if len(found) != len(programs):
        sys.exit(f"{len(programs)} programs, but {len(found)} have one final state")
    failed = 0
    for program, wanted, state in zip(programs, expected, found):
        if wanted != state:
            failed += 1
            print(f"  {program}\nrspcheck: {state}\nC:        {wanted}")
    print(f"{len(programs) - failed} passed, {failed} failed")
    return 1 if failed or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
