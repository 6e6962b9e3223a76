#!/usr/bin/env python3
"""A page with the pictures of a suite's explanations, to be looked at.

    scripts/pictures.py [-model M] [-o FILE.html] PROGRAM TESTS…     (also: make pictures)

Runs `PROGRAM -explain -format svg -o DIR` and puts what it draws into one page: of each test the witness or
the execution that each set of blame fails, and the execution that raises a flag. The page is legible on light
and on dark ground, and on a telephone: pictures shrink with the window, and scroll where they would be too small.
"""

import argparse
import html
import pathlib
import re
import subprocess
import sys
import tempfile

STYLE = """:root { color-scheme: light dark; font-family: sans-serif; }
body { margin: 1rem auto; max-width: 90rem; padding: 0 1rem; }
main { display: flex; flex-wrap: wrap; gap: 2rem; }
figure { margin: 0; max-width: 100%; overflow-x: auto; }
svg { height: auto; }"""


def drawn(program, model, tests, folder):
    command = [program, "-q", "-explain", "-format", "svg", "-o", folder, "-model", model, *tests]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        sys.exit(f"status {done.returncode}: {' '.join(command)}")
    return sorted(pathlib.Path(folder).glob("*.svg"))


def figure(path):
    svg = path.read_text(encoding="utf-8")
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r'<svg width="[^"]*" height="[^"]*"', "<svg", svg, count=1)
    width = float(re.search(r'viewBox="[\d.]+ [\d.]+ ([\d.]+) ', svg).group(1))
    # As large as it was drawn; smaller where the window is, but not so small that nobody can read it.
    svg = svg.replace("<svg", f'<svg style="width: clamp({0.7 * width:.0f}pt, 100vw - 4rem, {width:.0f}pt)"', 1)
    # Ids of one picture are not those of another.
    svg = re.sub(r' id="[^"]*"', "", svg)
    return f"<figure>\n{svg}</figure>"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-model", default="opencl_rem.cat")
    parser.add_argument("-o", dest="page", default="-", metavar="FILE")
    parser.add_argument("program")
    parser.add_argument("tests", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = [figure(path) for path in drawn(options.program, options.model, options.tests, folder)]
    title = f"{len(figures)} executions under {options.model}"
    page = (f'<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width">\n<title>{html.escape(title)}</title>\n'
            f"<style>\n{STYLE}\n</style>\n<h1>{html.escape(title)}</h1>\n<main>\n" + "\n".join(figures) + "\n</main>\n</html>\n")
    if options.page == "-":
        sys.stdout.write(page)
    else:
        pathlib.Path(options.page).write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
