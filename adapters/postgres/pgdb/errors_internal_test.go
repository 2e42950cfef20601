package pgdb

import (
	"testing"

	"github.com/lib/pq"
	"github.com/matryer/is"
	"lyceum/domain/fault"
)

// A problem of the server that an operator must fix is an outage. If a statement exceeds a limit or
// lacks a privilege, that is a defect of this program.
func TestOutages(t *testing.T) {
	is := is.New(t)
	for _, tt := range []struct {
		err    pq.Error
		outage bool
	}{
		{pq.Error{Code: "54000", File: "varsup.c"}, true}, // no transaction IDs are left
		{pq.Error{Code: "54000", File: "multixact.c"}, true},
		{pq.Error{Code: "54000", File: "nbtutils.c"}, false}, // a value too long for an index
		{pq.Error{Code: "54023", File: "parse_func.c"}, false},
		{pq.Error{Code: "42501", File: "md.c"}, true},
		{pq.Error{Code: "42501", File: "aclchk.c"}, false},
		{pq.Error{Code: "58030", File: "md.c"}, true},
		{pq.Error{Code: "58P01", File: "md.c"}, true},
	} {
		err := Translate(t.Context(), &tt.err)
		if got := fault.Is(err, fault.Unavailable); got != tt.outage {
			t.Errorf("%s of %s: an outage: %v", tt.err.Code, tt.err.File, got)
		}
		is.True(err != nil)
	}
}
