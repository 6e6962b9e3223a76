#!/usr/bin/env python3
"""The first inputs of the fuzz targets: stored ones, one per line as a JSON string of bytes, and made ones.

    tests/fuzz/corpus.py unpack TARGET FOLDER    a file for each stored one, as libFuzzer reads them
    tests/fuzz/corpus.py make TARGET FOLDER N    a file for each of at most N others
    tests/fuzz/corpus.py pack TARGET FOLDER      adds the folder's files to the stored inputs

Others are made from the suites, tests and models of the repository, and of the cases of `tests/cli.py --files` in
FOLDER/../errors if they are there: for kernels, the language server, -serve and the command line some thousand, at random with
a fixed seed."""
import glob
import json
import os
import random
import re
import shlex
import subprocess
import sys

import words

sys.path.insert(0, os.path.join(words.ROOT, "tests", "random"))
import kernels_programs  # noqa: E402

MADE = 3000  # kernels, sessions, requests and command lines


# ---- Stored ----

def stored_in(target):
    return os.path.join(words.ROOT, "tests/fuzz/corpus", target)


def stored(target):
    if not os.path.exists(stored_in(target)):
        return []
    with open(stored_in(target), encoding="ascii") as file:
        return [json.loads(line).encode("latin-1") for line in file]


def write(folder, prefix, inputs):
    os.makedirs(folder, exist_ok=True)
    for number, data in enumerate(inputs):
        with open(os.path.join(folder, f"{prefix}{number:04}"), "wb") as file:
            file.write(data)


def unpack(target, folder):
    write(folder, "", stored(target))


def pack(target, folder):
    inputs = set(stored(target)) | {read(os.path.join(folder, name)) for name in os.listdir(folder)}
    with open(stored_in(target), "w", encoding="ascii") as file:
        for data in sorted(inputs, key=lambda data: (len(data), data)):
            file.write(json.dumps(data.decode("latin-1")) + "\n")


# ---- Made ----

def read(path):
    with open(path, "rb") as file:
        return file.read()


def files(most, *patterns):
    """The files of these names, of at most so many bytes."""
    paths = sorted(path for pattern in patterns for path in glob.glob(os.path.join(words.ROOT, pattern), recursive=True))
    return [path for path in paths if os.path.getsize(path) < most]


# A target's files; the first byte says what the rest is read as (tests/fuzz/TARGET.c).
FILES = {
    "litmus": [(b"", ["litmus/**/*.litmus", "tests/golden/**/*.litmus", "ERRORS/**/*.litmus", "tests/cli/data/**/*.litmus"])],
    "cat": [(b"", ["cat/**/*.cat", "tests/models/**/*.cat", "tests/random/*.cat", "ERRORS/**/*.cat"])],
    "dsom": [(b"", ["litmus/dsom/**/*.litmus", "ERRORS/dsom/**/*.litmus"])],
    "map": [(b"", ["machine/*.map", "machine/*.machine", "tests/**/*.map"])],
    "records": [(b"0", ["tests/**/*.log"]), (b"1", ["tests/**/*.jsonl"])],
    "lists": [(b"1", ["tests/cli/data/**/*.conf"]), (b"3", ["tests/cli/data/**/expected.tsv"])],
}


def listed(target, errors):
    return [lambda first=first, path=path: first + read(path) for first, patterns in FILES[target]
            for path in files(1 << 14, *(pattern.replace("ERRORS", errors) for pattern in patterns))]


def shipped_kernel(name, options):
    """A kernel's options, and its text without directives: the target has no preprocessor."""
    macros = ["-D" + value for option, value in zip(options, options[1:]) if option == "-D"]
    kept = [word for before, word in zip(["", *options], options) if "-D" not in (before, word)]
    path = os.path.join(words.ROOT, "litmus/kernels", name)
    text = subprocess.run(["cpp", "-P", "-undef", "-w", *macros, path], capture_output=True, check=False).stdout
    return " ".join(kept).encode() + b"\n" + text


def made_kernel(seed):
    program = kernels_programs.Program(random.Random(seed), seed % 4 == 0)
    return b"\n" + program.text().encode()


def module(row, binary):
    name, options, *_ = row.split("\t")
    path = os.path.join(words.ROOT, "litmus/spirv", name)
    text = read(path)
    if binary:
        text = subprocess.run(["spirv-as", path, "-o", "-"], capture_output=True, check=False).stdout
    elif not text.startswith(b"OpCapability"):
        text = b"; SPIR-V\n" + text
    return options.encode() + b"\n" + text


def modules(_):
    with open(os.path.join(words.ROOT, "litmus/spirv/expected.tsv"), encoding="utf-8") as file:
        rows = [line.rstrip("\n") for line in file if ".spvasm" in line]
    return [lambda row=row, binary=binary: module(row, binary) for row in rows for binary in (False, True)]


def kernels(_):
    with open(os.path.join(words.ROOT, "litmus/kernels/expected.tsv"), encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if line.strip() and line[0] != "#"]
    return [lambda row=row: shipped_kernel(row[0], shlex.split(row[1])) for row in rows] + \
        [lambda seed=seed: made_kernel(seed) for seed in range(MADE)]


def place(rng, text):
    return {"line": rng.randrange(text.count("\n") + 2), "character": rng.randrange(40)}


def session(seed, paths):
    """What an editor says about one document: a message on each line."""
    rng = random.Random(seed)
    path = rng.choice(paths)
    text = read(path).decode("utf-8", "replace")
    document = {"uri": f"file:///tmp/none{os.path.splitext(path)[1]}"}
    opened = {"textDocument": {**document, "languageId": "rspcheck", "version": 1, "text": text}}
    encoding = rng.choice(["utf-8", "utf-16", "utf-32"])
    messages = [("initialize", {"capabilities": {"general": {"positionEncodings": [encoding]}}}), ("textDocument/didOpen", opened)]
    methods = words.of_lsp()["Method"]
    for number in range(rng.randrange(1, 8)):
        begin, end = place(rng, text), place(rng, text)
        piece = rng.choice(["", "/*", "(", "\"", "x", "\n", text[rng.randrange(len(text) + 1):][:30]])
        change = {"text": piece, "range": {"start": begin, "end": end}} if rng.randrange(4) else {"text": piece}
        params = {"textDocument": {**document, "version": number + 2}, "position": begin, "newName": "y", "contentChanges": [change],
                  "range": {"start": begin, "end": end}, "context": {"diagnostics": []}, "data": {**document, "model": "opencl"},
                  "command": "rspcheck.explain", "arguments": [document["uri"]], "id": rng.randrange(9)}
        messages.append((rng.choice(methods), params))
    lines = [{"jsonrpc": "2.0", "id": number, "method": method, "params": params} for number, (method, params) in enumerate(messages)]
    for line in lines:
        if re.search(r"/did|\$/|^exit", line["method"]):
            del line["id"]
    return "\n".join(json.dumps(line, ensure_ascii=False) for line in lines).encode()


def sessions(errors):
    paths = files(3000, *(f"{folder}/**/*.{kind}" for folder in ("litmus", "cat", "machine", errors) for kind in ("litmus", "cat", "map", "machine", "cl")))
    return [lambda seed=seed: session(seed, paths) for seed in range(MADE)]


def request(seed):
    rng = random.Random(seed)
    values = [{"a.litmus": "C a\n{}\nP0 () {}\nexists (true)"}, {"../a": ""}, [], "a.cat", "-v", "-o x", 1, -1]
    names = ["id", "options", "timeout", *words.of_serve()["Name"]]
    text = json.dumps({name: rng.choice(values) for name in rng.sample(names, rng.randrange(9))}) if rng.randrange(9) else "{"
    chunks = ["Transfer-Encoding: chunked", "", f"{len(text):x}\r\n{text}\r\n0\r\n\r\n"]
    whole = [f"Content-Length: {len(text) + rng.choice([0, 0, 0, 1, -1])}", "", text]
    path = f"/{rng.choice(['TOKEN', 'TOKEN', 'TOKEN', 'token'])}/{rng.choice(words.of_serve()['Path'])}"
    head = [f"{rng.choice(['GET', 'POST', 'POST', 'PUT'])} {path} HTTP/1.1", "Host: HOST"]
    origin = rng.choice([[], ["Origin: http://HOST"], ["Origin: null"]])
    return "\r\n".join(head + origin + rng.choice([whole, whole, chunks])).encode()


def requests(_):
    return [lambda seed=seed: request(seed) for seed in range(MADE)]


def command_line(seed, groups):
    rng = random.Random(seed)
    return "\n".join(word for _ in range(rng.randrange(1, 6)) for word in rng.choice(groups)).encode()


def command_lines(_):
    """Options of the cases in tests/cli, each with its value, in new combinations."""
    takes_value, groups = words.options_with_values(), set()
    for path in files(1 << 20, "tests/cli/*.test"):
        for line in re.findall(r"(?m)^\$ rspcheck (.*)$", read(path).decode()):
            arguments = re.findall(r"[^\s\"'|<>;&$]+", line)
            for option, value in zip(arguments, [*arguments[1:], ""]):
                if option[0] == "-" and not {"/", "$"} & set(value):
                    groups.add((option, value) if option in takes_value else (option,))
    groups = sorted(groups)
    return [lambda seed=seed: command_line(seed, groups) for seed in range(MADE)]


def make(target, folder, most):
    errors = os.path.abspath(os.path.join(folder, "..", "errors"))
    making = {"kernel": kernels, "spirv": modules, "lsp": sessions, "serve": requests, "options": command_lines}
    all_of = making[target](errors) if target in making else listed(target, errors)
    chosen = random.Random(1).sample(all_of, min(int(most), len(all_of)))
    write(folder, "made", [one() for one in chosen])


if __name__ == "__main__":
    {"unpack": unpack, "pack": pack, "make": make}[sys.argv[1]](*sys.argv[2:])
