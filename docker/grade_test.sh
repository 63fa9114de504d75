#!/bin/sh
# grade_test.sh WRONG: tries the image from inside, as its user, in a build step. Grading must be sound
# without root, a reference solution must get every point that can be measured, and the submission in
# the folder WRONG must not. The scores are in /tmp/scores afterwards.
set -eu

die() {
    printf 'grade_test.sh: %s\n' "$*" >&2
    exit 1
}

# grade NAME FOLDER STATUS: grades the folder, which must end with that status.
grade() {
    status=0
    gpugrade check "$2" --coursework matmul --seed 0x1 --device emulated --color never \
        --json "/tmp/scores/$1.json" || status=$?
    [ "$status" -eq "$3" ] || die "$1 ended with $status, expected $3"
}

[ "$(id -u)" -ne 0 ] || die 'the image must not run as root'
[ "$(id -g)" -eq "$(stat -c %g /opt/gpugrade/libexec/gpugrade/gpugrade-jail)" ] ||
    die 'the user is not in the group of gpugrade-jail'
mkdir -p /tmp/scores
gpugrade doctor --color never --json /tmp/scores/doctor.json || die 'grading here is not sound'
if [ -d /opt/gpugrade/share/gpugrade/reference/matmul/solution ]; then # not with SOLUTIONS=no
    grade right /opt/gpugrade/share/gpugrade/reference/matmul/solution 0
fi
grade wrong "$1" 1
cat /opt/image/unit-tests
