#!/usr/bin/env python3
"""watch_results.py FORMAT FILE STOP: looks at a results file all the time, until the file STOP is there;
STOP.ready tells that it looks.

Each version of it must be complete: JSON, of the schema of the platform (rubrics/platform), without a
null, at most 1 MB. Once it is there it may not vanish. Prints a line for each version that differs from
the one before, "version score graded", and ends with status 1 after a version that is not right.
"""

import json
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
BYTES_MAX = 1_000_000
try:
    import jsonschema
except ImportError:
    jsonschema = None


def has_null(value) -> bool:
    if isinstance(value, dict):
        return any(has_null(entry) for entry in value.values())
    if isinstance(value, list):
        return any(has_null(entry) for entry in value)
    return value is None


def check(format_name: str, text: bytes, schema) -> dict:
    """Returns what the file holds; raises ValueError if it is not as the platform wants it."""
    if len(text) > BYTES_MAX:
        raise ValueError(f"{len(text)} bytes")
    value = json.loads(text.decode("utf-8"))
    if has_null(value):
        raise ValueError("a null")
    if format_name == "gradescope" and "score" not in value and not value.get("tests"):
        raise ValueError("neither a score nor tests")
    if format_name == "prairielearn" and not 0 <= value["score"] <= 1:
        raise ValueError("a score outside of 0 to 1")
    if jsonschema is not None and schema is not None:
        try:
            jsonschema.validate(value, schema)
        except jsonschema.ValidationError as error:
            raise ValueError(error.message) from error
    return value


def describe(value: dict) -> str:
    told = value.get("extra_data", {}).get("graded", True)
    graded = told and value.get("gradable", True)
    return f"score {value.get('score', '-')} graded {'yes' if graded else 'no'}"


def main() -> int:
    format_name, file, stop = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    path = ROOT / "rubrics" / "platform" / f"{format_name}.schema.json"
    schema = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
    last, looks = None, 0
    stop.with_suffix(".ready").touch()
    while True:
        is_over = stop.exists()
        try:
            text = file.read_bytes()
            looks += 1
            if text != last:
                print(describe(check(format_name, text, schema)), flush=True)
            last = text
        except FileNotFoundError:
            if last is not None:
                print("the file has vanished")
                return 1
        except (ValueError, KeyError) as error:
            print(f"not valid: {error}: {text[:300]!r}")
            return 1
        if is_over:
            print(f"{looks} looks")
            return 0 if last is not None else 1
        time.sleep(0.0005)


if __name__ == "__main__":
    sys.exit(main())
