#!/bin/sh
# check_archives.sh: archives as submissions: the same files give the same score, and what is hostile or broken
# is refused with a message that names the entry; nothing is written and nothing is left.
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
solution=$REPO/reference/matmul/solution
archives=$SCRATCH/archives
TMPDIR=$SCRATCH/tmp
export TMPDIR
mkdir "$archives" "$TMPDIR"
chmod 711 "$SCRATCH" "$TMPDIR"
if ! python3 "$REPO/tests/cli/make_archives.py" "$solution" "$archives" 2>"$SCRATCH/err"; then
    fail 'the archives are made' "$SCRATCH/err"
    finish
fi

# Nothing is judged here but whether the files are taken; an unknown criterion is told after that.
hash_of() {
    "$GPUGRADE" check --seed 1 --only compile --json "$SCRATCH/score.json" "$1" >"$SCRATCH/out" 2>&1 &&
        jq -er '"\(.score) \(.submission.sha256)"' "$SCRATCH/score.json"
}

folder=$(hash_of "$solution") || fail 'the folder is graded' "$SCRATCH/out"

# same ARCHIVE: graded like the folder.
same() {
    seen=$(hash_of "$archives/$1")
    if [ "$seen" = "$folder" ]; then
        pass "$1 is graded as the folder is"
    else
        fail "$1 is graded as the folder is: $seen, not $folder" "$SCRATCH/out"
    fi
}
same flat.zip
same deeper.tar.bz2

# taken ARCHIVE [NAME]: read, and recognised. What comes after is refused before anything is built.
taken() {
    "$GPUGRADE" check --only speling "$archives/$1" >"$SCRATCH/out" 2>&1
    status=$?
    if [ "$status" -eq 2 ] && grep -q "matmul has no criterion 'speling'" "$SCRATCH/out"; then
        pass "taken: $1"
    else
        fail "taken: $1 (exit status $status)" "$SCRATCH/out"
    fi
}
for name in flat.tar inside.tar.gz dots.tar.xz inside.zip mac.zip hidden.tar fifty.zip nested.zip \
    cp437.zip utf8.zip flagged.zip windows.zip; do
    taken "$name"
done

# refused ARCHIVE WORDS...: exit status 2, each of the words is said, nothing is left.
refused() {
    name=$1
    shift
    timeout 120 "$GPUGRADE" check "$archives/$name" >"$SCRATCH/out" 2>"$SCRATCH/err"
    status=$?
    if [ "$status" -ne 2 ]; then
        fail "$name exits with 2, got $status" "$SCRATCH/err"
        return
    fi
    for words in "$name" "$@"; do
        if ! grep -qF -- "$words" "$SCRATCH/err"; then
            fail "$name says: $words" "$SCRATCH/err"
            return
        fi
    done
    if [ "$(grep -c '' "$SCRATCH/err")" -ne 1 ]; then
        fail "$name is refused in one line" "$SCRATCH/err"
    elif LC_ALL=C grep -q "[$(printf '\001-\037\177')]" "$SCRATCH/err"; then
        fail "$name is refused in plain characters" "$SCRATCH/err"
    elif [ -s "$SCRATCH/out" ] || [ -n "$(ls -A "$TMPDIR")" ]; then
        fail "$name leaves nothing" "$(cat "$SCRATCH/out" && ls -A "$TMPDIR")"
    else
        pass "refused: $name"
    fi
}
mine='submission: '
refused absolute.tar "$mine" "'/tmp/gpugrade-absolute' is an absolute path"
refused absolute.zip "'/tmp/gpugrade-absolute' is an absolute path"
refused parent.tar "'../../gpugrade-parent' leads out of the submission"
refused parent.zip "'a/../../gpugrade-parent' leads out of the submission"
refused hidden_parent.tar "'.a/../../gpugrade-parent' leads out of the submission"
refused drive.zip "'C:/Windows/x.cu' is an absolute path"
refused backslash.tar 'has a backslash in its name'
refused windows_parent.zip "'../../gpugrade-parent' leads out of the submission"
refused latin1.tar 'has a name that is not UTF-8'
refused escape.zip "'a\\x1B[31mred.cu' has control characters"
refused newline.zip "'a\\x0A::error::forged.cu' has control characters"
refused bidi.zip 'invisible characters'
refused case.zip "'Exercise1_Tiled.cu' and 'exercise1_tiled.cu' are the same name on Windows or macOS"
refused normal.tar 'are the same name on Windows or macOS; rename one of them'
refused normal.zip "is there twice"
refused dot.zip "'exercise1_tiled.cu' and 'exercise1_tiled.cu.' are the same name"
refused both.tar "'exercise1_tiled.cu' is there as a file and as a folder"
refused twice.tar "'exercise1_tiled.cu' is there twice; keep one of the two"
refused deep.tar 'lies more than 8 folders deep'
refused long.tar 'has a name of more than 255 bytes'
refused longer.tar 'has a path of more than 1024 bytes'
refused link.tar "'data.cu' is a symbolic link" 'put the file itself in its place and pack again'
refused link.zip "'data.cu' is a symbolic link"
refused hard.tar "'data.cu' is a hard link"
refused through.tar "'out' is a symbolic link"
refused fifo.tar "'pipe' is a device, a named pipe or a socket"
refused device3.tar "'null' is a device"
refused device4.tar "'null' is a device"
refused encrypted.zip "'secret.cu' is encrypted; pack again without a password"
refused large.tar.gz "'large.bin' is too large: a file may have at most 16 MiB"
refused large.zip "'large.bin' is too large"
refused much.tar.xz "'data4.bin' makes the submission too large: it may have at most 64 MiB"
refused files.tar.gz 'is one file too many: a submission may have at most 2000'
refused folders.tar.gz 'is one folder too many'
refused million.tar.gz 'is one entry too many: an archive may have at most 20000'
refused bomb.tar.gz "'bomb.bin' is too large"
refused sparse.tar "'sparse.bin' is too large"
refused cut_flat.tar 'the archive is damaged or cut off' 'pack and send it again'
refused cut_inside.tar.gz 'the archive is damaged or cut off'
refused cut_dots.tar.xz 'the archive is damaged or cut off'
refused cut_flat.zip 'the archive is damaged or cut off'
refused damaged.zip 'the archive is damaged or cut off'
refused empty.tar.gz 'has no files of a known coursework'
refused nothing.zip 'send a folder, or a zip'
refused seven.7z 'this is a 7z archive, which is not supported; send a zip or a tar.gz'
refused winrar.rar 'this is a RAR archive, which is not supported'
refused source.cu 'this is not an archive that can be read'
refused source.cu.gz 'this is not an archive that can be read'
refused noise.zip 'this is not an archive that can be read'
ls -d /tmp/gpugrade-absolute /tmp/gpugrade-through "$SCRATCH"/gpugrade-* "$TMPDIR"/* >"$SCRATCH/out" 2>/dev/null
if [ -s "$SCRATCH/out" ]; then
    fail 'nothing was written outside' "$SCRATCH/out"
else
    pass 'nothing was written outside'
fi

# A source that is a link is called one, in a folder too.
mkdir "$SCRATCH/linked"
cp "$solution/exercise2_dynamic.cu" "$SCRATCH/linked/"
ln -s "$solution/exercise1_tiled.cu" "$SCRATCH/linked/exercise1_tiled.cu"
"$GPUGRADE" check "$SCRATCH/linked" >"$SCRATCH/out" 2>"$SCRATCH/err"
status=$?
if [ "$status" -eq 1 ] &&
    grep -qF 'exercise1_tiled.cu is missing' "$SCRATCH/out" &&
    grep -qF "'exercise1_tiled.cu' is a symbolic link and was skipped" "$SCRATCH/out"; then
    pass 'a source that is a link is called one'
else
    fail "a source that is a link is called one: status $status" "$SCRATCH/out"
fi

# An archive through a pipe has no end that could be sought.
mkfifo "$SCRATCH/pipe"
"$GPUGRADE" check "$SCRATCH/pipe" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
status=$?
if [ "$status" -eq 2 ] && grep -q 'is neither a folder nor an archive' "$SCRATCH/err"; then
    pass 'a pipe is refused'
else
    fail "a pipe is refused: status $status" "$SCRATCH/err"
fi
finish
