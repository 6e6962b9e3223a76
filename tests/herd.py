#!/usr/bin/env python3
"""Compares rspcheck with tests/herd/table.tsv, the states and counts of herd7.

    tests/herd.py [-n N] [-seed N] PROGRAM

Both engines are compared with every row, and every row with tests/herd/derive.py, which enumerates executions by
herd7's definition. scripts/herd-table.py makes the table. Both are also compared with derive.py on N random tests
(60 without -n).
"""

import argparse
import csv
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent / "herd"
sys.path.insert(0, str(FOLDER))

import derive       # noqa: E402
import generate     # noqa: E402
import peers        # noqa: E402


def answers(program, model, engine, folder=FOLDER / "litmus"):
    """Test -> (states, positive, negative)"""
    done = subprocess.run([program, "-q", "-engine", engine, "-model", str(FOLDER / "models" / f"{model}.cat"),
                           str(folder)], capture_output=True, text=True, check=False)
    return {name: (entry["states"], *entry["counts"][-2:]) for name, entry in peers.read(done.stdout).items()}


def defined(model, text):
    states, positive, negative = derive.answer(text, model)
    return sorted(map(peers.state, states)), str(positive), str(negative)


def compare_random(program, n, seed):
    """How many answers agree, and how many differ."""
    passed = failed = 0
    tests = generate.tests(n, seed)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in tests.items():
            (pathlib.Path(folder) / f"{name}.litmus").write_text(text, encoding="utf-8")
        for model in derive.MODELS:
            expected = {name: defined(model, text) for name, text in tests.items()}
            for engine in ("bounded", "naive"):
                found = answers(program, model, engine, folder)
                for name in tests:
                    if found.get(name) == expected[name]:
                        passed += 1
                        continue
                    failed += 1
                    print(f"FAIL {model}, {engine}\n{tests[name]}  found: {found.get(name)}\n"
                          f"  the definition: {expected[name]}")
    return passed, failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", type=int, default=60)
    parser.add_argument("-seed", type=int, default=1)
    parser.add_argument("program")
    args = parser.parse_args()
    with open(FOLDER / "table.tsv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    passed, failed = compare_random(args.program, args.n, args.seed)
    found = {(model, engine): answers(args.program, model, engine)
             for model in sorted({row["model"] for row in rows}) for engine in ("bounded", "naive")}
    for row in rows:
        any_found = row["positive"] != "0" or row["negative"] != "0"
        states = sorted(map(peers.state, row["states"].split(" | "))) if any_found else []
        expected = states, row["positive"], row["negative"]
        given = {engine: found[row["model"], engine].get(row["test"]) for engine in ("bounded", "naive")}
        text = (FOLDER / "litmus" / f"{row['test']}.litmus").read_text(encoding="utf-8")
        given["the definition"] = defined(row["model"], text)
        wrong = [f"  {who}: {answer}" for who, answer in given.items() if answer != expected]
        passed, failed = passed + (not wrong), failed + bool(wrong)
        if wrong:
            print(f"FAIL {row['test']} under {row['model']}: {expected} ({row['source']})", *wrong, sep="\n")
    print(f"herd: {passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
