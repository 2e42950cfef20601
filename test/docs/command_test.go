package docs_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// commandLine contains the commands of the program with their help.
type commandLine struct {
	commands map[string]string // such as "key create", with the help text
	help     string            // help texts of all commands
}

var command = regexp.MustCompile(`(?m)^  ([a-z-]+(?: [a-z-]+)?)  +\S`)

// describe runs the program to get its commands and their flags.
func describe(t *testing.T) commandLine {
	t.Helper()
	program := filepath.Join(workDir(t), "bin", "lyceum")
	help := func(args ...string) string {
		out, err := exec.CommandContext(t.Context(), program, append(args, "--help")...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	c := commandLine{commands: map[string]string{}}
	_, list, _ := strings.Cut(help(), "\nCommands:\n")
	for _, m := range command.FindAllStringSubmatch(list, -1) {
		c.commands[m[1]] = help(strings.Fields(m[1])...)
		c.help += c.commands[m[1]]
	}
	if len(c.commands) < 10 {
		t.Fatalf("the help lists %d commands:\n%s", len(c.commands), list)
	}
	return c
}

// problem returns the reason why a command line is wrong, or "" if its command and flags exist.
// args does not contain the name of the program.
func (c commandLine) problem(args []string) string {
	if len(args) == 0 || strings.HasPrefix(args[0], "<") {
		return ""
	}
	name := args[0]
	if len(args) > 1 && c.commands[name+" "+args[1]] != "" {
		name += " " + args[1]
	}
	help := c.commands[name]
	if help == "" {
		isGroup := slices.ContainsFunc(c.names(), func(n string) bool { return strings.HasPrefix(n, name+" ") })
		if len(args) == 1 && isGroup {
			return ""
		}
		return "no such command"
	}
	for _, arg := range args {
		if strings.HasPrefix(arg, "--") && !hasFlag(help, arg) {
			return name + " has no flag " + arg
		}
	}
	return ""
}

// anywhere returns a problem if no command has the flag, and "" otherwise.
func (c commandLine) anywhere(flag string) string {
	if !hasFlag(c.help, flag) {
		return "no command has this flag"
	}
	return ""
}

func (c commandLine) names() []string {
	var all []string
	for name := range c.commands {
		all = append(all, name)
	}
	return all
}

func hasFlag(help, arg string) bool {
	flag, _, _ := strings.Cut(arg, "=")
	flag = strings.TrimRight(flag, "`,.;")
	return regexp.MustCompile(`(?:^|\s)` + regexp.QuoteMeta(flag) + `(?:[=\s\[]|$)`).MatchString(help)
}
