package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"lyceum/cmd/server"
)

// reading gives settings their meaning and collects what is wrong with them.
type reading struct{ errs []error }

func (r *reading) wrong(setting, format string, args ...any) {
	r.errs = append(r.errs, fmt.Errorf(setting+": "+format, args...))
}

// with returns all that is wrong, what cfg's own check finds included.
func (r *reading) with(cfg server.Config) error {
	return errors.Join(append(r.errs, cfg.Validate())...)
}

// duration sets to unless text is none: then it stays as it is, so that nothing
// is wrong with it twice.
func (r *reading) duration(setting, text string, to *time.Duration) {
	d, err := time.ParseDuration(text)
	if err != nil {
		r.wrong(setting, "%q is not a duration such as 10s", text)
		return
	}
	*to = d
}

// limit is duration for one that must be above 0.
func (r *reading) limit(setting, text string, to *time.Duration) {
	var d time.Duration
	before := len(r.errs)
	r.duration(setting, text, &d)
	if len(r.errs) == before && d <= 0 {
		r.wrong(setting, "must be above 0")
		return
	}
	*to = d
}

// count sets to unless text is no positive whole number.
func (r *reading) count(setting, text string, to *int) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		r.wrong(setting, "%q is not a positive whole number", text)
		return
	}
	*to = n
}

// countOrNone is count for a setting that may be 0.
func (r *reading) countOrNone(setting, text string, to *int) {
	if text == "0" {
		*to = 0
		return
	}
	r.count(setting, text, to)
}

// toggle returns whether a setting is on.
func (r *reading) toggle(setting string, text toggle) bool {
	on, err := text.on()
	if err != nil {
		r.wrong(setting, "%q is neither true nor false", string(text))
	}
	return on
}

// secret returns a setting that can be given as it is or by the name of a file
// that holds it, whose own setting has -file at the end.
func (r *reading) secret(setting string, given Secret, file string) string {
	if file == "" {
		return given.Reveal()
	}
	if given != "" {
		r.wrong(setting+"-file", "stands beside %s; give one of them", setting)
		return given.Reveal()
	}
	data, err := os.ReadFile(file)
	text := strings.TrimSpace(string(data))
	switch {
	case err != nil:
		r.wrong(setting+"-file", "%w", err)
	case text == "":
		r.wrong(setting+"-file", "%s is empty", file)
	default:
		return text
	}
	return "something that cannot be read here" // so it is neither missing nor too short
}
