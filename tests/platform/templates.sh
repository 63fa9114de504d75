#!/bin/sh
# templates.sh: the templates below docker/ (GitHub, GitLab, JSON of the platforms) are what they should
# be, and the checker sees what they should not be.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
checker=$REPO/tests/platform/lib/check_templates.py
if ! python3 -c 'import yaml' 2>/dev/null || ! command -v shellcheck >/dev/null 2>&1; then
    skip 'templates' 'needs python3-yaml and shellcheck'
    finish
fi
if python3 "$checker" >"$SCRATCH/found" 2>&1; then
    pass "templates: $(cat "$SCRATCH/found")"
else
    fail templates "$SCRATCH/found"
fi

# broken NAME FILE SED-SCRIPT WORDS: a template with a mistake in it is told.
broken() {
    rm -rf "$SCRATCH/copy"
    mkdir -p "$SCRATCH/copy/tests/platform" "$SCRATCH/copy/grader/report"
    cp -R "$REPO/docker" "$SCRATCH/copy/"
    cp -R "$REPO/tests/platform/lib" "$SCRATCH/copy/tests/platform/"
    cp -R "$REPO/grader/report/platform" "$SCRATCH/copy/grader/report/"
    sed -i "$3" "$SCRATCH/copy/docker/$2"
    if cmp -s "$REPO/docker/$2" "$SCRATCH/copy/docker/$2"; then
        fail "$1: the change fits"
    elif python3 "$SCRATCH/copy/tests/platform/lib/check_templates.py" >"$SCRATCH/found" 2>&1; then
        fail "$1 is told"
    elif grep -qF "$4" "$SCRATCH/found"; then
        pass "$1 is told"
    else
        fail "$1 is told" "$SCRATCH/found"
    fi
}

broken 'a moving tag' github/course.yml 's/@ea165[^ ]* # .*/@v4/' 'is not pinned'
broken 'a writable repository' github/course.yml 's/contents: read$/contents: write/' 'more than is needed'
# shellcheck disable=SC2016 # for sed, and for GitHub
broken 'text of an event in a script' github/action.yml \
    's/run: bash .*/run: echo "${{ github.event.head_commit.message }}"/' 'inside a script'
broken 'an unknown input' github/course.yml 's/coursework: matmul/course: matmul/' "no input 'course'"
broken 'an unknown output' github/course.yml 's/outputs\.page/outputs.pages/' "no output 'pages'"
broken 'a token left behind' github/course.yml 's/persist-credentials: false/persist-credentials: true/' \
    'leaves a token'
broken 'foreign code with rights' github/course.yml 's/^  push:/  pull_request_target:/' 'foreign code'
broken 'a key twice' gitlab/gitlab-ci.yml 's/^  interruptible: true/  stage: test/' 'twice'
# shellcheck disable=SC2016 # for sed
broken 'an unquoted variable' gitlab/gitlab-ci.yml 's/"\$GPUGRADE_SUBMISSION"/$GPUGRADE_SUBMISSION/' 'SC2086'
broken 'an unknown format' gitlab/gitlab-ci.yml 's/--to junit/--to xunit/' "no format 'xunit'"
finish
