"""Compares what rspcheck says about tests with what the witness says: states, executions of each, flags,
executions that are undefined behaviour."""

import collections
import functools
import json
import re
import subprocess

from c_syntax import SyntaxProblem
from c_types import Unsupported
from cat_evaluator import Model
from cat_library import TooMany
from execution_json import faults
from columns_syntax import is_in_columns, read_columns
from executions import Candidates, Options, TooLarge
from judge import judge
from litmus_syntax import read_test


def records(program, model, tests, extra=()):
    """What -json says about each test, and what is on standard error."""
    command = [program, "-q", "-json", "-model", model, *extra, *tests]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return [json.loads(line) for line in result.stdout.splitlines()], result.stderr


def from_record(record):
    """A record of -json in the witness's words. Values that nothing determines are all `?`: their
    names are rspcheck's own."""
    states, bad = collections.Counter(), collections.Counter()
    for state in record["states"]:
        text = re.sub(r"=(\?|S\d)[^;]*;", "=?;", state["state"])
        states[text] += int(state["executions"])
        bad[text] += int(state["undefined"] or 0)
    return {"states": dict(states), "bad": {t: n for t, n in bad.items() if n},
            "positive": int(record["positive"]), "negative": int(record["negative"]),
            "undetermined": int(record.get("undetermined", 0)),
            "flags": sorted(flag["name"] for flag in record["flags"])}


def from_answer(answer):
    return {"states": {text: n for text, (n, _) in answer.states.items()},
            "bad": {text: bad for text, (_, bad) in answer.states.items() if bad},
            "positive": answer.positive, "negative": answer.negative,
            "undetermined": answer.undetermined, "flags": sorted(answer.flags)}


@functools.lru_cache(maxsize=500)
def candidates_of(source, options):
    """(test, its candidates, None), or (None, None, why there are none)"""
    try:
        test = read_columns(source) if is_in_columns(source) else read_test(source)
        return test, Candidates(test, options), None
    except TooLarge:
        return None, None, "too large"
    except (Unsupported, SyntaxProblem) as why:
        return None, None, str(why)


def difference(record, model, options):
    """(what differs, in lines; why the witness cannot say, or None)"""
    test, candidates, why = candidates_of(record["source"], options)
    if why:
        return [], why
    try:
        answer = judge(test, candidates, model)
    except (TooLarge, TooMany):
        return [], "too large"
    except Unsupported as why:
        return [], str(why)
    ours, theirs = from_answer(answer), from_record(record)
    lines = []
    for key in ours:
        if ours[key] != theirs[key]:
            lines += [f"  {key}: rspcheck {theirs[key]}", f"  {' ' * len(key)}   witness {ours[key]}"]
    if answer.cut and not record["loop"]:
        lines.append("  a loop was truncated silently")
    return lines, None


class Comparison:
    """Counts of what was compared, what differed, and what was skipped and why."""

    def __init__(self, program, most, library, variants=(), extra=()):
        self.program, self.library = program, library
        self.options, self.more = Options(most), list(extra)
        self.set_variants(variants)
        self.same = self.different = 0
        self.models = []
        self.skipped = collections.Counter()

    def set_variants(self, variants):
        self.options = self.options._replace(variants=tuple(variants))
        self.extra = [word for v in variants for word in ("-variant", v)] + self.more

    def run(self, model_path, tests, model=None):
        """Compares these tests under a model, or another way to write it; prints what differs, with the test."""
        model = model or Model(model_path, [self.library])
        self.models.append(model)             # what executions keep of a model is found by its parts' identity
        if not tests:
            return
        found, errors = records(self.program, model_path, tests, self.extra)
        if not found:
            self.different += 1
            print(f"DIFFERENT {model_path}: no records\n{errors}")
        for record in found:
            self.take(record, model)

    def take(self, record, model):
        if record["status"] != "ok":
            self.skipped[f"rspcheck gives no answer ({record['status']})"] += 1
            return
        lines, why = difference(record, model, self.options)
        if why:
            self.skipped[why] += 1
            return
        if lines:
            self.different += 1
            print(f"DIFFERENT {record['path']} under {record['model']}", *lines, sep="\n")
            print(record["source"])
        else:
            self.same += 1

    def explanations(self, model_path, tests):
        """Checks each execution that -explain shows for these tests against the model."""
        model = Model(model_path, [self.library])
        self.models.append(model)
        for record in records(self.program, model_path, tests, [*self.extra, "-explain"])[0]:
            for explanation in record.get("explanation") or []:
                lines = faults(model, explanation)
                self.same += not lines
                self.different += bool(lines)
                if lines:
                    print(f"DIFFERENT {record['path']} under {record['model']}", *lines, sep="\n")

    def report(self):
        for why, count in self.skipped.most_common():
            print(f"witness: {count} skipped: {why}")
        print(f"{self.same} passed, {self.different} failed")
        return self.different > 0
