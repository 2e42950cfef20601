package cli

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// completionScripts contains the completion script of each shell, with PROGRAM instead of the name
// of the program. A script calls PROGRAM __complete to get the possible words. If there are none,
// the shell completes file names.
var completionScripts = map[string]string{
	"bash": `# Load it with: source <(PROGRAM completion bash)
_PROGRAM() {
    local IFS=$'\n'
    COMPREPLY=($(PROGRAM __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _PROGRAM PROGRAM
`,
	"zsh": `#compdef PROGRAM
# Load it with: source <(PROGRAM completion zsh)
_PROGRAM() {
    local -a found
    found=(${(f)"$(PROGRAM __complete "${(@)words[2,CURRENT]}" 2>/dev/null)"})
    if (( $#found )); then compadd -a found; else _files; fi
}
compdef _PROGRAM PROGRAM
`,
	"fish": `# Load it with: PROGRAM completion fish | source
function __PROGRAM_complete
    set -l found (PROGRAM __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c PROGRAM -f -a '(__PROGRAM_complete)'
`,
}

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"Shell: bash, zsh or fish."`
}

// Run prints the completion script of the shell.
func (c *completionCmd) Run(t terminal) error {
	_, err := fmt.Fprint(t.out, strings.ReplaceAll(completionScripts[c.Shell], "PROGRAM", t.program))
	return err
}

// completeCmd is the command that the completion scripts call.
type completeCmd struct {
	Words []string `arg:"" optional:"" passthrough:"all" help:"Words of the command line after the program."`
}

// Run prints the completions of the last word, one on each line.
func (c *completeCmd) Run(t terminal, model *kong.Application) error {
	for _, word := range completions(model, c.Words) {
		if _, err := fmt.Fprintln(t.out, word); err != nil {
			return err
		}
	}
	return nil
}

// completions returns the commands, or the flags if the last word starts with a hyphen, that start
// with the last word.
func completions(model *kong.Application, words []string) []string {
	last, node := "", model.Node
	if len(words) > 0 {
		last, words = words[len(words)-1], words[:len(words)-1]
	}
	for _, word := range words {
		for _, child := range node.Children {
			if child.Name == word {
				node = child
			}
		}
	}
	var found []string
	add := func(word string, hidden bool) {
		if !hidden && strings.HasPrefix(word, last) {
			found = append(found, word)
		}
	}
	if !strings.HasPrefix(last, "-") {
		for _, child := range node.Children {
			add(child.Name, child.Hidden)
		}
		return found
	}
	for _, flags := range node.AllFlags(true) {
		for _, flag := range flags {
			add("--"+flag.Name, flag.Hidden)
		}
	}
	return found
}
