#!/bin/sh
# markdown.sh: what a renderer makes of the summary and of the comment, with a student's words in
# them that mean something in Markdown or HTML: no other elements than without them.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
score=$REPO/tests/unit/report/golden/race_json.txt

for tool in python3 cmark-gfm; do
    if ! command -v "$tool" >/dev/null 2>&1; then
        skip 'no words of a student are elements of a page' "needs $tool"
        finish
    fi
done
for format in summary markdown; do
    if python3 "$REPO/tests/platform/lib/check_markdown.py" "$GPUGRADE" "$score" "$format" \
        >"$SCRATCH/said" 2>&1; then
        pass "no words of a student are elements of a page: $format"
    else
        fail "no words of a student are elements of a page: $format" "$SCRATCH/said"
    fi
done
finish
