#!/usr/bin/env python3
"""scripts/screenshots.py PROGRAM: README's pictures of the page and of the workbench, docs/page.png and docs/workbench.png,
taken in a headless Chromium (make screenshot)."""

import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from browser import Browser  # noqa: E402  pylint: disable=wrong-import-position

MODELS = ["-model", "opencl_rem.cat", "-model", "opencl.cat"]
PICTURE = "document.querySelector ('.explorer svg .node') !== null"


def page(browser, program, folder):
    """One test of the report, open."""
    report = pathlib.Path(folder) / "page.html"
    subprocess.run([program, "-q", "-html", report, "-explain", *MODELS, ROOT / "litmus/rsp"], stdout=subprocess.DEVNULL, check=True)
    browser.screen(1280, 980)
    browser.open(report.as_uri() + "#test=RSP_Test2")
    browser.wait(PICTURE)
    browser.screenshot(ROOT / "docs/page.png")


def workbench(browser, program):
    """The same test in the workbench, with its repairs."""
    server = subprocess.Popen([program, "-serve", "-no-open", *MODELS, ROOT / "litmus/rsp/RSP_Test2.litmus"], text=True, stdout=subprocess.PIPE)
    try:
        browser.screen(1400, 1130)
        browser.open(server.stdout.readline().strip())
        browser.wait(PICTURE)
        browser.click("[data-ask=repair]")
        browser.wait("document.querySelector ('#answer .patches') !== null")
        browser.screenshot(ROOT / "docs/workbench.png")
    finally:
        server.terminate()
        server.wait()


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        page(browser, program, folder)
        workbench(browser, program)


if __name__ == "__main__":
    main()
