#!/bin/sh
# run_refused.sh: what `gpugrade run` does not run: exit status 2, one message, the way to rebuild.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
programs=$REPO/tests/cli/programs
unset NVCC_APPEND_FLAGS NVCC_PREPEND_FLAGS

source=$programs/vector_add.cu
cd "$SCRATCH" || exit 1

# build NAME FLAGS...
build() {
    name=$1
    shift
    nvcc -o "$name" "$source" "$@" >"$SCRATCH/err" 2>&1 || fail "nvcc builds $name" "$SCRATCH/err"
}

# refused NAME-OF-THE-TEST ARGUMENTS... -- WORDS...: each of the words is in the message.
refused() {
    title=$1
    shift
    arguments=''
    while [ "$1" != -- ]; do
        arguments="$arguments $1"
        shift
    done
    shift
    # shellcheck disable=SC2086 # a list of words
    "$GPUGRADE" run $arguments >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    status=$?
    if [ "$status" -ne 2 ]; then
        fail "$title exits with 2, got $status" "$SCRATCH/err"
        return
    fi
    for words in "$@"; do
        if ! grep -qF -- "$words" "$SCRATCH/err"; then
            fail "$title says: $words" "$SCRATCH/err"
            return
        fi
    done
    if [ -s "$SCRATCH/out" ]; then
        fail "$title prints nothing on standard output" "$SCRATCH/out"
    else
        pass "refused: $title"
    fi
}

again='rebuild it: nvcc -cudart shared -lineinfo -gencode arch=compute_75,code=compute_75'
if command -v nvcc >/dev/null; then
    build defaults
    build both -gencode arch=compute_90,code=sm_90
    build no_ptx -cudart shared -gencode arch=compute_90,code=sm_90
    build apart -cudart shared -rdc=true
    build newer -cudart shared -gencode arch=compute_120,code=compute_120
    build usual -cudart shared
    refused 'a static runtime' ./defaults -- 'add -cudart shared' "$again"
    refused 'several obstacles' ./both -- 'add -cudart shared' 'without PTX: add -gencode' "$again"
    refused 'no PTX' ./no_ptx -- 'without PTX: add -gencode arch=compute_75,code=compute_75' "$again"
    refused 'separate compilation' ./apart -- 'build without -rdc=true' 'that launch kernels' "$again"
    echo '__global__ void child() {} __global__ void parent() { child<<<1, 1>>>(); }
int main() { parent<<<1, 1>>>(); }' >nested.cu
    NVCC_APPEND_FLAGS=-rdc=true refused 'a launch from a kernel, compiled apart' nested.cu -- \
        'build without -rdc=true' 'nested.cu:1: a kernel cannot launch a kernel here'
    refused 'PTX for a newer GPU' ./newer -- 'compute_120' 'compute_90' "$again"
    echo 'int nothing;' >nothing.c
    gcc -shared -Wl,-soname,libcusparse.so.12 -o libcusparse.so.12 nothing.c
    build foreign -cudart shared -Xlinker --no-as-needed -L. -l:libcusparse.so.12
    refused 'a library without a stand-in' ./foreign -- 'it uses cuSPARSE (libcusparse.so.12)'
    if grep -q 'rebuild it' "$SCRATCH/err"; then
        fail 'to build it again would not help' "$SCRATCH/err"
    else
        pass 'to build it again would not help'
    fi
    cat >newest.cu <<'END'
__global__ void narrow(float x, unsigned short *out)
{
    asm("{.reg .b8 t; cvt.rn.satfinite.e2m1x2.f32 t, %1, %1; mov.b16 %0, {t, t};}" : "=h"(*out) : "f"(x));
}
int main()
{
    narrow<<<1, 1>>>(1, nullptr);
    return 0;
}
END
    refused 'an instruction of a newer GPU' newest.cu -- 'e2m1x2' 'for compute capability 9.0 or less'
    if grep -q 'rebuild it' "$SCRATCH/err"; then
        fail 'to build what run has built would not help' "$SCRATCH/err"
    else
        pass 'to build what run has built would not help'
    fi
    "$GPUGRADE" run ./usual >out 2>err </dev/null
    status=$?
    if [ "$status" -eq 0 ] && grep -q 'no findings in 1 launch' err; then
        pass "nvcc's usual architecture holds PTX"
    else
        fail "nvcc's usual architecture holds PTX: status $status" err
    fi
    message='broken.cu(1): error'
else
    skip 'programs that nvcc built in other ways' 'there is no CUDA toolkit here'
    build_cuda usual "$source" || fail 'a program is built' err
    message='broken.cu:1:21: error'
fi

cat >broken.cu <<'END'
int main() { return nothing; }
END
refused 'a file that does not compile' broken.cu -- "$message" "'broken.cu' does not compile"
cat >kernel.cu <<'END'
__global__ void kernel() {}
END
refused 'a file without main' kernel.cu -- "'kernel.cu' does not compile"
cat >caller.cu <<'END'
__device__ int twice(int x);
__global__ void kernel(int *x) { x[0] = twice(x[0]); }
int main() { kernel<<<1, 1>>>(nullptr); }
END
echo '__device__ int twice(int x) { return 2 * x; }' >callee.cu
refused 'device code of two files' caller.cu callee.cu -- "Unresolved extern function 'twice'" \
    'the first such place is caller.cu:2' 'define the function in the file that calls it'
cat >nested.cu <<'END'
__global__ void child(int *x) { x[threadIdx.x]++; }
__global__ void parent(int *x)
{
    child<<<1, 32>>>(x);
}
int main() { parent<<<1, 1>>>(nullptr); }
END
refused 'a launch from a kernel' nested.cu -- "'nested.cu' does not compile" \
    'nested.cu:4: a kernel cannot launch a kernel here: let the host'
printf 'int main(void) { return 0; }\n' >plain.c
gcc -o plain plain.c && gcc -c -o plain.o plain.c && gcc -shared -fPIC -o plain.so plain.c
cp usual unusable && chmod a-x unusable
printf '#!/bin/sh\n./usual\n' >script.sh && chmod +x script.sh
echo text >text && chmod +x text
: >empty && chmod +x empty
head -c 2000 usual >part && chmod +x part
mkdir folder folder.cu
refused 'a program without device code' ./plain -- 'contains no device code'
refused 'an object file' ./plain.o -- 'is an object file'
refused 'a shared library' ./plain.so -- 'is a shared library'
refused 'a file that is not executable' ./unusable -- 'chmod +x'
refused 'a script' ./script.sh -- 'is a script'
refused 'a text' ./text -- 'is not a program'
refused 'an empty file' ./empty -- 'is not a program'
refused 'half a program' ./part -- 'is not an ELF file with section headers'
refused 'a folder' ./folder -- 'is a folder'
refused 'a folder that is called .cu' folder.cu -- 'is a folder'
refused 'a device file' /dev/null -- 'is not a regular file'
refused 'a file that is not there' ./nosuch -- 'No such file'
refused 'a source that is not there' nosuch.cu -- 'No such file'
refused 'a name that nobody knows' nosuch -- 'no program of that name on PATH'
refused 'no program' -- 'run needs a program'
refused 'an unknown option' --sede 1 ./usual -- "unknown option '--sede'"
refused 'an option of check' --only compile ./usual -- "unknown option '--only'"
refused 'a seed that is none' --seed xyz ./usual -- '--seed takes 1 to 16'
refused 'an unknown GPU' --gpu-model RTX9999 ./usual -- 'H200'
refused 'JSON to standard output' --json - ./usual -- 'standard output belongs to the program'
refused 'JSON to a folder' --json folder ./usual -- 'needs the name of a file'
refused 'seconds that are none' --launch-seconds soon ./usual -- '--launch-seconds takes a whole number'
refused 'memory that is none' --device-memory -1 ./usual -- '--device-memory takes a whole number'

if ! command -v nvcc >/dev/null; then
    skip 'kernels in a shared library' 'there is no CUDA toolkit here'
    finish
fi
# Kernels in a shared library are found out when they are registered.
cat >library.cu <<'END'
#include <cstdio>
__global__ void kernel() {}
extern "C" void launch()
{
    kernel<<<1, 1>>>();
    printf("%d\n", (int)cudaDeviceSynchronize());
}
END
cat >user.cu <<'END'
__global__ void own() {}
extern "C" void launch();
int main()
{
    own<<<1, 1>>>();
    launch();
    return 0;
}
END
if nvcc -cudart shared -shared -Xcompiler -fPIC -o liblibrary.so library.cu >err 2>&1 &&
    nvcc -cudart shared -o user user.cu -L. -llibrary -Xlinker -rpath="$SCRATCH" >err 2>&1; then
    refused 'kernels in a shared library' ./user -- 'link it into the program'
else
    fail 'nvcc builds a shared library' err
fi
finish
