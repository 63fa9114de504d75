#!/bin/sh
# list_library_calls.sh NM NAMES MAJOR CALLS VERSIONS OBJECT...: makes the rest of the stand-ins for
# NVIDIA's libraries: the calls that ours do not have, which are refused by name.
#
#   NAMES     the functions of real ones (library_names.txt)
#   MAJOR     the version of CUDA
#   CALLS     written: C, one function for each that the objects lack
#   VERSIONS  linker version script, to which a node for each library is added
#   OBJECT    our object files
set -eu
export LC_ALL=C

nm=$1 names=$2 major=$3 calls=$4 versions=$5
shift 5

ours=$(mktemp)
trap 'rm -f "$ours"' EXIT
"$nm" --defined-only "$@" | awk '$2 == "T" { print $3 }' | sort -u >"$ours"
awk -v ours="$ours" -v major="$major" -v versions="$versions" '
BEGIN {
    while ((getline name < ours) > 0)
        known[name] = 1
    print "/* Made by list_library_calls.sh: calls of libraries that the stand-ins do not have. */"
    print "#include \"cudart/runtime.h\"\n"
    print "#pragma GCC diagnostic ignored \"-Wmissing-prototypes\"\n"
}
/^#/ { next }
$1 == "library" {
    if (sub(/MAJOR-1$/, major - 1, $2) == 0)
        sub(/MAJOR$/, major, $2)
    if (status != "")
        print "};" >> versions
    status = $3
    print "\n" $2 " {\nglobal:" >> versions
    next
}
{
    print "    " $1 ";" >> versions
    if ($1 in known)
        next
    plain = $1
    sub(/_v[0-9]/, "", plain) # programs write the name without
    print "int missing_" $1 "(void) __asm__(\"" $1 "\");"
    print "int missing_" $1 "(void)\n{\n    runtime_unknown_call(\"" plain "\");"
    print "    return " status ";\n}\n"
}
END { print "};" >> versions }
' "$names" >"$calls"
