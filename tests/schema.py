#!/usr/bin/env python3
"""Validates JSON Lines against the part of JSON Schema that docs/schema.json uses.

    tests/schema.py SCHEMA FILE...

Prints each violation with line and place; the exit status is 1 if there is any.
"""

import json
import re
import sys

TYPES = {"string": str, "boolean": bool, "object": dict, "array": list, "null": type(None)}
KNOWN = {"$schema", "title", "description", "type", "enum", "properties", "required", "items",
         "additionalProperties", "pattern", "minimum", "if", "then", "else", "$ref", "$defs"}
ROOT = {}  # the schema itself, where references lead


def has_type(value, name):
    if name in ("integer", "number"):
        return not isinstance(value, bool) and isinstance(value, int if name == "integer" else (int, float))
    return isinstance(value, TYPES[name])


def violations(value, schema, place):
    unknown = set(schema) - KNOWN
    if unknown:
        yield f"the schema uses {sorted(unknown)}, which this program does not know"
    if "$ref" in schema:
        target = ROOT
        for name in schema["$ref"].removeprefix("#/").split("/"):
            target = target[name]
        yield from violations(value, target, place)
    types = schema.get("type")
    if types and not any(has_type(value, t) for t in ([types] if isinstance(types, str) else types)):
        yield f"{place}: expected {types}, found {value!r}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place}: {value!r} is none of {schema['enum']}"
    if "pattern" in schema and isinstance(value, str) and not re.search(schema["pattern"], value):
        yield f"{place}: {value!r} does not match {schema['pattern']}"
    if "minimum" in schema and value is not None and value < schema["minimum"]:
        yield f"{place}: {value} is less than {schema['minimum']}"
    if isinstance(value, list):
        for i, item in enumerate(value):
            yield from violations(item, schema.get("items", {}), f"{place}[{i}]")
    if isinstance(value, dict):
        members = schema.get("properties", {})
        for name in schema.get("required", []):
            if name not in value:
                yield f"{place}: no member {name}"
        for name, item in value.items():
            if name in members:
                yield from violations(item, members[name], f"{place}.{name}")
            elif schema.get("additionalProperties") is False:
                yield f"{place}: unknown member {name}"
            elif isinstance(schema.get("additionalProperties"), dict):
                yield from violations(item, schema["additionalProperties"], f"{place}.{name}")
    if "if" in schema:
        branch = "else" if list(violations(value, schema["if"], place)) else "then"
        yield from violations(value, schema.get(branch, {}), place)


def main():
    schema = json.load(open(sys.argv[1], encoding="utf-8"))
    ROOT.update(schema)
    failed = 0
    for path in sys.argv[2:]:
        for number, line in enumerate(open(path, encoding="utf-8"), 1):
            for complaint in violations(json.loads(line), schema, f"{path}:{number}: record"):
                print(complaint)
                failed = 1
    return failed


sys.exit(main())
