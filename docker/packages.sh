#!/bin/sh
# packages.sh: packages for a stage of the image; run by its Dockerfile as root.
#
#   packages.sh install SETS [FILE]  installs sets of packages.txt, one word, and the packages FILE
#                                    names; in place of "clang" the newest that there is, up to 24
#   packages.sh needed FOLDER        prints the packages whose libraries the programs below FOLDER are
#                                    linked to
#   packages.sh pin DATE ROOT        sets the package sources below ROOT/etc/apt to those of a day
#
# APT_SNAPSHOT=20261101T000000Z in the environment makes `install` see the packages of that moment,
# through the snapshot services of Ubuntu and Debian; packages stay signed by their archives. It must
# not be older than the base images, because their packages are never replaced by older ones.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)

die() {
    printf 'packages.sh: %s\n' "$*" >&2
    exit 1
}

sources_below() {
    find "$1/etc/apt" -maxdepth 2 -type f \( -name '*.list' -o -name '*.sources' \)
}

pin() {
    date=$1
    root=$2
    printf '%s\n' "$date" | grep -qE '^[0-9]{8}T[0-9]{6}Z$' ||
        die "a snapshot looks like 20261101T000000Z, got '$date'"
    sources_below "$root" | while IFS= read -r file; do
        sed -i -E \
            -e "s#https?://(archive|security)\.ubuntu\.com/ubuntu/?#http://snapshot.ubuntu.com/ubuntu/$date#" \
            -e "s#https?://ports\.ubuntu\.com/ubuntu-ports/?#http://snapshot.ubuntu.com/ubuntu/$date#" \
            -e "s#https?://(deb|security)\.debian\.org/(debian-security|debian)/?#http://snapshot.debian.org/archive/\2/$date#" \
            "$file"
    done
    sources_below "$root" | xargs cat | grep -E '^(deb|URIs:) ?' >"$root/etc/apt/pinned-sources"
    if grep -vF "/$date" "$root/etc/apt/pinned-sources" >&2; then
        die 'these sources have no snapshots: use the base images of Ubuntu or Debian'
    fi
    rm "$root/etc/apt/pinned-sources"
    echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/80snapshot"
}

newest_clang() {
    apt-cache search --names-only '^clang-(1[4-9]|2[0-4])$' | sed 's/ .*//' | sort -t - -k 2 -n | tail -n 1
}

install_set() {
    names=''
    for set_name in $1; do
        of_set=$(awk -v set="$set_name" '$1 == set { print $2 }' "$here/packages.txt")
        [ -n "$of_set" ] || die "packages.txt has no set '$set_name'"
        names="$names $of_set"
    done
    if [ $# -gt 1 ]; then
        names="$names $(cat "$2")"
    fi
    # Do not use the vendor's repository in its image: nothing is installed from it.
    rm -f /etc/apt/sources.list.d/cuda*
    [ -z "${APT_SNAPSHOT:-}" ] || [ -f /etc/apt/apt.conf.d/80snapshot ] || pin "$APT_SNAPSHOT" ''
    # Leave out what is neither read nor linked to here, about 200 MB. libclang is for editors.
    printf 'path-exclude=%s\n' '/usr/share/doc/*' '/usr/share/man/*' '/usr/share/info/*' \
        '/usr/share/locale/*' '/usr/lib/gcc/*/*/lib*san*.a' '/usr/lib/gcc/*/*/lto1' \
        '/usr/lib/*/libclang-[0-9]*' '/usr/lib/llvm-*/lib/LLVMPolly.so' \
        '/usr/lib/llvm-*/lib/clang/*/lib/*' '/usr/lib/*/lib*san.so*' '/usr/bin/*.gold' '/usr/bin/*-dwp' \
        '/usr/bin/*-linux-gnu*-gp-*' \
        >/etc/dpkg/dpkg.cfg.d/80image
    printf 'path-include=%s\n' '/usr/share/doc/*/copyright' >>/etc/dpkg/dpkg.cfg.d/80image
    export DEBIAN_FRONTEND=noninteractive
    apt-get update
    names=$(printf '%s\n' "$names" | sed "s/\<clang\>/$(newest_clang)/")
    # shellcheck disable=SC2086 # a list of words
    apt-get install -y --no-install-recommends $names
    apt-get clean
    rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/*-old /var/log/apt \
        /var/log/dpkg.log /var/log/alternatives.log /var/cache/ldconfig/aux-cache
}

# ldd names the libraries; a merged /usr gives them another path than the one dpkg knows.
needed() {
    find "$1" -type f -exec sh -c 'ldd "$1" 2>/dev/null' sh {} \; |
        sed -n 's/^[[:space:]]*\([^ ]*\) => .*/\1/p' | sort -u |
        while IFS= read -r library; do
            dpkg-query -S "*/$library" 2>/dev/null | sed -n '1s/[:,].*//p'
        done | sort -u
}

case ${1:-} in
install) shift && install_set "$@" ;;
needed) needed "$2" ;;
pin) pin "$2" "$3" ;;
*)
    sed -n '2,13s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
