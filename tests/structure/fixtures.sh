#!/bin/sh
# fixtures.sh: what tests/run --all grades stands for all fixture students.
#
# tests/submissions/COURSEWORK/quick.txt names fixtures, one a line. Among them is at least one
#
#   - with each way in which a criterion does not pass, "status kind code", that any fixture expects,
#     with each finding, each remark and each other rubric: in some coursework;
#   - with each "status kind" that a fixture of the coursework expects, and from each other folder
#     that its fixtures start from: in each coursework;
#
# and in each coursework at least three are right, each written differently. Every name is that of a
# fixture.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
cd "$REPO/tests/submissions" || exit 1

# kinds_of FIXTURE...: what these folders stand for, a line each.
kinds_of() {
    for fixture in "$@"; do
        [ ! -f "$fixture/base" ] || sed 's/^/base /' "$fixture/base"
        [ ! -f "$fixture/rubric" ] || sed 's/^/rubric /' "$fixture/rubric"
        # A remark is known by its first words.
        awk '/^#/ || NF == 0 || $2 == "says" || $2 == "hints" || $2 == "passed" { next }
            $1 == "finding" { print; next }
            $1 == "remark" { print $1, $2, $3, $4; next }
            { print $2, $3, $4; print "kind", $2, $3 }' "$fixture/expect"
    done | sort -u
}

for folder in */; do
    coursework=${folder%/}
    if [ ! -f "$coursework/quick.txt" ]; then
        fail "$coursework has a quick.txt"
        continue
    fi
    grep -vE '^(#|$)' "$coursework/quick.txt" | sed "s|^|$coursework/|" >"$SCRATCH/quick"
    while IFS= read -r name; do
        [ -f "$name/expect" ] || echo "there is no fixture $name"
    done <"$SCRATCH/quick" >"$SCRATCH/wrong"
    sort "$SCRATCH/quick" | uniq -d | sed 's/$/ is named twice/' >>"$SCRATCH/wrong"
    right=$(grep -c '/right/' "$SCRATCH/quick")
    [ "$right" -ge 3 ] || echo "names $right fixtures that are right, expected at least 3" \
        >>"$SCRATCH/wrong"
    kinds_of "$coursework"/right/* "$coursework"/wrong/* >"$SCRATCH/all"
    # shellcheck disable=SC2046 # names without spaces
    kinds_of $(grep "^$coursework/[a-z]*/[a-z0-9_]*\$" "$SCRATCH/quick") >"$SCRATCH/held"
    cat "$SCRATCH/all" >>"$SCRATCH/all_somewhere"
    cat "$SCRATCH/held" >>"$SCRATCH/held_somewhere"
    comm -23 "$SCRATCH/all" "$SCRATCH/held" | grep -E '^(kind|base) ' |
        sed 's/$/: no fixture of quick.txt expects it; add one that does/' >>"$SCRATCH/wrong"
    if [ -s "$SCRATCH/wrong" ]; then
        fail "$coursework/quick.txt" "$SCRATCH/wrong"
    else
        pass "$coursework/quick.txt stands for $(grep -cE '^(kind|base) ' "$SCRATCH/all") kinds"
    fi
done

for list in all held; do
    sort -u "$SCRATCH/${list}_somewhere" >"$SCRATCH/$list"
done
comm -23 "$SCRATCH/all" "$SCRATCH/held" >"$SCRATCH/wrong"
if [ -s "$SCRATCH/wrong" ]; then
    fail 'each cause is expected by a fixture of a quick.txt' "$SCRATCH/wrong"
else
    pass "each of $(wc -l <"$SCRATCH/all") causes is expected by a fixture of a quick.txt"
fi
finish
