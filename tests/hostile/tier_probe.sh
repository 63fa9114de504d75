# shellcheck shell=sh
# tier_probe.sh: which tiers a machine can have, found without the grader; sourced, never run.

# missing_for_tier TIER: prints what this machine lacks for it; nothing if it has all.
missing_for_tier() {
    [ "$1" = A ] || return 0
    set -- bwrap --unshare-all --ro-bind / / true
    # The grader starts it as another user than root.
    [ "$(id -u)" != 0 ] || set -- setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
    "$@" >/dev/null 2>&1 || echo 'bubblewrap cannot make namespaces here'
}
