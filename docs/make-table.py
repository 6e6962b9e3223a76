#!/usr/bin/env python3
"""Fills the tables of docs/models.md with rspcheck's results, or compares them with these.

    docs/make-table.py [--write] PROGRAM

A table is between the lines `<!-- table NAME -->` and `<!-- end -->`; TABLES below says what each
holds. Without --write nothing is changed: a table that differs is printed as a diff, and the exit
status is 1.
"""

import argparse
import difflib
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GUIDE = os.path.join(ROOT, "docs", "models.md")

# Name of the table: folder of the tests, names of the tests it has (None: all), columns (heading,
# and model with its options).
TABLES = {
    "hrf": ("litmus/hrf", None, [
        ("H0", "hrf0"), ("D", "hrf_direct"), ("I", "hrf_indirect"),
        ("DR", "hrf_direct_relaxed"), ("IR", "hrf_indirect_relaxed"),
        ("RSP", "hrf_rsp"), ("RSP all", "hrf_rsp_all"),
    ]),
    "promotion": ("litmus/hrf", r"R\d|S1$|X1$|X7|X8|X9|X10$|RS\d$", [
        ("IR subset", "hrf_indirect_relaxed -variant subset"), ("IR", "hrf_indirect_relaxed"),
        ("RSP subset", "hrf_rsp -variant subset"),
        ("RSP literal", "hrf_rsp -variant promote-literal"),
        ("RSP", "hrf_rsp"), ("RSP all", "hrf_rsp_all"),
    ]),
    "rsp": ("litmus/rsp", None, [
        ("opencl_rem", "opencl_rem"), ("hrf_rsp", "hrf_rsp"), ("hrf_rsp_all", "hrf_rsp_all"),
        ("hrf_indirect_relaxed", "hrf_indirect_relaxed"),
    ]),
}


def sort_key(name):
    """T2 before T10; the papers' ids in the order of docs/models.md."""
    papers = ["T", "H", "R", "S", "X", "M"]
    letters = re.match(r"[A-Za-z_]*", name)[0]
    rank = papers.index(letters) if letters in papers else len(papers)
    return [(rank, letters)] + [(int(part), "") if part.isdigit() else (0, part)
                                for part in re.split(r"(\d+)", name[len(letters):])]


def verdicts(program, model, paths):
    """Test name -> cell: F or R, and * when the outcome asked for is reachable."""
    name, *options = model.split()
    command = [program, "-q", "-I", os.path.join(ROOT, "cat"), "-model", name, *options, *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{model}: exit status {done.returncode}\n{done.stderr}")
    cells = {}
    for part in re.split(r"(?m)^Test ", done.stdout)[1:]:
        observation = re.search(r"(?m)^Observation \S+ (\w+)", part)[1]
        racy = re.search(r"(?m)^Flag data_race$", part)
        cells[part.split()[0]] = ("R" if racy else "F") + ("" if observation == "Never" else "*")
    return cells


def make_table(program, folder, pattern, columns):
    names = sorted((name.removesuffix(".litmus") for name in os.listdir(os.path.join(ROOT, folder))
                    if name.endswith(".litmus") and (not pattern or re.match(pattern, name[:-7]))),
                   key=sort_key)
    paths = [os.path.join(ROOT, folder, name + ".litmus") for name in names]
    cells = [verdicts(program, model, paths) for _, model in columns]
    lines = ["| test | " + " | ".join(heading for heading, _ in columns) + " |",
             "|---" * (len(columns) + 1) + "|"]
    lines += [f"| {name} | " + " | ".join(column[name] for column in cells) + " |"
              for name in names]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="put the tables into docs/models.md")
    parser.add_argument("program")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    with open(GUIDE, encoding="utf-8") as file:
        before = file.read()
    after = before
    for name, (folder, pattern, columns) in TABLES.items():
        table = make_table(program, folder, pattern, columns)
        after, n = re.subn(rf"(<!-- table {name} -->\n).*?(<!-- end -->)",
                           lambda match, text=table: match[1] + text + match[2], after,
                           flags=re.DOTALL)
        if n != 1:
            sys.exit(f"{GUIDE}: {n} places for the table {name}")
    if options.write:
        with open(GUIDE, "w", encoding="utf-8") as file:
            file.write(after)
    elif after != before:
        sys.stdout.writelines(difflib.unified_diff(
            before.splitlines(True), after.splitlines(True), "docs/models.md", "what rspcheck says"))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
