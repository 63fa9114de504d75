#!/bin/sh
# check_ratio.sh [ROUNDS]: how long a whole check takes, against the bare nvcc builds of its two programs.
#
# Each round builds both exercises of the reference solution with plain nvcc, at once, and checks the
# same solution once; the two are measured in turn, so a machine that changes its speed changes both.
# Prints every round, the medians, their ratio (the goal: at most 0.75), and the largest memory that the
# grader and a device process were seen to use. It judges nothing: a benchmark is no test.
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
    "$nvcc" -DEXERCISE="$1" -I "$root/student_template/matmul" -o "$work/exercise$1" \
        "$reference/main.cu" "$reference/naive.cu" "$2"
}

bare() {
    bare_build 1 "$reference/solution/exercise1_tiled.cu" &
    bare_build 2 "$reference/solution/exercise2_dynamic.cu" &
    wait
}

check() {
    "$gpugrade" check "$reference/solution" --seed 0x5eed1234 --color never >"$work/report" 2>&1 ||
        { cat "$work/report"; exit 1; }
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

check # the first one fills the cache of harness objects
round=1
while [ "$round" -le "$rounds" ]; do
    start=$(milliseconds)
    bare
    middle=$(milliseconds)
    check
    end=$(milliseconds)
    echo $((middle - start)) >>"$work/bare"
    echo $((end - middle)) >>"$work/check"
    echo "round $round: bare $((middle - start)) ms, check $((end - middle)) ms"
    round=$((round + 1))
done
bare_median=$(median <"$work/bare")
check_median=$(median <"$work/check")
echo "median: bare $bare_median ms, check $check_median ms," \
    "ratio $(awk "BEGIN {printf \"%.2f\", $check_median / $bare_median}") (goal: at most 0.75)"

touch "$work/watching"
watch_memory &
check
check
check
rm "$work/watching"
wait
awk '{if ($2 > peak[$1]) peak[$1] = $2}
     END {for (name in peak) printf "peak memory of %s: %.0f MB (goal: under 300)\n", name,
          peak[name] / 1024}' "$work/memory"
