#!/bin/sh
# names.sh: file names are unique and in snake_case; functions that the house style bans, unfinished
# marks and paths of somebody's machine appear nowhere; the grader knows no coursework by name.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
cd "$REPO" || exit 1
found=$SCRATCH/found

# nothing NAME: passes if the file `found` is empty.
nothing() {
    if [ -s "$found" ]; then
        fail "$1" "$found"
    else
        pass "$1"
    fi
}

find grader \( -name '*.c' -o -name '*.h' -o -name '*.def' \) | sort >"$SCRATCH/files"

sed 's|.*/||' "$SCRATCH/files" | sort | uniq -d >"$found"
nothing 'file names are unique'

# These are named by CUDA.
sed 's|.*/||' "$SCRATCH/files" | grep -vE '^([a-z][a-z0-9_]*\.(c|h|def)|cuComplex\.h|cudaProfiler\.h|cufftXt\.h)$' >"$found"
nothing 'file names are in snake_case'

xargs grep -nE '(^|[^a-z_A-Z0-9])(strcpy|strcat|sprintf|strtok|atoi|system|popen|mktemp|tmpnam)\(' \
    <"$SCRATCH/files" >"$found"
nothing 'no banned function'

# The flags may stand in a variable above or on the next line.
xargs grep -nE '(^|[^_a-z>.])(open|openat)\(' <"$SCRATCH/files" |
    grep -vE '^[^:]*\.(h|def):|:[0-9]+: *(/?\*|//)' >"$SCRATCH/open_lines"
while IFS=: read -r file line rest; do
    first=$((line > 30 ? line - 30 : 1))
    sed -n "${first},$((line + 2))p" "$file" | grep -qE 'O_CLOEXEC' ||
        printf '%s:%s:%s\n' "$file" "$line" "$rest"
done <"$SCRATCH/open_lines" >"$found"
nothing 'files are opened with O_CLOEXEC'

# The words are put together here, so that this file does not find itself.
marks='TO''DO|FIX''ME|HA''CK|XX''X'
grep -rnIE "(^|[^A-Za-z])($marks)([^A-Za-z]|\$)" grader reference docker CMakeLists.txt gpugrade \
    .ci tests --exclude-dir=corpus --exclude-dir=submissions --exclude-dir=golden --exclude-dir=student_template \
    >"$found" 2>/dev/null
nothing 'no unfinished marks'

machine='(^|[^A-Za-z0-9_.-])/(wo''rk|ho''me/[a-z]+|fa''rm)/'
grep -rnIE "$machine" . --exclude-dir=.git --exclude=.git --exclude-dir=build --exclude-dir='build-*' \
    --exclude-dir=.cache >"$found" 2>/dev/null
nothing 'no path of this machine'

# All that the grader knows of a coursework is in its rubric. Pages of `explain` are the grader's too.
# Ids that are words of the field, such as scan, stand there with other meanings; vector_add is an
# example of an id.
for rubric in rubrics/*.json; do
    case $rubric in
    *.schema.json) ;;
    *) sed -n 's/^  "id": "\([a-z0-9_]*\)",*$/\1/p' "$rubric" ;;
    esac
done | grep -E '_|^matmul$|^spmv$|^nbody$' | grep -v '^vector_add$' | sort -u >"$SCRATCH/ids"
if [ "$(wc -l <"$SCRATCH/ids")" -ge 1 ]; then
    pass 'rubrics have ids'
else
    fail 'rubrics have ids'
fi
grep -rnIwF -f "$SCRATCH/ids" grader >"$found"
nothing 'grader/ holds no name of a coursework'

# Rows of a table may be longer.
grep -v '\.def$' "$SCRATCH/files" | LC_ALL=C.UTF-8 xargs grep -nE '^.{101,}' >"$found"
nothing 'lines have at most 100 columns'
finish
