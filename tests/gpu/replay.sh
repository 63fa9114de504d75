#!/bin/sh
# replay.sh [--record FOLDER]: the time of a recorded call beside that of the call itself.
#
# A reduction and a scan, both of several launches with scratch memory (`scan` and `reduction`), are timed
# by `gpugrade check`, which replays what the call asked for, and in a program of their own
# (replay_on_gpu.cu). Goals: the two differ by at most 2 %; REPEATS (10) checks spread by at most
# 0.2 % (max - min over median of the speedup).
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
. "$(dirname -- "$0")/gpu_lib.sh"
REPEATS=${REPEATS:-10}
gpu_options "$@"
gpu_demand replay
here=$REPO/tests/gpu
course=$REPO
table replay 'a recorded call replayed, and in its own program' \
    '| call | n | in its program ms | replayed ms | difference | spread of the speedup |'

# The coursework's rubric with one criterion of speed: launch $2 at n = $3, beside itself.
with_speed() {
    jq --arg launch "$2" --arg n "$3" '
        .launches |= map(if .id == $launch then .operands |= map(del(.values, .compare)) else . end)
        | (.launches[] | select(.id == $launch)) as $of
        | .launches += [$of + {id: "again", title: "the same"}]
        | .total = 110
        | .criteria += [{
            id: "speed", kind: "speedup", title: "speed", points: 10, launch: $launch,
            baseline: "again", shape: (.parameters | map({(.name): "1"}) | add + {n: $n}),
            operations: "n", bytes: "4 * n", full_marks: "0.5", no_marks: 0.1,
            smallest_reference: 0.5, step: 0.5}]' "$course/rubrics/$1.json"
}

# measure COURSEWORK LAUNCH N OPTIONS...: one row.
measure() {
    coursework=$1 launch=$2 n=$3
    shift 3
    scratch=$SCRATCH/$coursework
    mkdir -p "$scratch/course/rubrics"
    cp -r "$course/reference" "$course/student_template" "$scratch/course/"
    with_speed "$coursework" "$launch" "$n" >"$scratch/course/rubrics/$coursework.json"
    if ! nvcc -O3 "$@" -I"$course/student_template/$coursework" -include "$here/replay_pool.h" \
        -c -o "$scratch/solution.o" "$course/reference/$coursework/solution/$coursework.cu" ||
        ! nvcc -O3 "$@" -arch=native -o "$scratch/program" "$here/replay_on_gpu.cu" "$scratch/solution.o"; then
        fail "$coursework: the program builds"
        return
    fi
    own=$("$scratch/program" "$n")
    for i in $(seq "$REPEATS"); do
        "$GPUGRADE" check "$course/reference/$coursework/solution" --device auto --only speed \
            --rubric "$scratch/course/rubrics/$coursework.json" --seed "$i" --json "$scratch/$i.json" \
            >"$scratch/log" 2>&1
    done
    jq -r '.criteria[] | select(.id == "speed" and .measured.speedup != null)
        | "\(.measured.speedup) \(.measured.student_ms)"' "$scratch"/[0-9]*.json | sort -g >"$scratch/figures"
    if [ "$(wc -l <"$scratch/figures")" -ne "$REPEATS" ]; then
        fail "$coursework: $REPEATS checks measure" "$(tail -n 20 "$scratch/log")"
        return
    fi
    awk -v own="$own" '{ speedup[NR] = $1; ms[NR] = $2; sum += $2 } END {
        difference = 100 * (sum / NR / own - 1)
        printf "%.4f %.2f %.3f", sum / NR, difference, 100 * (speedup[NR] - speedup[1]) / speedup[int((NR + 1) / 2)]
    }' "$scratch/figures" >"$scratch/row"
    read -r replayed difference spread <"$scratch/row"
    row "| $coursework | $n | $own | $replayed | $difference % | $spread % |"
    if awk -v d="$difference" 'BEGIN { exit !(d <= 2 && d >= -2) }'; then
        pass "$coursework: replayed within 2 % of its own program"
    else
        fail "$coursework: replayed within 2 % of its own program" "$difference %"
    fi
    if awk -v s="$spread" 'BEGIN { exit !(s <= 0.2) }'; then
        pass "$coursework: checks spread by at most 0.2 %"
    else
        fail "$coursework: checks spread by at most 0.2 %" "$spread %"
    fi
}

measure reduction sum 33554432
measure scan scan 33554432 -DSCAN
finish
