#!/bin/sh
# arrows.sh: holds every #include "part/..." in grader/ to arrows.txt.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
list=$REPO/tests/structure/arrows.txt
[ $# -eq 0 ] || { REPO=$1 && list=$1/arrows.txt; } # another tree, for the test of this test

# part -> everything that it may use, one "from to" pair a line
sed '/^#/d; s/://' "$list" | awk '
    { own[$1] = 1; for (i = 2; i <= NF; i++) direct[$1, $i] = 1; names[NR] = $1; count = NR }
    END {
        for (k = 1; k <= count; k++)
            for (i = 1; i <= count; i++)
                for (j = 1; j <= count; j++)
                    if (direct[names[i], names[k]] && direct[names[k], names[j]])
                        direct[names[i], names[j]] = 1
        for (i = 1; i <= count; i++) {
            print names[i], names[i]
            for (j = 1; j <= count; j++)
                if (direct[names[i], names[j]] && i != j) print names[i], names[j]
        }
    }' >"$SCRATCH/allowed"

(cd "$REPO" && grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' grader \
    --include='*.c' --include='*.h' --include='*.def') >"$SCRATCH/includes"
awk -F: -v allowed="$SCRATCH/allowed" '
    BEGIN { while ((getline line < allowed) > 0) ok[line] = 1 }
    {
        split($1, path, "/")
        target = $3
        sub(/^[^"]*"/, "", target); sub(/".*$/, "", target)
        part = target; sub(/\/.*$/, "", part)
        if (target !~ /\//)
            print $1 ":" $2 ": \"" target "\" does not name its part: include from grader/"
        else if (!((path[2] " " part) in ok))
            print $1 ":" $2 ": " path[2] "/ must not use " part "/"
    }' "$SCRATCH/includes" >"$SCRATCH/wrong"
if [ ! -s "$SCRATCH/includes" ]; then
    fail 'includes are found'
elif [ -s "$SCRATCH/wrong" ]; then
    fail 'every include follows arrows.txt' "$SCRATCH/wrong"
else
    pass 'every include follows arrows.txt'
fi

# Every folder of grader/ is a part of the list.
for folder in "$REPO"/grader/*/; do
    part=$(basename "$folder")
    grep -q "^$part:" "$list" || printf '%s\n' "$part"
done >"$SCRATCH/unknown"
if [ -s "$SCRATCH/unknown" ]; then
    fail 'every part is in arrows.txt' "$SCRATCH/unknown"
else
    pass 'every part is in arrows.txt'
fi
finish
