#!/bin/sh
# run.sh [NAME...]: grades fixture students and compares the verdicts with what is expected.
#
#   <coursework>/right/<name>/, <coursework>/wrong/<name>/
#             the files that differ from the reference solution, and
#   expect    one line each:  all passed
#                             <criterion> <status> [<cause kind> [<code> [<file>:<line>]]]
#                             <criterion> says <words that the cause's message holds>
#                             <criterion> hints <words that its hint holds>
#             "all passed" means every criterion that this machine can measure. Criteria that are
#             not named are not looked at. Lines that start with # are comments.
#   base      instead of the reference solution: a folder to start from, relative to the root
#   rubric    instead of the coursework's own: a rubric, relative to the root
#   guilty    where the mistake is: see table.sh
#
# COURSEWORK names the folder and its coursework (default: matmul). NAME is a path below that folder
# ("right/padding"), "right", "wrong", or "quick": those of its quick.txt, which tests/run grades
# with --all (tests/structure/fixtures.sh says what they must hold); default: all. GPUGRADE names the grader (default: gpugrade at the root), JOBS how many run at once (default 2),
# CHECK_OPTIONS further options of `gpugrade check` (default: the emulated device), SCORES a folder
# that keeps the score files, right-padding.json and so on, RUBRIC the path of another rubric for those
# fixtures that have none of their own.
# Ends with a line "N passed, N failed, N skipped"; status 0 if none failed.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
COURSEWORK=${COURSEWORK:-matmul}
here=$here/$COURSEWORK
GPUGRADE=${GPUGRADE:-$root/gpugrade}
JOBS=${JOBS:-2}
CHECK_OPTIONS=${CHECK_OPTIONS:---device emulated}
SCORES=${SCORES:-}
RUBRIC=${RUBRIC:-}
seed=0x5eed1234

# Prints "path" of every expectation of $1 (an expect file) that the score file $2 does not meet.
unmet()
{
    jq -r --rawfile expect "$1" '
        def place($cause): "\($cause.file // ""):\($cause.line // 0)";
        def got($criterion):
            if $criterion == null then "no such criterion"
            else "\($criterion.status)"
                + (if $criterion.cause == null then ""
                   else $criterion.cause
                        | " \(.kind) \(.code) \(place(.)) (\(.message))" end)
            end;
        def as_words($criterion):
            [$criterion.status]
            + (if $criterion.cause == null then []
               else [$criterion.cause.kind, $criterion.cause.code, place($criterion.cause)] end);
        def meets($words; $criterion):
            if $criterion == null then false
            elif $words[0] == "says" then
                ($criterion.cause.message // "") | contains($words[1:] | join(" "))
            elif $words[0] == "hints" then
                ($criterion.cause.hint // "") | contains($words[1:] | join(" "))
            else as_words($criterion)[0:($words | length)] == $words end;
        .criteria as $criteria | .remarks as $remarks | .findings as $findings
        | $expect | split("\n")[] | select(. != "" and (startswith("#") | not)) as $line
        | if $line == "all passed" then
              $criteria[] | select(.status != "passed" and .status != "skipped")
              | "expected \(.id) passed, got \(got(.))"
          elif $line | startswith("remark ") then
              ($line | ltrimstr("remark ")) as $words
              | select([$remarks[].message | contains($words)] | any | not)
              | "expected \($line), got \([$remarks[].message] | join("; "))"
          elif $line | startswith("finding ") then
              select([$findings[] | "finding \(.code) \(.severity)" == $line] | any | not)
              | "expected \($line), got \([$findings[] | "\(.code) \(.severity)"] | join(", "))"
          else
              ($line | split(" ")) as $words
              | ([$criteria[] | select(.id == $words[0])] | first) as $criterion
              | select(meets($words[1:]; $criterion) | not)
              | "expected \($line), got \(got($criterion))"
          end' "$2"
}

# Grades fixture $1 ("right/padding") and prints one line.
grade()
{
    folder=$(mktemp -d) || exit 1
    trap 'rm -rf "$folder"' EXIT
    trap 'exit 130' INT TERM
    base=reference/$COURSEWORK/solution
    [ -f "$here/$1/base" ] && base=$(cat "$here/$1/base")
    mkdir "$folder/student" || exit 1
    for file in "$root/$base"/* "$here/$1"/*; do
        case ${file##*/} in
        expect | base | rubric | guilty) ;;
        *) cp "$file" "$folder/student/" || exit 1 ;;
        esac
    done
    set -- "$1" --coursework "$COURSEWORK"
    [ -n "$RUBRIC" ] && set -- "$1" --rubric "$RUBRIC"
    [ -f "$here/$1/rubric" ] && set -- "$1" --rubric "$root/$(cat "$here/$1/rubric")"
    # shellcheck disable=SC2086 # a list of words
    "$GPUGRADE" check "$folder/student" "$2" "$3" $CHECK_OPTIONS --seed "$seed" \
        --json "$folder/score.json" --color never >"$folder/screen" 2>&1
    status=$?
    if [ -n "$SCORES" ]; then
        cp "$folder/score.json" "$SCORES/$(echo "$1" | tr / -).json"
    fi
    if [ ! -s "$folder/score.json" ]; then
        echo "FAIL $1: no score file, exit status $status: $(tail -n 1 "$folder/screen")"
        return
    fi
    if ! problems=$(unmet "$here/$1/expect" "$folder/score.json" 2>&1); then
        echo "FAIL $1: $(echo "$problems" | tail -n 1)"
    elif [ -n "$problems" ]; then
        echo "$problems" | sed "s|^|FAIL $1: |" | sed '2,$s/^FAIL/    /'
    else
        echo "ok   $1"
    fi
}

# The fixtures that the arguments name.
list()
{
    [ $# -eq 0 ] && set -- right wrong
    for name in "$@"; do
        name=${name%/}
        if [ "$name" = quick ]; then
            grep -v '^#' "$here/quick.txt" || return 2
        elif [ -f "$here/$name/expect" ]; then
            echo "$name"
        elif [ -d "$here/$name" ]; then
            for expect in "$here/$name"/*/expect; do
                [ -f "$expect" ] || continue
                fixture=${expect%/expect}
                echo "${fixture#"$here/"}"
            done
        else
            echo "run.sh: no fixture $name" >&2
            return 2
        fi
    done
}

if [ "${1:-}" = --one ]; then
    grade "$2"
    exit 0
fi
if ! command -v jq >/dev/null; then
    echo "run.sh: jq is missing: apt-get install jq" >&2
    exit 3
fi
if [ ! -x "$GPUGRADE" ]; then
    echo "run.sh: no grader at $GPUGRADE: set GPUGRADE" >&2
    exit 3
fi
names=$(list "$@") || exit 2
export COURSEWORK GPUGRADE CHECK_OPTIONS SCORES RUBRIC
printf '%s\n' "$names" | xargs -P "$JOBS" -I NAME sh "$0" --one NAME | {
    passed=0
    failed=0
    while IFS= read -r line; do
        printf '%s\n' "$line"
        case $line in
        ok*) passed=$((passed + 1)) ;;
        FAIL*) failed=$((failed + 1)) ;;
        esac
    done
    echo "$passed passed, $failed failed, 0 skipped"
    expected=$(printf '%s\n' "$names" | wc -l)
    [ "$failed" -eq 0 ] && [ "$passed" -eq "$expected" ]
}
