#!/bin/sh
# run.sh [--bless] [CODE...]: what a student is told for each code, compared with what was read and
# found good before.
#
# codes.txt says which submission yields each code. It is graded on the emulated device, with a fixed
# seed; reports/CODE.txt is what the terminal shows. The report must tell the code and name its page of
# `gpugrade explain`, and the page for a browser must explain it; so every code is told by a report that
# occurs. What that page says, page_text.py extracts; pages/CODE.txt holds it for those codes that have
# such a file: --bless of a new one writes it if an empty file is there.
# A code of model/codes.def that codes.txt leaves out is a failure, and so is a report without a row.
#
# --bless writes the reports in place of comparing them: read the difference before you commit it.
# What depends on the machine, the versions of tools and the time is replaced (normal_page, normal_text).
# Where there are both compilers, the words for a mistake depend on the version of clang, so the grader
# finds no clang if it finds nvcc: those of nvcc are compared.
# JOBS says how many are graded at once (default 2); GPUGRADE names the grader (the binary).
#
# The reports are those of programs that nvcc compiled. Without a CUDA toolkit clang compiles them. Then
# each code must be told all the same, but a report that differs is skipped, because clang's code has
# other columns and clang has other words. A program that clang cannot make so has a file needs_nvcc
# with the reason; one of tests/submissions is in clang_differences.txt there.
# Ends with a line "N passed, N failed, N skipped"; status 0 if none failed.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
root=$(CDPATH='' cd -- "$here/../.." && pwd -P)
. "$root/tests/find_nvcc.sh"
seed=0x5eed1234
columns=100

# Prints what is wrong with the screen $1 of the code $2.
unlike_code() {
    grep -qF "[$2]" "$1" || echo "the report does not tell $2: $(grep -m 1 -o '\[[A-Z][0-9]*\].*' "$1")"
    grep -qF "gpugrade explain $2" "$1" || echo "the report does not name the page of $2"
    # The command in the first line is as long as it is.
    ! sed 1d "$1" | LC_ALL=C.UTF-8 grep -qE "^.{$((columns + 1)),}\$" || echo 'a line is too long'
}

# Makes the folder that is handed in, $work/student, from the fixture $1.
make_submission() {
    case $1 in
    hostile/*) fixture=$root/tests/hostile/programs/${1#hostile/} ;;
    programs/*) fixture=$here/$1 ;;
    *) fixture=$root/tests/submissions/matmul/$1 ;;
    esac
    base=reference/matmul/solution
    [ ! -f "$fixture/base" ] || base=$(cat "$fixture/base")
    mkdir "$work/student" || return 1
    cp "$root/$base"/* "$work/student/" || return 1
    case $1 in
    hostile/*) cp "$root"/tests/hostile/shared/* "$work/student/" || return 1 ;;
    esac
    for file in "$fixture"/*; do
        case ${file##*/} in
        expect | base | rubric | guilty | needs_nvcc) ;;
        *) cp "$file" "$work/student/" || return 1 ;;
        esac
    done
}

# Makes $work/rubric.json from the column $1 of codes.txt, or what the fixture names.
make_rubric() {
    case $1 in
    -)
        rubric=rubrics/matmul.json
        [ ! -f "$fixture/rubric" ] || rubric=$(cat "$fixture/rubric")
        cp "$root/$rubric" "$work/rubric.json" || return 1
        ;;
    short)
        jq --arg program tiled -f "$root/tests/hostile/rubric.jq" "$root/rubrics/matmul.json" \
            >"$work/rubric.json" || return 1
        ;;
    *.json) cp "$root/$1" "$work/rubric.json" || return 1 ;;
    *) jq "$1" "$root/rubrics/matmul.json" >"$work/rubric.json" || return 1 ;;
    esac
}

# Host addresses, names that nvcc gives to registers, how far a limit was reached, which control groups
# of some kernels tell and others do not, and what this machine's sandbox lacks.
normal_text() {
    sed -E -e '/^   note  sandbox [ABC]: /d' \
        -e 's/reached the limit of ([0-9.]+ MiB) of memory/used SO MUCH of memory; the limit is \1/' \
        -e 's/0x[0-9a-f]{9,16}/ADDRESS/g' -e 's/%[a-z]+[0-9]+/%R/g' \
        -e 's/(used|wrote) [0-9.]+ (s|MiB)/\1 SO MUCH/g'
}

# Prints why clang tells another code for the fixture $1, if it does.
needs_nvcc() {
    if [ -f "$fixture/needs_nvcc" ]; then
        cat "$fixture/needs_nvcc"
    else
        sed -n "s|^matmul/$1 ||p" "$root/tests/submissions/clang_differences.txt"
    fi
}

# Grades the fixture of one row and prints its line.
one() {
    code=$1
    work=$(mktemp -d "${TMPDIR:-/tmp}/golden-XXXXXX") || exit 1
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM HUP
    chmod 755 "$work"
    if ! make_submission "$2" || ! make_rubric "$4"; then
        echo "NOT OK  $code: there is no such fixture or rubric: $2 $4"
        return
    fi
    reason=''
    command -v nvcc >/dev/null || reason=$(needs_nvcc "$2")
    if [ -n "$reason" ]; then
        echo "skipped $code: $2 needs nvcc: $reason"
        return
    fi
    (cd "$work/student" && PATH=$GRADER_PATH COLUMNS=$columns "$GPUGRADE" check . --rubric ../rubric.json \
        --device emulated --only "$3" --seed "$seed" --color never \
        --html ../report.html) >"$work/screen" 2>&1 </dev/null
    status=$?
    normal_text <"$work/screen" >"$work/$code.txt"
    problems=$(unlike_code "$work/screen" "$code")
    grep -qF "id=\"explain-$code\"" "$work/report.html" ||
        problems="$problems the page does not explain $code"
    [ -s "$work/report.html" ] || problems="no page; status $status: $(tail -n 1 "$work/screen")"
    if [ -z "$problems" ] && [ -f "$here/pages/$code.txt" ]; then
        python3 "$here/page_text.py" "$work/report.html" 2>&1 | normal_text >"$work/page"
    fi
    if [ -n "$problems" ]; then
        printf 'NOT OK  %s %s: %s\n' "$code" "$2" "$problems" | sed '2,$s/^/        | /'
    elif [ "$BLESS" = yes ]; then
        cp "$work/$code.txt" "$here/reports/" &&
            { [ ! -f "$work/page" ] || cp "$work/page" "$here/pages/$code.txt"; } &&
            echo "ok      $code blessed"
    else
        compare "$2"
    fi
}

# Compares the reports of $code, which come from the fixture $1.
compare() {
    for pair in "reports/$code.txt $code.txt" "pages/$code.txt page"; do
        [ -f "$work/${pair#* }" ] || continue
        if diff -u "$here/${pair% *}" "$work/${pair#* }" >"$work/difference" 2>&1; then
            continue
        elif command -v nvcc >/dev/null; then
            echo "NOT OK  $code $1: ${pair% *} differs; tests/golden/run.sh --bless $code"
            head -n 20 "$work/difference" | sed 's/^/        | /'
        else
            echo "skipped $code: is told by clang too, but ${pair% *} is that of nvcc's program"
        fi
        return
    done
    echo "ok      $code"
}

if [ "${1:-}" = --one ]; then
    shift
    one "$@"
    exit 0
fi
BLESS=no
if [ "${1:-}" = --bless ]; then
    BLESS=yes
    shift
    command -v nvcc >/dev/null || { echo 'run.sh: reports are blessed where nvcc is' >&2; exit 3; }
fi
# The program itself: the launcher's path would stand in every report.
GPUGRADE=${GPUGRADE:-${GPUGRADE_BUILD:-$root/build}/bin/gpugrade}
GPUGRADE_ROOT=$root
unset GPUGRADE_COMMAND
if [ ! -x "$GPUGRADE" ]; then
    echo "run.sh: no grader at $GPUGRADE: build it with ./gpugrade version, or set GPUGRADE" >&2
    exit 3
fi
export GPUGRADE GPUGRADE_ROOT BLESS
for tool in jq diff python3; do
    command -v "$tool" >/dev/null || { echo "run.sh: $tool is missing" >&2; exit 3; }
done
scratch=$(mktemp -d "${TMPDIR:-/tmp}/golden-XXXXXX") || exit 3
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP

. "$root/tests/find_nvcc.sh"
GRADER_PATH=$PATH
if command -v nvcc >/dev/null; then
    GRADER_PATH=$scratch/path
    mkdir "$GRADER_PATH" || exit 3
    for tool in nvcc bwrap; do
        ! found=$(command -v "$tool") || ln -s "$found" "$GRADER_PATH/$tool" || exit 3
    done
fi
export GRADER_PATH

sed -n 's/^CODE([A-Z_0-9]*, "\([A-Z][0-9]*\)".*/\1/p' "$root/grader/model/codes.def" >"$scratch/codes"
grep -v '^#' "$here/codes.txt" | grep . >"$scratch/rows"
cut -d ' ' -f 1 "$scratch/rows" >"$scratch/with_row"
[ $# -gt 0 ] || while read -r code; do
    case $(grep -cxF "$code" "$scratch/with_row") in
    1) ;;
    *) echo "NOT OK  $code: has not one row in codes.txt" ;;
    esac
done <"$scratch/codes" >"$scratch/lines"
[ $# -gt 0 ] || for report in "$here"/reports/* "$here"/pages/*; do
    [ -f "$report" ] || continue
    code=${report##*/}
    code=${code%.*}
    grep -q "^$code  *[a-z]*/" "$scratch/rows" ||
        echo "NOT OK  ${report##*/}: has no row in codes.txt"
done >>"$scratch/lines"
: >>"$scratch/lines"

while read -r code fixture criterion rubric; do
    [ $# -eq 0 ] || case " $* " in
    *" $code "*) ;;
    *) continue ;;
    esac
    if [ "$fixture" = none ]; then
        echo "skipped $code: $criterion $rubric" >>"$scratch/lines"
    elif [ "$fixture" = unit ]; then
        if grep -qF "gpugrade explain $code" "$root/tests/unit/report/golden/$criterion"; then
            echo "ok      $code, in a report made by hand: $rubric" >>"$scratch/lines"
        else
            echo "NOT OK  $code: is not told by $criterion" >>"$scratch/lines"
        fi
    else
        printf '%s\n%s\n%s\n%s\n' "$code" "$fixture" "$criterion" "$rubric" >>"$scratch/jobs"
    fi
done <"$scratch/rows"
: >>"$scratch/jobs"
cat "$scratch/lines"
xargs -r -P "${JOBS:-2}" -d '\n' -n 4 sh "$0" --one <"$scratch/jobs" >"$scratch/told"
cat "$scratch/told"
cat "$scratch/told" >>"$scratch/lines"
passed=$(grep -c '^ok ' "$scratch/lines")
failed=$(grep -c '^NOT OK' "$scratch/lines")
skipped=$(grep -c '^skipped' "$scratch/lines")
# A row that ended without a line has failed.
missing=$(($(wc -l <"$scratch/jobs") / 4 - $(grep -cE '^(ok |NOT OK|skipped)' "$scratch/told")))
failed=$((failed + missing))
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
