#!/usr/bin/env python3
"""The stored inputs of the fuzz targets, one per line as a JSON string of bytes:

    tests/fuzz/corpus.py unpack tests/fuzz/corpus/TARGET FOLDER    a file per input, as libFuzzer reads them
    tests/fuzz/corpus.py pack tests/fuzz/corpus/TARGET FOLDER      adds the folder's files to the stored inputs
"""
import json
import os
import sys


def stored(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="ascii") as file:
        return [json.loads(line).encode("latin-1") for line in file]


def unpack(path, folder):
    os.makedirs(folder, exist_ok=True)
    for number, data in enumerate(stored(path)):
        with open(os.path.join(folder, f"{number:04}"), "wb") as file:
            file.write(data)


def pack(path, folder):
    inputs = set(stored(path))
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            inputs.add(file.read())
    with open(path, "w", encoding="ascii") as file:
        for data in sorted(inputs, key=lambda data: (len(data), data)):
            file.write(json.dumps(data.decode("latin-1")) + "\n")


if __name__ == "__main__":
    {"unpack": unpack, "pack": pack}[sys.argv[1]](*sys.argv[2:])
