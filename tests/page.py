#!/usr/bin/env python3
"""Tests of -html: opens the page in a headless Chromium and reads it as a user would.

    tests/page.py PROGRAM [WORD]        all cases, or those with WORD in their title
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import traceback
import urllib.parse

import cases
from browser import Browser
from cases import equal
import page_why
from page_suite import CASES, HOSTILE_NAME, HOSTILE_SOURCE, ROOT, ROWS, Suite, case, cells, choose, load, panel_title, rows

@case("the page loads from disk, alone, without messages on the console")
def loads(browser, suite):
    browser.complaints()
    load(browser, suite)
    equal(browser.complaints(), [], "console")
    equal(browser.run("performance.getEntriesByType ('resource').length"), 0, "resources")
    equal(browser.run("document.title"), f"{len(suite.tests)} tests under 4 models – rspcheck")


@case("the matrix has one row per test and one column per model, and agrees with -tsv")
def matrix(browser, suite):
    load(browser, suite)
    rows(browser, suite, len(suite.tests))
    head = browser.run("Array.from (document.querySelectorAll ('#matrix thead th'), head => head.textContent)")
    equal(head, ["Test"] + suite.models)
    found = browser.run("""Array.from (document.querySelectorAll ('#matrix tbody tr'), row =>
      Array.from (row.cells, cell => Array.from (cell.querySelectorAll ('a, .verdict, .counts, .badge'), part => part.textContent)))""")
    lines = {}
    for record in suite.records:
        row = lines.setdefault(record["index"], [[suite.title(record)]])
        if record["status"] == "ok":
            row.append([record["observation"], f"{record['positive']}/{record['negative']}"]
                       + ["Loop"] * record["loop"] + record["flags"])
        else:
            row.append([record["status"].capitalize()])
    equal(len(found), len(lines))
    for row, line in zip(found, lines.values()):
        equal(row, line)


@case("rows and cells that differ are those of the terminal's report, with a sign")
def differing(browser, suite):
    load(browser, suite)
    rows(browser, suite, len(suite.tests))
    names = browser.run("Array.from (document.querySelectorAll ('#matrix tbody th:has(.sign) a'), link => link.textContent)")
    equal(names, [line[2:].split("  ")[0].rstrip() for line in suite.text.splitlines() if line.startswith("* ")])
    equal(browser.run("document.querySelectorAll ('#matrix td.differs:not(:has(.sign))').length"), 0)


@case("totals and pairs are the terminal's")
def numbers(browser, suite):
    load(browser, suite)
    totals = [[row[0]] + row[2:] for row in cells(browser, "#totals tbody tr")]
    equal(totals, suite.table("Model  "))
    browser.run("document.getElementById ('pairs').open = true")
    equal(cells(browser, "#pairs tbody tr"), suite.table("Pair  "))


@case("filters: name, verdict, flag, model, differs, together and reset")
def filters(browser, suite):
    load(browser, suite)
    browser.type("#search", "rsp_ WSQ")
    rows(browser, suite, suite.wanted(lambda r: "rsp_" in (r["test"] + r["path"]).lower() and "wsq" in (r["test"] + r["path"]).lower()))
    browser.click("#reset")
    rows(browser, suite, len(suite.tests))
    for word in ["Never", "Sometimes", "Always"]:
        choose(browser, "verdict", word)
        rows(browser, suite, suite.wanted(lambda r, word=word: r.get("observation") == word))
    choose(browser, "model", "1")
    rows(browser, suite, suite.wanted(lambda r: r.get("observation") == "Always" and r["model"] == "opencl_rem"))
    browser.click("#reset")
    for word, holds in [("Error", lambda r: r["status"] == "error"), ("Loop", lambda r: r.get("loop")),
                        ("unfinished", lambda r: r["status"] != "ok")]:
        choose(browser, "verdict", word)
        rows(browser, suite, suite.wanted(holds))
    browser.click("#reset")
    choose(browser, "flag", "=data_race")
    rows(browser, suite, suite.wanted(lambda r: "data_race" in r.get("flags", [])))
    choose(browser, "flag", "none")
    flagged = suite.wanted(lambda r: r.get("flags"))
    rows(browser, suite, len(suite.tests) - flagged)
    browser.click("#reset")
    browser.click("#differs")
    differ = int(re.search(r"^\d+ tests, (\d+) differ", suite.text, re.M)[1])
    rows(browser, suite, differ)
    equal(browser.run("document.getElementById ('shown').textContent"), f"{differ} of {len(suite.tests)} tests")
    browser.type("#search", "no such test")
    rows(browser, suite, 0)
    equal(browser.run("document.getElementById ('nothing').hidden"), False)


@case("a number of the pairs shows its tests")
def pairs(browser, suite):
    load(browser, suite)
    browser.run("document.getElementById ('pairs').open = true")
    for row, line in enumerate(suite.table("Pair  "), 1):
        for column, n in enumerate(line[1:], 2):
            if n != "0":
                browser.run("document.querySelector (arguments[0]).click ()",
                            f"#pairs tbody tr:nth-child({row}) :nth-child({column}) button")
                rows(browser, suite, int(n))
    browser.click("#pair")
    rows(browser, suite, len(suite.tests))


@case("columns sort, both ways and back")
def sorting(browser, suite):
    load(browser, suite)
    names = "Array.from (document.querySelectorAll ('#matrix tbody a'), link => link.textContent)"
    rows(browser, suite, len(suite.tests))
    given = browser.run(names)
    browser.click("#matrix thead th:nth-child(2) button")
    rows(browser, suite, len(suite.tests))
    words = browser.run("Array.from (document.querySelectorAll ('#matrix tbody td:nth-child(2) .verdict'), word => word.textContent)")
    order = ["Always", "Sometimes", "Never"]
    ranks = [order.index(word) if word in order else 3 for word in words]
    equal(ranks, sorted(ranks))
    equal(browser.run("document.querySelector ('#matrix thead th:nth-child(2)').getAttribute ('aria-sort')"), "ascending")
    browser.click("#matrix thead th:nth-child(2) button")
    browser.click("#matrix thead th:nth-child(2) button")
    rows(browser, suite, len(suite.tests))
    equal(browser.run(names), given)


@case("a test opens by click, by Enter and by its address; Escape closes, arrows go on")
def opening(browser, suite):
    load(browser, suite)
    rows(browser, suite, len(suite.tests))
    names = browser.run("Array.from (document.querySelectorAll ('#matrix tbody a'), link => link.textContent)")
    browser.click("#matrix tbody tr:nth-child(3) td")
    browser.wait("!document.getElementById ('panel').hidden")
    equal(panel_title(browser), names[2])
    browser.press("ArrowRight")
    browser.wait("document.getElementById ('panel-title').textContent === arguments[0]", names[3])
    browser.press("ArrowLeft")
    browser.wait("document.getElementById ('panel-title').textContent === arguments[0]", names[2])
    browser.press("Escape")
    equal(panel_title(browser), None)
    equal(browser.run("document.activeElement.textContent"), names[2], "focus")
    browser.press("Enter")
    browser.wait("!document.getElementById ('panel').hidden")
    equal(panel_title(browser), names[2])
    browser.click("#panel .close")
    browser.press("/", "m", "p")
    equal(browser.run("document.activeElement.value"), "mp")
    load(browser, suite, "#test=RSP_Test2")
    equal(panel_title(browser), "RSP_Test2")
    load(browser, suite, "#test=%E0%A4%A")
    equal(panel_title(browser), None)
    load(browser, suite, "#test=" + urllib.parse.quote(f"MP ({suite.folder / 'twin.litmus'})", safe=""))
    equal(panel_title(browser), f"MP ({suite.folder / 'twin.litmus'})")
    equal(browser.run("document.querySelector ('.hashes dd').textContent"), str(suite.folder / "twin.litmus"))
    equal(browser.complaints(), [], "console")


@case("a panel's states, flags and hash are those of -json")
def states(browser, suite):
    load(browser, suite)
    for path in suite.tests:
        records = [r for r in suite.records if r["path"] == path]
        key = browser.run("data.tests.find (test => test.path === arguments[0]).key", path)
        browser.run("void (location.hash = '#test=' + encodeURIComponent (arguments[0]))", key)
        browser.wait("opened?.key === arguments[0] && panel_is_drawn ()".replace("panel_is_drawn ()", "document.getElementById ('panel-title')"), key)
        browser.run("document.querySelector ('.more')?.click ()")
        found = browser.run("""Array.from (document.querySelectorAll ('.states tbody tr'), row => ({
          state: row.dataset.state, holds: row.querySelector ('.holds .sign') !== null,
          models: Object.fromEntries (Array.from (row.querySelectorAll ('[data-model]'), cell =>
            [cell.dataset.model, [cell.dataset.allowed, cell.textContent]])) }))""")
        expected = {}
        for record in records:
            for state in record.get("states", []):
                text = f"{state['executions']}" + (f" ⚑{state['undefined']}" if state["undefined"] else "")
                row = expected.setdefault(state["state"], {"holds": state["satisfies"], "models": {}})
                row["models"][record["model"]] = ["yes", text]
        for row in expected.values():
            for record in records:
                row["models"].setdefault(record["model"], ["no", "–"] if record["status"] == "ok" else ["unknown", "?"])
        equal({row.pop("state"): row for row in found}, expected, path)
        if records[0]["hash"]:
            equal(browser.run("Array.from (document.querySelectorAll ('.hashes dd'), item => item.textContent)"),
                  [path, records[0]["hash"], records[0]["scope_hash"]], path)
        flags = browser.run("Array.from (document.querySelectorAll ('.verdicts .flag'), item => item.textContent)")
        equal(flags, [flag for r in records for flag in r.get("flags", [])], path)


@case("a panel's differences are those of -diff")
def listed(browser, suite):
    lines = suite.text.split("\n\n")[0].splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("* RSP_Test9"))
    expected = []
    for line in lines[start + 1:]:
        if line.startswith("* "):
            break
        expected.append(re.sub(r" between .*([;,] \S+( does|, .* do) not)$", r"\1", line.strip()))
    load(browser, suite, "#test=RSP_Test9")
    found = browser.run("""Array.from (document.querySelectorAll ('.differences summary, .listed code, .differences .seen'),
                                       item => item.textContent)""")
    found = [re.sub(r" (forbids?) \d+ states?:$", r" \1:", re.sub(r" (does|do) not\.$", r" \1 not", text)) for text in found]
    # The page names what a model sees before the states that it allows.
    equal(sorted(found), sorted(expected))


@case("the events that show why a flag is raised are named, and marked in the source")
def evidence(browser, suite):
    load(browser, suite, "#test=Race")
    equal(browser.run("document.querySelector ('.flags').textContent"),
          "data_race between P0 line 3 *x = 1 and P1 line 4 *x (opencl, opencl_rem, hrf_rsp)")
    for record in suite.records:
        if not record["evidence"]:
            continue
        load(browser, suite, "#test=" + urllib.parse.quote(record["test"], safe=""))
        marked = browser.run("Array.from (document.querySelectorAll ('.line')).flatMap ((line, i) => line.matches ('.marked') ? [i + 1] : [])")
        expected = {event["line"] for r in suite.records if r["path"] == record["path"] for flag in r["evidence"] for event in flag["events"]}
        equal(set(marked), expected - {0}, record["path"])
        if record["index"] > 12:
            break


@case("source and scope tree")
def source(browser, suite):
    load(browser, suite, "#test=RSP_Test2")
    file = ROOT / "litmus" / "rsp" / "RSP_Test2.litmus"
    equal(browser.run("document.querySelector ('.source').textContent").rstrip("\n"), file.read_text().rstrip("\n"))
    equal(browser.run("document.querySelectorAll ('.scope.device > .scopes > .scope.work_group > .scopes > .thread').length"), 2)
    equal(browser.run("document.querySelector ('.question').textContent"), "Condition exists (1:r0=1 /\\ not (1:r1=53))")


@case("markup in names, paths, sources and models is text")
def hostile(browser, suite):
    load(browser, suite)
    rows(browser, suite, len(suite.tests))
    equal(browser.run("document.querySelectorAll ('img, b, i, body script:not(#data):not(:last-of-type)').length"), 0)
    load(browser, suite, "#test=" + urllib.parse.quote(HOSTILE_NAME, safe=""))
    equal(panel_title(browser), HOSTILE_NAME)
    equal(browser.run("document.querySelector ('.source').textContent"), HOSTILE_SOURCE)
    equal(browser.run("document.title.includes ('bad')"), False)
    equal(browser.run("document.querySelectorAll ('script').length"), 2)
    equal(browser.complaints(), [], "console")


@case("light and dark follow the reader's choice")
def dark(browser, suite):
    def brightness(element):
        colour = browser.run(f"getComputedStyle (document.querySelector ('{element}')).backgroundColor")
        return sum(map(int, re.findall(r"\d+", colour)[:3])) / 3
    for is_dark in (False, True):
        load(browser, suite, "#test=RSP_Test2", dark=is_dark)
        for element in ["body", "#panel", "#scroller", "#search"]:
            equal(brightness(element) < 100, is_dark, f"{element} is dark")


@case("a phone's width is enough, with and without a panel")
def phone(browser, suite):
    for width in (320, 390, 400):
        for hash_ in ("", "#test=RSP_Test9", "#test=Long"):
            load(browser, suite, hash_, width=width, mobile=True)
            equal(browser.run("[document.documentElement.scrollWidth, innerWidth]"), [width, width], f"width {width}, {hash_}")
            cut = browser.run("(byId ('pairs').open = true, [...document.querySelectorAll ('main .scroll')].filter (one => one.scrollWidth > one.clientWidth).length)")
            equal(cut, 0, f"tables that are cut, width {width}")
            equal(browser.run("document.querySelector ('#totals td:not(.bars)').dataset.head"), "Never", "what a number is")
            if hash_:
                equal(browser.run("document.getElementById ('panel').scrollWidth"), width, f"panel, width {width}, {hash_}")


@case("what an open panel covers cannot be reached")
def covered(browser, suite):
    reached = "(document.querySelector ('#reset').focus (), document.activeElement.id)"
    for width, is_covered in ((390, True), (1280, False)):
        load(browser, suite, "#test=RSP_Test2", width=width)
        equal(browser.run("document.querySelector ('main').inert"), is_covered, f"width {width}")
        equal(browser.run(reached), "panel" if is_covered else "reset", f"width {width}")
        browser.screen(1670 - width, 900)
        browser.wait("document.querySelector ('main').inert === arguments[0]", not is_covered)
        browser.run("closePanel ()")
        equal(browser.run(reached), "reset", f"width {width}, closed")


@case("on paper there are all rows")
def paper(browser, suite):
    load(browser, suite)
    equal(browser.run("(dispatchEvent (new Event ('beforeprint')), " + ROWS + ")"), len(suite.tests))


@case("a column may be a log, and a test of C11 has no scope tree")
def log(browser, suite):
    def run(*arguments):
        status, out, err = cases.run([suite.program, "-q", *arguments], ROOT / "litmus", cases.environment())
        equal(status, 0, err)
        return out
    file = suite.folder / "of-before.log"
    file.write_text(run("rsp/RSP_Test2.litmus", "c11/MP+na.litmus"))
    page = suite.folder / "log.html"
    table = run("-html", str(page), "-model", "opencl.cat", "-compare", str(file), "rsp/RSP_Test2.litmus", "rsp/RSP_Test3.litmus")
    browser.screen(1280, 900)
    browser.open("file://" + str(page))
    equal(cells(browser, "#matrix tbody tr"), [["RSP_Test2≠", "Sometimes 1/2 data_race", "Never 0/2≠"], ["RSP_Test3", "Sometimes 1/5 data_race", "–"]])
    equal("not compared" in table, True)
    browser.run("void (location.hash = '#test=RSP_Test2')")
    browser.wait("!document.getElementById ('panel').hidden")
    # Undefined under one alone: that is the difference, and no state is.
    equal(browser.run("document.querySelectorAll ('.states tr.differs').length"), 0)
    run("-html", str(page), "-model", "sc.cat", "-model", "rc11.cat", "c11/SB+rlx.litmus")
    browser.open("about:blank")
    browser.open("file://" + str(page) + "#test=" + urllib.parse.quote("SB+rlx"))
    equal(browser.run("document.querySelectorAll ('.states tr.differs').length"), 1)
    run("-html", str(page), "-compare", str(file))
    browser.open("about:blank")
    browser.open("file://" + str(page) + "#test=" + urllib.parse.quote("MP+na"))
    equal(browser.run("document.querySelectorAll ('.scope, .source').length"), 0)
    equal(panel_title(browser), "MP+na")
    equal(browser.complaints(), [], "console")


@case("the same run makes the same page, whatever -j, and so do its records")
def same(browser, suite):
    other = suite.folder / "other.html"
    suite.report("-html", str(other), "-j", "1")
    equal(other.read_bytes() == suite.file.read_bytes(), True, "-j 1")
    records = suite.folder / "records.jsonl"
    records.write_text(suite.report("-json", "-html", str(other), "-j", "4"), encoding="utf-8")
    equal(other.read_bytes() == suite.file.read_bytes(), True, "-j 4")
    cases.run([suite.program, "-q", "-tsv", "-merge", "-html", str(other), str(records)], ROOT, cases.environment())
    equal(other.read_bytes() == suite.file.read_bytes(), True, "-merge")


@case("a machine's verdicts, traces and bills")
def machine(browser, suite):
    page = suite.folder / "machine.html"
    command = [suite.program, "-q", "-v", "-cost", "-machine", "rsp", "-mapping", "original", "-mapping", "revised",
               "-model", "opencl_rem.cat", "-html", str(page), str(ROOT / "litmus" / "machine")]
    _, text, _ = cases.run(command, ROOT, cases.environment())
    browser.complaints()
    browser.open("about:blank")
    browser.open("file://" + urllib.parse.quote(str(page)) + "#test=MP-dev")
    browser.wait("performance.getEntriesByName ('rspcheck-ready').length === 1")
    equal(browser.complaints(), [], "console")
    said = browser.run("document.querySelector ('#panel .machine').textContent")
    trace = re.search(r"Unsound MP-dev: (.*) is not allowed\nTrace\n((  .*\n)+)", text)
    equal(trace[1] in said and "Unsound" in said, True, "the state")
    equal(browser.run("document.querySelector ('#panel .trace').textContent"), trace[2].replace("\n  ", "\n").strip(), "trace")
    bill = re.search(r"MP-dev +original +revised\n((  .*\n)+)", text)[1]
    equal([re.sub(r" / ", " ", " ".join(row)).split() for row in cells(browser, "#panel .bill tbody tr")],
          [line.split() for line in bill.splitlines()], "bill")
    choose(browser, "verdict", "Unsound")
    equal(browser.run(ROWS), len(set(re.findall("^Unsound ([^:]*):", text, re.M))), "unsound tests")
    choose(browser, "verdict", "Deadlock")
    equal(browser.run(ROWS), len(re.findall("^Deadlock (?!trace)", text, re.M)), "deadlocks")


def main():
    word = sys.argv[2] if len(sys.argv) > 2 else ""
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        suite = Suite(os.path.abspath(sys.argv[1]), pathlib.Path(folder))
        for title, function in CASES:
            if word not in title:
                continue
            try:
                function(browser, suite)
                passed += 1
            except (AssertionError, RuntimeError, subprocess.SubprocessError):
                failed += 1
                print(f"FAIL page: {title}\n" + "\n".join("    " + line for line in traceback.format_exc().splitlines()[-6:]))
    print(f"page: {passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
