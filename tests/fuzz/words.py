#!/usr/bin/env python3
"""Prints the words of what a fuzz target reads, as a dictionary for libFuzzer: tests/fuzz/words.py TARGET

One `Class="word"` per line; words of one class can stand in each other's place (tests/fuzz/mutate.c).
They come from the lists and lexers that the readers themselves are made from.
"""
import glob
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import syntax  # noqa: E402


def text(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def operators(path):
    """The literal patterns of a lexer's rules."""
    return re.findall(r'^(?:<[A-Z_,]+>)?"((?:[^"\\]|\\["\\])+)"\s+\{', text(path), flags=re.M)


def quoted(path, pattern):
    return re.findall(pattern, text(path))


def options(rows=r"(?:(?!AFTER)[A-Z]+ \(|\{ )"):
    tables = ["cli/option_table.c", *sorted(glob.glob("extra/*/*.c", root_dir=ROOT))]
    return ["-" + name for table in tables for name in quoted(table, rf'(?m)^  {rows}\n?\s*"([A-Za-z][^"]*)", CLI_')]


def options_with_values():
    return options(r"(?:VALUE|NUMBER|WORD) \(")


def observations():
    return ["Never", "Sometimes", "Always", "Allowed", "Forbidden", "Required", "Undef"]


def of_map():
    words = {"Operation": [], "Selector": [], "Instruction": quoted("lexer/map.l", r'(?m)^"([A-Z]+)"')}
    words["Operation"] = [row[0] for row in syntax.rows("parser/map/words.def", "RSP_MAP_OPERATION")]
    words["Selector"] = [row[0] for row in syntax.rows("parser/map/words.def", "RSP_MAP_SELECTOR")]
    words["Selector"] += [row[4] for row in syntax.rows("parser/scopes.def", "RSP_SCOPE")]
    columns = syntax.columns_words()
    words["Operation"] += columns["Function"]
    words["Selector"] += columns["Constant"] + columns["Scope"]
    words["Language"] = [row[row.index(".word") + 2] for row in syntax.rows("parser/languages.def", "RSP_LANGUAGE")]
    words["Instruction"] += ["LD", "ST", "RMW", "LD_L1", "ST_L2", "RMW_L2"]
    words["Machine"] = quoted("lexer/map.l", r'(?m)^"([a-z]+)"')
    words["Reading"] = quoted("parser/map/machine.c", r'\{ "([a-z-]+)", RSP_READING') + ["any", "set", "demand", "own", "none", "write_through"]
    words["Set"] = ["dirty", "valid", "queued", "holding line", "holding rmw", "no", "some", "lone", "work_group", "sub_group"]
    words["Level"] = ["L1", "L2", "WB", "MEM", "own", "device", "all"]
    return words


def of_dsom():
    return {"Keyword": quoted("extra/dsom/scanner.l", r'(?m)^"([A-Za-z]+)"'),
            "Operator": quoted("extra/dsom/scanner.l", r'(?m)^"([^A-Za-z"]+)" '), "Name": ["a", "b", "c", "k", "i", "r"],
            "Number": ["0", "1", "2", "3", "4", "7", "64", "9223372036854775807"]}


def of_spirv():
    modules = [text(path) for path in glob.glob("litmus/spirv/*.spvasm", root_dir=ROOT)]
    return {"Word": sorted(set(re.findall(r"[%@\w]+", " ".join(modules))))}


def of_records():
    members = quoted("report/json.c", r'(?:\{|[A-Z]+ \() ?"([a-z_]+)"')
    heads = quoted("report/read_log.c", r'"([A-Z][A-Za-z ]*[ :=]*)"')
    return {"Member": [f'\\"{member}\\":' for member in members], "Head": heads, "Observation": observations(),
            "Value": ["true", "false", "null", "\\\\ud800", "\\\\u0000", "1e999"]}


def of_lsp():
    names = [name for path in sorted(glob.glob("extra/lsp/*.c", root_dir=ROOT)) for name in quoted(path, r'"([a-zA-Z$][A-Za-z/]*)"')]
    return {"Method": [name for name in names if "/" in name] + ["initialize", "shutdown", "exit"],
            "Member": [f'\\"{name}\\":' for name in names if "/" not in name], "Value": ["true", "false", "null", "-1", "1e999", "[]", "{}"]}


def of_serve():
    names = quoted("extra/serve/serve.c", r'"([a-z]+)"')
    return {"Name": names, "Path": ["", "run", "stop", "save", "texts", "nothing"], "Method": ["GET", "POST", "PUT", "HEAD", "OPTIONS"],
            "Head": ["Host", "Origin", "Content-Length", "Transfer-Encoding", "Connection", "Expect"]}


def words_of(target):
    if target == "cat":
        return {**syntax.cat_words(), "Operator": operators("lexer/cat.l")}
    if target == "litmus":
        return {**syntax.litmus_words(), "Operator": operators("lexer/c.l")}
    if target == "kernel":
        return {**syntax.opencl_words(), "Operator": operators("lexer/c.l"), "Option": options()}
    if target == "spirv":
        return of_spirv()
    if target == "lsp":
        return of_lsp()
    if target == "serve":
        return of_serve()
    if target == "map":
        return of_map()
    if target == "dsom":
        return of_dsom()
    if target == "records":
        return of_records()
    return {"Option": options(), "Observation": observations(), "Boolean": ["true", "false"]}


def main(target):
    for kind, words in words_of(target).items():
        for word in dict.fromkeys(filter(None, words)):
            print(f'{kind}="{word}"')


if __name__ == "__main__":
    main(sys.argv[1])
