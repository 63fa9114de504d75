#!/bin/sh
# report_picture.sh [FILE]: makes docs/report.png, the picture of a report that README.md shows.
#
# It is the page of `gpugrade check --html` on a submission with a race, the reference solution of
# matmul without its second barrier, as a headless Chromium shows it. Run it again after a change of
# the page, look at the picture, and commit it. FILE is written instead.
#
# tests/structure/documents.sh says when the picture is missing or too large.
set -u
# shellcheck source=../shell_lib.sh
. "$(dirname -- "$0")/../shell_lib.sh"
picture=$(realpath -m -- "${1:-$REPO/docs/report.png}")
width=1100
height=970

browser=''
for name in chromium chromium-browser google-chrome google-chrome-stable; do
    [ -n "$browser" ] || browser=$(command -v "$name")
done
if [ -z "$browser" ]; then
    echo 'report_picture.sh: there is no Chromium here' >&2
    exit 3
fi

mkdir "$SCRATCH/student" && cd "$SCRATCH/student" || exit 3
cp "$REPO"/reference/matmul/solution/* .
cp "$REPO"/tests/submissions/matmul/wrong/second_barrier_missing/*.cu .
GPUGRADE_COMMAND=gpugrade "$GPUGRADE" check . --device emulated --seed 0x5eed1234 \
    --html "$SCRATCH/page.html" >"$SCRATCH/screen" 2>&1 </dev/null
if [ ! -s "$SCRATCH/page.html" ]; then
    cat "$SCRATCH/screen" >&2
    exit 3
fi
# As where gpugrade is on the PATH and the machine has no GPU.
sed -i -e 's/ --device emulated//g' -e "s#$GPUGRADE#gpugrade#g" "$SCRATCH/page.html"

# Chromium makes a socket in TMPDIR, whose path must be short.
TMPDIR=/tmp timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars \
    --force-device-scale-factor=1 --window-size="$width,$height" \
    --screenshot="$SCRATCH/picture.png" "file://$SCRATCH/page.html" >"$SCRATCH/log" 2>&1
if [ ! -s "$SCRATCH/picture.png" ]; then
    cat "$SCRATCH/log" >&2
    exit 3
fi
cp "$SCRATCH/picture.png" "$picture" || exit 3
printf '%s: %d bytes\n' "$picture" "$(wc -c <"$picture")"
