"""The pages that tests/page.py opens, and what a reader sees of them."""

import json
import pathlib
import re
import shutil
import urllib.parse

import cases

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = ["opencl.cat", "opencl_rem.cat", "hrf_rsp.cat"]
HOSTILE_NAME = "<img/src=x/onerror=document.title='bad'>&amp;\"q\""
HOSTILE_SOURCE = f"""OpenCL {HOSTILE_NAME}
{{ x=0 }}
P0 (global atomic_int* x) {{
  int r0 = *x; // </script><script>document.title="bad"</script> <!-- <script> & &lt; \u2028 \\u003c
}}
exists (0:r0=0)
"""
CASES = []


def case(title):
    def add(function):
        CASES.append((title, function))
        return function
    return add


# A race whose evidence has words that no line can take.
LONG_NAME = "location_" * 7
LONG_SOURCE = f"""OpenCL Long
{{ [{LONG_NAME}]=0; }}
P0 (global int* {LONG_NAME}) {{ *{LONG_NAME}=1; }}
P1 (global int* {LONG_NAME}) {{ int r0=*{LONG_NAME}; }}
scopeTree (device (work_group P0) (work_group P1))
exists (1:r0=1)
"""


class Suite:
    """A run: its page, and the other forms of the report."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.file = folder / "page # 100%.html"
        self.url = "file://" + urllib.parse.quote(str(self.file))
        self.inputs = self.prepare()
        self.text = self.report("-html", str(self.file), "-diff")
        self.records = [json.loads(line) for line in self.report("-json").split("\n") if line]
        for record in self.records:
            # What was seen so far is no answer.
            record["evidence"] = record.pop("flags", []) if record["status"] == "ok" else []
            record["flags"] = [flag["name"] for flag in record["evidence"]]
        self.tests = list(dict.fromkeys(r["path"] for r in self.records))
        self.models = list(dict.fromkeys(r["model"] for r in self.records))

    def prepare(self):
        data = ROOT / "tests" / "cli" / "data"
        for name in ["mp.litmus", "loop.litmus", "race.litmus", "brace.litmus", "heavy.litmus"]:
            shutil.copy(data / name, self.folder)
        shutil.copy(data / "own.cat", self.folder / "<i>own&.cat")
        shutil.copy(data / "brace.litmus", self.folder / "<b onclick='x'>&.litmus")
        shutil.copy(data / "mp.litmus", self.folder / "twin.litmus")
        (self.folder / "hostile.litmus").write_text(HOSTILE_SOURCE, encoding="utf-8")
        (self.folder / "long.litmus").write_text(LONG_SOURCE, encoding="utf-8")
        return sorted(str(p) for p in self.folder.glob("*.litmus")) + [str(ROOT / "litmus" / "rsp"), str(ROOT / "litmus" / "hrf")]

    def report(self, *options):
        command = [self.program, "-q", "-max-executions", "200000"]
        for model in MODELS + [str(self.folder / "<i>own&.cat")]:
            command += ["-model", model]
        _, out, _ = cases.run(command + list(options) + self.inputs, ROOT, cases.environment())
        return out

    def title(self, record):
        """Tests of one name are told apart by path."""
        same = {r["path"] for r in self.records if r["test"] == record["test"]}
        return f"{record['test']} ({record['path']})" if len(same) > 1 else record["test"]

    def table(self, head):
        """The lines below that head in the terminal's report, as lists of cells."""
        lines = self.text[self.text.index("\n" + head) + 1:].split("\n\n")[0].splitlines()
        return [re.split(r"  +", line.strip()) for line in lines[1:]]

    def wanted(self, holds):
        """How many tests have a record that … """
        return len({r["index"] for r in self.records if holds(r)})


# ---- What a reader sees ----

ROWS = "document.querySelectorAll ('#matrix tbody tr').length"


def load(browser, suite, hash_="", width=1280, **screen):
    browser.screen(width, 900, **screen)
    browser.open("about:blank")
    browser.open(suite.url + hash_)
    browser.wait("performance.getEntriesByName ('rspcheck-ready').length === 1")


def rows(browser, suite, n):
    """Waits for that many rows; returns what there is instead."""
    try:
        browser.wait(f"{ROWS} === arguments[0]", n)
    except RuntimeError:
        raise AssertionError(f"expected {n} rows, found {browser.run(ROWS)}") from None


def choose(browser, field, value):
    browser.run("(field => { field.value = arguments[1]; field.dispatchEvent (new Event ('input', { bubbles: true })); })"
                " (document.getElementById (arguments[0]))", field, value)


def panel_title(browser):
    return browser.run("document.getElementById ('panel').hidden ? null : document.getElementById ('panel-title').textContent")


def cells(browser, selector):
    return browser.run("Array.from (document.querySelectorAll (arguments[0]), row => Array.from (row.cells, cell => cell.textContent.trim ()))", selector)
