#!/bin/sh
# marks.sh [--record FOLDER]: the points of a slower, of a conflict-ridden and of a half-right solution
# by the rubric's formula, worked out here once more from the rubric and from what was measured.
#
#   full    the rubric's full_marks, an expression over `reference`: the lower end of its interval
#   exact   all * (s - no_marks) / (full - no_marks), from 0 to all; s is the upper end
#   points  exact, to the nearest step; nothing unless the kernel is right
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
. "$(dirname -- "$0")/gpu_lib.sh"
RUBRIC=$REPO/rubrics/matmul.json
gpu_options "$@"
gpu_demand marks

# Lines "ID ALL NONE STEP FULL_MARKS" of the rubric's speedup criteria; the last is an expression.
rules() {
    jq -r '.criteria[] | select(.kind == "speedup")
        | "\(.id) \(.points) \(.no_marks) \(.step // 0) \(.full_marks)"' "$RUBRIC"
}

# field SCORE ID JQ: of one criterion.
field() {
    jq -r --arg id "$2" ".criteria[] | select(.id == \$id) | $3" "$1"
}

# points_of ALL NONE STEP FULL_MARKS S R: "POINTS ARITHMETIC".
points_of() {
    full=$(awk "BEGIN { printf \"%.9g\", $(echo "$4" | sed "s/reference/$6/g") }")
    awk -v all="$1" -v none="$2" -v step="$3" -v full="$full" -v s="$5" 'BEGIN {
        exact = all * (s - none) / (full - none)
        if (exact > all) { exact = all }
        if (exact < 0) { exact = 0 }
        points = step > 0 ? int(exact / step + 0.5) * step : exact
        printf "%.6g %s x (%.5g - %s) / (%.5g - %s) = %.4g", points, all, s, none, full, none, exact
    }'
}

# judge NAME SCORE: one row for each speedup criterion; the reference must agree with the grader.
judge() {
    rules >"$SCRATCH/rules"
    while read -r id all none step full_marks; do
        status=$(field "$2" "$id" .status)
        got=$(field "$2" "$id" .points)
        if [ "$(field "$2" "$id" '.measured.speedup_high // "none"')" = none ]; then
            row "| $1 | $id | | | | $(field "$2" "$id" '.cause.code // ""') | $status | $got |"
            expected=0
        else
            s=$(field "$2" "$id" .measured.speedup_high)
            r=$(field "$2" "$id" .measured.reference_low)
            figures=$(points_of "$all" "$none" "$step" "$full_marks" "$s" "$r")
            expected=${figures%% *}
            row "| $1 | $id | $(field "$2" "$id" .measured.speedup) | $r | $full_marks | ${figures#* } | $status | $got |"
        fi
        if awk -v a="$got" -v b="$expected" 'BEGIN { exit !(a - b < 1e-9 && b - a < 1e-9) }'; then
            pass "$1: $id earns $got of $all"
        else
            fail "$1: $id earns $expected by the formula, got $got" "$(field "$2" "$id" .)"
        fi
    done <"$SCRATCH/rules"
    if jq -e '(.score - ([.criteria[].points] | add) | fabs) < 1e-6' "$2" >/dev/null; then
        pass "$1: the score is the sum, $(jq -r '"\(.score) of \(.max_score)"' "$2")"
    else
        fail "$1: the score is the sum" "$(jq -c '[.score, [.criteria[].points]]' "$2")"
    fi
}

table marks 'points by the formula of rubrics/matmul.json' \
    '| solution | criterion | speedup | reference | full marks from | arithmetic | status | points |'
for pair in reference:reference slower:right/padding conflicts:wrong/tiles_column_major \
    half-right:wrong/dynamic_last_tile_missing unordered:wrong/second_barrier_missing; do
    name=${pair%%:*}
    student "${pair#*:}" "$SCRATCH/$name"
    check "$SCRATCH/$name" "$SCRATCH/$name.json" --device auto
    if [ -s "$SCRATCH/$name.json" ]; then
        judge "$name" "$SCRATCH/$name.json"
    else
        fail "$name is graded" "$SCRATCH/$name.json.screen"
    fi
done
# what must hold beyond the arithmetic
for demand in 'half-right speedup.dynamic' 'unordered speedup.tiled'; do
    name=${demand% *}
    if [ "$(field "$SCRATCH/$name.json" "${demand#* }" '"\(.status) \(.points)"')" = 'failed 0' ]; then
        pass "$name: no points for the speed of what is not right"
    else
        fail "$name: no points for the speed of what is not right" \
            "$(field "$SCRATCH/$name.json" "${demand#* }" .)"
    fi
done
finish
