#!/usr/bin/env python3
"""Random modules of SPIR-V: tests/random/spirv_compare.py [-n N] [-seed N] [-keep FOLDER] PROGRAM

Two or three work-items, each with accesses of its own, in modules of Vulkan's memory model, of GLSL450 and of OpenCL. The naive, the
bounded and the SAT engine must agree on findings and on the states that memory ends in, the first two also on numbers of executions; so
must a check of the same module whose instructions come from one line of a source, but for the lines. Some variables have no initial
value. -keep stores modules that differ."""

import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

BATCH = 25  # modules of a run
ENGINES = ["naive", "bounded", "sat"]
CONFIGS = ["1, 1, 2", "2, 1, 1", "1, 2, 1", "1, 1, 3", "2, 1, 2"]
SCOPES = {"work_group": 2, "device": 1, "sub_group": 3, "family": 5}
WORKGROUP, AVAILABLE, VISIBLE = 0x100, 0x2000, 0x4000
HEADS = {
    "Vulkan": ["OpCapability Shader", "OpCapability VulkanMemoryModel", "OpCapability VulkanMemoryModelDeviceScope",
               "OpMemoryModel Logical Vulkan", 'OpEntryPoint GLCompute %k "k" %id %x %y %w %out', "OpExecutionMode %k LocalSize 1 1 1"],
    "GLSL450": ["OpCapability Shader", "OpMemoryModel Logical GLSL450", 'OpEntryPoint GLCompute %k "k" %id', "OpExecutionMode %k LocalSize 1 1 1",
                "OpDecorate %x Coherent"],
    "OpenCL": ["OpCapability Kernel", "OpCapability Addresses", "OpMemoryModel Physical64 OpenCL", 'OpEntryPoint Kernel %k "k" %id'],
}


class Module:
    def __init__(self, rng):
        self.rng, self.n, self.lines, self.constants = rng, 0, [], {}
        self.model = rng.choice(["Vulkan", "Vulkan", "GLSL450", "OpenCL"])
        self.space = "CrossWorkgroup" if self.model == "OpenCL" else "StorageBuffer"
        self.config = rng.choice(CONFIGS)
        self.slots = 0

    def constant(self, value):
        return self.constants.setdefault(value, f"%c{value}")

    def new(self, text):
        self.n += 1
        self.lines.append(f"%v{self.n} = {text}")
        return f"%v{self.n}"

    def scope(self):
        return self.constant(self.rng.choice(list(SCOPES.values())[:3 if self.model != "Vulkan" else 4]))

    def semantics(self, orders):
        """Of an operation that may have one of the orders (2: acquire, 4: release, 8: both)."""
        order = self.rng.choice([0, *orders])
        where = self.rng.choice([0x40, 0x40, WORKGROUP, 0x40 | WORKGROUP]) if order and self.model != "OpenCL" else 0
        more = 0
        if self.model == "Vulkan" and order and self.rng.randrange(2):
            more = AVAILABLE * (order in (4, 8)) | VISIBLE * (order in (2, 8))
        return self.constant(order | where | more)

    def place(self):
        return self.rng.choice(["%px", "%py", "%px", "%py", "%w"])

    def operands(self, way):
        if self.model != "Vulkan":
            return ""
        return self.rng.choice(["", " NonPrivatePointer", f" MakePointer{way}|NonPrivatePointer {self.scope()}",
                                f" MakePointer{way}|NonPrivatePointer {self.scope()}"])

    def keep(self, value):
        """Stores a value where only one work-item does."""
        at = self.new(f"OpAccessChain %word %out %c0 {self.constant(self.slots)}" if self.model != "OpenCL"
                      else f"OpInBoundsPtrAccessChain %word %out {self.constant(self.slots)}")
        self.slots += 1
        self.lines.append(f"OpStore {at} {value}")

    def operation(self):
        rng, one = self.rng, self.constant(self.rng.choice([1, 2]))
        kind = rng.randrange(9)
        if kind < 2:
            self.lines.append(f"OpStore {self.place()} {one}{self.operands('Available')}")
        elif kind < 4:
            self.keep(self.new(f"OpLoad %uint {self.place()}{self.operands('Visible')}"))
        elif kind == 4:
            self.lines.append(f"OpAtomicStore {self.place()} {self.scope()} {self.semantics([4])} {one}")
        elif kind == 5:
            self.keep(self.new(f"OpAtomicLoad %uint {self.place()} {self.scope()} {self.semantics([2])}"))
        elif kind == 6:
            what = rng.choice(["IAdd", "Exchange", "Or", "UMax"])
            self.keep(self.new(f"OpAtomic{what} %uint {self.place()} {self.scope()} {self.semantics([2, 4, 8])} {one}"))
        elif kind == 7:
            self.keep(self.new(f"OpAtomicCompareExchange %uint {self.place()} {self.scope()} {self.semantics([2, 4, 8])} "
                               f"{self.semantics([2])} {one} {self.constant(0)}"))
        else:
            self.lines.append(f"OpMemoryBarrier {self.scope()} {self.semantics([2, 4, 8])}")

    def branch(self, depth):
        """What is done if a value is 1, and a phi of what was stored."""
        read = self.new(f"OpAtomicLoad %uint {self.place()} {self.scope()} {self.semantics([2])}")
        test = self.new(f"OpIEqual %bool {read} {self.constant(1)}")
        self.n += 1
        number = self.n
        self.lines += [f"OpSelectionMerge %after{number} None", f"OpBranchConditional {test} %then{number} %else{number}", f"%then{number} = OpLabel"]
        self.body(1, depth + 1)
        self.lines += [f"OpBranch %after{number}", f"%else{number} = OpLabel", f"OpBranch %after{number}", f"%after{number} = OpLabel"]
        if not depth:
            self.keep(self.new(f"OpPhi %uint {self.constant(1)} %else{number} {self.constant(2)} %then{number}"))

    def body(self, most, depth=0):
        for _ in range(self.rng.randrange(1, most + 1)):
            if self.rng.randrange(6) or depth:
                self.operation()
            else:
                self.branch(depth)

    def work_items(self, most):
        """Each work-item does something else."""
        n = eval(self.config.replace(",", "*"))  # pylint: disable=eval-used
        self.n += 1
        number = self.n
        cases = " ".join(f"{i} %do{number}_{i}" for i in range(1, n))
        self.lines += [f"OpSelectionMerge %met{number} None", f"OpSwitch %me %do{number}_0 {cases}"]
        for i in range(n):
            self.lines.append(f"%do{number}_{i} = OpLabel")
            self.body(most if n < 4 else 1)
            self.lines.append(f"OpBranch %met{number}")
        self.lines.append(f"%met{number} = OpLabel")

    def text(self):
        self.work_items(3)
        if not self.rng.randrange(3):
            self.lines.append(f"OpControlBarrier {self.constant(2)} {self.scope()} {self.semantics([8])}")
            self.work_items(1)
        opencl = self.model == "OpenCL"
        for value in (0, 4, self.slots + 1):
            self.constant(value)
        ids = ["%at = OpLoad %triple %id"] + (["%raw = OpCompositeExtract %ulong %at 0", "%me = OpUConvert %uint %raw"] if opencl
                                              else ["%me = OpCompositeExtract %uint %at 0"])
        chains = [f"%p{name} = OpAccessChain %word %{name} %c0" for name in "xy"] if not opencl else \
            [f"%p{name} = OpInBoundsPtrAccessChain %word %{name} %c0" for name in "xy"]
        types = ["%void = OpTypeVoid", "%bool = OpTypeBool", "%uint = OpTypeInt 32 0", *(["%ulong = OpTypeInt 64 0"] if opencl else []),
                 f"%triple = OpTypeVector %{'ulong' if opencl else 'uint'} 3", "%in = OpTypePointer Input %triple",
                 f"%word = OpTypePointer {self.space} %uint", "%shared = OpTypePointer Workgroup %uint"]
        values = [f"{name} = OpConstant %uint {value}" for value, name in self.constants.items()]
        variables = ["%id = OpVariable %in Input", "%w = OpVariable %shared Workgroup"]
        decorated = ["OpDecorate %id BuiltIn GlobalInvocationId"]
        if opencl:
            types.append("%type = OpTypeFunction %void %word %word %word")
        else:
            types += ["%type = OpTypeFunction %void", "%cell = OpTypeStruct %uint", "%buffer = OpTypePointer StorageBuffer %cell"]
            values += [f"%many = OpTypeArray %uint %c{self.slots + 1}", "%cells = OpTypeStruct %many", "%outs = OpTypePointer StorageBuffer %cells"]
            variables += ["%x = OpVariable %buffer StorageBuffer", "%y = OpVariable %buffer StorageBuffer", "%out = OpVariable %outs StorageBuffer"]
            decorated += ["OpDecorate %cell Block", "OpDecorate %cells Block", "OpMemberDecorate %cell 0 Offset 0", "OpMemberDecorate %cells 0 Offset 0",
                          "OpDecorate %many ArrayStride 4"]
        parameters = [f"%{name} = OpFunctionParameter %word" for name in ("x", "y", "out")] if opencl else []
        asked = " and ".join([f"%{name}[0] != 9" for name in "xy"] + [f"%out{'' if opencl else '[0]'}[{i}] != 9" for i in range(self.slots)])
        zeros = ", ".join(["0"] * (self.slots + 1))
        inputs = [(name, "{0}") for name in "xy"] + [("out", f"{{{zeros}}}" if opencl else f"{{{{{zeros}}}}}")]
        head, *rest = HEADS[self.model]
        return "\n".join([head, *rest, '%file = OpString "made.comp"', *decorated, *types, *values, *variables, "%k = OpFunction %void None %type",
                          *parameters, "%entry = OpLabel", *ids, *chains, *self.lines, "OpReturn", "OpFunctionEnd",
                          *(f"; @Input: %{name} = {zero}" for name, zero in inputs if self.rng.randrange(5)), f"; @Config: {self.config}", f"; @Output: forall ({asked})", ""])


def on_one_line(text):
    return "\n".join(line + "\nOpLine %file 7 1" if line.endswith("= OpLabel") else line for line in text.split("\n"))


def answers(program, paths, options):
    done = subprocess.run([program, "-kernel", *paths, "-json", "-q", "-timeout", "20", *options], capture_output=True, text=True, check=False)
    result = json.loads(done.stdout or "{}")
    return {own["path"]: own for own in result.get("kernels", [result])}, done.stderr


def summary(own, lines, counts=True):
    """What must be the same; None: the search did not finish, or does not have all states."""
    record = own.get("record")
    if own.get("verdict") == "error" or not record or "not_finished" in own or "some_states" in own:
        return None
    found = sorted({(f["kind"], *sorted({f["line"], f.get("other_line", f["line"])}) * lines) for f in own["findings"]})
    states = [(s["state"], *(s["executions"], s["undefined"]) * counts) for s in record["states"]]
    return found, states, sorted(f["name"] for f in record["flags"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", type=int, default=40)
    parser.add_argument("-seed", type=int, default=1)
    parser.add_argument("-keep")
    parser.add_argument("program", type=os.path.abspath)
    arguments = parser.parse_args()
    passed = failed = skipped = 0
    with tempfile.TemporaryDirectory() as made:
        for first in range(arguments.seed, arguments.seed + arguments.n, BATCH):
            seeds = range(first, min(first + BATCH, arguments.seed + arguments.n))
            paths, lined = [], []
            for seed in seeds:
                text = Module(random.Random(seed)).text()
                for folder, own in ((paths, text), (lined, on_one_line(text))):
                    path = pathlib.Path(made) / f"{'lined' if folder is lined else 'm'}{seed}.spvasm"
                    path.write_text(own)
                    folder.append(str(path))
            runs = [answers(arguments.program, paths, ["-engine", engine]) for engine in ENGINES] + [answers(arguments.program, lined, [])]
            if "built without SPIRV-Tools" in runs[0][1]:
                break
            for path, other in zip(paths, lined):
                naive, bounded, sat, line = (run[0].get(own, {}) for run, own in zip(runs, (path, path, path, other)))
                pairs = [(summary(bounded, True), summary(naive, True)), (summary(bounded, True, False), summary(sat, True, False)),
                         (summary(bounded, False), summary(line, False))]
                if any("record" not in own and "not_finished" not in own for own in (naive, bounded, sat, line)) and "did not finish" not in runs[0][1]:
                    failed += 1
                    print(f"FAIL spirv_compare: {path}: {[run[1][:300] for run in runs]}")
                elif any(None in pair for pair in pairs):
                    skipped += 1
                elif all(a == b for a, b in pairs):
                    passed += 1
                else:
                    failed += 1
                    print(f"FAIL spirv_compare: {path}: {[pair for pair in pairs if pair[0] != pair[1]]}")
                    if arguments.keep:
                        shutil.copy(path, arguments.keep)
    print(f"spirv_compare: {passed} passed, {failed} failed" + (f", {skipped} took too long" if skipped else ""))
    return failed > 0


sys.exit(main())
