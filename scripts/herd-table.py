#!/usr/bin/env python3
"""Writes tests/herd/table.tsv: what herd7 answers to the tests in tests/herd/litmus under the models beside them.

    HERD='herd7 -I DIR' scripts/herd-table.py     # runs herd7: all figures are measured
    scripts/herd-table.py                         # without one: new rows are derived from its definition

The last column says where a row's figures come from: `measured` on a herd7, `stated` by somebody who did, or
`derived` by tests/herd/derive.py, which enumerates executions by herd7's definition. Rows that are measured
or stated stay as they are if no herd7 is given. tests/herd.py compares rspcheck with the table.
"""

import csv
import os
import pathlib
import shlex
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "herd"
sys.path[:0] = [str(FOLDER), str(ROOT / "tests")]

import derive       # noqa: E402
import peers        # noqa: E402

COLUMNS = ["model", "test", "states", "positive", "negative", "source"]


def spelling(states):
    """States as herd and rspcheck both have them after peers.read."""
    return " | ".join(" ".join(f"{name}={value};" for name, value in state) for state in states)


def measured(herd, model, tests):
    """Test -> its row, from a run of herd7."""
    found = peers.read(peers.run([*shlex.split(herd), "-model", str(model)], tests))
    return {name: (spelling(entry["states"]), *entry["counts"][-2:]) for name, entry in found.items()}


def rows_of(model, tests, old):
    rows = measured(os.environ["HERD"], model, tests) if os.environ.get("HERD") else {}
    for test in tests:
        known = old.get((model.stem, test.stem))
        if test.stem in rows:
            yield model.stem, test.stem, *rows[test.stem], "measured"
        elif known and known[-1] != "derived":
            yield model.stem, test.stem, *known
        else:
            states, *numbers = derive.answer(test.read_text(encoding="utf-8"), model.stem)
            yield model.stem, test.stem, spelling(sorted(map(peers.state, states))), *numbers, "derived"


def main():
    path, old = FOLDER / "table.tsv", {}
    if path.exists():
        with open(path, encoding="utf-8", newline="") as file:
            old = {tuple(row[:2]): row[2:] for row in csv.reader(file, delimiter="\t")}
    tests = sorted((FOLDER / "litmus").glob("*.litmus"))
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(COLUMNS)
        for model in sorted((FOLDER / "models").glob("*.cat")):
            writer.writerows(rows_of(model, tests, old))


if __name__ == "__main__":
    main()
