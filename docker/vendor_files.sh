#!/bin/sh
# vendor_files.sh ROOT: prints the files of NVIDIA's below ROOT, the root of a file system, and its
# packages; fails if there are any. Most of them may not be passed on, so an image that is published
# must have none.
#
#   by name      programs and libraries of the toolkit and the driver, the library of device functions
#   by content   whatever bears the vendor's copyright, wherever it is; a libcudart that is not ours
#
# Headers have the vendor's copyright in them. Ours have the same names, so names of headers say nothing.
# Some of the Linux kernel's headers are the vendor's work, under the kernel's licence; the files of the
# package linux-libc-dev do not count.
set -eu
if [ $# -ne 1 ] || ! [ -d "$1" ]; then
    sed -n '2,11s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
set -- "$(CDPATH='' cd -- "$1" && pwd -P)"
# Programs, and libraries without their endings.
programs='nvcc nvcc.profile ptxas fatbinary nvlink cicc cudafe++ cuobjdump nvdisasm cuda-gdb
    compute-sanitizer nvidia-smi nvidia-persistenced nsys ncu'
libraries='libcuda libcudadevrt libnvvm libnvptxcompiler libnvrtc libnvidia-ml libnvidia-ptxjitcompiler
    libnvJitLink libnvfatbin libcublas libcufft libcurand libcusolver libcusparse libcupti libnppc'

# look ROOT: prints the paths, from ROOT on.
look() {
    kernel=$(find "$1/var/lib/dpkg/info" -name 'linux-libc-dev*.list' 2>/dev/null | head -n 1)
    all_found "$1" | sed "s|^${1%/}/*|/|" | grep -vxF -f "${kernel:-/dev/null}" || true
}

all_found() {
    set -f
    set -- "$1" -name 'libdevice*.bc'
    for name in $programs; do
        set -- "$@" -o -name "$name"
    done
    for name in $libraries; do
        set -- "$@" -o -name "$name.so*" -o -name "${name}*.a"
    done
    set +f
    root=$1
    shift
    find "$root" -xdev \( -type f -o -type l \) \( "$@" \) -print
    find "$root" -xdev -type f -name 'libcudart*' ! -exec grep -q gpugrade {} \; -print
    # The text of this script does not match.
    find "$root" -xdev -type f -exec grep -lai 'nvidia[ ]corp' {} + || true
    packages=$root/var/lib/dpkg/status
    [ ! -f "$packages" ] ||
        grep -E '^Package: (cuda|libcuda|libnv|nvidia|nsight|libcublas|libcurand)' "$packages" || true
}

# What cannot find anything would always be content.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/try/usr/lib" "$work/try/var/lib/dpkg"
echo 'Copyright NVIDIA'' Corporation' >"$work/try/usr/renamed.h"
: >"$work/try/usr/lib/libcuda.so.1"
: >"$work/try/usr/lib/libcudart.so.13"
: >"$work/try/usr/ptxas"
echo 'Package: cuda-nvcc-13-0' >"$work/try/var/lib/dpkg/status"
mkdir -p "$work/try/usr/include/linux" "$work/try/var/lib/dpkg/info"
cp "$work/try/usr/renamed.h" "$work/try/usr/include/linux/iommufd.h"
echo /usr/include/linux/iommufd.h >"$work/try/var/lib/dpkg/info/linux-libc-dev:any.list"
[ "$(look "$work/try" | wc -l)" -eq 5 ] || {
    echo 'vendor_files.sh: it does not find what it looks for' >&2
    exit 3
}
rm -r "$work/try"

look "$1" | sort -u >"$work/found"
if [ -s "$work/found" ]; then
    sed 's/^/vendor_files.sh: /' "$work/found" >&2
    exit 1
fi
