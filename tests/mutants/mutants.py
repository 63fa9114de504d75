#!/usr/bin/env python3
"""Mutants of the reference solution of matmul: makes them, grades them, names the survivors.

    mutants.py list              one line a mutant
    mutants.py write FOLDER      one folder a mutant, with both exercises in it
    mutants.py grade [N...]      grades all mutants, or those with these numbers

A mutant is the solution with one small change, made mechanically: an operator, a comparison, a
bound, an index, a number, a lost statement. Which ones there are depends on nothing but the two
source files. A mutant that does not compile is not counted. One that earns every point, on the
rubric's GPU model and on one where another block size is best, survives. Each survivor must stand
in survivors.md with the reason why no grader could tell it from the solution, else `grade` ends
with status 1. An entry there is a line

    - `line in the solution` => `line in the mutant`: reason

GPUGRADE names the grader (default: gpugrade at the root), JOBS how many run at once (default 2).
`grade` ends with a line "N passed, N failed, N skipped": passed are the mutants that were rejected
or are explained, skipped those that do not compile.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SOLUTION = ROOT / "reference" / "matmul" / "solution"
FILES = ("exercise1_tiled.cu", "exercise2_dynamic.cu")
SEED = "0x5eed1234"

# Options of the grader: a mutant has to survive with each of them.
MODELS = ((), ("--gpu-model", "RTX 3090"))

# Text that must stand between two blanks -> what takes its place.
OPERATORS = {
    "*": "+", "+": "-", "/": "*", "+=": "-=", "*=": "+=", "<": "<=", "<=": "<", "!=": "==",
    "==": "!=",
}

# Words -> what takes their place, each occurrence on its own.
NAMES = {
    "threadIdx.x": "threadIdx.y", "threadIdx.y": "threadIdx.x",
    "blockIdx.x": "blockIdx.y", "blockIdx.y": "blockIdx.x",
    "tx": "ty", "ty": "tx",
    "a_width": "b_width", "b_width": "a_width",
    "shape.a_width": "shape.a_height", "shape.b_width": "shape.a_width",
    "shape.a_height": "shape.a_width",
    "tile_a": "tile_b", "tile_b": "tile_a",
    "d_B": "d_A", "d_C": "d_B",
}

# The end of a comparison's right-hand side.
BOUND = re.compile(r"< ([A-Za-z_][A-Za-z_.]*)(?=[;)])")
NUMBER = re.compile(r"(?<![\w.%\"])(\d+)(\.0f)?(?![\w.])")
DECLARATION = re.compile(
    r"^\s*(return|const|static|extern|__shared__|int|float|dim3|cudaError_t)\b")
DECLARED = re.compile(r"\b(int|float) \*?$")


class Mutant:
    """One change: file, number of the first line from 0, the lines before and the line after."""

    def __init__(self, file, number, before, after, kind):
        self.file = file
        self.number = number
        self.before = before
        self.after = after
        self.kind = kind

    def key(self):
        before = " ".join(line.strip() for line in self.before)
        return f"`{before}` => `{self.after.strip() or ' '}`"

    def __str__(self):
        return f"{self.file}:{self.number + 1} {self.kind}: {self.key()}"


def code_part(line):
    """The columns of a line that are neither string nor comment, as a mask."""
    mask = [True] * len(line)
    for match in re.finditer(r'"(\\.|[^"\\])*"|/\*.*?(\*/|$)|//.*$', line):
        for i in range(match.start(), match.end()):
            mask[i] = False
    return mask


def replaced(line, start, end, text):
    return line[:start] + text + line[end:]


def operator_changes(line, mask):
    for match in re.finditer(r"(?<= )([-+*/<>=!&|]+)(?= )", line):
        if mask[match.start()] and match.group(1) in OPERATORS:
            yield "operator", replaced(line, *match.span(1), OPERATORS[match.group(1)])


def name_changes(line, mask):
    for match in re.finditer(r"[A-Za-z_][A-Za-z_]*(\.[a-z_]+)?", line):
        is_declared = DECLARED.search(line[: match.start()]) is not None
        if mask[match.start()] and match.group(0) in NAMES and not is_declared:
            yield "index", replaced(line, *match.span(0), NAMES[match.group(0)])


def bound_changes(line, mask):
    for match in BOUND.finditer(line):
        if mask[match.start()]:
            yield "bound", replaced(line, match.end(1), match.end(1), " - 1")


def number_changes(line, mask):
    for match in NUMBER.finditer(line):
        if mask[match.start()]:
            suffix = match.group(2) or ""
            yield "number", replaced(line, *match.span(0), str(int(match.group(1)) + 1) + suffix)


def lost_statement(lines, number):
    """How many lines the removable statement takes that starts here; 0 if none does."""
    before = lines[number - 1].strip()
    starts = before == "" or before[-1] in ";{}" or before.endswith("*/")
    if not starts or DECLARATION.match(lines[number]):
        return 0
    end = number
    while not lines[end].endswith(";"):
        if lines[end].strip() == "" or lines[end][-1] in "{}":
            return 0
        end += 1
    return end - number + 1


def mutable_lines(lines):
    """The numbers of the lines that can hold mutants: bodies of functions and macros."""
    in_comment = False
    for number, line in enumerate(lines):
        in_comment = in_comment or line.strip().startswith("/*")
        if not in_comment and (line.startswith("    ") or line.startswith("#define")):
            yield number
        if "*/" in line:
            in_comment = False


def mutants_of(file):
    lines = (SOLUTION / file).read_text(encoding="utf-8").split("\n")
    for number in mutable_lines(lines):
        line = lines[number]
        mask = code_part(line)
        for change in (operator_changes, bound_changes, name_changes, number_changes):
            for kind, after in change(line, mask):
                yield Mutant(file, number, [line], after, kind)
        count = lost_statement(lines, number)
        if count > 0:
            yield Mutant(file, number, lines[number : number + count], "", "lost")


def all_mutants():
    return [mutant for file in FILES for mutant in mutants_of(file)]


def write_mutant(mutant, folder):
    folder.mkdir(parents=True)
    for file in FILES:
        shutil.copyfile(SOLUTION / file, folder / file)
    lines = (SOLUTION / mutant.file).read_text(encoding="utf-8").split("\n")
    lines[mutant.number : mutant.number + len(mutant.before)] = [mutant.after]
    (folder / mutant.file).write_text("\n".join(lines), encoding="utf-8")


def verdict(score, status, screen):
    """What became of a mutant: (word, detail)."""
    if score is None:
        last = screen.strip().split("\n")[-1]
        return "broken", f"no score file, exit status {status}: {last}"
    failed = [c for c in score["criteria"] if c["status"] in ("failed", "partial")]
    errors = [c for c in score["criteria"] if c["status"] == "error"]
    if any(c["cause"] and c["cause"]["kind"] == "compile" for c in failed):
        return "stillborn", "does not compile"
    if failed:
        cause = failed[0]["cause"]
        return "rejected", f"{failed[0]['id']}: {cause['code'] if cause else 'no cause'}"
    if errors:
        return "broken", f"{errors[0]['id']}: status error"
    return "survived", ""


def check(gpugrade, folder, options):
    """Grades one folder with further options."""
    score_path = folder / "score.json"
    score_path.unlink(missing_ok=True)
    command = [gpugrade, "check", str(folder / "student"), "--coursework", "matmul", "--seed", SEED,
               "--json", str(score_path), "--color", "never", *options]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    score = None
    if score_path.exists():
        score = json.loads(score_path.read_text(encoding="utf-8"))
    return verdict(score, run.returncode, run.stdout)


def grade(gpugrade, mutant):
    with tempfile.TemporaryDirectory(prefix="mutant-") as name:
        folder = pathlib.Path(name)
        write_mutant(mutant, folder / "student")
        for options in MODELS:
            word, detail = check(gpugrade, folder, options)
            if word != "survived":
                break
        return word, detail


def explained():
    """The keys of survivors.md."""
    text = (HERE / "survivors.md").read_text(encoding="utf-8")
    return {m.group(1) for m in re.finditer(r"^- (`.*?` => `.*?`): ", text, re.MULTILINE)}


def grade_all(mutants, numbers):
    gpugrade = os.environ.get("GPUGRADE", str(ROOT / "gpugrade"))
    if not os.access(gpugrade, os.X_OK):
        print(f"mutants.py: no grader at {gpugrade}: set GPUGRADE", file=sys.stderr)
        return 3
    reasons = explained()
    counts = {"rejected": 0, "survived": 0, "stillborn": 0, "broken": 0}
    unexplained = 0
    jobs = int(os.environ.get("JOBS", "2"))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        results = pool.map(lambda n: grade(gpugrade, mutants[n]), numbers)
        for number, (word, detail) in zip(numbers, results):
            mutant = mutants[number]
            counts[word] += 1
            if word == "survived":
                known = mutant.key() in reasons
                unexplained += not known
                detail = "explained" if known else "NOT EXPLAINED in survivors.md"
            print(f"{number:3} {word:9} {mutant}  [{detail}]", flush=True)
    counted = counts["rejected"] + counts["survived"] + counts["broken"]
    share = 100.0 * counts["rejected"] / counted if counted else 0.0
    print(f"{counts['rejected']} of {counted} mutants rejected ({share:.1f} %), "
          f"{counts['survived']} survived, {unexplained} of them unexplained")
    failed = unexplained + counts["broken"]
    print(f"{counted - failed} passed, {failed} failed, {counts['stillborn']} skipped")
    return 0 if failed == 0 else 1


def main(arguments):
    mutants = all_mutants()
    command = arguments[0] if arguments else ""
    if command == "list" and len(arguments) == 1:
        for number, mutant in enumerate(mutants):
            print(f"{number:3} {mutant}")
        return 0
    if command == "write" and len(arguments) == 2:
        for number, mutant in enumerate(mutants):
            write_mutant(mutant, pathlib.Path(arguments[1]) / f"{number:03}")
        return 0
    if command == "grade" and all(a.isdigit() and int(a) < len(mutants) for a in arguments[1:]):
        numbers = [int(a) for a in arguments[1:]] or list(range(len(mutants)))
        return grade_all(mutants, numbers)
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
