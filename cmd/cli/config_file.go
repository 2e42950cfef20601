package cli

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// fileError contains all errors of the settings file.
type fileError struct{ errs []error }

func (e *fileError) Error() string { return errors.Join(e.errs...).Error() }

func (e *fileError) Unwrap() []error { return e.errs }

// readFile returns the settings in the YAML file name, by dotted name. An unknown setting is an
// error, so that misspelled names are noticed.
func readFile(name string, known map[string]bool) (map[string]string, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, &fileError{[]error{fmt.Errorf("config: %w", err)}}
	}
	var tree map[string]any
	if err := yaml.Unmarshal(data, &tree); err != nil {
		return nil, &fileError{[]error{fmt.Errorf("%s: %s", name, faultOf(err))}}
	}
	settings := map[string]string{}
	var errs []error
	flatten("", tree, known, func(setting string, value any) {
		switch {
		case value == nil && isSection(setting, known):
		case !known[setting]:
			errs = append(errs, fmt.Errorf("%s: unknown key %q", name, setting))
		default:
			text, err := textOf(value)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %s: %w", name, setting, err))
			}
			settings[setting] = text
		}
	})
	if len(errs) > 0 {
		slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
		return nil, &fileError{errs}
	}
	return settings, nil
}

// quoted matches the text of the file that the YAML parser quotes in an error.
var quoted = regexp.MustCompile(`(?s)".*"`)

// faultOf returns the position and the kind of an error of the YAML parser, without text of the
// file, because that text may be a secret.
func faultOf(err error) string {
	var fault yaml.Error
	if !errors.As(err, &fault) { // its text may contain names from the file
		return "is not valid YAML"
	}
	return quoted.ReplaceAllLiteralString(yaml.FormatError(err, false, false), `"…"`)
}

// isSection reports whether name is a section of the known settings.
func isSection(name string, known map[string]bool) bool {
	for setting := range known {
		if strings.HasPrefix(setting, name+".") {
			return true
		}
	}
	return false
}

// flatten calls leaf with the dotted name of each value in tree. Only a section of the known
// settings has values below it: elsewhere, the keys of an object may be parts of a secret.
func flatten(prefix string, tree map[string]any, known map[string]bool, leaf func(string, any)) {
	for key, value := range tree {
		if below, ok := value.(map[string]any); ok && isSection(prefix+key, known) {
			flatten(prefix+key+".", below, known, leaf)
			continue
		}
		leaf(prefix+key, value)
	}
}

// textOf returns the text of value as a flag would have it: the elements of a list are separated by
// commas.
func textOf(value any) (string, error) {
	switch v := value.(type) {
	case nil:
		return "", nil
	case []any:
		parts := make([]string, len(v))
		for i, element := range v {
			part, err := textOf(element)
			if err != nil {
				return "", err
			}
			parts[i] = part
		}
		return strings.Join(parts, ","), nil
	case string, bool, int, int64, uint64, float64:
		return fmt.Sprint(v), nil
	}
	return "", errors.New("must be a string, a number, a boolean or a list of these")
}
