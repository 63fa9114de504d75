#!/bin/sh
# list_unknown_calls.sh NM LIBRARY CALLS ALIASES VERSIONS OBJECT...: makes the rest of the stand-in
# runtime from the toolkit's own.
#
#   LIBRARY   the toolkit's libcudart; its name gives the version node
#   CALLS     written: C, one function for each symbol that LIBRARY exports and the objects lack
#   ALIASES   written: linker script, the per-thread-stream variants (_ptsz, _ptds) of known calls
#   VERSIONS  written: linker version script
#   OBJECT    our object files
set -eu
export LC_ALL=C

nm=$1 library=$2 calls=$3 aliases=$4 versions=$5
shift 5

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$nm" -D --defined-only "$library" |
    awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort -u >"$work/theirs"
"$nm" --defined-only "$@" | awk '$2 == "T" { print $3 }' | sort -u >"$work/ours"
[ -s "$work/theirs" ] || { echo "$library: exports no symbols" >&2; exit 1; }

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
${library##*/} {
global:
    cuda[A-Z]*;
    __cuda[A-Z]*;
local:
    *;
};
END
