#!/usr/bin/env python3
"""What -placements says of tests, against one run for each tree: tests/placements.py [-step N] PROGRAM [TEST...]

Enumerates the scope trees of a test's threads by itself, writes a test for each and runs it. Each tree that -placements
lists must have the verdict that it is listed under, and what the first line says must be true of every tree. Without
tests, every N-th of those in litmus/ with at most four threads."""

import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OPENCL = {"device": "device", "work-group": "work_group", "sub-group": "sub_group"}  # from outside in
COLUMNS = {"PTX": {"gpu": "gpu", "cluster": "cluster", "cta": "cta"}, "VULKAN": {"qf": "qf", "wg": "wg", "sg": "sg"},
           "AMDGPU": {"agent": "ag", "cluster": "cl", "workgroup": "wg", "wavefront": "wv"}}
WITHOUT = {"PTX": ["cta", "gpu"], "VULKAN": ["sg", "wg", "qf"], "AMDGPU": ["wv", "wg"]}  # what a place must have
LITERAL = re.compile(r"(no two threads|some threads|not all threads|all threads|P\d+(?:, P\d+)*(?: and P\d+)?)"
                     r" (share|do not share|do not all share) an? ([\w-]+)")


def partitions(items):
    """All partitions of a list into lists."""
    if not items:
        yield []
        return
    for rest in partitions(items[1:]):
        yield [[items[0]]] + rest
        for i, block in enumerate(rest):
            yield rest[:i] + [[items[0]] + block] + rest[i + 1:]


def product(lists):
    if not lists:
        yield []
        return
    for first in lists[0]:
        for rest in product(lists[1:]):
            yield [first] + rest


def trees(threads, levels):
    """All ways to divide the threads, level by level from outside in: lists of a partition for each level."""
    if not levels:
        yield []
        return
    for blocks in partitions(threads):
        for inner in product([list(trees(block, levels[1:])) for block in blocks]):
            yield [blocks] + [sum((tree[i] for tree in inner), []) for i in range(len(levels) - 1)]


def nodes_of(tree, levels):
    """Per level, the number of each thread's node."""
    return {level: {t: n for n, block in enumerate(blocks) for t in block} for level, blocks in zip(levels, tree)}


def opencl_tree(threads, nodes, levels):
    if not levels:
        return " ".join(f"P{t}" for t in threads)
    place = nodes[levels[0]]
    blocks = [[t for t in threads if place[t] == n] for n in sorted({place[t] for t in threads})]
    return " ".join(f"({OPENCL[levels[0]]} {opencl_tree(block, nodes, levels[1:])})" for block in blocks)


def with_tree(text, language, threads, nodes, levels):
    """The test at this placement; levels that do not vary are as where nothing is said of them."""
    if language == "OPENCL":
        if "work-group" not in levels and "sub-group" not in levels:  # a tree must have something in a device
            nodes, levels = {**nodes, "work-group": {t: t for t in threads}}, levels + ["work-group"]
        text = re.sub(r"^(P\d+)@[^({]*", r"\1 ", re.sub(r"scopeTree\s*(\([^~]*?\)|\*)\s*\n", "", text), flags=re.M)
        tree = opencl_tree(threads, nodes, levels)
        tree = "scopeTree " + (tree if "device" in levels else f"(device {tree})")
        return re.sub(r"^(?=(~?exists|forall|locations|filter|not|final)\b)", tree + "\n", text, count=1, flags=re.M)

    def place(match):
        thread, words = int(match[1]), COLUMNS[language]
        own = {words[level]: nodes[level][thread] for level in levels}
        for word in WITHOUT[language]:
            inside = [nodes[level][thread] for level in levels if list(words.values()).index(word) < list(words).index(level)]
            own.setdefault(word, 0 if word in ("gpu", "qf") else inside[0] if inside else thread)
        return f"P{thread}@" + ", ".join(f"{word} {number}" for word, number in own.items())
    head = next(line for line in text.splitlines() if re.match(r"\s*P0\b[^()]*;", line))
    return text.replace(head, re.sub(r"P(\d+)(@[^|;]*|\b)", lambda m: place(m) + " ", head), 1)


def formula_holds(formula, nodes, threads):
    def literal(who, verb, level):
        named = [int(t) for t in re.findall(r"P(\d+)", who)] or threads
        place = nodes[level]
        pairs = [(a, b) for a in named for b in named if a < b]
        if who in ("no two threads", "some threads"):
            return any(place[a] == place[b] for a, b in pairs) == (who == "some threads")
        return all(place[a] == place[b] for a, b in pairs) == (who != "not all threads" and "not" not in verb)
    return any(all(literal(*found) for found in LITERAL.findall(term)) for term in formula.split(", or "))


def claims(sentence):
    """What the first line says: of flags and of the outcome, the word for each tree; None: nothing that can be tested."""
    split = re.match(r"(.*?)(?:; |^)(?:where it is defined, )?the outcome is (.*)$", sentence)
    for part in ([split[1], split[2]] if split else [sentence, ""]):
        found = re.match(r"(.*?) wherever (.*); (.*?) otherwise$", part)
        if found:
            yield lambda nodes, threads, f=found: f[1] if formula_holds(f[2], nodes, threads) else f[3]
        else:
            word = re.sub(r" in every placement$", "", part)
            yield None if not word or " placements; " in word else lambda nodes, threads, w=word: w


def threads_of(text):
    return sorted({int(t) for t in re.findall(r"\bP(\d+)\s*[@(|;]", text)})


def normal(text):
    return " ".join(text.split())


def check(path, program, folder):
    """Differences between what is said of a test and its runs."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    run = lambda *arguments: subprocess.run([program, "-q", *arguments], capture_output=True, text=True).stdout
    said = json.loads(run("-placements", "-json", path))
    language = text.split(None, 1)[0].upper()
    threads = threads_of(text)
    names = OPENCL if language == "OPENCL" else COLUMNS[language]
    levels = [level for level in names if level in said["levels"]]
    all_trees = [nodes_of(tree, levels) for tree in trees(threads, levels)]
    files = []
    for i, nodes in enumerate(all_trees):
        files.append(os.path.join(folder, f"t{i}.litmus"))
        with open(files[-1], "w", encoding="utf-8") as file:
            file.write(with_tree(text, language, threads, nodes, levels))
    rows = [json.loads(line) for line in run("-json", *files).splitlines()]
    assert len(rows) == len(files), path
    listed = {tree: group for group in said["groups"] for tree in group["placements"]}
    found, flags, outcome = set(), *claims(said["sentence"])
    if re.search(r"\blocal\b|\bwarp\.|\.red\.(popc|and|or)\b", text):  # of some trees nothing is said
        flags = outcome = None
    for nodes, row in zip(all_trees, rows):
        if not row["scopes"]:  # not a test: local memory has an owner
            continue
        tree, raised = normal(row["scopes"]), [flag["name"] for flag in row["flags"]]
        if tree in listed:
            found.add(tree)
            group = listed[tree]
            states = [state["state"] for state in row["states"]]
            if group["undefined"] != row["undefined"] or group["flags"] != raised \
                    or not row["undefined"] and (group["observation"], group["states"]) != (row["observation"], states):
                yield f"{path}: {tree} is not as listed"
        word = flags and flags(nodes, threads)
        if word and (word == "racy" or word.startswith("flagged")) != bool(raised):
            yield f"{path}: {tree} is said to be {word}"
        word = not row["undefined"] and outcome and outcome(nodes, threads)
        true = row["ok"] if "required" in str(word) else row["observation"] != "Never"
        if word and (word in ("allowed", "required")) != true:
            yield f"{path}: {tree} is said to be {word}"
    if len(found) < len(listed):
        yield f"{path}: no such tree: {sorted(set(listed) - found)[0]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-step", type=int, default=1)
    parser.add_argument("program")
    parser.add_argument("tests", nargs="*")
    arguments = parser.parse_args()
    paths = arguments.tests
    for suite in [] if paths else ("opencl", "rsp", "steal", "ptx", "vulkan", "amdgpu"):
        for path in sorted(glob.glob(f"{ROOT}/litmus/{suite}/*.litmus"))[::arguments.step]:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            if len(threads_of(text)) <= 4:
                paths.append(path)
    failed = 0
    for path in paths:
        with tempfile.TemporaryDirectory() as folder:
            wrong = list(check(path, os.path.abspath(arguments.program), folder))
        failed += bool(wrong)
        for text in wrong[:3]:
            print("FAIL placements:", text)
    print(f"{len(paths) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
