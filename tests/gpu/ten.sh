#!/bin/sh
# ten.sh [--record FOLDER]: ten submissions, one after the other: an endless kernel, an out-of-bounds
# store and a failed assertion among seven right ones, by --device cuda, where the three happen on the
# GPU, and by --device auto. Each of the three costs that submission only: the others have all points
# that can be had, and afterwards no process is left and nobody uses the GPU.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
. "$(dirname -- "$0")/gpu_lib.sh"
gpu_options "$@"
gpu_demand ten

# FIXTURE and the code that it must fail with, if it must; the order of the run. The right ones differ
# from the reference in what does not change its speed.
TEN='right/checked_launch
wrong/kernel_loop launch_deadline
right/extra_prints
right/occupancy_percentage
wrong/write_past_the_end global_out_of_bounds
right/own_header
right/timed_launch
wrong/kernel_assert_fails device_assert
reference
right/template_kernel'

# Processes that run one of the grader's own executables.
left_processes() {
    folder=$(readlink -f "$(dirname "$(gpugrade_binary)")")
    for entry in /proc/[0-9]*; do
        case $(readlink "$entry/exe" 2>/dev/null) in
        "$folder"/*) tr '\0' ' ' <"$entry/cmdline" 2>/dev/null && echo ;;
        esac
    done
}

# What uses the GPU: processes, and MiB.
gpu_use() {
    nvidia-smi --query-compute-apps=pid,name,used_memory --format=csv,noheader
}

gpu_mib() {
    nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits
}

# judge FIXTURE CODE SCORE DEVICE: CODE "" is all points.
judge() {
    said=$(jq -r '[.criteria[] | select(.id | startswith("correct.tiled"))
        | "\(.status) \(.cause.code // "")"] | join(";")' "$3" 2>/dev/null)
    score=$(jq -r '"\(.score) of \(.measurable_max)"' "$3" 2>/dev/null)
    row "| $4 | $1 | ${2:-right} | $said | $score |"
    if [ -z "$2" ] && jq -e '(.measurable_max - .score | fabs) < 1e-9 and .measurable_max > 50
        and all(.criteria[]; .status == "passed" or .status == "skipped")' "$3" >/dev/null 2>&1; then
        pass "$4: $1 has all points, $score"
    elif [ -n "$2" ] && [ "$said" = "failed $2" ] && jq -e 'all(.criteria[]; .status != "error")' \
        "$3" >/dev/null; then
        pass "$4: $1 fails with $2"
    else
        fail "$4: $1 ${2:+fails with }${2:-has all points}" \
            "$(jq -c '.criteria[] | [.id, .status, .points, .cause.code, .cause.message]' "$3")"
    fi
}

table ten 'ten submissions in sequence' \
    '| device | submission | expected | correct.tiled | points |'
before=$(gpu_mib)
for device in cuda auto; do
    started=$(date +%s)
    echo "$TEN" >"$SCRATCH/ten"
    while read -r fixture code; do
        name=$device-$(echo "$fixture" | tr / -)
        student "$fixture" "$SCRATCH/$name"
        check "$SCRATCH/$name" "$SCRATCH/$name.json" --device "$device"
        judge "$fixture" "$code" "$SCRATCH/$name.json" "$device"
    done <"$SCRATCH/ten"
    printf '        %s: %d s\n' "$device" $(($(date +%s) - started))
    left=$(left_processes)
    used=$(gpu_use)
    if [ -z "$left$used" ]; then
        pass "$device: afterwards no process is left, and none uses the GPU"
    else
        fail "$device: afterwards no process is left, and none uses the GPU" "$left
$used"
    fi
done
after=$(gpu_mib)
if [ "$before" = "$after" ]; then
    pass "the GPU has as much memory in use as before: $after MiB"
else
    fail 'the GPU has as much memory in use as before' "before: $before; after: $after MiB"
fi
finish
