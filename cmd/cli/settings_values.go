package cli

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"lyceum/cmd/server"
)

// settingsParser parses settings and collects their errors.
type settingsParser struct{ errs []error }

func (r *settingsParser) addError(setting, format string, args ...any) {
	r.errs = append(r.errs, fmt.Errorf(setting+": "+format, args...))
}

// with returns the errors of the parser and of cfg.Validate, joined.
func (r *settingsParser) with(cfg server.Config) error {
	return errors.Join(append(r.errs, cfg.Validate())...)
}

// duration parses text and stores the result in *to. If text is invalid, it leaves *to unchanged,
// so that Validate does not report the setting again.
func (r *settingsParser) duration(setting, text string, to *time.Duration) {
	d, err := time.ParseDuration(text)
	if err != nil {
		r.addError(setting, "%q is not a valid duration, such as 10s", text)
		return
	}
	*to = d
}

// positiveDuration is like duration, but the value must be positive.
func (r *settingsParser) positiveDuration(setting, text string, to *time.Duration) {
	d := *to
	before := len(r.errs)
	r.duration(setting, text, &d)
	if len(r.errs) == before && d <= 0 {
		r.addError(setting, "must be greater than 0")
		return
	}
	*to = d
}

// count parses text, which must be a positive whole number, and stores the result in *to.
func (r *settingsParser) count(setting, text string, to *int) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		r.addError(setting, "%q is not a positive whole number", text)
		return
	}
	*to = n
}

// countOrNone is like count, but allows 0.
func (r *settingsParser) countOrNone(setting, text string, to *int) {
	if text == "0" {
		*to = 0
		return
	}
	r.count(setting, text, to)
}

func (r *settingsParser) toggle(setting string, text toggle) bool {
	on, err := text.on()
	if err != nil {
		r.addError(setting, "%q must be true or false", string(text))
	}
	return on
}

// secret returns a secret that is given either directly or in a file. The setting that names the
// file has the suffix -file.
func (r *settingsParser) secret(setting string, given Secret, file string) string {
	if file == "" {
		return given.Reveal()
	}
	if given != "" {
		r.addError(setting+"-file", "conflicts with %s; set only one of them", setting)
		return given.Reveal()
	}
	data, err := os.ReadFile(file)
	text := strings.TrimSpace(string(data))
	switch {
	case err != nil:
		r.addError(setting+"-file", "%w", err)
	case text == "":
		r.addError(setting+"-file", "%s is empty", file)
	default:
		return text
	}
	return "placeholder of an unreadable secret" // a valid value, so that Validate does not report the setting again
}
