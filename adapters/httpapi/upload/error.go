package upload

import (
	"errors"
	"net/http"

	"lyceum/adapters/formdata"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/fault"
)

// Error returns the error to respond with: err and the faults of the form, or, if reading
// the form failed, only that error. The faults refer to parts of the form as parameters, because a
// form has no JSON pointers.
func (f *Form) Error(err error) error {
	var refused *respond.HTTPError
	var malformed *formdata.MalformedError
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(f.readErr, &tooLarge) || errors.As(err, &tooLarge):
		return respond.HTTPErrorf(http.StatusRequestEntityTooLarge, "The file exceeds %d bytes", f.limit)
	case errors.As(f.readErr, &refused):
		return f.readErr
	case errors.As(f.readErr, &malformed):
		return respond.HTTPErrorf(http.StatusBadRequest, "%s", malformed.Detail)
	case f.readErr != nil:
		return respond.ReadError("form", f.readErr)
	}
	if len(f.faults) > 0 {
		err = request.JoinFaults(fault.Join(f.faults...), err)
	}
	if !fault.IsRefusal(err) {
		return err
	}
	all := fault.All(err)
	named := make([]error, len(all))
	for i, at := range all {
		c := *at
		if c.Field == "name" {
			c.Field = filePart
		}
		c.Field, c.Param = "", c.Field
		named[i] = &c
	}
	return fault.Join(named...)
}
