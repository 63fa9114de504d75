#!/usr/bin/env python3
"""autograder.py: the grading step of an assignment of Classroom 50.

It is in the classroom50 repository as CLASSROOM/autograders/ASSIGNMENT/autograder.py, next to
settings.json and, if the assignment has its own rubric, rubric.json or the file that "rubric" in the
settings names, such as course/rubrics/ID.json for a coursework of your own. Classroom 50's runner
starts it in the student's checkout, inside the image that the assignment's `runtime` names
(runtime.json).

It writes ./result.json (schema classroom50/result/v1): the scores come from `gpugrade convert`, the
names of classroom, assignment and submission from the runner. The exit status is 0 if there is a
result, passed or failed. Any other status means that the grader or the machine failed; the runner then
shows an error and gives no marks. The page is written next to it; "release_assets": ["gpugrade.html"]
attaches it.

If a student committed files with these two names, they are removed first, and nothing is written through
a link. Text from a submission cannot give the runner commands: it is shown while commands are off.
"""

import json
import os
import pathlib
import secrets
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
GPUGRADE = os.environ.get("GPUGRADE", "gpugrade")
# What only the runner knows, and the variables that contain it.
IDENTITY = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
}
# The statuses of a complete check: passed, failed, nothing measured. With 3 the grader or the machine
# failed at a criterion: its points would be missing in the total.
VERDICTS = (0, 1, 4)
RESULT = pathlib.Path("result.json")
PAGE = pathlib.Path("gpugrade.html")


def remove(path: pathlib.Path) -> None:
    """Removes a file, a folder, or a link itself."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def place(path: pathlib.Path, content: bytes) -> None:
    """Writes a file of the checkout under a random name, and renames it."""
    descriptor, temporary = tempfile.mkstemp(dir=".")
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(file.fileno(), 0o644)
        file.write(content)
    os.replace(temporary, path)


def run_shown(command: list[str], log: pathlib.Path, settings: dict) -> int | None:
    """Runs gpugrade and shows its output with commands off; None if it took too long."""
    status = None
    with log.open("w+b") as file:
        try:
            status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                                    timeout=settings["time_limit"], check=False,
                                    env=os.environ | {"GPUGRADE_AGAIN": again_command(settings)}
                                    ).returncode
        except subprocess.TimeoutExpired:
            pass
    token = secrets.token_hex(16)
    sys.stdout.flush()
    sys.stdout.buffer.write(f"::stop-commands::{token}\n".encode())
    sys.stdout.buffer.write(log.read_bytes())
    sys.stdout.buffer.write(f"\n::{token}::\n".encode())
    sys.stdout.flush()
    return status


def check_command(score: pathlib.Path, page: pathlib.Path, settings: dict) -> list[str]:
    """Returns the command that grades the checkout."""
    command = [GPUGRADE, "check", ".", "--json", str(score), "--html", str(page)]
    rubric = HERE / settings.get("rubric", "rubric.json")
    if "rubric" in settings or rubric.is_file():
        command += ["--rubric", str(rubric)]
    else:
        command += ["--coursework", settings["coursework"]]
    return command + ["--seed", settings["seed"], "--color", "never"]


def again_command(settings: dict) -> str:
    """Returns the command that the report says to repeat: the student's machine has no rubric.json."""
    return f"gpugrade check . --coursework {settings['coursework']}"


def finish(result: dict) -> dict:
    """Adds what the runner knows; a missing variable is a mistake of the setup."""
    for field, variable in IDENTITY.items():
        result[field] = os.environ[variable]
    result["review"] = os.environ.get("REVIEW_URL") or result["commit"]
    return result


def main() -> int:
    settings = json.loads((HERE / "settings.json").read_text(encoding="utf-8"))
    remove(RESULT)
    remove(PAGE)
    with tempfile.TemporaryDirectory() as folder:
        score, page, converted, log = (
            pathlib.Path(folder, name) for name in ("score.json", "page.html", "result.json", "log"))
        status = run_shown(check_command(score, page, settings), log, settings)
        if status is None:
            print(f"grading took longer than {settings['time_limit']} s: no verdict")
            return 1
        if status not in VERDICTS or not score.is_file():
            print("there is no verdict; the lines above say why")
            return 1
        convert = [GPUGRADE, "convert", str(score), "--to", "classroom50", "-o", str(converted)]
        if run_shown(convert, log, settings) != 0:
            print("the score could not be converted; the lines above say why")
            return 1
        result = finish(json.loads(converted.read_text(encoding="utf-8")))
        place(PAGE, page.read_bytes())
    place(RESULT, (json.dumps(result, indent=2) + "\n").encode())
    print(f"{result['score']}/{result['max-score']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
