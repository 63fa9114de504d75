#!/bin/sh
# run.sh [ID...]: the usual assignments, expressed as judged calls; default: all.
#
#   rubrics/ID.json, reference/ID, student_template/ID    a coursework, each as small as it can be
#   functions.txt, cheats.cuh   what puts functions around right ones that only seem to answer
#   right/NAME/ID               other answers that are right
#   wrong/one_thread/ID         answers that are right but let one thread do everything
#   wrong/NAME/ID               other ones that must lose points
#
# For each: lint finds nothing wrong; the solution and other right ones get all points, the template
# those of compiling; what only seems to answer is not correct; and what is in wrong/ loses points.
# SCORES names a folder that keeps the scores. Ends with a line "N passed, N failed, N skipped"; status
# 0 if none failed.
# tests/run: --all (without it some of them)
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
course=$REPO/tests/assignments
SCORES=${SCORES:-$SCRATCH}

# check ID NAME FOLDER: grades it; leaves $SCORES/ID-NAME.json.
check() {
    score=$SCORES/$1-$2.json
    rm -f "$score"
    "$GPUGRADE" check "$3" --rubric "$course/rubrics/$1.json" --device emulated --seed 5 \
        --json "$score" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    status=$?
}

# says FILTER: whether it is true of the last score.
says() {
    jq -e "$1" "$score"
}

# arguments PARAMETERS: their names.
arguments() {
    printf '%s' "$1" | sed 's/[^,]*[ *]\([a-z_0-9A-Z]*\)\(,\|$\)/\1\2 /g'
}

# declared NAME PARAMETERS: that parameter: "float *d_out"
declared() {
    printf '%s' "$2" | tr ',' '\n' | grep "[ *]$1\$"
}

# cheat ID KIND: a submission in $SCRATCH/student whose functions do that.
cheat() {
    rm -rf "$SCRATCH/student"
    cp -r "$course/reference/$1/solution" "$SCRATCH/student"
    grep "^$1 |" "$course/functions.txt" | sed 's/ *| */|/g' >"$SCRATCH/functions"
    for path in "$SCRATCH/student"/*.cu; do
        mv "$path" "$SCRATCH/solution"
        {
            : >"$SCRATCH/after"
            while IFS='|' read -r _ file function parameters output bytes input input_bytes; do
                [ "$file" = "${path##*/}" ] || continue
                printf '#define %s solved_%s\n' "$function" "$function"
                {
                    printf '#undef %s\nvoid %s(%s)\n{\n' "$function" "$function" "$parameters"
                    printf '    cheat(%s, %s, %s, %s,\n' "$output" "$bytes" "$input" "$input_bytes"
                    printf '          [=](%s)' "$(declared "$output" "$parameters")"
                    printf ' { solved_%s(%s); });\n}\n' "$function" "$(arguments "$parameters")"
                } >>"$SCRATCH/after"
            done <"$SCRATCH/functions"
            cat "$SCRATCH/solution"
            printf '\n#define CHEAT %s\n' "$2"
            cat "$course/cheats.cuh" "$SCRATCH/after"
        } >"$path"
    done
}

# assignment ID
assignment() {
    id=$1
    "$GPUGRADE" lint "$course/rubrics/$id.json" >"$SCRATCH/out" 2>"$SCRATCH/err"
    status=$?
    expect "$id: lint" test "$status" -eq 0
    check "$id" solution "$course/reference/$id/solution"
    expect "$id: solution" says '.score == 100 and .complete'
    check "$id" template "$course/student_template/$id"
    expect "$id: template" says '[.criteria[] | select(.points > 0) | .id] == ["compile"]'
    for pair in NOTHING: ON_THE_HOST:data_through_host IN_SCRATCH:other_buffer LAST_RESULT: \
        HALF:other_buffer; do
        kind=${pair%:*}
        cheat "$id" "$kind"
        check "$id" "$kind" "$SCRATCH/student"
        expect "$id: $kind" says '.criteria[0].status == "passed" and
            ([.criteria[] | select(.id | startswith("correct"))] | length > 0 and
                all(.status == "failed" and (.cause.code | contains("'"${pair#*:}"'"))))'
    done
    for files in "$course"/right/*/"$id" "$course"/wrong/*/"$id"; do
        [ -d "$files" ] || continue
        name=$(basename "$(dirname "$files")")
        rm -rf "$SCRATCH/student"
        cp -r "$course/reference/$id/solution" "$SCRATCH/student"
        cp "$files"/* "$SCRATCH/student"
        check "$id" "$name" "$SCRATCH/student"
        case $files in
        */right/*) expect "$id: right $name" says '.score == 100' ;;
        *) expect "$id: wrong $name" says '.criteria[0].status == "passed" and .score <= 90' ;;
        esac
    done
}

[ $# -gt 0 ] || set -- "$course"/rubrics/*.json
for each in "$@"; do
    assignment "$(basename "$each" .json)"
done
finish
