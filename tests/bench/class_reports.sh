#!/bin/sh
# class_reports.sh [COUNT...]: what a store of COUNT graded students costs (default: 1000 and 10000):
# writing it, each `gpugrade report` on it, `gpugrade regrade` shown and applied. The growth from one
# COUNT to the next shows in the figures.
#
# The store is made up (make_class_store). Prints for each step the wall time, the processor time, the
# largest memory and what was written. The goal for 10,000: under 3 s and 200 MB for every report on the
# class; the pages to hand back are 10,000 documents, so for them the time for one is printed too. The
# new rubric changes the points of two criteria and what late work costs, so that nearly every mark
# changes. It judges nothing: a benchmark is no test.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
gpugrade=${GPUGRADE:-$root/gpugrade}
maker=${GPUGRADE_BUILD:-$root/build}/tests/bench/make_class_store
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export GPUGRADE_ROOT="$root"
[ $# -gt 0 ] || set -- 1000 10000

cat >"$work/rubric.json" <<'EOF'
{"schema": "gpugrade/rubric/v1", "extends": "matmul", "version": 1000,
 "criteria": [{"id": "correct.tiled", "points": 15}, {"id": "race-free.tiled", "points": 10}],
 "leaderboard": {"measure": "speedup"}, "unmeasured": "full",
 "late": {"due": "2026-11-21T00:00:00Z", "penalty_per_day": 5}}
EOF
cat >"$work/measure.py" <<'EOF'
import os, resource, subprocess, sys, time

name, count, output = sys.argv[1], int(sys.argv[2]), sys.argv[3]
start = time.monotonic()
with open(output + ".said", "wb") as said:
    status = subprocess.run(sys.argv[4:], stdin=subprocess.DEVNULL, stdout=said, stderr=said).returncode
wall = time.monotonic() - start
used = resource.getrusage(resource.RUSAGE_CHILDREN)
size = sum(os.path.getsize(os.path.join(folder, file))
           for folder, _, files in os.walk(output) for file in files) or os.path.getsize(output)
each = f", {1000 * (used.ru_utime + used.ru_stime) / count:.2f} ms each" if name == "pages" else ""
print(f"{name:11} {wall:6.2f} s, {used.ru_utime + used.ru_stime:6.2f} s of processor time{each}, "
      f"{used.ru_maxrss / 1024:4.0f} MB of memory, {size / 1e6:.1f} MB written, status {status}")
EOF
for count in "$@"; do
    echo "$count students"
    measure() {
        name=$1
        shift
        python3 "$work/measure.py" "$name" "$count" "$@"
    }
    rm -rf "$work/results" "$work/pages" "$work/pairs"
    measure store "$work/results" "$maker" "$work/results" "$count"
    "$gpugrade" report "$work/results" --format csv -o "$work/csv" # the launcher may have to build
    for format in csv canvas moodle jsonl html pages pairs; do
        measure $format "$work/$format" \
            "$gpugrade" report "$work/results" --format $format -o "$work/$format"
    done
    for step in shown applied; do
        apply=
        [ $step = shown ] || apply=--apply
        measure $step "$work/results" \
            "$gpugrade" regrade "$work/results" --rubric "$work/rubric.json" $apply
    done
    measure leaderboard "$work/board" \
        "$gpugrade" report "$work/results" --format leaderboard -o "$work/board"
done
