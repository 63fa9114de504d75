#!/bin/sh
# run_passes.sh: what `gpugrade run` passes through untouched, its exit statuses, signals, and that
# nothing is left behind.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
programs=$REPO/tests/cli/programs
unset NVCC_APPEND_FLAGS NVCC_PREPEND_FLAGS LD_LIBRARY_PATH

modes=$SCRATCH/modes
if ! build_cuda "$modes" "$programs/modes.cu"; then
    fail 'modes.cu is built' "$SCRATCH/err"
    finish
fi
mkdir "$SCRATCH/tmp" "$SCRATCH/here"
TMPDIR=$SCRATCH/tmp
export TMPDIR
cd "$SCRATCH/here" || exit 1

# run ARGUMENTS...: output in out and err, exit status in status; standard input is the caller's.
run() {
    env --default-signal=INT,QUIT,HUP,PIPE "$GPUGRADE" run "$@" >"$SCRATCH/out" 2>"$SCRATCH/err"
    status=$?
}

is_status() {
    if [ "$status" -eq "$2" ]; then
        pass "$1 exits with $2"
    else
        fail "$1 exits with $2, got $status" "$SCRATCH/err"
    fi
}

has_processes() {
    [ -n "$(processes)" ]
}

has_none() {
    [ -z "$(processes)" ]
}

nothing_left() {
    wait_for has_none
    left=$(ls -A "$TMPDIR")$(processes)
    if [ -z "$left" ]; then
        pass "nothing is left after $1"
    else
        fail "nothing is left after $1" "$left"
    fi
}

# Processes of the program, or device processes of this suite's folder for temporary files.
processes() {
    for entry in /proc/[0-9]*; do
        case $(readlink "$entry/exe" 2>/dev/null) in
        "$modes") printf '%s: %s\n' "${entry#/proc/}" "$modes" ;;
        */gpugrade-device)
            parent=$(awk '/^PPid:/ { print $2 }' "$entry/status" 2>/dev/null)
            tr '\0' '\n' 2>/dev/null <"/proc/$parent/environ" | grep -qxF "TMPDIR=$TMPDIR" &&
                printf '%s: a device\n' "${entry#/proc/}"
            ;;
        esac
    done
}

# What passes through.
run "$modes" arguments 'two words' '' --json -- '*' </dev/null
expect 'arguments' grep -qxF "[$modes][arguments][two words][][--json][--][*]" "$SCRATCH/out"
printf 'binary \000 and text\n' >"$SCRATCH/given"
run "$modes" input <"$SCRATCH/given"
is_status 'reading standard input' 0
expect 'standard input and output' cmp "$SCRATCH/given" "$SCRATCH/out"
run "$modes" errors </dev/null
expect 'standard error comes first' sh -c "head -n 1 '$SCRATCH/err' | grep -qx 'own error'"
expect 'a call that failed is a warning' grep -q '^warning\[E01\]: cudaMalloc gave' "$SCRATCH/err"
is_status 'a warning' 1
run "$modes" asks </dev/null
is_status 'an error that the program asked for' 0
expect 'which is a note' grep -q '^note: cudaMalloc gave' "$SCRATCH/err"
run "$modes" where </dev/null
expect 'working folder and TMPDIR' grep -qxF "$SCRATCH/here $TMPDIR" "$SCRATCH/out"
(unset TMPDIR && "$GPUGRADE" run "$modes" where >"$SCRATCH/out" 2>"$SCRATCH/err")
expect 'no TMPDIR' grep -qxF "$SCRATCH/here none" "$SCRATCH/out"
cp "$modes" by_name
run by_name arguments </dev/null
expect 'a file here needs no slash' grep -qx '\[by_name\]\[arguments\]' "$SCRATCH/out"
(cd / && PATH=$SCRATCH/here:$PATH "$GPUGRADE" run by_name exit 0 >/dev/null 2>"$SCRATCH/err")
expect 'a program on PATH' grep -q 'no findings in 1 launch' "$SCRATCH/err"
env --default-signal=PIPE "$GPUGRADE" run "$modes" input </dev/zero 2>"$SCRATCH/err" | head -c 10 >/dev/null
expect 'a reader that goes away ends the program' grep -q 'ended by signal 13' "$SCRATCH/err"

# The checks of global memory.
for code in R03 N02; do
    "$GPUGRADE" explain "$code" --example >"$code.cu"
    run "$code.cu" </dev/null
    expect "$code is looked for" grep -q "^error\\[$code\\]" "$SCRATCH/err"
    run --no-global-checks "$code.cu" </dev/null
    is_status "$code is not with --no-global-checks" 0
done

# Exit statuses.
run "$modes" exit 0 </dev/null
is_status 'a program that exits with 0' 0
run "$modes" exit 7 </dev/null
is_status 'a program that exits with 7' 7
run "$modes" overrun </dev/null
is_status 'findings' 1
run "$modes" overrun 9 </dev/null
is_status 'findings of a program that exits with 9' 1
for number in 1 2 6 9 11 15; do
    run "$modes" signal "$number" </dev/null
    is_status "a program that signal $number ends" $((128 + number))
done
run --json "$SCRATCH/killed.json" "$modes" overrun-and-signal </dev/null
is_status 'findings of a program that is killed' 137
expect 'they are told all the same' jq -e '.findings[0].kind == "out_of_bounds" and .signal == 9
    and .exit_status == null' "$SCRATCH/killed.json"
# Programs without kernels.
cat >host.cpp <<'END'
#include <cstdio>
#include <cuda_runtime.h>
int main()
{
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count == 1 && std::puts("one device") > 0 ? 5 : 0;
}
END
cp host.cpp host.cu
if build_cuda host host.cpp; then
    run ./host </dev/null
    is_status 'a program of a .cpp file' 5
else
    fail 'a .cpp file is built' "$SCRATCH/err"
fi
for compiler in nvcc clang; do
    run --compiler "$compiler" host.cu </dev/null
    if grep -qE 'no (clang\+\+|CUDA toolkit) found' "$SCRATCH/err"; then
        skip "a .cu file without kernels by $compiler" "$(head -n 1 "$SCRATCH/err")"
    else
        is_status "a .cu file without kernels by $compiler" 5
        expect 'and it talks to the device' grep -qx 'one device' "$SCRATCH/out"
    fi
done

# What clang needs for any source is made once.
usual_cache=${GPUGRADE_CACHE:-$SCRATCH/cache}
GPUGRADE_CACHE=$SCRATCH/kept
export GPUGRADE_CACHE
run --compiler clang host.cu </dev/null
if ! grep -q 'no clang++ found' "$SCRATCH/err"; then
    find "$GPUGRADE_CACHE" -type f -printf '%i %T@ %p\n' | sort >"$SCRATCH/first"
    run --compiler clang "$programs/vector_add.cu" </dev/null
    is_status 'another source' 0
    find "$GPUGRADE_CACHE" -type f -printf '%i %T@ %p\n' | sort >"$SCRATCH/second"
    expect 'two precompiled headers are kept' [ "$(grep -c /object- "$SCRATCH/first")" -eq 2 ]
    expect 'and used again' cmp "$SCRATCH/first" "$SCRATCH/second"
    GPUGRADE_CACHE=/proc/none
    run --compiler clang host.cu </dev/null
    is_status 'a source, where nothing can be kept' 5
fi
GPUGRADE_CACHE=$usual_cache
run "$modes" unknown </dev/null
is_status 'a call that the device does not know' 3
expect 'which is named' grep -q 'error\[U02\]: cudaIpcCloseMemHandle' "$SCRATCH/err"
run "$modes" host </dev/null
is_status 'host code that reads device memory' 139
expect 'which is a finding' grep -q '^error\[X01\]: host code' "$SCRATCH/err"
run --launch-seconds 1 "$modes" spin </dev/null
is_status 'a launch that does not end' 1
expect 'which is a finding' grep -q '^error\[X04\]: the kernel was still running after 1.0 s' "$SCRATCH/err"

# Processes and threads.
run "$modes" many </dev/null
is_status 'threads and child processes' 0
expect 'output of a child' grep -qx child "$SCRATCH/out"
nothing_left 'a program whose child stays'

# signal_after SECONDS NAME: one that comes so long after the start, or after the program has said that
# it is about to launch what never ends.
signal_after() {
    # A shell starts background jobs with SIGINT ignored, nohup with SIGHUP; env puts them back.
    : >"$SCRATCH/out"
    env --default-signal=INT,QUIT,HUP "$GPUGRADE" run "$modes" spin >"$SCRATCH/out" \
        2>"$SCRATCH/err" </dev/null &
    pid=$!
    # Not before env has put them back.
    until [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = gpugrade ] || ! kill -0 "$pid" 2>/dev/null; do
        sleep 0.01
    done
    case $1 in
    0.*) ;;
    *) wait_for grep -q spinning "$SCRATCH/out" ;;
    esac
    sleep "$1"
    kill -s "$2" "$pid"
    wait "$pid"
    status=$?
}

launch_is_named() {
    grep -q '^note: .spin.: the kernel was still running when' "$SCRATCH/err"
}

# Signals from outside, while a kernel spins and before anything runs.
for pair in INT:2 TERM:15 HUP:1 QUIT:3; do
    signal_after 0.02 "${pair%:*}"
    is_status "SIG${pair%:*} after 0.02 s" $((128 + ${pair#*:}))
    # Nobody sees from outside when the launch begins.
    for seconds in 1 5 25; do
        signal_after "$seconds" "${pair%:*}"
        if launch_is_named || [ "$status" -ne $((128 + ${pair#*:})) ]; then
            break
        fi
    done
    is_status "SIG${pair%:*} while a kernel spins" $((128 + ${pair#*:}))
    expect "SIG${pair%:*}: the launch is named" launch_is_named
done
nothing_left 'signals'
"$GPUGRADE" run "$modes" spin >"$SCRATCH/out" 2>&1 </dev/null &
pid=$!
expect 'a running program is seen' wait_for has_processes
wait_for grep -q spinning "$SCRATCH/out"
kill -s KILL "$pid"
wait "$pid" 2>/dev/null
wait_for has_none
rm -rf "$TMPDIR"/gpugrade-* # a killed supervisor cannot remove its folder
nothing_left 'SIGKILL'

# Ctrl-C on a terminal of its own: the whole process group gets it, the shell that then prints the
# status too.
cat >"$SCRATCH/spin.sh" <<END
trap : INT
"$GPUGRADE" run --color never "$modes" spin
echo status \$?
END
# type_control_c: once the program runs, and stays until the shell has seen it end.
type_control_c() {
    wait_for grep -q spinning "$SCRATCH/out"
    sleep 3
    printf '\003'
    wait_for grep -q '^status' "$SCRATCH/out"
}
if ! command -v script >/dev/null 2>&1; then
    skip 'Ctrl-C on a terminal' 'there is no script command'
elif ! script -qec true /dev/null >"$SCRATCH/out" 2>&1 </dev/null; then
    skip 'Ctrl-C on a terminal' "there is no terminal: $(head -n 1 "$SCRATCH/out")"
else
    : >"$SCRATCH/out"
    type_control_c |
        script -qec "env --default-signal=INT,QUIT sh '$SCRATCH/spin.sh'" /dev/null >"$SCRATCH/out" 2>&1
    cp "$SCRATCH/out" "$SCRATCH/err"
    expect 'Ctrl-C on a terminal' grep -q 'status 130' "$SCRATCH/out"
    expect 'findings follow it' grep -q 'gpugrade run: no findings in 1 launch' "$SCRATCH/out"
    nothing_left 'Ctrl-C'
fi

# The result as JSON.
run --json "$SCRATCH/result.json" "$modes" overrun </dev/null
cp "$SCRATCH/result.json" "$SCRATCH/first.json"
run --json "$SCRATCH/result.json" "$modes" overrun </dev/null
for file in first result; do
    jq 'del(.machine, .seconds)' "$SCRATCH/$file.json" >"$SCRATCH/$file.cut"
done
expect 'two runs give the same result' cmp "$SCRATCH/first.cut" "$SCRATCH/result.cut"
expect 'keys in their order' test "$(jq -r 'keys_unsorted | join(" ")' "$SCRATCH/result.json")" = \
    'schema program arguments exit_status signal launches streams diagnostics findings remarks machine seconds'
if python3 -c 'import jsonschema' 2>/dev/null; then
    for file in result killed; do
        expect "$file.json follows the schema" python3 -c '
import json, sys, jsonschema
jsonschema.validate(json.load(open(sys.argv[1])), json.load(open(sys.argv[2])))' \
            "$SCRATCH/$file.json" "$REPO/rubrics/run.schema.json"
    done
else
    skip 'results follow the schema' 'python3-jsonschema is not installed'
fi
finish
