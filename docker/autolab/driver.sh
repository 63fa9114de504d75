#!/bin/sh
# driver.sh: Autolab's autograder. Started by autograde-Makefile in the folder with the file that was
# handed in; the image has gpugrade.
#
# Autolab reads the last printed line, {"scores": ...}; what students' programs print never gets here.
# If there is no verdict, the line is {"scores": {}}. Autolab treats that as a failed autograder and
# shows the lines above; a line that is missing because the job was cut off is treated the same.
set -u
umask 077
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/cuda/bin
export PATH
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
# shellcheck source=docker/platform_lib.sh
. "$here/platform_lib.sh"
# shellcheck source=/dev/null
. "$here/settings.sh"
RUBRIC=${RUBRIC:+$here/$RUBRIC}
work=''

say() {
    explain_outcome "$1" "$2"
    [ "$1" = refused ] || [ -z "$2" ] || printf '%s\n' "$2"
    echo '{"scores": {}}'
}

# find_handin: finds the one file here that is not Autolab's own: puts a .cu file into a folder, takes an
# archive as it is.
find_handin() {
    set --
    for file in ./*; do
        case $file in
        ./Makefile | ./autograde-Makefile | ./autograde.tar | ./gpugrade-autolab | ./settings.json | ./output) ;;
        *) [ ! -f "$file" ] || set -- "$@" "$file" ;;
        esac
    done
    [ $# -eq 1 ] || return 1
    handin=$1
    case $1 in
    *.cu | *.c | *.h | *.cuh)
        mkdir "$work/handin" && cp -- "$1" "$work/handin/" && handin=$work/handin
        ;;
    esac
}

trap 'stop_grading; say stopped ""; rm -rf "$work"; exit 0' TERM INT HUP
chmod 0700 . "$here"
if ! work=$(mktemp -d) || ! find_handin; then
    say refused 'there must be exactly one handed in file next to autograde.tar'
    rm -rf "$work"
    exit 0
fi
find_gpugrade
echo 'grading ...'
grade "$handin"
if [ "$outcome" != graded ]; then
    say "$outcome" "$reason"
elif convert autolab "$work/lines"; then
    trap '' TERM INT HUP # nothing may follow
    cat "$work/lines"
else
    say broken "$(words_of "$work/messages")"
fi
rm -rf "$work"
exit 0
