package cli

import "fmt"

// schoolArgument is the school of a command that is about one school. The operator names it as an
// argument or, as in other commands, with a flag.
type schoolArgument struct {
	Argument string `arg:"" name:"school" optional:"" placeholder:"ID|NAME" help:"ID or name of the school."`
	Flag     string `name:"school" placeholder:"ID|NAME" help:"ID or name of the school, instead of the argument."`
}

// school returns the ID or name of the school, or an error unless exactly one of the two is given.
func (s schoolArgument) school(command string) (string, error) {
	switch {
	case s.Argument == "" && s.Flag == "":
		return "", fmt.Errorf("%s: name the school, as an argument or with --school", command)
	case s.Argument != "" && s.Flag != "":
		return "", fmt.Errorf("%s: give the school either as an argument or with --school", command)
	}
	return s.Argument + s.Flag, nil
}
