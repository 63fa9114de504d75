#!/bin/sh
# tests/html/run.sh [FIXTURE...]: looks at pages of `check --html` in a headless Chromium.
#
# The pages: those of tests/unit/report/test_report_html.c, which show everything, and those of real checks of
# fixtures (default: a few of tests/submissions, and the reference solution). check_pages.js has what
# is looked at: accessibility (axe-core), requests, console, links, keyboard, width, print. Then pages
# on one block, of tests/unit/report/test_step_page.c and of `gpugrade step`, which check_steps.js
# drives by keyboard. Then pages on classes of made-up results (`gpugrade report --format html`), small
# and of 10,000 students: check_class.js also sorts, filters and follows links in them.
#
# As root it installs Chromium where it is missing; axe-core and puppeteer-core go into
# $GPUGRADE_HTML_CACHE (default: ~/.cache/gpugrade-html), fixed versions. Without Chromium, npm or a
# network for the first run it skips. GPUGRADE_SHOTS names a folder for screenshots.
# tests/run: --all
# shellcheck source=../shell_lib.sh
. "$(dirname -- "$0")/../shell_lib.sh"
here=$REPO/tests/html
cache=${GPUGRADE_HTML_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/gpugrade-html}
axe='axe-core@4.14.1'
puppeteer='puppeteer-core@24.43.1'

give_up() {
    skip 'pages in a browser' "$1"
    finish
}

find_chromium() {
    for name in chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$name" 2>/dev/null && return 0
    done
    return 1
}

install_chromium() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    set -- timeout 240 env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 \
        install -y --no-install-recommends chromium
    "$@" >"$SCRATCH/apt" 2>&1 </dev/null ||
        { timeout 120 apt-get update && "$@"; } >"$SCRATCH/apt" 2>&1 </dev/null
}

# The cache holds these very versions, or gets them.
install_packages() {
    wanted="$axe $puppeteer"
    [ "$(cat "$cache/versions" 2>/dev/null)" = "$wanted" ] && return 0
    mkdir -p "$cache" && printf '{"private": true}\n' >"$cache/package.json" &&
        timeout 180 npm install --prefix "$cache" --no-audit --no-fund --ignore-scripts \
            "$axe" "$puppeteer" >"$SCRATCH/npm" 2>&1 </dev/null &&
        printf '%s' "$wanted" >"$cache/versions"
}

# The page of a fixture of tests/submissions: the reference solution and what differs.
checked_page() {
    folder=$SCRATCH/students/$1
    page=$SCRATCH/pages/$(printf '%s' "$1" | tr / -).html
    mkdir -p "$folder" && cp "$REPO"/reference/matmul/solution/* "$folder" || return
    [ ! -d "$REPO/tests/submissions/matmul/$1" ] ||
        find "$REPO/tests/submissions/matmul/$1" -type f ! -name expect ! -name guilty ! -name base \
            ! -name rubric -exec cp {} "$folder" \;
    "$GPUGRADE" check "$folder" --device emulated --seed 0x5eed1234 --html "$page" \
        >"$SCRATCH/screen" 2>&1 </dev/null
    if [ -s "$page" ]; then
        pass "check --html writes a page of $1"
    else
        fail "check --html writes a page of $1" "$SCRATCH/screen"
    fi
}

command -v npm >/dev/null || give_up 'there is no npm here'
command -v node >/dev/null || give_up 'there is no node here'
find_chromium >/dev/null || install_chromium || give_up 'there is no Chromium here'
CHROMIUM=$(find_chromium) || give_up 'there is no Chromium here'
install_packages ||
    give_up "npm cannot install $axe and $puppeteer: $(tail -n 1 "$SCRATCH/npm" 2>/dev/null)"

mkdir -p "$SCRATCH/pages" ${GPUGRADE_SHOTS:+"$GPUGRADE_SHOTS"}
GPUGRADE_PAGES=$SCRATCH/pages "${GPUGRADE_BUILD:-$REPO/build}/tests/unit/report_test_report_html" \
    >"$SCRATCH/screen" 2>&1
for page in page_full page_empty; do
    if [ -s "$SCRATCH/pages/$page.html" ]; then
        pass "the unit test writes $page"
    else
        fail "the unit test writes $page" "$SCRATCH/screen"
    fi
done
[ $# -gt 0 ] || set -- solution wrong/second_barrier_missing wrong/output_transposed \
    wrong/missing_semicolon
for fixture in "$@"; do
    checked_page "$fixture"
done

# The page on a class of $1 made-up students; the others are options of `report`.
class_page() {
    students=$1
    shift
    [ -d "$SCRATCH/class-$students" ] ||
        "$maker" "$SCRATCH/class-$students" "$students" >"$SCRATCH/screen" 2>&1
    page=$SCRATCH/classes/class_$students$(printf '%s' "$*" | tr -c '[:lower:]' _).html
    if "$GPUGRADE" report "$SCRATCH/class-$students" --format html "$@" >"$page" 2>>"$SCRATCH/screen"
    then
        pass "report --format html writes a page on $students students $*"
    else
        fail "report --format html writes a page on $students students $*" "$SCRATCH/screen"
    fi
}

# browse SCRIPT PAGE...: one line for each check of the script. Chromium makes a socket in TMPDIR, whose
# path must be short.
browse() {
    script=$1
    shift
    SHOTS=${GPUGRADE_SHOTS:-} NODE_PATH=$cache/node_modules TMPDIR=/tmp timeout 600 \
        node "$here/$script" "$@" >"$SCRATCH/results" 2>&1
    status=$?
    while IFS= read -r line; do
        case $line in
        'ok '*) pass "${line#ok }" ;;
        'NOT OK '*) fail "${line#NOT OK }" ;;
        *) printf '        | %s\n' "$line" ;;
        esac
    done <"$SCRATCH/results"
    [ "$status" -eq 0 ] || fail "the browser looks at all pages, status $status"
}

export CHROMIUM
browse check_pages.js "$SCRATCH"/pages/*.html

mkdir "$SCRATCH/steps"
GPUGRADE_STEP_PAGES=$SCRATCH/steps "${GPUGRADE_BUILD:-$REPO/build}/tests/unit/report_test_step_page" \
    >"$SCRATCH/screen" 2>&1
set -- few many scattered
if [ -d "$SCRATCH/students/wrong/second_barrier_missing" ]; then
    set -- "$@" race
    "$GPUGRADE" step "$SCRATCH/students/wrong/second_barrier_missing" --seed 0x5eed1234 \
        -o "$SCRATCH/steps/steps_race.html" >>"$SCRATCH/screen" 2>&1 </dev/null
fi
for page; do
    if [ -s "$SCRATCH/steps/steps_$page.html" ]; then
        pass "there is a page steps_$page"
    else
        fail "there is a page steps_$page" "$SCRATCH/screen"
    fi
done
browse check_steps.js "$SCRATCH"/steps/*.html

maker=${GPUGRADE_BUILD:-$REPO/build}/tests/bench/make_class_store
if [ -x "$maker" ]; then
    mkdir "$SCRATCH/classes"
    class_page 40
    class_page 40 --pseudonyms
    class_page 1000
    class_page 10000
    browse check_class.js "$SCRATCH"/classes/*.html
else
    skip 'pages on classes in a browser' "there is no $maker"
fi
finish
