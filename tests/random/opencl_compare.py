#!/usr/bin/env python3
"""Compares rspcheck under the models of OpenCL tests with opencl_literal.py and amd_literal.py on random programs.

    tests/random/opencl_compare.py [-n PROGRAMS] [-seed S] PROGRAM

States, numbers of executions for and against the condition, and flags must agree under every model.
Prints each difference with the program, then "N passed, N failed".
"""

import random
import sys
from functools import partial

import amd_literal
import letter
from opencl_executions import executions
from opencl_literal import Reading, judge
from opencl_programs import litmus, make_program, registers

MODELS = {
    "opencl": partial(judge, reading=Reading()),
    "opencl -variant same-scope": partial(judge, reading=Reading(same_scope=True)),
    "opencl_rem": partial(judge, reading=Reading(remote=True)),
    "opencl_rem -variant plain-races": partial(judge, reading=Reading(remote=True, plain_races=True)),
    "opencl_rem -variant same-scope": partial(judge, reading=Reading(remote=True, same_scope=True)),
    "opencl_total": partial(judge, reading=Reading(total=True)),
    "amdgpu": amd_literal.judge,
}
MOST = 400  # candidate executions of a program; others are passed over, to save time


class Answer:
    """A model's verdict on a test."""

    def __init__(self):
        self.states, self.positive, self.negative, self.flags = set(), 0, 0, set()

    def __eq__(self, other):
        return vars(self) == vars(other)

    def __str__(self):
        return (f"{self.positive} positive, {self.negative} negative, {sorted(self.flags)}, "
                f"{len(self.states)} states {sorted(self.states)}")


def read(lines):
    answer = Answer()
    answer.states = letter.states(lines)
    counts = next(line for line in lines if line.startswith("Observation ")).split()
    answer.positive, answer.negative = int(counts[-2]), int(counts[-1])
    answer.flags = {line.split()[1] for line in lines if line.startswith("Flag ")}
    return answer


def answer_to_the_letter(program, locations, candidates, asked, judged):
    answer = Answer()
    for execution, final in candidates:
        count, flags = judged(execution)
        if count == 0:
            continue
        value = {where: execution.returned.get(where, -1) for where in registers(program)}
        memory = {name: final.get(name, location.initial) for name, location in locations.items()}
        answer.states.add(" ".join([f"{t}:r{i}={v};" for (t, i), v in value.items()]
                                   + [f"{name}={memory[name]};" for name in sorted(memory)]))
        if all(value[where] == v for where, v in asked.items()):
            answer.positive += count
        else:
            answer.negative += count
        answer.flags |= flags
    return answer


def make_tests(rng, number):
    """Name -> (program, locations, candidate executions, values that the condition asks for)."""
    tests = {}
    while len(tests) < number:
        program, locations = make_program(rng)
        asked = {where: rng.choice([-1, 0, 1, 1]) for where in registers(program)[:2]}
        candidates = []
        for candidate in executions(program, locations):
            candidates.append(candidate)
            if len(candidates) > MOST:
                break
        else:
            tests[f"o{len(tests)}"] = program, locations, candidates, asked
    return tests


def main():
    options = letter.command_line(__doc__, 150)
    made = make_tests(random.Random(options.seed), options.n)
    tests = {name: litmus(test[0], test[1], name, test[3]) for name, test in made.items()}
    return letter.compare(options.program, MODELS, tests, read,
                          lambda name, judged: answer_to_the_letter(*made[name], judged))


if __name__ == "__main__":
    sys.exit(main())
