#!/usr/bin/env python3
"""Re-derives what rspcheck says, from the definitions, and compares. See README.md in this folder.

    tests/witness/witness.py all PROGRAM                    what make check-all runs
    tests/witness/witness.py suites PROGRAM                 the suites under the shipped models
    tests/witness/witness.py models PROGRAM                 tests/models under a few small tests
    tests/witness/witness.py random PROGRAM                 random tests under the shipped models
    tests/witness/witness.py columns PROGRAM                random PTX and Vulkan tests under the shipped models
    tests/witness/witness.py literal PROGRAM                random AMDGPU tests, the model's sentences in Python
    tests/witness/witness.py strange PROGRAM                random tests under random models
    tests/witness/witness.py tests PROGRAM -model M TEST…   these
    tests/witness/witness.py explanations PROGRAM           the executions that -explain shows
    tests/witness/witness.py exported PROGRAM               what -export writes, for the model
    tests/witness/witness.py execution MODEL FILE           a model on an execution in JSON

Options: -n TESTS, -seed S (random tests), -most N (tests with more candidate executions are skipped),
-variant V, -skipcheck NAME (of an execution). Prints each difference with its test, what was skipped, and "N passed, N failed".
"""

import argparse
import glob
import importlib
import os
import random
import re
import sys
import tempfile

from amdgpu_literal import Literal
from compare import Comparison
from execution_json import check_file
from exported import Exported
from random_circles import random_circle
from random_cycles import random_cycle
from random_models import random_model
from random_tests import random_test

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CAT = os.path.join(ROOT, "cat")
SUITES = {"rsp": ["opencl_rem", "opencl", "opencl_total", "sc"], "opencl": ["opencl_rem", "opencl_total"],
          "c11": ["rc11", "c11_simp", "sc"],
          "hrf": ["hrf0", "hrf_direct", "hrf_indirect", "hrf_direct_relaxed", "hrf_indirect_relaxed",
                  "hrf_rsp", "hrf_rsp_all"],
          "ptx": ["ptx60", "ptx75", "ptx90"], "vulkan": ["vulkan"], "amdgpu": ["amdgpu_av"]}
RANDOM = {"OpenCL": ["opencl_rem", "opencl_total", "hrf_rsp"], "C": ["rc11", "c11_simp", "sc"]}
SMALL = ["c11/SB+sc", "c11/MP+na", "c11/CAS+strong", "c11/LB+data+rlx", "c11/CoRW+rlx", "c11/UNSEQ",
         "c11/LB+fake-data", "rsp/RSP_Test2", "rsp/RSP_Test7", "rsp/RSP_Test12", "opencl/MP-wg+bar-both"]


def shipped(name):
    return os.path.join(CAT, name + ".cat")


def suites(comparison, _):
    for suite, models in SUITES.items():
        for model in models:
            comparison.run(shipped(model), [os.path.join(ROOT, "litmus", suite)])


# Models about names that the witness does not define; tests/same.py checks their laws, and `exported` those of executions.cat.
FOREIGN = {"foreign_names.cat", "executions.cat"}


def models(comparison, _):
    tests = [os.path.join(ROOT, "litmus", name + ".litmus") for name in SMALL]
    for path in sorted(glob.glob(os.path.join(ROOT, "tests", "models", "**", "*.cat"), recursive=True)):
        if os.sep + "parts" + os.sep not in path and os.path.basename(path) not in FOREIGN:
            comparison.run(path, tests)


def write_tests(folder, seeds):
    """Random tests, by language."""
    paths = {"OpenCL": [], "C": []}
    for seed in seeds:
        rng = random.Random(seed)
        make = random_cycle if seed % 3 == 0 else random_circle if seed % 6 == 1 else random_test
        text = make(rng, f"witness{seed}")
        path = os.path.join(folder, f"witness{seed}.litmus")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        paths[text.split()[0]].append(path)
    return paths


def random_tests(comparison, arguments):
    with tempfile.TemporaryDirectory() as folder:
        seeds = range(arguments.seed, arguments.seed + arguments.n)
        for language, paths in write_tests(folder, seeds).items():
            for model in arguments.model or map(shipped, RANDOM[language]):
                comparison.run(model, paths)


def columns_compare():
    """The module that makes random PTX and Vulkan tests."""
    folder = os.path.join(ROOT, "tests", "random")
    if folder not in sys.path:
        sys.path.append(folder)
    return importlib.import_module("columns_compare")


def write_columns(folder, language, seeds):
    """Random tests of PTX or Vulkan."""
    paths = []
    for seed in seeds:
        paths.append(os.path.join(folder, f"{language}{seed}.litmus"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write(columns_compare().make(random.Random(seed), language, seed))
    return paths


def columns(comparison, arguments):
    """Each random test of a language under each of its models; some also with what barriers mean otherwise."""
    with tempfile.TemporaryDirectory() as folder:
        for language, what in columns_compare().LANGUAGES.items():
            paths = write_columns(folder, language, range(arguments.seed, arguments.seed + arguments.n // 2))
            for model in arguments.model or what["models"]:
                comparison.run(os.path.join(CAT, model), paths)
            for variant in () if arguments.variant else ("all-threads", "phases"):
                comparison.set_variants([variant])
                comparison.run(os.path.join(CAT, (arguments.model or what["models"])[0]), paths[:len(paths) // 2])
                comparison.set_variants([])


def literal(comparison, arguments):
    """Random AMDGPU tests, and the suite, under the model as its document's sentences are written in amdgpu_literal.py."""
    with tempfile.TemporaryDirectory() as folder:
        tests = write_columns(folder, "AMDGPU", range(arguments.seed, arguments.seed + arguments.n))
        for variants in ([], ["undefined-races"]):
            comparison.set_variants(variants)
            comparison.run(shipped("amdgpu_av"), tests + [os.path.join(ROOT, "litmus", "amdgpu")], Literal())
        comparison.set_variants(arguments.variant)


def strange_model(comparison, folder, seed, language):
    """A random model on four random tests."""
    path = os.path.join(folder, f"model{seed}.cat")
    text = random_model(random.Random(seed), language)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    before, seeds = comparison.different, range(4 * seed, 4 * seed + 4)
    if language == "OpenCL":
        tests = write_tests(folder, seeds)
        comparison.run(path, tests["OpenCL"] + tests["C"])
    else:
        comparison.run(path, write_columns(folder, language, seeds))
    if comparison.different > before:
        print(text)


def strange(comparison, arguments):
    """Random models on random tests; every fourth also on tests of PTX or Vulkan."""
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.n):
            strange_model(comparison, folder, seed, "OpenCL")
            if seed % 4 == 0:
                strange_model(comparison, folder, seed, "PTX" if seed % 8 == 0 else "VULKAN")


def given(comparison, arguments):
    for model in arguments.model or [shipped("opencl_rem")]:
        comparison.run(model, arguments.test)


def explanations(comparison, _):
    """The executions that -explain shows are as it says."""
    for model, suite in (("opencl_rem", "rsp"), ("opencl", "rsp"), ("rc11", "c11")):
        comparison.explanations(shipped(model), [os.path.join(ROOT, "litmus", suite)])


def exported(comparison, arguments):
    """What -export writes stands for the model: a few tests of each suite, and random tests, 200 with -n 35."""
    with tempfile.TemporaryDirectory() as folder:
        seeds = range(arguments.seed, arguments.seed + 2 * arguments.n)
        tests = {"rsp": write_tests(folder, seeds)["OpenCL"], "c11": write_tests(folder, seeds)["C"]}
        for language, suite in (("PTX", "ptx"), ("VULKAN", "vulkan"), ("AMDGPU", "amdgpu")):
            tests[suite] = write_columns(folder, language, seeds[:len(seeds) // 4])
        for suite, paths in tests.items():
            few = sorted(glob.glob(os.path.join(ROOT, "litmus", suite, "*.litmus")))[::15]
            for number, model in enumerate(arguments.model or [shipped(name) for name in SUITES[suite]]):
                form = ("alloy", "isabelle")[(number + len(suite)) % 2]
                text = Exported(comparison.program, model, CAT, form)
                comparison.run(model, few + paths, text)
        for form in ("alloy", "isabelle"):
            model = os.path.join(ROOT, "tests", "models", "clusters.cat")
            comparison.run(model, write_trees(folder), Exported(comparison.program, model, CAT, form))


def write_trees(folder):
    """A test of a level of the model's own, in several trees: paths."""
    paths = []
    with open(os.path.join(ROOT, "tests", "models", "clusters.litmus"), encoding="utf-8") as file:
        head, end = re.split(r"scopeTree.*", file.read())
    for tree in ("(device (cluster (work_group P0) (work_group P1)) (work_group P2))", "(device (cluster (work_group P0 P1 P2)))",
                 "(device (work_group P0) (cluster (work_group P1 P2)))", "(device (work_group P0 P1)) (device (cluster P2))"):
        paths.append(os.path.join(folder, f"clusters{len(paths)}.litmus"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write(f"{head}scopeTree {tree}{end}".replace("Clusters", f"Clusters{len(paths)}"))
    return paths


def everything(comparison, arguments):
    for part in (suites, models, explanations, random_tests, columns, literal, exported, strange):
        part(comparison, arguments)


PARTS = {"all": everything, "suites": suites, "models": models, "random": random_tests,
         "columns": columns, "literal": literal, "exported": exported, "strange": strange, "explanations": explanations, "tests": given}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("-n", type=int, default=100)
    parser.add_argument("-seed", type=int, default=1)
    parser.add_argument("-most", type=int, default=60)
    parser.add_argument("-model", action="append", default=[])
    parser.add_argument("-variant", action="append", default=[])
    parser.add_argument("-skipcheck", action="append", default=[])
    parser.add_argument("part", choices=[*PARTS, "execution"])
    parser.add_argument("program")
    parser.add_argument("test", nargs="*")
    arguments = parser.parse_args()
    if arguments.part == "execution":
        return check_file(arguments.program, arguments.test[0], [CAT], arguments.variant,
                          arguments.skipcheck)
    comparison = Comparison(os.path.abspath(arguments.program), arguments.most, CAT, arguments.variant,
                            ["-max-executions", "100000", "-timeout", "10"])
    PARTS[arguments.part](comparison, arguments)
    return comparison.report()


if __name__ == "__main__":
    sys.exit(main())
