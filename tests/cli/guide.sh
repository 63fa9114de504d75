#!/bin/sh
# guide.sh: follows the guides of docs/ word for word: a coursework of one's own (docs/rubrics.md) and a
# course from nothing to marks (docs/instructors.md).
#
# The blocks of a guide are taken out of the text in their order, up to the next heading:
#
#   sh      is run; what it prints is kept
#   text    each line must be among what the last sh printed
#   diff    is applied with patch -p0
#   any     below "Write `FILE`:" or "Fill in `FILE`:" is written to that file
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
mkdir "$SCRATCH/bin"

if ! command -v patch >/dev/null 2>&1; then
    skip 'the guides' 'patch is not installed'
    finish
fi

# The word gpugrade means the program under test; a binary is told by GPUGRADE_ROOT where it belongs.
printf '#!/bin/sh\nexec "%s" "$@"\n' "$GPUGRADE" >"$SCRATCH/bin/gpugrade"
chmod +x "$SCRATCH/bin/gpugrade"
PATH=$SCRATCH/bin:$PATH
export PATH

# blocks_of DOCUMENT WORDS: each block of the part whose heading has these words goes to a file
# NUMBER.KIND of the folder blocks; KIND is "file" below a name, which NUMBER.name gets.
blocks_of() {
    awk -v folder="$blocks" -v words="$2" '
        /^## / { inside = index($0, words) > 0 }
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
    ' "$REPO/$1"
}

# What is run changes the folder for what follows, as it does for a reader.
run_block() {
    # shellcheck disable=SC1090 # a block of the guide
    . "$1" >"$SCRATCH/out" 2>&1 </dev/null
    status=$?
    # A gradebook's lines end as CSV wants it.
    sed -i 's/\r$//' "$SCRATCH/out"
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

# follow DOCUMENT WORDS LEAST: the guide below the heading with these words, which has at least so many
# blocks. It starts in an empty folder but for a clone of gpugrade.
follow() {
    blocks=$SCRATCH/$(basename "$1").blocks
    mkdir "$blocks" "$SCRATCH/$1.folder" || exit 1
    cd "$SCRATCH/$1.folder" && ln -s "$REPO" gpugrade || exit 1
    blocks_of "$1" "$2"
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
    if [ "$count" -ge "$3" ]; then
        pass "the guide of $1 has $count blocks"
    else
        fail "the guide of $1 has at least $3 blocks, found $count"
    fi
}

mkdir "$SCRATCH/docs"
follow docs/rubrics.md 'in ten minutes' 15
follow docs/instructors.md 'step by step' 15
finish
