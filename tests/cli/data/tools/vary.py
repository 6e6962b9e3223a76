"""Checks each changed test of `-vary -json` (standard input) and compares with what its row says."""

import json
import os
import subprocess
import sys

n = 0
for line in sys.stdin:
    row = json.loads(line)
    after = row["after"]
    with open("version.litmus", "w", encoding="utf-8") as file:
        file.write(row["source"])
    log = subprocess.run([os.environ["PROGRAM"], "-q", "version.litmus"], capture_output=True, text=True,
                         check=True).stdout
    lines = log.splitlines()
    assert f"Observation {row['test']} {after['observation']} " in log, row
    assert f"States {after['states']}" in lines, row
    assert [text[5:] for text in lines if text.startswith("Flag ")] == after["flags"], row
    assert all(state in lines for state in row["gained"]), row
    assert not any(state in lines for state in row["lost"]), row
    n += 1
print("checked", n)
