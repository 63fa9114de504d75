#!/bin/sh
# driver.sh: Autolab's autograder. Started by autograde-Makefile in the folder with the file that was
# handed in; the image has gpugrade.
#
# Autolab reads the last line of what is printed, {"scores": ...}; what students' programs print never
# comes this way. If there is no verdict, the line is {"scores": {}}: Autolab takes that, like a line that
# is missing since the job was cut off, for a failed autograder, and shows the lines above.
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

# find_handin: the one file that lies here beside Autolab's own: a folder for one .cu file, or the
# archive itself.
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
    say refused 'there should be one handed in file beside autograde.tar'
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
