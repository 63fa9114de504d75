#!/bin/sh
# run_mutants.sh [NAME...]: removes or moves the barriers of the programs in pass/, those of one source
# line at a time, and looks whether the emulated device tells the racy mutants from the right ones.
#
#   mutants.txt   "NAME LINE CHANGE VERDICT" for each mutant that barrier_mutant.c can make, decided
#                 without the emulated device; a new barrier needs its lines there
#
# A racy mutant must have a finding of a race, a right one no finding; both must be the same with blocks
# and warps in another order. A race that is unseen in order may be found in another one. The other
# verdicts are explained in mutants.txt. BARRIER_MUTANT names the program that makes mutants (the build
# folder's).
# Ends with "N passed, N failed, N skipped".
# tests/run: --all
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
root=$(CDPATH='' cd -- "$here/../../.." && pwd -P)
. "$root/tests/find_nvcc.sh"
GPUGRADE=${GPUGRADE:-$root/gpugrade}
GPUGRADE_ROOT=$root
BARRIER_MUTANT=${BARRIER_MUTANT:-${GPUGRADE_BUILD:-$root/build}/tests/emulated/barrier_mutant}
JOBS=${JOBS:-2}
export GPUGRADE GPUGRADE_ROOT BARRIER_MUTANT

# Prints the findings of mutant $1, run with the options that follow: CODE and lines of each.
findings() {
    mutant=$1
    shift
    "$GPUGRADE" run "$@" --launch-seconds 10 --color never --json "$folder/found.json" "$mutant" \
        >/dev/null 2>"$folder/screen" </dev/null
    if [ ! -s "$folder/found.json" ]; then
        tail -n 1 "$folder/screen"
        return
    fi
    jq -r '.findings[] | "\(.code) \([.places[].line] | sort | map(tostring) | join(" "))"' \
        "$folder/found.json" | sort
}

# Judges the mutants of program $1; a line for each.
judge_program() {
    folder=$(mktemp -d) || exit 1
    trap 'rm -rf "$folder"' EXIT
    trap 'exit 130' INT TERM
    program=$(sh "$here/../run_programs.sh" --build "pass/$1") || exit 1
    "$BARRIER_MUTANT" list "$program" | while read -r line change; do
        expected=$(sed -n "s/^$1 $line $change \([a-z]*\).*/\1/p" "$here/mutants.txt")
        "$BARRIER_MUTANT" "$change" "$line" "$program" "$folder/$1" || continue
        chmod +x "$folder/$1"
        findings "$folder/$1" >"$folder/first"
        findings "$folder/$1" --seed 7 >"$folder/second"
        seen=right
        if grep -qE '^(shared|warp|global)_race ' "$folder/first"; then
            seen=racy
        elif grep -q '^barrier_deadlock ' "$folder/first"; then
            seen=deadlock
        elif [ -s "$folder/first" ]; then
            seen=$(head -n 1 "$folder/first")
        elif [ "$expected" = unseen ]; then
            seen=unseen
        fi
        if [ "$seen" != "${expected:-unlisted}" ]; then
            echo "FAIL $1 $line $change: ${expected:-unlisted}, seen $seen"
        elif ! grep -q "^$1 $line $change .* values$" "$here/mutants.txt" &&
            ! cmp -s "$folder/first" "$folder/second" &&
            { [ "$seen" != unseen ] || grep -qvE '^(shared|warp|global)_race ' "$folder/second"; }; then
            echo "FAIL $1 $line $change: $seen, but otherwise in another order"
        else
            echo "ok   $1 $line $change: $seen"
        fi
    done
}

if [ "${1:-}" = --one ]; then
    judge_program "$2"
    exit 0
fi
if [ $# -gt 0 ]; then
    names=$(printf '%s\n' "$@")
else
    names=$(cd "$here/../pass" && find . -name '*.cu' | sed 's|^\./||;s|\.cu$||' | sort)
fi
output=$(mktemp) || exit 1
trap 'rm -f "$output"' EXIT
trap 'exit 130' INT TERM
echo "$names" | xargs -P "$JOBS" -n 1 sh "$here/run_mutants.sh" --one | tee "$output"
if [ $# -eq 0 ]; then
    grep -v '^#' "$here/mutants.txt" | while read -r name line change verdict; do
        grep -q " $name $line $change: " "$output" ||
            echo "FAIL $name $line $change: listed as $verdict, but there is no such mutant"
    done | tee -a "$output"
fi
awk '/^(ok  |FAIL) / {
        made++
        expected = $5; sub(/,$/, "", expected)
        racy += expected == "racy"
        unseen += expected == "unseen"
        stuck += expected == "deadlock"
        right += expected == "right"
        found += $1 == "ok" && expected == "racy"
        left_alone += $1 == "ok" && expected == "right"
    }
    END {
        printf "%d mutants: %d of %d racy ones found, %d of %d right ones not accused; ",
            made, found, racy, left_alone, right
        printf "%d deadlocks, %d known to be unseen\n", stuck, unseen
    }' "$output"
passed=$(grep -c '^ok ' "$output")
failed=$(grep -c '^FAIL ' "$output")
printf '%d passed, %d failed, 0 skipped\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
