#!/bin/sh
# check_ratio.sh [ROUNDS]: how long a whole check takes, against the bare nvcc builds of its two programs.
#
# Each round builds both exercises of the reference solution with plain nvcc, at once, and then checks the
# same solution three times: with an empty cache, with a change in each file and a cache that holds the
# harness, as a class is graded, and once more as it is. All are measured in turn, so a machine that changes
# its speed changes all. Prints every round, the medians, their ratios (the goal: at most 0.25), the parts of
# the last checks, and the largest memory that the grader and a device process were seen to use. It judges
# nothing: a benchmark is no test.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
rounds=${1:-7}
gpugrade=${GPUGRADE:-$root/gpugrade}
nvcc=${CUDA_HOME:+$CUDA_HOME/bin/nvcc}
[ -n "$nvcc" ] || nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
reference=$root/reference/matmul
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

milliseconds() {
    echo $(($(date +%s%N) / 1000000))
}

bare_build() {
    "$nvcc" -DEXERCISE="$1" -I "$root/student_template/matmul" -I "$root/grader/model" -o "$work/exercise$1" \
        "$reference/main.cu" "$reference/naive.cu" "$2"
}

bare() {
    bare_build 1 "$reference/solution/exercise1_tiled.cu" &
    first=$!
    bare_build 2 "$reference/solution/exercise2_dynamic.cu"
    wait "$first"
}

# check NAME FOLDER: times it, and keeps what it says of its parts.
check() {
    start=$(milliseconds)
    "$gpugrade" check "$2" --coursework matmul --device emulated --seed 0x5eed1234 --verbose \
        --color never >"$work/report" 2>&1 || { cat "$work/report"; exit 1; }
    echo $(($(milliseconds) - start)) >>"$work/$1"
    grep '^times:' "$work/report" >"$work/$1.parts"
}

# Reads the high-water marks of the grader's processes every few milliseconds, until told to stop. A
# device process lives for some 50 ms: it is read several times, the last time near its end.
watch_memory() {
    while [ -e "$work/watching" ]; do
        for pid in $(pgrep '^gpugrade'); do
            name=
            while read -r key value _; do
                case $key in
                Name:) name=$value ;;
                VmHWM:) echo "$name $value" ;;
                esac
            done <"/proc/$pid/status" || true
        done 2>/dev/null
    done >>"$work/memory"
}

median() {
    sort -n | awk '{value[NR] = $1} END {print value[int((NR + 1) / 2)]}'
}

GPUGRADE_CACHE=$work/cache
export GPUGRADE_CACHE
round=1
while [ "$round" -le "$rounds" ]; do
    start=$(milliseconds)
    bare
    echo $(($(milliseconds) - start)) >>"$work/bare"
    rm -rf "$GPUGRADE_CACHE"
    check empty "$reference/solution"
    mkdir "$work/changed$round"
    for file in "$reference/solution"/*.cu; do
        { cat "$file"; echo "// round $round"; } >"$work/changed$round/${file##*/}"
    done
    check changed "$work/changed$round"
    check same "$work/changed$round"
    echo "round $round: bare $(tail -n 1 "$work/bare") ms, empty cache $(tail -n 1 "$work/empty") ms," \
        "changed $(tail -n 1 "$work/changed") ms, same $(tail -n 1 "$work/same") ms"
    round=$((round + 1))
done
bare_median=$(median <"$work/bare")
for name in empty changed same; do
    check_median=$(median <"$work/$name")
    echo "median, $name: bare $bare_median ms, check $check_median ms," \
        "ratio $(awk "BEGIN {printf \"%.2f\", $check_median / $bare_median}") (goal: at most 0.25)"
    cat "$work/$name.parts"
done

touch "$work/watching"
watch_memory &
for name in first second third; do
    check "$name" "$reference/solution"
done
rm "$work/watching"
wait
awk '{if ($2 > peak[$1]) peak[$1] = $2}
     END {for (name in peak) printf "peak memory of %s: %.0f MB (goal: under 300)\n", name,
          peak[name] / 1024}' "$work/memory"
