#!/usr/bin/env python3
"""make_class.py FOLDER N [SEED [ENDLESS]]: makes a class of N submissions, and what is expected of each.

    FOLDER/submissions/       what the students have handed in
    FOLDER/expected.json      {student: {"state": ..., "lines": [...], "tight": ...}}
    FOLDER/rubric.json        the shipped rubric under the limits that hostile programs need; with
                              ENDLESS those of time are its own
    FOLDER/bare/              the same programs for plain nvcc: a folder each, and a Makefile

The class holds fixtures of tests/submissions, right and wrong, each in a disguise of its own
(disguise.py), hostile programs of tests/hostile, empty folders, broken archives, and copies of
what another student handed in. They come as folders, in folders within, as zip and tar with the
files in any order. ENDLESS of them (0) never end: in a kernel, in a loop on the host, asleep.
What there is depends on N, SEED and ENDLESS only.

`lines` are those of the fixture's file `expect` that speak of statuses and causes; `tight` says that
every criterion that is not named must pass (hostile programs).
"""

import io
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

import disguise

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
REFERENCE = ROOT / "reference" / "matmul"
SOLUTION = REFERENCE / "solution"
TEMPLATE = ROOT / "student_template" / "matmul"
SUBMISSIONS = ROOT / "tests" / "submissions" / "matmul"
HOSTILE = ROOT / "tests" / "hostile"
EXERCISES = ("exercise1_tiled.cu", "exercise2_dynamic.cu")
TILED = ("compile", "correct.tiled", "race-free.tiled", "tiled.tiled", "occupancy")
ABOUT = ("expect", "base", "rubric", "guilty", "prepare", "archive")

LIMITS = {
    "compile_seconds": 60, "program_seconds": 5, "program_cpu_seconds": 3,
    "program_memory_mb": 256, "program_processes": 32, "program_output_kb": 256,
    "program_file_mb": 8, "launch_seconds_emulated": 5, "device_memory_mb": 256,
}

ENDLESS = ("kernel_loop", "host_loop", "host_sleeps")

# Shares of the class; the rest are right and wrong fixtures.
SHARES = {"hostile": 0.08, "copy": 0.05, "empty": 0.02, "broken": 0.02}
RIGHT = 0.55


def protected_names():
    """What a student may not call otherwise: functions and types of the coursework, and words that
    the harness and the headers use."""
    names = {"BLOCK_SIZE", "EXERCISE"}
    for path in [*REFERENCE.glob("*.cu"), *TEMPLATE.glob("*.cu")]:
        names |= set(re.findall(r"([A-Za-z_]\w*)\s*\(", path.read_text()))
    names |= set(re.findall(r"[A-Za-z_]\w*", (TEMPLATE / "matmul.h").read_text()))
    return names


def files_of(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())
            if path.is_file() and path.name not in ABOUT}


def base_of(fixture):
    base = fixture / "base"
    return ROOT / base.read_text().strip() if base.exists() else SOLUTION


def expected_lines(fixture):
    """Those that name a criterion and its status; words and places change with the disguise."""
    lines = []
    for line in (fixture / "expect").read_text().splitlines():
        words = line.split()
        if line == "all passed":
            lines.append(line)
        elif len(words) > 1 and words[1] in ("passed", "failed", "partial", "?"):
            lines.append(" ".join(words[:4]))
    return lines


def disguised(files, protected, seed):
    """Sources that are no text, and what was not touched since the template, stay as they are."""
    texts = {}
    for name, data in files.items():
        if name.endswith((".cu", ".cuh", ".h")):
            try:
                texts[name] = data.decode("utf-8")
            except UnicodeDecodeError:
                return files
    return files | {name: text.encode() for name, text in
                    disguise.disguise(texts, protected, seed).items()}


def plain_fixtures(kind):
    """Fixtures that are graded by the shipped rubric."""
    return [path for path in sorted((SUBMISSIONS / kind).iterdir())
            if (path / "expect").exists() and not (path / "rubric").exists()]


def hostile_fixtures():
    """Those that need nothing beside them; compilers kept busy are a matter of tests/hostile, and
    what takes all device memory leaves none for the largest shapes of the shipped rubric."""
    chosen = []
    for path in sorted((HOSTILE / "programs").iterdir()):
        expect = path / "expect"
        lines = expect.read_text().splitlines() if expect.exists() else ["row compile"]
        if "row compile" in lines or "attack takes all device memory" in lines:
            continue
        if any(b"@PORT@" in data or b"@SOCKET@" in data for data in files_of(path).values()):
            continue
        chosen.append(path)
    return chosen


class Made:
    """What one student hands in: files, or bytes of an archive that is none."""

    def __init__(self, files=None, data=None, state="graded", lines=(), tight=False):
        self.files, self.data, self.state = files, data, state
        self.lines, self.tight = list(lines), tight


def make_fixture(fixture, protected, seed):
    files = files_of(base_of(fixture)) | files_of(fixture)
    if base_of(fixture) == SOLUTION:
        files = disguised(files, protected, seed)
    return Made(files=files, lines=expected_lines(fixture))


def make_hostile(fixture, scratch):
    """None if this machine cannot prepare it."""
    folder = scratch / fixture.name
    folder.mkdir(parents=True)
    words = {b"@NAME@": b"class-bench", b"@OTHER@": b"/nowhere", b"@HOME@": b"/nowhere",
             b"@ROOT@": str(ROOT).encode(), b"@SCORE@": b"/nowhere/score.json",
             b"@MEMORY@": str(LIMITS["program_memory_mb"] * 68 // 100).encode()}
    files = files_of(SOLUTION) | files_of(HOSTILE / "shared") | files_of(fixture)
    for name, data in files.items():
        for word, value in words.items():
            data = data.replace(word, value)
        (folder / name).write_bytes(data)
    lines = (fixture / "expect").read_text().splitlines()
    refusal = next((line.split(" ", 1)[1] for line in lines if line.startswith("refused ")), "")
    is_one_missing = refusal == EXERCISES[0] # here the other exercise is graded all the same
    prepare = fixture / "prepare"
    if prepare.exists() and subprocess.run(["sh", prepare], cwd=folder, check=False).returncode:
        return None
    archive = fixture / "archive"
    if archive.exists():
        name = archive.read_text().strip()
        made = Made(data=(name, (folder / name).read_bytes()))
    else:
        made = Made(files=folder) # kept as it is: links and odd names
    made.state = "nothing" if refusal and not is_one_missing else "graded"
    made.lines, made.tight = expected_lines(fixture), True
    if is_one_missing:
        made.lines += [f"{criterion} failed compile/source_missing" for criterion in TILED]
    return made


def shuffled(files, rng):
    items = list(files.items())
    rng.shuffle(items)
    return items


def make_zip(files, rng):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in shuffled(files, rng):
            archive.writestr(name, data)
    return out.getvalue()


def make_tar(files, rng, mode):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:
        for name, data in shuffled(files, rng):
            info = tarfile.TarInfo("lab/" + name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def make_broken(rng):
    """An archive that was cut off, or bytes that are none at all."""
    whole = make_zip(files_of(SOLUTION), rng)
    kind = rng.choice(["cut", "noise", "void"])
    data = {"cut": whole[:len(whole) // 2], "noise": rng.randbytes(500), "void": b""}[kind]
    return Made(data=("lab.zip", data), state="nothing")


def write_folder(made, target):
    target.mkdir(parents=True)
    for name, data in made.files.items():
        (target / name).write_bytes(data)


def hand_in(made, student, submissions, rng):
    """Puts it there in one of the ways that students have."""
    if made.data is not None:
        ending = "".join(pathlib.Path(made.data[0]).suffixes[-2:]) or ".zip"
        (submissions / (student + ending)).write_bytes(made.data[1])
    elif isinstance(made.files, pathlib.Path):
        subprocess.run(["cp", "-a", made.files, submissions / student], check=True) # devices too
    else:
        way = rng.choices(["folder", "within", "zip", "tar.gz", "tar", "zip within"],
                          [55, 10, 15, 10, 5, 5])[0]
        if way == "folder":
            write_folder(made, submissions / student)
        elif way == "within":
            write_folder(made, submissions / student / "my lab")
        elif way == "zip":
            (submissions / f"{student}.zip").write_bytes(make_zip(made.files, rng))
        elif way == "zip within":
            (submissions / student).mkdir()
            (submissions / student / "lab.zip").write_bytes(make_zip(made.files, rng))
        else:
            mode = "w:gz" if way == "tar.gz" else "w"
            (submissions / f"{student}.{way}").write_bytes(make_tar(made.files, rng, mode))


def plan(count, endless, rng):
    """What each submission is."""
    kinds = ["endless"] * endless
    for kind, share in SHARES.items():
        kinds += [kind] * max(1 if count >= 8 else 0, round(count * share))
    rest = count - len(kinds)
    right = round(rest * RIGHT)
    kinds += ["right"] * right + ["wrong"] * (rest - right)
    rng.shuffle(kinds)
    return kinds


def make_all(count, endless, rng, scratch):
    protected = protected_names()
    pools = {"right": plain_fixtures("right"), "wrong": plain_fixtures("wrong"),
             "hostile": hostile_fixtures()}
    if endless:
        pools["wrong"] = [path for path in pools["wrong"] if path.name not in ENDLESS]
    for pool in pools.values():
        rng.shuffle(pool)
    pools["endless"] = [SUBMISSIONS / "wrong" / name for name in ENDLESS]
    used = dict.fromkeys(pools, 0)
    honest, all_made = [], []
    for number, kind in enumerate(plan(count, endless, rng)):
        if kind == "copy" and not honest:
            kind = "right"
        made = None
        while made is None:
            if kind == "copy":
                source = rng.choice(honest)
                made = Made(files=source.files, lines=source.lines)
            elif kind == "empty":
                made = Made(files={}, state="nothing")
            elif kind == "broken":
                made = make_broken(rng)
            else:
                turn, which = divmod(used[kind], len(pools[kind]))
                used[kind] += 1
                fixture = pools[kind][which]
                made = make_hostile(fixture, scratch / str(number) / str(turn)) \
                    if kind == "hostile" else make_fixture(fixture, protected, rng.random())
                if kind != "hostile":
                    honest.append(made)
        all_made.append((kind, made))
    return all_made


def write_bare(all_made, folder):
    """One target for each program of each submission that differs from the others."""
    seen, targets, rules = set(), [], []
    for number, (_, made) in enumerate(all_made):
        files = files_of(made.files) if isinstance(made.files, pathlib.Path) else made.files
        key = repr(sorted(files.items())) if files else None
        if key is None or key in seen or made.state != "graded":
            continue
        seen.add(key)
        source = folder / str(number)
        source.mkdir(parents=True)
        for name, data in (files | {"matmul.h": (TEMPLATE / "matmul.h").read_bytes()}).items():
            (source / name).write_bytes(data)
        for exercise, name in enumerate(EXERCISES, 1):
            if name in files:
                targets.append(f"{number}/program{exercise}")
                rules.append(f"{targets[-1]}:\n\t-timeout 600 $(NVCC) -DEXERCISE={exercise}"
                             f" -I {number} -I $(INCLUDE) -o $@ $(HARNESS)/main.cu $(HARNESS)/naive.cu"
                             f" {number}/{name} >$@.log 2>&1\n")
    (folder / "Makefile").write_text(
        f"NVCC ?= nvcc\nHARNESS = {REFERENCE}\nINCLUDE = {ROOT}/grader/model\n"
        f"all: {' '.join(targets)}\n" + "".join(rules))
    return len(targets)


def main():
    folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 7)
    endless = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    if endless:
        shipped = json.loads((ROOT / "rubrics" / "matmul.json").read_text())["limits"]
        LIMITS.update({name: shipped[name] for name in LIMITS if "seconds" in name})
    submissions, scratch = folder / "submissions", folder / "scratch"
    submissions.mkdir(parents=True)
    all_made = make_all(count, endless, rng, scratch)
    expected = {}
    for number, (kind, made) in enumerate(all_made, 1):
        student = f"{kind}-{number:03}"
        hand_in(made, student, submissions, rng)
        expected[student] = {"state": made.state, "lines": made.lines, "tight": made.tight}
    programs = write_bare(all_made, folder / "bare")
    shutil.rmtree(scratch, ignore_errors=True)
    (folder / "expected.json").write_text(json.dumps(expected, indent=1))
    (folder / "rubric.json").write_text(json.dumps(
        {"schema": "gpugrade/rubric/v1", "extends": "matmul", "version": 1, "limits": LIMITS}))
    print(f"{count} submissions, {programs} programs of their own")


main()
