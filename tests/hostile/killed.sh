#!/bin/sh
# killed.sh [ROUNDS]: kills the grader with SIGKILL at random moments and sees that nothing of it
# lives on.
#
# The submission leaves daemons and grandchildren (programs/leaves_daemon and endless_sleep, in
# turns). In odd rounds the process that the user started is killed, in even rounds the one that
# grades below it; tiers A and B alternate too, but for a tier that this machine cannot have
# (tier_probe.sh). Moments are drawn from the whole time that such a check takes. Within 2 s after
# that no process is left (watch.c adopts whatever there is), no mount, no cgroup and nothing in
# /dev/shm or /var/tmp. At the end one more check passes, and no work folder of a killed grader is
# left.
#
# ROUNDS: default 10 (tests/run --long: 50). SEED repeats the moments; GPUGRADE names the grader.
# Ends with a line "N passed, N failed, N skipped".
set -u
umask 022 # programs have users of their own
. "$(dirname -- "$0")/../shell_lib.sh"
here=$REPO/tests/hostile
. "$here/tier_probe.sh"
rounds=${1:-10}
seed=${SEED:-$(date +%s)}

cc -O1 -o "$SCRATCH/watch" "$here/watch.c" -lrt || exit 3
cc -D_GNU_SOURCE -O1 -o "$SCRATCH/no_namespaces" "$here/no_namespaces.c" -lseccomp || exit 3
jq --arg program tiled -f "$here/rubric.jq" "$REPO/rubrics/matmul.json" >"$SCRATCH/rubric.json" ||
    exit 3
chmod 755 "$SCRATCH"
mkdir "$SCRATCH/tmp" "$SCRATCH/cache"
for name in leaves_daemon endless_sleep; do
    mkdir "$SCRATCH/$name"
    cp "$REPO"/reference/matmul/solution/* "$here"/shared/* "$SCRATCH/$name/"
    sed "s|@NAME@|killed_$$|g" "$here/programs/$name/exercise1_tiled.cu" \
        >"$SCRATCH/$name/exercise1_tiled.cu"
done

# check TIER FOLDER OPTION...: one check below watch, whose options follow.
check() {
    tier=$1
    folder=$2
    shift 2
    set -- "$SCRATCH/watch" "$@" 300 "$SCRATCH/report"
    [ "$tier" = A ] || set -- "$@" "$SCRATCH/no_namespaces"
    rm -rf "$SCRATCH/cache/programs" # so that compilers are killed too
    TMPDIR=$SCRATCH/tmp GPUGRADE_CACHE=$SCRATCH/cache "$@" "$GPUGRADE" check "$folder" \
        --rubric "$SCRATCH/rubric.json" --device emulated --seed 0x1 --sandbox "$tier" \
        --json "$SCRATCH/score.json" >"$SCRATCH/screen" 2>&1 </dev/null
    sed -n 2p "$SCRATCH/report" >>"$SCRATCH/graders"
}

# Mounts, and what lies in shared folders and is of this run.
surroundings() {
    cut -d ' ' -f 2 /proc/self/mounts | LC_ALL=C sort
    find /tmp /var/tmp /dev/shm /run -path "$SCRATCH" -prune -o -name "*killed_$$*" -print \
        2>/dev/null
}

# Cgroups of the graders that ran: in their names the third number is the grader's process.
groups_left() {
    find /sys/fs/cgroup -type d -name 'gpugrade-*' 2>/dev/null | while IFS= read -r group; do
        grader=$(echo "${group##*/}" | cut -d - -f 3)
        ! tr ' ' '\n' <"$SCRATCH/graders" | grep -qx "$grader" || echo "$group"
    done
}

first_tier=A
second_tier=B
missing=$(missing_for_tier A)
if [ -n "$missing" ]; then
    skip 'tier A' "$missing"
    first_tier=B
fi
surroundings | sort >"$SCRATCH/surroundings"
if ! check "$first_tier" "$REPO/reference/matmul/solution" ||
    ! grep -q '^exit 0 ' "$SCRATCH/report"; then
    fail 'a check that nobody kills passes' "$SCRATCH/screen"
    finish
fi
whole_ms=$(cut -d ' ' -f 3 "$SCRATCH/report")
round=1
killed=0
while [ "$round" -le "$rounds" ]; do
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    # Half again as long, since these submissions run into their limits.
    moment=$((seed / 65536 % (whole_ms + whole_ms / 2) + 20))
    [ $((round % 2)) -eq 0 ] && inner=-i || inner=''
    [ $((round / 2 % 2)) -eq 0 ] && tier=$first_tier || tier=$second_tier
    [ $((round / 4 % 2)) -eq 0 ] && name=leaves_daemon || name=endless_sleep
    # shellcheck disable=SC2086 # an option or none
    check "$tier" "$SCRATCH/$name" -k "$moment" $inner
    read -r how number took survivors names <"$SCRATCH/report"
    surroundings | sort | comm -13 "$SCRATCH/surroundings" - >"$SCRATCH/more"
    what="round $round: tier $tier, $name, ${inner:+the inner process }killed after $moment ms"
    case "$how $number" in
    'signal 9' | 'exit 3') killed=$((killed + 1)) ;;
    # It was over before its moment: the first check was slower, or these end sooner.
    *) [ "$took" -ge "$whole_ms" ] || whole_ms=$took ;;
    esac
    if [ "$survivors" != 0 ]; then
        fail "$what" "survivors:$names"
    elif [ -s "$SCRATCH/more" ]; then
        fail "$what" "$SCRATCH/more"
    elif [ "$how" = over ]; then
        fail "$what" "it does not end"
    else
        pass "$what ($how $number)"
    fi
    round=$((round + 1))
done
if [ "$killed" -gt 0 ]; then
    pass "$killed of $rounds rounds met a living grader"
else
    fail 'graders were killed'
fi

# The next run works, and cleans up.
check "$first_tier" "$REPO/reference/matmul/solution"
if grep -q '^exit 0 ' "$SCRATCH/report"; then
    pass 'the next check works'
else
    fail 'the next check works' "$SCRATCH/screen"
fi
ls -A "$SCRATCH/tmp" >"$SCRATCH/left"
if [ -s "$SCRATCH/left" ]; then
    fail 'no work folder of a killed grader is left' "$SCRATCH/left"
else
    pass 'no work folder of a killed grader is left'
fi
groups_left >"$SCRATCH/more"
if [ -s "$SCRATCH/more" ]; then
    fail 'no cgroup of a killed grader is left' "$SCRATCH/more"
else
    pass 'no cgroup of a killed grader is left'
fi
finish
