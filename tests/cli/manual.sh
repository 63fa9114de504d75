#!/bin/sh
# manual.sh: manual pages and completions, as they are made while gpugrade is built: no warning of those
# who read them, every option in them, and what bash, zsh and fish really offer.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
made=${GPUGRADE_BUILD:-$REPO/build}/grader/install
if [ ! -f "$made/man/gpugrade.1" ]; then
    skip 'manual pages and completions' 'the build folder is not built with all its targets'
    finish
fi

version=$(sed -n 's/^project(gpugrade VERSION \([0-9.]*\).*/\1/p' "$REPO/CMakeLists.txt")
changed=$(sed -n 's/^## \([0-9.]*\) - .*/\1/p' "$REPO/grader/CHANGELOG.md" | head -n 1)
if [ -n "$version" ] && [ "$version" = "$changed" ] &&
    [ "$("$GPUGRADE" version)" = "gpugrade $version" ] &&
    grep -q "^\.TH GPUGRADE 1 .*\"gpugrade $version\"" "$made/man/gpugrade.1"; then
    pass 'one version: CMakeLists.txt, the changes, the command, the pages'
else
    fail 'one version: CMakeLists.txt, the changes, the command, the pages' "$version, $changed"
fi

# warns NAME COMMAND...: runs it with each page; passes if nothing is printed.
warns() {
    name=$1
    shift
    if ! command -v "$1" >/dev/null 2>&1; then
        skip "$name" "$1 is not installed"
        return
    fi
    for page in "$made"/man/*.1; do
        { LC_ALL=C.UTF-8 "$@" "$page" >"$SCRATCH/page"; } 2>&1
    done >"$SCRATCH/warned"
    if [ -s "$SCRATCH/warned" ]; then
        fail "$name" "$SCRATCH/warned"
    else
        pass "$name"
    fi
}
warns 'groff has nothing to warn of' groff -ww -man -Tutf8 -z
# Settings of who runs this change how wide man writes and what it starts.
unset MANWIDTH MANOPT MANROFFOPT MANPAGER MANROFFSEQ MANPATH COLUMNS
warns 'man has nothing to warn of' man --warnings -E UTF-8 -l -Tutf8 -Z
# A clock that is behind the date of the last change is no mistake of a page.
if command -v mandoc >/dev/null 2>&1; then
    mandoc -Tlint "$made"/man/*.1 2>&1 | grep -v ': WARNING: date in the future, ' >"$SCRATCH/warned"
    if [ -s "$SCRATCH/warned" ]; then
        fail 'mandoc has nothing to say' "$SCRATCH/warned"
    else
        pass 'mandoc has nothing to say'
    fi
else
    skip 'mandoc has nothing to say' 'mandoc is not installed'
fi

# Each command of the list has a page, and each option of its help stands in it.
"$GPUGRADE" help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' >"$SCRATCH/commands"
: >"$SCRATCH/missing"
while read -r command; do
    page=$made/man/gpugrade-$command.1
    [ -f "$page" ] || { echo "no page of $command" >>"$SCRATCH/missing" && continue; }
    sed 's/\\-/-/g; s/\\f.//g' "$page" >"$SCRATCH/plain"
    "$GPUGRADE" help "$command" | grep -oE '^  (-[a-z], )?--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+' |
        while read -r option; do
            grep -qE -- "^(-[a-z], )?$option( |\$)" "$SCRATCH/plain" ||
                echo "$command: no $option" >>"$SCRATCH/missing"
        done
done <"$SCRATCH/commands"
if [ -s "$SCRATCH/missing" ] || [ "$(wc -l <"$SCRATCH/commands")" -lt 10 ]; then
    fail 'every command has a page with all its options' "$SCRATCH/missing"
else
    pass 'every command has a page with all its options'
fi

# Every variable that the grader asks for is in the manual.
sed 's/\\-/-/g; s/\\f.//g' "$made/man/gpugrade.1" >"$SCRATCH/plain"
grep -rhoE 'getenv\("[A-Z_]+"\)' "$REPO/grader" --include='*.c' | sed 's/.*"\(.*\)".*/\1/' | sort -u |
    while read -r variable; do
        case $variable in
        GPUGRADE_WITNESS) ;; # the doctor's own
        TZ) ;; # date.c changes it for a moment and puts it back
        *) grep -q "\b$variable\b" "$SCRATCH/plain" || echo "$variable" ;;
        esac
    done >"$SCRATCH/missing"
if [ -s "$SCRATCH/missing" ]; then
    fail 'every environment variable is in the manual' "$SCRATCH/missing"
else
    pass 'every environment variable is in the manual'
fi

# offers NAME SEEN WANTED: what is between the marks must be exactly that.
offers() {
    if [ "$2" = "$3" ]; then
        pass "$1"
    else
        fail "$1" "got '$2', wanted '$3'"
    fi
}
cd "$SCRATCH" || exit 1
mkdir 'a folder'
: >'a file.cu'

cat >ask.bash <<'END'
complete -p gpugrade >/dev/null 2>&1 || . "$1/completions/gpugrade.bash"
compopt() { :; } # only where a line is edited there is something to set
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_gpugrade
printf '%s\n' "${COMPREPLY[@]}" | sort | paste -sd' '
END
if command -v bash >/dev/null 2>&1; then
    ask() { bash ask.bash "$made" gpugrade "$@"; }
    offers 'bash: commands' "$(ask re)" 'regrade report'
    offers 'bash: options' "$(ask check --gpu)" '--gpu-model --gpus'
    offers 'bash: choices' "$(ask check --device '')" 'auto cuda emulated'
    offers 'bash: choices behind =' "$(ask check --device = e)" 'emulated'
    offers 'bash: names with blanks' "$(ask check --gpu-model RTX\ 40)" 'RTX\ 4090'
    offers 'bash: codes' "$(ask explain --example R)" 'R01 R02 R03 R04 R05'
    offers 'bash: courseworks' "$(ask handout transp)" 'transpose'
    offers 'bash: folders' "$(ask handout transpose 'a f')" 'a folder'
    offers 'bash: files' "$(ask check --rubric 'a f')" 'a file.cu a folder'
    offers 'bash: nothing for a number' "$(ask run --launch-seconds '')" ''
    if [ -f /usr/share/bash-completion/bash_completion ]; then
        mkdir -p data/bash-completion/completions
        cp "$made/completions/gpugrade.bash" data/bash-completion/completions/gpugrade
        # shellcheck disable=SC2016 # for the inner shell
        seen=$(HOME=$SCRATCH XDG_DATA_HOME=$SCRATCH XDG_CONFIG_HOME=$SCRATCH XDG_DATA_DIRS=$SCRATCH/data \
            bash -c '. /usr/share/bash-completion/bash_completion >/dev/null 2>&1
            _completion_loader gpugrade; complete -p gpugrade' 2>&1)
        offers 'bash: bash-completion finds it' "$seen" 'complete -F _gpugrade gpugrade'
    else
        skip 'bash: bash-completion finds it' 'bash-completion is not installed'
    fi
else
    skip 'completions of bash' 'bash is not installed'
fi

# A real line editor on a terminal of its own: what stands on the line after the tabulator. Nothing is
# typed before it says that it listens: until then the terminal itself repeats what it gets.
mkdir editor
echo 'setopt no_global_rcs' >editor/.zshenv
cat >editor/.zshrc <<'END'
PS1= PS2=
fpath=($MADE/completions $fpath)
autoload -Uz compinit
compinit -u -d $ZDOTDIR/dump
bindkey '^I' expand-or-complete
unsetopt zle_bracketed_paste
show() { print -r -- "<<$BUFFER>>"; BUFFER= }
zle -N show
bindkey '^X' show
zle-line-init() { print -r -- '<<listens>>' }
zle -N zle-line-init
END
cat >ask.zsh <<'END'
zmodload zsh/zpty
zpty editor zsh -i
zpty -r editor seen "*<<listens>>*" || exit 1
for line in "$@"; do
    zpty -n -w editor "$line"$'\t\x18'
    zpty -r editor seen "*<<*>>*" || exit 1
    seen=${seen##*<<}
    print -r -- "${seen%%>>*}"
done
zpty -d editor
END
if ! command -v zsh >/dev/null 2>&1; then
    skip 'completions of zsh' 'zsh is not installed'
elif ! zsh -f -c 'zmodload zsh/zpty && zpty first true' >"$SCRATCH/seen" 2>&1; then
    skip 'completions of zsh' "there is no terminal for it: $(head -n 1 "$SCRATCH/seen")"
else
    MADE=$made ZDOTDIR=$SCRATCH/editor HOME=$SCRATCH TERM=dumb timeout 300 zsh -f ask.zsh \
        'gpugrade regr' 'gpugrade check --device emu' \
        'gpugrade check --device=cu' 'gpugrade handout transp' 'gpugrade explain W03' \
        'gpugrade check --rubric a\ fi' 'gpugrade batch -o a\ fo' >"$SCRATCH/seen" 2>&1
    cat >"$SCRATCH/wanted" <<'END'
gpugrade regrade 
gpugrade check --device emulated 
gpugrade check --device=cuda 
gpugrade handout transpose 
gpugrade explain W03 
gpugrade check --rubric a\ file.cu 
gpugrade batch -o a\ folder/
END
    if cmp -s "$SCRATCH/seen" "$SCRATCH/wanted"; then
        pass 'zsh completes commands, choices, courseworks, codes, files and folders'
    else
        diff "$SCRATCH/wanted" "$SCRATCH/seen" >"$SCRATCH/differs"
        fail 'zsh completes commands, choices, courseworks, codes, files and folders' \
            "$SCRATCH/differs"
    fi
fi

if command -v fish >/dev/null 2>&1; then
    ask() {
        HOME=$SCRATCH TERM=dumb timeout 300 fish --no-config -c \
            "source $made/completions/gpugrade.fish; complete -C '$1'" 2>&1 |
            cut -f 1 | sort | paste -sd' '
    }
    offers 'fish: commands' "$(ask 'gpugrade regr')" 'regrade'
    offers 'fish: options' "$(ask 'gpugrade check --gpu')" '--gpu-model --gpus'
    offers 'fish: choices' "$(ask 'gpugrade check --device ')" 'auto cuda emulated'
    offers 'fish: codes' "$(ask 'gpugrade explain R0')" 'R01 R02 R03 R04 R05'
    offers 'fish: courseworks' "$(ask 'gpugrade handout transp')" 'transpose'
    offers 'fish: files' "$(ask 'gpugrade check --rubric a\ fi')" 'a file.cu'
    offers 'fish: folders' "$(ask 'gpugrade batch -o a\ ')" 'a folder/'
else
    skip 'completions of fish' 'fish is not installed'
fi
finish
