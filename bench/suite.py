#!/usr/bin/env python3
"""Times a large suite under several models, and how its page opens: bench/suite.py [TESTS]

The suite is 5,000 tests (or TESTS): the shipped ones over and over, each under a name of its own.
They are checked under four models with one job and with all cores, whose pages must be the same. The
page is then opened three times in a headless Chromium: `usable` is when its script has ended, with the
first rows drawn; `all rows` when the last row is there; `filter` is a search for `wg`.
"""

import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from browser import Browser  # noqa: E402

MODELS = ["opencl.cat", "opencl_rem.cat", "hrf_rsp.cat", "hrf_direct_relaxed.cat"]
SUITES = ["rsp", "opencl", "hrf", "steal"]
ALL_ROWS = "document.querySelectorAll ('#matrix tbody tr').length === shown.length"
FILTER = """(() => { const start = performance.now ();
  document.getElementById ('search').value = 'wg'; readForm (); document.body.offsetHeight;
  return performance.now () - start; }) ()"""


def write_suite(folder, n):
    files = sorted(file for suite in SUITES for file in (ROOT / "litmus" / suite).glob("*.litmus"))
    for i, file in zip(range(n), itertools.cycle(files)):
        text = re.sub(r"^(\w+\s+\S+)", rf"\1-{i:05}", file.read_text(), count=1)
        (folder / f"{file.stem}-{i:05}.litmus").write_text(text)


def check(folder, jobs, page, n):
    command = [str(ROOT / "rspcheck"), "-q", "-tsv", "-j", str(jobs), "-html", str(page)]
    for model in MODELS:
        command += ["-model", model]
    start = time.perf_counter()
    subprocess.run(command + [str(folder)], stdout=subprocess.DEVNULL, check=True)
    seconds = time.perf_counter() - start
    print(f"-j {jobs}: {n} tests, {len(MODELS)} models, {seconds:.1f} s, {n / seconds:.0f} tests a second", flush=True)


def open_page(page):
    print(f"page: {page.stat().st_size / 1e6:.1f} MB")
    with Browser() as browser:
        for _ in range(3):
            browser.open("about:blank")
            browser.open(page.as_uri())
            browser.wait("performance.getEntriesByName ('rspcheck-ready').length")
            usable = browser.run("performance.getEntriesByName ('rspcheck-ready')[0].startTime")
            browser.wait(ALL_ROWS)
            rows = browser.run("performance.now ()")
            print(f"usable {usable:.0f} ms, all rows {rows:.0f} ms, filter {browser.run(FILTER):.0f} ms", flush=True)


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    with tempfile.TemporaryDirectory() as name:
        folder, pages = pathlib.Path(name) / "tests", [pathlib.Path(name) / f"{k}.html" for k in "ab"]
        folder.mkdir()
        write_suite(folder, n)
        check(folder, 1, pages[0], n)
        check(folder, os.cpu_count(), pages[1], n)
        print("pages:", "the same" if pages[0].read_bytes() == pages[1].read_bytes() else "DIFFERENT")
        open_page(pages[1])


main()
