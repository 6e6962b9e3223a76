#!/usr/bin/env python3
"""Writes syntax files for editors from the languages' word lists: scripts/syntax.py OUT VERSION

    OUT/vim/syntax/litmus.vim, cat.vim    for Vim, with OUT/vim/ftdetect/rspcheck.vim
    OUT/vscode/rspcheck/                  the extension for Visual Studio Code, as a folder
    OUT/vscode/rspcheck-VERSION.vsix      the same as a package: `code --install-extension FILE`

The lists are those that the lexers, the parser and the models' base names are made from.
"""
import json
import os
import re
import sys
import zipfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


# ---- The words ----

def rows(path, macro):
    """The arguments of each row MACRO (…) of a list: strings and identifiers."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    for line in re.findall(rf"^{macro} \((.*?)\)$", text, flags=re.M | re.S):
        yield [string if string else word for string, word in re.findall(r'"([^"]*)"|([^\s,"]+)', line)]


def cat_words():
    words = list(rows("lexer/cat_words.def", "WORD"))
    kinds = [row[1] for row in rows("public/axiom_kinds.def", "RSP_AXIOM_KIND")]
    roles = ("UNDEFINED_UNLESS", "FLAG", "ASSERT", "WARN_UNLESS")
    base = "model/base_names.def"
    functions = [row[1] for row in rows(base, "RSP_BASE_FUNCTION")]
    names = [row[1] for row in rows(base, "RSP_BASE_SET")] + [row[1] for row in rows(base, "RSP_BASE_RELATION")]
    names += [row[2] for row in rows(base, "RSP_BASE_DERIVED")] + [row[1] for row in rows(base, "RSP_BASE_LITERAL")]
    names += [row[0] for row in rows(base, "RSP_BASE_ALIAS")]
    names += [row[0] for row in rows("parser/languages.def", "RSP_TAG")]
    return {"Check": kinds + [row[0] for row in words if row[1] in roles],
            "Keyword": [row[0] for row in words if row[1] not in roles],
            "Function": functions,
            "Base": [name for name in names if name not in functions]}


def c_words():
    """Words of tests in C and OpenCL C; many are also those of kernels."""
    words = [row for row in rows("lexer/c_words.def", "WORD") if row[2] != "IN_KERNEL"]
    path = "parser/litmus/words.def"
    kinds = {"TRUE_WORD": "Constant", "FALSE_WORD": "Constant", "NULL_POINTER": "Constant", "ATOMIC": "Type",
             "KERNEL": "Type", "STORAGE": "Type"}
    found = {"Keyword": [], "Question": [], "Type": [], "Function": ["barrier", "work_group_barrier"], "Constant": [], "Scope": []}
    for word, token, *sections in words:
        kind = kinds.get(token) or ("Keyword" if "IN_BODY" in sections else "Question")
        found[kind].append(word)
    found["Type"] += [row[0] for row in rows(path, "TYPE")]
    found["Constant"] += [row[0] for macro in ("ORDER", "FLAG") for row in rows(path, macro)]
    found["Scope"] += [row[0] for row in rows(path, "SCOPE")]
    for row in rows("parser/scopes.def", "RSP_SCOPE"):
        found["Scope"] += ["memory_scope_" + row[2], "s_" + row[2], "s_" + row[4]]
    found["Level"] = [row[0] for row in rows(path, "LEVEL")]
    for row in rows("parser/scopes.def", "RSP_LEVEL"):
        found["Level"] += [row[2], row[4]]
    for name, short, _, _, _, _, explicit in rows(path, "CALL"):
        for form in ("", "_remote") + (() if explicit == "NULL" else ("_explicit", "_explicit_remote")):
            found["Function"] += [name + form, short + form]
    return found


def litmus_words():
    found = c_words()
    for kind, list_of in columns_words().items():
        found[kind] += list_of
    return found


def opencl_words():
    """Words of kernels."""
    keywords = [(word, token) for word, token, *sections in rows("lexer/c_words.def", "WORD") if "IN_KERNEL" in sections]
    with open(os.path.join(ROOT, "parser/c/parse.c"), encoding="utf-8") as file:
        text = file.read()
    scalars = re.findall(r'\{ "(\w+)", C_\w+, ', text)
    others = [word for words in re.findall(r"(?:opaque|ignored)_words\[\]\s*= \{(.*?)\}", text, flags=re.S) for word in re.findall(r'"(\w+)"', words)]
    if not keywords or not scalars or not others:
        sys.exit("scripts/syntax.py: no words of kernels in lexer/c_words.def or parser/c/parse.c")
    of_types = ("KERNEL", "STORAGE", "TYPEDEF", "STRUCT", "UNION", "ENUM", "ATOMIC")
    of_values = ("TRUE_WORD", "FALSE_WORD", "NULL_POINTER")
    shared = c_words()
    vectors = [f"{word}{lanes}" for word in scalars if not word.startswith("atomic_") for lanes in (2, 3, 4, 8, 16)]
    return {"Keyword": [word for word, token in keywords if token not in of_types + of_values],
            "Type": [word for word, token in keywords if token in of_types] + scalars + vectors + others + shared["Type"],
            "Function": [row[0] for row in rows("parser/kernel/builtins.def", "BUILTIN") if not row[0].endswith("*")] + shared["Function"],
            "Constant": shared["Constant"], "Scope": shared["Scope"]}


def map_words():
    """Words of mappings."""
    with open(os.path.join(ROOT, "lexer/map.l"), encoding="utf-8") as file:
        words = re.findall(r'^"(\w+)" +\{ return TOKEN', file.read(), flags=re.M)
    if not words:
        sys.exit("scripts/syntax.py: no words of mappings in lexer/map.l")
    path = "parser/map/words.def"
    columns = columns_words()
    return {"Keyword": [word for word in words if word.islower()],
            "Function": [word for word in words if word.isupper()],
            "Type": [row[0] for row in rows(path, "RSP_MAP_OPERATION")] + columns["Function"],
            "Constant": [row[0] for row in rows(path, "RSP_MAP_SELECTOR")] + columns["Constant"],
            "Scope": [row[4] for row in rows("parser/scopes.def", "RSP_SCOPE")] + columns["Scope"]}


def columns_words():
    """Instructions of tests in columns, and their suffixes."""
    found = {"Function": [], "Constant": [], "Scope": []}
    for path in ("parser/columns/instruction.c", "parser/columns/columns.h", "parser/columns/ptx.c", "parser/columns/vulkan.c",
                 "parser/columns/amdgpu.c"):
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            words = re.findall(r'\{\s*\\?\s*"(\w+)", (\w+)', file.read())
            if not words:
                sys.exit(f"scripts/syntax.py: no words of instructions in {path}")
            for word, value in words:
                is_form = re.fullmatch("RSP_OP_.*|COLUMNS_(LOAD|STORE|FETCH|REDUCE|FENCE|BARRIER)", value)
                found["Function" if is_form else "Scope" if value == "COLUMNS_SCOPE" else "Constant"].append(word)
    return found


def unique(words):
    return sorted(set(words), key=lambda word: (word.lower(), word))


# ---- Vim ----

GROUPS = {"Check": "Statement", "Keyword": "Keyword", "Function": "Function", "Base": "Identifier", "Question": "Statement",
          "Type": "Type", "Constant": "Constant", "Scope": "Special", "Level": "Structure", "Comment": "Comment",
          "String": "String", "Number": "Number", "Tag": "Constant", "Remote": "Special", "Thread": "Label"}


def vim(language, words, characters, matches):
    """A syntax file; characters are those of a name, for 'iskeyword'."""
    lines = [f'" Vim syntax file for {language} ({"models" if language == "cat" else "litmus tests"} of rspcheck).',
             '" Written by scripts/syntax.py.', "if exists('b:current_syntax')", "  finish", "endif",
             "syntax case match", f"syntax iskeyword {characters}"]
    for kind, list_of in words.items():
        for word in unique(list_of):
            lines.append(f"syntax keyword {language}{kind} {word}")
    lines += matches
    kinds = list(words) + sorted({re.match(rf"syntax \w+ {language}(\w+)", line).group(1) for line in matches} - set(words))
    lines += [f"highlight default link {language}{kind} {GROUPS[kind]}" for kind in kinds]
    lines.append(f"let b:current_syntax = '{language}'")
    return "\n".join(lines) + "\n"


CAT_MATCHES = ['syntax region catComment start="(\\*" end="\\*)" contains=catComment',
               'syntax match catComment "//.*$"', 'syntax match catComment "#.*$"', 'syntax region catString start=/"/ end=/"/',
               'syntax match catTag "\'[A-Za-z0-9_][A-Za-z0-9_.-]*"']
LITMUS_MATCHES = ['syntax region litmusComment start="(\\*" end="\\*)" contains=litmusComment',
                  'syntax region litmusComment start="/\\*" end="\\*/"', 'syntax match litmusComment "//.*$"',
                  'syntax region litmusString start=/"/ end=/"/',
                  'syntax match litmusNumber "\\<[0-9][0-9A-Za-z]*\\>"', 'syntax match litmusThread "\\<P[0-9]\\+\\>"']
DETECT = """autocmd BufNewFile,BufRead *.litmus setlocal filetype=litmus
autocmd BufNewFile,BufRead *.cat setlocal filetype=cat
"""


# ---- Visual Studio Code ----

SCOPES = {"Check": "keyword.control.check", "Keyword": "keyword.control", "Function": "support.function", "Base": "variable.language",
          "Question": "keyword.control.question", "Type": "storage.type", "Constant": "constant.language",
          "Scope": "constant.other.scope", "Level": "storage.modifier.level"}


def pattern(words, before, after):
    return before + "(?:" + "|".join(re.escape(word) for word in sorted(set(words), key=lambda w: (-len(w), w))) + ")" + after


def grammar(language, words, before, after, rest):
    patterns = rest + [{"match": pattern(list_of, before, after), "name": f"{SCOPES[kind]}.{language}"}
                       for kind, list_of in words.items()]
    return {"scopeName": "source." + language, "name": language, "patterns": patterns,
            "repository": {"comment": {"name": f"comment.block.{language}", "begin": r"\(\*", "end": r"\*\)",
                                       "patterns": [{"include": "#comment"}]}}}


C_COMMENT = {"begin": r"/\*", "end": r"\*/"}


def rest_of(language):
    if language in ("opencl", "rspcheck-map"):
        rest = [C_COMMENT | {"name": f"comment.block.{language}"}, {"match": "//.*$", "name": f"comment.line.{language}"},
                {"match": r'"(?:[^"\\]|\\.)*"', "name": f"string.quoted.double.{language}"},
                {"match": r"\b[0-9][0-9A-Za-z.]*\b", "name": f"constant.numeric.{language}"}]
        return rest + ([{"match": r"^\s*#\s*\w+", "name": "meta.preprocessor.opencl"}] if language == "opencl" else
                       [{"match": r"\b(?:LD|ST|RMW)(?:_[A-Za-z0-9]+)?\b", "name": "support.function.rspcheck-map"},
                        {"match": r"\b(?:L[0-9]+)\b", "name": "storage.modifier.level.rspcheck-map"}])
    rest = [{"include": "#comment"}, {"match": "//.*$", "name": f"comment.line.{language}"},
            {"match": '"[^"]*"', "name": f"string.quoted.double.{language}"}]
    if language == "cat":
        return rest + [{"match": "#.*$", "name": "comment.line.cat"},
                       {"match": "'[A-Za-z0-9_][A-Za-z0-9_.-]*", "name": "constant.other.tag.cat"}]
    return rest + [C_COMMENT | {"name": "comment.block.litmus"},
                   {"match": r"\b[0-9][0-9A-Za-z]*\b", "name": "constant.numeric.litmus"},
                   {"match": r"\bP[0-9]+\b", "name": "entity.name.function.thread.litmus"}]


# id: suffixes and configuration; those of the ids in extension.js.
LANGUAGES = {"litmus": (".litmus", "litmus"), "cat": (".cat", "cat"), "rspcheck-map": (".map .machine", "c"), "opencl": (".cl", "c")}
SETTINGS = {
    "rspcheck.command": {"type": "array", "items": {"type": "string"}, "default": ["rspcheck", "-lsp"],
                         "description": "What is started: the program, and its arguments. Takes effect when the window is loaded again."},
    "rspcheck.models": {"type": "array", "items": {"type": "string"}, "default": [],
                        "description": "The models whose verdicts are shown above tests. Without any, the default of the test's language."}}


def manifest(version):
    return {"name": "rspcheck", "displayName": "rspcheck: litmus tests and cat models", "version": version,
            "description": "Litmus tests (OpenCL, C11, PTX, Vulkan), kernels, and memory models in cat: colours, errors, names, verdicts",
            "publisher": "rspcheck", "license": "MIT", "engines": {"vscode": "^1.60.0"},
            "categories": ["Programming Languages"], "main": "./extension.js",
            "activationEvents": [f"onLanguage:{language}" for language in LANGUAGES],
            "contributes": {
                "configuration": {"title": "rspcheck", "properties": SETTINGS},
                "languages": [{"id": language, "extensions": suffixes.split(), "configuration": f"./{configuration}-configuration.json"}
                              for language, (suffixes, configuration) in LANGUAGES.items()],
                "grammars": [{"language": language, "scopeName": "source." + language,
                              "path": f"./syntaxes/{language}.tmLanguage.json"} for language in LANGUAGES]}}


CONFIGURATION = {"comments": {"lineComment": "//", "blockComment": ["(*", "*)"]},
                 "brackets": [["(", ")"], ["{", "}"], ["[", "]"]],
                 "autoClosingPairs": [["(", ")"], ["{", "}"], ["[", "]"], ['"', '"']]}
CONFIGURATIONS = {"litmus": CONFIGURATION,
                  "cat": CONFIGURATION | {"wordPattern": "[A-Za-z0-9_.'-]+"},
                  "c": CONFIGURATION | {"comments": {"lineComment": "//", "blockComment": ["/*", "*/"]}}}

CONTENT_TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension=".json" ContentType="application/json"/>
<Default Extension=".js" ContentType="application/javascript"/>
<Default Extension=".vsixmanifest" ContentType="text/xml"/>
<Default Extension=".md" ContentType="text/markdown"/>
<Default Extension=".txt" ContentType="text/plain"/>
</Types>
"""

VSIX = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata>
<Identity Language="en-US" Id="rspcheck" Version="{version}" Publisher="rspcheck"/>
<DisplayName>{displayName}</DisplayName>
<Description xml:space="preserve">{description}</Description>
<Categories>Programming Languages</Categories>
<Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value="^1.60.0"/></Properties>
<License>extension/LICENSE.txt</License>
</Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/>
<Assets>
<Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
</Assets>
</PackageManifest>
"""


def extension(version):
    """The extension's files: name → text."""
    with open(os.path.join(ROOT, "LICENSE"), encoding="utf-8") as file:
        files = {"LICENSE.txt": file.read()}
    with open(os.path.join(ROOT, "extra/lsp/editors/extension.js"), encoding="utf-8") as file:
        files["extension.js"] = file.read()
    files["README.md"] = ("# rspcheck\n\nLitmus tests and memory models in cat: colours, and what `rspcheck -lsp` says while they are edited. The program must be "
                          "installed; `rspcheck.command` says where.\n")
    grammars = {"litmus": grammar("litmus", litmus_words(), r"\b", r"\b", rest_of("litmus")),
                "cat": grammar("cat", cat_words(), r"(?<![\w.'-])", r"(?![\w.'-])", rest_of("cat")),
                "opencl": grammar("opencl", opencl_words(), r"\b", r"\b", rest_of("opencl")),
                "rspcheck-map": grammar("rspcheck-map", map_words(), r"(?<![\w.])", r"(?![\w.?])", rest_of("rspcheck-map"))}
    for language, value in grammars.items():
        files[f"syntaxes/{language}.tmLanguage.json"] = json.dumps(value, indent=1) + "\n"
    for name, value in CONFIGURATIONS.items():
        files[f"{name}-configuration.json"] = json.dumps(value, indent=1) + "\n"
    files["package.json"] = json.dumps(manifest(version), indent=1) + "\n"
    return files


def package(path, files, version):
    """The files as .vsix, the same bytes for the same files."""
    files = {"extension/" + name: text for name, text in files.items()}
    files["[Content_Types].xml"] = CONTENT_TYPES
    files["extension.vsixmanifest"] = VSIX.format(**manifest(version))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), files[name], zipfile.ZIP_DEFLATED)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main(out, version):
    write(f"{out}/vim/syntax/cat.vim", vim("cat", cat_words(), "@,48-57,_,-,.", CAT_MATCHES))
    write(f"{out}/vim/syntax/litmus.vim", vim("litmus", litmus_words(), "@,48-57,_", LITMUS_MATCHES))
    write(f"{out}/vim/ftdetect/rspcheck.vim", DETECT)
    files = extension(version)
    for name, text in files.items():
        write(f"{out}/vscode/rspcheck/{name}", text)
    package(f"{out}/vscode/rspcheck-{version}.vsix", files, version)


if __name__ == "__main__":
    main(*sys.argv[1:])
