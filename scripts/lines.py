#!/usr/bin/env python3
"""The lines of each part: counts the sources of each row of the table "What each part is for" in docs/internals.md (C, grammars,
scanners and lists of data; pages and their scripts apart). Fails if a source is in no row."""

import collections
import os
import re
import subprocess
import sys

os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COUNTED = ("*.c", "*.h", "*.l", "*.y", "*.def", "*.inc", "*.js", "*.css", "*.html")


def main():
    with open("docs/internals.md", encoding="utf-8") as file:
        table = file.read().partition("## What each part is for\n")[2].split("\n## ")[0]
    parts = {folder: row for row in re.findall(r"(?m)^\| (`[^|]*`) \|", table)
             for folder in re.findall("`([^`]*)`", row)}
    listed = subprocess.run(["git", "ls-files", *COUNTED], capture_output=True, text=True, check=True).stdout.split()
    count = collections.Counter()
    homeless = []
    for path in listed:
        if re.match("(tests|bench|docs|litmus)/", path):
            continue
        home = max((folder for folder in parts if path.startswith(folder)), key=len, default=None)
        if home is None:
            homeless.append(path)
            continue
        with open(path, encoding="utf-8") as file:
            count[parts[home]] += sum(1 for _ in file)
    for part, lines in count.items():
        print(f"{lines:8,}  {part.replace('`', '')}")
    print(f"{count.total():8,}  all")
    if homeless:
        sys.exit("in no row of the table: " + ", ".join(homeless))


main()
