"""cuda_headers.py CHECK TREE [TOOLKIT]: holds our CUDA headers to what they stand for.

Prints what is wrong, one line each; nothing if all is well. TOOLKIT is a folder of headers.
  alone    each header of TREE/grader/cuda_headers compiles by itself, in C and C++
  device   and in CUDA C++, by each clang that there is, for the host and the device
  tables   they declare the calls of runtime_calls.def and number the errors of cuda_errors.def
  runtime  numbers, layouts, types and prototypes are those of TOOLKIT's cuda_runtime_api.h
  libraries  likewise of the headers of cuBLAS, cuRAND, cuFFT and NVRTC, but for calls with halves and
             those that the toolkit overloads
  driver   our cuda.h, driver_abi.h and driver_calls.def are as its cuda.h
  names    runtime_names.txt has every function of its libcudart

Both sides compile the same program, which prints what it sees of each name that ours declare.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

check, tree = sys.argv[1:3]
toolkit = sys.argv[3] if len(sys.argv) > 3 else None
ours = os.path.join(tree, "grader/cuda_headers")
compilers = {"c": ["gcc", "-std=c11"], "cpp": ["g++", "-std=c++17"]}


def read(path):
    with open(os.path.join(tree, path), encoding="utf-8") as file:
        return file.read()


def compiled(language, text, flags):
    """Compiles a program and returns what it prints."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "facts." + language), os.path.join(folder, "facts")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        run = subprocess.run([*compilers[language], "-w", *flags, source, "-o", program],
                             capture_output=True, text=True)
        if run.returncode != 0:
            errors = re.findall(r".*error: .*", run.stderr) or [run.stderr]
            sys.exit("\n".join(os.path.basename(line) for line in errors[:20]))
        return subprocess.run([program], check=True, capture_output=True,
                              text=True).stdout.splitlines()


def preprocessed(headers, folder):
    text = "".join(f"#include <{header}>\n" for header in headers)
    return subprocess.run(["gcc", "-E", "-P", "-I", folder, "-I", tree + "/grader", "-x", "c", "-"],
                          input=text, check=True, capture_output=True, text=True).stdout


def differences(before, after):
    """Lines of two outputs that differ, each with the name that stands first in it."""
    return [f"ours: {mine}\n    theirs: {theirs}"
            for mine, theirs in zip(before, after, strict=True) if mine != theirs]


def without_attributes(text):
    return re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", text)


def fields(body):
    """Paths of the members of a struct: "x", "clusterDim.x"."""
    found = []
    body = re.sub(r"union \{([^{}]*)\};", r"\1", body)
    while inner := re.match(r"(.*?)struct \{([^{}]*)\} (\w+);(.*)", body, re.DOTALL):
        found += [inner[3]] + [f"{inner[3]}.{name}" for name in fields(inner[2])]
        body = inner[1] + inner[4]
    for declaration in filter(None, map(str.strip, body.split(";"))):
        found += [re.search(r"(\w+)(\[\w+\])?$", part.strip())[1] for part in declaration.split(",")]
    return found


def enums(text):
    """The names of the constants of each enum."""
    return {name: re.findall(r"(\w+)\s*(?:=[^,}]*)?[,}]", body + "}")
            for name, body in re.findall(r"enum\s+(\w+)\s*\{([^}]*)\}", without_attributes(text))}


class Declarations:
    """What preprocessed text declares."""

    def __init__(self, text):
        text = without_attributes(text)
        self.enums = enums(text)
        self.records = {}
        for kind, name, body in re.findall(
                r"\b(struct|union)\s+(\w+)\s*\{((?:[^{}]|\{[^{}]*\})*)\}", text):
            self.records[f"{kind} {name}"] = fields(body)
        self.types = re.findall(r"typedef [^;{}]*?(\w+);", text)
        self.types += re.findall(r"typedef \w+ \w+\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\} (\w+);", text)
        self.types += re.findall(r"typedef void \(\*(\w+)\)", text)
        self.functions = re.findall(r"\b(cuda[A-Z]\w*)\([^;{}]*\);", text)

    def values(self):
        return [name for names in self.enums.values() for name in names]


def numbers(found, macros, includes):
    """A C program that prints numbers: constants, sizes, offsets."""
    rows = [f'show("{name}", {name});' for name in found.values()]
    rows += [f'show("{name}", (long long){name});' for name in macros]
    for record, members in found.records.items():
        rows += [f'show("sizeof {record}", sizeof({record}));']
        rows += [f'show("{record} . {name}", offsetof({record}, {name}) * 100000 +'
                 f" sizeof((({record} *)0)->{name}));" for name in members]
    rows += [f'show("sizeof {name}", sizeof({name}) * 1000 + _Alignof({name}));'
             for name in found.types]
    return (includes + "#include <stddef.h>\n#include <stdio.h>\n"
            "static void show(const char *name, long long value)\n"
            '{ printf("%s %lld\\n", name, value); }\n'
            "int main(void) {\n" + "\n".join(rows) + "\n}\n")


PROBES = """
#include <cstdio>
#include <tuple>
#include <typeinfo>
#include <utility>
template <class P, class... A>
auto can(int) -> decltype(P::call(std::declval<A>()...), bool()) { return true; }
template <class P, class... A> bool can(...) { return false; }
template <class P, class T, size_t... I> bool prefix(std::index_sequence<I...>)
{ return can<P, std::tuple_element_t<I, T>...>(0); }
template <class P, class T, size_t N> int least()
{
    if constexpr (N > 0) {
        if (prefix<P, T>(std::make_index_sequence<N - 1>())) return least<P, T, N - 1>();
    }
    return (int)N;
}
template <class P, class R, class... A> int least_of(R (*)(A...))
{ return least<P, std::tuple<A...>, sizeof...(A)>(); }
"""


def types(found, includes):
    """A C++ program that prints the types of members, names and functions, and how many arguments
    each function needs."""
    text, rows = includes + PROBES, []
    for record, members in found.records.items():
        nested = {name.split(".")[0] for name in members if "." in name}
        rows += [f'printf("{record} . {name} %s\\n", '
                 f"typeid(decltype(std::declval<{record} &>().{name})).name());"
                 for name in members if name not in nested]
    rows += [f'printf("{name} %s\\n", typeid({name}).name());' for name in found.types]
    for name in found.functions:
        text += (f"struct probe_{name} {{ template <class... A> static auto call(A... a) -> "
                 f"decltype({name}(a...)); }};\n")
        rows += [f'printf("{name} %s, at least %d arguments\\n", typeid(decltype({name})).name(), '
                 f"least_of<probe_{name}>(decltype(&{name})(nullptr)));"]
    return text + "int main() {\n" + "\n".join(rows) + "\n}\n"


def own_headers():
    """What a program may include: not the parts in device_code, nor those of libstdc++."""
    found = []
    for folder, _, names in os.walk(ours):
        inside = os.path.relpath(folder, ours)
        if inside not in ("device_code", "bits"):
            found += [os.path.normpath(os.path.join(inside, name)) for name in names]
    return sorted(found)


def check_alone():
    wrong = []
    flags = ["-Wall", "-Wextra", "-Wpedantic", "-Wundef", "-Werror", "-fsyntax-only", "-I", ours]
    for header in own_headers():
        for language, compiler in compilers.items():
            run = subprocess.run([*compiler, *flags, "-x", {"c": "c", "cpp": "c++"}[language], "-"],
                                 input=f"#include <{header}>\nint used;\n", capture_output=True,
                                 text=True)
            wrong += [f"{header}: {line}" for line in run.stderr.splitlines() if "error: " in line]
    return wrong


def check_device():
    wrong = []
    flags = ["-x", "cuda", "--cuda-gpu-arch=sm_75", "-Wno-unused-command-line-argument",
             "--cuda-path=/nonexistent", "-nocudainc",
             "-nocudalib", "-Xclang", "-target-feature", "-Xclang", "+ptx64", "-Xclang",
             "-target-sdk-version=11.5", "-Wall", "-Wextra", "-Wno-unknown-cuda-version",
             "-Wno-pass-failed", "-Werror", "-I", ours, "-fsyntax-only"]
    text = "".join(f"#include <{header}>\n" for header in own_headers())
    text += "__global__ void kernel(int *out) { out[threadIdx.x] = min(1u, 2); }\n"
    text += "int main() { kernel<<<1, 32>>>(nullptr); return max(1, 2) - 2; }\n"
    for compiler in sorted(filter(None, map(shutil.which, CLANGS))):
        for side in ("--cuda-device-only", "--cuda-host-only"):
            for standard in ("-std=c++14", "-std=c++17", "-std=c++20"):
                run = subprocess.run([compiler, *flags, side, standard, "-"], input=text,
                                     capture_output=True, text=True)
                wrong += [f"{os.path.basename(compiler)} {side} {standard}: {line}"
                          for line in run.stderr.splitlines() if "error: " in line][:5]
    return wrong


CLANGS = ["clang++"] + [f"clang++-{version}" for version in range(14, 30)]
RUNTIME = ["cuda_runtime_api.h", "cuda_profiler_api.h"]


def check_tables():
    text = preprocessed(RUNTIME, ours)
    functions = Declarations(text).functions
    calls = re.findall(r"^RUNTIME_CALL\((\w+)\)", read("grader/wire/runtime_calls.def"), re.M)
    wrong = [f"{name}: is in runtime_calls.def and not declared"
             for name in calls if name not in functions]
    table = set(re.findall(r'CUDA_STATUS\(\w+, (\d+),\s+"(\w+)"',
                           read("grader/wire/cuda_errors.def")))
    errors = re.search(r"enum cudaError \{([^}]*)\}", text)[1]
    declared = {(code, name) for name, code in re.findall(r"(\w+) = (\d+)", errors)}
    return wrong + [f"{name} {code}: is in one of cuda_errors.def and cuda_error_types.h only"
                    for code, name in sorted(table ^ declared)]


def check_runtime():
    found = Declarations(preprocessed(RUNTIME, ours))
    theirs = enums(preprocessed(RUNTIME, toolkit))
    macros = []
    for header in own_headers():
        macros += re.findall(r"#define (cuda[A-Z]\w*|CUDART_VERSION) ",
                             read("grader/cuda_headers/" + header))
    wrong = []
    for name, values in found.enums.items():
        wrong += [f"enum {name}: {value} is in one of both only"
                  for value in sorted(set(values) ^ set(theirs.get(name, [])))]
    if wrong:
        return wrong
    includes = "".join(f"#include <{header}>\n" for header in RUNTIME)
    program, shapes = numbers(found, macros, includes), types(found, includes)
    for language, text in (("c", program), ("cpp", shapes)):
        wrong += differences(*(compiled(language, text, ["-I", folder])
                               for folder in (ours, toolkit)))
    return wrong


def check_libraries():
    headers = ["cublas_v2.h", "curand.h", "cufftXt.h", "cuComplex.h", "nvrtc.h"]
    prefix = r"(?:cublas|curand|cufft|cuC|make_cu|nvrtc)"
    text = preprocessed(headers, ours)
    constants = sorted(set(re.findall(r"\b((?:CUBLAS|CURAND|CUFFT|NVRTC|CUDA_[RC])_\w+)", text)))
    functions = re.findall(r"\b(" + prefix + r"[A-Z]\w*)\([^;{}]*\)\s*[;{]", text)
    functions = sorted({name for name in functions if not re.match("cublasH|cublasGemm", name)})
    rows = [f'printf("{name} %lld\\n", (long long){name});' for name in constants]
    rows += [f'printf("{name} %s\\n", typeid(decltype({name})).name());' for name in functions]
    program = ("".join(f"#include <{header}>\n" for header in headers) +
               "#include <cstdio>\n#include <typeinfo>\nint main() {\n" + "\n".join(rows) + "\n}\n")
    if len(functions) < 90 or len(constants) < 80:
        return [f"only {len(functions)} calls and {len(constants)} constants are found"]
    return differences(*(compiled("cpp", program, ["-I", folder]) for folder in (ours, toolkit)))


def check_cuda():
    headers = ["cudaProfiler.h", "driver_types.h"]
    text = preprocessed(headers[:1], ours)
    found, wrong = Declarations(text), []
    found.functions = re.findall(r"\b(cu[A-Z]\w*)\([^;{}]*\);", text)
    macros = re.findall(r"#define (CU_\w+) ", read("grader/cuda_headers/cuda_driver_types.h"))
    calls = re.findall(r"^DRIVER_CALL\((\w+), (\w*),", read("grader/wire/driver_api.def"), re.M)
    wrong += [f"{name}: is in one of driver_api.def and cuda.h only"
              for name in sorted(set(found.functions) ^ {name + version for name, version in calls})]
    include = "".join(f"#include <{header}>\n" for header in headers)
    program, shapes = numbers(found, macros, include), types(found, include)
    for language, text in (("c", program), ("cpp", shapes)):
        wrong += differences(*(compiled(language, text, ["-I", folder])
                               for folder in (ours, toolkit)))
    return wrong


def check_driver():
    found = Declarations(preprocessed(["device/cuda/driver_abi.h"], ours))
    macros = re.findall(r"#define (CU_\w+) ", read("grader/device/cuda/driver_abi.h"))
    mine, theirs = (compiled("c", numbers(found, macros, f"#include <{header}>\n"),
                             ["-I", toolkit, "-I", tree + "/grader"])
                    for header in ("device/cuda/driver_abi.h", "cuda.h"))
    # Old versions of calls are declared for the driver's own sources only.
    calls = """#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>
#include <stdio.h>
int main(void) {
#define DRIVER_CALL(field, symbol, parameters) \\
    if (!__builtin_types_compatible_p(__typeof__(symbol), CUresult parameters)) puts(#symbol);
#include "device/cuda/driver_calls.def"
}
"""
    return differences(mine, theirs) + check_cuda() + [
        name + ": other parameters in cuda.h"
        for name in compiled("c", calls, ["-I", toolkit, "-I", tree + "/grader"])]


def check_names():
    listed = read("grader/cudart/runtime_names.txt").splitlines()
    wrong = [f"{name}: twice, or not in order"
             for name, after in zip(listed[2:], listed[3:]) if name >= after]
    if toolkit is None:
        return wrong
    places = ["../lib64", "../lib", "../targets/x86_64-linux/lib", "../targets/sbsa-linux/lib"]
    libraries = [os.path.join(toolkit, place, "libcudart.so") for place in places]
    library = next(filter(os.path.exists, libraries), None)
    if library is None:
        return wrong
    table = subprocess.run(["nm", "-D", "--defined-only", library], check=True,
                           capture_output=True, text=True).stdout
    exported = set(re.findall(r" T (\w+)", table))
    return wrong + [f"{name}: is in one of runtime_names.txt and libcudart only"
                    for name in sorted(exported ^ set(listed[2:]))]


CHECKS = {"alone": check_alone, "device": check_device, "tables": check_tables,
          "runtime": check_runtime, "libraries": check_libraries, "driver": check_driver,
          "names": check_names}
for row in CHECKS[check]():
    print(row)
