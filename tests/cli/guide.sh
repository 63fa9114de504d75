#!/bin/sh
# guide.sh: follows the guide in rubrics/README.md word for word, from `new` to a graded submission.
#
# Its blocks are taken out of the text in their order, up to the next heading:
#
#   sh      is run; what it prints is kept
#   text    each line must be among what the last sh printed
#   diff    is applied with patch -p0
#   any     below "Write `FILE`:" or "Fill in `FILE`:" is written to that file
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
blocks=$SCRATCH/blocks
mkdir "$blocks" "$SCRATCH/bin" "$SCRATCH/folder"

if ! command -v patch >/dev/null 2>&1; then
    skip 'the guide' 'patch is not installed'
    finish
fi

# Writes each block to a file NUMBER.KIND; KIND is "file" below a name, which NUMBER.name gets.
awk -v folder="$blocks" '
    /^## / { inside = index($0, "in ten minutes") > 0 }
    !inside { next }
    /^```/ && file == "" {
        kind = name == "" ? substr($0, 4) : "file"
        number++
        file = sprintf("%s/%02d.%s", folder, number, kind)
        printf "%s", "" >file
        print name >sprintf("%s/%02d.name", folder, number)
        name = ""
        next
    }
    /^```$/ { close(file); file = ""; next }
    file != "" { print >file; next }
    /^(Write|Fill in) `[^`]*`:$/ { name = $0; sub(/`:$/, "", name); sub(/^.*`/, "", name) }
' "$REPO/rubrics/README.md"

# The word gpugrade means the program under test; a binary is told by GPUGRADE_ROOT where it belongs.
printf '#!/bin/sh\nexec "%s" "$@"\n' "$GPUGRADE" >"$SCRATCH/bin/gpugrade"
chmod +x "$SCRATCH/bin/gpugrade"
PATH=$SCRATCH/bin:$PATH
export PATH

# What is run changes the folder for what follows, as it does for a reader.
cd "$SCRATCH/folder" || exit 1
run_block() {
    # shellcheck disable=SC1090 # a block of the guide
    . "$1" >"$SCRATCH/out" 2>&1 </dev/null
    status=$?
    if [ "$status" -eq 0 ]; then
        pass "run: $(head -n 1 "$1")"
    else
        fail "run: $(head -n 1 "$1") (exit status $status)" "$SCRATCH/out"
    fi
}

expect_block() {
    while IFS= read -r line; do
        if grep -qxF -e "$line" "$SCRATCH/out"; then
            pass "printed: $line"
        else
            fail "printed: $line" "$SCRATCH/out"
        fi
    done <"$1"
}

for name in "$blocks"/*.name; do
    block=$(find "$blocks" -name "$(basename "$name" .name).*" ! -name '*.name')
    case $block in
    *.sh) run_block "$block" ;;
    *.text) expect_block "$block" ;;
    *.diff)
        if patch -s -p0 <"$block" >"$SCRATCH/patch" 2>&1; then
            pass "applied: $(head -n 1 "$block")"
        else
            fail "applied: $(head -n 1 "$block")" "$SCRATCH/patch"
        fi
        ;;
    *.file) cp "$block" "$(cat "$name")" && pass "written: $(cat "$name")" ;;
    *) fail "a block that this test knows: ${block##*.}" ;;
    esac
done

count=$(find "$blocks" -name '*.name' | wc -l)
if [ "$count" -ge 15 ]; then
    pass "the guide has $count blocks"
else
    fail "the guide has at least 15 blocks, found $count"
fi
finish
