package teaching

import (
	"crypto/rand"
	"net/http"
	"strings"

	"lyceum/app/teaching"
	"lyceum/domain/fault"
)

// tokenField is the name of the field with the token of a form that is processed only once.
const tokenField = "form_token"

// FormToken returns a new token.
func (v view) FormToken() string { return rand.Text() }

// sentForm identifies the form that was sent.
func (x *siteRequest) sentForm() teaching.Form {
	return teaching.Form{Token: x.r.PostForm.Get(tokenField), Content: x.here() + "?" + x.r.PostForm.Encode()}
}

// confirmation is the data of a page that asks for a confirmation before a change.
type confirmation struct {
	Title  string   // translated
	Text   string   // translated
	Loss   string   // translated introduction of Lost; blank: none
	Lost   []string // what else is lost
	Action string   // path to which the form is posted
	Option string   // translated label of a checkbox with the name "force"; blank: none
	Button string   // translated
	Back   string   // path of the page to which the person can return
}

func (x *siteRequest) confirm(c confirmation, problems ...string) error {
	status := http.StatusOK
	if len(problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return x.render(status, "confirm", c, problems...)
}

// settle redirects to path if err is nil. If err consists of faults that a person can correct, it
// calls again with the reasons.
func (x *siteRequest) settle(err error, path string, again func(problems ...string) error) error {
	if refused, ok := x.reasons(err); ok {
		return again(refused...)
	}
	if err != nil {
		return err
	}
	return x.done(path)
}

// reasons returns the faults that a person can correct, each with the name of its field, and
// whether err consists only of such faults. If it does, the page also shows them at their fields. A
// role that does not permit the form is not such a fault.
func (x *siteRequest) reasons(err error) ([]string, bool) {
	if teaching.IsNotPermitted(err) {
		return nil, false
	}
	var all []string
	found := fault.All(err)
	for _, f := range found {
		if f.Kind != fault.Invalid && f.Kind != fault.Forbidden && f.Kind != fault.Conflict {
			return nil, false
		}
		all = append(all, x.reason(f.Field, f.Detail))
	}
	x.refused = found
	return all, len(all) > 0
}

// formControl is a control of a form with the reasons why its value was refused.
type formControl struct {
	Name    string // of the field, which is also its id
	Hint    string // id of the explanation of the field; blank: none
	Problem string // blank: none
}

// control returns the control for a field. The API gives a fault of an element of a list the name
// of the list and the position of the element, such as types/0.
func (x *siteRequest) control(name, hint string) formControl {
	c := formControl{Name: name, Hint: hint}
	var problems []string
	for _, f := range x.refused {
		field, _, _ := strings.Cut(f.Field, "/")
		if field == name || fieldNames[field] == name {
			problems = append(problems, x.reason(field, f.Detail))
		}
	}
	c.Problem = strings.Join(problems, "; ")
	return c
}
