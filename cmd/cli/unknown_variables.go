package cli

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"lyceum/domain/text"
)

// injected matches the variables that Kubernetes and container links set for services whose names
// begin with lyceum, such as LYCEUM_SERVICE_HOST=10.0.0.7 and LYCEUM_PORT=tcp://10.0.0.7:80.
var injected = regexp.MustCompile(`^LYCEUM_(.+_)?(SERVICE_HOST=|SERVICE_PORT(_.+)?=|PORT=(tcp|udp|sctp)://|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?=)`)

// ofClients contains variables for clients: the examples and the documentation read the address of
// a server and an API key from them.
var ofClients = []string{"LYCEUM_URL", "LYCEUM_KEY"}

// checkVariables prints a warning for each environment variable that looks like a setting but is
// not one. If strict is set, it returns an error for each of them instead.
func (t terminal) checkVariables(model *kong.Application, strict bool) error {
	known := knownVariables(model)
	var errs []error
	for _, entry := range t.environ {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "LYCEUM_") || strings.HasPrefix(name, "LYCEUM_TEST_") ||
			slices.Contains(known, name) || slices.Contains(ofClients, name) || injected.MatchString(entry) {
			continue
		}
		hint := ""
		if closest := text.Closest(name, known); closest != "" {
			hint = fmt.Sprintf("; did you mean %s?", closest)
		}
		errs = append(errs, fmt.Errorf("%s is not a setting%s", name, hint))
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	if strict {
		return errors.Join(errs...)
	}
	for _, err := range errs {
		_, _ = fmt.Fprintln(t.err, t.program+": warning:", err)
	}
	return nil
}

// knownVariables returns the environment variables of all settings.
func knownVariables(model *kong.Application) []string {
	var known []string
	_ = kong.Visit(model, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok && (flag.Group != nil || isGlobal(flag)) {
			known = append(known, variable(flag.Name))
		}
		return next(nil)
	})
	return known
}
