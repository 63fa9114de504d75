#!/usr/bin/env python3
"""action_step.py ACTION [NAME=VALUE...]: prints the step of a composite action as a shell script.

What the runner of GitHub does with its only step: the inputs' defaults, or the values given here, are
put into its variables, and `run` is printed as it stands.
"""

import re
import shlex
import sys

import yaml


def main() -> int:
    with open(sys.argv[1], encoding="utf-8") as file:
        action = yaml.safe_load(file)
    inputs = {name: entry["default"] for name, entry in action["inputs"].items()}
    for word in sys.argv[2:]:
        name, value = word.split("=", 1)
        if name not in inputs:
            raise SystemExit(f"the action has no input '{name}'")
        inputs[name] = value
    step = action["runs"]["steps"][0]
    for variable, expression in step["env"].items():
        name = re.fullmatch(r"\$\{\{ inputs\.([a-z-]+) \}\}", expression).group(1)
        print(f"export {variable}={shlex.quote(inputs[name])}")
    print("set -eo pipefail")
    print(step["run"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
