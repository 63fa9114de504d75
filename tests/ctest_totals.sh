#!/bin/sh
# ctest_totals.sh BUILD [CTEST-ARGUMENTS]: runs ctest and closes with the line that tests/run sums up.
set -u
build=$1
shift
results=$(mktemp) || exit 1
trap 'rm -f "$results"' EXIT

# JOBS (3) at a time: some only wait.
ctest --test-dir "$build" -j"${JOBS:-3}" --timeout 1500 --output-on-failure --no-tests=error \
    --output-junit "$results" "$@"
status=$?

# The first line with tests="..." is that of the whole suite.
number_of() {
    grep -oE "$1=\"[0-9]+\"" "$results" | head -n 1 | tr -dc '0-9'
}
all=$(number_of tests)
failed=$(number_of failures)
if [ -z "$all" ] || [ -z "$failed" ]; then
    printf 'FAIL    ctest ended with status %d, without results\n' "$status"
    printf '0 passed, 1 failed, 0 skipped\n'
    exit 1
fi
skipped=$(number_of skipped)
disabled=$(number_of disabled)
skipped=$((${skipped:-0} + ${disabled:-0}))
printf '%d passed, %d failed, %d skipped\n' $((all - failed - skipped)) "$failed" "$skipped"
exit "$status"
