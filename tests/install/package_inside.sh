#!/bin/sh
# package_inside.sh: what package.sh does in the fresh root file system: /srv holds the package and the
# scores from outside, with --cuda the toolkit is in /usr/local/cuda. It changes the system; nobody else runs it.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
unset GPUGRADE_ROOT
package=$(ls /srv/gpugrade_*.deb) || exit 3
case $(hostname) in
fresh) ;;
*)
    echo 'package_inside.sh: this is no fresh root file system' >&2
    exit 3
    ;;
esac

apt() {
    DEBIAN_FRONTEND=noninteractive apt-get -y -o APT::Install-Recommends=false "$@" \
        >"$SCRATCH/apt" 2>&1 </dev/null
}
# as USER COMMAND...: runs it in the home folder, with nothing of this environment.
as() {
    name=$1
    shift
    (cd "$home" && exec setpriv --reuid="$name" --regid="$name" --init-groups \
        env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="$home" LANG=C.UTF-8 "$@" </dev/null)
}
# files LIST: all that is there, but for what is written about packages.
files() {
    find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /srv -o -path /home \
        -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/cache -o -path /var/log \
        -o -path "$SCRATCH" -o -path /usr/local/cuda \) -prune -o -print | sort >"$1"
}

apt update
if ! apt install jq man-db bash-completion zsh fish libcap2-bin; then
    fail 'the tools of this test' "$SCRATCH/apt"
    finish
fi
useradd --create-home student
home=$(getent passwd student | cut -d: -f6)

# The package brings what it needs.
if apt -o APT::Install-Recommends=true install "$package"; then
    pass 'apt-get install brings what it depends on'
else
    fail 'apt-get install brings what it depends on' "$SCRATCH/apt"
    finish
fi
if command -v bwrap >/dev/null && ls /usr/bin/clang++-* >"$SCRATCH/clangs" 2>&1; then
    pass "it recommends bubblewrap and $(basename "$(tail -n 1 "$SCRATCH/clangs")")"
else
    fail 'it recommends bubblewrap and clang'
fi
if [ -x /usr/local/cuda/bin/nvcc ] || ! command -v g++ >/dev/null; then
    pass 'with clang it needs no g++'
else
    fail 'with clang it needs no g++'
fi
dpkg --purge gpugrade >"$SCRATCH/log" 2>&1
files "$SCRATCH/before"
if dpkg -i "$package" >"$SCRATCH/log" 2>&1; then
    pass 'dpkg -i'
else
    fail 'dpkg -i' "$SCRATCH/log"
    finish
fi

if [ "gpugrade $(dpkg-query -W -f '${Version}' gpugrade | sed 's/-[0-9]*$//')" = \
    "$(as student gpugrade version)" ]; then
    pass 'the version of the package is that of the command'
else
    fail 'the version of the package is that of the command'
fi

# The same scores as outside, in a home folder of somebody who may write nothing else.
for outside in /srv/*.outside; do
    coursework=$(basename "$outside" .outside)
    rm -rf "$home/work"
    cp -r "$REPO/reference/$coursework/solution" "$home/work"
    chown -R student: "$home/work"
    # Its name is part of the score.
    mv "$home/work" "$home/solution"
    as student gpugrade check solution --device emulated --seed 0x1 --json score.json \
        >"$SCRATCH/log" 2>&1
    jq -f "$REPO/tests/install/comparable.jq" "$home/score.json" >"$SCRATCH/inside"
    tier=$(jq -r .machine.sandbox.tier "$home/score.json")
    if [ -s "$SCRATCH/inside" ] && cmp -s "$SCRATCH/inside" "$outside"; then
        pass "check of $coursework as another user: the score of outside, tier $tier"
    else
        { tail -n 5 "$SCRATCH/log" && diff "$outside" "$SCRATCH/inside"; } >"$SCRATCH/differs" 2>&1
        fail "check of $coursework as another user: the score of outside" "$SCRATCH/differs"
    fi
    rm -rf "$home/solution" "$home/score.json"
done

# All of /usr can be read by programs, but not the solutions there. The compiler says what it sees;
# tier C shows that it would.
mkdir "$home/theft"
cat >"$home/theft/tiled.cu" <<'END'
#if __has_include("/usr/share/gpugrade/reference/matmul_square/solution/tiled.cu")
#error the solution can be seen
#elif __has_include("/usr/share/gpugrade/student_template/matmul_square/tiled.cu")
#error the solution cannot be seen
#endif
END
chown -R student: "$home/theft"
# look TIER WORDS [PATTERN]: passes if the compiler says so, in these words or others.
look() {
    as student gpugrade check theft --coursework matmul_square --sandbox "$1" --seed 0x1 \
        >"$SCRATCH/log" 2>&1
    if grep -q "sandbox tier $1 does not work here" "$SCRATCH/log"; then
        skip "in tier $1 the solution $2" 'it does not work here'
    elif grep -qE "${3:-the solution $2}" "$SCRATCH/log"; then
        pass "in tier $1 the solution $2"
    else
        fail "in tier $1 the solution $2" "$SCRATCH/log"
    fi
}
look C 'can be seen'
look A 'cannot be seen'
# Landlock denies to open it, but not to ask whether it is there.
look B 'cannot be seen' 'cannot be seen|Permission denied'
rm -r "$home/theft"

if as student gpugrade handout matmul out >"$SCRATCH/log" 2>&1 &&
    as student gpugrade new sums course >>"$SCRATCH/log" 2>&1 &&
    as student gpugrade lint course/rubrics/sums.json >>"$SCRATCH/log" 2>&1; then
    pass 'handout, new, lint'
else
    fail 'handout, new, lint' "$SCRATCH/log"
fi
# shellcheck disable=SC2016 # for the inner shell
as student sh -c 'gpugrade explain R01 --example >r01.cu && gpugrade run r01.cu' >"$SCRATCH/log" 2>&1
if grep -q 'error\[R01\]' "$SCRATCH/log"; then
    pass 'explain --example and run'
else
    fail 'explain --example and run' "$SCRATCH/log"
fi
mkdir -p "$home/class/ada" "$home/class/bob"
cp "$REPO"/reference/matmul_square/solution/* "$home/class/ada/"
cp "$REPO"/student_template/matmul_square/*.cu "$home/class/bob/"
chown -R student: "$home/class"
as student gpugrade batch class -o results --coursework matmul_square >"$SCRATCH/log" 2>&1 &&
    as student gpugrade report results --format csv >"$SCRATCH/csv" 2>>"$SCRATCH/log"
if [ "$(grep -cE '^(ada|bob),' "$SCRATCH/csv")" = 2 ]; then
    pass 'batch and report'
else
    fail 'batch and report' "$SCRATCH/log"
fi
if as student gpugrade doctor >"$SCRATCH/log" 2>&1; then
    pass 'doctor: grading is sound'
else
    fail 'doctor: grading is sound' "$SCRATCH/log"
fi

if as student man gpugrade-check 2>/dev/null | grep -q -- '--coursework ID'; then
    pass 'man gpugrade-check'
else
    fail 'man gpugrade-check'
fi
if as student bash -c '. /usr/share/bash-completion/bash_completion
    _completion_loader gpugrade; complete -p gpugrade' 2>&1 | grep -q _gpugrade; then
    pass 'bash finds its completions'
else
    fail 'bash finds its completions'
fi
# shellcheck disable=SC2016 # for zsh
if [ "$(as student zsh -c 'autoload -Uz compinit; compinit -D; print $_comps[gpugrade]' 2>&1)" = \
    _gpugrade ]; then
    pass 'zsh finds its completions'
else
    fail 'zsh finds its completions'
fi
if as student fish -c 'complete -C "gpugrade handout transp"' 2>&1 | grep -q '^transpose$'; then
    pass 'fish finds its completions'
else
    fail 'fish finds its completions'
fi

# Who wants users for programs without root chooses a group; every configuration renews the rest.
helper=/usr/libexec/gpugrade/gpugrade-jail
groupadd graders
dpkg-statoverride --add --update root graders 0750 "$helper"
dpkg -i "$package" >"$SCRATCH/log" 2>&1
if [ "$(stat -c '%U:%G %a' "$helper")" = 'root:graders 750' ] &&
    getcap "$helper" | grep -qE 'cap_setgid,cap_setuid[+=]p$'; then
    pass 'a helper for a group gets its capabilities'
else
    fail 'a helper for a group gets its capabilities' "$(ls -l "$helper"; getcap "$helper")"
fi

dpkg --purge gpugrade >"$SCRATCH/log" 2>&1
files "$SCRATCH/after"
if diff "$SCRATCH/before" "$SCRATCH/after" >"$SCRATCH/left" &&
    ! dpkg-statoverride --list "$helper" >/dev/null; then
    pass "dpkg --purge leaves nothing, $(wc -l <"$SCRATCH/after") files as before"
else
    fail 'dpkg --purge leaves nothing' "$SCRATCH/left"
fi
finish
