#!/usr/bin/env python3
"""check_templates.py: rules for the templates below docker/ that no parser knows.

Prints a line for each mistake, "file: what", and ends with status 1 if there is one. The rules:

  every file    is YAML without a key twice, and begins with a comment that says what it is
  workflows     name their permissions; nothing may be written but `checks` (Classroom's reporter) and
                `security-events` (SARIF); never pull_request_target; each job has a time limit
  uses          a full commit with the version as a comment; what a user fills in stands in capitals
  run, script   no ${{ }} inside; they are shell that shellcheck accepts
  our action    inputs that exist are given to it, outputs that exist are asked for, and grade.sh writes
                them all and reads each input
  formats       whatever convert is asked for stands in formats.def
"""

import json
import pathlib
import re
import subprocess
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
DOCKER = ROOT / "docker"
OURS = "OWNER/gpugrade-action@COMMIT"
# Third parties whose only version is a moving tag.
TAGGED = {"classroom-resources/autograding-grading-reporter@v1"}
WRITABLE = {"checks", "security-events"}
mistakes = []


def mistake(path: pathlib.Path, what: str) -> None:
    mistakes.append(f"{path.relative_to(ROOT)}: {what}")


class OneOfEach(yaml.SafeLoader):
    """Refuses a mapping that has a key twice."""

    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.YAMLError(f"'{key}' stands there twice")
        return super().construct_mapping(node, deep)


def shell_of(path: pathlib.Path, name: str, script: str, dialect: str) -> None:
    if "${{" in script:
        mistake(path, f"{name}: ${{{{ }}}} inside a script; hand it over as a variable")
    checked = subprocess.run(["shellcheck", "--shell", dialect, "-"], input=script, text=True,
                             capture_output=True, check=False)
    if checked.returncode != 0:
        mistake(path, f"{name}: {checked.stdout.strip()}")


def permissions_of(path: pathlib.Path, where: str, permissions) -> None:
    if not isinstance(permissions, dict):
        mistake(path, f"{where}: permissions must name what is allowed, got {permissions!r}")
        return
    for scope, level in permissions.items():
        if level == "write" and scope not in WRITABLE:
            mistake(path, f"{where}: '{scope}: write' is more than is needed")


def step_of(path: pathlib.Path, step: dict, lines: list[str], action: dict) -> None:
    uses = step.get("uses")
    if "run" in step:
        shell_of(path, step.get("id", "run"), step["run"], "bash")
    if uses is None:
        return
    if uses == OURS:
        for name in step.get("with", {}):
            if name not in action["inputs"]:
                mistake(path, f"the action has no input '{name}'")
    elif uses not in TAGGED:
        line = next(line for line in lines if uses in line)
        if not re.search(r"@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line.rstrip()):
            mistake(path, f"'{uses}' is not pinned to a commit, with its version behind it")
    if uses.startswith("actions/checkout@") and step["with"].get("persist-credentials") is not False:
        mistake(path, "checkout leaves a token behind: persist-credentials: false")


def workflow_of(path: pathlib.Path, workflow: dict, text: str, action: dict) -> None:
    events = workflow.get(True, workflow.get("on"))  # YAML 1.1 reads `on` as true
    if "pull_request_target" in events:
        mistake(path, "pull_request_target runs foreign code with our rights")
    permissions_of(path, "top", workflow.get("permissions"))
    for name, job in workflow["jobs"].items():
        if "permissions" in job:
            permissions_of(path, name, job["permissions"])
        if "timeout-minutes" not in job:
            mistake(path, f"{name} has no time limit")
        for step in job["steps"]:
            step_of(path, step, text.splitlines(), action)
    for output in re.findall(r"steps\.gpugrade\.outputs\.([a-z-]+)", text):
        if output not in action["outputs"]:
            mistake(path, f"the action has no output '{output}'")


def action_of(path: pathlib.Path, action: dict, text: str) -> None:
    script = (path.parent / "grade.sh").read_text(encoding="utf-8")
    for step in action["runs"]["steps"]:
        step_of(path, step, text.splitlines(), action)
    step = action["runs"]["steps"][-1]
    handed_over = " ".join(step["env"].values())
    for name in action["inputs"]:
        if f"inputs.{name} " not in handed_over:
            mistake(path, f"the input '{name}' is not handed over")
    for variable in step["env"]:
        if not re.search(rf"\$\{{?{variable}\b", script):
            mistake(path, f"grade.sh does not read {variable}")
    written = set(re.findall(r"output ([a-z-]+) ", script))
    for names in re.findall(r"for name in ([a-z_ ]+); do", script):
        written |= {name.replace("_", "-") for name in names.split()}
    for name, output in action["outputs"].items():
        if f"steps.grade.outputs.{name} " not in output["value"] or name not in written:
            mistake(path, f"the output '{name}' is written by nobody")


def gitlab_of(path: pathlib.Path, pipeline: dict) -> None:
    for name, job in pipeline.items():
        if isinstance(job, dict) and "script" in job:
            shell_of(path, name, "\n".join(job["script"]), "sh")


def formats_of(path: pathlib.Path, text: str, formats: set) -> None:
    for name in re.findall(r"(?:--to |\bconvert )([a-z0-9-]+)(?: [a-z-]+\.[a-z]+| \"\$work/| -o|\n|\")",
                           text):
        if name not in formats and name not in {"score", "prints"}:
            mistake(path, f"convert has no format '{name}'")


def main() -> int:
    table = (ROOT / "grader/report/platform/formats.def").read_text(encoding="utf-8")
    formats = set(re.findall(r'^FORMAT\("([a-z0-9-]+)"', table, re.M))
    action_path = DOCKER / "github" / "action.yml"
    action = yaml.safe_load(action_path.read_text(encoding="utf-8"))
    paths = sorted([*DOCKER.rglob("*.yml"), *DOCKER.rglob("*.yaml")])
    for path in paths:
        text = path.read_text(encoding="utf-8")
        if not text.startswith("# "):
            mistake(path, "does not begin with a comment")
        try:
            value = yaml.load(text, Loader=OneOfEach)
        except yaml.YAMLError as error:
            mistake(path, str(error))
            continue
        if path == action_path:
            action_of(path, value, text)
        elif path.parent == action_path.parent:
            workflow_of(path, value, text, action)
        elif path.name == "gitlab-ci.yml":
            gitlab_of(path, value)
    for path in sorted(DOCKER.rglob("*.json")):
        json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(path for path in DOCKER.rglob("*") if path.is_file()):
        formats_of(path, path.read_text(encoding="utf-8"), formats)
    print("\n".join(mistakes) if mistakes else f"{len(paths)} templates")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
