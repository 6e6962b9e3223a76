#!/usr/bin/env python3
"""The smallest tests between every pair of shipped models: litmus/distinguish/ and docs/synth.md's tables.

    scripts/distinguish.py [--write] [--pairs N] PROGRAM

For each pair of MODELS it asks `rspcheck -distinguish` in the space of `space ()`, and keeps one test for
each kind of difference: the first of the smallest. With --write the suite, its expected.tsv and the tables
are written anew. Without, they are compared with what the tool finds: for the first N pairs of each model
(all, unless --pairs says otherwise, which leaves out the SLOW ones and those with MANY results).

Both ways each test is shown to be minimal: the tool has searched all programs with fewer events, and the test
with one order, scope or remote form weakened, or without a dependency, is checked under both models: it must
not show that difference. And expected.tsv, which `rspcheck -expect` compares with the tool, must say of
the two models what the table says.
"""

import argparse
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import questions  # noqa: E402
import synth  # noqa: E402
import synth_text  # noqa: E402

SUITE = ROOT / "litmus" / "distinguish"
GUIDE = ROOT / "docs" / "synth.md"
HRF = ["hrf0", "hrf_direct", "hrf_indirect", "hrf_direct_relaxed", "hrf_indirect_relaxed"]
MODELS = ["sc", "rc11", "c11_simp", "opencl", "opencl_rem", "opencl_total", *HRF, "hrf_rsp", "hrf_rsp_all"]
HEAD = """# Made by scripts/distinguish.py: the smallest tests that tell two models apart. Columns as in
# litmus/rsp/expected.tsv.
model	test	observation	positive	negative	states	flags
"""
KINDS = {"only the first allows": "first allows", "only the second allows": "second allows",
         "only the first is undefined": "first undefined", "only the second is undefined": "second undefined"}

CHAIN = "-events 5 -event-kinds load,store -orders acq,rel -scopes wg,dev -remote false -dependencies ctrl"
SPACES = {
    "C": "-events 4",
    "OpenCL": "-events 3",
    "remote": "-events 5 -threads 2 -event-kinds load,store,fence -orders rlx,acq,rel -scopes wg,dev",
    "total": "-events 4 -threads 2",
    "remote total": "-events 4 -threads 2 -event-kinds load,store -orders na,rlx,sc -scopes dev,all",
    "release": "-events 3 -event-kinds load,store,rmw -orders na,acq,rel -scopes wg,dev -remote false -dependencies ctrl",
    "chain": CHAIN,
}
SLOW = {"remote", "chain", "total"}  # some ten seconds a pair
MANY = {("hrf_rsp", "hrf_rsp_all")}  # thousands of results


def space(first, second):
    """The name of the space of a pair. What seq_cst in one total order allows takes four events. The HRF models differ in how synchronisation composes, which takes branches: without, programs that use it race."""
    pair = {first, second}
    if "opencl_total" in pair and pair & {"c11_simp", "opencl", "opencl_rem"}:
        return "remote total" if "opencl_rem" in pair else "total"
    if pair in ({"hrf_direct", "hrf_indirect"}, {"hrf_direct_relaxed", "hrf_indirect_relaxed"}):
        return "chain"
    if first == "hrf0" and second in HRF[:3]:
        return "release"
    if pair == {"opencl", "opencl_rem"}:
        return "remote"
    return "C" if pair <= {"sc", "rc11", "c11_simp"} else "OpenCL"


def search(tool, first, second):
    """The weakest results of the smallest size, per kind of difference."""
    command = [tool, "-q", "-json", "-distinguish", "-model", f"{first}.cat", "-model", f"{second}.cat",
               *SPACES[space(first, second)].split()]
    found = {}
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
        result = json.loads(line)
        for kind in result["found"].split("; "):
            found.setdefault(kind, []).append(result)
    return found


# ---- Is it minimal? ----

def searched(tool, first, second):
    """The orders and scopes of a pair's space."""
    command = [tool, "-q", "-distinguish", "-model", f"{first}.cat", "-model", f"{second}.cat",
               *SPACES[space(first, second)].split(), "-events", "1"]
    line = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    return {name: words.replace(" ", "") for name, words in re.findall(r"; (orders|scopes) ([^;]*)", line)}


def weaker(tool, pair, kind, result):
    """Weaker tests that show this kind of difference too; empty if the test is minimal."""
    alphabet = searched(tool, *pair)
    weakened = [program for program, _ in questions.weakenings(synth_text.read_program(result["source"]), alphabet)]
    with tempfile.TemporaryDirectory() as folder:
        for i, program in enumerate(weakened):
            (pathlib.Path(folder) / f"weaker{i}.litmus").write_text(synth_text.text(program, alphabet, f"weaker{i}"))
        models = [word for model in pair for word in ("-model", f"{model}.cat")]
        lines = subprocess.run([tool, "-json", "-q", *models, folder], capture_output=True, text=True,
                               check=True).stdout.splitlines() if weakened else []
    records = {}
    for record in map(json.loads, lines):
        records.setdefault(record["test"], []).append(record)
    return [weakened[int(name[6:])] for name, both in records.items() if kind in synth.disagreement(both)]


# ---- Writing ----

def merge(answers):
    """The tests by name, and a name per pair and kind. If a program occurs with different outcomes, its name gets a number."""
    tests, table = {}, {}
    for pair, found in answers.items():
        for kind, results in found.items():
            source = re.sub(r"\(\*.*?\*\)\n\n", "", results[0]["source"], flags=re.S)
            name, n = results[0]["test"], 1
            while name in tests and tests[name][0] != source:
                n += 1
                name = f"{results[0]['test']}+outcome{n}"
                source = re.sub(r"^(OpenCL|C) \S+", rf"\1 {name}", source)
            tests.setdefault(name, (source, []))[1].append((*pair, kind))
            table[pair, kind] = name
    return tests, table


def commented(source, uses):
    """With a comment that names the models that the test distinguishes."""
    lines = [f"{first} and {second}: {kind}." for first, second, kind in uses]
    head, rest = source.split("\n\n", 1)
    return f"{head}\n\n(* The smallest test between these models (docs/synth.md).\n   " \
           + "\n   ".join(lines) + f" *)\n\n{rest}"


def pairs_table(answers, table):
    rows = ["| first | second | space | what only one of them says | smallest test |", "| --- | --- | --- | --- | --- |"]
    for (first, second), found in answers.items():
        where = space(first, second)
        if not found:
            rows.append(f"| {first} | {second} | {where} | nothing | none |")
        for kind in found:
            rows.append(f"| {first} | {second} | {where} | {KINDS[kind]} | `{table[(first, second), kind]}` |")
    return "\n".join(rows)


def spaces_table():
    return "\n".join(["| space | options |", "| --- | --- |", *(f"| {n} | `{o}` |" for n, o in SPACES.items())])


def expected(tool, tests):
    """One row per test and model that it distinguishes."""
    models = {name: sorted({m for a, b, _ in uses for m in (a, b)}, key=MODELS.index)
              for name, (_, uses) in tests.items()}
    rows = []
    for model in MODELS:
        names = [name for name in sorted(tests) if model in models[name]]
        files = [str(SUITE / f"{name}.litmus") for name in names]
        if files:
            out = subprocess.run([tool, "-q", "-tsv", "-model", f"{model}.cat", *files],
                                 capture_output=True, text=True, check=True).stdout
            rows += [line for line in out.splitlines() if line.startswith(f"{model}\t")]
    return HEAD + "\n".join(rows) + "\n"


def write(tool, answers):
    tests, table = merge(answers)
    SUITE.mkdir(exist_ok=True)
    for old in SUITE.glob("*.litmus"):
        old.unlink()
    for name, (source, uses) in tests.items():
        (SUITE / f"{name}.litmus").write_text(commented(source, uses))
    (SUITE / "expected.tsv").write_text(expected(tool, tests))
    guide = GUIDE.read_text()
    for name, text in ("pairs", pairs_table(answers, table)), ("spaces", spaces_table()):
        guide = re.sub(rf"(<!-- table {name} -->\n).*?(<!-- end -->)", lambda m: f"{m[1]}{text}\n{m[2]}", guide,
                       flags=re.S)
    GUIDE.write_text(guide)


# ---- Comparing ----

def said(first, second):
    """The kind of difference that two rows of expected.tsv show, as the table words it."""
    undefined = [row[6] != "-" for row in (first, second)]
    if any(undefined):
        return [] if all(undefined) else ["first undefined" if undefined[0] else "second undefined"]
    allowed = [int(row[3]) > 0 for row in (first, second)]
    return [] if allowed[0] == allowed[1] else ["first allows" if allowed[0] else "second allows"]


def pair_faults(tool, pair, found, guide, expectations):
    """The errors in a pair's rows of the table."""
    first, second = pair
    rows = re.findall(rf"^\| {first} \| {second} \| {space(*pair)} \| (.*?) \| `?(.*?)`? \|$", guide, re.M)
    then = {kind: re.sub(r"\+outcome\d+$", "", name) for kind, name in rows if kind != "nothing"}
    now = {KINDS[kind]: results[0]["test"] for kind, results in found.items()}
    if not rows or now != then:
        yield f"found {now}, the table has {then}"
    for kind, name in rows if then else []:
        both = [expectations.get((model, name)) for model in pair]
        if not all(both) or kind not in said(*both):
            yield f"expected.tsv does not say that {name} is {kind}"
    for kind, results in found.items():
        for program in weaker(tool, pair, kind, results[0]):
            yield f"{kind}: {results[0]['test']} is not minimal: {program} is weaker"


def compare(tool, answers):
    """Each pair's smallest tests are those of the table in the guide and of the suite, and minimal."""
    guide, failed = GUIDE.read_text(), 0
    rows = [line.split("\t") for line in (SUITE / "expected.tsv").read_text().splitlines()]
    expectations = {(row[0], row[1]): row for row in rows if len(row) == 7}
    for pair, found in answers.items():
        faults = list(pair_faults(tool, pair, found, guide, expectations))
        failed += bool(faults)
        for fault in faults:
            print(f"FAIL {pair[0]} against {pair[1]}: {fault}")
    print(f"{len(answers) - failed} passed, {failed} failed")
    return failed == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--pairs", type=int, default=len(MODELS))
    parser.add_argument("tool")
    arguments = parser.parse_args()
    tool = str(pathlib.Path(arguments.tool).resolve())
    pairs = [(a, b) for a, b in itertools.combinations(MODELS, 2)
             if MODELS.index(b) - MODELS.index(a) <= arguments.pairs]
    if arguments.pairs < len(MODELS):
        pairs = [pair for pair in pairs if space(*pair) not in SLOW and pair not in MANY]
    answers = {}
    for pair in pairs:
        answers[pair] = search(tool, *pair)
        if arguments.write:
            print(*pair, {kind: results[0]["test"] for kind, results in answers[pair].items()}, file=sys.stderr)
    if arguments.write:
        write(tool, answers)
    sys.exit(0 if compare(tool, answers) else 1)


if __name__ == "__main__":
    main()
