#!/bin/sh
# hosted_runner.sh: inside a fresh root file system of Ubuntu (tests/install/fresh_root.sh --chroot), in a
# copy of the repository: a student's push is graded by the action as on a hosted runner of GitHub: a user with
# sudo, the compilers that those have, no CUDA toolkit. First with nothing kept, then on a runner that
# has only what the first one kept. Namespaces cannot be made in a chroot, nor there. tests/run --long calls it.
set -eu
export DEBIAN_FRONTEND=noninteractive
there="clang gcc cmake ninja-build pkg-config git jq sudo bash python3 python3-yaml make"
apt-get update >/dev/null
# shellcheck disable=SC2086 # a list of words
apt-get install -y --no-install-recommends $there >/dev/null
useradd --create-home --home-dir /srv/home --shell /bin/bash runner
echo 'runner ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/runner
mkdir -p /srv/kept /srv/action /srv/temp
make -s -f docker/github/Makefile OUTPUT=/srv/action
python3 tests/platform/lib/action_step.py docker/github/action.yml coursework=matmul seed=5eed1234 \
    >/srv/steps.sh
dpkg-query -W -f '${Package}\n' | sort >/srv/there
cat >/srv/runner.sh <<'END'
restore_cache() {
    if [ -f "/srv/kept/$2.tar" ]; then
        tar -C / -xf "/srv/kept/$2.tar" && echo cache-hit=true >>"$GITHUB_OUTPUT"
    fi
}
save_cache() {
    tar -C / -cf "/srv/kept/$2.tar" "${1#/}"
}
export -f restore_cache save_cache
cd "$GITHUB_WORKSPACE"
bash --noprofile --norc -eo pipefail /srv/steps.sh
END

# push WHAT STATUS FOLDER...: grades the files of these folders on a runner that has been nothing yet.
push() {
    rm -rf /srv/home/.gpugrade /srv/home/repository /srv/temp /var/lib/apt/lists/*
    mkdir -p /srv/home/repository /srv/temp
    dpkg-query -W -f '${Package}\n' | sort | comm -13 /srv/there - |
        xargs -r apt-get purge -y >/dev/null 2>&1
    what=$1
    expected=$2
    shift 2
    for folder in "$@"; do
        cp "$folder"/*.cu /srv/home/repository/
    done
    chown -R runner: /srv/home /srv/temp /srv/kept
    status=0
    bash -c 'TIMEFORMAT="%0R s, %0U and %0S s of processors" && time "$@"' bash setpriv --reuid=runner --regid=runner --init-groups env -i HOME=/srv/home LANG=C.UTF-8 \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin GITHUB_ACTION_PATH=/srv/action \
        GITHUB_WORKSPACE=/srv/home/repository RUNNER_TEMP=/srv/temp GITHUB_OUTPUT=/srv/temp/outputs \
        GITHUB_STEP_SUMMARY=/srv/temp/summary bash -c 'exec bash /srv/runner.sh >/srv/temp/log 2>&1' 2>/srv/took || status=$?
    score=$(sed -n 's/^score=//p' /srv/temp/outputs 2>/dev/null || true)
    printf '%s: %s, score %s, status %d\n' "$what" "$(cat /srv/took)" "$score" "$status"
    [ "$status" -eq "$expected" ] || { tail -n 30 /srv/temp/log && exit 1; }
}
solution=reference/matmul/solution
push 'nothing kept' 0 "$solution"
du -sm /srv/kept | sed 's/\t.*/ MB are kept/'
push 'kept' 0 "$solution"
push 'kept, wrong' 1 "$solution" tests/submissions/matmul/wrong/b_column_major
