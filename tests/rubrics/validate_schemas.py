#!/usr/bin/env python3
"""Holds rubrics, scores and results of runs to their published JSON Schemas (needs python3-jsonschema).

usage: validate_schemas.py [RESULT.json | REPORT.jsonl ...]
       validate_schemas.py --schema NAME [FILE ...]

Checks that all schemas, those of rubrics/platform/ too, are valid and are used, that every shipped rubric and every rubric of valid/ follows
rubric.schema.json, that the golden scores follow score.schema.json, golden results of runs
run.schema.json, of the doctor doctor.schema.json and each line on a class class.schema.json, that the
results named follow the schema they name,
and that the schema refuses those rubrics of invalid/ that it is able to.

With --schema the files alone, or standard input, are held to the schema of that name, one of rubrics/platform/ too. A file is
JSON as a whole, or its lines that start with "{" are; on standard input each file ends with the byte 0x1E.
"""
import glob
import json
import os
import sys

from jsonschema import Draft202012Validator

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

# Mistakes of structure, which a schema can see; the others only the loader finds.
REFUSED = ["wrong_schema", "extends", "missing_key", "unknown_key", "title_is_null",
           "version_is_a_fraction", "limit_is_zero", "no_sources", "bound_to_both",
           "bound_to_neither", "key_is_not_used", "launch_is_missing", "points_of_zero",
           "constant_without_use", "log_from_zero", "range_of_three", "within_warp_is_a_flag",
           "within_warp_is_unknown", "tiled_without_a_maximum", "ratio_below_one",
           "ratio_of_races", "operands_of_bank_conflicts", "operand_named_twice",
           "output_expects_nothing", "output_tolerance_is_negative", "output_files_are_a_list", "output_files_are_none",
           "output_file_in_a_folder", "output_file_of_numbers", "output_file_is_a_text", "output_of_many_files", "output_line_with_an_escape",
           "global_races_is_text", "speedup_without_baseline", "speedup_no_marks_is_text",
           "speedup_reference_of_zero", "speedup_step_of_zero", "speedup_key_of_another_kind",
           "hidden_without_overlay", "salt_without_overlay", "unknown_hints", "overlay_extends_a_number",
           "overlay_unknown_key", "overlay_case_without_id", "overlay_cases_no_list",
           "overlay_limit_unknown", "overlay_sets_the_total", "late_without_due",
           "late_due_without_zone", "late_unknown_key", "late_unknown_penalty", "late_penalty_of_nothing",
           "late_is_a_date", "unknown_attempts", "bonus_is_a_number", "one_of_is_empty",
           "one_of_twice_the_same", "vector_of_five", "unknown_role", "scalar_is_a_vector", "values_unknown", "values_of_unknown_key",
           "values_share_above_one", "case_values_are_text", "initial_unknown", "compare_unknown",
           "compare_of_nothing", "compare_bound_and_within", "compare_share_above_one", "one_of_with_another_key", "one_of_is_a_number",
           "whole_with_harness", "pattern_of_dots", "given_kernel_named_twice",
           "given_kernel_is_a_pattern", "overrides_are_empty", "overrides_are_a_list",
           "override_is_no_identifier", "override_is_a_number", "optional_is_text",
           "compatibility_is_text", "block_and_no_blocks", "saved_loads_without_ratio",
           "ratio_of_another_kind", "any_of_nothing", "any_of_with_another_key",
           "block_size_bytes_twice", "arithmetic_is_a_list", "log_of_three", "log_and_one_of",
           "choice_of_nothing", "probes_of_five"]


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def check(name, validator, path, expect_valid):
    """Returns True if the file is as valid as expected; says why where it is not."""
    mistakes = list(validator.iter_errors(load(path)))
    if bool(mistakes) == expect_valid:
        for mistake in mistakes:
            place = "/".join(str(step) for step in mistake.absolute_path)
            print(f"{path}: {place}: {mistake.message[:200]}")
        print(f"FAIL  {name} {os.path.relpath(path, ROOT)}")
        return False
    return True


def check_lines(validator, path):
    """Returns True if each line of a report on a class is valid, and the first one is on the class."""
    with open(path, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    mistakes = [(number, mistake) for number, line in enumerate(lines, 1)
                for mistake in validator.iter_errors(line)]
    for number, mistake in mistakes:
        place = "/".join(str(step) for step in mistake.absolute_path)
        print(f"{path}:{number}: {place}: {mistake.message[:200]}")
    if mistakes or [line["type"] for line in lines].index("class") != 0:
        print(f"FAIL  class {os.path.relpath(path, ROOT)}")
        return False
    return True


def kind(path):
    """Returns "score" for a result with the schema gpugrade/score/v1."""
    return load(path)["schema"].split("/")[1]


def documents(text):
    """Returns the JSON documents of a text: the whole, or the lines that are."""
    if text.startswith("{"):
        return [json.loads(text)]
    return [json.loads(line) for line in text.split("\n") if line.startswith("{")]


def hold(name, paths):
    """Holds files to one schema; returns the exit status."""
    folder = os.path.join(ROOT, "rubrics")
    path = os.path.join(folder, f"{name}.schema.json")
    if not os.path.exists(path):
        path = os.path.join(folder, "platform", f"{name}.schema.json")
    validator = Draft202012Validator(load(path))
    texts = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            texts[path] = file.read()
    if not paths:
        pieces = sys.stdin.buffer.read().decode("utf-8").split("\x1e")[:-1]
        texts = {f"text {number}": text for number, text in enumerate(pieces)}
    bad = 0
    for path, text in texts.items():
        found = documents(text)
        mistakes = [mistake for document in found for mistake in validator.iter_errors(document)]
        for mistake in mistakes:
            place = "/".join(str(step) for step in mistake.absolute_path)
            print(f"{path}: {place}: {mistake.message[:200]}")
        if not found:
            print(f"{path}: there is no JSON in it")
        bad += bool(mistakes) or not found
    return 0 if texts and bad == 0 else 1


def main(named):
    if named[:1] == ["--schema"]:
        return hold(named[1], named[2:])
    for path in glob.glob(os.path.join(ROOT, "rubrics", "**", "*.schema.json"), recursive=True):
        schema = load(path)
        Draft202012Validator.check_schema(schema)
        kind_of_id = "urn:gpugrade:platform:" if "platform" in path else "urn:gpugrade:"
        name = os.path.basename(path)[:-len(".schema.json")]
        if schema["$id"] not in (kind_of_id + name, kind_of_id + name + ":v1"):
            print(f"FAIL  {path}: its $id is {schema['$id']}")
            return 1
    schemas = {}
    for name in ("rubric", "score", "run", "doctor", "class"):
        schema = load(os.path.join(ROOT, "rubrics", f"{name}.schema.json"))
        Draft202012Validator.check_schema(schema)
        schemas[name] = Draft202012Validator(schema)
    rubrics = [path for path in glob.glob(os.path.join(ROOT, "rubrics", "*.json"))
               if not path.endswith(".schema.json")]
    rubrics += glob.glob(os.path.join(HERE, "valid", "*.json"))
    rubrics += glob.glob(os.path.join(ROOT, "tests", "assignments", "rubrics", "*.json"))
    rubrics += glob.glob(os.path.join(ROOT, "tests", "cli", "operands", "rubrics", "*.json"))
    rubrics.append(os.path.join(ROOT, "rubrics", "skeleton", "rubrics", "skeleton.json"))
    rubrics += glob.glob(os.path.join(ROOT, "rubrics", "like", "*", "rubrics", "*.json"))
    golden = os.path.join(ROOT, "tests", "unit", "report", "golden", "*_json.txt")
    results = [check("rubric", schemas["rubric"], path, True) for path in sorted(rubrics)]
    results += [check("score", schemas["score"], path, True)
                for path in sorted(glob.glob(golden))]
    results += [check("run", schemas["run"], path, True)
                for path in sorted(glob.glob(golden.replace("*_json", "run_result*")))]
    results += [check("doctor", schemas["doctor"], path, True)
                for path in sorted(glob.glob(golden.replace("*_json", "doctor_result*")))]
    results += [check_lines(schemas["class"], path)
                for path in sorted(glob.glob(golden.replace("*_json.txt", "class_*.jsonl")))]
    results += [check_lines(schemas["class"], path) if path.endswith(".jsonl")
                else check(kind(path), schemas[kind(path)], path, True) for path in named]
    results += [check("refusal", schemas["rubric"], os.path.join(HERE, "invalid", f"{name}.json"),
                      False) for name in REFUSED]
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed, 0 skipped")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
