"""The contents of each record of out.jsonl: undefined, bad executions, flags, states, log."""
import json

for record in map(json.loads, open("out.jsonl")):
    flags = [flag["name"] for flag in record["flags"]]
    satisfied = [state["satisfies"] for state in record["states"]]
    print(record["test"], record["undefined"], record["bad"], flags, satisfied, record["log"])
