#!/usr/bin/env python3
"""Gives lines of results that a test has changed the checksums that rspcheck would have given them: seal.py FILE…"""
import re
import sys

LOW = (1 << 64) - 1


def checksum(text):
    a, b = 0x9E3779B97F4A7C15, 0xD1B54A32D192ED03
    words = [int.from_bytes(text[i:i + 8], "little") for i in range(0, len(text), 8)]
    for word in words + [len(text)]:
        x, y = (a ^ word) * 0xA0761D6478BD642F, (b + word & LOW) * 0xE7037ED1A0B428DB
        a, b = (x >> 64 ^ x & LOW) + 1 & LOW, (y >> 64 ^ y & LOW) + (word << 1 & LOW | word >> 63) & LOW
    return a


for name in sys.argv[1:]:
    with open(name, "rb") as file:
        lines = [re.sub(rb',"checksum":"[0-9a-f]*"\}$', b"}", line) for line in file.read().split(b"\n")]
    with open(name, "wb") as file:
        file.write(b"\n".join(line and line[:-1] + b',"checksum":"%016x"}' % checksum(line[:-1]) for line in lines))
