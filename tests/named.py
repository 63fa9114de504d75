#!/usr/bin/env python3
"""named.py: what the names on standard input, one a line, mean to tests/run --only.

Prints for each thing that a name means: targets of the build|title|command of sh. Names without a
meaning are told on standard error, with near ones; then the exit status is 2.

A thing has one whole name (unit/base/test_arena, cli/usage, matmul/wrong/padding, golden/R01,
hostile/programs/fork_bomb, emulated/fail/scan_in_place); its end is enough (test_arena, padding), and
the path of its file or folder is one, too.
"""
import difflib
import glob
import os
import re
import shlex
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# What suites start beside the grader, by words that they hold.
HELPERS = {
    "gpugrade-undiagnosed": "gpugrade_undiagnosed",
    "make_class_store": "make_class_store",
    "crashing_device": "crashing_device",
    "cuda_fake": "cuda_fake",
    "barrier_mutant": "barrier_mutant",
    "launch_on_emulator": "launch_on_emulator",
    "gpugrade-manual": "gpugrade-manual",
    "report_test_report_html": "report_test_report_html",
}


def files(pattern):
    return sorted(glob.glob(os.path.join(ROOT, "tests", pattern)))


def below_tests(path):
    return os.path.relpath(path, os.path.join(ROOT, "tests"))


def ctest(name):
    return f"exec sh tests/ctest_totals.sh \"$GPUGRADE_BUILD\" -R '^{name}$'"


def targets_of_suite(path):
    with open(path, encoding="utf-8") as suite:
        text = suite.read()
    if re.search(r"--target|cmake --install", text):
        return "all"
    return " ".join(["gpugrade"] + [target for word, target in HELPERS.items() if word in text])


def things():
    """Whole name: (targets, command)."""
    found = {}
    for path in files("unit/*/test_*.c"):
        part, name = below_tests(path)[len("unit/"):-len(".c")].split("/")
        oracle = re.fullmatch(r"test_(.*)_oracle", name)
        target = f"reference_{oracle[1]}_oracle" if part == "reference" and oracle else f"{part}_{name}"
        found[f"unit/{part}/{name}"] = (target, ctest(f"unit/{part}/{name}"))
    for path in files("fuzz/fuzz_*.c"):
        name = below_tests(path)[:-len(".c")]
        found[name] = (os.path.basename(name), ctest(name))
    for path in files("*/*.sh") + files("emulated/*/*.sh"):
        name = below_tests(path)
        if name != "batch/slurm_cluster.sh":
            found[name[:-len(".sh")]] = (targets_of_suite(path), f"exec sh tests/{name}")
    for path in files("submissions/*/*/*/expect"):
        fixture = os.path.dirname(below_tests(path))[len("submissions/"):]
        coursework, name = fixture.split("/", 1)
        found[fixture] = ("gpugrade", f"COURSEWORK={coursework} exec sh tests/submissions/run.sh {name}")
    with open(os.path.join(ROOT, "tests/golden/codes.txt"), encoding="utf-8") as codes:
        for code in re.findall(r"^([A-Z]\d\d) ", codes.read(), re.M):
            found[f"golden/{code}"] = ("gpugrade", f"exec sh tests/golden/run.sh {code}")
    for path in files("hostile/*/*/expect"):
        name = os.path.dirname(below_tests(path))
        found[name] = ("gpugrade", f"exec sh tests/hostile/run.sh {name[len('hostile/'):]}")
    for path in files("emulated/pass/*.cu") + files("emulated/fail/*.cu"):
        name = below_tests(path)[:-len(".cu")]
        found[name] = ("gpugrade", f"exec sh tests/emulated/run_programs.sh {name[len('emulated/'):]}")
    for path in files("emulated/programs/*"):
        name, end = os.path.splitext(below_tests(path))
        if os.path.isdir(path) or end == ".cu":
            found[name] = ("gpugrade",
                           f"exec sh tests/emulated/run_samples.sh {os.path.basename(name)}")
    return found


def meant(name, known):
    name = name.rstrip("/")
    for folder in (ROOT + "/", "./", "tests/", "submissions/"):
        name = name.removeprefix(folder)
    for end in (".sh", ".cu", ".c", ".txt", ".html", "/expect"):
        name = name.removesuffix(end)
    name = name.replace("golden/reports/", "golden/").replace("golden/pages/", "golden/")
    # hostile/fork_bomb leaves out what all have.
    whole = re.sub(r"^hostile/(?=[^/]+$)", "hostile/programs/", name)
    for candidate in (name, whole):
        if candidate in known:
            return [candidate]
    return [other for other in known if other.endswith("/" + name)]


def main():
    known = things()
    lines = []
    status = 0
    for name in sys.stdin.read().split():
        found = meant(name, known)
        lines += [f"{known[one][0]}|{one}|{known[one][1]}" for one in found]
        if not found:
            words = {part: one for one in known for part in (one, one.split("/")[-1])}
            near = difflib.get_close_matches(name, words, 6, 0.6)
            near = list(dict.fromkeys(words[word] for word in near))
            print(f"tests/run: there is no test {shlex.quote(name)}"
                  + (f"; near it: {' '.join(near)}" if near else ""), file=sys.stderr)
            status = 2
    print("\n".join(dict.fromkeys(lines)))
    return status


sys.exit(main())
