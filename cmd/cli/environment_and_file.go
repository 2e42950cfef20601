package cli

import (
	"strings"

	"github.com/alecthomas/kong"
)

// sources resolves settings that are not flags on the command line: first from the environment,
// then from the YAML file. It replaces kong's own environment and file support, in which the file
// has priority.
type sources struct {
	lookup   func(string) (string, bool)
	file     map[string]string // settings of the file by name; nil before it is read
	fileName string            // blank: there is no file
}

var _ kong.Resolver = (*sources)(nil)

// Validate implements kong.Resolver. The file is validated when it is read.
func (s *sources) Validate(*kong.Application) error { return nil }

// Resolve implements kong.Resolver.
func (s *sources) Resolve(ctx *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if isGlobal(flag) {
		return s.variable(flag.Name), nil
	}
	if flag.Group == nil {
		return nil, nil
	}
	if err := s.read(ctx); err != nil {
		return nil, err
	}
	if v := s.variable(flag.Name); v != nil {
		return v, nil
	}
	if v, ok := s.file[flag.Name]; ok && v != "" {
		return v, nil
	}
	return nil, nil
}

// variable returns the value of a setting in the environment. As in compose files, a blank value
// counts as not set.
func (s *sources) variable(name string) any {
	if v, ok := s.lookup(variable(name)); ok && v != "" {
		return v
	}
	return nil
}

// read reads the settings file once, if there is one.
func (s *sources) read(ctx *kong.Context) error {
	if s.file != nil {
		return nil
	}
	s.file = map[string]string{}
	name, _ := s.variable(configFlag).(string)
	known := map[string]bool{}
	_ = kong.Visit(ctx.Model, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok {
			known[flag.Name] = flag.Group != nil
			if v, ok := ctx.FlagValue(flag).(string); ok && v != "" && flag.Name == configFlag {
				name = v
			}
		}
		return next(nil)
	})
	if name == "" {
		return nil
	}
	file, err := readFile(name, known)
	s.file, s.fileName = file, name
	return err
}

// Flags that all commands have and that the settings file cannot contain.
const (
	configFlag = "config"     // names the settings file
	strictFlag = "strict-env" // turns unknown variables into errors
)

// isGlobal reports whether flag is one of the flags above.
func isGlobal(flag *kong.Flag) bool { return flag.Name == configFlag || flag.Name == strictFlag }

// variable returns the environment variable of a setting, such as LYCEUM_TLS_MODE for tls.mode.
func variable(setting string) string {
	return "LYCEUM_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(setting))
}

// withVariable returns the help of a flag, followed by its environment variable.
func withVariable(v *kong.Value) string {
	if v.Flag == nil || v.Flag.Group == nil && !isGlobal(v.Flag) {
		return v.Help
	}
	return v.Help + " ($" + variable(v.Name) + ")"
}
