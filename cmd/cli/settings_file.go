package cli

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
)

// settingsFile is the text of a settings file that is being written. Consecutive settings with the
// same prefix share a section.
type settingsFile struct {
	bytes.Buffer

	section string // the section of the last setting
}

// comment writes a comment.
func (f *settingsFile) comment(text string) { f.line("", "# "+text) }

// show writes a setting with the origin of its value. A secret becomes a comment, so that the
// output remains a valid settings file.
func (f *settingsFile) show(setting string, value any, origin string) {
	indent, key := f.enter(setting, "")
	if secret, ok := value.(Secret); ok && secret != "" {
		f.line(indent, fmt.Sprintf("# %s: %s # %s", key, secret, origin))
		return
	}
	f.line(indent, fmt.Sprintf("%s: %s # %s", key, scalar(fmt.Sprint(value)), origin))
}

// explain writes the description of a setting and then the setting. A setting without a default is
// written as a comment.
func (f *settingsFile) explain(setting, help, value string) {
	indent, key := f.enter(setting, "\n")
	for _, line := range wrap(help, 98-len(indent)) {
		f.line(indent, "# "+line)
	}
	if value == "" {
		f.line(indent, "# "+key+":")
		return
	}
	f.line(indent, key+": "+scalar(value))
}

// enter prepares for a setting and returns its indentation and its key. Unless the last setting is
// in the same section, it writes the text in before and the start of the section.
func (f *settingsFile) enter(setting, before string) (indent, key string) {
	section, key, nested := strings.Cut(setting, ".")
	if !nested {
		section, key = "", setting
	}
	if section != f.section || section == "" {
		f.WriteString(before)
	}
	if section != f.section && section != "" {
		f.line("", section+":")
	}
	f.section = section
	if nested {
		indent = "  "
	}
	return indent, key
}

func (f *settingsFile) line(indent, text string) { f.WriteString(indent + text + "\n") }

// scalar returns a value in YAML. It quotes texts that YAML would read as another type.
func scalar(value string) string {
	if _, err := strconv.Atoi(value); err == nil || value == "true" || value == "false" {
		return value
	}
	text, err := yaml.Marshal(value)
	if err != nil {
		return strconv.Quote(value)
	}
	return strings.TrimSpace(string(text))
}

// wrap returns text in lines of at most width bytes. A word longer than width gets a line of its
// own.
func wrap(text string, width int) []string {
	var lines []string
	for _, word := range strings.Fields(text) {
		last := len(lines) - 1
		if last < 0 || len(lines[last])+1+len(word) > width {
			lines = append(lines, word)
			continue
		}
		lines[last] += " " + word
	}
	return lines
}
