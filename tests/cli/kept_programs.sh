#!/bin/sh
# kept_programs.sh: what has not changed is not built again, and the score is the same to the byte.
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
fixtures=$REPO/tests/submissions/matmul/wrong
GPUGRADE_CACHE=$SCRATCH/cache
export GPUGRADE_CACHE

# hand_in FIXTURE: the solution with the fixture's files in it.
hand_in() {
    rm -rf "$SCRATCH/submission"
    cp -r "$REPO/reference/matmul/solution" "$SCRATCH/submission"
    chmod -R u+w "$SCRATCH/submission"
    cp "$fixtures/$1"/*.cu "$SCRATCH/submission"
}

# check NAME [OPTION...]: leaves the score without what varies in $SCRATCH/NAME.
check() {
    name=$1
    shift
    "$GPUGRADE" check --seed 0xabc --json "$SCRATCH/$name.json" "$@" "$SCRATCH/submission" \
        >/dev/null 2>&1
    jq 'del(.machine, .seconds, .criteria[].measured)' "$SCRATCH/$name.json" >"$SCRATCH/$name" ||
        echo "no score" >"$SCRATCH/$name"
}

kept() {
    grep -lr '^gpugrade build' "$SCRATCH/cache/programs" | wc -l
}

# same NAME FIRST AGAIN PROGRAMS: both scores, and so many programs are kept now.
same() {
    if grep -q '"schema"' "$SCRATCH/$2" && cmp -s "$SCRATCH/$2" "$SCRATCH/$3" &&
        [ "$(kept)" -eq "$4" ]; then
        pass "$1"
    else
        diff "$SCRATCH/$2" "$SCRATCH/$3" >"$SCRATCH/difference"
        echo "$(kept) programs are kept" >>"$SCRATCH/difference"
        fail "$1" "$SCRATCH/difference"
    fi
}

hand_in second_barrier_missing
check first
check again
same "a race is found at the same lines in kept programs" first again 2

for entry in "$SCRATCH/cache/programs"/*; do
    printf 'x' | dd of="$entry" bs=1 seek=5000 conv=notrunc 2>/dev/null
done
check damaged
same "damaged entries are built again" first damaged 2

echo 'int more;' >>"$SCRATCH/submission/exercise2_dynamic.cu"
check changed --only compile
check changed_again --only compile
same "only the program that changed is built" changed changed_again 3

echo 'int more' >>"$SCRATCH/submission/exercise2_dynamic.cu"
check broken --only compile
check broken_again --only compile
same "a mistake is told again" broken broken_again 4
if jq -e '.criteria[0].cause | .file == "exercise2_dynamic.cu" and .line > 0' \
    "$SCRATCH/broken_again.json" >/dev/null; then
    pass "and at its line"
else
    fail "and at its line" "$SCRATCH/broken_again"
fi

# Two graders fill an empty cache at once.
rm -rf "$SCRATCH/cache"
hand_in second_barrier_missing
check one --only compile &
check two --only compile
wait
same "two graders at once" one two 2

# Nobody else reads what a student made.
if [ "$(stat -c %a "$SCRATCH/cache/programs")" = 700 ]; then
    pass "the folder is private"
else
    fail "the folder is private" "$(ls -ld "$SCRATCH/cache/programs")"
fi

finish
