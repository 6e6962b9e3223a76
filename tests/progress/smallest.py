#!/usr/bin/env python3
"""The smallest programs that tell progress models apart, by search.

  tests/progress/smallest.py [-n INSTRUCTIONS]

For each progress model and the next weaker ones: the first program, by number of instructions and then of threads, that
ends under the stronger and hangs under the weaker one (docs/progress.md). Instructions are loads, stores and
exchanges of 0 and 1 on one location, or else two, each followed by a jump that is taken if it read a
certain value.
"""

import argparse
import itertools

import machine

WEAKER = {"fair": ("lobe",), "lobe": ("hsa_obe",), "hsa_obe": ("obe", "hsa"), "obe": ("unfair", "hsa"),
          "hsa": ("unfair", "obe")}


def instructions(place, n, locations):
    for x in locations:
        for value in (0, 1):
            yield (("write", x, value), None, place + 1, place + 1)
        for operation in (("read", x), ("exchange", x, 0), ("exchange", x, 1)):
            for constant, target in itertools.product((0, 1), range(n + 1)):
                if target != place + 1:
                    yield (operation, constant, target, place + 1)


def programs(n, locations):
    """With n instructions in all; fewer threads first."""
    for threads in range(1, n + 1):
        for sizes in itertools.product(range(1, n + 1), repeat=threads):
            if sum(sizes) == n:
                places = [(i, size) for size in sizes for i in range(size)]
                for flat in itertools.product(*(list(instructions(i, size, locations)) for i, size in places)):
                    rest = iter(flat)
                    yield [list(itertools.islice(rest, size)) for size in sizes]


def describe(code):
    text = []
    for i, (operation, constant, equal, _) in enumerate(code):
        jump = "" if constant is None else f", if it was {constant} go to {equal}" if equal < len(code) \
            else f", if it was {constant} end"
        text.append(f"{i}: {' '.join(map(str, operation))}{jump}")
    return "; ".join(text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", type=int, default=3)
    options = parser.parse_args()
    open_pairs = {(strong, weak) for strong, all_weak in WEAKER.items() for weak in all_weak}
    for n, locations in itertools.product(range(1, options.n + 1), ("x", "xy")):
        for program in programs(n, locations):
            if not open_pairs:
                return
            hanging = machine.hangs(program, {"x": 0, "y": 0})
            for strong, weak in sorted(open_pairs):
                if weak in hanging and strong not in hanging:
                    open_pairs.remove((strong, weak))
                    print(f"ends under {strong}, hangs under {weak}:")
                    for t, code in enumerate(program):
                        print(f"  P{t}  {describe(code)}")
    for strong, weak in sorted(open_pairs):
        print(f"none with {options.n} instructions: {strong}, {weak}")


if __name__ == "__main__":
    main()
