package teaching

import (
	"net/http"
	"strings"

	"lyceum/app/teaching"
	"lyceum/domain/fault"
)

// confirmation is the data of a page that asks for a confirmation before a change.
type confirmation struct {
	Title  string // translated
	Text   string // translated
	Action string // path to which the form is posted
	Button string // translated
	Back   string // path of the page to which the person can return
}

func (x *exchange) confirm(c confirmation, problems ...string) error {
	status := http.StatusOK
	if len(problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return x.render(status, "confirm", c, problems...)
}

// settle redirects to path if err is nil. If err consists of faults that a person can correct, it
// calls again with the reasons.
func (x *exchange) settle(err error, path string, again func(problems ...string) error) error {
	if teaching.IsNotPermitted(err) {
		return err
	}
	if refused, ok := reasons(err); ok {
		return again(refused...)
	}
	if err != nil {
		return err
	}
	return x.done(path)
}

// reasons returns the faults that a person can correct, each with the name of its field, and
// whether err consists only of such faults.
func reasons(err error) ([]string, bool) {
	var all []string
	for _, f := range fault.All(err) {
		if f.Kind != fault.Invalid && f.Kind != fault.Forbidden && f.Kind != fault.Conflict {
			return nil, false
		}
		all = append(all, reason(f.Field, f.Detail))
	}
	return all, len(all) > 0
}

// reason returns the detail of a fault after the last part of the name of its field.
func reason(field, detail string) string {
	if i := strings.LastIndexAny(field, "./"); i >= 0 {
		field = field[i+1:]
	}
	if field == "" || field == "data" || field[0] >= '0' && field[0] <= '9' || strings.ToUpper(detail[:1]) == detail[:1] {
		return detail
	}
	return strings.ToUpper(field[:1]) + strings.ReplaceAll(field[1:], "_", " ") + " " + detail
}
