#!/usr/bin/env python3
"""Tests of the workbench: tests/workbench.py PROGRAM BUILD [WORD]

The page is used in a headless Chromium as a person would, as -serve serves it and, where BUILD has it (make
check-workbench), as the one file with the checker in it; that checker, run by node, prints what the native one prints.
With WORD: the cases that have it, a regular expression, in their title."""

import contextlib
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import traceback

import cases
import workbench_node
from browser import Browser
from cases import equal
from serve import Server, is_absent

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests/golden"
CASES = [(title, function, "page") for title, function in workbench_node.CASES]


def case(title):
    """A case that needs the checker in WebAssembly."""
    def add(function):
        CASES.append((title, function, "page"))
        return function
    return add


def page_case(title):
    """A case for both homes of the page, given as `open_page (fragment)`, which opens it and returns the browser."""
    def add(function):
        CASES.extend((f"{title}, {home}", in_browser(function, home), home) for home in ("page", "serve"))
        return function
    return add


def in_browser(function, home):
    def run(program, build):
        with contextlib.ExitStack() as stack:
            browser = stack.enter_context(Browser())
            address = (build / "workbench.html").resolve().as_uri() if home == "page" else stack.enter_context(Server(program)).address

            def open_page(fragment=""):
                browser.open(address + fragment)
                browser.wait(CHECKED)
                return browser
            function(open_page)
            equal(browser.complaints(), [])
    return run


# ---- The page ----

CHECKED = "document.getElementById ('state').textContent.startsWith ('Checked')"
TEXT = "document.getElementById ('text').value"
BODY = "document.getElementById ('body').textContent"


def write(browser, text):
    """As if it were typed."""
    browser.run("(t => { t.value = arguments[0]; t.dispatchEvent (new Event ('input')); return true; }) (document.getElementById ('text'))", text)


def edit(browser, old, new):
    before = browser.run(TEXT)
    assert old in before, old
    write(browser, before.replace(old, new, 1))


def open_menu(browser, menu):
    """Its field gets the focus a moment later, and would take it from what the test does next."""
    browser.click(f"#{menu} summary")
    browser.wait("byId (arguments[0]).contains (document.activeElement) && document.activeElement.localName === 'input'", menu)


@page_case("a race, its reason, its repair, a link")
def whole_round(open_page):
    browser = open_page()
    browser.wait(f"{BODY}.includes ('data_race')")
    browser.wait("document.querySelector ('.explorer svg .node') !== null")
    browser.run("document.querySelectorAll ('.canvas .node').forEach (node => node.dispatchEvent (new MouseEvent ('mouseover', { bubbles: true })))")
    equal(browser.run("document.querySelectorAll ('.editor .pointed, .canvas .pointed').length"), 2)
    browser.run("document.querySelectorAll ('.relations input:not(:checked)').forEach (input => input.click ())")
    browser.wait("document.querySelector ('.canvas .edge.own') !== null")
    edit(browser, "memory_order_acquire", "memory_order_acqire")
    browser.wait("document.querySelector ('#messages .error') !== null")
    browser.click("#messages li button:last-child")
    browser.wait(f"{CHECKED} && document.querySelector ('#messages .error') === null")
    equal(browser.run("document.getElementById ('under').value"), "opencl.cat")  # which sees the race
    browser.click("[data-ask=vary]")
    browser.wait("document.querySelectorAll ('#answer tbody tr').length > 5")
    equal(browser.run("document.querySelectorAll ('#answer tbody tr')[1].getBoundingClientRect ().bottom < innerHeight && scrollY === 0"), True)
    browser.click("[data-ask=repair]")
    browser.wait("document.querySelector ('#answer .patches') !== null")
    browser.click("#answer .patches .apply")
    browser.wait(f"document.getElementById ('edit').textContent.includes ('no longer') && !{BODY}.includes ('data_race')")
    equal(browser.run("[...document.querySelectorAll ('#answer .apply:disabled')].map (one => one.textContent)"), ["Applied"])
    mended = browser.run(TEXT)
    browser.click("#share")
    browser.wait("location.hash.startsWith ('#s=')")
    link = browser.run("location.hash")
    browser.open("about:blank")
    open_page(link)
    equal(browser.run(TEXT), mended)


@page_case("a link's options run only after the reader has accepted them")
def linked_options(open_page):
    browser = open_page()
    browser.wait(CHECKED)
    for button, options in (("first-of-type", "-unroll 3"), ("last-of-type", "")):
        browser.run("setOptions (['-unroll', '3'])")
        browser.click("#share")
        browser.wait("location.hash.startsWith ('#s=')")
        link = browser.run("location.hash")
        browser.open("about:blank")
        open_page(link)
        equal(browser.run("[state.options, byId ('linked').textContent.includes ('-unroll 3')]"), ["", True])
        browser.wait(f"{CHECKED} && checked === version")
        browser.click(f"#linked button:{button}")
        browser.wait(f"{CHECKED} && checked === version")
        equal(browser.run("[state.options, byId ('linked').textContent]"), [options, ""])


# What is chosen in the list, what asks for the repair, and what the edit says then. The model of PTX raises no flag: there the
# outcome is forbidden.
REPAIRS = (("opencl/MP-dev+fence-rel-wg+fence-acq-wg.litmus", "#body .flags button", "no longer data_race"), ("c11/LOCK+rlx.litmus", "#body .flags button", "no longer data_race"),
           ("ptx/MP-relaxed.litmus", "[data-ask=forbid]", "Sometimes → Never"), ("vulkan/MP-relaxed.litmus", "#body .flags button", "no longer racy"))


@page_case("with the mouse alone from a wrong test to its repair, in four languages")
def mouse(open_page):
    browser = open_page()
    for path, button, said in REPAIRS:
        open_menu(browser, "picked")
        browser.click(f"#tests button[title='{path}']")
        browser.wait(f"byId ('picked').querySelector ('summary').textContent === '{path.rsplit('/')[-1]}' && {CHECKED} && checked === version")
        browser.click(button)
        browser.wait("document.querySelector ('#answer .patches .apply') !== null")
        browser.click("#answer .patches .apply")
        browser.wait(f"document.getElementById ('edit').textContent.includes ('{said}')")
        browser.wait("explained === version")
    browser.screen(400, 700, mobile=True)
    browser.click("[data-ask=vary]")
    browser.wait("document.querySelector ('#answer tbody tr') !== null")
    browser.run("document.querySelectorAll ('#answer details').forEach (one => { one.open = true; }), true")
    browser.click("#answer details tbody tr:last-child td:last-child button")
    browser.wait("byId ('edit').textContent.includes ('No model\\'s answer has changed.')")
    browser.click("#answer tbody tr td:last-child button")
    browser.wait(f"{CHECKED} && (box => box.height > 0 && box.top >= 0 && box.bottom <= innerHeight) (byId ('edit').getBoundingClientRect ())")


@page_case("the button that stops a check moves nothing when it comes, under whatever is about to be clicked")
def still(open_page):
    browser = open_page()
    browser.wait("explained === version")
    top = lambda hidden: f"(byId ('stop').hidden = {hidden}, text.getBoundingClientRect ().top)"
    equal(browser.run("[...Array (60).keys ()].map (i => 800 + 10 * i).filter (width => { document.body.style.width = `${width}px`; "
                      f"return {top('true')} !== {top('false')}; }})"), [])


@page_case("a click that has begun ends, and the keyboard stays where it is, whatever is drawn anew meanwhile")
def drawn_anew(open_page):
    browser = open_page()
    browser.wait("explained === version")
    browser.run("byId ('picked').open = true, true")
    browser.wait("(byId ('picked').row = document.querySelector ('#tests button')) !== null")
    browser.run("byId ('picked').open = false, true")
    browser.run("new Promise (resolve => { byId ('picked').ontoggle = () => setTimeout (resolve, 0, true); byId ('picked').open = true; })")
    equal(browser.run("byId ('picked').row.isConnected"), True)  # the pointer may be on it already
    browser.run("byId ('picked').open = false, true")
    browser.run("checkSoon (), true")
    browser.wait("checked === version")
    browser.point("#body .flags button", True)
    time.sleep(2)  # in which why would be shown
    browser.point(False)
    browser.wait("document.querySelector ('#answer .patches .apply') !== null && explained === version")
    browser.run("document.querySelector ('#body .flags button').focus (), checkSoon (), true")
    browser.wait("explained === version && document.activeElement.matches ('#body .flags button')")
    browser.run("(all => { redraw (byId ('body'), () => byId ('body').replaceChildren ()); redraw (byId ('body'), () => byId ('body').replaceChildren (...all)); }) ([...byId ('body').childNodes])")
    equal(browser.run("document.activeElement.matches ('#body .flags button')"), True)  # as after an answer so far that has no flag yet
    open_menu(browser, "chosen")
    browser.run("document.querySelector ('#models input[value=\"sc.cat\"]').focus (), true")
    browser.press(" ")
    browser.wait(f"{CHECKED} && checked === version && state.models.includes ('sc.cat')")
    equal(browser.run("document.activeElement.value"), "sc.cat")


@page_case("the list of tests says what each is about and which flags it raises, and is searched for both")
def hints(open_page):
    browser = open_page()
    open_menu(browser, "picked")
    browser.type("#search", "DATA_race work-group")
    rows = "[...document.querySelectorAll ('#tests li')]"
    browser.wait(f"{rows}.length > 5 && {rows}.every (row => row.textContent.toLowerCase ().includes ('work-group') && row.querySelector ('.badge').textContent === 'data_race')")
    equal(browser.run(f"(row => [row.querySelector ('.about').textContent, row.querySelector ('.badge').title]) ({rows}.find (row => row.textContent.includes ('rsp/RSP_Test2')))"),
          ["Message passing to another work-group", "opencl, opencl_total"])
    for words, expected in (("kernels/compact.cl", "Elements that pass a test are copied without gaps, by counting in local memory"), ("vulkan/2+2W.l", "Writes of two locations need not be ordered")):
        browser.run("byId ('search').value = arguments[0], showTests (), true", words)
        equal(browser.run(f"{rows}[0].querySelector ('.about').textContent"), expected)


@page_case("a repair that is asked for before the check is over")
def early(open_page):
    browser = open_page()
    browser.wait(CHECKED)
    path = "opencl/MP-dev+fence-rel-wg+fence-acq-wg.litmus"
    browser.run(f"loadTest ('{path}', shipped.tests['{path}']), document.getElementById ('under').value = 'opencl.cat', askWhat ('repair'), true")
    browser.wait("document.querySelector ('#answer .patches') !== null")
    browser.click("#answer .patches .apply")
    browser.wait(f"document.getElementById ('edit').textContent.includes ('no longer data_race') && !{BODY}.includes ('data_race')")


@page_case("a test in another language has its models; a change is applied from the table, which needs no scrolling")
def languages(open_page):
    browser = open_page()
    open_menu(browser, "picked")
    browser.click("#tests button[title='vulkan/2+2W.litmus']")
    browser.wait(f"{TEXT}.startsWith ('VULKAN 2+2W') && {BODY}.includes ('Sometimes') && byId ('under').value === 'vulkan.cat'")
    equal(browser.run("byId ('chosen').querySelector ('summary').textContent"), "Models: the language's own")
    browser.run("(t => { t.focus (); t.selectionStart = t.selectionEnd = t.value.indexOf ('st.atom') + 'st.at'.length; }) (document.getElementById ('text'))")
    browser.press("Control+ ")
    browser.wait("document.querySelector ('#offers [aria-selected=true] code')?.textContent === 'atom'")
    equal(browser.run("(showTab (FILE), byId ('offers').hidden)"), True)
    browser.click("[data-ask=vary]")
    browser.wait("document.querySelector ('#answer tbody tr') !== null")
    equal(browser.run("document.querySelector ('#answer .scroll').scrollWidth - document.querySelector ('#answer .scroll').clientWidth"), 0)
    before = browser.run(TEXT)
    browser.click("#answer tbody tr td:last-child button")
    browser.wait(f"{TEXT} !== arguments[0] && {CHECKED}", before)
    open_menu(browser, "chosen")
    browser.type("#find", "ptx")
    browser.wait("[...document.querySelectorAll ('#models div')].every (row => row.textContent.includes ('ptx'))")


@page_case("a kernel: what is found on the grid, and its repair")
def kernel(open_page):
    browser = open_page()
    text = "__kernel void shift (__global int *data, __local int *copy)\\n{\\n  int i = get_local_id (0);\\n  copy[i] = data[i];\\n  data[i] = copy[1 - i];\\n}\\n"
    browser.run(f"state.grid = '1x2', loadTest ('shift.cl', '{text}'), true")
    browser.wait(f"{BODY}.includes ('1 finding on the grid 1x2') && document.getElementById ('messages').textContent.includes ('data race on copy')")
    browser.wait("document.querySelectorAll ('.kernel [data-ask]').length > 1 && document.querySelector ('#grid input').value === '1x2'")
    for grid, expected in (("1x1", "on the grid 1x1"), ("1x2", "data race on copy")):
        browser.run(f"byId ('grid').firstElementChild.lastElementChild.value = '{grid}', "
                    "byId ('grid').firstElementChild.lastElementChild.dispatchEvent (new Event ('change', { bubbles: true })), true")
        browser.wait(f"{BODY}.includes ('{expected}')")
    equal(browser.run("[...byId ('strip').children].map (one => one.textContent)"), ["opencl_rem.cat: 1 finding", "opencl.cat: 1 finding"])
    browser.click("[data-ask=repair]")
    browser.wait("document.querySelector ('#answer .patches .apply') !== null")
    browser.click("#answer .patches .apply")
    browser.wait(f"{BODY}.includes ('no findings on the grid 1x2') && {TEXT}.includes ('barrier (')")
    browser.run("loadTest ('rsp/RSP_Test2.litmus', shipped.tests['rsp/RSP_Test2.litmus']), true")
    browser.wait(f"!document.body.classList.contains ('kernel') && {BODY}.includes ('States')")


@page_case("a kernel with macros, and those that -D gives")
def macro_kernel(open_page):
    browser = open_page()
    text = "#define PLACE(i) data[(i) / N]\\n__kernel void k (__global int *data)\\n{\\n  PLACE (get_global_id (0)) = 1;\\n}\\n"
    browser.run(f"state.grid = '1x2', setOptions (['-D', 'N=2']), loadTest ('k.cl', '{text}'), true")
    browser.wait(f"{BODY}.includes ('1 finding on the grid 1x2') && byId ('messages').textContent.startsWith ('k.cl:4:')")
    browser.run("setOptions (['-D', 'N=1']), true")
    browser.wait(f"{BODY}.includes ('no findings on the grid 1x2')")
    if browser.run("shipped.headers !== undefined"):
        browser.run("setOptions (['-spin', 'last']), loadTest ('kernels/lock-tas.cl', shipped.tests['kernels/lock-tas.cl']), true")
        browser.wait(f"{BODY}.includes ('no findings on the grid 1x2') && document.querySelector ('#messages .error') === null && checked === version")


@page_case("errors of a test that has not been checked: said once, and without the results of the test before")
def wrong_test(open_page):
    browser = open_page()
    browser.run("loadTest ('wrong.litmus', 'OpenCL wrong\\n{ x=0 }\\nP0 (global int* x) { *y = 1; }\\nexists (x=1)\\n'), true")
    browser.wait("byId ('state').textContent === 'There are errors.' && checked === version")
    equal(browser.run("[byId ('body').childElementCount + byId ('strip').childElementCount, document.querySelectorAll ('#messages .error').length]"), [0, 1])
    browser.run("loadTest ('wrong.cl', '__kernel void k (__global int *x) { x[0] = y; }\\n'), true")
    browser.wait("byId ('messages').textContent.includes ('y is not declared')")
    equal(browser.run("document.querySelectorAll ('#messages .error').length"), 1)


@page_case("what may stand at the cursor, and what a name means")
def names(open_page):
    browser = open_page()
    browser.run("(t => { t.focus (); t.selectionStart = t.selectionEnd = t.value.indexOf ('memory_order_acquire') + 'memory_order_acq'.length; }) (document.getElementById ('text'))")
    browser.press("Control+ ")
    browser.wait("document.querySelector ('#offers [aria-selected=true] code')?.textContent === 'memory_order_acq_rel'")
    browser.press("Enter")
    browser.wait(f"{TEXT}.includes ('memory_order_acq_reluire') && document.getElementById ('offers').hidden")
    browser.run("document.execCommand ('undo')")
    browser.wait(f"!{TEXT}.includes ('acq_reluire')")
    mended = browser.run(TEXT)
    edit(browser, "  *x = 53;", "*x = 53  ;")
    browser.click("#format")
    browser.wait(f"{TEXT} === arguments[0]", mended)
    open_menu(browser, "chosen")
    browser.run("[...document.querySelectorAll ('#models div')].find (row => row.textContent.includes ('opencl_rem.cat')).querySelector ('button').click ()")
    browser.run("(t => { t.focus (); t.setSelectionRange (t.value.length, t.value.length); document.execCommand ('insertText', false, '\\nlet mine = ghb | ghb'); }) (document.getElementById ('text'))")
    browser.press("F12")
    browser.wait("document.querySelector ('#tabs [aria-selected=true]').textContent === 'opencl_base.cat'")
    equal(browser.run("(t => t.value.slice (t.selectionStart, t.selectionEnd)) (document.getElementById ('text'))"), "ghb")
    browser.run("(t => explainName ({ line: t.value.slice (0, t.selectionStart).split ('\\n').length - 1, character: 4 }, resting = 1)) (document.getElementById ('text')), true")
    browser.wait("document.getElementById ('meaning').textContent.includes ('ghb')")
    browser.run("(t => { t.focus (); t.setSelectionRange (t.value.length, t.value.length); document.execCommand ('insertText', false, '\\nlet both (a, b) = a & b\\nlet c = both (po,'); }) (document.getElementById ('text'))")
    browser.wait("document.getElementById ('meaning').textContent === 'both (a, b)'")


@page_case("options, of which the checker tells, and hangs under a scheduler's promises")
def options(open_page):
    browser = open_page()
    browser.click("#set summary")
    browser.wait("document.querySelectorAll ('#table dt').length > 15")
    browser.run("(row => { row.value = 'fair'; row.dispatchEvent (new Event ('change')); }) ([...document.querySelectorAll ('#table label')].find (one => one.textContent.includes ('-progress')).querySelector ('input'))")
    browser.wait(f"{CHECKED} && {BODY}.includes ('Progress')")
    browser.run("(row => { row.value = ''; row.dispatchEvent (new Event ('change')); }) ([...document.querySelectorAll ('#table label')].find (one => one.textContent.includes ('-progress')).querySelector ('input'))")
    browser.run("(row => { row.value = 'rsp'; row.dispatchEvent (new Event ('change')); }) ([...document.querySelectorAll ('#table label')].find (one => one.textContent.includes ('-machine')).querySelector ('select'))")
    browser.wait("document.getElementById ('set').querySelector ('summary').textContent === '-machine rsp'")
    browser.run("state.models = ['opencl_rem.cat'], showModels (), checkSoon (), true")
    browser.wait(f"{BODY}.includes ('-machine cannot be combined with -explain') && explained === version")


@page_case("a model is edited, also one that others include; models are told apart")
def models(open_page):
    browser = open_page()
    open_menu(browser, "chosen")
    browser.type("#find", "opencl_base")
    browser.click("#models button")
    edit(browser, "irreflexive coherence_step ; ghb as global_coherence", "")
    browser.wait("document.getElementById ('edit').textContent.includes ('gained 1:r0=1; 1:r1=0')")
    edit(browser, "acyclic ghb as global_hb", "acyclic ghbb as global_hb")
    browser.wait("document.querySelector ('#messages li')?.textContent.includes ('ghbb is not defined')")
    browser.wait("document.querySelector ('.editor .line.marked')?.textContent.includes ('ghbb')")
    browser.run("state.models.push ('sc.cat'), checkSoon (), true")
    browser.wait(f"{CHECKED} && checked === version && {BODY}.includes ('Error')")
    equal(browser.run("state.models.pop () && byId ('edit').hidden"), True)  # a model that cannot be read has not lost its states
    browser.click("[data-ask=apart]")
    browser.wait("document.querySelector ('#answer pre.trace')?.textContent.includes ('ghbb')")
    edit(browser, "ghbb", "ghb")
    browser.wait(CHECKED)
    browser.click("[data-ask=apart]")
    browser.wait("document.querySelector ('#answer .patches button') !== null")
    browser.click("#answer .patches button")
    browser.wait(f"{TEXT}.startsWith ('OpenCL Rx.Wx') && {CHECKED}")
    tabs = lambda: browser.run("[...document.querySelectorAll ('#tabs [role=tab]')].map (one => one.textContent)")
    equal(tabs()[1:], ["RSP_Test2.litmus", "opencl_base.cat"])
    browser.click("#tabs .tab:nth-child(2) [role=tab]")
    browser.wait(f"{TEXT}.startsWith ('OpenCL RSP_Test2') && {CHECKED}")
    browser.click("#tabs .tab:nth-child(3) .close")
    browser.wait(f"{CHECKED} && !{BODY}.includes ('gained')")
    browser.click("#tabs .tab:nth-child(2) .close")
    equal(tabs(), ["RSP_Test2.litmus"])


@page_case("a long check is stopped, and hostile texts do no harm")
def hostile(open_page):
    browser = open_page()
    browser.run("state.models = ['opencl.cat -engine naive'], showModels (), true")
    write(browser, (ROOT / "tests/cli/data/heavy.litmus").read_text())
    browser.wait("!document.getElementById ('stop').hidden && document.getElementById ('stop').textContent === 'Stop (Esc) after 1 s'")
    browser.press("Escape")
    browser.wait("document.getElementById ('stop').hidden && document.getElementById ('state').textContent === 'Stopped.'")
    for text in ("", "(" * 100000, "OpenCL <img src=x onerror=document.title='bad'>\n{ x=0 }\nP0 (global int* x) { *x = 1; }\nexists (x=1)\n",
                 "\0\1\2", "OpenCL T\n{}\nP0 (global int* x) { " + "if (1) {" * 20000 + "\n"):
        write(browser, text)
        time.sleep(0.2)
        browser.wait("document.getElementById ('stop').hidden")
    write(browser, (GOLDEN / "RSP_Test1.litmus").read_text())
    browser.wait(f"{CHECKED} && {BODY}.includes ('Sometimes')")
    equal(browser.run("document.title"), "rspcheck workbench")


@page_case("models that have answered are shown while another is asked, states while they are found, and how far a search is")
def parts(open_page):
    browser = open_page()
    edit(browser, "memory_order_acquire", "memory_order_acqire")
    browser.wait("document.querySelector ('#messages .error') !== null")
    browser.run("state.models = ['sc.cat', 'opencl.cat -engine naive'], showModels (), true")
    write(browser, (ROOT / "tests/cli/data/heavy.litmus").read_text())
    browser.wait("document.getElementById ('state').textContent === 'Checking under opencl.cat -engine naive…'")
    browser.wait(f"{BODY}.includes ('0:r0=5') || document.querySelectorAll ('#body .states tbody tr').length === 13")
    equal(browser.run("document.querySelector ('#messages .error') === null && document.querySelector ('.editor .marked') === null"), True)
    browser.press("Escape")
    browser.wait("document.getElementById ('state').textContent === 'Stopped.'")
    browser.run("state.models = ['opencl.cat'], showModels (), true")
    write(browser, (ROOT / "tests/cli/data/exchanges.litmus").read_text())
    browser.wait(f"{BODY}.includes ('so far') && {BODY}.includes ('found; still searching')")  # within its only combination of paths
    browser.wait(f"{CHECKED} && checked === version && document.querySelectorAll ('#body .states tbody tr').length === 8")
    path = "steal/WSQ3-push-push-push-pop+steal+steal.litmus"
    browser.run(f"state.options = '-unroll 6', state.models = ['opencl.cat -engine naive'], showModels (), loadTest ('{path}', shipped.tests['{path}']), true")
    browser.wait(f"{BODY}.includes ('so far') && {BODY}.includes ('found; still searching')")
    browser.press("Escape")
    browser.wait("document.getElementById ('state').textContent === 'Stopped.'")
    browser.run("state.options = '', loadTest ('rsp/RSP_Test2.litmus', shipped.tests['rsp/RSP_Test2.litmus']), state.models = ['opencl.cat', 'opencl_rem.cat'], showModels (), true")
    browser.wait(CHECKED)
    browser.run("QUESTIONS.apart.splice (2, 1, '6'), askWhat ('apart'), true")
    browser.wait("document.querySelector ('#answer .note')?.textContent.includes ('Searching… 4 events')")
    browser.press("Escape")
    browser.wait("document.querySelector ('#answer .note').textContent === 'Stopped.'")


# ---- At a glance ----


@page_case("at a glance: the editor fills the height, What if is a row, and pictures begin fitted, with words for who does not see them")
def glance(open_page):
    browser = open_page()
    browser.screen(1400, 900)
    browser.wait("document.querySelector ('.canvas svg .node') !== null")
    equal(browser.run("(bottom => bottom > innerHeight - 60 && bottom <= innerHeight) (byId ('ask').getBoundingClientRect ().bottom)"), True)
    equal(browser.run("document.querySelector ('.editor').clientHeight > innerHeight / 2"), True)
    middles = browser.run("[...document.querySelectorAll ('#under, [data-ask]')].map (one => (box => Math.round ((box.top + box.bottom) / 2)) (one.getBoundingClientRect ()))")
    equal(max(middles) - min(middles) < 3, True)
    equal(browser.run("(canvas => canvas.scrollWidth <= canvas.clientWidth && canvas.scrollHeight <= canvas.clientHeight) (document.querySelector ('.canvas'))"), True)
    words = browser.run("document.querySelector ('.canvas svg').getAttribute ('aria-label')")
    assert "W(na)x=53" in words.replace(" ", "") and re.search(r"; rf \w+ → \w+", words), words
    equal(browser.run("document.querySelectorAll ('h1').length"), 1)
    browser.click("[data-ask=vary]")
    browser.wait("document.querySelector ('#answer tbody tr') !== null")
    equal(browser.run("document.querySelector ('.editor').clientHeight >= 0.3 * innerHeight && byId ('ask').getBoundingClientRect ().bottom <= innerHeight"), True)


@page_case("at a glance: on a phone the verdicts stand above the editor, and no table is cut")
def phone(open_page):
    browser = open_page()
    for dark in (False, True):
        browser.screen(400, 800, dark, mobile=True)
        browser.wait("byId ('strip').getBoundingClientRect ().bottom <= document.querySelector ('.editor').getBoundingClientRect ().top")
        equal(browser.run("[...byId ('strip').children].map (one => one.textContent.split (':')[0])"), ["opencl_rem", "opencl"])
        equal(browser.run("document.documentElement.scrollWidth <= innerWidth && [...document.querySelectorAll ('#body .scroll')].every (one => one.scrollWidth <= one.clientWidth)"), True)
    browser.screen(1400, 900)
    equal(browser.run("byId ('strip').clientHeight"), 0)
    equal(browser.run("[...document.querySelectorAll ('#body .sentences li')].map (one => one.textContent)"),
          ["opencl_rem: no, it never ends with r0=1 and r1≠53.", "opencl: yes, it can end with r0=1 and r1≠53, and the program races (lines 13, 23)."])


@page_case("at a glance: signs have legends, models are coloured, and a version that is undefined says so")
def legends(open_page):
    browser = open_page()
    browser.wait("explained === version")
    equal(browser.run("[...document.querySelectorAll ('.legend')].map (one => one.textContent)"),
          ["≠ differs from opencl_rem · 1/2 executions for and against · ⚑ a flag of the model",
           "✓ the proposition holds · 1 executions that end so · – forbidden · ⚑ of them undefined"])
    equal(browser.run("[...document.querySelectorAll ('.verdicts thead th')].map (one => one.textContent)"), ["Model", "Verdict", "Undefined executions"])
    browser.run("byId ('under').value = 'opencl_rem.cat', askWhat ('vary'), true")
    browser.wait("byId ('answer').textContent.startsWith ('6 of 14 changes matter.')")
    equal(browser.run("[...new Set ([...document.querySelectorAll ('#answer > .scroll td:nth-child(2)')].map (one => one.textContent))]"), ["undefined, data_race"])
    equal(browser.run("document.querySelector ('#answer details summary').textContent"), "8 changes without effect")
    browser.run("byId ('under').value = 'opencl.cat', askWhat ('repair'), true")
    browser.wait("document.querySelector ('#answer .note')?.textContent.startsWith ('cost: ')")
    browser.click("[data-ask=apart]")
    browser.wait("document.querySelector ('#answer .patches details summary')?.textContent.startsWith ('5 twins')")
    equal(browser.run("[document.querySelectorAll ('#answer .patches > li').length, document.querySelector ('#answer .note').textContent.startsWith ('R is a load')]"), [3, True])
    browser.run("openModel ('opencl_rem.cat'), true")
    browser.wait("document.querySelector ('.editor .token-word')?.textContent === 'include'")
    browser.run("openModel ('opencl_base.cat'), true")
    equal(browser.run("[...new Set ([...document.querySelectorAll ('.editor :is(.token-word, .token-call)')].map (one => one.textContent))].filter (one => ['let', 'acyclic', 'irreflexive'].includes (one)).sort ()"),
          ["acyclic", "irreflexive", "let"])


@page_case("at a glance: menus by keys; models have titles, and their parts are shown when they are sought; options are grouped")
def menus(open_page):
    browser = open_page()
    open_menu(browser, "picked")
    browser.type("#search", "RSP_Test3")
    browser.press("ArrowDown")
    browser.wait("document.activeElement.title?.endsWith ('RSP_Test3.litmus')")
    browser.press("ArrowUp")
    browser.wait("document.activeElement.id === 'search'")
    browser.press("Enter")
    browser.wait(f"byId ('picked').open === false && {TEXT}.startsWith ('OpenCL RSP_Test3')")
    open_menu(browser, "chosen")
    names = "[...document.querySelectorAll ('#models label')].map (one => one.textContent.trim ())"
    equal("opencl_total.cat OpenCL with a total order of seq_cst" in browser.run(names), True)
    equal([name for name in browser.run(names) if "base" in name], [])
    browser.press("ArrowDown", "ArrowDown", "ArrowDown", " ")
    browser.wait("state.models.length === 3")
    browser.run("byId ('find').value = 'base', showModels (), true")
    equal("opencl_base.cat Base of the OpenCL models" in browser.run(names), True)
    browser.press("Escape")
    browser.wait("document.activeElement === document.querySelector ('#chosen summary')")
    browser.click("#set summary")
    browser.wait("document.querySelectorAll ('#table h2').length === 4")
    equal(browser.run("/-help|docs\\//.test (byId ('table').textContent)"), False)


@page_case("at a glance: what is copied is shown, and a link of -serve says that it is local")
def copied(open_page):
    browser = open_page()
    browser.run("navigator.clipboard.writeText = async words => { window.copied = words; }, true")
    browser.run("state.models = ['opencl.cat -variant v'], showModels (), checkSoon (), true")
    browser.wait("explained === version")
    browser.click("#command")
    browser.wait("byId ('state').textContent.startsWith ('The command is copied')")
    equal(browser.run("copied"), "rspcheck -model 'opencl.cat -variant v' RSP_Test2.litmus")
    equal(browser.run("byId ('state').textContent.includes (copied)"), True)
    browser.click("#share")
    browser.wait("byId ('state').textContent.startsWith ('The link is copied')")
    equal(browser.run("byId ('state').textContent.includes ('this machine only') === location.protocol.startsWith ('http')"), True)


def given_once(program, _):
    with Server(program, "mine/RSP_Test1.litmus", files={"mine/RSP_Test1.litmus": (ROOT / "litmus/rsp/RSP_Test1.litmus").read_text()}) as server, Browser() as browser:
        browser.open(server.address)
        browser.wait(CHECKED)
        open_menu(browser, "picked")
        browser.type("#search", "RSP_Test1.")
        browser.wait("document.querySelectorAll ('#tests li').length < 5")
        equal(browser.run("[...document.querySelectorAll ('#tests button')].map (one => one.title)"), ["mine/RSP_Test1.litmus"])


CASES.append(("at a glance: a test that is given and comes with the program is listed once, serve", given_once, "serve"))


def saving(program, _):
    with Server(program, "-write", "in/mine.litmus", files={"in/mine.litmus": (GOLDEN / "RSP_Test1.litmus").read_text()}) as server, Browser() as browser:
        browser.open(server.address)
        browser.wait(f"{CHECKED} && {TEXT}.startsWith ('OpenCL RSP_Test1')")
        edit(browser, "OpenCL RSP_Test1", "OpenCL Mine")
        browser.wait(f"{CHECKED} && document.getElementById ('stop').hidden")
        browser.click("#save")
        for _ in range(100):
            if "OpenCL Mine" in (found := (server.folder / "in/mine.litmus").read_text()):
                break
            time.sleep(0.1)
        equal(found, browser.run(TEXT))


CASES.append(("what is edited is saved where it lies, serve", saving, "serve"))


@case("a live page: its test is edited under its models, and the report is there again, in Chromium")
def live_page(program, build):
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        (pathlib.Path(folder) / "mine.cat").write_text('"mine"\ninclude "opencl.cat"\n')
        subprocess.run([program, "-q", "-live", "-html", "page.html", "-unroll", "3", "-model", "mine.cat -variant v", "-model", "opencl_rem.cat",
                        ROOT / "litmus/rsp"], cwd=folder, check=True, capture_output=True)
        browser.open((pathlib.Path(folder) / "page.html").as_uri() + "#test=RSP_Test2")
        browser.click("#panel .edit")
        inside = lambda script: browser.wait(f"(f => f && f.contentDocument.getElementById ('state') && (({script.replace('document', 'f.contentDocument')}))) (document.querySelector ('iframe.live'))")
        inside(f"{CHECKED} && {TEXT}.startsWith ('OpenCL RSP_Test2') && {BODY}.includes ('data_race')")
        inside("document.getElementById ('set').textContent.includes ('-unroll 3') && document.querySelector ('#chosen summary').textContent === 'mine.cat -variant v, opencl_rem.cat'")
        inside("!document.getElementById ('back').click ()")
        browser.wait("document.querySelector ('iframe.live') === null && document.getElementById ('matrix') !== null")
        equal(browser.complaints(), [])


def main():
    program, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    word = sys.argv[3] if len(sys.argv) > 3 else ""

    homes = [home for home, there in (("page", (build / "workbench.html").exists()), ("serve", not is_absent(program))) if there]
    chosen = [(title, function) for title, function, home in CASES if re.search(word, title) and home in homes]
    if not chosen:
        print("workbench: skipped: neither libsoup nor Emscripten\n1 passed, 0 failed")
        return 0

    def run(function):
        try:
            function(str(program), build)
        except (AssertionError, OSError, RuntimeError, ValueError):
            return traceback.format_exc()
        return ""
    return cases.report("workbench", chosen, run)


if __name__ == "__main__":
    sys.exit(main())
