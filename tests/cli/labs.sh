#!/bin/sh
# labs.sh: wb.h: labs in the manner of libwb's (labs/*.cu, and the solutions of the assignments
# lab_*), built and run by `gpugrade run`, which finds the header; and the files that it reads and
# writes (labs/forms.cpp), without a GPU.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
labs=$REPO/tests/cli/labs
cd "$SCRATCH" || exit 1

# lab NAME ARGUMENTS...: builds and runs labs/NAME.cu; what it prints in out, the screen in err.
lab() {
    name=$1
    shift
    lab=$labs/$name.cu
    [ -f "$lab" ] || lab=$REPO/tests/assignments/reference/lab_$name/solution/$name.cu
    # shellcheck disable=SC2086
    "$GPUGRADE" run ${options:-} "$lab" "$@" >out 2>err </dev/null
    status=$?
}

# right NAME ARGUMENTS...
right() {
    lab "$@"
    expect "$1 is right" test "$status $(cat out)" = '0 The solution is right'
    expect "$1: no findings" grep -q '^gpugrade run: no findings in 1 launch ' err
}

printf '3\n1\n2.5\n3\n' >a.raw
printf '3\n1 2 3\n' >b.raw
printf '3\n2\n4.5\n6\n' >sum.raw
right vector -e sum.raw -i a.raw,b.raw -o out.raw -t vector
expect 'and writes its output' test "$(tr '\n' ' ' <out.raw)" = '3 2 4.5 6 '
expect 'messages are told' grep -qx '\[TRACE\] The input length is 3' err
expect 'times are told' grep -q '^\[Compute\] Performing CUDA computation: .* ms$' err

# 17 rows and 3 columns of 1, 3 rows and 18 columns of 2: all are 6.
{ echo 17 3; yes 1 | head -n 51; } >a.raw
{ echo 3 18; yes 2 | head -n 54; } >b.raw
{ echo 17 18; yes 6 | head -n 306; } >product.raw
right matrix -e product.raw -i a.raw,b.raw -t matrix

# A white image, whose corners keep 4 of 9.
printf 'P5 2 2 255\n\377\377\377\377' >white.ppm
printf 'P5 2 2 255\n\161\161\161\161' >gray.ppm
{ echo 3 3; yes 0.111111111 | head -n 9; } >mask.raw
compiler=$(command -v clang++-19 || command -v clang++)
options=${compiler:+--compiler clang}
right image -e gray.ppm -i white.ppm,mask.raw -t image
options=

{ echo 1500; yes 1 | head -n 1500; } >ones.raw
printf '1\n1490\n' >less.raw
lab sum -e less.raw -i ones.raw -t vector
expect 'a wrong sum is told' grep -qx 'The solution is wrong: element 0 is 1500, expected 1490' out

g++ -std=c++11 -Wall -Wextra -Werror -I "$REPO/grader/model" -o forms "$labs/forms.cpp" 2>err
expect 'wb.h compiles without warnings' test -x forms
expect 'it reads and writes its files' sh -c './forms >out && grep -qx "0 wrong" out'

# refused TEXT TYPE CONTENTS
refused() {
    printf '%b' "$3" >bad.raw
    ./forms -i bad.raw -t "$2" >out 2>err
    expect "refused: $1" test "$?" -eq 1
    expect "told: $1" grep -q -F "wb.h: 'bad.raw' $1" err
}

refused 'holds neither a length' matrix ''
refused 'holds neither a length' matrix '3\n1 2\n'
refused 'holds neither a length' matrix '4294967296 4294967296\n'
refused 'is no PPM image' image 'P3 1 1 255\n1 1 1'
refused 'is no PPM image' image 'P6 99999999 9999999 255\n'
refused 'is no PPM image' image 'P6 1 1 65535\n123456'
refused 'ends within the image' image 'P6 2 2 255\n123'
./forms -t matrix >out 2>err
expect 'a missing argument is told' grep -q 'wb.h: there is no input file 0' err
finish
