#!/bin/sh
# documents.sh: README.md is short and has its picture; every link between documents leads somewhere:
# the file is there, and its heading; what documents for developers say of files and parts is so.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
cd "$REPO" || exit 1
found=$SCRATCH/found

# nothing NAME: passes if the file `found` is empty.
nothing() {
    if [ -s "$found" ]; then
        fail "$1" "$found"
    else
        pass "$1"
    fi
}

lines=$(wc -l <README.md)
words=$(wc -w <README.md)
if [ "$lines" -le 150 ] && [ "$words" -le 1000 ]; then
    pass "README.md has at most 150 lines and 1000 words ($lines, $words)"
else
    fail "README.md has $lines lines and $words words; 150 and 1000 are allowed"
fi

bytes=$(wc -c <docs/report.png)
if [ "$bytes" -gt 0 ] && [ "$bytes" -lt 204800 ]; then
    pass "docs/report.png has less than 200 KiB ($bytes)"
else
    fail "docs/report.png has $bytes bytes; tests/html/report_picture.sh makes it"
fi

# For each document in the folder: its name, then "FILE:LINE TARGET" of its links and "FILE#ANCHOR" of
# its headings, named as GitHub names them.
find . -name '*.md' ! -path './build*' ! -path './.git/*' ! -path './.cache/*' | sed 's|^\./||' |
    sort >"$SCRATCH/documents"
while IFS= read -r document; do
    awk -v file="$document" -v links="$SCRATCH/links" -v anchors="$SCRATCH/anchors" '
        /^ *```/ { fenced = !fenced }
        fenced || /^    / { next }
        /^#+ / {
            name = $0
            sub(/^#+ +/, "", name)
            gsub(/\]\([^)]*\)/, "", name)
            name = tolower(name)
            gsub(/[^a-z0-9_ -]/, "", name)
            gsub(/ /, "-", name)
            count = seen[name]++
            print file "#" name (count ? "-" count : "") >>anchors
        }
        {
            rest = $0
            gsub(/`[^`]*`/, "", rest)
            while (match(rest, /\]\([^) ]+/)) {
                print file ":" NR " " substr(rest, RSTART + 2, RLENGTH - 2) >>links
                rest = substr(rest, RSTART + RLENGTH)
            }
        }
    ' "$document"
done <"$SCRATCH/documents"

count=0
while read -r place target; do
    case $target in
    http:* | https:* | mailto:*) continue ;;
    esac
    count=$((count + 1))
    document=${place%:*}
    path=${target%%#*}
    if [ -z "$path" ]; then
        path=$document
    else
        path=$(realpath -m --relative-to=. "$(dirname "$document")/$path")
    fi
    if [ ! -e "$path" ]; then
        echo "$place: there is no $path"
    elif [ "$target" != "${target%%#*}" ] &&
        ! grep -qxF -e "$path#${target#*#}" "$SCRATCH/anchors"; then
        echo "$place: $path has no heading #${target#*#}"
    fi
    echo "$count" >"$SCRATCH/count"
done <"$SCRATCH/links" >"$found"
nothing "each of $(cat "$SCRATCH/count") links between $(wc -l <"$SCRATCH/documents") documents leads somewhere"

# Every document for a reader can be reached from README.md.
for document in docs/*.md CONTRIBUTING.md; do
    grep -qF "]($document" README.md || echo "$document"
done >"$found"
nothing 'README.md links to each document of docs/'

# Files that documents for developers name are there, in the repository or in grader/.
for document in docs/architecture.md CONTRIBUTING.md; do
    tr '\140' '\n' <"$document" |
        grep -xE '[a-z_]+/[a-z_/]*[a-z_0-9]+\.(h|c|def|sh|json|md|txt)|(grader|tests|docker)/[a-z_/]+' |
        sort -u | while IFS= read -r path; do
        [ -e "$path" ] || [ -e "grader/$path" ] || echo "$document: there is no $path"
    done
done >"$found"
nothing 'files that docs/architecture.md and CONTRIBUTING.md name are there'

# Its table of parts is the list that arrows.sh holds the includes to.
awk -F'|' '/^\| `[a-z_]+` \|/ { gsub(/[` ,]+/, " "); print $2 ":" $3 }' docs/architecture.md |
    sed 's/: nothing/:/; s/ all of these/ all/; s/  */ /g; s/^ //; s/ :/:/; s/ $//' | sort \
    >"$SCRATCH/parts"
sed '/^#/d; s/^\(cli:\) .*/\1 all/; s/ $//' tests/structure/arrows.txt | sort >"$SCRATCH/arrows"
diff "$SCRATCH/arrows" "$SCRATCH/parts" >"$found"
nothing 'the parts of docs/architecture.md and what they may use are those of arrows.txt'
# Recipes are lines of assignments that tests grade.
cat rubrics/*.json reference/*/oracle.c tests/assignments/rubrics/*.json \
    tests/assignments/reference/*/oracle.c |
    sed 's/^ *//; s/,$//' >"$SCRATCH/graded"
awk '/^### Recipes/ { on = 1; next } /^##/ { on = 0 }
    on && /^```./ { code = 1; next } /^```$/ { code = 0 } on && code' docs/instructors.md |
    sed 's/^ *//; s/,$//' >"$SCRATCH/recipes"
while IFS= read -r line; do
    grep -qF -- "$line" "$SCRATCH/graded" || printf '%s\n' "$line"
done <"$SCRATCH/recipes" >"$found"
nothing "recipes are lines of assignments ($(wc -l <"$SCRATCH/recipes"))"
finish
