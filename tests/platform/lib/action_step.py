#!/usr/bin/env python3
"""action_step.py ACTION [NAME=VALUE...]: prints the steps of a composite action as a bash script.

What the runner of GitHub does with them: the inputs' defaults, or the values given here, are put into
each step's variables, and `run` is printed as it stands. A step whose `if` does not hold is left out,
when the script runs. Outputs of the last step go to $GITHUB_OUTPUT, those of the others to that name with
the step's id behind it. The actions of actions/cache become calls of `restore_cache PATH KEY`, whose
output is "cache-hit", and `save_cache PATH KEY`; who wants a cache exports these functions.
"""

import re
import shlex
import sys

import yaml


def value_of(expression: str, inputs: dict) -> str:
    """Returns a word of the shell for what stands between ${{ and }}."""
    name = re.fullmatch(r"inputs\.([a-z-]+)", expression)
    if name:
        return shlex.quote(inputs[name.group(1)])
    step, output = re.fullmatch(r"steps\.([a-z]+)\.outputs\.([a-z-]+)", expression).groups()
    return f'"$(sed -n "s/^{output}=//p" "$outputs.{step}" 2>/dev/null)"'


def filled_in(text: str, inputs: dict) -> str:
    """Returns a word of the shell for a text that is one expression, or has none."""
    expression = re.fullmatch(r"\$\{\{ (.*) \}\}", text)
    return value_of(expression.group(1), inputs) if expression else text


def condition_of(text: str, inputs: dict) -> str:
    parts = []
    for part in text.split(" && "):
        left, operator, right = re.fullmatch(r"(\S+) (==|!=) ('[^']*')", part).groups()
        parts.append(f"[ {value_of(left, inputs)} {operator.replace('==', '=')} {right} ]")
    return " && ".join(parts)


def main() -> int:
    with open(sys.argv[1], encoding="utf-8") as file:
        action = yaml.safe_load(file)
    inputs = {name: entry["default"] for name, entry in action["inputs"].items()}
    for word in sys.argv[2:]:
        name, value = word.split("=", 1)
        if name not in inputs:
            raise SystemExit(f"the action has no input '{name}'")
        inputs[name] = value
    steps = action["runs"]["steps"]
    print('set -eo pipefail\noutputs=$GITHUB_OUTPUT\nrm -f "$outputs".*')
    for step in steps:
        print(f"if {condition_of(step['if'], inputs) if 'if' in step else 'true'}; then")
        if step is not steps[-1]:
            print(f'(export GITHUB_OUTPUT="$outputs.{step.get("id", "unnamed")}"')
        if "uses" in step:
            call = step["uses"].split("@")[0].split("/")[-1] + "_cache"
            words = [filled_in(step["with"][name], inputs) for name in ("path", "key")]
            print(f"! declare -F {call} >/dev/null || {call} {' '.join(words)}")
        else:
            for variable, expression in step.get("env", {}).items():
                print(f"export {variable}={filled_in(expression, inputs)}")
            print(step["run"])
        print("fi" if step is steps[-1] else ")\nfi")
    return 0


if __name__ == "__main__":
    sys.exit(main())
