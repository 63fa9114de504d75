#!/usr/bin/env python3
"""registers.py [--keep FOLDER] [--compilers LIST] [FOLDER]: estimated registers beside ptxas's.

Compiles the CUDA programs of this repository (and of FOLDER, which may hold any) by nvcc and by
gpugrade-clang with clang 14 and 19, asks the toolkit's ptxas for the registers of every kernel, and
prints for each compiler and GPU

    share    of kernels whose interval holds ptxas's number
    width    median width of the intervals
    quarter  three of four intervals are no wider

of two parts. The margins in grader/ptx/ptx_resources.c are fitted to the one part; the other part
was held out. Programs are parted by the hash of their names, and all files of a made-up student
are one program. A kernel counts once: of those with the same number and the same values that the
estimate is made from the first counts, and one of the fitted part before one of the other.

For clang without a toolkit calls of libdevice stay calls; ptxas then assembles the same kernel with
libdevice linked. Kernels of modules with such calls are left out for clang 14.

--keep FOLDER keeps the PTX and what ptxas said, and takes what is there already. Takes about half an
hour on two cores.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("GPUGRADE_BUILD", ROOT / "build"))
TOOLKIT = pathlib.Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"))
GPUS = (75, 80, 86, 90, 120)
FOLDERS = ("tests/emulated", "tests/gpu", "tests/cli/programs", "tests/golden", "tests/unit")

# What gpugrade-clang runs for clang. Nothing is made for the host; the device's PTX is copied, and
# made a second time with libdevice if it calls that.
WRAPPER = """#!/bin/sh
case " $* " in
*" --cuda-host-only "*) exit 0 ;;
*" -x ir "*)
    "$CLANG" "$@" || exit 1
    previous=
    for word in "$@"; do
        [ "$previous" = -o ] && made=$word
        previous=$word
    done
    cp "$made" "$KEPT"
    ! grep -q __nv_ "$made" || "$CLANG" "$@" -Xclang -mlink-builtin-bitcode -Xclang "$LIBDEVICE" \\
        -o "$KEPT.linked" || true ;;
*) exec "$CLANG" "$@" ;;
esac
"""
SAID = re.compile(r"Compiling entry function '([^']+)' for|Used (\d+) registers")


def programs(work, more):
    """Yields (name, source, folders with headers) of every source file, each content once."""
    seen = set()

    def once(name, source, headers):
        digest = hashlib.sha256(source.read_bytes()).digest()
        if digest not in seen:
            seen.add(digest)
            yield name, source, headers

    for folder in [ROOT / name for name in FOLDERS] + ([pathlib.Path(more)] if more else []):
        for source in sorted(folder.rglob("*.cu")):
            name = source.relative_to(ROOT) if source.is_relative_to(ROOT) else source.name
            yield from once(str(name), source, [source.parent, ROOT / "tests/emulated"])
    for reference in sorted((ROOT / "reference").iterdir()):
        template = ROOT / "student_template" / reference.name
        for source in sorted(reference.rglob("*.cu")):
            yield from once(str(source.relative_to(ROOT)), source,
                            [source.parent, template, reference])
        for student in sorted((ROOT / "tests/submissions" / reference.name).glob("*/*")):
            base = student / "base"
            start = ROOT / base.read_text().strip() if base.exists() else reference / "solution"
            whole = work / "students" / student.relative_to(ROOT / "tests/submissions")
            if student.is_dir() and not whole.exists():
                if start.is_dir():
                    shutil.copytree(start, whole)
                shutil.copytree(student, whole, dirs_exist_ok=True)
            for source in sorted(student.rglob("*.cu")):
                yield from once(str(source.relative_to(ROOT)), whole / source.relative_to(student),
                                [whole, template, reference])


def compile_program(work, compiler, name, source, headers):
    """Makes the PTX of one source; it is missing if the source does not compile."""
    made = work / "ptx" / f"{name.replace('/', '@')}.{compiler}.ptx"
    if made.exists() or made.with_suffix(".none").exists():
        return
    text = source.read_text(errors="replace")
    needs_80 = re.search(r"memcpy_async|cp\.async|mbarrier|cuda/barrier", text)
    arch = "80" if needs_80 else "75"
    options = ["-w", "-std=c++17"] + [f"-I{folder}" for folder in headers]
    environment = dict(os.environ)
    if compiler == "nvcc":
        command = [TOOLKIT / "bin/nvcc", "-ptx", f"-arch=compute_{arch}", "-o", made]
    else:
        environment.update(CLANG=shutil.which(f"clang++-{compiler[5:]}"), KEPT=str(made),
                           LIBDEVICE=str(TOOLKIT / "nvvm/libdevice/libdevice.10.bc"))
        command = [BUILD / "bin/gpugrade-clang", f"-clang={work}/wrapper", "-c",
                   f"-headers={ROOT}/grader/cuda_headers", f"-arch=sm_{arch}",
                   "-o", work / "unused.o"]
    try:
        subprocess.run([*command, *options, source], env=environment, timeout=120, check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        made.unlink(missing_ok=True)
    if not made.exists():
        made.with_suffix(".none").touch()


def ask_ptxas(made):
    """The registers of a module's kernels by GPU, {"90": {name: registers}}, kept beside it."""
    answer = made.with_suffix(".json")
    linked = made.with_name(made.name + ".linked")
    found = {}
    if answer.exists():
        return
    for gpu in GPUS:
        run = subprocess.run([TOOLKIT / "bin/ptxas", f"-arch=sm_{gpu}", "-v", "-o", "/dev/null",
                              linked if linked.exists() else made],
                             capture_output=True, text=True, check=False)
        name = None
        found[str(gpu)] = {}
        for match in SAID.finditer(run.stderr if run.returncode == 0 else ""):
            name = match[1] or name
            if match[2]:
                found[str(gpu)][name] = int(match[2])
    answer.write_text(json.dumps(found))


def program_of(name):
    """What is fitted or held out as a whole."""
    parts = name.split("@")
    return "/".join(parts[:4] if parts[:2] == ["tests", "submissions"] else parts)


def is_held_out(name):
    return hashlib.md5(("registers " + program_of(name)).encode()).digest()[0] % 3 == 0


def estimates(work):
    """Yields (compiler, gpu, part, least, most, registers) of each kernel once."""
    files = sorted((work / "ptx").glob("*.ptx"),
                   key=lambda made: (is_held_out(made.name.rsplit(".", 2)[0]), made.name))
    run = subprocess.run([BUILD / "tests/bench/register_estimates", *files], check=True,
                         capture_output=True, text=True)
    answers, seen = {}, set()
    for line in run.stdout.splitlines()[1:]:
        path, kernel, gpu, least, most, *values = line.split("\t")
        made = pathlib.Path(path)
        name, compiler = made.name[:-len(".ptx")].rsplit(".", 1)
        if made not in answers:
            answers = {made: json.loads(made.with_suffix(".json").read_text())}
            lacks_libdevice = compiler == "clang14" and "__nv_" in made.read_text()
        registers = answers[made][gpu].get(kernel)
        key = (compiler, gpu, registers, tuple(values))
        if registers is not None and not lacks_libdevice and key not in seen:
            seen.add(key)
            part = "held out" if is_held_out(name) else "fitted"
            yield compiler, int(gpu), part, int(least), int(most), registers


def print_table(rows):
    print(f"{'compiler':10}{'gpu':>6}  {'part':10}{'kernels':>8}{'share':>9}{'width':>7}{'quarter':>9}")
    for compiler, gpu, part in sorted({row[:3] for row in rows}):
        own = [row[3:] for row in rows if row[:3] == (compiler, gpu, part)]
        widths = sorted(most - least for least, most, _ in own)
        held = sum(least <= registers <= most for least, most, registers in own)
        print(f"{compiler:10}sm_{gpu:<4} {part:10}{len(own):8}{100 * held / len(own):8.1f}%"
              f"{statistics.median(widths):7.0f}{widths[3 * len(widths) // 4]:9}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--keep")
    parser.add_argument("--compilers", default="nvcc,clang14,clang19")
    parser.add_argument("folder", nargs="?")
    options = parser.parse_args()
    if not (TOOLKIT / "bin/ptxas").exists():
        sys.exit("skipped: no ptxas here")
    subprocess.run(["cmake", "--build", BUILD, "--target", "register_estimates", "gpugrade-clang"],
                   check=True, stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(options.keep or scratch).resolve()
        (work / "ptx").mkdir(parents=True, exist_ok=True)
        wrapper = work / "wrapper"
        wrapper.write_text(WRAPPER)
        wrapper.chmod(0o755)
        compilers = [name for name in options.compilers.split(",")
                     if name == "nvcc" or shutil.which(f"clang++-{name[5:]}")]
        sources = list(programs(work, options.folder))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda job: compile_program(work, job[0], *job[1]),
                          [(compiler, source) for compiler in compilers for source in sources]))
            list(pool.map(ask_ptxas, (work / "ptx").glob("*.ptx")))
        print_table(list(estimates(work)))


if __name__ == "__main__":
    main()
