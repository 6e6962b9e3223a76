"""Cases of tests/page.py: why an outcome is allowed or forbidden, in the page."""

import json
import re
import urllib.parse

import cases
from cases import equal
from page_suite import HOSTILE_NAME, ROOT, case, load


class Explained:
    """A page with explanations, and the records that it was made from."""

    def __init__(self, suite):
        self.file = suite.folder / "why.html"
        self.url = "file://" + str(self.file)
        tests = [str(ROOT / "litmus" / "rsp"), str(suite.folder / "hostile.litmus"), str(suite.folder / "race.litmus")]
        self.command = [suite.program, "-q", "-explain", "-model", "opencl_rem.cat", "-model", "hrf_direct.cat"]
        _, out, _ = cases.run([*self.command, "-json", "-html", str(self.file), *tests], ROOT, cases.environment())
        self.lines = out
        self.records = [json.loads(line) for line in out.split("\n") if line]

    def open(self, browser, test, width=1280, **screen):
        load(browser, self, "#test=" + urllib.parse.quote(test, safe=""), width, **screen)
        browser.wait("explorer !== null && explorer.test.name === arguments[0]", test)


def explained(suite):
    if not hasattr(suite, "explained"):
        suite.explained = Explained(suite)
    return suite.explained


LIT = """Array.from (document.querySelectorAll ('.canvas .edge.lit:not(.passing)'), edge =>
  [...explorer.drawn.edges].find (([key, found]) => found === edge)[0])"""


def minimal(groups):
    sets = [set(group["failed"]) for group in groups]
    return [a for a in sets if not any(b < a for b in sets)]


@case("why: every question, flag and state can be asked about, and is answered as in -json")
def why(browser, suite):
    page = explained(suite)
    for test in sorted({record["test"] for record in page.records}):
        page.open(browser, test)
        for k, record in enumerate([r for r in page.records if r["test"] == test]):
            browser.run("void explorer.chooseModel (arguments[0])", k)
            found = browser.run("explorer.subjects.map (one => [one.title, one.words, one.pictures.length])")
            for (title, words, n), answer in zip(found, record["explanation"]):
                equal([title, words.split(" ")[0].strip(":"), n], [answer["question"], answer["answer"], len(answer["blame"]) + (answer["witness"] is not None)])
                equal(all(name in words for blame in answer["blame"] for name in blame["checks"]), True, words)
            states = {title if title != "(nothing is observed)" else "": words for title, words, _ in found[len(record["explanation"]) + len(record["flags"]):]}
            groups = record["candidates"]["groups"]
            allowed = {state["state"]: state["executions"] for state in record["states"]}
            equal(set(states), {group["state"] for group in groups}, test)
            equal(set(allowed) <= set(states), True, test)
            for state, words in states.items():
                equal(words.startswith("allowed"), state in allowed, f"{test} {state}")
                if state in allowed:
                    equal(int(re.search(r"\d+", words).group()), int(allowed[state]), f"{test} {state}")
                else:
                    for failed in minimal([group for group in groups if group["state"] == state]):
                        equal(all(name in words for name in failed), True, words)
    equal(browser.complaints(), [], "console")


@case("why: what a failed axiom's button lights is its violation, and steps light their edges")
def lit(browser, suite):
    page = explained(suite)
    page.open(browser, "RSP_Test2")
    record = next(r for r in page.records if r["test"] == "RSP_Test2")
    edges = record["candidates"]["answers"][0]["pictures"][0]["reasons"][0]["edges"]
    expected = {json.dumps(edges[i:i + 3], separators=(",", ":")) for i in range(0, len(edges), 3)}
    equal(set(browser.run(LIT)), expected)
    equal(browser.run("document.querySelector ('.axioms .fails .why').textContent"), "global_coherence")
    equal(browser.run("document.querySelectorAll ('.axioms li:not(.fails)').length"), len(record["candidates"]["axioms"]) - 1)
    browser.run("[...document.querySelectorAll ('.reasons button')].find (line => line.textContent.startsWith ('b → c  rf')).click ()")
    equal(browser.run(LIT), ['["rf","b","c"]'])
    browser.run("[...document.querySelectorAll ('.reasons button')].find (line => line.textContent.startsWith ('a → d  ghb')).click ()")
    equal(browser.run("document.querySelectorAll ('.canvas .passing.lit').length"), 1)
    browser.click(".axioms .why")
    equal(set(browser.run(LIT)), expected)
    page.open(browser, "Race")
    browser.run("void explorer.chooseSubject (1)")
    equal(browser.run("[explorer.subject.title, document.querySelectorAll ('.canvas .node.lit').length]"), ["data_race", 2])


@case("why: executions are gone through, and ticked axioms choose among them")
def stepping(browser, suite):
    page = explained(suite)
    page.open(browser, "RSP_Test4")
    browser.run("void explorer.chooseSubject (2)")
    n = browser.run("explorer.subject.pictures.length")
    equal(n > 1, True)
    seen = []
    for i in range(n):
        seen.append(browser.run("[document.querySelector ('.where').textContent.split (';')[0], explorer.picture.failed.join (), document.querySelectorAll ('.axioms .fails').length]"))
        browser.run("[...document.querySelectorAll ('.stepper button')][1].click ()")
    equal([where for where, _, _ in seen], [f"{i + 1} of {n}" for i in range(n)])
    equal(seen[0][1], "")
    sets = browser.run("explorer.subject.pictures.map (one => one.failed)")
    chosen = next(one for one in sets if one)
    for axiom in chosen:
        browser.run("document.querySelector (arguments[0]).click ()", f'[data-keep="tick {axiom}"]')
    browser.run("document.querySelector ('[data-keep=exact]').click ()")
    equal(browser.run("explorer.shown.map (one => one.failed)"), [one for one in sets if set(one) == set(chosen)])
    for axiom in chosen:
        browser.run("document.querySelector (arguments[0]).click ()", f'[data-keep="tick {axiom}"]')
    equal(browser.run("explorer.shown.map (one => one.failed)"), [one for one in sets if not one])


@case("why: relations are switched on and off by name, and the picture is enlarged")
def relations(browser, suite):
    page = explained(suite)
    page.open(browser, "RSP_Test2")
    browser.run("document.querySelector ('.relations').open = true")
    def switch(name):
        browser.run("[...document.querySelectorAll ('.relations label')].find (one => one.textContent.trim () === arguments[0]).querySelector ('input').click ()", name)
    shown = "[...document.querySelectorAll ('.canvas .edge')].filter (edge => edge.getBoundingClientRect ().width && edge.dataset.relation === arguments[0]).length"
    equal([browser.run(shown, name) for name in ("rf", "ghb")], [2, 0])
    switch("rf")
    switch("ghb")
    browser.run("void light (explorer.drawn, [], [])")
    equal([browser.run(shown, name) for name in ("rf", "ghb")], [0, 4])
    width = browser.run("explorer.drawn.svg.getBoundingClientRect ().width")
    browser.run("document.querySelector ('.zoom button:last-child').click ()")
    equal(browser.run("explorer.drawn.svg.getBoundingClientRect ().width") > width * 1.2, True)


@case("why: a state's number in the table asks about it")
def asked(browser, suite):
    page = explained(suite)
    page.open(browser, "RSP_Test2")
    for k, model in enumerate(["opencl_rem", "hrf_direct"]):
        for row in range(browser.run("document.querySelectorAll ('.states tbody tr').length")):
            state = browser.run("document.querySelectorAll ('.states tbody tr')[arguments[0]].dataset.state", row)
            browser.run("document.querySelectorAll ('.states tbody tr')[arguments[0]].querySelector (`[data-model=${arguments[1]}] button`).click ()", row, model)
            equal(browser.run("[explorer.k, explorer.subject.state]"), [k, state])


@case("why: markup in names is text, and a phone's width is enough, in light and dark")
def why_hostile(browser, suite):
    page = explained(suite)
    for width in (320, 400, 1280):
        for dark in (False, True):
            page.open(browser, HOSTILE_NAME, width, dark=dark, mobile=width < 500)
            equal(browser.run("[document.documentElement.scrollWidth, document.getElementById ('panel').scrollWidth <= innerWidth]"), [width, True], f"width {width}")
            equal(browser.run("document.querySelectorAll ('img, b, i, script:not(#data):not(:last-of-type), svg a, svg image, svg script').length"), 0)
            equal(browser.run("document.title.includes ('bad')"), False)
    drawn = browser.run("""parsePicture ('<svg xmlns="http://www.w3.org/2000/svg" onload="document.title=1"><script>document.title=1</script>'
      + '<a href="javascript:1"><text>x</text></a><g class="node" onclick="1"><title>a</title><text>&lt;b&gt;</text></g></svg>').svg.outerHTML""")
    equal("script" in drawn or "href" in drawn or "onclick" in drawn or "onload" in drawn, False, drawn)
    equal("&lt;b&gt;" in drawn, True, drawn)
    equal(browser.complaints(), [], "console")


@case("why: records make the same page, and without -explain there is nothing to ask")
def why_same(browser, suite):
    page = explained(suite)
    records, other = suite.folder / "why.jsonl", suite.folder / "why2.html"
    records.write_text(page.lines, encoding="utf-8")
    cases.run([suite.program, "-q", "-tsv", "-merge", "-html", str(other), str(records)], ROOT, cases.environment())
    equal(other.read_bytes() == page.file.read_bytes(), True, "-merge")
    load(browser, suite, "#test=RSP_Test2")
    equal(browser.run("document.querySelectorAll ('#why, .states .number').length"), 0)
