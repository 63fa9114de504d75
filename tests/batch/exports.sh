#!/bin/sh
# exports.sh [N [ENDLESS [KILLS]]]: one class of N (8), as folders and as four platforms export it, has
# the same marks to the digit in each: in the store, tables, gradebooks, pages and what is handed back.
# With and without its roster it stays so, and the zone is said once. Names are of many scripts; some are late, copied, hostile,
# empty or broken; ENDLESS of them (0) never end. With KILLS, a batch is killed with SIGKILL so often
# at random moments, and then has the same table as the others.
#
# tests/run grades the smallest class, by one program of the coursework; `tests/batch/exports.sh 60 3
# 50` is the class of an instructor, by the shipped rubric. SEED chooses the class and the moments.
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
here=$REPO/tests/batch
count=${1:-8}
endless=${2:-0}
kills=${3:-0}
seed=${SEED:-7}
TMPDIR=$SCRATCH/tmp
PYTHONDONTWRITEBYTECODE=1
export TMPDIR PYTHONDONTWRITEBYTECODE
mkdir "$TMPDIR" "$SCRATCH/reports"
chmod 711 "$SCRATCH" "$TMPDIR"

python3 "$REPO/tests/bench/make_class.py" "$SCRATCH/class" "$count" "$seed" "$endless" || exit 3
python3 "$here/make_exports.py" "$SCRATCH/class/submissions" "$SCRATCH/exports" || exit 3
late='{due: "2026-11-20T12:00:00Z", penalty_per_day: 7, penalty: "percent", cut_off_days: 2}'
if [ "$count" -gt 8 ]; then
    jq ".late = $late" "$SCRATCH/class/rubric.json" >"$SCRATCH/rubric.json"
else
    jq --arg program tiled -f "$REPO/tests/hostile/rubric.jq" "$REPO/rubrics/matmul.json" |
        jq ".late = $late" >"$SCRATCH/rubric.json"
fi

# batch SHAPE RESULTS OPTION...
batch() {
    shape=$1
    results=$2
    shift 2
    "$GPUGRADE" batch "$SCRATCH/exports/$shape" -o "$SCRATCH/$results" --rubric "$SCRATCH/rubric.json" \
        --device emulated --seed 5eed -j2 "$@" >"$SCRATCH/out" 2>&1 </dev/null
}

# table RESULTS: by e-mail address, what does not depend on how the class came.
table() {
    "$GPUGRADE" report "$SCRATCH/$1" --format csv | python3 -c '
import csv, sys
drop = {"student", "submission", "section", "seconds", "tries", "reason", "attempts"}
for row in sorted(csv.DictReader(sys.stdin), key=lambda row: row["email"]):
    print(*(f"{key}={value}" for key, value in row.items() if key not in drop), sep=" | ")' \
        >"$SCRATCH/$1.table"
}

# same NAME RESULTS
same() {
    if [ "$(wc -l <"$SCRATCH/$2.table")" -eq "$count" ] &&
        cmp -s "$SCRATCH/folders.table" "$SCRATCH/$2.table"; then
        pass "$1"
    else
        fail "$1" "$(diff "$SCRATCH/folders.table" "$SCRATCH/$2.table" | cut -c 1-250 | head -n 8; cat "$SCRATCH/out")"
    fi
}

for shape in folders moodle canvas gradescope github; do
    batch "$shape" "$shape" --roster "$SCRATCH/exports/$shape.csv" --zone +00:00
    table "$shape"
    same "$shape: everybody has the mark that is due" "$shape"
    mkdir "$SCRATCH/reports/$shape"
    python3 "$here/one_mark.py" "$GPUGRADE" "$SCRATCH/$shape" "$SCRATCH/reports/$shape" \
        >"$SCRATCH/differs" 2>&1
    status=$?
    if [ "$status" -eq 0 ]; then
        pass "$shape: tables, gradebooks and pages agree"
    else
        fail "$shape: tables, gradebooks and pages agree" "$SCRATCH/differs"
    fi
    batch "$shape" "$shape" --resume
    table "$shape"
    same "$shape: gone on with, without the roster" "$shape"
    batch "$shape" "$shape" --resume --roster "$SCRATCH/exports/$shape.csv"
    table "$shape"
    same "$shape: and with it" "$shape"
done
if grep -q '| penalty=[1-9].*| cut_off=no' "$SCRATCH/folders.table" &&
    grep -q 'cut_off=yes' "$SCRATCH/folders.table" && grep -q 'state=nothing' "$SCRATCH/folders.table"; then
    pass 'some are late, some too late, and some handed in nothing that can be graded'
else
    fail 'some are late, some too late, and some handed in nothing that can be graded' "$SCRATCH/folders.table"
fi

# What is handed back is the student's page, under the platform's name.
for platform in moodle canvas; do
    "$GPUGRADE" report "$SCRATCH/$platform" --format pages --for "$platform" -o "$SCRATCH/$platform.back" \
        >"$SCRATCH/out" 2>&1
    for page in "$SCRATCH/$platform.back"/*.html; do
        cksum <"$page"
    done | sort >"$SCRATCH/back"
    for page in "$SCRATCH/reports/$platform/pages"/*.html; do
        cksum <"$page"
    done | sort >"$SCRATCH/pages"
    expect "$platform: each page is handed back" cmp "$SCRATCH/pages" "$SCRATCH/back"
done

if [ "$kills" -gt 0 ]; then
    killed=0
    rounds=0
    while [ "$killed" -lt "$kills" ] && [ "$rounds" -lt $((20 * kills)) ]; do
        rounds=$((rounds + 1))
        seed=$(((seed * 1103515245 + 12345) % 2147483648))
        batch folders killed --resume --roster "$SCRATCH/exports/folders.csv" --zone +00:00 &
        batch=$!
        sleep "$((seed / 65536 % 5)).$((seed / 65536 % 10))"
        # The process that the user started: batch is a function, so it is below a shell.
        for children in "/proc/$batch/task"/*/children; do
            [ -r "$children" ] || continue
            read -r process _ <"$children" 2>/dev/null || [ -n "${process:-}" ] || continue
            kill -KILL "$process" 2>/dev/null && killed=$((killed + 1))
            process=
        done
        wait "$batch"
        : >"$SCRATCH/runs" # a batch that was killed at once has no store yet
        [ ! -s "$SCRATCH/killed/gpugrade.sqlite" ] ||
            python3 "$here/stored.py" runs "$SCRATCH/killed" >"$SCRATCH/runs" 2>&1 ||
            fail "the store is whole after kill $killed" "$SCRATCH/runs"
        if [ "$(grep -c . "$SCRATCH/runs")" -ge "$(grep -c 'state=graded' "$SCRATCH/folders.table")" ]; then
            rm -rf "$SCRATCH/killed" # it is at its end: the next kill needs work to meet
        fi
    done
    batch folders killed --resume --roster "$SCRATCH/exports/folders.csv" --zone +00:00
    table killed
    same "killed $killed times in $rounds rounds: the same table" killed
fi
finish
