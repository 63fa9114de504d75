#!/usr/bin/env python3
"""check_class.py EXPECTED JSONL: compares a graded class with what make_class.py expects of it.

JSONL is `gpugrade report RESULTS --format jsonl`. Prints a line for each submission that is not as
expected, and at the end how many are. Status 1 if any is not. An expectation is

    all passed                                every criterion that this machine can measure
    <criterion> <status> [<kind> [<code>]]    likewise "kind/code|kind/code" with alternatives
    <criterion> ?                             whatever it is
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CODES = ROOT / "grader" / "model" / "codes.def"
CAUSES = ROOT / "grader" / "model" / "causes.def"


def kinds_of_codes():
    """{"mismatch": "wrong_result"} from the tables."""
    causes = dict(re.findall(r'^CAUSE\((\w+),\s*"(\w+)"', CAUSES.read_text(), re.MULTILINE))
    rows = re.findall(r'^CODE\(\w+,\s*"\w*",\s*"(\w+)",\s*(\w+)', CODES.read_text(), re.MULTILINE)
    return {name: causes[cause] for name, cause in rows}


def meets(words, criterion, kinds):
    """True if a criterion has the status and the cause that the words tell."""
    status, code = criterion["status"], criterion.get("code", "none")
    kind = kinds.get(code, "")
    partial_build = criterion["id"] == "compile" and status == "partial" and words[0] == "failed"
    if words[0] == "?":
        return True
    if status != words[0] and not partial_build:
        return False
    if len(words) > 1 and not any(one in (kind, f"{kind}/{code}") for one in words[1].split("|")):
        return False
    return len(words) < 3 or words[2] == code


def problems(student, wanted, kinds):
    """What of one student is not as expected."""
    if student is None:
        yield "is not there"
        return
    if student["state"] != wanted["state"]:
        yield f'expected {wanted["state"]}, got {student["state"]}: {student.get("reason", "")}'
        return
    criteria = {one["id"]: one for one in student.get("criteria", [])}
    lines = wanted["lines"] if student["state"] == "graded" else []
    named = {line.split()[0] for line in lines if line != "all passed"}
    for line in lines:
        words = line.split()
        if line == "all passed":
            continue
        criterion = criteria.get(words[0])
        if criterion is not None and not meets(words[1:], criterion, kinds):
            yield f"expected {line}, got {criterion['status']} {criterion.get('code', '')}"
    if "all passed" in lines or (wanted["tight"] and student["state"] == "graded"):
        for name, one in criteria.items():
            if name not in named and one["status"] not in ("passed", "skipped"):
                yield f"expected {name} passed, got {one['status']} {one.get('code', '')}"


def main():
    expected = json.loads(pathlib.Path(sys.argv[1]).read_text())
    rows = [json.loads(line) for line in pathlib.Path(sys.argv[2]).read_text().splitlines()]
    students = {row["student"]: row for row in rows if row["type"] == "student"}
    kinds = kinds_of_codes()
    failed = 0
    for name, wanted in expected.items():
        found = list(problems(students.get(name), wanted, kinds))
        failed += bool(found)
        for problem in found:
            print(f"{name}: {problem}")
    for name in students.keys() - expected.keys():
        failed += 1
        print(f"{name}: is nobody of the class")
    print(f"verdicts: {len(expected) - failed} as expected, {failed} not")
    sys.exit(failed > 0)


main()
