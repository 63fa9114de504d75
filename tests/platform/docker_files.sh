#!/bin/sh
# docker_files.sh: rules that the files of the container image keep; needs no engine. What they build is
# tried by image.sh.
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
cd "$REPO" || exit 1
file=docker/Dockerfile

# nothing NAME: passes if what was found is empty.
nothing() {
    if [ -s "$SCRATCH/found" ]; then
        fail "$1" "$SCRATCH/found"
    else
        pass "$1"
    fi
}

# holds NAME PATTERN FILE
holds() {
    if grep -qE "$2" "$3"; then
        pass "$1"
    else
        fail "$1" "$3 has no line like $2"
    fi
}

# One line for each instruction, comments gone.
awk '/^[ \t]*#/ { next }
    { line = line $0 }
    /\\$/ { sub(/\\$/, " ", line); next }
    { if (line != "") print line; line = "" }' "$file" >"$SCRATCH/instructions"

# Each base is a stage above, or an argument whose default has a version.
{
    awk '$1 == "FROM" { if ($2 !~ /^\$\{[A-Z_]+\}$/ && !($2 in stages)) print; stages[$4] = 1
            if (toupper($3) != "AS") print }' "$SCRATCH/instructions"
    grep -E '^ARG [A-Z_]*IMAGE=' "$SCRATCH/instructions" | grep -vE ':[0-9]+\.[0-9]+[^ ]*$|=\$\{BASE_IMAGE\}$'
    grep -niE ':latest' "$file" docker/compose.yaml docker/build.sh
} >"$SCRATCH/found"
nothing 'bases are arguments with a version, stages have names, nothing is "latest"'

{
    grep -nE '^ADD ' "$SCRATCH/instructions"
    grep -nE 'apt(-get)? ' "$SCRATCH/instructions"
    grep -nE '(curl|wget|git clone|pip|npm|sudo) ' "$SCRATCH/instructions"
    grep -nE '^SHELL|^MAINTAINER|^VOLUME|chmod (-R )?777' "$SCRATCH/instructions"
    grep -nE '^(ENV|ARG) .*(PASS|TOKEN|SECRET|KEY)' "$SCRATCH/instructions"
} >"$SCRATCH/found"
nothing 'no ADD, no download, packages through packages.sh alone, no secret'

{
    awk '$1 == "RUN" && /\|/ { split($0, parts, /&&/)
            for (i in parts) if (parts[i] ~ /[^|]\| *tee /) print }' "$SCRATCH/instructions"
    awk '$1 == "WORKDIR" && $2 !~ /^\// { print }' "$SCRATCH/instructions"
    awk '$1 == "ENTRYPOINT" || $1 == "CMD" { if ($2 !~ /^\[/) print }' "$SCRATCH/instructions"
} >"$SCRATCH/found"
nothing 'no status is lost in a pipe, paths are absolute, commands are lists'

# The last USER of the runtime stage.
awk '$1 == "FROM" { stage = $4 } $1 == "USER" { user[stage] = $2 }
    END { if (user["runtime"] !~ /^[1-9][0-9]*:[1-9][0-9]*$/) print "runtime: USER " user["runtime"]
        if (user["test"] != "" || user["final"] != "") print "another USER behind runtime" }' \
    "$SCRATCH/instructions" >"$SCRATCH/found"
nothing 'the runtime stage ends as a user by number, who is not root'
tail -n 1 "$SCRATCH/instructions" | grep -vxF 'FROM runtime AS final' >"$SCRATCH/found"
nothing 'what a build yields without a target is the runtime stage'

for label in title description version revision created base.name; do
    grep -qF "org.opencontainers.image.$label=" "$file" || echo "$label"
done >"$SCRATCH/found"
nothing 'labels of the OCI'
holds 'the health check is doctor' '^HEALTHCHECK .*gpugrade doctor' "$SCRATCH/instructions"
holds "the vendor's runtime is told what to mount" 'NVIDIA_DRIVER_CAPABILITIES=compute,utility' "$file"

# What is copied exists, and is not kept out of the build.
awk '$1 == "COPY" && $2 !~ /^--from/ { for (i = 2; i < NF; i++) print $i }' "$SCRATCH/instructions" |
    while IFS= read -r path; do
        [ -e "$path" ] || echo "$path is not there"
        ! grep -qxF -e "$path" -e "/$path" .dockerignore || echo "$path is kept out"
    done >"$SCRATCH/found"
nothing 'what is copied is there'
for path in .git .cache build 'build-*' '**/.env' '**/*.sqlite' submissions results; do
    grep -qxF "$path" .dockerignore || echo "$path"
done >"$SCRATCH/found"
nothing '.dockerignore keeps out history, builds, results and settings'

awk '!/^#/ && (NF != 2 || $1 !~ /^(build|units|runtime|clang|nvcc)$/ || seen[$0]++)' docker/packages.txt \
    >"$SCRATCH/found"
# What the launcher needs is what the build stage installs, but for make, which ninja stands for.
needed=$(sed -n "/^needed='/,/'\$/p" gpugrade | tr -d "'" | sed 's/^needed=//')
for package in $needed; do
    [ "$package" = make ] || tr -s ' ' <docker/packages.txt | grep -qxF "build $package" ||
        echo "the launcher needs $package, the build stage has it not"
done >>"$SCRATCH/found"
nothing 'packages.txt: known sets, no package twice, what the launcher installs'

if python3 -c 'import yaml' 2>/dev/null; then
    if python3 tests/platform/compose_rules.py docker/compose.yaml "$file" >"$SCRATCH/found" 2>&1; then
        pass 'compose.yaml: services, read-only submissions, no privileges'
    else
        fail 'compose.yaml: services, read-only submissions, no privileges' "$SCRATCH/found"
    fi
else
    skip compose.yaml "python3's yaml is not installed"
fi

# The name that docs/platforms.md runs and compose.yaml wants is one that build.sh gives.
printf '#!/bin/sh\nprintf "%%s\\n" "$*"\n' >"$SCRATCH/docker"
chmod +x "$SCRATCH/docker"
ENGINE=$SCRATCH/docker TAG='' sh docker/build.sh >"$SCRATCH/built" 2>&1
version=$(sed -n 's/^project(gpugrade VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
# shellcheck disable=SC2016 # for sed
name=$(sed -n 's/^  image: ${GPUGRADE_IMAGE:-\([^}]*\)}.*/\1/p' docker/compose.yaml)
holds 'build.sh names the image as compose.yaml wants it, and by its version' \
    " --tag gpugrade:$version --tag ${name:-none} " "$SCRATCH/built"
{
    grep -hoE '^ARG GPUGRADE_IMAGE=.*' docker/*/Dockerfile docker/*/*/Dockerfile |
        grep -vxF -e "ARG GPUGRADE_IMAGE=gpugrade:$version" -e "ARG GPUGRADE_IMAGE=gpugrade-students:$version"
    # Those that students' own jobs pull stand on the image without solutions, as the guides name it.
    grep -qF "gpugrade-students:$version" docker/github/classroom50/Dockerfile ||
        echo 'docker/github/classroom50/Dockerfile'
    for guide in docker/github/README.md docker/gitlab/README.md; do
        grep -qF "TAG=gpugrade-students:$version docker/build.sh" "$guide" || echo "$guide"
    done
} >"$SCRATCH/found"
nothing "the platforms' images are made from it"
ENGINE=$SCRATCH/docker TAG=registry/own:1 sh docker/build.sh >"$SCRATCH/built" 2>&1
grep -vE -- '--tag registry/own:1 --build-arg' "$SCRATCH/built" >"$SCRATCH/found"
nothing 'TAG is the only name'

# pin NAME URIS...: sources with these are all pinned; the last argument is what one becomes.
pin() {
    name=$1
    mkdir -p "$SCRATCH/$name/etc/apt/sources.list.d" "$SCRATCH/$name/etc/apt/apt.conf.d"
    printf '%s\n' "$2" >"$SCRATCH/$name/etc/apt/sources.list.d/$name.$3"
    sh docker/packages.sh pin 20261101T000000Z "$SCRATCH/$name" >"$SCRATCH/pinned" 2>&1
    status=$?
    if [ "$status" = "$4" ] && { [ "$4" != 0 ] ||
        [ "$(grep -c "$5" "$SCRATCH/$name/etc/apt/sources.list.d/$name.$3")" = "$6" ]; }; then
        pass "sources of $name"
    else
        cat "$SCRATCH/$name/etc/apt/sources.list.d/$name.$3" >>"$SCRATCH/pinned"
        fail "sources of $name: status $status" "$SCRATCH/pinned"
    fi
}
ubuntu='URIs: http://snapshot.ubuntu.com/ubuntu/20261101T000000Z$'
pin ubuntu 'Types: deb
URIs: http://archive.ubuntu.com/ubuntu/
Suites: noble noble-updates

Types: deb
URIs: http://security.ubuntu.com/ubuntu/
Suites: noble-security' sources 0 "$ubuntu" 2
pin ubuntu_ports 'Types: deb
URIs: http://ports.ubuntu.com/ubuntu-ports/
Suites: noble' sources 0 "$ubuntu" 1
pin debian 'deb http://deb.debian.org/debian bookworm main
deb http://deb.debian.org/debian-security bookworm-security main' list 0 \
    '^deb http://snapshot.debian.org/archive/debian\(-security\)\?/20261101T000000Z bookworm' 2
pin elsewhere 'deb http://packages.example.org/ubuntu noble main' list 1
if sh docker/packages.sh pin yesterday "$SCRATCH/debian" >"$SCRATCH/pinned" 2>&1; then
    fail 'a snapshot that is no moment is refused' "$SCRATCH/pinned"
else
    pass 'a snapshot that is no moment is refused'
fi

# The image with clang is built only if this finds nothing in it.
# shellcheck disable=SC2016 # as it stands there
grep -qxF 'RUN [ "$(cat /opt/image/compiler)" = nvcc ] || sh /opt/image/vendor_files.sh /' \
    "$SCRATCH/instructions" || echo 'it is not called' >"$SCRATCH/found"
nothing "each build with clang looks for the vendor's files"
# looks NAME: whether it finds something below the folder "image".
looks() {
    sh docker/vendor_files.sh "$SCRATCH/image" >"$SCRATCH/out" 2>&1
    status=$?
    if [ "$status:$2" = 0:nothing ] || { [ "$status" = 1 ] && grep -q "$2" "$SCRATCH/out"; }; then
        pass "$1"
    else
        fail "$1: status $status" "$SCRATCH/out"
    fi
}
mkdir -p "$SCRATCH/image/opt/gpugrade/lib" "$SCRATCH/image/usr/bin"
cp -r grader/cuda_headers docker/vendor_files.sh "$SCRATCH/image/opt/gpugrade/"
cp "${GPUGRADE_BUILD:-$REPO/build}"/lib/libcudart.so.* "$SCRATCH/image/opt/gpugrade/lib/"
looks "our headers and runtime are not the vendor's" nothing
for planted in usr/bin/ptxas usr/lib/libcuda.so.1 opt/gpugrade/lib/libdevice.10.bc; do
    mkdir -p "$SCRATCH/image/$(dirname "$planted")"
    : >"$SCRATCH/image/$planted"
    looks "$planted is found by its name" "/$planted\$"
    rm "$SCRATCH/image/$planted"
done
echo ' * Copyright 1993-2025 NVIDIA Corporation.  All rights reserved.' \
    >>"$SCRATCH/image/opt/gpugrade/cuda_headers/cuda_fp16.h"
looks "the vendor's text in a header of that name is found" '/cuda_fp16.h$'
cp grader/cuda_headers/cuda_fp16.h "$SCRATCH/image/opt/gpugrade/cuda_headers/"
: >"$SCRATCH/image/opt/gpugrade/lib/libcudart.so.13"
looks 'a libcudart that is not ours is found' '/libcudart.so.13$'

cuda=${CUDA_HOME:-/usr/local/cuda}
if [ -x "$cuda/bin/nvcc" ]; then
    sh docker/toolkit.sh "$cuda" "$SCRATCH/toolkit" >"$SCRATCH/picked" 2>&1
    mb=$(du -sm "$SCRATCH/toolkit" | awk '{ print $1 }')
    printf '#include <thrust/device_vector.h>\n#include <cooperative_groups.h>\n#include <cuda_fp16.h>\n#include <curand_kernel.h>\nint main() { thrust::device_vector<int> v(1); return v[0]; }\n' \
        >"$SCRATCH/try.cu"
    if "$SCRATCH/toolkit/bin/nvcc" -cudart shared -gencode arch=compute_75,code=compute_75 \
        -o "$SCRATCH/try" "$SCRATCH/try.cu" >>"$SCRATCH/picked" 2>&1 && [ "$mb" -lt 350 ]; then
        pass "the picked toolkit compiles and links a program by itself, $mb MB"
    else
        fail "the picked toolkit compiles and links a program by itself, $mb MB" "$SCRATCH/picked"
    fi
else
    skip 'the picked toolkit' "no CUDA toolkit in $cuda"
fi
finish
