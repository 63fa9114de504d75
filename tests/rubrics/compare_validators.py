#!/usr/bin/env python3
"""Compares our validator with python3-jsonschema: the verdicts must be the same for every document.

usage: compare_validators.py SCHEMA_VERDICTS [SEED]

SCHEMA_VERDICTS is the program that tests/CMakeLists.txt builds. The documents are good ones for each
shipped schema and what is left of them after random damage (keys dropped, renamed and added, values of
other types, nulls, numbers out of range, entries doubled); small schemas for each keyword, with
values chosen by hand; and random patterns with random texts. SEED draws the damage (default 1).
"""
import base64
import copy
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile

from jsonschema import Draft202012Validator

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
GOLDEN = os.path.join(ROOT, "tests", "unit", "report", "golden")
ODD_VALUES = [None, True, False, 0, -1, 1, 2, 1.5, 1e9, "", "x", "a b", "\u00e9\U0001f600", "long" * 80,
              "\u0001", [], {}, [None], {"x": None}, "passed", "0x1"]

# Good documents of each platform's format, with all keys; the golden files are taken as well.
PLATFORM = {
    "gradescope": [{"score": 4.5, "execution_time": 3, "output": "a", "output_format": "md",
                    "visibility": "visible", "extra_data": {"seed": "0x1", "list": [1, {"a": "b"}]},
                    "tests": [{"score": 1, "max_score": 2, "status": "failed", "name": "n",
                               "number": "1.1", "tags": ["a"], "output": "o"}],
                    "leaderboard": [{"name": "speedup", "value": 3.5, "order": "desc"}]},
                   {"tests": [{"score": 1, "max_score": 2}, {"score": 0}]}],
    "prairielearn": [{"score": 0.5, "gradable": True, "message": "m", "output": "o",
                      "images": ["data:", {"label": "l", "url": "u"}],
                      "tests": [{"name": "n", "description": "d", "points": 1, "max_points": 2,
                                 "message": "m", "output": "o"}]},
                     {"gradable": False, "format_errors": ["why"]}],
    "autolab": [{"scores": {"compile": 5, "race-free": 2.5}, "scoreboard": [7.5, "x"]},
                {"_presentation": "semantic", "stages": ["Build", "Run"],
                 "Build": {"compile": {"passed": True}},
                 "Run": {"race": {"passed": False, "hint": "wait"}, "ms": 3}}],
    "check50": [{"slug": "matmul", "version": "1", "results": [
        {"name": "a", "description": "d", "passed": True, "log": [], "cause": None, "data": {},
         "dependency": None},
        {"name": "b", "description": "d", "passed": False, "log": ["x"],
         "cause": {"rationale": "r"}, "data": {"a": 1}, "dependency": "a"}]}],
    "github-classroom": [{"version": 1, "status": "fail", "max_score": 10, "tests": [
        {"name": "n", "status": "pass", "score": 3, "message": "m", "test_code": "t",
         "filename": "f.cu", "line_no": 3, "duration": "0.1s"}]}],
    "classroom50": [{"schema": "classroom50/result/v1", "score": 3, "max-score": 4, "tests": [
        {"test-name": "n", "passed": True, "score": 3, "max-score": 4},
        {"test-name": "m", "passed": False, "score": 0, "max-score": 0, "status": "error",
         "message": "why"}],
        "datetime": "2026-11-22T06:00:00Z"},
                    {"schema": "classroom50/result/v1", "classroom": "c", "assignment": "a",
                     "assignment_type": "individual", "owner": "o", "submission": "submit/1",
                     "commit": "u", "release": "u", "review": "u", "score": 0, "max-score": 0,
                     "tests": [], "datetime": "2026-11-22T06:00:00Z",
                     "graded_at": "2026-11-22T06:00:00Z",
                     "submitted_by": {"username": "o", "id": None}}],
    "sarif": [{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [
        {"tool": {"driver": {"name": "gpugrade", "version": "1", "rules": [
            {"id": "R01", "shortDescription": {"text": "t"}}]}},
         "results": [{"ruleId": "R01", "ruleIndex": 0, "level": "error", "message": {"text": "m"},
                      "locations": [{"physicalLocation": {
                          "artifactLocation": {"uri": "a%20b/c.cu"},
                          "region": {"startLine": 3, "startColumn": 1}}}],
                      "partialFingerprints": {"x/v1": "1"}}]}]}],
}

# A schema and values, some of which it must refuse.
SMALL = [
    (True, [1, None]), (False, [1, None]), ({}, [1]),
    ({"type": "integer"}, [1, 1.0, 1.5, "1", True, 1e300]),
    ({"type": ["number", "null"]}, [1, None, False, "x"]),
    ({"const": 1}, [1, 1.0, True, "1"]), ({"const": False}, [0, False, None]),
    ({"const": {"a": [1, {"b": 2}], "c": 3}}, [{"c": 3, "a": [1, {"b": 2.0}]}, {"a": [1], "c": 3}, {}]),
    # Before 4.18 jsonschema took [true] for [1]; the unit test has that.
    ({"enum": [1, "a", None, [1], {"a": 1}]}, [1, "a", None, [1], {"a": 1}, {"a": 2}, {}]),
    ({"minimum": 1, "exclusiveMaximum": 2}, [0.5, 1, 1.5, 2, "x"]),
    ({"exclusiveMinimum": 1, "maximum": 2}, [1, 1.5, 2, 2.5]),
    ({"minLength": 2, "maxLength": 3}, ["a", "ab", "\U0001f600\U0001f600\u00e9", "abcd", "", 3]),
    ({"pattern": "b+"}, ["abc", "ac", "", 3]), ({"pattern": "^$"}, ["", "a"]),
    ({"items": {"type": "number"}, "minItems": 1, "maxItems": 2}, [[], [1], [1, 2], [1, 2, 3], ["a"], 1]),
    ({"prefixItems": [{"type": "number"}, {"type": "string"}], "items": False},
     [[], [1], [1, "a"], [1, "a", 2], ["a"]]),
    ({"prefixItems": [{"const": 1}]}, [[1, 2, "x"], [2]]),
    ({"uniqueItems": True}, [[1, 2], [1, 1.0], [1, True], [0, False], [{"a": 1, "b": 2}, {"b": 2, "a": 1}],
                             [[1], [1]], ["a", "A"], []]),
    ({"uniqueItems": False}, [[1, 1]]),
    ({"properties": {"a": {"type": "string"}, "b": False}, "required": ["a"]},
     [{"a": "x"}, {"a": 1}, {}, {"a": "x", "b": 1}, [], "a"]),
    ({"properties": {"a": True}, "patternProperties": {"^x": {"type": "number"}, "y$": False},
      "additionalProperties": {"type": "boolean"}},
     [{"a": 1, "x": 1, "c": True}, {"x": "s"}, {"c": 1}, {"xy": 1}, {}]),
    ({"propertyNames": {"maxLength": 2, "pattern": "^a"}}, [{"ab": 1}, {"abc": 1}, {"b": 1}, {}]),
    ({"minProperties": 1, "maxProperties": 2}, [{}, {"a": 1}, {"a": 1, "b": 2, "c": 3}]),
    ({"dependentRequired": {"a": ["b", "c"]}}, [{"a": 1}, {"a": 1, "b": 1, "c": 1}, {"b": 1}]),
    ({"allOf": [{"minimum": 1}, {"maximum": 3}]}, [0, 2, 4]),
    ({"anyOf": [{"type": "string"}, {"minimum": 3}]}, ["a", 2, 3, None]),
    ({"oneOf": [{"minimum": 1}, {"maximum": 3}]}, [0, 2, 4, "x"]),
    ({"not": {"required": ["a", "b"]}}, [{"a": 1}, {"a": 1, "b": 1}, 3]),
    ({"not": {"not": {"type": "string"}}}, ["a", 1]),
    ({"if": {"minimum": 5}, "then": {"maximum": 7}, "else": {"const": 1}}, [1, 2, 6, 8]),
    ({"then": False, "else": False}, [1]), ({"if": False, "else": {"type": "string"}}, [1, "a"]),
    ({"$ref": "#/$defs/a", "maximum": 3, "$defs": {"a": {"minimum": 1}}}, [0, 2, 4]),
    ({"type": "object", "properties": {"next": {"$ref": "#"}}, "additionalProperties": False},
     [{"next": {"next": {}}}, {"next": {"next": 1}}, {"next": {"other": {}}}]),
    ({"$defs": {"tree": {"type": ["array", "number"], "items": {"$ref": "#/$defs/tree"}}},
      "$ref": "#/$defs/tree"}, [[[1, [2]], 3], [[["x"]]], []]),
    ({"anyOf": [{"oneOf": [{"const": 1}, {"const": 2}]}, {"allOf": [{"type": "string"}, {"minLength": 2}]}]},
     [1, 2, 3, "a", "ab"]),
]


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def schemas():
    """Returns each shipped schema by the path below rubrics/, without its ending."""
    paths = glob.glob(os.path.join(ROOT, "rubrics", "**", "*.schema.json"), recursive=True)
    return {os.path.basename(path)[:-len(".schema.json")]: path for path in sorted(paths)}


def golden_of_platform(name):
    """Returns what `gpugrade convert` writes for a platform, as its golden file has it."""
    with open(os.path.join(GOLDEN, "platform", name + ".txt"), "rb") as file:
        written = file.read()
    if name == "github-classroom":
        written = base64.b64decode(written.removeprefix(b"result="))
    lines = written.splitlines()[-2:] if name == "autolab" else [written]
    return [json.loads(line) for line in lines if line.startswith(b"{")]


def good_documents(name):
    """Returns documents that follow a schema."""
    if name == "rubric":
        paths = sorted(glob.glob(os.path.join(HERE, "valid", "*.json")))
        return [load(path) for path in paths + [os.path.join(ROOT, "rubrics", "matmul.json")]]
    if name == "class":
        with open(os.path.join(GOLDEN, "class_lines.jsonl"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]
    golden = {"score": "*_json.txt", "run": "run_result*", "doctor": "doctor_result*"}
    if name in golden:
        return [load(path) for path in sorted(glob.glob(os.path.join(GOLDEN, golden[name])))]
    return copy.deepcopy(PLATFORM[name]) + golden_of_platform(name)


def places(document):
    """Lists (holder, key) of every value below the root."""
    found, waiting = [], [document]
    while waiting:
        value = waiting.pop()
        members = value.items() if isinstance(value, dict) else enumerate(value) \
            if isinstance(value, list) else []
        for key, member in members:
            found.append((value, key))
            waiting.append(member)
    return found


def change_number(chance, value):
    return chance.choice([-value, value + 0.5, value * 1000000, 0, -1, value + 1])


def damage(chance, document):
    """Changes one thing; says nothing of whether the document is still good."""
    holder, key = chance.choice(places(document))
    value = holder[key]
    kind = chance.randrange(7)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, dict):
        holder[chance.choice(["extra", str(key) + "x", "$" + str(key), "a b"])] = holder.pop(key)
    elif kind == 2 and isinstance(value, (dict, list)):
        if isinstance(value, dict):
            value["unknown"] = chance.choice(ODD_VALUES)
        else:
            value.append(copy.deepcopy(chance.choice(value + [None])))
    elif kind == 3 and isinstance(value, (int, float)) and not isinstance(value, bool):
        holder[key] = change_number(chance, value)
    elif kind == 4 and isinstance(value, str):
        holder[key] = chance.choice([value + "!", value.upper(), value[1:], " " + value, value * 50])
    elif kind == 5:
        other, place = chance.choice(places(document))
        holder[key] = copy.deepcopy(other[place])
    else:
        holder[key] = copy.deepcopy(chance.choice(ODD_VALUES))


def damaged(chance, name, count):
    """Returns the good documents and `count` damaged ones."""
    good = good_documents(name)
    documents = list(good)
    while len(documents) < count + len(good):
        document = copy.deepcopy(chance.choice(good))
        for _ in range(chance.choice([1, 1, 1, 2, 3])):
            if places(document):
                damage(chance, document)
        documents.append(document)
    documents += ODD_VALUES
    return documents


def random_pattern(chance, depth=0):
    """Returns a pattern in the subset that both sides know."""
    def atom():
        kinds = ["a", "b", "c", ".", "[ab]", "[^a]", "[a-c0-9]", "\\d", "\\w", "\\D", "\\W", "\\.",
                 "\\u0062", "-", "[^\\d]", "[-a]", "\u00e9"]
        if depth < 2 and chance.random() < 0.25:
            return chance.choice(["(", "(?:"]) + random_pattern(chance, depth + 1) + ")"
        return chance.choice(kinds)
    sequences = []
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        parts = [atom() + chance.choice(["", "", "", "*", "+", "?", "{2}", "{1,3}", "{0,}", "{0}"])
                 for _ in range(chance.randrange(4))]
        sequences.append(chance.choice(["", "", "^"]) + "".join(parts) + chance.choice(["", "", "$"]))
    return "|".join(sequences)


def verdicts(program, folder, schema, documents):
    """Asks our program; returns True, False or a text for each document."""
    schema_path = os.path.join(folder, "schema.json")
    documents_path = os.path.join(folder, "documents.jsonl")
    with open(schema_path, "w", encoding="utf-8") as file:
        json.dump(schema, file)
    with open(documents_path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(document) + "\n" for document in documents)
    done = subprocess.run([program, schema_path, documents_path], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        return [done.stderr.strip()] * len(documents)
    return [{"ok": True, "FAIL": False}.get(line.split(" ")[0], line)
            for line in done.stdout.removesuffix("\n").split("\n")]


class Comparison:
    """Counts suites in which all verdicts are the same."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.passed = self.failed = 0

    def one(self, name, schema, documents, expected):
        ours = verdicts(self.program, self.folder, schema, documents)
        wrong = [(document, theirs, our) for document, theirs, our in zip(documents, expected, ours)
                 if theirs is not our]
        for document, theirs, our in wrong[:5]:
            print(f"  theirs {theirs}, ours {our}: {json.dumps(document)[:300]}")
        if wrong or len(ours) != len(documents):
            print(f"NOT OK  {name}: {len(wrong)} of {len(documents)} verdicts differ")
            self.failed += 1
        else:
            print(f"ok      {name}: {len(documents)} documents, {expected.count(False)} of them refused")
            self.passed += 1


def compare_patterns(comparison, chance):
    """Random patterns, all in one schema: the document n.TEXT is held to pattern n."""
    patterns = [random_pattern(chance) for _ in range(150)]
    documents, expected = [], []
    for number, pattern in enumerate(patterns):
        for _ in range(12):
            text = "".join(chance.choice("aabbc01-.\u00e9_") for _ in range(chance.randrange(6)))
            documents.append({str(number): text})
            expected.append(re.search(pattern, text, re.ASCII) is not None)
    schema = {"properties": {str(number): {"pattern": pattern}
                             for number, pattern in enumerate(patterns)}}
    comparison.one("patterns", schema, documents, expected)


def main(program, seed):
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        comparison = Comparison(program, folder)
        for name, path in schemas().items():
            schema = load(path)
            validator = Draft202012Validator(schema)
            documents = damaged(chance, name, 60)
            comparison.one(name, schema, documents, [validator.is_valid(one) for one in documents])
            good = good_documents(name)
            comparison.one(f"good ones of {name}", schema, good, [True] * len(good))
        for schema, documents in SMALL:
            validator = Draft202012Validator(schema)
            comparison.one(json.dumps(schema)[:70], schema, documents,
                           [validator.is_valid(one) for one in documents])
        compare_patterns(comparison, chance)
        print(f"{comparison.passed} passed, {comparison.failed} failed, 0 skipped")
    return 0 if comparison.failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1))
