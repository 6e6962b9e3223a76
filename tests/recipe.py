#!/usr/bin/env python3
"""Prints a recipe of a document: the code block below the line `<!-- recipe: NAME -->`.

    tests/recipe.py DOCUMENT NAME
"""

import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
found = re.search(rf"^<!-- recipe: {re.escape(sys.argv[2])} -->\n```\w*\n(.*?)^```$", text, re.M | re.S)
if not found:
    sys.exit(f"{sys.argv[1]}: no recipe {sys.argv[2]}")
print(found[1], end="")
