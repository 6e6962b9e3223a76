#!/usr/bin/env python3
"""The lines of each part: scripts/lines.py [--write] counts the sources of each row of the table "What each part is for" in
docs/internals.md (C, grammars, scanners and lists of data; pages and their scripts apart), and prints the rows, or writes the
page. Fails if a source is in no row."""

import os
import re
import subprocess
import sys

os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = "docs/internals.md"
COUNTED = ("*.c", "*.h", "*.l", "*.y", "*.def", "*.inc", "*.js", "*.css", "*.html")
ROW = re.compile(r"^\| (`[^|]*`[^|]*) \| [\d,]* \|")


def main():
    with open(PAGE, encoding="utf-8") as file:
        before, heading, rest = file.read().partition("## What each part is for\n")
    listed = subprocess.run(["git", "ls-files", *COUNTED], capture_output=True, text=True, check=True).stdout.split()
    sources = [path for path in listed if not re.match("(tests|bench|docs|litmus)/", path)]
    lines = rest.split("\n## ")[0].split("\n")
    parts = {folder: number for number, line in enumerate(lines) if (row := ROW.match(line))
             for folder in re.findall("`([^`]*)`", row.group(1))}
    count, homeless = {}, []
    for path in sources:
        home = max((folder for folder in parts if path.startswith(folder)), key=len, default=None)
        if home is None:
            homeless.append(path)
            continue
        with open(path, encoding="utf-8") as file:
            count[parts[home]] = count.get(parts[home], 0) + sum(1 for _ in file)
    for number, n in count.items():
        lines[number] = ROW.sub(lambda row, n=n: f"| {row.group(1)} | {n:,} |", lines[number])
    table = "\n".join(lines)
    table = re.sub(r"(?m)^\| all \| [\d,]* \|", f"| all | {sum(count.values()):,} |", table)
    if "--write" in sys.argv:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(before + heading + table + rest[len("\n".join(rest.split(chr(10) + "## ")[0].split(chr(10)))):])
    else:
        print(table)
    if homeless:
        sys.exit("in no row of the table: " + ", ".join(homeless))


main()
