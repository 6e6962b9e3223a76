"""Tests of the workbench's checker: run by node, it prints what the native one prints."""

import json
import pathlib
import re
import shlex
import subprocess
import tempfile

import cases
import cli
from cases import equal

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests/golden"
EVERY = 12  # of the shipped tests one in so many is compared
CASES = []


def case(title):
    def add(function):
        CASES.append((title, function))
        return function
    return add


class Node:
    """with Node (build) as node: the program in WebAssembly."""

    def __init__(self, build):
        self.process = subprocess.Popen(["node", ROOT / "extra/web/node.js", build / "web"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def run(self, args, files, wanted=None):
        self.process.stdin.write(json.dumps({"args": args, "files": files, "wanted": wanted}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


@case("golden logs, in node")
def golden_logs(_, build):
    others = {path.name: path.read_text() for folder in (GOLDEN, ROOT / "tests/models") for path in folder.glob("*.cat")}
    read = lambda path, default="": path.read_text() if path.exists() else default
    wrong = []
    with Node(build) as node:
        for test in sorted(GOLDEN.glob("*.litmus")):
            args = shlex.split(read(test.with_suffix(".args"), "-model opencl_rem.cat").replace("../models/", ""))
            answer = node.run([*args, test.name], {**others, test.name: test.read_text()})
            wrong += filter(None, [cases.difference(test.name, read(test.with_suffix(".log")), answer["out"]),
                                   cases.difference(test.name, read(test.with_suffix(".err")).replace("../models/", ""), answer["error"])])
    equal("\n".join(wrong), "")


def wrong_files(folder, suffix):
    """Those of tests/errors, written to the folder."""
    return [file for _, file in cli.error_files(pathlib.Path(folder)) if file.suffix == suffix]


@case("suites and wrong files, in node")
def suites(program, build):
    wrong = []
    with Node(build) as node, tempfile.TemporaryDirectory() as folder:
        for test in sorted(ROOT.glob("litmus/**/*.litmus"))[::EVERY] + wrong_files(folder, ".litmus")[::EVERY]:
            try:
                text = test.read_bytes().decode()
            except UnicodeDecodeError:
                continue
            answer = node.run(["-timeout", "60", test.name], {test.name: text})
            status, out, error = cases.run([program, "-timeout", "60", test.name], test.parent, cases.environment())
            equal((test.name, answer["status"]), (test.name, status))
            wrong += filter(None, [cases.difference(test.name, out, answer["out"]), cases.difference(test.name, error, answer["error"])])
    equal("\n".join(wrong), "")


def without_columns(answer):
    """What MCPP may say otherwise than cpp: columns behind a macro, the texts of its own errors, and lines of the text with macros."""
    status, out, error = answer
    messages = [re.sub(r":\d+: ", ": ", line) for line in error.splitlines() if re.search("(error|warning|hint): ", line)]
    return status, re.sub(r'column":\d+', "", out), [re.sub("(preprocessor failed:).*", r"\1", line) for line in messages]


@case("kernels with macros and headers, in node")
def macros(program, build):
    folder = ROOT / "litmus/kernels"
    rows = [line.split("\t")[:2] for line in (folder / "expected.tsv").read_text().splitlines() if not line.startswith("#")]
    rows = [(folder / name, options.split()) for name, options in rows if "-D" in options or "#" in (folder / name).read_text()]
    headers = {path.name: path.read_text() for path in folder.glob("*.h")}
    with Node(build) as node, tempfile.TemporaryDirectory() as errors:
        for path, options in rows[::EVERY // 2] + [(path, []) for path in wrong_files(errors, ".cl")[::EVERY]]:
            args = ["-kernel", path.name, "-json", *options]
            answer = node.run(args, {**headers, path.name: path.read_bytes().decode(errors="replace")})
            equal((path.name, without_columns((answer["status"], answer["out"], answer["error"]))),
                  (path.name, without_columns(cases.run([program, *args], path.parent, cases.environment()))))
