# Calls the function that completes my-academy, as readline does, for each argument.
source <(my-academy completion bash)
set -f
registered=$(complete -p my-academy)
[[ $registered == *"-o default"* ]] || exit 1
complete=${registered##*-F } complete=${complete%% *}
for line; do
    COMP_WORDS=(my-academy $line) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    "$complete"
    echo "${COMPREPLY[@]}"
done
