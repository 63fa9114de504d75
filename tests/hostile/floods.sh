#!/bin/sh
# floods.sh [NAME...]: floods each cap on findings and prints a row for each flood: what was planted,
# what came out, what is counted as left out.
#
# The caps of the device and of the compiler's messages are flooded by unit tests; their rows begin
# with "flood". Then programs are graded: exercise 1, right but for a race and a read of shared memory
# that nobody wrote, which come after a flood in the same kernel. Both must be in the score, the
# criterion must fail for an error, and where findings are left out, score, screen and page must say
# so. NAME is a flood of the list below; default: the unit tests and all floods.
#
# GPUGRADE names the grader, GPUGRADE_BUILD the build folder.
# Ends with a line "N passed, N failed, N skipped"; status 0 if none failed.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
GPUGRADE=${GPUGRADE:-$root/gpugrade}
build=${GPUGRADE_BUILD:-$root/build}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
passed=0
failed=0

# lines COUNT TEXT: one statement in each of COUNT lines.
lines() {
    yes "    $2" | head -n "$1"
}

# flood NAME: the statements of a flood.
flood() {
    case $1 in
    none) ;;
    barriers) # warnings (D04)
        echo '    if (self < 32) { C[row * b_width + column] = sum; return; }'
        lines 4200 '__syncthreads();'
        ;;
    warp_races) # warnings (R02)
        lines 90 'if (self % 32 < 2) { pad[self / 32] = self; }'
        ;;
    shuffles) # warnings (D05)
        echo '    if (self % 32 < 16) {'
        lines 300 'seen += __shfl_sync(0xffffu, self, 20);'
        echo '    }'
        ;;
    races) # errors of another line (R01)
        lines 20 'pad[0] = self;'
        ;;
    *) return 1 ;;
    esac
}

# write_program NAME: the reference solution with a flood, a race and a bad read at its end.
write_program() {
    flood "$1" >"$work/flood" || return 1
    awk -v flood="$work/flood" '
        /C\[row/ {
            print "    __shared__ volatile int pad[64], never[64], secret[64];"
            print "    const int self = ty * BLOCK_SIZE + tx;\n    int seen = 0;\n    (void)pad;"
            while ((getline line <flood) > 0) {
                print line
            }
            print "    if (self == 255) {\n        secret[1] = seen + self;\n    }"
            print "    if (self == 200) {\n        seen += secret[1];  // PLANTED RACE"
            print "        seen += never[3];  // PLANTED READ\n        secret[2] = seen;\n    }"
        }
        { print }' "$root/reference/matmul/solution/exercise1_tiled.cu"
}

# planted CODE LINE: how many findings of a code there are at a line, 0 or 1.
planted() {
    jq --arg code "$1" --argjson line "$2" \
        '[.findings[] | select(.code == $code and any(.places[]; .line == $line))] | length | [., 1] | min' \
        "$work/score.json" 2>/dev/null || echo 0
}

# check_flood NAME: grades a program and prints its row.
check_flood() {
    mkdir -p "$work/$1" || exit 3
    cp "$root"/reference/matmul/solution/*.cu "$work/$1/"
    source=$work/$1/exercise1_tiled.cu
    if ! write_program "$1" >"$source"; then
        echo "floods.sh: no flood $1" >&2
        exit 2
    fi
    rm -f "$work/score.json" "$work/page.html"
    "$GPUGRADE" check "$work/$1" --rubric "$work/rubric.json" --device emulated --seed 0x5eed1234 \
        --json "$work/score.json" --html "$work/page.html" --color never >"$work/screen" 2>&1
    race=$(planted shared_race "$(grep -n 'PLANTED RACE' "$source" | cut -d : -f 1)")
    unwritten=$(planted uninitialised_shared "$(grep -n 'PLANTED READ' "$source" | cut -d : -f 1)")
    verdict=$(jq -r '.criteria[] | select(.id == "race-free.tiled")
        | "\(.status) \(.cause.code // "")"' "$work/score.json" 2>/dev/null)
    listed=$(jq '.findings | length' "$work/score.json" 2>/dev/null)
    errors=$(jq '.findings_dropped.errors // 0' "$work/score.json" 2>/dev/null)
    warnings=$(jq '.findings_dropped.warnings // 0' "$work/score.json" 2>/dev/null)
    word=ok
    [ "$race$unwritten" = 11 ] || word=FAIL
    [ "$verdict" = 'failed shared_race' ] || word=FAIL
    said=0
    for file in screen page.html; do
        ! grep -q 'ore was seen than is listed' "$work/$file" || said=$((said + 1))
    done
    expected=2
    [ "${errors:-0}${warnings:-0}" != 00 ] || expected=0
    [ "$said" = "$expected" ] || word=FAIL
    [ "$1" = none ] || [ "$expected" = 2 ] || word=FAIL
    [ "$word" = ok ] && passed=$((passed + 1)) || failed=$((failed + 1))
    printf '%-4s %-12s planted 2, found %d, listed %4s, left out %s errors, %s warnings, race-free %s\n' \
        "$word" "$1" "$((race + unwritten))" "${listed:-?}" "${errors:-?}" "${warnings:-?}" \
        "${verdict:-no score}"
}

# unit_floods TEST: the rows of a unit test.
unit_floods() {
    if "$build/tests/unit/$1" >"$work/rows" 2>"$work/errors"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAIL %s\n' "$1"
        cat "$work/errors"
    fi
    grep '^flood' "$work/rows"
}

jq --arg program tiled -f "$here/rubric.jq" "$root/rubrics/matmul.json" >"$work/rubric.json" || exit 3
if [ $# -eq 0 ]; then
    unit_floods device_test_finding_floods
    unit_floods toolchain_test_nvcc_messages
    set -- none barriers warp_races shuffles races
fi
for name in "$@"; do
    check_flood "$name"
done
printf '%d passed, %d failed, 0 skipped\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
