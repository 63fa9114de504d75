#!/bin/sh
# clang.sh [--all]: fixture students that clang compiles get the verdicts that they get with nvcc,
# but for the differences in clang_differences.txt. A fixture of this list that meets its
# expectations fails, too: the list must be true.
#
# It grades what quick.txt names for two courseworks; with --all, all fixtures of all courseworks.
# JOBS says how many run at once. Without clang it skips.
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
here=$REPO/tests/submissions
list=$here/clang_differences.txt
courseworks='adjacent_difference transpose'
names=quick
if [ "${1:-}" = --all ]; then
    courseworks=$(cd "$here" && printf '%s\n' */ | tr -d /)
    names=''
fi

# Only the grader knows which clang it takes.
"$GPUGRADE" check "$REPO/reference/transpose/solution" --coursework transpose --device emulated \
    --compiler clang >"$SCRATCH/out" 2>"$SCRATCH/err"
status=$?
if [ "$status" -eq 3 ] && grep -q 'no clang++ found' "$SCRATCH/err"; then
    skip "fixtures by clang" "$(head -n 1 "$SCRATCH/err")"
    finish
fi
expect 'the reference solution passes' [ "$status" -eq 0 ]

# Each line names a fixture once, with a reason.
grep -v '^#' "$list" >"$SCRATCH/list"
while read -r name reason; do
    [ -f "$here/$name/expect" ] || echo "there is no fixture $name"
    [ -n "$reason" ] || echo "$name has no reason"
done <"$SCRATCH/list" >"$SCRATCH/wrong"
sed 's/ .*//' "$SCRATCH/list" | sort | uniq -d | sed 's/$/ is named twice/' >>"$SCRATCH/wrong"
if [ -s "$SCRATCH/wrong" ]; then
    fail "$list" "$SCRATCH/wrong"
else
    pass "clang_differences.txt names fixtures, with reasons"
fi

# judge NAME RESULT LINE: compares what became of a fixture with the list.
judge() {
    reason=$(awk -v name="$1" '$1 == name { sub(/^[^ ]+ /, ""); print }' "$SCRATCH/list")
    if [ "$2" = ok ] && [ -n "$reason" ]; then
        fail "$1 meets its expectations by clang, too: take it out of clang_differences.txt"
    elif [ "$2" = ok ]; then
        pass "$1"
    elif [ -n "$reason" ]; then
        pass "$1 differs: $reason"
    else
        fail "$1" "$3"
    fi
}

for coursework in $courseworks; do
    # shellcheck disable=SC2086 # no word or one
    COURSEWORK=$coursework CHECK_OPTIONS='--device emulated --compiler clang' \
        sh "$here/run.sh" $names >"$SCRATCH/graded" 2>"$SCRATCH/err"
    grep -E '^(ok|FAIL) ' "$SCRATCH/graded" >"$SCRATCH/lines"
    while read -r result name line; do
        judge "$coursework/${name%:}" "$result" "$line"
    done <"$SCRATCH/lines"
    if [ -n "$names" ]; then
        grep -vc '^#' "$here/$coursework/quick.txt"
    else
        find "$here/$coursework/right" "$here/$coursework/wrong" -name expect | wc -l
    fi >"$SCRATCH/count"
    expect "all fixtures of $coursework were graded" \
        [ "$(wc -l <"$SCRATCH/lines")" -eq "$(cat "$SCRATCH/count")" ]
done
finish
