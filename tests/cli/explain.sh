#!/bin/sh
# explain.sh: `gpugrade explain`: the list, the pages, unknown codes; and the examples on the pages: each
# whole program gives the code of its page when `gpugrade run` executes it, each one that nvcc refuses is
# refused, and all the parts of programs compile. In the same examples, fixed, nothing is found.
#
# JOBS is how many programs are built and run at once (default 2).
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
pages=$REPO/grader/explain/pages
JOBS=${JOBS:-2}
unset NVCC_APPEND_FLAGS NVCC_PREPEND_FLAGS
unset NO_COLOR CLICOLOR CLICOLOR_FORCE

# explain STATUS ARGUMENTS...: output in out and err; false if the exit status is another.
explain() {
    expected=$1
    shift
    "$GPUGRADE" explain "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    status=$?
    [ "$status" -eq "$expected" ]
}

# says NAME WORDS: the output of the last explain holds the words.
says() {
    if grep -qF -- "$2" "$SCRATCH/out"; then
        pass "$1"
    else
        fail "$1" "$SCRATCH/out"
    fi
}

grep -oE '^CODE\([A-Z_]+, "[A-Z][0-9]+", "[a-z_]+"' "$REPO/grader/model/codes.def" |
    sed 's/.*, "\(.*\)", "\(.*\)"/\1 \2/' >"$SCRATCH/codes"

# The list and the pages.
explain 0 && says 'the list has a line for a code' '  R01  shared_race '
missing=''
while read -r id name; do
    grep -q "^  $id  $name  *[^ ]" "$SCRATCH/out" || missing="$missing $id"
done <"$SCRATCH/codes"
if [ -z "$missing" ] && [ "$(wc -l <"$SCRATCH/codes")" -gt 70 ]; then
    pass 'the list has all codes'
else
    fail 'the list has all codes' "missing:$missing"
fi
wrong=''
while read -r id name; do
    explain 0 "$id" && mv "$SCRATCH/out" "$SCRATCH/by_id" && [ ! -s "$SCRATCH/err" ] &&
        explain 0 "$name" && cmp -s "$SCRATCH/out" "$SCRATCH/by_id" &&
        head -n 1 "$SCRATCH/out" | grep -q "^$id: " || wrong="$wrong $id"
    # Running text is at most 80 columns wide; a hint below an example is a command, in one line.
    if grep -v '(try it: ' "$SCRATCH/out" | LC_ALL=C grep -qE '^.{81,}|[^ -~]'; then
        wrong="$wrong $id(wide)"
    fi
done <"$SCRATCH/codes"
if [ -z "$wrong" ]; then
    pass 'each page is shown by id and by name, in 80 columns'
else
    fail 'each page is shown by id and by name, in 80 columns' "wrong:$wrong"
fi
explain 0 r01 && says 'lower case' 'R01: data race in shared memory'
explain 0 --color always R01 && says 'colour on demand' "$(printf '\033[1m')What it means"
if explain 0 R01 && ! grep -q "$(printf '\033')" "$SCRATCH/out"; then
    pass 'no colour into a file'
else
    fail 'no colour into a file' "$SCRATCH/out"
fi
for word in R9 race sharedrace; do
    if explain 2 "$word" && [ ! -s "$SCRATCH/out" ] &&
        grep -q "^gpugrade: no code '$word'; the nearest: R01 shared_race" "$SCRATCH/err"; then
        pass "unknown: $word"
    else
        fail "unknown: $word" "$SCRATCH/err"
    fi
done
if explain 2 quantum && grep -qx "gpugrade: no code 'quantum'; 'gpugrade explain' lists all" "$SCRATCH/err"; then
    pass 'unknown, and nothing like it'
else
    fail 'unknown, and nothing like it' "$SCRATCH/err"
fi
if explain 2 --example && explain 2 C03 --example && grep -q 'C03 has no example' "$SCRATCH/err"; then
    pass 'no example without a code, or where there is none'
else
    fail 'no example without a code, or where there is none' "$SCRATCH/err"
fi
if [ -e /dev/full ]; then
    if "$GPUGRADE" explain R01 >/dev/full 2>"$SCRATCH/err"; then
        fail 'a page that cannot be written'
    else
        pass 'a page that cannot be written'
    fi
fi

# The examples, fixed: all programs in one file, with a main that calls theirs. Nothing is found in it.
mkdir "$SCRATCH/fixed"
for page in "$pages"/*.md; do
    id=$(basename "$page" .md)
    explain 0 "$id" --fixed && mv "$SCRATCH/out" "$SCRATCH/fixed/$id.cu"
done
# in_one_file ID...: each of them in a namespace.
in_one_file() {
    printf '#include <%s>\n' cassert cstdio cstdlib cstring thread vector unistd.h cuda_fp16.h dlfcn.h
    for id; do
        printf 'namespace %s {\n#line 1 "%s.md"\n' "$id" "$id"
        cat "$SCRATCH/fixed/$id.cu"
        printf '}\n'
    done
}
programs=$(cd "$SCRATCH/fixed" && grep -l '^int main()$' -- *.cu | sed 's/\.cu$//')
# shellcheck disable=SC2046,SC2086 # lists of words
{
    in_one_file $(cd "$SCRATCH/fixed" && printf '%s\n' *.cu | sed 's/\.cu$//')
    printf '#line 1 "main.md"\nint main()\n{\n    int status = 0;\n'
    for id in $programs; do
        printf '    status |= %s::main();\n' "$id"
    done
    printf '    return status;\n}\n'
} >"$SCRATCH/all_fixed.cu"
sed -i '/^#include "/d' "$SCRATCH/all_fixed.cu"
"$GPUGRADE" run --json "$SCRATCH/all_fixed.json" "$SCRATCH/all_fixed.cu" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
status=$?
if [ "$status" -eq 0 ] && [ "$(echo "$programs" | wc -l)" -ge 30 ] &&
    jq -e '.findings == []' "$SCRATCH/all_fixed.json" >"$SCRATCH/seen"; then
    pass 'nothing is found in the fixed examples'
else
    { echo "status $status"; jq -c '.findings[] | [.code, .kernel, .places]' "$SCRATCH/all_fixed.json"
      head -n 40 "$SCRATCH/err"; } >"$SCRATCH/seen" 2>&1
    fail 'nothing is found in the fixed examples' "$SCRATCH/seen"
fi
if explain 2 --fixed && explain 2 U01 --fixed && grep -q 'U01 has no fixed example' "$SCRATCH/err"; then
    pass 'no fixed example without a code, or where there is none'
else
    fail 'no fixed example without a code, or where there is none' "$SCRATCH/err"
fi

# The examples. Each file is worked on in a folder of its own; its verdict is one line.
mkdir "$SCRATCH/examples"
for page in "$pages"/*.md; do
    id=$(basename "$page" .md)
    if explain 0 "$id" --example; then
        mkdir "$SCRATCH/examples/$id"
        mv "$SCRATCH/out" "$SCRATCH/examples/$id/$id.cu"
        sed -n 's/^```cuda *//p' "$page" | head -n 1 >"$SCRATCH/examples/$id/kind"
    fi
done
cat >"$SCRATCH/try" <<'TRY'
# try ID: runs the example of a page; in "verdict": ok, or what is wrong. Other findings may follow from
# the page's own, but that one stands first.
id=$1
kind=$(cat kind)
name=$(sed -n "s/^$id //p" "$SCRATCH/codes")
# shellcheck disable=SC2086 # options
"$GPUGRADE" run --json run.json $kind "$id.cu" >out 2>err </dev/null
if jq -e --arg name "$name" '.findings[0].code == $name' run.json >/dev/null 2>&1; then
    echo ok
else
    echo "expected $name, got $(jq -c '[.findings[].code]' run.json 2>/dev/null)"
fi >verdict
TRY
for folder in "$SCRATCH"/examples/*/; do
    case $(cat "$folder/kind") in
    fragment | refused) ;;
    *) basename "$folder" ;;
    esac
done >"$SCRATCH/programs"
export GPUGRADE SCRATCH
# shellcheck disable=SC2016 # the shell of each example expands it
xargs -P "$JOBS" -I ID sh -c 'cd "$SCRATCH/examples/ID" && sh "$SCRATCH/try" ID' <"$SCRATCH/programs"
while read -r id; do
    if [ "$(cat "$SCRATCH/examples/$id/verdict" 2>/dev/null)" = ok ]; then
        pass "the example of $id gives $id"
    else
        { cat "$SCRATCH/examples/$id/verdict"; cat "$SCRATCH/examples/$id/err"; } >"$SCRATCH/seen" 2>&1
        fail "the example of $id gives $id" "$SCRATCH/seen"
    fi
done <"$SCRATCH/programs"
if [ "$(wc -l <"$SCRATCH/programs")" -ge 29 ]; then
    pass 'there are programs among the examples'
else
    fail 'there are programs among the examples' "$SCRATCH/programs"
fi

for folder in "$SCRATCH"/examples/*/; do
    id=$(basename "$folder")
    [ "$(cat "$folder/kind")" = refused ] || continue
    "$GPUGRADE" run "$folder/$id.cu" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    status=$?
    word='error: '
    [ "$id" = K01 ] && word='undefined reference'
    if [ "$status" -eq 2 ] && grep -q "$word" "$SCRATCH/err"; then
        pass "nvcc refuses the example of $id"
    else
        fail "nvcc refuses the example of $id: status $status" "$SCRATCH/err"
    fi
done

# All parts of programs in one file, each in a namespace. That of C02 is an array of 4 GiB.
{
    printf '#include <%s>\n' cassert cstdio cstdlib cstring thread vector unistd.h cuda_fp16.h dlfcn.h
    for folder in "$SCRATCH"/examples/*/; do
        id=$(basename "$folder")
        if [ "$(cat "$folder/kind")" = fragment ] && [ "$id" != C02 ]; then
            printf 'namespace %s {\n#line 1 "%s.md"\n' "$id" "$id"
            cat "$folder/$id.cu"
            printf '}\n'
        fi
    done
} >"$SCRATCH/fragments.cu"
printf 'int main()\n{\n    return 0;\n}\n' >>"$SCRATCH/fragments.cu"
if "$GPUGRADE" run "$SCRATCH/fragments.cu" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null &&
    ! grep -q 'error: ' "$SCRATCH/err"; then
    pass 'all parts of programs compile'
else
    fail 'all parts of programs compile' "$SCRATCH/err"
fi
finish
