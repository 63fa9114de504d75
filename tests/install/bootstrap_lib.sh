# shellcheck shell=sh
# bootstrap_lib.sh: makes root file systems of Debian or Ubuntu with nothing in them; sourced, never run.
# Needs root and debootstrap; Ubuntu's also the package ubuntu-keyring.

# bootstrap SUITE ROOT CACHE [ARCHITECTURE]: fills the folder ROOT; false if it cannot. SUITE is bookworm
# (Debian 12), jammy (Ubuntu 22.04) or noble (Ubuntu 24.04). CACHE, unless it is "", is a folder that keeps
# it as a tar file, and from which it comes the next time. What debootstrap says is printed.
#
# Its package sources are its own. How packages are reached is as on this machine: name server, proxies,
# certificates, whether the clock is believed.
bootstrap() {
    suite=$1
    root=$2
    architecture=${4:-$(dpkg --print-architecture)}
    case $suite in
    bookworm)
        mirror=http://deb.debian.org/debian
        keyring=debian-archive-keyring.gpg
        releases="$suite $suite-updates"
        security="deb http://deb.debian.org/debian-security $suite-security main"
        components=main
        script=$suite
        ;;
    jammy | noble)
        mirror=http://archive.ubuntu.com/ubuntu
        keyring=ubuntu-archive-keyring.gpg
        releases="$suite $suite-updates $suite-security"
        security=''
        components='main universe'
        script=gutsy # debootstrap's for every release since; an old debootstrap does not know the newest
        ;;
    *)
        echo "there is no suite '$suite'"
        return 1
        ;;
    esac
    tar=${3:+$3/$suite-minbase-$architecture.tar}
    mkdir -p "$root"
    if [ -n "$tar" ] && [ -f "$tar" ]; then
        tar -C "$root" --numeric-owner -xpf "$tar" || return 1
    else
        debootstrap --variant=minbase --arch="$architecture" --keyring="/usr/share/keyrings/$keyring" \
            "$suite" "$root" "$mirror" "/usr/share/debootstrap/scripts/$script" || return 1
        if [ -n "$tar" ]; then
            mkdir -p "$3" && tar -C "$root" --numeric-owner -cpf "$tar.new" . &&
                mv "$tar.new" "$tar" || return 1
        fi
    fi
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    {
        for name in $releases; do
            printf 'deb %s %s %s\n' "$mirror" "$name" "$components"
        done
        printf '%s\n' "$security"
    } >"$root/etc/apt/sources.list"
    apt-config dump | grep -iE '^Acquire::(Check-|[^ ]*(Proxy|CaInfo))' >"$root/etc/apt/apt.conf.d/90reach"
    if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
        mkdir -p "$root/etc/ssl/certs"
        cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
    fi
}
