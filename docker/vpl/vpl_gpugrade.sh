#!/bin/bash
# vpl_gpugrade.sh report|evaluate: grades the files that VPL put into this folder; started by
# vpl_execution on the execution server, as the user of one job.
#
#   settings.sh, platform_lib.sh   from make_bundle.sh
#   course.txt                     the rubric, if the settings name one, and its files
#   VPL_SUBFILES                   the names that were handed in, one a line
#   VPL_GRADEMIN, VPL_GRADEMAX     the range of marks in this activity
#   VPL_MAXTIME                    seconds until VPL ends the job
#
# VPL reads "Comment :=>>" and "Grade :=>>" at the beginning of lines. Only convert prints such lines;
# without a verdict there is no grade, and the comment says why.
set -u
umask 077
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/cuda/bin
export PATH
# shellcheck source=docker/platform_lib.sh
. ./platform_lib.sh
# shellcheck source=/dev/null
. ./settings.sh
if [ "${VPL_MAXTIME:-0}" -gt 30 ] && [ $((VPL_MAXTIME - 15)) -lt "$TIME_LIMIT" ]; then
    TIME_LIMIT=$((VPL_MAXTIME - 15))
fi
work=''

say() {
    printf '\n<|--\n-No verdict\n'
    explain_outcome "$1" "$2"
    [ "$1" = refused ] || [ -z "$2" ] || printf '%s\n' "$2"
    printf -- '--|>\n'
}

# Copies the files that were handed in: only these names, and none outside this folder.
take_files() {
    local name
    mkdir "$work/handin" || return 1
    while IFS= read -r name; do
        case $name in
        '' | /* | .. | ../* | */.. | */../* | vpl_* | settings.sh | platform_lib.sh | course.txt) continue ;;
        esac
        if [ -f "$name" ] && ! [ -L "$name" ]; then
            mkdir -p "$work/handin/$(dirname -- "$name")" && cp -- "$name" "$work/handin/$name"
        fi
    done <<END
${VPL_SUBFILES:-}
END
}

# convert gives a grade in percent; VPL needs one between its two marks.
scale_grade() {
    LC_ALL=C awk -v low="${VPL_GRADEMIN:-0}" -v high="${VPL_GRADEMAX:-100}" '
        /^Grade :=>>/ { sub(/^Grade :=>> */, ""); grade = $0 + 0; seen = 1; next }
        { print }
        END { if (seen) printf "Grade :=>> %.5g\n", low + (high - low) * grade / 100 }' "$1"
}

# Below $work, which no other user can read.
take_course() {
    if [ -n "$RUBRIC" ]; then
        base64 -d course.txt | tar -C "$work" --no-same-owner -xz && RUBRIC=$work/$RUBRIC
    fi
}

trap 'stop_grading; say stopped ""; rm -rf "$work"; exit 0' TERM INT HUP
chmod 0700 .
if ! work=$(mktemp -d) || ! take_files || ! take_course; then
    say broken 'temporary files cannot be written, or course.txt is missing'
    exit 0
fi
find_gpugrade
grade "$work/handin"
if [ "$outcome" != graded ]; then
    say "$outcome" "$reason"
elif [ "${1:-}" = report ]; then
    cat "$work/screen"
elif convert vpl "$work/lines"; then
    trap '' TERM INT HUP # this is the verdict
    scale_grade "$work/lines"
else
    say broken "$(words_of "$work/messages")"
fi
rm -rf "$work"
exit 0
