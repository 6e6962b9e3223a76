"""The extension for Visual Studio Code: tests/vscode.py FOLDER. Silent if all is well."""
import glob
import json
import re
import sys
import zipfile

folder = sys.argv[1]


def load(name):
    with open(f"{folder}/rspcheck/{name}", encoding="utf-8") as file:
        return json.load(file)


manifest = load("package.json")
packages = glob.glob(folder + f"/rspcheck-{manifest['version']}.vsix")
assert len(packages) == 1, packages
with zipfile.ZipFile(packages[0]) as archive:
    assert archive.testzip() is None
    names = set(archive.namelist())
    assert {"[Content_Types].xml", "extension.vsixmanifest", "extension/package.json", "extension/extension.js"} <= names, names
    assert f'Version="{manifest["version"]}"' in archive.read("extension.vsixmanifest").decode()
    for kind in ("languages", "grammars"):
        for part in manifest["contributes"][kind]:
            path = part.get("path", part.get("configuration"))
            assert "extension/" + path[2:] in names, path

EXAMPLES = {"litmus": {"exists": "keyword.control.question", "atomic_fetch_add_explicit_remote": "support.function",
                       "memory_scope_device": "constant.other.scope", "atomic_int": "storage.type", "if": "keyword.control",
                       "memory_order_acq_rel": "constant.language", "work_group": "storage.modifier.level", "r0": None},
            "cat": {"acyclic": "keyword.control.check", "let": "keyword.control", "po": "variable.language",
                    "my-po": None, "po-loc": "variable.language", "hb": None},
            "opencl": {"__kernel": "storage.type", "__local": "storage.type", "uint4": "storage.type", "read_only": "storage.type",
                       "for": "keyword.control", "get_global_id": "support.function", "atomic_fetch_add_explicit": "support.function",
                       "CLK_LOCAL_MEM_FENCE": "constant.language", "memory_scope_device": "constant.other.scope", "0x1fu": "constant.numeric",
                       "1.5f": "constant.numeric", "#define": "meta.preprocessor", '"a\\"b"': "string.quoted.double", "ld": None, "copy": None},
            "rspcheck-map": {"include": "keyword.control", "FLU": "support.function", "LD_acq": "support.function", "L1": "storage.modifier.level",
                             "fence": "storage.type", "acq_rel": "constant.language", "remote?": "constant.language",
                             "wg": "constant.other.scope", "own": None}}
assert {grammar["language"] for grammar in manifest["contributes"]["grammars"]} == {language["id"] for language in manifest["contributes"]["languages"]}

for grammar in manifest["contributes"]["grammars"]:
    language = grammar["language"]
    patterns = load(grammar["path"][2:])["patterns"]
    for word, scope in EXAMPLES[language].items():
        found = [p["name"] for p in patterns if "match" in p and re.fullmatch(p["match"], word)]
        within = [p["name"] for p in patterns if "match" in p and re.search(p["match"], word)]
        expected = [f"{scope}.{language}"] if scope else []
        assert found == expected and (scope or not within), (language, word, found, within)
