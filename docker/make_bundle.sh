#!/bin/sh
# make_bundle.sh FOLDER: puts into FOLDER what the scripts of a platform need next to themselves.
#
#   platform_lib.sh   unchanged
#   settings.sh       what is graded (platform_lib.sh lists the settings)
#   course/           the rubric with those that it extends; for a coursework of your own also its
#                     reference, and the template with the headers that it gives; nothing else from
#                     these folders
#
# From the environment; README.md of each platform says which of these matter there:
#   COURSEWORK   the id of the coursework; needed
#   COURSE       the folder of a course of your own that contains it (rubrics/ID.json, reference/ID,
#                student_template/ID)
#   SOLUTIONS    no: without its reference solution, if students can read the bundle
#   RUBRIC       an overlay to grade by, for hidden cases, points, hints
#   SEED         up to 16 hexadecimal digits; drawn here if it is not given, so a class has one seed
#   TIME_LIMIT   seconds for grading one submission
#   MEMORY       megabytes that the platform gives. The limits of a submission's compilers, programs and
#                device memory are set to fit; below 1500, only one of these runs at a time.
#                "": the limits of the rubric stay
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)

die() {
    printf 'make_bundle.sh: %s\n' "$*" >&2
    exit 2
}

# matches WORD PATTERN: the whole word, by an extended regular expression.
matches() {
    printf '%s' "$1" | LC_ALL=C grep -qxE "$2"
}

# extended_by FILE: what a rubric extends, "" for nothing. Quotes inside a string have a backslash.
extended_by() {
    tr '\n' ' ' <"$1" | sed -n 's/.*"extends"[[:space:]]*:[[:space:]]*"\([^"]*\)".*/\1/p'
}

# take_rubric FILE: copies a rubric and, one after the other, the files that it extends. They are next
# to it, or in COURSE.
take_rubric() {
    file=$1
    for step in 1 2 3 4 5 6 7 8 9; do
        cp -- "$file" "$folder/course/rubrics/" || exit 2
        next=$(extended_by "$file")
        case $next in
        */*) die "$file extends '$next': in a bundle all rubrics are in one folder, so give only a name" ;;
        '') return 0 ;;
        *.json) ;;
        *)
            [ ! -f "$here/../rubrics/$next.json" ] || return 0 # a shipped one
            next=$next.json
            ;;
        esac
        beside=$(dirname -- "$file")/$next
        if [ ! -f "$beside" ] && [ -n "$course" ]; then
            beside=$course/rubrics/$next
        fi
        [ -f "$beside" ] || die "$file extends '$next', which is not in the same folder"
        file=$beside
    done
    die "$1: more than $step files that extend each other"
}

folder=${1:?make_bundle.sh needs the folder to fill}
coursework=${COURSEWORK:-}
course=${COURSE:-}
rubric=${RUBRIC:-}
solutions=${SOLUTIONS:-yes}
seed=${SEED:-$(od -An -N8 -tx1 /dev/urandom | tr -d ' \n')}
time_limit=${TIME_LIMIT:-540}
memory=${MEMORY:-}

[ -n "$coursework" ] || die 'COURSEWORK=ID is needed, for example COURSEWORK=matmul'
matches "$coursework" '[A-Za-z0-9_.-]+' || die "COURSEWORK must be an id, got '$coursework'"
matches "$solutions" 'yes|no' || die "SOLUTIONS must be yes or no, got '$solutions'"
matches "$seed" '(0x)?[0-9A-Fa-f]{1,16}' || die "SEED must be up to 16 hexadecimal digits, got '$seed'"
matches "$time_limit" '[1-9][0-9]{0,5}' || die "TIME_LIMIT must be a number of seconds, got '$time_limit'"
[ -z "$memory" ] || matches "$memory" '[1-9][0-9]{2,6}' || die "MEMORY must be a number of megabytes, got '$memory'"

mkdir -p "$folder/course/rubrics"
cp "$here/platform_lib.sh" "$folder/"
base=$coursework
if [ -n "$course" ]; then
    [ -f "$course/rubrics/$coursework.json" ] || die "there is no $course/rubrics/$coursework.json"
    [ -d "$course/reference/$coursework" ] || die "there is no $course/reference/$coursework"
    take_rubric "$course/rubrics/$coursework.json"
    for part in "reference/$coursework" reference/common "student_template/$coursework"; do
        [ -d "$course/$part" ] || continue
        mkdir -p "$folder/course/${part%/*}"
        cp -R "$course/$part" "$folder/course/${part%/*}/"
    done
    [ "$solutions" = yes ] || rm -rf "$folder/course/reference/$coursework/solution"
    if ! [ -d "$folder/course/student_template/$coursework" ] &&
        grep -q '"given"[[:space:]]*:' "$folder"/course/rubrics/*.json; then
        die "there is no $course/student_template/$coursework, but the rubric gives its headers to students"
    fi
    base=$coursework.json
elif [ -z "$rubric" ]; then
    [ -f "$here/../rubrics/$coursework.json" ] ||
        die "no coursework '$coursework' is shipped; COURSE=FOLDER says where it is"
fi
if [ -n "$rubric" ]; then
    [ -f "$rubric" ] || die "RUBRIC: there is no file '$rubric'"
    matches "$(basename "$rubric")" '[A-Za-z0-9_.-]+\.json' ||
        die 'RUBRIC: its name must end in .json and have only the characters A-Z a-z 0-9 _ . -'
    take_rubric "$rubric"
    base=$(basename "$rubric")
fi

# within VALUE MOST LEAST
within() {
    value=$1
    [ "$value" -le "$2" ] || value=$2
    [ "$value" -ge "$3" ] || value=$3
    printf '%s' "$value"
}

# Compilers of one program need about 200 MB at a time; the grader, its device process and the scripts
# always need about 150 MB.
path=''
cores=''
if [ -n "$memory" ]; then
    [ "$memory" -ge 1500 ] || cores=1
    cat >"$folder/course/rubrics/platform_limits.json" <<END
{
  "schema": "gpugrade/rubric/v1",
  "extends": "$base",
  "limits": {
    "compile_memory_mb": $(within $((memory * 2 / 3)) 2048 256),
    "program_memory_mb": $(within $((memory / 3)) 1024 64),
    "program_processes": 32,
    "device_memory_mb": $(within $((memory / 4)) 1024 64)
  }
}
END
    path=course/rubrics/platform_limits.json
elif [ "$base" != "$coursework" ]; then
    path=course/rubrics/$base
fi

cat >"$folder/settings.sh" <<END
# shellcheck shell=sh disable=SC2034 # read by platform_lib.sh; written by make_bundle.sh
COURSEWORK='$coursework'
RUBRIC='$path' # below the folder of this file
SEED='$seed'
CORES='$cores'
TIME_LIMIT='$time_limit'
END
printf 'make_bundle.sh: %s, seed %s, %s s, rubric %s\n' "$coursework" "$seed" "$time_limit" \
    "${path:-as shipped}"
