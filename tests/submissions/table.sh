#!/bin/sh
# table.sh [SCORES]: what each wrong fixture is told against where its mistake is, as a Markdown
# table, and the counts. SCORES is the folder that run.sh filled (SCORES=DIR sh run.sh wrong);
# without it this runs them.
#
#   wrong/<name>/guilty    written from the sources, one line each:
#     code NAME...             codes that name the mistake (codes.def), the best one first; where
#                              mismatch does, named_mistake does too
#     line FILE:LINE[-LINE]    a line that a teacher would point at; for a missing line its neighbours
#     also FILE:LINE[-LINE] REASON   a line that is no mistake itself and leads to it
#     none REASON              there is no line to point at
#
# What is told are the score's diagnostics, the first one first; each is
#     right     code and line as in the file         also      the code, and an `also` line
#     code      the code, without any line           no        anything else
# and a fixture is as good as the best of its diagnostics; "2nd" and so on says which one that is.
# Status 0 if every fixture is right, also, or excepted in table.md ("- `name`: reason").
set -u

COURSEWORK=${COURSEWORK:-matmul}
export COURSEWORK
scripts=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
here=$scripts/$COURSEWORK
exceptions=$here/table.md
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

if ! command -v jq >/dev/null; then
    echo "table.sh: jq is missing: apt-get install jq" >&2
    exit 3
fi
scores=${1:-$scratch/scores}
if [ $# -eq 0 ]; then
    mkdir "$scores" || exit 1
    SCORES=$scores sh "$scripts/run.sh" wrong >&2
fi

# Prints "GRADE|EXPECTED|TOLD|PLACE" for the guilty file $1 and the score file $2.
judge()
{
    jq -r --rawfile guilty "$1" '
        [$guilty | split("\n")[] | select(. != "" and (startswith("#") | not)) | split(" ")] as $rows
        | [$rows[] | select(.[0] == "code") | .[1:][]] as $given
        | ($given + (if $given | index("mismatch") then ["named_mistake"] else [] end)) as $codes
        | def places($kind):
              [$rows[] | select(.[0] == $kind) | .[1] | split(":")
               | {file: .[0], first: (.[1] | split("-")[0] | tonumber),
                  last: (.[1] | split("-") | last | tonumber)}];
          places("line") as $lines | places("also") as $also
        | ([$rows[] | select(.[0] == "none")] | length > 0) as $none
        | def within($places):
              . as $told | any($places[];
                               .file == $told.file and .first <= $told.line and $told.line <= .last);
          def grade:
              if (.code as $code | $codes | index($code)) == null then "no"
              elif $none or within($lines) then "right"
              elif within($also) then "also"
              elif .line == 0 then "code"
              else "no" end;
          def rank: {right: 0, also: 1, code: 2, no: 3}[.];
          [.diagnostics[] | select(.severity == "error") | . + {grade: grade}] as $told
        | ($told | to_entries | sort_by(.value.grade | rank) | first) as $best
        | (if $best == null then "no" else $best.value.grade end) as $grade
        | [$grade
           + (if $best != null and $best.key > 0 and $grade != "no" then
                  " (diagnostic \($best.key + 1) of \($told | length))" else "" end),
           "\($codes[0]) \([$lines[] | "\(.first)" + (if .last > .first then "-\(.last)" else "" end)]
                           | join(", "))",
           (if $best == null then "nothing"
            else $best.value
                 | "\(.code)" + (if .line > 0 then " \(.file):\(.line):\(.column)" else "" end) end)]
        | join("|")' "$2"
}

is_excepted()
{
    [ -f "$exceptions" ] && grep -qF -- "- \`$1\`:" "$exceptions"
}

echo "| fixture | grade | expected | told |"
echo "|---|---|---|---|"
for guilty in "$here"/wrong/*/guilty; do
    name=$(basename "$(dirname "$guilty")")
    score=$scores/wrong-$name.json
    if [ ! -s "$score" ]; then
        row="no|no score|"
    elif ! row=$(judge "$guilty" "$score" 2>&1); then
        row="no|$(echo "$row" | tail -n 1)|"
    fi
    case $row in
    right* | also*) ;;
    *) is_excepted "$name" && row="excepted: $row" ;;
    esac
    echo "| $name | $(echo "$row" | sed 's/|/ | /g') |"
done >"$scratch/rows"
cat "$scratch/rows"
for fixture in "$here"/wrong/*/expect; do
    [ -f "${fixture%/expect}/guilty" ] || echo "| $(basename "${fixture%/expect}") | no | no guilty file | |"
done | tee -a "$scratch/rows"

count() { grep -cE "^\| [a-z_0-9]+ \| $1" "$scratch/rows"; }
echo
echo "$(count right) right, $(count also) at a line that leads there, $(count 'excepted') excepted," \
    "$(($(count code) + $(count no))) wrong, of $(wc -l <"$scratch/rows")"
[ "$(($(count code) + $(count no)))" -eq 0 ]
