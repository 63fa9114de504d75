#!/bin/sh
# better_messages.sh: on a machine with nvcc and clang, a student whose program does not compile is
# told the better of what both say, and nothing else of the score depends on clang.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
binary=${GPUGRADE_BUILD:-$REPO/build}/bin/gpugrade
GPUGRADE_CACHE=$SCRATCH/cache
export GPUGRADE_CACHE

mkdir "$SCRATCH/student" "$SCRATCH/path"
cp "$REPO"/reference/matmul/solution/* "$SCRATCH/student/"
cp "$REPO"/tests/submissions/matmul/wrong/missing_semicolon/*.cu "$SCRATCH/student/"
for tool in nvcc bwrap; do
    ! found=$(command -v "$tool") || ln -s "$found" "$SCRATCH/path/$tool"
done

# check NAME OPTIONS...: what is shown in NAME.txt, the score in NAME.json.
check() {
    name=$1
    shift
    "$binary" check "$SCRATCH/student" --coursework matmul --device emulated --only correct.dynamic \
        --seed 1 --color never --json "$SCRATCH/$name.json" "$@" >"$SCRATCH/$name.txt" 2>"$SCRATCH/err"
    status=$?
}

# is_told NAME LINE WORDS: the first criterion fails with these words at this line.
is_told() {
    jq -e --argjson line "$2" --arg words "$3" '.criteria[0].cause
        | .code == "compile_error" and .file == "exercise2_dynamic.cu" and .line == $line
            and (.message | contains($words))' "$SCRATCH/$1.json" >/dev/null
}

check clang --compiler clang
if ! command -v nvcc >/dev/null || grep -q 'no clang++ found' "$SCRATCH/err"; then
    skip 'the better message' 'there are not both nvcc and clang'
    finish
fi
expect 'clang alone names the line that lacks the semicolon' is_told clang 20 "expected ';'"
check nvcc --compiler nvcc
expect 'nvcc alone names the next one' is_told nvcc 22 'expected a ";"'
check both
expect 'with both it is the line that lacks the semicolon' is_told both 20 "expected ';'"
expect 'and the change is shown' sh -c "grep -q '^   = fix:' '$SCRATCH/both.txt' &&
    grep -q '^20 + .*;\$' '$SCRATCH/both.txt'"
check again
expect 'what is kept shows the same' cmp "$SCRATCH/both.txt" "$SCRATCH/again.txt"
PATH=$SCRATCH/path check without
expect 'where there is no clang, nvcc speaks' is_told without 22 'expected a ";"'
check back
expect 'where it is back, clang does' cmp "$SCRATCH/both.txt" "$SCRATCH/back.txt"

# The verdicts and the compiler.
for name in nvcc both without; do
    jq '[.criteria[] | {id, status, points, code: .cause.code}], .score, .machine.tools.compiler' \
        "$SCRATCH/$name.json" >"$SCRATCH/$name.verdicts"
done
expect 'nvcc compiled' jq -e '.machine.tools.compiler | startswith("nvcc ")' "$SCRATCH/both.json"
expect 'the verdicts are those of nvcc' cmp "$SCRATCH/nvcc.verdicts" "$SCRATCH/both.verdicts"
expect 'with a clang or without' cmp "$SCRATCH/without.verdicts" "$SCRATCH/both.verdicts"
finish
