#!/usr/bin/env python3
"""extra/web/build.py FOLDER OUTPUT SCRIPT…: joins the workbench's parts into one HTML file.

FOLDER holds rspcheck.js, rspcheck.wasm and node_modules; the scripts are the page's, in order. What is large is
compressed (deflate) and in base64: a file opened from disk can load no other."""

import base64
import json
import pathlib
import sys
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def packed(data):
    return base64.b64encode(zlib.compress(data, 9)).decode()


def texts(pattern, key):
    return {key(path.relative_to(ROOT)): path.read_text() for path in sorted(ROOT.glob(pattern))}


def main():
    folder, output, *scripts = map(pathlib.Path, sys.argv[1:])
    read = lambda *paths: "\n".join(path.read_text() for path in paths)
    below = lambda path: str(path.relative_to("litmus"))
    shipped = {"installed": texts("cat/*.cat", str) | texts("machine/*.map", str) | texts("machine/*.machine", str),
               "tests": texts("litmus/**/*.litmus", below) | texts("litmus/kernels/*.cl", below),
               "headers": texts("litmus/kernels/*.h", lambda path: path.name),
               "expected": texts("litmus/*/expected.tsv", below)}
    page = (ROOT / "extra/serve/workbench.html").read_text()
    tag = lambda name, kind, text: f'<script type="{kind}" id="{name}">{text}</script>'
    policy = ("default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; "
              "worker-src blob:; img-src data:; base-uri 'none'; form-action 'none'")
    for name, part in {
            "POLICY": f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            "STYLE": read(ROOT / "report/page/page.css", ROOT / "extra/serve/workbench.css"),
            "PARTS": "\n".join([
                tag("shipped", "application/json", json.dumps({"texts": packed(json.dumps(shipped).encode()),
                                                               "wasm": packed((folder / "rspcheck.wasm").read_bytes())})),
                tag("graphviz", "text/plain", packed((folder / "node_modules/@viz-js/viz/dist/viz-global.js").read_bytes())),
                tag("worker", "text/plain", packed(read(folder / "rspcheck.js", ROOT / "extra/web/engine.js", ROOT / "extra/web/worker.js").encode()))]),
            "SCRIPT": read(*scripts)}.items():
        page = page.replace(f"@{name}@", part)
    output.write_text(page)


if __name__ == "__main__":
    main()
