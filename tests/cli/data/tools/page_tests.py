"""The entries of each test in a page's data.json: its verdicts, flags, states, and whether models
differ."""
import json

data = json.load(open("data.json"))
for test in data["tests"]:
    verdicts = [data["verdicts"][cell["v"]] for cell in test["cells"]]
    flags = [data["flags"][f] for cell in test["cells"] for f in cell.get("f", [])]
    print(test["name"], verdicts, flags, test["states"], test.get("differs"))
