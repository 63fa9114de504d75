#!/bin/sh
# class_reports.sh [COUNT]: how long `gpugrade report` takes on COUNT stored results (default: 10000),
# and how much memory.
#
# The store is made up (make_class_store). Prints for each format the wall time, the processor time and
# the largest memory. The goal for 10,000: under 3 s and 200 MB for every report on the class; the pages
# to hand back are 10,000 documents, so for them the time for one is printed too. It judges nothing: a
# benchmark is no test.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
count=${1:-10000}
gpugrade=${GPUGRADE:-$root/gpugrade}
maker=${GPUGRADE_BUILD:-$root/build}/tests/bench/make_class_store
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

"$maker" "$work/results" "$count"
export GPUGRADE_ROOT="$root"
"$gpugrade" report "$work/results" --format csv -o "$work/csv" # the launcher may have to build
cat >"$work/measure.py" <<'EOF'
import os, resource, subprocess, sys, time

name, count, output = sys.argv[1], int(sys.argv[2]), sys.argv[3]
start = time.monotonic()
with open(output + ".err", "wb") as errors:
    status = subprocess.run(sys.argv[4:], stdin=subprocess.DEVNULL, stderr=errors).returncode
wall = time.monotonic() - start
used = resource.getrusage(resource.RUSAGE_CHILDREN)
size = sum(os.path.getsize(os.path.join(folder, file))
           for folder, _, files in os.walk(output) for file in files) or os.path.getsize(output)
each = f", {1000 * (used.ru_utime + used.ru_stime) / count:.2f} ms each" if name == "pages" else ""
print(f"{name:7} {wall:6.2f} s, {used.ru_utime + used.ru_stime:6.2f} s of processor time{each}, "
      f"{used.ru_maxrss / 1024:4.0f} MB of memory, {size / 1e6:.1f} MB written, status {status}")
EOF
for format in csv canvas moodle jsonl html pages; do
    python3 "$work/measure.py" $format "$count" "$work/$format" \
        "$gpugrade" report "$work/results" --format $format -o "$work/$format"
done
