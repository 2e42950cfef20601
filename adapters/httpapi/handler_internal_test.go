package httpapi

import (
	"context"
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/fault"
)

func TestCollectFaults(t *testing.T) {
	noType, badName := fault.Blank("type"), fault.Invalidf("name", "must be a string")
	taken := fault.Taken("email", "people", uuid.UUID{1})
	wrong := fault.Conflictf("type", "must be courses").AtRow(2)
	outage := errors.New("no connection")
	for _, tt := range []struct {
		name  string
		known []error
		found error
		want  error
	}{
		{"all is well", nil, nil, nil},
		{"a rule refuses", nil, taken, taken},
		{"the document is wrong", []error{noType, badName}, nil, fault.List{noType, badName}},
		{"both", []error{noType}, taken, fault.List{noType, taken}},
		{"a fault of a placeholder", []error{badName}, fault.List{fault.Blank("name"), taken}, fault.List{badName, taken}},
		{"only a fault of a placeholder", []error{badName}, fault.Blank("name"), fault.List{badName}},
		{"the record is not there", []error{noType}, fault.RecordNotFound(), fault.RecordNotFound()},
		{"forbidden", []error{noType}, fault.Forbiddenf("no"), fault.Forbiddenf("no")},
		{"an outage", []error{noType}, outage, outage},
		{"too late", []error{noType}, context.DeadlineExceeded, context.DeadlineExceeded},
		{"busy", []error{noType}, fault.Unavailablef("busy"), fault.Unavailablef("busy")},
		{
			"elements in their order",
			[]error{wrong},
			fault.List{fault.RecordNotFoundAt(4), fault.RecordNotFoundAt(2), fault.RecordNotFoundAt(0)},
			fault.List{fault.RecordNotFoundAt(0), wrong, fault.RecordNotFoundAt(4)},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			dryRun := false
			_, err := collectFaults(tt.known, app.Actor{}, func(a app.Actor) (int, error) {
				dryRun = a == app.Actor{}.DryRun()
				return 0, tt.found
			})
			is.Equal(err, tt.want)
			is.Equal(dryRun, tt.known != nil)
		})
	}
}
