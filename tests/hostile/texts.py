#!/usr/bin/env python3
"""texts.py COUNT SEED SOLUTION OUT: writes COUNT hostile submissions below OUT.

Each is the reference solution of exercise 1 (SOLUTION/exercise1_tiled.cu) with one text in it that
could be taken for the machine's words: what compilers, shells, ptxas, the kernel and gpugrade itself
say when they fail, in every place where a submission can put text, names, calls or PTX. A kind is one
such place; kinds take turns, phrases are drawn. The name of a folder is NUMBER-KIND.
"""

import random
import sys
from pathlib import Path

PHRASES = [
    "Killed",
    "nvcc error   : 'cicc' died due to signal 9 (Kill signal)",
    "g++: fatal error: Killed signal terminated program cc1plus",
    "cc1plus: out of memory allocating 65536 bytes after a total of 1 bytes",
    "virtual memory exhausted: Cannot allocate memory",
    "what():  std::bad_alloc",
    "File size limit exceeded",
    "final link failed: No space left on device",
    "CPU time limit exceeded signal terminated program cc1plus",
    "g++: fatal error: vfork: Resource temporarily unavailable",
    "ptxas fatal   : Unresolved extern function 'gone'",
    "ptxas fatal   : Unsupported gpu architecture 'sm_90'",
    "nvcc fatal   : Unsupported gpu architecture 'compute_75'",
    "nvlink error   : out of memory",
    "internal compiler error: Segmentation fault",
    "the emulated device does not know the instruction",
    "device: cannot continue: the device process ended unexpectedly",
    "gpugrade: error: the grader failed",
    "cudaErrorECCUncorrectable: uncorrectable ECC error encountered",
    "CUDA_ERROR_OUT_OF_MEMORY",
    "the harness main.cu does not compile",
    "main.cu(1): error: harness",
    "ptxas info    : Used 0 registers, 0 bytes cmem[0]",
    "exit status 3",
    "%s%s%s%n",
    "bwrap: No permissions to create new namespace",
    "error: status: error, unsupported, not judged",
]

# What ptxas takes for this GPU and the emulated device may not know.
VALID = [
    "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {f1,f2,f3,f4}, {r1,r2}, {r3}, {f1,f2,f3,f4};",
    "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {r1,r2}, {r3}, {r4}, {r1,r2};",
    "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {r1}, [r2];",
    "tex.1d.v4.f32.s32 {f1,f2,f3,f4}, [d1, {r1}];",
    "suld.b.1d.b32.trap r1, [d1, {r2}];",
    "txq.width.b32 r1, [d1];",
    "wmma.load.c.sync.aligned.row.m16n16k16.shared.f32 {f1,f2,f3,f4,f5,f6,f7,f0}, [r1];",
    "vadd.s32.s32.s32.sat r1, r2, r3;",
    "dp4a.s32.s32 r1, r2, r3, r4;",
    "prefetch.global.L2 [d1];",
    "pmevent 1;",
    "mov.u32 r1, %%smid;",
    "mov.u32 r1, %%envreg3;",
    "lop3.b32 r1, r2, r3, r4, 0x96;",
    "cvt.rn.f16.f32 h1, f1;",
    "activemask.b32 r1;",
    "nanosleep.u32 1;",
]
REGISTERS = "{ .reg .b32 r<8>; .reg .f32 f<8>; .reg .b64 d<4>; .reg .b16 h<4>; mov.b32 r1, 0; %s }"

# What ptxas refuses.
INSTRUCTIONS = [
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1,%f2,%f3,%f4},{%r1,%r2,%r3,%r4},{%r5,%r6},{%f1,%f2,%f3,%f4};",
    "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%rd1];",
    "tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1}];",
    "cp.async.bulk.commit_group;",
    "setmaxnreg.inc.sync.aligned.u32 64;",
    "nosuch.instruction.u32 %r1, %r2;",
    "griddepcontrol.wait;",
    "fence.proxy.async;",
    "add.s32.u64.bogus %r1, %r2, %r3;",
    "ld.global.u128 %r1, [weird + {1,2}];",
    "call (%r1), nowhere, (%r2);",
    "call.uni vprintf, (%r1);",
    "bra nowhere;",
    "mov.u64 %rd1, nosymbol;",
    "brkpt;",
    "trap;",
    "@%p1 exit",
    ".reg .b32 %r1",
    "} .visible .entry evil() { ret;",
    "{",
    "}",
    ".version 9.9",
    ".target sm_100a",
    ".pragma \\\"nounroll\\\";",
    ".error \\\"Killed\\\"",
    "\\\"out of memory\\\"",
    "/* out of memory",
    ".file 1 \\\"/tmp/x\\\"",
    ".loc 99 1 1",
    ".extern .func gone; call gone;",
    ".shared .b8 huge[1073741824];",
    ".local .b8 huge[1073741824];",
    ".maxnreg 1",
]

CALLS = [
    "cudaArray_t a; cudaChannelFormatDesc d = cudaCreateChannelDesc<float>(); cudaMallocArray(&a, &d, 64, 64);",
    "cudaTextureObject_t t; cudaCreateTextureObject(&t, 0, 0, 0);",
    "cudaIpcMemHandle_t h; cudaIpcGetMemHandle(&h, 0);",
    "cudaSurfaceObject_t s; cudaCreateSurfaceObject(&s, 0);",
    "cudaExternalMemory_t e; cudaImportExternalMemory(&e, 0);",
    "void *p; cudaMalloc(&p, (size_t)1 << 50);",
    "cudaSetDevice(7);",
    "cudaMemcpy((void *)1, (void *)2, 3, cudaMemcpyDeviceToHost);",
    "cudaFree((void *)0x100000000007);",
    "cudaDeviceReset(); cudaDeviceReset();",
    "cudaDeviceSetLimit(cudaLimitStackSize, (size_t)1 << 40);",
    "cudaDeviceSetLimit(cudaLimitMallocHeapSize, (size_t)1 << 60);",
    "cudaStreamSynchronize((cudaStream_t)77);",
]

# A C++ name of 300 bytes that stands for one of gigabytes: each pair is one of the pair before it.
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
GROWING = "1fSt4pairI1aS0_E" + "".join("S_IS%s_S%s_E" % (digit, digit) for digit in DIGITS[1:31])

# Numbers that the wire gives to messages: wire/client_messages.def.
WIRE = Path(__file__).resolve().parents[2] / "grader/wire/client_messages.def"


def wire_number(name):
    rows = [line for line in WIRE.read_text().splitlines() if line.startswith("CLIENT_MESSAGE(")]
    return 1 + [row.split("(")[1].split(",")[0] for row in rows].index(name)


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


class Text:
    """One submission: the solution's parts and what is drawn for it."""

    def __init__(self, source, rng, number):
        self.source = source
        self.rng = rng
        self.number = number
        self.phrase = rng.choice(PHRASES)

    def top(self, line):
        return self.source.replace("#include", line + "\n#include", 1)

    def above_kernel(self, code):
        return self.source.replace("__global__", code + "\n\n__global__", 1)

    def in_kernel(self, code):
        return self.source.replace("    float sum = 0.0f;", "    float sum = 0.0f;\n    " + code, 1)

    def in_launch(self, code, keeps=True):
        start = self.source.index("    matrixMulTiled<<<")
        end = self.source.index(";", start) + 1
        launch = self.source[start:end] if keeps else ""
        return self.source[:start] + "    " + code + "\n" + launch + self.source[end:]

    def in_print(self, code):
        return self.source.replace('    printf("Occupancy', "    " + code + '\n    printf("Occupancy', 1)

    def broken(self, source):
        return source + "\nint unfinished( {\n" if self.rng.random() < 0.5 else source

    # Kinds: methods whose names begin with kind_ ------------------------------------------------

    def kind_error(self):
        return self.top("#error " + self.phrase)

    def kind_warning(self):
        return self.broken(self.top("#warning " + self.phrase))

    def kind_pragma(self):
        word = self.rng.choice(["message", "GCC warning", "GCC error", "nv_diag_error", "STDC"])
        return self.broken(self.top("#pragma " + word + " " + quoted(self.phrase)))

    def kind_assertion(self):
        where = self.rng.choice(["", "template <int N> struct t { static_assert(N < 0, %s); }; t<1> x;"])
        line = where % quoted(self.phrase) if where else "static_assert(false, %s);" % quoted(self.phrase)
        return self.above_kernel(line)

    def kind_include(self):
        name = self.rng.choice([self.phrase, "/tmp/tmpxft_0_a-1_b.c", "../main.cu", "/dev/null", "/proc/self/maps"])
        return self.top('#include "%s"' % name.replace('"', ""))

    def kind_line(self):
        name = self.rng.choice(["main.cu", "../../naive.cu", "/usr/x.h", "", self.phrase, "a" * 5000])
        return self.top("#line %d %s" % (self.rng.choice([1, 7, 2147483646]), quoted(name))) + "\nint broken( {\n"

    def kind_attribute(self):
        code = "__attribute__((error(%s))) void gone();\nstatic void use() { gone(); }\nvoid (*keep)() = use;"
        return self.above_kernel(code % quoted(self.phrase))

    def kind_host_asm(self):
        word = self.rng.choice([".error", ".warning", ".print", ".incbin", ".include", ".err;"])
        text = 'asm(%s);' % quoted("%s %s" % (word, quoted(self.phrase)))
        return self.above_kernel("void host_part() { %s }" % text)

    def kind_section(self):
        return self.above_kernel('__attribute__((section(%s))) int odd = 1;' % quoted(self.phrase))

    def kind_alias(self):
        return self.above_kernel("extern \"C\" void *gone_%d(); void *(*p)() = gone_%d;" % (self.number, self.number)
                                 + "\nextern \"C\" __attribute__((used, visibility(\"hidden\"))) void x() { p(); }")

    def kind_used_ptx(self):
        return self.in_kernel('asm volatile("%s");' % self.rng.choice(INSTRUCTIONS))

    def kind_valid_ptx(self):
        return self.in_kernel('if (a_width > %d) { asm volatile("%s" ::); }'
                              % (self.rng.choice([0, 0, 0, 1 << 30]), REGISTERS % self.rng.choice(VALID)))

    def kind_valid_ptx_at_once(self):
        return self.in_kernel('asm volatile("%s" ::);' % " ".join(REGISTERS % line for line in self.rng.sample(VALID, 3)))

    def kind_unused_ptx(self):
        return self.above_kernel('__global__ void unused() { asm volatile("%s"); }' % self.rng.choice(INSTRUCTIONS))

    def kind_words_as_ptx(self):
        return self.in_kernel("asm volatile(%s);" % quoted(self.phrase.replace("%", "%%") + ";"))

    def kind_ptx_name(self):
        name = self.rng.choice(["Killed", "error", "unsupported", "k" * 300, "k" * 5000, "_ZN3foo", "vprintf", "malloc"])
        return self.above_kernel('extern "C" __global__ void %s_(int *p) { *p = 1; }' % name)

    def kind_foreign_function(self):
        name = self.rng.choice(["cudaGetParameterBufferV2", "gone", "vprintf2", "__assertfail2"])
        return self.above_kernel('extern "C" __device__ int %s(int);' % name).replace(
            "    float sum = 0.0f;", "    float sum = a_width > 0 ? %s(1) : 0;" % name, 1)

    def kind_renamed(self):
        return self.source.replace("matrixMulTiled", self.rng.choice(["other", "matrixMul", "m" * 3000]))

    def kind_call(self):
        return self.in_launch("{ %s }" % self.rng.choice(CALLS), self.rng.random() < 0.5)

    def kind_call_and_exit(self):
        return self.in_launch('{ %s fprintf(stderr, "%%s\\n", %s); exit(%d); }' % (
            self.rng.choice(CALLS), quoted(self.phrase), self.rng.choice([0, 1, 2, 3, 4, 9, 99, 125, 126, 127, 137, 139, 255])), False)

    def wire(self, message, words, payload):
        code = ('struct wire { unsigned type, status; unsigned long long bytes, words[10]; } w = {%du, 0, %d, {%s}};'
                ' send(3, &w, sizeof w, 0x4000); send(3, %s, %d, 0x4000); recv(3, &w, sizeof w, 0);')
        return "{ " + code % (wire_number(message), len(payload), ", ".join(map(str, words)), quoted(payload), len(payload)) + " }"

    def kind_claimed_call(self):
        name = self.rng.choice(["madeUp", "cudaMalloc", "cudaMallocArray", "cudaLaunchKernel", "x" * 60, "error", "Killed"])
        return "#include <sys/socket.h>\n" + self.in_launch(self.wire("UNKNOWN", [0], name), self.rng.random() < 0.5)

    def kind_claimed_refusal(self):
        words = [self.rng.choice([0, 1, 5, 70]), self.rng.choice([801, 2, 999, 2147483647]), self.rng.randrange(26)]
        return "#include <sys/socket.h>\n" + self.in_launch(self.wire("REFUSED", words, ""), self.rng.random() < 0.5)

    def kind_printed(self):
        stream = self.rng.choice(["stdout", "stderr"])
        end = self.rng.choice(["", "abort();", "exit(3);", "raise(9);", "raise(25);", "raise(24);", "_exit(137);", "throw 1;"])
        return "#include <signal.h>\n#include <unistd.h>\n#include <stdlib.h>\n" + self.in_launch(
            'fprintf(%s, "%%s\\n", %s); fflush(%s); %s' % (stream, quoted(self.phrase), stream, end))

    def kind_printed_by_kernel(self):
        return self.in_kernel("if (tx + ty == 0) { printf(%s); %s }" % (
            quoted(self.phrase.replace("%", "%%")), self.rng.choice(["", "__trap();", "assert(0);", "__brkpt();"]))
            ).replace("#include", "#include <assert.h>\n#include", 1)

    def kind_asserted(self):
        return "#include <assert.h>\n" + self.in_kernel("assert(a_width < 0 && %s);" % quoted(self.phrase))

    def kind_occupancy(self):
        number = self.rng.choice(["nan", "inf", "-0", "1e999", "9" * 400, "0x1", "", self.phrase, "0.5\\nOccupancy: 1"])
        return self.in_print('printf("Occupancy: %%s\\n", %s); return;' % quoted(number).replace("\\\\n", "\\n"))

    def kind_print_part(self):
        code = self.rng.choice(['abort();', 'exit(3);', 'cudaDeviceReset();', 'while (1) { }', 'matrixMulTiled<<<1, 4096>>>(0, 0, 0, 0, 0);',
                                'matrixMulTiled<<<1, 256>>>(0, 0, 0, 16, 16); cudaDeviceSynchronize();'] + ["{ %s }" % call for call in CALLS])
        return "#include <stdlib.h>\n" + self.in_print(code)

    def kind_bounds(self):
        bound = self.rng.choice(["__launch_bounds__(1)", "__launch_bounds__(1024, 99)", "__launch_bounds__(2147483647)", "__cluster_dims__(2, 1, 1)",
                                 "__maxnreg__(1)", "__block_size__((1, 1, 1))"])
        return self.source.replace("__global__ void", "__global__ void " + bound, 1)

    def kind_geometry(self):
        launch = self.rng.choice(["<<<0, 0>>>", "<<<1, 2048>>>", "<<<dim3(1, 70000, 1), 1>>>", "<<<1, 256, 1 << 30>>>", "<<<1, 256, 0, (cudaStream_t)99>>>",
                                  "<<<2147483647, 1>>>", "<<<1, dim3(1, 1, 65)>>>"])
        return self.source.replace("<<<blocks, threads>>>", launch)

    def kind_barrier(self):
        return self.in_kernel(self.rng.choice(["if (tx & 1) { __syncthreads(); } else { __syncthreads(); }", "if (tx == 0) { return; }", "while (tx == 0) { __syncthreads(); }",
                                               'asm volatile("bar.sync 99;");', 'asm volatile("bar.sync 1, 33;");', "__syncwarp(0);"]))

    def kind_thread(self):
        return "#include <pthread.h>\n#include <unistd.h>\n" + self.above_kernel(
            "static void *leave(void *) { usleep(%d); _exit(%d); }" % (self.rng.choice([1, 1000, 20000, 100000]), self.rng.choice([0, 1, 137]))).replace(
            "    matrixMulTiled<<<", "    pthread_t t; pthread_create(&t, 0, leave, 0);\n    matrixMulTiled<<<", 1)

    def kind_identifier(self):
        length = self.rng.choice([1000, 20000, 100000])
        return self.above_kernel("int %s = %s;" % ("i" * length, self.rng.choice(["1", "undefined_" + "u" * length])))

    def kind_bytes(self):
        junk = self.rng.choice(["\x01\x02\x1b[2J", "\u202e\u2066", "\ufeff", "\\\n" * 50, "??=", "\t" * 9999, "#" * 3000, "(" * 3000, "'" * 99])
        return self.above_kernel(self.rng.choice(["// ", "/* ", ""]) + junk + self.rng.choice(["", " */"]))

    def kind_device_symbol(self):
        code = self.rng.choice(["__device__ int big[1 << 28];", "__constant__ char big[70000];", "__shared__ int outside;", "__managed__ int m = 1;",
                                "__device__ int *p = (int *)&p;", "texture<float> t;", "__device__ __align__(1073741824) int a;", "__device__ const char *s = %s;" % quoted(self.phrase)])
        return self.above_kernel(code).replace("    float sum = 0.0f;", "    float sum = 0.0f;", 1)

    def kind_mangled_name(self):
        name = self.rng.choice(["_Z" + GROWING, "_ZNK" + GROWING, "_ZN" + "1a" * 2000 + "E", "_ZN99999999999999999999a", "_ZSt" + "I" * 900, "_Z" + "N" * 900])
        if self.rng.random() < 0.5:
            return self.above_kernel('extern "C" __global__ void %s(int *p) { *p = 1; }' % name)
        return self.above_kernel('extern "C" __device__ int %s[4];' % name).replace(
            "    float sum = 0.0f;", "    float sum = a_width < 0 ? %s[tx + 1000000] : 0;" % name, 1)

    def kind_long_kernel_name(self):
        length = self.rng.choice([900, 1100, 4000, 4090, 4200, 20000])
        argument = "q" * length
        return self.above_kernel("struct %s {};\ntemplate <class T>" % argument).replace(
            "matrixMulTiled<<<", "matrixMulTiled<%s><<<" % argument).replace(", matrixMulTiled,", ", matrixMulTiled<%s>," % argument)

    def kind_long_message(self):
        text = (self.phrase + " ") * self.rng.choice([1000, 20000])
        return self.rng.choice([
            lambda: self.top("#error " + text),
            lambda: self.top("#pragma message " + quoted(text)),
            lambda: self.above_kernel("static_assert(sizeof(int) == 1, %s);" % quoted(text)),
            lambda: self.in_kernel("asm volatile(%s);" % quoted("// " + text.replace("%", "%%"))),
            lambda: self.in_kernel("asm volatile(%s);" % quoted(text.replace("%", "%%"))),
        ])()

    def kind_many_messages(self):
        line = self.rng.choice(["#pragma message %s" % quoted(self.phrase), "#warning " + self.phrase,
                                "template <int N> void f%d() { int unused = N; }", "static int unused%d;"])
        many = "\n".join(line.replace("%d", str(i)) for i in range(3000))
        return self.broken(self.above_kernel(many))

    def kind_file_name(self):
        name = self.rng.choice([self.phrase, "f" * 30000, "main.cu", "../naive.cu", "/etc/passwd", "a\\nb", "%s%n", "\u202e.cu"])
        return self.in_kernel('\n#line %d %s\n    __shared__ int pad[2]; pad[tx %% 2] = ty;' % (
            self.rng.choice([1, 40, 2147483647]), quoted(name)))

    def kind_device_print(self):
        text = self.rng.choice([quoted(self.phrase), quoted("%s%n%*d%1000000000d"), quoted("%99999s")])
        value = self.rng.choice(["(const char *)0", "(const char *)8", "%s" % quoted(self.phrase), "tx"])
        return self.in_kernel("if (ty == 0) { printf(%s, %s, tx, ty, tx); }" % (text, value))

    def kind_many_names(self):
        return self.above_kernel("\n".join(self.rng.choice([
            'extern "C" __global__ void k%d() {}', "__device__ int d%d;", "__constant__ int c%d;", "__device__ __noinline__ void g%d() {}"])
            % i for i in range(500)))


def main():
    count, seed, solution, out = int(sys.argv[1]), int(sys.argv[2], 0), Path(sys.argv[3]), Path(sys.argv[4])
    source = (solution / "exercise1_tiled.cu").read_text()
    kinds = [name for name in vars(Text) if name.startswith("kind_")]
    rng = random.Random(seed)
    rng.shuffle(kinds)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        folder = out / ("%03d-%s" % (number, kind[len("kind_"):]))
        folder.mkdir(parents=True)
        text = getattr(Text(source, rng, number), kind)()
        (folder / "exercise1_tiled.cu").write_text(text)
        # The whole coursework is handed in; the rubric of the test grades exercise 1.
        (folder / "exercise2_dynamic.cu").write_text((solution / "exercise2_dynamic.cu").read_text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
