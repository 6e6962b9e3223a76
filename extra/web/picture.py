#!/usr/bin/env python3
"""extra/web/picture.py PAGE OUTPUT: README's picture of the workbench, taken in a headless Chromium (make screenshot)."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tests"))
from browser import Browser  # pylint: disable=wrong-import-position


def main():
    page, output = sys.argv[1:]
    with Browser() as browser:
        browser.screen(1400, 1130)
        browser.open(pathlib.Path(page).resolve().as_uri())
        for again in range(2):  # the first check also starts the checker, and is not what a reader waits for
            browser.wait("document.querySelector ('.explorer svg .node') !== null")
            browser.run(f"{again} || (byId ('body').replaceChildren (), checkSoon (), true)")
        browser.click("[data-ask=repair]")
        browser.wait("document.querySelector ('#answer .patches') !== null")
        browser.screenshot(output)


if __name__ == "__main__":
    main()
