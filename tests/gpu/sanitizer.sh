#!/bin/sh
# sanitizer.sh [--record FOLDER]: compute-sanitizer on the device process itself, while it grades the
# reference solution, times it, and runs a program of many runtime calls: no errors of our own kernels
# and calls.
#
# TOOLS (default: memcheck initcheck racecheck synccheck). Kernels are many times slower under it, so
# nothing is asked of speed here.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
. "$(dirname -- "$0")/gpu_lib.sh"
gpu_options "$@"
gpu_demand sanitizer
if ! command -v compute-sanitizer >/dev/null 2>&1; then
    skip sanitizer 'there is no compute-sanitizer'
    finish
fi

# under TOOL NAME COMMAND...: runs it with the wrapped device; the tool's log of each device process
# is SCRATCH/TOOL-NAME.PID.
under() {
    tool=$1
    log=$SCRATCH/$1-$2
    shift 2
    tool_path=$(command -v compute-sanitizer)
    wrapped_gpugrade=$(wrapped "$tool_path" --tool "$tool" --print-limit 2000 --log-file "$log.%p")
    GPU_WRAPPED=1 GPUGRADE=$wrapped_gpugrade GPUGRADE_ROOT=$REPO "$@"
}

# What a log tells of but copies of snapshots: a snapshot is of all that the program allocated, also
# of what it never wrote, and initcheck says so.
besides_snapshots() {
    awk '
        function flush() {
            if (record != "" && record !~ /gpu_memory_(snapshot|restore) /) {
                printf "%s", record
            }
            record = ""
        }
        /Host API memory access error|Uninitialized __|ERROR SUMMARY/ { flush() }
        /ERROR SUMMARY/ { next }
        { record = record $0 "\n" }
        END { flush() }
    ' "$SCRATCH/said" | grep -vE '^=* *$|COMPUTE-SANITIZER'
}

# judge TOOL NAME EXPECTED STATUS: the logs are clean, and what ran under them is as it should be.
judge() {
    cat "$SCRATCH/$1-$2".[0-9]* >"$SCRATCH/said" 2>/dev/null
    logs=$(find "$SCRATCH" -name "$1-$2.[0-9]*" | wc -l)
    # what the tool saw of processes that loaded a driver; a summary that counts is no zero
    if [ "$1" = initcheck ]; then
        dirty=$(besides_snapshots)
    else
        dirty=$(grep -E '(ERROR|RACECHECK) SUMMARY: ' "$SCRATCH/said" | grep -vE 'SUMMARY: 0 ')
    fi
    row "| $1 | $2 | $logs | $(grep -cE 'SUMMARY: 0 ' "$SCRATCH/said") | $3 | $TOOK |"
    if [ "$logs" -eq 0 ] || ! grep -q 'SUMMARY: ' "$SCRATCH/said"; then
        fail "$1: sees the device process of $2" "$(cat "$SCRATCH/said" "$SCRATCH/$1-$2.screen")"
    elif [ -n "$dirty" ] || grep -q 'Program hit' "$SCRATCH/said"; then
        fail "$1: $2 is clean" "$dirty
$(grep -vE '^=* *$' "$SCRATCH/said")"
    elif [ "$3" != "$4" ]; then
        fail "$1: $2 under it gives $4, got $3" "$SCRATCH/$1-$2.screen"
    else
        pass "$1: $2 is clean in $logs device processes"
    fi
}

check_under() {
    started=$(date +%s)
    student reference "$SCRATCH/student"
    under "$1" check check "$SCRATCH/student" "$SCRATCH/$1.json" --device cuda
    cp "$SCRATCH/$1.json.screen" "$SCRATCH/$1-check.screen"
    TOOK=$(($(date +%s) - started))
    judge "$1" check "$(jq -r '[.criteria[] | select(.id | startswith("correct.")) | .status]
        | join(" ")' "$SCRATCH/$1.json" 2>/dev/null)" 'passed passed'
}

run_program() {
    "$GPUGRADE" run --device cuda --launch-seconds 300 "$1" >"$2" 2>"$3" </dev/null
}

run_under() {
    started=$(date +%s)
    program=$REPO/tests/emulated/programs/streams_and_events.cu
    under "$1" run run_program "$program" "$SCRATCH/$1.out" "$SCRATCH/$1-run.screen"
    TOOK=$(($(date +%s) - started))
    same=differs
    ! cmp -s "${program%.cu}.out" "$SCRATCH/$1.out" || same='same output'
    judge "$1" run "$same" 'same output'
}

table sanitizer 'compute-sanitizer on the device process' \
    '| tool | what ran | device processes | of them without an error | result | seconds |'
for tool in ${TOOLS:-memcheck initcheck racecheck synccheck}; do
    check_under "$tool"
    run_under "$tool"
done
finish
