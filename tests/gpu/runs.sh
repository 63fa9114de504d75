#!/bin/sh
# runs.sh [--record FOLDER]: the programs of tests/cli/programs and tests/emulated/programs on the real
# GPU: `gpugrade run --device cuda` gives the output and the exit status that `--device emulated` gives,
# so every runtime call that the one serves works on the other. JOBS programs at once.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
. "$(dirname -- "$0")/gpu_lib.sh"
FLAGS='-std=c++17 -cudart shared -lineinfo -gencode arch=compute_75,code=compute_75'
unset NVCC_APPEND_FLAGS NVCC_PREPEND_FLAGS

# program_run DEVICE PROGRAM: what it prints, and how it ends, to PROGRAM.DEVICE. The status of
# `gpugrade run` would count findings in.
program_run() {
    timeout 40 "$GPUGRADE" run --device "$1" --launch-seconds 20 --color never \
        --json "$2.json" "$2" >"$2.$1" 2>"$2.$1.screen" </dev/null
    jq -r '"exit status \(.exit_status), signal \(.signal)"' "$2.json" >>"$2.$1" 2>/dev/null ||
        echo 'no result' >>"$2.$1"
    rm -f "$2.json"
}

# --one FOLDER SOURCE: builds the program and runs it on both; prints one line.
if [ "${1:-}" = --one ]; then
    program=$2/$(basename "$3" .cu)
    sources=$3
    [ ! -d "$3" ] || sources=$(find "$3" -name '*.cu' | sort)
    # shellcheck disable=SC2086 # lists of words
    if ! nvcc $FLAGS -o "$program" $sources >"$program.log" 2>&1; then
        echo "builds-not $program"
        exit 0
    fi
    program_run emulated "$program"
    program_run cuda "$program"
    if grep -q '^no result' "$program.cuda"; then
        echo "unserved $program"
    elif cmp -s "$program.emulated" "$program.cuda"; then
        echo "same $program"
    else
        echo "differs $program"
    fi
    exit 0
fi

gpu_options "$@"
gpu_demand runs
# modes.cu does what its argument says, and nothing without one
find "$REPO/tests/cli/programs" "$REPO/tests/emulated/programs" -maxdepth 1 -name '*.cu' \
    ! -name modes.cu >"$SCRATCH/sources"
echo "$REPO/tests/emulated/programs/three_files" >>"$SCRATCH/sources"
if ! nvidia-smi -L | head -n 1 | grep -q H200; then
    skip 'run: device_query' 'the emulated device is an H200, this GPU is not'
    sed -i '/device_query/d' "$SCRATCH/sources"
fi
# leave_out NAME WHY: of a program that a GPU cannot do the same with.
leave_out() {
    skip "run: $1" "$2"
    sed -i "/$1/d" "$SCRATCH/sources"
}
# After a fault a real GPU's context stays dead, also after cudaDeviceReset: the next call fails.
leave_out sticky_fault 'a reset does not bring a real GPU back after a fault'
leave_out object_queries 'the driver does not load these queries'
leave_out system_atomics 'the host and a GPU do not share managed memory while a kernel runs'
mkdir "$SCRATCH/run"
xargs -P "$JOBS" -I SOURCE sh "$REPO/tests/gpu/runs.sh" --one "$SCRATCH/run" SOURCE \
    <"$SCRATCH/sources" >"$SCRATCH/lines"

table runs 'gpugrade run, --device cuda beside --device emulated' '| program | output and ending |'
sort "$SCRATCH/lines" >"$SCRATCH/sorted"
while read -r word program; do
    name=$(basename "$program")
    row "| $name | $word |"
    case $word in
    same) pass "run: $name does on the GPU what it does on the emulated device" ;;
    differs | unserved)
        diff "$program.emulated" "$program.cuda" >"$SCRATCH/difference"
        tail -n 3 "$program.cuda.screen" >>"$SCRATCH/difference"
        fail "run: $name does on the GPU what it does on the emulated device" "$SCRATCH/difference"
        ;;
    *) fail "run: $name builds" "$program.log" ;;
    esac
done <"$SCRATCH/sorted"
finish
