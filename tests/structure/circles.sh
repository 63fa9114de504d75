#!/bin/sh
# circles.sh: files of grader/ call each other in no circle but those of circles.txt. Calls are read
# from the objects of GPUGRADE_BUILD, or build/.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
finder=$REPO/tests/structure/circles.py
list=$REPO/tests/structure/circles.txt
build=${GPUGRADE_BUILD:-$REPO/build}
[ $# -eq 0 ] || { REPO=$1 && list=$1/circles.txt && build=$1/build; } # for the test of this test

if ! command -v python3 >/dev/null 2>&1 || ! command -v nm >/dev/null 2>&1; then
    skip 'no circles of calls' 'needs python3 and nm'
    finish
fi
python3 "$finder" "$REPO" "$build" >"$SCRATCH/found" 2>"$SCRATCH/err" || {
    fail 'the objects can be read' "$SCRATCH/err"
    finish
}
missing=$(sed -n 's/^files [0-9]* //p' "$SCRATCH/found")
if [ "$missing" -gt 0 ]; then
    skip 'no circles of calls' "$missing files of grader/ have no object in $build: build all of it"
    finish
fi
sed '/^#/d; s/:.*//' "$list" >"$SCRATCH/listed"
sed '/^#/d; /: ./d' "$list" >"$SCRATCH/wrong"
if [ -s "$SCRATCH/wrong" ]; then
    fail 'every circle of circles.txt has its reason' "$SCRATCH/wrong"
else
    pass 'every circle of circles.txt has its reason'
fi

# A circle and what makes it, unless it is listed.
awk -v listed="$SCRATCH/listed" '
    BEGIN { while ((getline line < listed) > 0) ok[line] = 1 }
    /^files / { next }
    /^[^ ]/ { shown = !($0 in ok) }
    shown' "$SCRATCH/found" >"$SCRATCH/wrong"
if [ -s "$SCRATCH/wrong" ]; then
    fail 'every circle of calls is in circles.txt' "$SCRATCH/wrong"
else
    pass 'every circle of calls is in circles.txt'
fi

grep -vxF -f "$SCRATCH/found" "$SCRATCH/listed" >"$SCRATCH/wrong"
if [ -s "$SCRATCH/wrong" ]; then
    fail 'every circle of circles.txt is there' "$SCRATCH/wrong"
else
    pass 'every circle of circles.txt is there'
fi
finish
