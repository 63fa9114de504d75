#!/bin/sh
# under_load.sh [NAME...]: grades fixtures at rest and then beside LOAD busy processes (default 8), and
# compares the scores byte for byte, but for `measured`, `machine` and `seconds`, which always vary.
#
# NAME, COURSEWORK, JOBS and the other settings are those of run.sh (default: quick). Ends with a line
# "N passed, N failed, 0 skipped"; status 0 if none failed.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
LOAD=${LOAD:-8}
work=$(mktemp -d)
busy=''

# Ends the busy processes by their numbers, and removes what was made.
clean() {
    for pid in $busy; do
        kill "$pid" 2>/dev/null
    done
    rm -rf "$work"
}
trap clean EXIT
trap 'exit 1' INT TERM

# Prints a score without what always varies, and the temporary folder that run.sh makes.
fixed() {
    jq 'del(.machine, .seconds) | del(.. | .measured?)' "$1" | sed 's|/[^" ]*/student|student|g'
}

[ $# -gt 0 ] || set -- quick
mkdir "$work/rest" "$work/load"
SCORES=$work/rest sh "$here/run.sh" "$@" >"$work/rest.log" || cat "$work/rest.log"
for _ in $(seq "$LOAD"); do
    while :; do :; done &
    busy="$busy $!"
done
SCORES=$work/load sh "$here/run.sh" "$@" >"$work/load.log" || cat "$work/load.log"
passed=0
failed=0
for score in "$work"/rest/*.json; do
    name=$(basename "$score")
    fixed "$score" >"$work/a"
    fixed "$work/load/$name" >"$work/b" 2>/dev/null
    if [ -s "$work/a" ] && cmp -s "$work/a" "$work/b"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL ${name%.json}: another score at load $LOAD"
        diff "$work/a" "$work/b" | head -20
    fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
