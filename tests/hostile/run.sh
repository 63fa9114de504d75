#!/bin/sh
# run.sh [--tier A|B|both] [--all] [--real] [NAME...]: grades hostile programs, and honest controls
# beside them.
#
#   programs/<name>/, controls/<name>/   the files that replace the reference solution's; all of
#                                        them get the headers of shared/ too
#   expect    one line each; lines that start with # are comments:
#               row <key>                  the row of rows.txt that it belongs to
#               attack <text>              for the table
#               <criterion> failed [<kind>[/<code>][|<kind>[/<code>]...]]   one of these causes
#               <criterion> says <words>   that the cause's message holds
#               <criterion> ?              passes or fails by luck
#               refused <words>            exit status 2, no score, a message that holds the words
#               whole                      both exercises are graded under short limits, too
#               hits program|launch|compile [N]   how many times it runs into that limit
#               stack                      the grader's user has no limit for stacks, as on clusters
#               seldom                     only with --all, --real or by its name
#               needs root                 only root can make it; who is not skips it
#               tier A|B <line>            one of these lines, for one tier
#               group <line>               one of these lines; where no control group bounds memory,
#                                          that criterion passes or fails by luck
#             Every criterion that is not named must pass: so no mark is gained and none is lost.
#   prepare   a shell script, run in the folder of the submission before it is graded
#   archive   the name of the file, made by prepare, that is handed in instead of the folder
#
# In sources and in prepare @NAME@ is a name for what is left behind, @OTHER@ the folder of another
# submission, @HOME@ a home folder, @ROOT@ the grader's root and @SCORE@ the path of the score file;
# @MEMORY@ is two thirds of the memory in MB that a program may use; on @PORT@ and the abstract
# address @SOCKET@ somebody listens on this machine (listener.c).
#
# Each program is graded in each tier. After that
# - the score is well-formed, the verdicts are as expected, the exit status is 0 or 1;
# - the time is at most  build + N x program + N x launch + honest + 2 s  with the limits of the
#   rubric, where build is the time of the compilers (at most their limit + 2 s) and honest what
#   the reference solution took beside its build; on a machine with more to run than it has cores,
#   honest + 2 s and the compilers' limit count as often as it is overloaded; who is late and nothing else is graded up to
#   twice more, each time after the reference solution: the machine may have slowed down;
# - no process survives (watch.c), the work folder is gone, nothing with @NAME@ is in /tmp,
#   /var/tmp, /dev/shm or /run, the submission is as it was, and no System V or POSIX object of the
#   program is left;
# - no secret (another submission, home, the grader's environment) is in any output, and no control
#   code, workflow command or score line of a test harness is.
# At the end no mount and no cgroup more is there than at the start.
#
# Limits are short and one exercise is graded (rubric.jq); with --real the shipped rubric is used.
# Every row of rows.txt must have a program.
# Tier B runs where namespaces are forbidden (no_namespaces.c); a tier that this machine cannot have
# (tier_probe.sh) is skipped. NAME is a path below this folder
# ("programs/fork_bomb"), "programs" or "controls"; default: all. GPUGRADE names the grader, JOBS
# how many run at once (default 2), SCORES a folder that keeps scores and screens.
# Ends with a line "N passed, N failed, N skipped"; status 0 if none failed.
set -u
umask 022 # programs have users of their own

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
GPUGRADE=${GPUGRADE:-$root/gpugrade}
JOBS=${JOBS:-2}
SCORES=${SCORES:-}
GPUGRADE_ROOT=$root
seed=0x5eed1234
# Only what hangs takes as long.
hung_seconds=300
. "$here/tier_probe.sh"
export GPUGRADE JOBS SCORES GPUGRADE_ROOT

# Numbers of the rubric in use.
limit() {
    jq ".limits.$1" "$rubric"
}

expectation() {
    sed -n "s/^$1 //p" "$fixture/expect"
}

# How often the program runs into a limit.
hits() {
    { sed -n "s/^tier $tier //p" "$fixture/expect"; cat "$fixture/expect"; } |
        awk -v what="$1" '$1 == "hits" && $2 == what { n = $3 ? $3 : 1; exit } END { print n + 0 }'
}

problem() {
    printf '%s: %s\n' "$tier" "$1" >>"$work/problems"
}

# Makes the folder that is handed in, the other submission and the home folder.
make_submission() {
    chmod 755 "$work"
    mkdir "$work/student" "$work/other" "$work/home" "$work/tmp" || exit 3
    mkdir "$work/home/.ssh"
    printf '/* %s */\n' "$canary" >"$work/other/exercise1_tiled.cu"
    printf '%s\n' "$canary" >"$work/home/.ssh/id_rsa"
    cp "$root"/reference/matmul/solution/* "$here"/shared/* "$work/student/" || exit 3
    for file in "$fixture"/*; do
        case ${file##*/} in
        expect | archive) continue ;;
        prepare) target=$work/prepare ;;
        *) target=$work/student/${file##*/} ;;
        esac
        sed -e "s|@NAME@|$name|g; s|@OTHER@|$work/other|g; s|@HOME@|$work/home|g" \
            -e "s|@PORT@|$(cat "$tools/port")|g; s|@SOCKET@|${scratch##*/}|g" \
            -e "s|@MEMORY@|$(limit 'program_memory_mb * 0.68 | floor')|g" \
            -e "s|@ROOT@|$root|g; s|@SCORE@|$work/score.json|g" "$file" >"$target" || exit 3
    done
    submission=$work/student
    if [ -f "$work/prepare" ]; then
        (cd "$work/student" && sh "$work/prepare") || problem 'prepare fails'
    fi
    [ ! -f "$fixture/archive" ] || submission=$work/student/$(cat "$fixture/archive")
}

fingerprint() {
    (cd "$work/student" && find . -printf '%p %y %m %s %T@ %U\n' | LC_ALL=C sort)
}

# Looks for what should not be there any more.
check_leftovers() {
    # shellcheck disable=SC2046 # words
    set -- $(head -n 1 "$work/report")
    sed -n 2p "$work/report" >>"$scratch/graders"
    [ "$4" = 0 ] || problem "survives: $(head -n 1 "$work/report" | cut -d ' ' -f 5-)"
    ls -A "$work/tmp" >"$work/left"
    find /tmp /var/tmp /dev/shm /run /var/lock "$work/home" -path "$work/student" -prune -o \
        -name "*$name*" ! -path "$work" -print 2>/dev/null >>"$work/left"
    [ ! -s "$work/left" ] || problem "is left: $(head -n 3 "$work/left" | tr '\n' ' ')"
    fingerprint | cmp -s - "$work/before" || problem 'the submission was changed'
    find "$work" -mindepth 1 -maxdepth 1 -printf '%f\n' |
        grep -vxE 'student|other|home|tmp|prepare|score.json|screen|report|before|left|problems'\
'|rows|honest.*' >"$work/left"
    [ ! -s "$work/left" ] || problem "is left beside the score: $(cat "$work/left")"
    if awk -v key="$ipc_key" '$1 == key { found = 1 } END { exit !found }' \
        /proc/sysvipc/shm /proc/sysvipc/sem /proc/sysvipc/msg 2>/dev/null; then
        problem 'a System V object is left'
    fi
}

# What a terminal, a spreadsheet, a workflow or a parser of scores would take as its own.
check_outputs() {
    for file in "$work/screen" "$work/score.json"; do
        [ -f "$file" ] || continue
        ! grep -qF "$canary" "$file" || problem "a secret is in ${file##*/}"
        iconv -f UTF-8 -t UTF-8 "$file" >/dev/null 2>&1 || problem "${file##*/} is not UTF-8"
        ! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|'\
'\xe2\x81[\xa6-\xa9]' "$file" || problem "a control code is in ${file##*/}"
        ! grep -qE '^(::|\{"scores"|\{"_presentation"|##\[)' "$file" ||
            problem "a line of ${file##*/} is a command"
    done
}

# $1 the milliseconds that it took.
check_time() {
    crowd=$(awk -v cores="$(nproc)" '{ n = $1 / cores; print (n > 1 ? n : 1) }' /proc/loadavg)
    bound=$(jq -n --slurpfile score "$work/score.json" --argjson honest "$honest" \
        --argjson crowd "$crowd" \
        --argjson programs "$(hits program)" --argjson launches "$(hits launch)" \
        --argjson program "$(limit program_seconds)" \
        --argjson launch "$(limit launch_seconds_emulated)" \
        '$score[0].seconds.compile + $score[0].seconds.link + $programs * $program + $launches * $launch
         + ($honest + 2) * $crowd | . * 1000 | floor')
    [ "$1" -le "$bound" ] || problem "takes $1 ms, may take $bound ms"
    compilers=$(jq '(.seconds.compile + .seconds.link) * 1000 | floor' "$work/score.json")
    bound=$(jq -n --argjson crowd "$crowd" "($(limit compile_seconds) + 2) * \$crowd * 1000 | floor")
    [ "$compilers" -le "$bound" ] || problem "takes $compilers ms, may take $bound ms to compile"
}

check_verdicts() {
    jq -r -R -s --arg tier "$tier" --slurpfile score "$work/score.json" -f "$here/expect.jq" \
        "$fixture/expect" >"$work/rows" 2>&1 || echo 'the score cannot be read' >>"$work/rows"
    while IFS= read -r line; do
        problem "$line"
    done <"$work/rows"
    jq -e 'all(.criteria[]; .status == "passed" or .status == "skipped")' "$work/score.json" \
        >/dev/null && expected=0 || expected=1
    [ "$1" = "exit $expected" ] || problem "ends with $1, expected exit $expected"
    jq -r '([.criteria[].cause | select(. != null) | .code] | first // "none") as $cause
        | "\(.score)/\(.measurable_max) \($cause)"' "$work/score.json" 2>/dev/null
}

check_refusal() {
    [ "$1" = 'exit 2' ] || problem "ends with $1, expected exit 2"
    grep -qF -- "$2" "$work/screen" || problem "expected \"$2\", got $(tail -n 1 "$work/screen")"
    [ "$3" -le 5000 ] || problem "takes $3 ms, may take 5000 ms"
    echo '-/- refused'
}

# Grades the fixture in one tier; prints "points cause seconds".
grade() {
    tier=$1
    rm -rf "$work"
    mkdir "$work" || exit 3
    make_submission
    fingerprint >"$work/before"
    set -- "$GPUGRADE" check "$submission" --rubric "$rubric" --device emulated --seed "$seed" \
        --sandbox "$tier" --json "$work/score.json" --color never
    [ "$tier" != B ] || [ ! -x "$tools/no_namespaces" ] || set -- "$tools/no_namespaces" "$@"
    # shellcheck disable=SC2016 # of the inner shell
    ! grep -qx stack "$fixture/expect" ||
        set -- sh -c 'ulimit -s unlimited 2>/dev/null; exec "$@"' sh "$@"
    TMPDIR=$work/tmp HOME=$work/home GPUGRADE_CACHE=$cache HOSTILE_CANARY=$canary \
        "$tools/watch" -q "/$name" "$hung_seconds" "$work/report" "$@" >"$work/screen" 2>&1 </dev/null
    read -r how number took rest <"$work/report"
    refusal=$(expectation refused)
    if [ -n "$refusal" ]; then
        verdict=$(check_refusal "$how $number" "$refusal" "$took")
        [ ! -e "$work/score.json" ] || problem 'a refused submission has a score'
    elif [ ! -s "$work/score.json" ]; then
        problem "no score, ends with $how $number: $(tail -n 1 "$work/screen")"
        verdict='-/- none'
    else
        verdict=$(check_verdicts "$how $number")
        check_time "$took"
    fi
    check_leftovers
    check_outputs
    if [ -n "$SCORES" ]; then
        for file in score.json screen; do
            [ ! -f "$work/$file" ] || cp "$work/$file" "$SCORES/${fixture##*/}-$tier-$file"
        done
    fi
    echo "$verdict $took" | awk '{ printf "%-9s %-18s %4.1f s", $1, $2, $3 / 1000 }'
}

# Which rubric: of the one exercise that it replaces, or of both.
choose_rubric() {
    if [ "$real" = yes ]; then
        rubric=$root/rubrics/matmul.json
    elif grep -q '^hits compile' "$fixture/expect"; then
        rubric=$scratch/compile.json
    elif grep -qx whole "$fixture/expect" || [ ! -f "$fixture/exercise1_tiled.cu" ] &&
        [ ! -f "$fixture/exercise2_dynamic.cu" ]; then
        rubric=$scratch/whole.json
    elif [ -f "$fixture/exercise2_dynamic.cu" ]; then
        rubric=$scratch/dynamic.json
    else
        rubric=$scratch/tiled.json
    fi
}

# Grades fixture $1 in all tiers and prints one row.
grade_all() {
    fixture=$here/$1
    name=left_${1##*/}_$$
    canary=canary-$$-$(od -An -N6 -tx1 /dev/urandom | tr -d ' \n')
    work=$scratch/${1##*/}
    choose_rubric
    row=''
    found=''
    for tier in $tiers; do
        seen=$(grade "$tier")
        # Something else may have had the processors: what is late, and nothing else, is tried again.
        for _ in second third; do
            if [ -s "$work/problems" ] &&
                ! grep -qv ': takes [0-9]* ms, may take ' "$work/problems"; then
                measure_honest "$work" && seen=$(grade "$tier")
            fi
        done
        row="$row  $tier $seen"
        [ ! -s "$work/problems" ] || found="$found$(cat "$work/problems")
"
    done
    rm -rf "$work"
    word=ok
    [ -z "$found" ] || word=FAIL
    printf '%-4s %-26s%s  %s\n' "$word" "${1##*/}" "$row" "$(expectation attack)"
    [ -z "$found" ] || printf '%s' "$found" | sed 's/^/       /'
}

list() {
    [ $# -eq 0 ] && set -- controls programs
    for name in "$@"; do
        name=${name%/}
        if [ -f "$here/$name/expect" ]; then
            echo "$name"
        elif [ -d "$here/$name" ]; then
            for expect in "$here/$name"/*/expect; do
                [ "$all" = no ] && grep -qx seldom "$expect" && continue
                expect=${expect%/expect}
                [ ! -d "$expect" ] || echo "${expect#"$here/"}"
            done
        else
            echo "run.sh: no fixture $name" >&2
            return 2
        fi
    done
}

# Cgroups of the graders that ran: in their names the third number is the grader's process.
groups_left() {
    find /sys/fs/cgroup -type d -name 'gpugrade-*' 2>/dev/null | while IFS= read -r group; do
        grader=$(echo "${group##*/}" | cut -d - -f 3)
        ! tr ' ' '\n' <"$scratch/graders" | grep -qx "$grader" || echo "$group"
    done
}

mounts() {
    cut -d ' ' -f 2 /proc/self/mounts | LC_ALL=C sort
}

# Builds what the checks need and derives the rubrics.
prepare_tools() {
    tools=$scratch/tools
    mkdir "$tools" "$scratch/cache"
    cc -O1 -o "$tools/watch" "$here/watch.c" -lrt || exit 3
    cc -O1 -o "$tools/listener" "$here/listener.c" || exit 3
    "$tools/listener" "${scratch##*/}" "$tools/port" 7200 &
    listener=$!
    while [ ! -s "$tools/port" ]; do
        kill -0 "$listener" || exit 3
        sleep 0.05
    done
    case " $tiers " in
    *' B '*)
        cc -D_GNU_SOURCE -O1 -o "$tools/no_namespaces" "$here/no_namespaces.c" -lseccomp || exit 3
        ;;
    esac
    for program in tiled dynamic whole compile; do
        jq --arg program "$program" -f "$here/rubric.jq" "$root/rubrics/matmul.json" \
            >"$scratch/$program.json" || exit 3
    done
}

# Grades the reference solution, for the cache and for the time that it takes beside its build; what
# took longer before counts. $1 the folder for its files.
measure_honest() {
    honest_rubric=$scratch/whole.json
    [ "$real" = no ] || honest_rubric=$root/rubrics/matmul.json
    GPUGRADE_CACHE=$scratch/cache "$tools/watch" "$hung_seconds" "$1/honest-report" \
        "$GPUGRADE" check "$root/reference/matmul/solution" --rubric "$honest_rubric" \
        --device emulated --seed "$seed" --json "$1/honest.json" >"$1/honest-screen" 2>&1 </dev/null
    read -r how number took _ <"$1/honest-report"
    [ "$how $number" = 'exit 0' ] || return
    honest=$(jq --argjson took "$took" --argjson before "${honest:-0}" \
        '[$took / 1000 - .seconds.compile - .seconds.link, $before] | max' "$1/honest.json")
}

tiers='A B'
real=no
all=no
while [ $# -gt 0 ]; do
    case $1 in
    --tier)
        case ${2:-} in
        A | B) tiers=$2 ;;
        both) tiers='A B' ;;
        *) echo 'run.sh: --tier A, B or both' >&2 && exit 2 ;;
        esac
        shift 2
        ;;
    --all) all=yes && shift ;;
    --real) real=yes && all=yes && shift ;;
    --one) # called by itself
        scratch=$2 tiers=$3 real=$4 honest=$5
        tools=$scratch/tools cache=$scratch/cache
        ipc_key=1735422769 # 0x67707331, see attempts in leaves_ipc
        grade_all "$6"
        exit 0
        ;;
    *) break ;;
    esac
done
for tool in jq cc iconv; do
    command -v "$tool" >/dev/null || { echo "run.sh: $tool is missing" >&2 && exit 3; }
done
names=$(list "$@") || exit 2
while read -r row _; do
    if [ "$row" != '#' ] && ! grep -qx "row $row" "$here"/programs/*/expect; then
        echo "run.sh: no program of row $row"
        exit 1
    fi
done <"$here/rows.txt"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/hostile-XXXXXX") || exit 3
listener=''
trap '[ -z "$listener" ] || kill "$listener"; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
chmod 755 "$scratch"
skipped=0
for tier in $tiers; do
    missing=$(missing_for_tier "$tier")
    if [ -n "$missing" ]; then
        echo "skipped tier $tier: $missing"
        tiers=$(echo "$tiers" | tr ' ' '\n' | grep -vx "$tier")
        skipped=$((skipped + 1))
    fi
done
if [ "$(id -u)" != 0 ]; then
    wanted=$names
    names=''
    for name in $wanted; do
        if grep -qx 'needs root' "$here/$name/expect"; then
            echo "skipped $name: only root can make it"
            skipped=$((skipped + 1))
        else
            names="$names$name
"
        fi
    done
    names=${names%?}
fi
if [ -z "$tiers" ] || [ -z "$names" ]; then
    echo "0 passed, 0 failed, $skipped skipped"
    exit 0
fi
prepare_tools
if ! measure_honest "$scratch"; then
    cat "$scratch/honest-screen"
    echo '0 passed, 1 failed, 0 skipped'
    exit 1
fi
mounts >"$scratch/mounts"
printf '%s\n' "$names" |
    xargs -P "$JOBS" -I NAME sh "$0" --one "$scratch" "$tiers" "$real" "$honest" NAME |
    tee "$scratch/table"
passed=$(grep -c '^ok ' "$scratch/table")
failed=$(grep -c '^FAIL ' "$scratch/table")
expected=$(printf '%s\n' "$names" | wc -l)
if [ "$((passed + failed))" -ne "$expected" ]; then
    echo "FAIL rows: $((passed + failed)) of $expected"
    failed=$((failed + 1))
fi
{ mounts | LC_ALL=C comm -13 "$scratch/mounts" - && groups_left; } >"$scratch/more"
if [ -s "$scratch/more" ]; then
    echo 'FAIL no mount and no cgroup is left'
    sed 's/^/       /' "$scratch/more"
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
