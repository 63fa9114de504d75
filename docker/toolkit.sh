#!/bin/sh
# toolkit.sh FROM TO: copies the parts of the CUDA toolkit in FROM that grading needs to TO, a new folder.
#
#   bin                compiler driver, front end, assembler, linker of device code, their settings
#   nvvm               the code generator and its library of device functions
#   targets/*/include  the runtime's headers, cooperative groups, the C++ core libraries (thrust, cub,
#                      libcu++), device functions of cuRAND; not cuBLAS, cuFFT and the like, which no
#                      graded program can reach
#   targets/*/lib      libcudart and libcudadevrt to link against
#
# FROM may have the vendor's layout (include and lib64 are links into targets/NAME), or targets/NAME may
# contain links to the outside; TO has the vendor's layout. The vendor's licence texts are copied too.
set -eu
[ $# -eq 2 ] || {
    sed -n '2,13s/^# \{0,1\}//p' "$0" >&2
    exit 2
}
from=$(CDPATH='' cd -- "$1" && pwd -P)
to=$2

die() {
    printf 'toolkit.sh: %s\n' "$*" >&2
    exit 1
}

[ -x "$from/bin/nvcc" ] || die "$from has no bin/nvcc: use an image with the whole toolkit (-devel-)"
case $(uname -m) in
x86_64) target=x86_64-linux ;;
aarch64) target=sbsa-linux ;;
*) die "there is no CUDA toolkit for $(uname -m)" ;;
esac
include=$from/targets/$target/include
[ -f "$include/cuda_runtime.h" ] || include=$from/include
[ -f "$include/cuda_runtime.h" ] || die "no cuda_runtime.h in $from"
library=$from/targets/$target/lib
[ -d "$library" ] || library=$from/lib64

mkdir -p "$to/bin" "$to/nvvm" "$to/targets/$target/include" "$to/targets/$target/lib"
for name in nvcc nvcc.profile cudafe++ fatbinary ptxas nvlink crt; do
    [ ! -e "$from/bin/$name" ] || cp -RpL "$from/bin/$name" "$to/bin/"
done
for name in bin libdevice; do
    cp -RpL "$from/nvvm/$name" "$to/nvvm/"
done
for pattern in builtin_types.h channel_descriptor.h common_functions.h 'cooperative_groups*' crt cub \
    cuComplex.h cuda cuda.h 'cuda_*' cudaProfiler.h cudart_platform.h cccl 'curand*' 'device_*' \
    'driver_*' fatbinary_section.h 'host_*' library_types.h 'math_*' mma.h nv nvtx3 'sm_*' \
    'surface_*' 'texture_*' thrust 'vector_*'; do
    for path in "$include"/$pattern; do
        [ ! -e "$path" ] || cp -RpL "$path" "$to/targets/$target/include/"
    done
done
for pattern in 'libcudart.so*' libcudart_static.a libcudadevrt.a; do
    for path in "$library"/$pattern; do
        [ ! -e "$path" ] || cp -Rp "$path" "$to/targets/$target/lib/"
    done
done
for path in "$from"/EULA.txt "$from"/version.json /NGC-DL-CONTAINER-LICENSE; do
    [ ! -e "$path" ] || cp -p "$path" "$to/"
done
ln -s "targets/$target/include" "$to/include"
ln -s "targets/$target/lib" "$to/lib64"
du -sm "$from" "$to" | awk '{ printf "%s: %d MB\n", $2, $1 }'
