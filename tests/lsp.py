#!/usr/bin/env python3
"""Tests of -lsp: tests/lsp.py PROGRAM [WORD]

A client that speaks the protocol: diagnostics are compared with the messages in tests/errors, and after random edits
with those of a server that sees the text for the first time. With WORD: the cases that have it in their title."""

import pathlib
import random
import re
import shutil
import sys
import tempfile
import traceback

import cases
import cli
import lsp_words  # pylint: disable=unused-import
from cases import equal
from lsp_client import CASES, ROOT, Client, case, uri_of


def place(found):
    """file:line:column of a location, from 1."""
    start = found["range"]["start"]
    return f"{found['uri'].rsplit('/', 1)[1]}:{start['line'] + 1}:{start['character'] + 1}"


def printed(path, diagnostics):
    """Diagnostics of a file as the command line prints them, without the lines of the source."""
    lines = []
    for one in diagnostics:
        text, *hint = one["message"].split("\nhint: ")
        start = one["range"]["start"]
        head = f"{path.name}:{start['line'] + 1}:{start['character'] + 1}: "
        if found := re.match(re.escape(str(path.parent)) + r"/(\S+?:\d+:\d+: )(.*)", text, re.S):
            head, text = found.groups()
        word = {1: "error", 2: "warning", 3: "note"}[one["severity"]]
        lines += [f"{head}{word}: {text}"] + [f"{head}hint: {h}" for h in hint]
    return sorted("\n".join(lines).splitlines())


@case
def stopped(program):
    """an answer that does not come ends with an error, and what has crashed too; the server lives on, with its documents"""
    for signal, folder in (("STOP", tempfile.TemporaryDirectory()), ("SEGV", tempfile.TemporaryDirectory())):
        with folder as place:
            path = pathlib.Path(place)
            (path / "cpp.sh").write_text(f"kill -{signal} $PPID\n")  # whoever checks a kernel
            with Client(program, environment={"CPP": f"sh {path}/cpp.sh"}) as client:
                kernel, model = uri_of(path / "k.cl"), uri_of(path / "m.cat")
                client.open(kernel, "#define X\nkernel void k () { }\n")
                client.open(model, "acyclic po as sc\n")
                found = client.settle()
                equal(([one["message"] for one in found[kernel]], found[model]), (["checking this text took more than 10 seconds, or failed"], []))
                equal(client.at("hover", model, 0, 8)["contents"]["kind"], "markdown")
                answer = client.ask("textDocument/codeAction", {"textDocument": {"uri": kernel}, "range": found[kernel][0]["range"], "context": {}})
                equal(answer["error"], {"code": -32803, "message": "this took more than 10 seconds, or failed"})
                equal(client.ask("shutdown", {})["result"], None)


@case
def wrong_files(program):
    """diagnostics are the messages of tests/errors, but for those about arguments, executions and modules of SPIR-V"""
    n, wrong = 0, []
    with Client(program, "utf-8") as client, tempfile.TemporaryDirectory() as folder:
        for one, file in cli.error_files(pathlib.Path(folder)):
            if file.name == "argument-needed.cl" or file.suffix == ".spvasm" or any("on some execution" in line for line in one["!"]):
                continue
            try:
                text = file.read_bytes().decode()
            except UnicodeDecodeError:
                continue
            uri = uri_of(file)
            client.open(uri, text)
            found = [line for line in printed(file, client.settle()[uri]) if " hint: looked in " not in line]
            client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
            expected = sorted(line[1:].removeprefix("./") for line in one["!"] if not line.startswith("   ") and " hint: looked in " not in line)
            if found != expected:
                wrong.append(f"{one['title']}: expected {expected}, found {found}")
            n += 1
    equal(wrong, [])
    equal(n > 300, True)


def random_edit(draw, text):
    """A change, and the text after it, as (begin, end, new)."""
    words = ["", " ", "\n", "po", "let x = rf\n", "(* é𝔸 *)", "𝔸", "acyclic po | rf as c\n", "|", "\r\n", "memory_order_acquire", ";", "st.relaxed.gpu x, 1", " | ", "membar.acq.dv.semsc0", "atomic_", "/* ", "#define N 2\n"]
    begin = draw.randrange(len(text) + 1)
    return begin, min(len(text), begin + draw.choice([0, 0, 1, 3, 20])), draw.choice(words)


def position(text, offset, encoding):
    before = re.split("\r\n|\n|\r", text[:offset])
    size = {"utf-8": lambda s: len(s.encode()), "utf-16": lambda s: len(s.encode("utf-16-le")) // 2, "utf-32": len}[encoding]
    return {"line": len(before) - 1, "character": size(before[-1])}


@case
def random_edits(program):
    """after random edits, diagnostics are those of a fresh server; memory does not grow"""
    steps = int(sys.argv[3]) if len(sys.argv) > 3 else 150
    for seed, encoding in enumerate(["utf-8", "utf-16", "utf-32"]):
        draw = random.Random(seed)
        with Client(program, encoding) as client:
            equal(client.server["capabilities"]["positionEncoding"], encoding)
            uris = [ROOT / name for name in ("cat/hrf_rsp.cat", "litmus/rsp/RSP_Test2.litmus", "machine/original.map", "litmus/kernels/reduce.cl",
                                          "litmus/ptx/MP-relaxed.litmus", "litmus/vulkan/MP-relaxed.litmus", "litmus/c11/LOCK+rlx.litmus")]
            uris = {path.resolve().as_uri(): path.read_text() for path in uris}
            texts, memory = dict(uris), []
            for uri, text in uris.items():
                client.open(uri, text)
            for step in range(steps):
                uri = draw.choice(list(uris))
                text = texts[uri]
                begin, end, new = random_edit(draw, text)
                if 0 < begin < len(text) and text[begin - 1:begin + 1] == "\r\n" or text[end - 1:end + 1] == "\r\n":
                    continue  # no position is between these two
                if draw.random() < 0.1:
                    client.change(uri, {"text": uris[uri]})
                    texts[uri] = uris[uri]
                else:
                    client.change(uri, {"range": {"start": position(text, begin, encoding), "end": position(text, end, encoding)},
                                        "text": new})
                    texts[uri] = text[:begin] + new + text[end:]
                if step % (steps // 10) == 0:
                    found = client.settle()
                    with Client(program, encoding) as fresh:
                        for other in uris:
                            fresh.open(other, texts[other])
                        equal({u: found[u] for u in uris}, {u: d for u, d in fresh.settle().items() if u in uris})
                    memory.append(resident(client.process.pid))
            client.settle()
            if len(sys.argv) > 3:
                print(f"{steps} edits, {encoding}: memory {memory[0]} kB at the start, {memory[-1]} at the end, at most {max(memory)}", file=sys.stderr)
            equal(max(memory[len(memory) // 2:]) < memory[len(memory) // 2 - 1] + 8000, True)


def resident(process):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{process}/status").read_text()).group(1))


MODEL = """"A model"
include "base.cat"
let hb = (po | sw)+
let used_once (r) = r & loc
let race = used_once (W * R) \\ hb
acyclic hb as order
undefined_unless empty race as data_race
"""


def folder_with(files):
    folder = tempfile.TemporaryDirectory()
    for name, text in files.items():
        (pathlib.Path(folder.name) / name).write_text(text)
    return folder


@case
def words(program):
    """the words that a model declares are completed in tests and in the model"""
    model = "enum weight = 'heavy\ninstructions F[weight]\nacyclic po as order\n"
    test = "OpenCL T\n{ x=0; }\nP0 (global atomic_int* x) {\n  [[]] fence (memory_order_acquire);\n}\nexists (x=0)\n"
    with folder_with({"m.cat": model, "t.litmus": test}) as folder, Client(program, models=[folder + "/m.cat"]) as client:
        for name, text, line, column in (("t.litmus", test, 3, 4), ("m.cat", model, 2, 8)):
            client.open(uri_of(f"{folder}/{name}"), text)
            client.settle()
            labels = [item["label"] for item in client.at("completion", uri_of(f"{folder}/{name}"), line, column)]
            equal("heavy" in labels, True)
    level = """enum scopes = 'cluster || 'device
let narrower s = match s with 'device -> 'cluster end
irreflexive po ; [memory_scope_cluster] ; cluster
"""
    test = "OpenCL T\n{ x=0; }\nP0 (global atomic_int* x) {\n  atomic_store_explicit (x, 1, mo_rel, s_cluster);\n}\nscopeTree ()\n"
    test = test.replace("()", "(cluster P0)") + "exists (x=1)\n"
    columns = "PTX T\n{ x=0; }\n P0@cta 0, gpu 0 ;\n st.weak x, 1 ;\nexists (x=1)\n"
    kernel = "kernel void k (global atomic_int* x) {\n  atomic_store_explicit (x, 1, mo_rel, s_cluster);\n  x;\n}\n"
    files = {"m.cat": level, "t.litmus": test, "k.cl": kernel, "p.litmus": columns}
    with folder_with(files) as folder, Client(program, models=[folder + "/m.cat"]) as client:
        def labels(name, line, column):
            client.open(uri_of(f"{folder}/{name}"), files[name])
            client.settle()
            return {item["label"] for item in client.at("completion", uri_of(f"{folder}/{name}"), line, column)}
        places = ("m.cat", 2, 0), ("t.litmus", 3, 40), ("t.litmus", 3, 33), ("t.litmus", 5, 11), ("k.cl", 1, 39), ("k.cl", 2, 2), ("p.litmus", 3, 9)
        equal([[word in labels(*place) for word in ("memory_scope_cluster", "cluster")] for place in places],
              [[True, True], [True, False], [False, False], [False, True], [True, False], [False, True], [False, True]])
        hover = client.at("hover", uri_of(folder + "/t.litmus"), 3, 4)["contents"]["value"]
        equal("in W M memory_scope_cluster A" in hover, True)
        for column, name in ((20, "memory_scope_cluster"), (45, "cluster")):
            hover = client.at("hover", uri_of(folder + "/m.cat"), 2, column)["contents"]["value"]
            equal(hover, f"`{name}`, a word of `enum scopes`: of levels in kernels")
        client.open(uri_of(folder + "/m.map"), "store rel cluster : ST\n")
        equal(client.at("hover", uri_of(folder + "/m.map"), 0, 12)["contents"]["value"], "a word of levels in kernels")
        equal("cluster" in {item["label"] for item in client.at("completion", uri_of(folder + "/m.map"), 0, 12)}, True)


@case
def names(program):
    """names of models: hover, definition, references, rename and completion, across includes"""
    with folder_with({"m.cat": MODEL, "base.cat": "let sw = rf & ext\n", "other.cat": 'include "base.cat"\nacyclic sw as s\n'}) as folder, \
            Client(program) as client:
        uri = uri_of(folder + "/m.cat")
        client.open(uri, MODEL)
        equal(client.settle()[uri], [])
        hover = client.at("hover", uri, 2, 16)["contents"]["value"]
        equal(hover, "```cat\nlet sw = rf & ext\n```\n`sw` is a relation, defined in base.cat, line 1")
        equal(client.at("hover", uri, 3, 18), None)
        equal("program order" in client.at("hover", uri, 2, 10)["contents"]["value"], True)
        equal(client.at("hover", uri, 3, 15)["contents"]["value"].endswith("`r` is a name, defined in m.cat, line 4"), True)
        equal(place(client.at("definition", uri, 2, 16)), "base.cat:1:5")
        equal(place(client.at("definition", uri, 1, 12)), "base.cat:1:1")
        equal(place(client.at("definition", uri, 3, 20)), "m.cat:4:16")
        found = client.at("references", uri, 2, 16, context={"includeDeclaration": True})
        equal(sorted(map(place, found)), ["base.cat:1:5", "m.cat:3:16", "other.cat:2:9"])
        changes = client.at("rename", uri, 2, 16, newName="syn")["changes"]
        equal(sorted((u.rsplit("/", 1)[1], len(edits)) for u, edits in changes.items()), [("base.cat", 1), ("m.cat", 1), ("other.cat", 1)])
        equal(client.at("rename", uri, 2, 16, newName="hb")["message"], "`hb` already means something here")
        equal(client.at("rename", uri, 2, 16, newName="let")["message"], "`let` cannot be a name")
        labels = {item["label"]: item.get("detail") for item in client.at("completion", uri, 5, 8)}
        equal([labels.get(name, "none") for name in ("hb", "sw", "used_once", "acq", "acyclic", "race")],
              ["a relation", "a relation", "a function", "memory_order_acquire", None, "a relation"])
        client.change(uri, {"text": MODEL + "let broken = \n"})
        labels = [item["label"] for item in client.at("completion", uri, 7, 13)]
        equal("hb" in labels, True)
        symbols = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})["result"]
        equal([s["name"] for s in symbols], ["hb", "used_once", "race", "order", "data_race"])


@case
def includes(program):
    """an edit of an open text shows in those that include it"""
    with folder_with({"m.cat": MODEL, "base.cat": ""}) as folder, Client(program) as client:
        uri, base = uri_of(folder + "/m.cat"), uri_of(folder + "/base.cat")
        client.open(uri, MODEL)
        equal([d["message"].split("\n")[0] for d in client.settle()[uri]], ["`sw` is not defined"])
        client.open(base, "let sw = rf & ext\n")
        equal(client.settle()[uri], [])
        client.change(base, {"text": "let sw = rf & &\n"})
        [one] = client.settle()[uri]
        equal((one["range"]["start"]["line"], place(one["relatedInformation"][0]["location"])), (1, "base.cat:1:15"))


@case
def fixes(program):
    """hints are quick fixes"""
    with Client(program) as client:
        uri = "untitled:m.cat"
        client.open(uri, "let hb = po | rff\nlet fluff = po\nacyclic hb as c\n")
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
        ask = lambda: [list(a["edit"]["changes"].values())[0][0]["newText"] for a in client.ask(
            "textDocument/codeAction", {"textDocument": {"uri": uri}, "range": whole, "context": {}})["result"]]
        equal(ask(), ["rf"])
        client.change(uri, {"text": "let hb = po | rf\nlet fluff = po\nacyclic hb as c\n"})
        equal(ask(), ["_fluff"])


@case
def missing_includes(program):
    """a name that a model beside the text defines is mended by including that"""
    files = {"m.cat": '"m"\nlet hb = po | swx\nacyclic hb as c\n', "b.cat": "let f x =\n  let swx = x in swx\n", "c.cat": '"c"\nlet swx = rf\n',
             "d.cat": "let swx = rf\n", "a.cat": 'include "m.cat"\nlet swx = rf\n'}
    with folder_with(files) as folder, Client(program) as client:
        uri = uri_of(folder + "/m.cat")
        client.open(uri, files["m.cat"])
        there = {"start": {"line": 1, "character": 15}, "end": {"line": 1, "character": 15}}
        ask = lambda where: client.ask("textDocument/codeAction", {"textDocument": {"uri": uri}, "range": where, "context": {}})["result"]
        action = ask(there)[-1]
        [edit] = action["edit"]["changes"][uri]
        equal((action["title"], edit["newText"], edit["range"]["start"]), ("Include `c.cat`, which defines `swx`", 'include "c.cat"\n', {"line": 1, "character": 0}))
        client.change(uri, {"range": edit["range"], "text": edit["newText"]})
        equal((client.settle()[uri], ask(there)), ([], []))


@case
def verdicts(program):
    """tests: verdicts over the condition, explanations, events of a line, definitions"""
    file = ROOT / "litmus/rsp/RSP_Test2.litmus"
    uri, text = uri_of(file), file.read_text()
    with Client(program, models=["opencl_rem.cat", "opencl.cat"]) as client:
        client.open(uri, text)
        lenses = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})["result"]
        titles = [client.ask("codeLens/resolve", lens)["result"]["command"]["title"] for lens in lenses]
        equal(titles, ["opencl_rem.cat: no, it never ends with r0=1 and r1≠53",
                       "opencl.cat: yes, it can end with r0=1 and r1≠53, and the program races (lines 13, 23)"])
        equal(text.split("\n")[lenses[0]["range"]["start"]["line"]].startswith("exists"), True)
        said = client.ask("workspace/executeCommand", {"command": "rspcheck.explain", "arguments": [uri, "opencl_rem.cat"]})["result"]
        equal("forbidden" in said.lower(), True)
        equal(client.shown, [said])
        row = next(i for i, line in enumerate(text.split("\n")) if "*x = 53" in line)
        equal(client.at("hover", uri, row, 4)["contents"]["value"].strip(), "`W(na)x=53` is in W M na G atomicloc memory_scope_work_item")
        equal(place(client.at("definition", uri, row, 3)), "RSP_Test2.litmus:8:3")


@case
def races(program):
    """tests: where a flag is raised under a model is a warning, whose quick fixes are the smallest repairs"""
    def warned(client, uri):
        while len(client.diagnostics.get(uri, [])) < 2:
            client.read()
    file = ROOT / "litmus/rsp/RSP_Test2.litmus"
    uri, text = uri_of(file), file.read_text().replace("*)", "\U0001f600 *)", 1)
    with Client(program, models=["opencl.cat", "opencl_rem.cat"]) as client:
        client.open(uri, text)
        warned(client, uri)
        rows = [i for i, line in enumerate(text.split("\n")) if "*x" in line and "atomic" not in line]
        equal([(d["range"]["start"]["line"], d["code"], d["message"]) for d in client.diagnostics[uri]], [
            (row, "data_race", f"data_race between P0 line {rows[0] + 1} `*x = 53` and P1 line {rows[1] + 1} `*x` (opencl.cat)") for row in rows])

        def ask(row, **context):
            where = {"line": row, "character": 4}
            return client.ask("textDocument/codeAction", {"textDocument": {"uri": uri}, "range": {"start": where, "end": where}, "context": context})["result"]
        equal((ask(rows[0] - 1), ask(rows[0], only=["refactor"])), ([], []))
        [action] = ask(rows[0], only=["quickfix"])
        equal((action["title"], action["diagnostics"]), (
            f"Repair: line {rows[0] + 2}, column 3: atomic_store_explicit: memory_scope_device instead of memory_scope_work_group", client.diagnostics[uri][:1]))
        [edit] = action["edit"]["changes"][uri]
        client.change(uri, {"range": edit["range"], "text": edit["newText"]})
        client.settle()
        equal((client.diagnostics[uri], ask(rows[0])), ([], []))
        client.change(uri, {"text": text.replace("53", "54")})  # nobody waits for the end of the search for the text before
        client.change(uri, {"text": text})
        warned(client, uri)
        client.tell("workspace/didChangeConfiguration", {"settings": {"rspcheck": {"models": ["opencl_rem.cat"]}}})
        client.settle()
        equal(client.diagnostics[uri], [])
    with folder_with({"t.litmus": text, "m.cat": ""}) as folder, Client(program, models=["m.cat"]) as client:
        uri, model = (uri_of(f"{folder}/{name}") for name in ("t.litmus", "m.cat"))
        client.open(uri, text)
        client.open(model, 'include "opencl_rem.cat"\n')
        client.change(model, {"text": 'include "opencl.cat"\n'})
        warned(client, uri)


@case
def changes(program):
    """above an edited model: how many tests of the workspace the edit changes, until the next edit after a save"""
    test = lambda name, order: f"C {name}\n{{}}\nP0 (atomic_int* x) {{ atomic_store_explicit (x, 1, {order}); atomic_store_explicit (x, 2, {order}); }}\nexists (x=1)\n"
    files = {"m.cat": '"m"\ninclude "base.cat"\nacyclic step as c\n', "base.cat": "let step = po & loc | co\n", "n.cat": "acyclic po as c\n",
             "a.litmus": test("A", "memory_order_relaxed"), "b.litmus": test("B", "memory_order_release"), "wrong.litmus": "C W"}
    with folder_with(files) as folder, Client(program, models=["m.cat", "n.cat"]) as client:
        (pathlib.Path(folder) / "in").mkdir()
        (pathlib.Path(folder) / "in/c.litmus").write_text(test("C", "memory_order_relaxed"))
        for name in ("base.cat", "n.cat"):
            client.open(uri_of(f"{folder}/{name}"), files[name])

        def lens(name):
            lenses = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri_of(f"{folder}/{name}")}})["result"]
            return [client.ask("codeLens/resolve", one)["result"]["command"]["title"] for one in lenses]
        base = uri_of(folder + "/base.cat")
        equal(lens("base.cat"), [])
        client.change(base, {"text": "let step = ([REL] ; (po & loc) ; [REL]) | co\n"})
        equal(lens("base.cat"), ["the last edit changes 2 of 3 tests: A, C"])
        client.change(base, {"text": "let step = po & loc &"})
        equal(lens("base.cat"), ["the model has errors, or had some before the last edit"])
        client.change(base, {"text": "let step = po & loc | co \n"})
        client.tell("textDocument/didSave", {"textDocument": {"uri": base}})
        equal(lens("base.cat"), ["the last edit changes 0 of 3 tests"])
        client.change(base, {"text": "let step = co\n"})
        equal(lens("base.cat"), ["the last edit changes 3 of 3 tests: A, B, C"])
        equal(lens("n.cat"), [])


@case
def kernels(program):
    """errors of kernels, whichever is started; places in the text before the preprocessor"""
    with Client(program) as client:
        uri = uri_of(ROOT / "litmus/kernels/new.cl")
        said = lambda: [(d["message"].split("\n")[0], d["range"]["start"]["line"], d["range"]["start"]["character"]) for d in client.settle()[uri]]
        client.open(uri, '#include "lock.h"\n#define TWO 2\nkernel void f (global int *x, int n)\n{\n  for (int i = TWO; i < n; i++)\n    x[i] = n;\n}\n')
        equal(said(), [])
        client.change(uri, {"text": '#define TWO 2\nkernel void f (global int *x, int n) { x[TWO] = n; }\n\nkernel void g (global int *x)\n{\n  x[0] = y;\n}\n'})
        equal(said(), [("`y` is not declared", 5, 9)])
        client.change(uri, {"text": '#include "nosuch.h"\n'})
        equal(said()[0][1:], (0, 0))
        wrong = []
        for path in sorted(ROOT.glob("litmus/kernels/*.cl")):
            client.open(uri_of(path), path.read_text())
            wrong += [path.stem for one in client.settle()[uri_of(path)] if "is it a macro that -D" not in one["message"]]
        equal(wrong, [])


@case
def modules(program):
    """errors of modules and shaders that are not saved, whichever entry is started"""
    asm = (ROOT / "litmus/spirv/entries.spvasm").read_text()
    glsl = (ROOT / "litmus/spirv/message.comp").read_text()
    first = glsl.index("void main")
    with Client(program) as client:
        def said(uri, text):
            client.open(uri, text)
            return [(d["severity"], d["message"].split("\n")[0], d["range"]["start"]["line"], d["range"]["start"]["character"])
                    for d in client.settle()[uri]]

        lines = asm.split("\n")
        at = next(i for i, line in enumerate(lines) if "OpAtomicIAdd" in line)  # in the second entry
        lines[at] = lines[at].replace("IAdd", "Iadd")
        new = uri_of(ROOT / "litmus/spirv/new.spvasm")
        equal(said(new, asm), [])
        equal(said(new, "\n".join(lines)), [(1, "SPIRV-Tools: Invalid Opcode name 'OpAtomicIadd'", at, lines[at].index("OpAtomic"))])
        lines[at] = "OpEmitVertex"
        equal([one[:3] for one in said("untitled:u.spvasm", "\n".join(lines)) if one[0] == 1], [(1, "found `OpEmitVertex`, which is not supported", at)])
        if shutil.which("glslangValidator"):
            new = uri_of(ROOT / "litmus/spirv/new.comp")
            equal(said(new, glsl), [])
            with tempfile.NamedTemporaryFile("w", suffix=".glsl", dir=ROOT / "build") as file:  # beside the shader, not the compiler's copy
                file.write("#define INCLUDED 1\n")
                file.flush()
                include = f'#extension GL_GOOGLE_include_directive : require\n#include "{pathlib.Path(file.name).name}"\n'
                equal(said(uri_of(ROOT / "build/new.comp"), glsl.replace("void main", include + "const int one = INCLUDED;\nvoid main")), [])
            wrong = glsl[:first] + "int f () { return y; }\n" + glsl[first:]
            [(severity, message, line, _)] = said(new, wrong)
            equal((severity, "'y'" in message, line), (1, True, glsl[:first].count("\n")))


@case
def cancelling(program):
    """a search is cancelled by the client, and by an edit"""
    adders = "".join(f"P{i} (global atomic_int* x) {{ atomic_fetch_add (x, {1 << i}); atomic_store (x, atomic_load (x) + 1); }}\n" for i in range(7))
    uri, text = "untitled:heavy.litmus", f"OpenCL Heavy\n{{ x=0; }}\n{adders}exists (x=1)"  # more than the ten seconds
    with Client(program) as client:
        client.open(uri, text)
        [lens] = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})["result"]
        first = client.begin("codeLens/resolve", lens)
        client.ask("none", {})
        client.tell("$/cancelRequest", {"id": first})
        equal(client.wait(first)["error"]["code"], -32800)
        second = client.begin("codeLens/resolve", lens)
        client.change(uri, {"text": text + " "})
        equal(client.wait(second)["error"]["code"], -32801)


@case
def signatures(program):
    """the parameters of a model's function, also while the call is not finished"""
    with Client(program) as client:
        text = "let twice (a, b) = a ; b\nlet g x = x\nlet c = twice (po, (rf"
        client.open("m.cat", text)
        found = client.at("signatureHelp", "m.cat", 2, 18)
        equal((found["activeParameter"], [(one["label"], [p["label"] for p in one["parameters"]]) for one in found["signatures"]]),
              (1, [("twice (a, b)", ["a", "b"])]))
        equal(client.at("signatureHelp", "m.cat", 2, 16)["activeParameter"], 0)
        equal([client.at("signatureHelp", "m.cat", *place) for place in ((0, 3), (1, 5), (2, 21))], [None] * 3)
        client.open("n.cat", text.replace("let g x = x\nlet c = twice (po, (rf", "let c = twice (po, \nacyclic po as d\nlet e = rf\nacyclic e as f\n"))
        equal(client.at("signatureHelp", "n.cat", 1, 19)["activeParameter"], 1)
        equal("twice" in [item["label"] for item in client.at("completion", "n.cat", 1, 19)], True)


@case
def mappings(program):
    """words of a mapping: those of its source language"""
    with Client(program) as client:
        client.open("v.map", "source Vulkan target PTX\nload atom acq : ld.acquire.$S\ntld")
        labels = {item["label"]: item.get("detail") for item in client.at("completion", "v.map", 2, 3)}
        equal([labels.get(word) for word in ("load", "membar", "nonpriv", "tld", "rlx")],
              ["atomic and plain loads", "instruction of Vulkan", "suffix of Vulkan: non-private accesses", None, None])
        equal(client.at("hover", "v.map", 1, 12)["contents"]["value"].strip(), "suffix of Vulkan: acquire")
        client.open("c.map", "source C target PTX\nload acq : ld.acquire.$S\n")
        labels = [item["label"] for item in client.at("completion", "c.map", 1, 0)]
        equal(["rlx" in labels, "nonpriv" in labels], [True, False])
        equal("memory_order_acquire" in client.at("hover", "c.map", 1, 6)["contents"]["value"], True)


# What is laid out, and how.
LAYOUTS = {
    "m.cat": ('"m"\n\n\n\nlet  a=po|rf  (* why *)  \nlet f ( x,y )=\n   x;[ y ] ;x^-1\n(* a |b  \n   c *)\nacyclic a&f(po , rf)  as c',
              '"m"\n\nlet a = po | rf  (* why *)\nlet f (x, y) =\n   x ; [y] ; x^-1\n(* a |b  \n   c *)\nacyclic a & f(po, rf) as c\n'),
    "t.litmus": ('OpenCL T  \n{ x=0 ;  y=0; }\nP0 (global atomic_int* x) {\n// one\n  if (1) {\nint r0=*x ;\n      atomic_store_explicit( x ,1,\n\tmemory_order_relaxed );  /* | */\n}\n  else\n*x=1;\n }\nexists (x=1)',
                 'OpenCL T\n{ x=0; y=0; }\nP0 (global atomic_int* x) {\n  // one\n  if (1) {\n    int r0=*x;\n    atomic_store_explicit(x, 1,\n        memory_order_relaxed);  /* | */\n  }\n  else\n    *x=1;\n}\nexists (x=1)\n'),
    "wrong.cat": ('let  a=po\n(* ', None), "wrong.litmus": ("OpenCL  T\n{  /* }", None), "c.litmus": ((ROOT / "litmus/ptx/Alias-final.litmus").read_text(), (ROOT / "litmus/ptx/Alias-final.litmus").read_text().replace("y, 1 ;", "y, 1    ;")),
    "d.litmus": ((ROOT / "litmus/dsom").glob("*.litmus").__next__().read_text(), None),
}


@case
def layout(program):
    """layout changes blanks only, is the same the second time, and leaves what models and tests mean"""
    def format_text(uri, text):
        client.open(uri, text)
        edits = client.ask("textDocument/formatting", {"textDocument": {"uri": uri}, "options": {}})["result"]
        return edits[0]["newText"] if edits else None

    with Client(program) as client:
        for name, (text, expected) in LAYOUTS.items():
            equal((name, format_text(name, text)), (name, expected))
        changed, messages = [], lambda path: [one["message"] for one in client.settle()[uri_of(path)]]
        for path in [*sorted(ROOT.glob("cat/*.cat")), *sorted(ROOT.glob("litmus/**/*.litmus"))[::5], *sorted(ROOT.glob("tests/golden/*.litmus"))[::3]]:
            text = path.read_text()
            once = format_text(uri_of(path), text)
            if once is not None:
                before = messages(path)
                equal((path, "".join(once.split())), (path, "".join(text.split())))
                equal((path, format_text(uri_of(path), once)), (path, None))
                equal((path, messages(path)), (path, before))
                changed.append(path)
            client.tell("textDocument/didClose", {"textDocument": {"uri": uri_of(path)}})
        equal(len(changed) > 10, True)


@case
def protocol(program):
    """unknown and malformed messages, and the end"""
    with Client(program) as client:
        equal(client.ask("no/such", {})["error"]["code"], -32601)
        client.write(b"{ not json")
        equal(client.read()["error"]["code"], -32700)
        client.write(b"[" * 1000000)
        equal(client.read()["error"]["code"], -32700)
        client.tell("no/notification", {})
        client.open("untitled:m.cat", 'include "/dev/stdin"\nacyclic po as c\n')
        equal(client.at("hover", "file:///none.cat", 0, 0), None)
        equal(client.ask("shutdown", None)["result"], None)
        client.tell("exit", None)
        equal(client.process.wait(20), 0)


def main():
    program, word = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2] if len(sys.argv) > 2 else ""

    def run(function):
        try:
            function(program)
        except (AssertionError, KeyError, IndexError, ValueError, StopIteration) as error:
            return traceback.format_exc()
        return ""
    return cases.report("language server", [(title, f) for title, f in CASES if word in title], run)


if __name__ == "__main__":
    sys.exit(main())
