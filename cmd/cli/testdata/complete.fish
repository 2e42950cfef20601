# Prints the completions of each argument after my-academy.
my-academy completion fish | source
for line in $argv
    complete -C "my-academy $line"
end
