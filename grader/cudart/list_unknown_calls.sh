#!/bin/sh
# list_unknown_calls.sh NM NAMES LIBRARY NODE CALLS ALIASES VERSIONS OBJECT...: makes the rest of the
# stand-in runtime: what a real one exports and ours does not implement.
#
#   NAMES     the functions of a real runtime (runtime_names.txt)
#   LIBRARY   a toolkit's libcudart, which may have more of them; or none
#   NODE      the version node of its symbols, libcudart.so.13
#   CALLS     written: C, one function for each of these that the objects lack
#   ALIASES   written: linker script, the per-thread-stream variants (_ptsz, _ptds) of known calls
#   VERSIONS  written: linker version script
#   OBJECT    our object files
set -eu
export LC_ALL=C

nm=$1 names=$2 library=$3 node=$4 calls=$5 aliases=$6 versions=$7
shift 7

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
    grep -v '^#' "$names"
    if [ "$library" != none ]; then
        "$nm" -D --defined-only "$library" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }'
    fi
} | sort -u >"$work/theirs"
"$nm" --defined-only "$@" | awk '$2 == "T" { print $3 }' | sort -u >"$work/ours"

comm -23 "$work/theirs" "$work/ours" | awk -v ours="$work/ours" -v aliases="$aliases" '
BEGIN {
    while ((getline name < ours) > 0) {
        known[name] = 1
    }
    printf "" > aliases
    print "/* Made by list_unknown_calls.sh: calls that the emulated device does not know. */"
    print "#include \"cudart/runtime.h\"\n"
    print "#pragma GCC diagnostic ignored \"-Wmissing-prototypes\"\n"
}
{
    base = $1
    if (sub(/_pt[ds][sz]$/, "", base) && (base in known)) {
        print $1 " = " base ";" > aliases
        next
    }
    print "#undef " $1
    print "int unknown_" $1 "(void) __asm__(\"" $1 "\");"
    print "int unknown_" $1 "(void)\n{\n    return (int)runtime_unknown_call(\"" $1 "\");\n}\n"
}' >"$calls"

cat >"$versions" <<END
$node {
global:
    cuda[A-Z]*;
    __cuda[A-Z]*;
    gpugrade_mark_*;
local:
    *;
};
END
