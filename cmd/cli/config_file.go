package cli

import (
	"errors"
	"fmt"
	"os"
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
		return nil, &fileError{[]error{fmt.Errorf("%s: %s", name, yaml.FormatError(err, false, false))}}
	}
	settings := map[string]string{}
	var errs []error
	flatten("", tree, func(setting string, value any) {
		switch {
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

// flatten calls leaf with the dotted name of each value in tree.
func flatten(prefix string, tree map[string]any, leaf func(string, any)) {
	for key, value := range tree {
		if below, ok := value.(map[string]any); ok {
			flatten(prefix+key+".", below, leaf)
			continue
		}
		leaf(prefix+key, value)
	}
}

// textOf returns value in the form in which it would be given as a flag.
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
	return "", errors.New("must be a text, a number, a boolean or a list of these")
}
