# Types each argument after my-academy into an interactive shell, presses Tab, and prints the last word.
zmodload zsh/zpty
: >shown
zpty shell zsh -f -i
zpty -w shell 'autoload -Uz compinit; compinit -D; source <(my-academy completion zsh)'
zpty -w shell 'show() { print -r -- ${${(z)BUFFER}[-1]} >>shown; BUFFER= }; zle -N show; bindkey "^O" show; : >ready'
until [[ -e ready ]]; do sleep 0.02; done
for line; do
    count=$(wc -l <shown)
    zpty -w -n shell "my-academy $line"$'\t\C-o'
    while (( $(wc -l <shown) <= count )); do
        zpty -r -t shell ignored >/dev/null 2>&1
        sleep 0.02
    done
done
zpty -d shell
cat shown
