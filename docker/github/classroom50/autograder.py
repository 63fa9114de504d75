#!/usr/bin/env python3
"""autograder.py: the grading step of an assignment of Classroom 50.

Lies in the classroom50 repository as CLASSROOM/autograders/ASSIGNMENT/autograder.py beside
settings.json, and the rubric if the assignment has one of its own: rubric.json, or the file that
"rubric" in the settings names, as course/rubrics/ID.json of a coursework of one's own. Classroom 50's runner starts
it in the student's checkout, inside the image that the assignment's `runtime` names (runtime.json).

It writes ./result.json (schema classroom50/result/v1): the scores are those of `gpugrade convert`, the
names of classroom, assignment and submission are the runner's. The exit status is 0 with a result of
either kind; anything else tells the runner that the grader or the machine failed, which makes an error
of it and no marks. The page goes beside it; "release_assets": ["gpugrade.html"] attaches it.

What a student committed under these two names goes first, and nothing is written through a link. What
a submission's text makes gpugrade print cannot give the runner commands: it is shown while they are off.
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
# What only the runner knows, and where it says it.
IDENTITY = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
}
# The statuses of a check that came to its end: passed, failed, nothing measured. With 3 the grader or
# the machine failed at a criterion: its points would be missing in the sum of those that count.
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
    """Writes a file of the checkout under a name that nobody knows, and renames it."""
    descriptor, temporary = tempfile.mkstemp(dir=".")
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(file.fileno(), 0o644)
        file.write(content)
    os.replace(temporary, path)


def run_shown(command: list[str], log: pathlib.Path, settings: dict) -> int | None:
    """Runs gpugrade and shows what it printed, as no commands; None if it took too long."""
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
    """Returns what the report says to repeat: on the student's machine there is no rubric.json."""
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
