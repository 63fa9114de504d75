#!/usr/bin/env python3
"""coverage.py BUILD: prints how many lines of grader/ ran, for each part and in all.

BUILD is a build with --coverage (cmake --preset coverage) whose tests have run. `llvm-cov gcov` says
how often each line of each object ran; a file that is built several times, or a header, counts once,
and a line ran if it ran in any of its objects. Lines of objects that never ran count as well. With
--files it also prints each file, the least covered first. The counts of a process are lost if it was
killed, or may not write files any more (the device process), so the true numbers are higher. The
helpers that run inside the sandbox are left out.
"""
import collections
import os
import pathlib
import re
import subprocess
import sys

REPO = pathlib.Path(__file__).resolve().parent.parent
LINE = re.compile(r"\s*([0-9]+|#+|=+)\*?:\s*([0-9]+):")
SOURCE = re.compile(r"\s*-:\s*0:Source:(.*)")
AT_ONCE = 50


def lines_that_ran(build):
    """Maps each file of grader/, as a path below it, to {line: whether it ran}."""
    notes = sorted(build.glob("grader/**/*.gcno"))
    if not notes:
        sys.exit(f"coverage.py: no counters in {build}: cmake --preset coverage")
    ran = collections.defaultdict(dict)
    for first in range(0, len(notes), AT_ONCE):
        result = subprocess.run(["llvm-cov", "gcov", "-t", *notes[first:first + AT_ONCE]], cwd=build,
                              check=True, capture_output=True, encoding="utf-8", errors="replace")
        lines = None
        for row in result.stdout.splitlines():
            source = SOURCE.match(row)
            if source:
                path = pathlib.Path(os.path.normpath(build / source[1]))  # ccache makes it relative
                lines = None
                if path.is_relative_to(REPO / "grader"):
                    lines = ran[path.relative_to(REPO / "grader")]
                continue
            line = LINE.match(row)
            if lines is not None and line:
                number = int(line[2])
                lines[number] = lines.get(number, False) or line[1][0] not in "#=0"
    return ran


def row(name, lines):
    count = sum(lines)
    return f"{name:<32} {count:6} of {len(lines):6} lines  {100 * count / len(lines):5.1f} %"


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    ran = {path: list(lines.values()) for path, lines in lines_that_ran(build).items() if lines}
    parts = collections.defaultdict(list)
    for path, lines in ran.items():
        parts[path.parts[0]] += lines
    if "--files" in sys.argv[2:]:
        for path in sorted(ran, key=lambda path: (sum(ran[path]) / len(ran[path]), path)):
            print(row(str(path), ran[path]))
    for part in sorted(parts):
        print(row(part, parts[part]))
    print(row("in all", [line for lines in parts.values() for line in lines]))


main()
