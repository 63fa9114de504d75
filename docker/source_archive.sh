#!/bin/sh
# source_archive.sh FILE: the sources of gpugrade as a .tar.gz, for bundles that are built where they run: a
# package built here would need this machine's libraries. The same sources give the same bytes.
# SOLUTIONS=no in the environment leaves out the reference solutions, for archives that students can read.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
[ $# -eq 1 ] || {
    sed -n '2,4s/^# \{0,1\}//p' "$0" >&2
    exit 2
}
exclude=''
[ "${SOLUTIONS:-yes}" = yes ] || exclude='--exclude=reference/*/solution'
tar -C "$root" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 --mode=go-w \
    ${exclude:+"$exclude"} -cf - CMakeLists.txt README.md docs gpugrade grader rubrics reference \
    student_template | gzip -n >"$1"
